"""From sparse vectors of a span to the combinations of columns that make them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .engine import loops
from .family import Family
from .fields import Field, Real
from .intake import Matrix
from .solve import columns_in
from .values import LARGEST, MODEST, Valued, as_matrix, column_maxima, exact_values, null_vector, real_values

__all__ = ["Columns", "combined"]

_ROUNDING = 1e-9  # what may be left of an entry that is zero, relative to what was summed for it


@dataclass(frozen=True)
class Columns:
    """
    The columns of a matrix in a field.

    Attributes
    ----------
    field : Prime or Real
    family : Family
        All columns, scaled where the field is real.
    scale : array of float64, shape (n,)
        A coefficient is so many times that of the scaled column.
    independent : array of int32, shape (rank,)
        Columns that span all of them, the lightest ones.
    circuits : Family
        How each of the others depends on them; coefficients of scaled columns.
    """

    field: Field
    family: Family
    scale: NDArray[np.float64]
    independent: NDArray[np.int32]
    circuits: Family

    @staticmethod
    def of(matrix: Matrix, field: Field) -> Columns:
        """Eliminate the columns of a matrix."""
        family, scale = columns_in(matrix, field)
        order = np.argsort(family.lengths, kind="stable")
        independent, _, circuits = loops.eliminate(field, family, matrix.shape[0], order)
        return Columns(field, family, scale, independent, circuits)


def combined(matrix: Matrix, columns: Columns, found: Family) -> tuple[sparse.csc_array, sparse.csc_array] | None:
    """
    Return C = B·T and T for sparse vectors that span the columns of B; None if their zeros are none in numbers.

    Parameters
    ----------
    matrix : Matrix, shape (p, n)
    columns : Columns
        Of that matrix.
    found : Family
        As many independent elementary vectors of the span as its dimension; only their supports are used.
    """
    size = matrix.shape[1]
    families, whole = [], []
    for support in np.split(found.at, found.starts[1:-1])[: len(found)]:
        valued = _coefficients(matrix, columns, support)
        if valued is None:
            return None
        families.append(valued.family.renumbered(columns.independent))
        whole.append(valued.exact)
    T = as_matrix(Family.joined([*families, _kernel(matrix, columns).family]), size)
    return _product(matrix, T, found, np.concatenate([*whole, np.ones(size - len(found), dtype=bool)]))


def _coefficients(matrix: Matrix, columns: Columns, support: NDArray[np.int32]) -> Valued | None:
    """The combination of independent columns that vanishes outside a support, if there is one up to a factor."""
    outside = np.setdiff1d(np.arange(matrix.shape[0]), support)
    part = matrix.part(outside, columns.independent)
    family, scale = columns_in(part, columns.field)
    _, _, circuits = loops.eliminate(columns.field, family, outside.size, np.arange(len(family)))
    if len(circuits) == 1:
        return _valued(part, columns.field, circuits, scale)
    return _by_geometry(part) if isinstance(columns.field, Real) else None


def _by_geometry(part: Matrix) -> Valued:
    """The direction in which a matrix is smallest, for rows too close to dependent for an elimination."""
    columns = np.arange(part.shape[1], dtype=np.int32)
    vector = Family(np.array([0, columns.size], dtype=np.int64), columns, null_vector(part.floats, columns))
    return Valued(vector.nonzero(), np.zeros(1, dtype=bool))


def _kernel(matrix: Matrix, columns: Columns) -> Valued:
    return _valued(matrix, columns.field, columns.circuits, columns.scale)


def _valued(matrix: Matrix, field: Field, vectors: Family, scale: NDArray[np.float64]) -> Valued:
    if isinstance(field, Real):
        return real_values(matrix, replace(vectors, value=vectors.value * scale[vectors.at]))
    return exact_values(matrix, vectors, field, LARGEST if matrix.integral else MODEST)


def _product(
    matrix: Matrix, T: sparse.csc_array, found: Family, whole: NDArray[np.bool_]
) -> tuple[sparse.csc_array, sparse.csc_array] | None:
    """C without rounding errors where it is zero, both scaled; None where more than rounding errors is left."""
    p, n = matrix.shape
    starts = np.append(found.starts, np.full(n - len(found), found.starts[-1]))
    mask = sparse.csc_array((np.ones(found.at.size), found.at, starts), shape=(p, n))
    product = sparse.csc_array(matrix.floats @ T)
    C = sparse.csc_array(product * mask)
    sums = abs(matrix.floats) @ abs(T)
    if column_maxima((abs(product - C) > _ROUNDING * sums).astype(np.int8)).any():
        return None
    summable = column_maxima(sums) < LARGEST  # beyond, integers are not summed exactly
    factor = sparse.diags_array(_factors(C, T, whole & summable))
    return sparse.csc_array(C @ factor), sparse.csc_array(T @ factor)


def _factors(C: sparse.csc_array, T: sparse.csc_array, whole: NDArray[np.bool_]) -> NDArray[np.float64]:
    """1 or −1 for whole numbers, else for a column of unit length (of T where C is zero); the peak becomes positive."""
    factor = np.ones(C.shape[1])
    for k in range(factor.size):
        source = C if C.indptr[k + 1] > C.indptr[k] else T
        entries = source.data[source.indptr[k] : source.indptr[k + 1]]
        largest = entries[np.argmax(np.abs(entries))]
        factor[k] = np.sign(largest) if whole[k] else 1 / (largest * np.linalg.norm(entries / largest))
    return factor
