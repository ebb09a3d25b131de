"""Rounding: the vertex at which min ‖Yq‖₁ s.t. ⟨r, q⟩ = 1 is attained, with its duality gap."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..arrays import FloatArray, as_vector
from ..errors import RoundingFailed
from ..subspace import Subspace
from .corner import to_corner
from .frisch_newton import frisch_newton
from .highs import dual_simplex
from .vertex import Vertex, settle

__all__ = ["Multipliers", "multipliers", "round_to_vertex"]

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


def _interior(basis: FloatArray, anchor: FloatArray, tol: float) -> tuple[FloatArray, FloatArray, FloatArray | None]:
    solution = frisch_newton(basis, anchor, tol)
    return solution.point, solution.dual, solution.dual


def _simplex(basis: FloatArray, anchor: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray | None]:
    point, dual = dual_simplex(basis, anchor)
    return point, dual, None  # its dual lies on the box also at zeros, so it does not tell them


# Cheapest first: a loose interior point names the zeros nearly always, since the polish makes them exact.
_SOLVERS = (partial(_interior, tol=1e-6), partial(_interior, tol=1e-11), _simplex)


def _round(subspace: Subspace, anchor: FloatArray) -> Vertex:
    """The optimal vertex: solvers are tried until the multipliers prove the answer."""
    basis = subspace.dense("rounding by a linear program")
    if subspace.dim == 1:  # one point, no program
        return replace(settle(subspace, anchor), gap=0.0)
    best = float("inf")
    for solve in _SOLVERS:
        try:
            point, dual, telling = solve(basis, anchor)
            vertex = settle(subspace, point / np.linalg.norm(point), telling)
            if vertex.zeros < subspace.dim - 1:  # the program has many solutions, and this one is inside their face
                vertex = settle(subspace, to_corner(basis, vertex, anchor))
            proof = multipliers(subspace, vertex, anchor, dual)
        except np.linalg.LinAlgError:
            continue
        if proof.gap <= _GAP:
            return replace(vertex, gap=proof.gap)
        best = min(best, proof.gap)
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
    return _round(subspace, direction)
