"""Rounding: the vertex at which min ‖Yq‖₁ s.t. ⟨r, q⟩ = 1 is attained, with its duality gap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import FloatArray, as_vector
from ..errors import RoundingFailed
from ..subspace import Subspace
from .corner import to_corner
from .frisch_newton import interior_solutions
from .highs import dual_simplex
from .vertex import Vertex, settle

__all__ = ["Multipliers", "multipliers", "round_to_vertex"]

# A loose interior point names the zeros nearly always, since the polish makes them exact.
_TOLERANCES = (1e-6, 1e-8, 1e-10, 1e-12)
_GAP = 1e-10  # of a polished vertex; what rounding leaves is near 1e-15


@dataclass(frozen=True, slots=True, eq=False)
class Multipliers:
    """
    The dual vector that belongs to a vertex.

    Attributes
    ----------
    largest : float
        κ = ‖v‖_∞ over the zero rows: at most 1 exactly when u is dual feasible.
    gap : float
        Relative duality gap proved by u scaled into the box.
    """

    largest: float
    gap: float


def multipliers(subspace: Subspace, vertex: Vertex, anchor: FloatArray, guess: FloatArray | None = None) -> Multipliers:
    """
    Complete the signs of a vertex to a solution of Yᵀu = t·r and measure how far it is from the box |u| ≤ 1.

    Off the zero rows u must be the sign of the vector; on them it solves n equations, with the solution nearest
    to ``guess`` taken (least norm without one). Infinite where the zero rows do not determine the vertex.
    """
    if vertex.face is None:
        return Multipliers(np.inf, np.inf)
    level = vertex.l1 / float(anchor @ vertex.point)
    right = level * anchor - subspace.adjoint(np.sign(vertex.vector))
    right = right - vertex.point * float(vertex.point @ right)
    values, defect = vertex.face.multipliers(right, guess)
    largest = float(np.abs(values).max())
    return Multipliers(largest, (1.0 - 1.0 / largest if largest > 1.0 else 0.0) + defect / vertex.l1)


def _candidates(subspace: Subspace, anchor: FloatArray) -> Iterator[tuple[Vertex, FloatArray]]:
    """Vertices that may solve the program, each with a dual vector, cheapest first."""
    basis = subspace.dense("rounding by a linear program")
    try:
        for solution in interior_solutions(basis, anchor, _TOLERANCES):
            vertex = settle(subspace, _unit(solution.point), solution.dual)
            yield vertex, solution.dual
        if vertex.zeros < subspace.dim - 1:  # the program has many solutions, and this one is inside their face
            yield settle(subspace, to_corner(basis, vertex, anchor)), solution.dual
    except np.linalg.LinAlgError:
        pass  # the judge decides
    point, dual = dual_simplex(basis, anchor)
    vertex = settle(subspace, _unit(point))
    yield vertex, dual
    yield settle(subspace, to_corner(basis, vertex, anchor)), dual


def _unit(point: FloatArray) -> FloatArray:
    return point / float(np.linalg.norm(point))


def _round(subspace: Subspace, anchor: FloatArray) -> Vertex:
    """The optimal vertex: candidates are tried until the multipliers prove one."""
    if subspace.dim == 1:  # one point, no program
        return replace(settle(subspace, anchor), gap=0.0)
    best = float("inf")
    for vertex, dual in _candidates(subspace, anchor):
        gap = multipliers(subspace, vertex, anchor, dual).gap
        if gap <= _GAP:
            return replace(vertex, gap=gap)
        best = min(best, gap)
    msg = (
        f"the rounding program of {subspace.size} x {subspace.dim} must be solved to a relative gap of {_GAP:.0e}; "
        f"got {best:.1e} from the interior point and from HiGHS. Check that rows of the basis are not of wildly "
        "different scale."
    )
    raise RoundingFailed(msg)


def round_to_vertex(subspace: Subspace, anchor: FloatArray) -> Vertex:
    """
    Round a direction: the minimiser of ‖Yq‖₁ over ⟨r, q⟩ = 1, scaled to the unit sphere.

    Parameters
    ----------
    subspace : Subspace
        With its rows in memory.
    anchor : array_like, shape (n,)
        r, any nonzero direction.

    Returns
    -------
    Vertex
        With exact zeros and its relative duality gap (≤ 1e-10, usually near 1e-15).

    Raises
    ------
    RoundingFailed
        Where neither solver reaches that gap.
    """
    direction = as_vector(anchor, subspace.dim, "anchor")
    direction /= np.abs(direction).max()
    direction /= np.linalg.norm(direction)
    if subspace.dim == 1:  # nothing to minimise over
        return replace(settle(subspace, direction), gap=0.0)
    return _round(subspace, direction)
