"""Rounding: the vertex at which min ‖Yq‖₁ s.t. ⟨r, q⟩ = 1 is attained, with its duality gap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import FloatArray, as_direction
from ..errors import RoundingFailed
from ..subspace import Subspace
from .corner import to_corner
from .frisch_newton import interior_solutions
from .highs import dual_simplex
from .vertex import Vertex, settle

__all__ = ["Multipliers", "multipliers", "round_to_vertex"]

# A loose interior point names the zeros nearly always, since the polish makes them exact.
_TOLERANCES = (1e-6, 1e-8, 1e-10, 1e-12)
_GAP = 1e-10  # of a polished vertex; what rounding leaves is near 1e-15, and more where zeros are coarse


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
    to ``guess`` taken (least norm without one). Infinite where the zero rows do not determine the vertex, or where
    it is orthogonal to the anchor.
    """
    along = float(anchor @ vertex.point)
    if vertex.face is None or along == 0.0:
        return Multipliers(np.inf, np.inf)
    level = vertex.l1 / along
    right = level * anchor - subspace.adjoint(np.sign(vertex.vector))
    right = right - vertex.point * float(vertex.point @ right)
    solved = _measure(*vertex.face.multipliers(right, guess), vertex.l1)
    if guess is None or solved.gap <= _GAP:
        return solved
    # A guess that solves the equations is spoilt by solving them again where the zero rows are nearly dependent.
    given = np.where(vertex.zero, guess, 0.0)
    defect = vertex.face.defect(right, given)
    return _measure(given, defect, vertex.l1) if defect <= _GAP * vertex.l1 else solved


def _measure(values: FloatArray, defect: float, l1: float) -> Multipliers:
    largest = float(np.abs(values).max())
    return Multipliers(largest, (1.0 - 1.0 / largest if largest > 1.0 else 0.0) + defect / l1)


def _candidates(subspace: Subspace, anchor: FloatArray) -> Iterator[tuple[Vertex, FloatArray]]:
    """Vertices that may solve the program, each with a dual vector, cheapest first."""
    basis = subspace.dense("rounding by a linear program")
    try:
        for solution in interior_solutions(basis, anchor, _TOLERANCES):
            yield settle(subspace, _unit(solution.point), solution.dual), solution.dual
        # The program has many solutions, and this one is inside their face.
        yield settle(subspace, to_corner(subspace, _unit(solution.point), anchor)), solution.dual
    except np.linalg.LinAlgError:
        pass  # the judge decides
    point, dual = dual_simplex(basis, anchor)
    yield settle(subspace, _unit(point)), dual
    yield settle(subspace, to_corner(subspace, _unit(point), anchor)), dual


def _unit(point: FloatArray) -> FloatArray:
    return point / float(np.linalg.norm(point))


def _round(subspace: Subspace, anchor: FloatArray) -> Vertex:
    """The optimal vertex: candidates are tried until the multipliers prove one."""
    best, enough = float("inf"), max(_GAP, subspace.resolution)
    for vertex, dual in _candidates(subspace, anchor):
        gap = multipliers(subspace, vertex, anchor, dual).gap
        if gap <= enough:
            return replace(vertex, gap=gap)
        best = min(best, gap)
    msg = (
        f"the rounding program of {subspace.size} x {subspace.dim} must be solved to a relative gap of {enough:.0e}; "
        f"got {best:.1e} from the interior point and from HiGHS. Check that rows of the basis are not of wildly "
        "different scale."
    )
    raise RoundingFailed(msg)


def round_to_vertex(subspace: object, anchor: FloatArray) -> Vertex:
    """
    Round a direction: the minimiser of ‖Yq‖₁ over ⟨r, q⟩ = 1, scaled to the unit sphere.

    Parameters
    ----------
    subspace : Subspace or array_like, shape (p, m)
        With its rows in memory.
    anchor : array_like, shape (n,)
        r, any nonzero direction, in the coordinates of the orthonormal basis.

    Returns
    -------
    Vertex
        With exact zeros and its relative duality gap: usually near 1e-15, at most 1e-10, or the resolution of the
        subspace where that is coarser.

    Raises
    ------
    RoundingFailed
        Where neither solver reaches that gap.
    """
    space = Subspace.of(subspace)
    return _round(space, as_direction(anchor, space.dim, "anchor"))
