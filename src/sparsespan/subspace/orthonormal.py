"""Orthonormal bases of column spans and null spaces, with the rank decided once by a stated rule."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray, as_float64
from ..errors import InvalidInput

__all__ = ["Rank", "complement", "orthonormal", "unit_columns"]

# A data matrix whose entries are rounded to relative precision eps is known up to a perturbation of norm
# eps·‖A‖_F; singular values below a small multiple of that cannot be told from zero.
_RANK_FACTOR = 32.0
# Departure from orthonormality after one Cholesky pass below which the second pass reaches working precision.
_SAFE_DEPARTURE = 1e-2
_BENIGN, _SHORT = 2.0, 8192  # condition and rows up to which one pass is known to end orthonormal to 5e-15
_ORTHONORMAL = 4e-15  # departure that a second pass would not lower by much
# Zeros of planted vectors came out at up to .4·√n·precision·condition (n = 10 … 96, condition to 1e10).
_BLUR = 8.0
_COARSEST = 1e-2  # what is known less well than this is called noise
_MODERATE = 1e100  # column lengths within this factor of 1 can be squared
_POWER_STEPS, _POWER_GAIN = 24, 1.01  # an estimate of a norm ends with a step that gains less than a hundredth


@dataclass(frozen=True, slots=True)
class Rank:
    """
    How the dimension of a subspace was decided.

    Attributes
    ----------
    given : int
        How many columns (for a null space: how many rows) were given.
    rank : int
        How many of them are independent.
    tolerance : float
        Singular values, relative to the largest, at or below this count as zero. Columns are scaled to unit
        length before, so their units play no role.
    condition : float
        Estimate of the condition number of the unit columns kept.
    precision : float
        Relative precision of the numbers given (2.2e-16 for float64, 1.2e-7 for float32).
    derived : bool
        The rows of the basis come out of a decomposition, so zeros among them are known to its rounding errors only.
    """

    given: int
    rank: int
    tolerance: float
    condition: float
    precision: float
    derived: bool = False

    @property
    def resolution(self) -> float:
        """Size, relative to its row of the basis, under which an entry of a vector may be a zero made by rounding."""
        return min(_COARSEST, _BLUR * math.sqrt(self.rank) * self.precision * max(1.0, self.condition))

    def __str__(self) -> str:
        return (
            f"rank {self.rank} of {self.given} (singular values of the unit columns <= {self.tolerance:.1e} "
            f"relative count as zero; condition about {self.condition:.1e})"
        )


def precision_of(dtype: np.dtype[Any], largest: FloatArray) -> float:
    """
    Relative precision of columns of a dtype whose largest entries are given, zero columns left out.

    That of the format, or worse where a column is so small that its entries are subnormal numbers. Integers and
    bools are exact, so float64's.
    """
    double = np.finfo(np.float64)
    kind = np.finfo(dtype) if dtype.kind == "f" and dtype.itemsize < 8 else double
    return max(float(kind.eps), float(kind.smallest_subnormal) / float(largest.min(initial=1.0)))


def rank_tolerance(precision: float, columns: int) -> float:
    """Singular values of unit columns at or below this, relative to the largest, count as zero."""
    return min(0.5, _RANK_FACTOR * precision * math.sqrt(max(1, columns)))


def unit_columns(matrix: NDArray[Any], name: str) -> tuple[FloatArray, float]:
    """
    Scale columns to unit length without overflow or underflow, dropping zero columns.

    Parameters
    ----------
    matrix : ndarray, shape (p, m)
    name : str
        What the caller calls it, for messages.

    Returns
    -------
    scaled : ndarray, shape (p, k)
        The k nonzero columns, float64, C order, each of unit norm.
    precision : float
        Of their entries, relative to the columns.
    """
    columns = as_float64(matrix, name)
    largest = np.maximum(columns.max(axis=0), -columns.min(axis=0))
    kept = largest > 0
    if not kept.all():
        columns, largest = np.ascontiguousarray(columns[:, kept]), largest[kept]
    _, exponents = np.frexp(largest)
    if exponents.size and max(abs(int(exponents.min())), abs(int(exponents.max()))) > 100:
        columns = np.ldexp(columns, -exponents)  # exact, so that squares neither overflow nor vanish
    columns /= np.sqrt(np.einsum("ij,ij->j", columns, columns))
    return columns, precision_of(matrix.dtype, largest)


def _gram(matrix: FloatArray) -> FloatArray:
    return matrix.T @ matrix  # NumPy recognises the symmetric product and calls syrk


def _norm(matrix: FloatArray) -> float:
    """Spectral norm from below by power iteration, which starts with the largest row: within a tenth as a rule."""
    vector = matrix[np.argmax(np.einsum("ij,ij->i", matrix, matrix))]
    size, reached = 0.0, math.sqrt(vector @ vector)
    for _ in range(_POWER_STEPS):
        image = matrix @ (vector / reached)
        vector = image @ matrix
        size, before = math.sqrt(image @ image), size
        if size <= _POWER_GAIN * before:
            break
        reached = math.sqrt(vector @ vector)
    return size


def _inverse_factor(gram: FloatArray) -> tuple[FloatArray, float] | None:
    """R⁻ᵀ with AᵀA = RᵀR, and the condition estimate ‖R‖‖R⁻¹‖; None where the factorisation breaks down."""
    from scipy.linalg.lapack import dtrtri

    try:
        factor = np.linalg.cholesky(gram)
    except np.linalg.LinAlgError:
        return None
    inverse, info = dtrtri(factor, lower=1)
    return None if info else (inverse, _norm(np.asarray(factor)) * _norm(np.asarray(inverse)))


def _cholesky_twice(matrix: FloatArray) -> tuple[FloatArray, float] | None:
    """
    CholeskyQR2 and the condition of the unit columns; the lengths of the columns go into the n×n factor.

    None where lengths are extreme, and unless the first pass shows that the second ends orthonormal to working
    precision. Well-conditioned columns need no second pass.
    """
    from scipy.linalg.blas import dtrmm

    with np.errstate(over="ignore", invalid="ignore"):
        gram = _gram(matrix)
    lengths = np.sqrt(gram.diagonal())
    if not (lengths.min() > 1.0 / _MODERATE and lengths.max() < _MODERATE):
        return None
    first = _inverse_factor(gram / np.outer(lengths, lengths))
    if first is None:
        return None
    inverse, condition = first
    rough = np.asarray(dtrmm(1.0, inverse / lengths, matrix.T, lower=1)).T  # half of a full product
    if condition < _BENIGN and len(matrix) <= _SHORT:
        return rough, condition
    gram = _gram(rough)
    departure = float(np.abs(gram - np.eye(len(gram))).max())
    if not departure < _SAFE_DEPARTURE:
        return None
    if departure < _ORTHONORMAL:
        return rough, condition
    second = _inverse_factor(gram)
    return None if second is None else (rough @ second[0].T, condition)


def orthonormal(matrix: NDArray[Any], name: str) -> tuple[FloatArray, Rank]:
    """
    Orthonormal basis of the span of the columns of a matrix.

    Parameters
    ----------
    matrix : ndarray, shape (p, m), p >= m
        Any real columns: dependent, of any scale.
    name : str
        What the caller calls it, for messages.

    Returns
    -------
    basis : ndarray, shape (p, n)
        YᵀY = I to 1e-14, C order. Row i is accurate relative to its own size, because it is row i of the unit
        columns times a small matrix: rows of very different scale stay meaningful.
    rank : Rank
    """
    given = matrix.shape[1]
    quick = _cholesky_twice(matrix) if matrix.dtype == np.float64 else None
    if quick is not None:
        eps = float(np.finfo(np.float64).eps)
        return quick[0], Rank(given, given, rank_tolerance(eps, given), quick[1], eps)
    scaled, precision = unit_columns(matrix, name)
    if scaled.shape[1] == 0:
        msg = f"`{name}` must span something; got only zeros, {matrix.size} of them. Pass at least one other entry."
        raise InvalidInput(msg)
    tolerance = rank_tolerance(precision, scaled.shape[1])
    quick = _cholesky_twice(scaled) if scaled.shape[1] == given and precision < 1e-12 else None
    if quick is not None:
        return quick[0], Rank(given, given, tolerance, quick[1], precision)
    # R by Householder, its singular vectors as preconditioner, then the Cholesky passes on a benign matrix.
    _, sizes, directions = np.linalg.svd(np.linalg.qr(scaled, mode="r"))
    rank = int(np.count_nonzero(sizes > tolerance * sizes[0]))
    basis = scaled @ (directions[:rank].T / sizes[:rank])
    polished = _cholesky_twice(basis)
    basis = np.linalg.qr(basis)[0] if polished is None else polished[0]
    return np.ascontiguousarray(basis), Rank(given, rank, tolerance, float(sizes[0] / sizes[rank - 1]), precision)


def complement(matrix: NDArray[Any], name: str) -> tuple[FloatArray, Rank]:
    """
    Orthonormal basis of the null space of a matrix.

    Parameters
    ----------
    matrix : ndarray, shape (m, p)
        Rows are scaled to unit length first, which leaves the null space as it is.
    name : str
        What the caller calls it, for messages.

    Returns
    -------
    basis : ndarray, shape (p, p - r)
    rank : Rank
        ``rank.rank`` is p − r, the dimension of the null space.
    """
    from scipy.linalg.lapack import dgeqp3, dormqr

    size = matrix.shape[1]
    rows, precision = unit_columns(matrix.T, name)  # p×k, its columns are the nonzero rows of A
    tolerance = rank_tolerance(precision, rows.shape[1])
    if rows.shape[1] == 0:
        return np.eye(size), Rank(len(matrix), size, tolerance, 1.0, precision, derived=True)
    triangle = np.linalg.qr(rows, mode="r")
    sizes = np.linalg.svd(triangle, compute_uv=False)
    independent = int(np.count_nonzero(sizes > tolerance * sizes[0]))
    nullity = size - independent
    reflectors, _, scales, _, _ = dgeqp3(rows)
    width = min(reflectors.shape)  # Q is a product of this many reflections; its last columns span the complement
    last = np.asfortranarray(np.eye(size)[:, independent:])
    basis, _, _ = dormqr("L", "N", reflectors[:, :width], scales, last, lwork=max(64 * last.shape[1], 64))
    condition = float(sizes[0] / sizes[independent - 1])
    return np.ascontiguousarray(basis), Rank(len(matrix), nullity, tolerance, condition, precision, derived=True)
