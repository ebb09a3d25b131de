"""The numbers in the basis: exact integers where they exist, else floats refined on each support."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from . import integers
from .family import Family
from .fields import Prime
from .intake import Matrix

__all__ = [
    "LARGEST",
    "MODEST",
    "Valued",
    "as_matrix",
    "column_maxima",
    "exact_values",
    "null_vector",
    "real_values",
    "residuals",
]

LARGEST = 2**53  # integers beyond it are not all floats
MODEST = 10**6  # largest integer entry where the matrix itself is not made of integers
_PRIMES = 5  # enough for numerators and denominators up to 2^76
_LONG = 150  # circuits longer than this have larger integers, as a rule, and are not tried with several primes
_FAILURES = 10  # in a row, by increasing length, after which several primes are not tried any more
_SMALL = 60  # supports up to here go through an SVD, larger ones through a pivoted QR
_REFINE = 1e-14  # relative residual above which a float vector is computed anew


@dataclass(frozen=True)
class Valued:
    """
    Vectors with their final numbers.

    Attributes
    ----------
    family : Family
        float64 entries; the largest of each vector is positive.
    exact : array of bool, shape (count,)
        Which vectors are coprime integers that the matrix maps to zero, verified in integer arithmetic. The others have
        unit length.
    """

    family: Family
    exact: NDArray[np.bool_]


def exact_values(matrix: Matrix, vectors: Family, field: Prime, largest: int) -> Valued:
    """Return vectors given by residues: coprime integers up to ``largest`` where they can be had, else unit floats."""
    if not len(vectors):
        return _none()
    entries, good = integers.one_prime(vectors, field)
    good &= _vanish(matrix, vectors, entries)
    value = entries.astype(np.float64)
    bad, failures = np.flatnonzero(~good), 0
    for k in bad[np.argsort(vectors.lengths[bad], kind="stable")].tolist():
        part = slice(int(vectors.starts[k]), int(vectors.starts[k + 1]))
        found = _by_many_primes(matrix, vectors.at[part]) if failures < _FAILURES else None
        failures = failures + 1 if found is None else 0
        good[k] = found is not None and max(map(abs, found)) <= largest
        value[part] = null_vector(matrix.floats, vectors.at[part]) if found is None else _as_floats(found, good[k])
    good &= _largest(vectors, value) <= largest
    return Valued(_normalised(Family(vectors.starts, vectors.at, value), good), good)


def real_values(matrix: Matrix, vectors: Family) -> Valued:
    """Return vectors given by floats as unit vectors, computed anew on their support where they are not accurate."""
    if not len(vectors):
        return _none()
    family, floats = _unit(vectors), matrix.floats
    poor = residuals(floats, family) > _REFINE
    value = family.value.copy()
    for k in np.flatnonzero(poor).tolist():
        part = slice(int(family.starts[k]), int(family.starts[k + 1]))
        fresh = null_vector(floats, family.at[part])
        value[part] = fresh if np.all(fresh) else value[part]
    anew = _unit(Family(family.starts, family.at, value))
    worse = residuals(floats, anew) > residuals(floats, family)
    value = np.where(worse[family.owner], family.value, anew.value)
    exact = np.zeros(len(family), dtype=bool)
    return Valued(_normalised(Family(family.starts, family.at, value), exact), exact)


def _none() -> Valued:
    empty = Family(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0))
    return Valued(empty, np.zeros(0, dtype=bool))


def residuals(floats: sparse.csc_array, family: Family) -> NDArray[np.float64]:
    """
    Return max|A n| / max(|A||n|) for each vector n, shape (count,): the residual beside what was summed for it.

    Parameters
    ----------
    floats : csc_array, shape (m, p)
    family : Family
        float64 vectors of length p.
    """
    vectors = as_matrix(family, floats.shape[1])
    sizes = np.maximum(column_maxima(abs(floats) @ abs(vectors)), np.finfo(float).tiny)
    return np.asarray(column_maxima(floats @ vectors) / sizes)


def column_maxima(matrix: Any) -> NDArray[Any]:
    """Return the largest absolute value of each column of a sparse matrix; 0 where there are no rows."""
    m, p = matrix.shape
    return np.asarray(abs(matrix).max(axis=0).toarray()).ravel() if m and p else np.zeros(p)


def as_matrix(family: Family, size: int) -> sparse.csc_array:
    """Return a family as the columns of a sparse matrix, shape (size, count)."""
    return sparse.csc_array((family.value, family.at, family.starts), shape=(size, len(family)))


def _unit(family: Family) -> Family:
    """Return the vectors scaled to unit length, first by their largest entry so that nothing overflows."""
    value = family.value / _largest(family, family.value)[family.owner]
    length = np.sqrt(np.add.reduceat(value**2, family.starts[:-1]))
    return Family(family.starts, family.at, value / length[family.owner])


def null_vector(floats: sparse.csc_array, support: NDArray[Any]) -> NDArray[np.float64]:
    """Return the null vector of the columns ``support``, a circuit, up to a factor; shape (len(support),)."""
    part = sparse.csr_array(floats[:, support])
    dense = part[np.diff(part.indptr) > 0].toarray()
    column = np.frexp(np.abs(dense).max(axis=0, initial=0.0))[1]
    dense = np.ldexp(dense, -column)
    row = np.frexp(np.abs(dense).max(axis=1, initial=0.0))[1]
    found = _last_direction(np.ldexp(dense, -row[:, None]))
    largest = (np.frexp(found)[1] - column).max()  # the answer's largest entry is brought near one, lest it overflow
    return np.asarray(np.ldexp(found, -column - largest))


def _last_direction(dense: NDArray[np.float64]) -> NDArray[np.float64]:
    columns = dense.shape[1]
    if columns <= _SMALL:
        return np.asarray(np.linalg.svd(dense)[2][-1])
    r, order = linalg.qr(dense, mode="r", pivoting=True)
    out = np.empty(columns)
    out[order[:-1]] = -linalg.solve_triangular(r[: columns - 1, : columns - 1], r[: columns - 1, -1])
    out[order[-1]] = 1.0
    return out


def _largest(family: Family, value: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.maximum.reduceat(np.abs(value), family.starts[:-1])


def _normalised(family: Family, exact: NDArray[np.bool_]) -> Family:
    """Unit length unless exact; the first of the largest entries positive."""
    value = np.where(exact[family.owner], family.value, _unit(family).value)
    size = np.abs(value)
    leading = size >= _largest(family, value)[family.owner]
    where = np.where(leading, np.arange(size.size), size.size)
    first = np.minimum.reduceat(where, family.starts[:-1])
    return Family(family.starts, family.at, value * np.sign(value[first])[family.owner])


def _as_floats(entries: list[int], whole: bool) -> NDArray[np.float64]:
    largest = max(map(abs, entries))
    return np.array([float(e) if whole else e / largest for e in entries])


def _by_many_primes(matrix: Matrix, support: NDArray[Any]) -> list[int] | None:
    if support.size > _LONG:
        return None
    return integers.many_primes(_integer_columns(matrix, support), _PRIMES)


def _integer_columns(matrix: Matrix, support: NDArray[Any]) -> list[dict[int, int]]:
    """The columns of a support as {row: integer}, rows with entries numbered from 0."""
    assert matrix.integers is not None
    start, rows = matrix.given.indptr, matrix.given.indices
    number: dict[int, int] = {}
    columns = []
    for j in support.tolist():
        part = slice(start[j], start[j + 1])
        pairs = zip(rows[part].tolist(), matrix.integers[part].tolist(), strict=True)
        columns.append({number.setdefault(r, len(number)): v for r, v in pairs})
    return columns


def _vanish(matrix: Matrix, vectors: Family, entries: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which integer vectors the integer matrix maps to zero, exactly."""
    assert matrix.integers is not None
    biggest = int(np.abs(matrix.integers).max(initial=0)) * int(np.abs(entries).max(initial=0))
    if biggest * int(vectors.lengths.max(initial=0)) >= 2**62:
        return _vanish_slowly(matrix, vectors, entries)
    m, p = matrix.shape
    whole = sparse.csc_array(
        (matrix.integers.astype(np.int64), matrix.given.indices, matrix.given.indptr), shape=(m, p)
    )
    image = whole @ sparse.csc_array((entries, vectors.at, vectors.starts), shape=(p, len(vectors)))
    vanishes: NDArray[np.bool_] = column_maxima(image) == 0
    return vanishes


def _vanish_slowly(matrix: Matrix, vectors: Family, entries: NDArray[np.int64]) -> NDArray[np.bool_]:
    out = np.zeros(len(vectors), dtype=bool)
    for k, (s, t) in enumerate(zip(vectors.starts[:-1].tolist(), vectors.starts[1:].tolist(), strict=True)):
        columns = _integer_columns(matrix, vectors.at[s:t])
        out[k] = integers.vanishes(columns, entries[s:t].tolist())
    return out
