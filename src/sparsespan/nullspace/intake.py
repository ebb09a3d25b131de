"""What comes in: any matrix becomes compressed columns; integers where its entries allow it, else scaled reals."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..arrays import as_matrix
from ..errors import InvalidInput
from .family import Family
from .fields import Prime

__all__ = ["Matrix", "read"]

_DIGITS = 9  # decimals with at most so many significant digits are taken at their word
_DENOMINATOR = 1000  # and so are fractions with a denominator up to this


@dataclass(frozen=True)
class Matrix:
    """
    The matrix as given, m×p, and as computed with.

    Attributes
    ----------
    given : csc_array, shape (m, p)
        The entries in the dtype given (bool as int64), zeros dropped, rows in order.
    integers : array of int64 or of Python integers, shape (nnz,), or None
        The entries of the matrix with each row multiplied by its common denominator; None unless all entries are
        integers, short decimals or small fractions.
    """

    given: sparse.csc_array
    integers: NDArray[Any] | None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        m, p = self.given.shape
        return int(m), int(p)

    @property
    def exact(self) -> bool:
        """Whether every entry is a rational number that is computed with exactly."""
        return self.integers is not None

    @property
    def integral(self) -> bool:
        """Whether every entry is an integer."""
        data = self.given.data
        return data.dtype.kind in "iu" or bool(np.all(data == np.rint(data)))

    @cached_property
    def floats(self) -> sparse.csc_array:
        """The matrix in float64, shape (m, p)."""
        return sparse.csc_array(self.given.astype(np.float64))

    def part(self, rows: NDArray[np.intp], columns: NDArray[np.integer[Any]]) -> Matrix:
        """Return some rows of some columns as a matrix of its own."""
        numbers = np.arange(self.given.nnz) + 1  # 0 would be an entry that is missing
        places = sparse.csc_array((numbers, self.given.indices, self.given.indptr), shape=self.shape)
        kept = sparse.csc_array(places[:, columns][rows])
        kept.sort_indices()
        which = kept.data - 1
        given = sparse.csc_array((self.given.data[which], kept.indices, kept.indptr), shape=kept.shape)
        return Matrix(given, None if self.integers is None else self.integers[which])

    def residues(self, field: Prime) -> Family:
        """Return the columns, rows cleared of denominators, modulo a prime."""
        assert self.integers is not None
        value = (self.integers % field.parameter).astype(np.uint64)
        return _family(self.given, value).nonzero()

    def scaled(self) -> tuple[Family, NDArray[np.float64]]:
        """Return the columns with rows and columns scaled by powers of two, and the scales s: x = s·(scaled x)."""
        given = self.floats
        value, scale = _equilibrated(given)
        return _family(given, value), scale


def read(A: object, name: str = "A") -> Matrix:
    """
    Check a matrix and bring it into compressed columns without making it dense.

    Parameters
    ----------
    A : array_like or scipy.sparse matrix or array, shape (m, p)
    name : str
        The parameter's name, for messages.
    """
    given = _compressed(A, name)
    given.sum_duplicates()
    given.eliminate_zeros()
    given.sort_indices()
    _finite(given, name)
    return Matrix(given, _integers(given))


def _compressed(A: Any, name: str) -> sparse.csc_array:
    if hasattr(A, "tocsc") and A.ndim == 2:  # any sparse format, array or matrix
        _numbers(A.dtype, name)
        matrix = sparse.csc_array(A, copy=True)
    else:
        empty = _empty_shape(A)
        matrix = sparse.csc_array(empty) if empty else sparse.csc_array(as_matrix(A, name))
    kind = matrix.dtype.kind
    with np.errstate(over="ignore"):  # long doubles beyond float64 become infinite, and are refused as such
        return matrix if kind in "iu" else sparse.csc_array(matrix.astype(np.int64 if kind == "b" else np.float64))


def _empty_shape(A: Any) -> tuple[int, int] | None:
    """The shape of a matrix without rows or without columns; None for any other value, good or bad."""
    try:
        shape = np.shape(A)
    except (ValueError, TypeError):  # no array: refused by `as_matrix`
        return None
    return (shape[0], shape[1]) if len(shape) == 2 and 0 in shape else None


def _numbers(dtype: np.dtype[Any], name: str) -> None:
    if dtype.kind not in "fiub":
        msg = f"`{name}` must hold real numbers; got dtype {dtype}. Convert it with `.astype(float)`."
        raise InvalidInput(msg)


def _finite(matrix: sparse.csc_array, name: str) -> None:
    bad = np.flatnonzero(~np.isfinite(matrix.data))
    if bad.size:
        row, column = int(matrix.indices[bad[0]]), int(np.searchsorted(matrix.indptr, bad[0], side="right")) - 1
        msg = (
            f"`{name}` must be finite; got {bad.size} NaN or infinite entries, the first {matrix.data[bad[0]]} at "
            f"({row}, {column}). Drop or impute those rows first."
        )
        raise InvalidInput(msg)


def _integers(matrix: sparse.csc_array) -> NDArray[Any] | None:
    data = matrix.data
    if data.dtype.kind in "iu":
        small = data.size == 0 or (int(data.max()) < 2**62 and int(data.min()) > -(2**62))
        return data.astype(np.int64 if small else object)
    if np.all(data == np.rint(data)):
        return data.astype(np.int64) if np.all(np.abs(data) < 2.0**62) else _as_objects(data)
    values, which = np.unique(data, return_inverse=True)
    fractions = _fractions(values)
    return None if fractions is None else _cleared(fractions, which, matrix.indices)


def _as_objects(data: NDArray[np.float64]) -> NDArray[Any]:
    return np.array([int(v) for v in data.tolist()], dtype=object)


def _smallest(data: NDArray[Any]) -> NDArray[Any]:
    """Python integers as int64 where all of them fit with room to add two."""
    fits = all(abs(v) < 2**62 for v in data.tolist())
    return data.astype(np.int64) if fits else data


def _fractions(values: NDArray[np.float64]) -> list[Fraction] | None:
    out = []
    for v in values.tolist():
        fraction = _fraction(v)
        if fraction is None:
            return None
        out.append(fraction)
    return out


def _fraction(v: float) -> Fraction | None:
    text = repr(v)
    digits = text.split("e")[0].replace("-", "").replace(".", "").strip("0")
    if len(digits) <= _DIGITS:
        return Fraction(text)
    near = Fraction(v).limit_denominator(_DENOMINATOR)
    return near if float(near) == v else None


def _cleared(fractions: list[Fraction], which: NDArray[np.intp], rows: NDArray[Any]) -> NDArray[Any]:
    common: dict[int, int] = {}
    which_list, row_list = which.ravel().tolist(), rows.tolist()
    for r, k in zip(row_list, which_list, strict=True):
        common[r] = lcm(common.get(r, 1), fractions[k].denominator)
    cleared = [
        fractions[k].numerator * (common[r] // fractions[k].denominator)
        for r, k in zip(row_list, which_list, strict=True)
    ]
    return _smallest(np.array(cleared, dtype=object))


def _family(matrix: sparse.csc_array, value: NDArray[Any]) -> Family:
    return Family(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), value)


def _equilibrated(matrix: sparse.csc_array) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Scale rows, then columns, by powers of two so that the logarithms of the entries lie around zero."""
    m, p = matrix.shape
    column = np.repeat(np.arange(p), np.diff(matrix.indptr))
    mantissa, exponent = np.frexp(matrix.data)
    scale = np.zeros(p, dtype=np.int64)
    shift = exponent.astype(np.int64)
    for _ in range(3):
        row_mean = _mean(shift, matrix.indices, m)
        shift = shift - row_mean[matrix.indices]
        column_mean = _mean(shift, column, p)
        shift = shift - column_mean[column]
        scale -= column_mean
    return np.ldexp(mantissa, shift), np.ldexp(1.0, scale)


def _mean(exponent: NDArray[np.int64], where: NDArray[Any], size: int) -> NDArray[np.int64]:
    count = np.maximum(np.bincount(where, minlength=size), 1)
    return np.rint(np.bincount(where, weights=exponent, minlength=size) / count).astype(np.int64)
