"""Certificates: strict local optimality, uniqueness on the support, and the basin from which rounding is exact."""

from __future__ import annotations

import numpy as np

from .arrays import FloatArray, as_direction
from .errors import InvalidInput
from .result import ACCIDENT, Certificate
from .rounding import Vertex, multipliers
from .rounding.frisch_newton import frisch_newton
from .rounding.whole import ratios, surplus_bits, whole_vertex
from .subspace import Subspace

__all__ = ["certify", "in_basin"]

_SURPLUS = 40.0  # bits by which the coincidences of a whole-number vector must outweigh the choice of its numbers
_RANK_TOLERANCE = 1e-9  # of the normalised zero rows, relative to the largest singular value


def _rank(subspace: Subspace, vertex: Vertex) -> tuple[int, float]:
    """Rank of the zero rows, decided on rows of unit length, and the smallest of their singular values as they are."""
    if vertex.zeros == 0 or subspace.dim == 1:
        return 0, 0.0
    if vertex.face is not None:
        smallest = vertex.face.least_singular_value()
        if smallest > 1e-6:  # far from where squaring the condition could mislead
            return subspace.dim - 1, smallest
    index = np.flatnonzero(vertex.zero)
    rows = subspace.take(index)
    exact = np.linalg.svd(rows * subspace.inverse_norms[index, None], compute_uv=False)
    rank = min(int(np.count_nonzero(exact > _RANK_TOLERANCE * exact[0])), subspace.dim - 1)
    smallest = float(np.linalg.svd(rows, compute_uv=False)[rank - 1]) if rank == subspace.dim - 1 else 0.0
    return rank, smallest


def _multipliers(subspace: Subspace, vertex: Vertex) -> tuple[float, float]:
    """κ and the gap: by least norm, and where that is not small enough, near the solution of the dual program."""
    simple = multipliers(subspace, vertex, vertex.point)
    only = vertex.zeros == subspace.dim - 1  # with n−1 zeros there is one solution
    if simple.largest < 1.0 or only or not subspace.in_memory:
        return simple.largest, simple.gap
    try:
        guess = frisch_newton(subspace.dense("the exact test of local optimality"), vertex.point).dual
    except np.linalg.LinAlgError:
        return simple.largest, simple.gap
    better = multipliers(subspace, vertex, vertex.point, guess)
    return min((better.largest, better.gap), (simple.largest, simple.gap))


def _alone(subspace: Subspace, vertex: Vertex) -> bool:
    """Whether a single entry is left and that is no accident of coarse numbers."""
    surplus = vertex.zeros >= subspace.dim
    within = vertex.residual <= subspace.resolution
    return vertex.nonzeros == 1 and within and not (surplus and vertex.chance > ACCIDENT)


def certify(subspace: Subspace, vertex: Vertex) -> Certificate:
    """
    Find out what can be proved about a vertex.

    Parameters
    ----------
    subspace : Subspace
    vertex : Vertex

    Returns
    -------
    Certificate
        With κ = ∞ where the zero rows do not determine the point.
    """
    rank, smallest = _rank(subspace, vertex)
    blank = int(np.count_nonzero(subspace.null_rows & (subspace.row_norms > 0)))
    error = vertex.defect / smallest if smallest > 0 else 0.0  # the angle by which q may be off
    blur = max(error, vertex.residual, float(np.finfo(np.float64).eps))
    kappa, gap = _multipliers(subspace, vertex) if rank == subspace.dim - 1 else (np.inf, np.inf)
    return Certificate(
        dim=subspace.dim,
        zeros=vertex.zeros,
        rank=rank,
        residual=vertex.residual,
        resolution=subspace.resolution,
        clearance=vertex.least / blur,
        kappa=float(kappa),
        sharpness=max(0.0, 1.0 - float(kappa)) * smallest,
        gap=float(gap),
        forced=subspace.dim == 1 or (not blank and _alone(subspace, vertex)),
        chance=vertex.chance,
        levels=levels(subspace, vertex),
        blank=blank,
    )


def in_basin(subspace: Subspace, vertex: Vertex, anchor: FloatArray) -> bool:
    """
    Say whether rounding from a direction r ends at this vertex, without solving the program.

    True is a proof. False means that the least-norm multipliers leave the box, which for a vertex with n − 1
    zeros is a proof too.

    Parameters
    ----------
    subspace : Subspace
    vertex : Vertex
    anchor : array_like, shape (n,)
        r; a direction orthogonal to the vertex is in no basin.
    """
    if not (isinstance(subspace, Subspace) and isinstance(vertex, Vertex) and len(vertex.point) == subspace.dim):
        msg = (
            "`vertex` must be a vertex of `subspace`, as `round_to_vertex` returns it; got "
            f"{type(vertex).__name__} and {type(subspace).__name__}. Make the subspace once, with `Subspace.span`."
        )
        raise InvalidInput(msg)
    direction = as_direction(anchor, subspace.dim, "anchor")
    along = float(direction @ vertex.point)
    if abs(along) < 1e-12:
        return False
    return multipliers(subspace, vertex, direction).largest <= 1.0 + 1e-9


def levels(subspace: Subspace, vertex: Vertex) -> int:
    """
    The largest multiple L if all entries are whole multiples −L … L of one number beyond chance, some zero; else 0.

    Such a vector has structure even where it has too few zeros to be sparse: S can be made to meet n prescribed
    values, and every further entry that falls on a multiple is a coincidence of the size of rounding errors.
    """
    if not 0 < vertex.nonzeros < subspace.size:
        return 0
    numbers = ratios(vertex.vector)
    if numbers is None or surplus_bits(subspace, numbers) < _SURPLUS or whole_vertex(subspace, numbers) is None:
        return 0
    return int(np.abs(numbers).max())
