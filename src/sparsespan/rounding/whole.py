"""Vectors whose entries are whole multiples of one number: recognised, made exact, and told from chance."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray, frozen
from ..subspace import Subspace
from .face import Face
from .vertex import Vertex

__all__ = ["LARGEST", "ratios", "surplus_bits", "whole_vertex"]

LARGEST = 8  # multiples looked for: small numbers are structure, large ones soon fit everything
_NEAR = 1e-3  # of the unit: how far entries may be from whole multiples to be worth an exact test


def ratios(vector: FloatArray, largest: int = LARGEST) -> NDArray[np.int64] | None:
    """
    Whole numbers proportional to the entries, with the largest at most ``largest``; None where there are none.

    Parameters
    ----------
    vector : ndarray, shape (p,)
        With exact zeros.
    largest : int
    """
    sizes = np.abs(vector)
    least, most = float(sizes[sizes > 0].min(initial=np.inf)), float(sizes.max(initial=0.0))
    if not 0 < most <= (largest + 0.5) * least:
        return None
    for divisor in range(1, int((largest + 0.5) * least / most) + 1):
        scaled = vector * (divisor / least)
        whole = np.rint(scaled)
        if float(np.abs(scaled - whole).max()) <= _NEAR:
            return whole.astype(np.int64)
    return None


def whole_vertex(subspace: Subspace, numbers: NDArray[np.int64]) -> Vertex | None:
    """
    The vertex of a vector of whole numbers, if that vector lies in the subspace to rounding; else None.

    Parameters
    ----------
    subspace : Subspace
    numbers : ndarray of int, shape (p,)
    """
    if not numbers.any() or (numbers[subspace.null_rows] != 0).any():
        return None
    vector = numbers / math.sqrt(float(numbers @ numbers))
    point = subspace.adjoint(vector)
    length = math.sqrt(float(point @ point))
    if not length > 0.5:
        return None
    point /= length
    apart = np.abs(subspace.vectors(point) - vector)
    residual = float((apart * subspace.inverse_norms).max())
    if residual > subspace.resolution:
        return None
    zero = (numbers == 0) & ~subspace.null_rows
    least = float((np.abs(vector) * subspace.inverse_norms)[numbers != 0].min())
    try:
        face = Face(subspace, zero, point)
    except np.linalg.LinAlgError:
        face = None
    l1 = float(np.abs(vector).sum())
    return Vertex(
        frozen(point), frozen(vector), frozen(zero), residual, least, float(np.linalg.norm(apart[zero])), l1, face
    )


def surplus_bits(subspace: Subspace, numbers: NDArray[np.int64]) -> float:
    """
    How many bits more the coincidences are worth than the choice of the numbers: chance is about 2 to the minus that.

    n entries of a vector of S can be given any values; each further one falls on a whole multiple only by chance,
    2δ if multiples are told apart to δ of their distance. Against this stand (2L + 1)ⁿ choices of the n values.
    """
    largest = int(np.abs(numbers).max())
    live = subspace.size - int(np.count_nonzero(subspace.null_rows))
    blur = subspace.resolution * float(subspace.row_norms.max()) * math.sqrt(float(numbers @ numbers))
    each = max(0.0, -math.log2(2.0 * blur))
    return (live - subspace.dim) * each - subspace.dim * math.log2(2 * largest + 1)
