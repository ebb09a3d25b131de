"""`sparsify`: a matrix made sparse by combining its columns (matrix sparsification).

The columns of C = B·T span what the columns of B span, and a basis of that span is a basis of the null space of any A
whose rows are the left null vectors of B. So the sparsest C is the sparsest basis of a null space, and everything that
serves there serves here. Where B is narrow, linear programs on cosets find what no elimination meets. T comes last: a
column of C is determined by its zeros, and its combination is the null vector of those rows of B.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from ..checks import fraction, generator
from ..watch import Progress, Watch
from .basis import find_basis, merged
from .circuits import within
from .combined import Columns, combined
from .cosets import LARGEST_DIMENSION, sparse_supports
from .effort import Effort, as_effort
from .engine import loops
from .family import Family
from .fields import Field, Real
from .intake import Matrix, read
from .solve import fields_of
from .values import as_matrix

__all__ = ["sparsify"]


def sparsify(
    B: object,
    *,
    effort: str = "default",
    seed: int | None = 0,
    tol: float = 1e-10,
    deadline: float | None = None,
    progress: Progress | None = None,
    interrupted: Callable[[], bool] | None = None,
) -> tuple[sparse.csc_array, sparse.csc_array]:
    """
    Make a matrix sparse by an invertible combination of its columns.

    Parameters
    ----------
    B : array_like or scipy.sparse array or matrix, shape (p, n)
        Of any rank and shape. Integers, decimals of at most nine digits and fractions with denominators up to 1000 are
        computed with exactly; other floats numerically.
    effort : {"fast", "default", "max"}
        How much work may be spent. One effort and one seed give one answer.
    seed : int or None
    tol : float
        For matrices that are not exact: relative size to which a sum must cancel to count as zero.
    deadline : float, optional
        Seconds after which the search takes what it has; the answer is checked all the same.
    progress : callable, optional
        Called with the share done and a word on what is being done.
    interrupted : callable, optional
        When it returns true the search ends as at the deadline.

    Returns
    -------
    C : csc_array, shape (p, n)
        B·T without the entries that are zero, never with more nonzeros than B. Sparsest columns first, then n − rank
        columns of zeros.
    T : csc_array, shape (n, n)
        Invertible. Its columns are coprime integers where B is exact and those are moderate; elsewhere they are scaled
        so that the columns of C (of T, where C is zero) have unit length. Where rounding leaves no zero certain, C
        holds the columns of B as they are.

    Examples
    --------
    >>> import sparsespan as ss
    >>> C, T = ss.sparsify([[1, 1, 1], [1, 2, 2], [1, 2, 3], [1, 2, 3]])
    >>> C.toarray().astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]]
    """
    watch = Watch(deadline, progress, interrupted)
    level, chosen = fraction("tol", tol), as_effort(effort)
    matrix = read(B, "B")
    for field in fields_of(matrix, level):
        made = _attempt(matrix, field, chosen, generator(seed), watch)
        if made is not None:
            return made
    return _as_given(matrix)


def _attempt(
    matrix: Matrix, field: Field, effort: Effort, rng: np.random.Generator, watch: Watch
) -> tuple[sparse.csc_array, sparse.csc_array] | None:
    """C and T, or None if this field did not decide the zeros rightly."""
    columns = Columns.of(matrix, field)
    found = _sparse_span(matrix, columns, effort, rng, watch)
    if len(found) != columns.independent.size:
        return None
    return combined(matrix, columns, found.take(np.argsort(found.lengths, kind="stable")))


def _as_given(matrix: Matrix) -> tuple[sparse.csc_array, sparse.csc_array]:
    """The columns as they are, sparsest first: what is left where rounding blurs every zero."""
    order = np.argsort(np.diff(matrix.given.indptr), kind="stable")
    T = sparse.csc_array(sparse.eye_array(order.size, format="csc")[:, order])
    return sparse.csc_array(matrix.floats @ T), T


def _sparse_span(matrix: Matrix, columns: Columns, effort: Effort, rng: np.random.Generator, watch: Watch) -> Family:
    """Elementary vectors, p coordinates, that form a basis of the span; in numbers of the field."""
    if not columns.independent.size:
        return columns.circuits.take([])
    narrow = columns.independent.size <= LARGEST_DIMENSION
    by_programs = _by_programs(matrix, columns, effort, rng, watch) if narrow else columns.circuits.take([])
    if isinstance(columns.field, Real) and len(by_programs):  # what is narrow and not exact is left to geometry
        return by_programs
    return _by_elimination(matrix.shape[0], columns, by_programs, effort, rng, watch)


def _by_programs(matrix: Matrix, columns: Columns, effort: Effort, rng: np.random.Generator, watch: Watch) -> Family:
    """Supports that linear programs find; the numbers are left at one."""
    watch.tell(0.0, "linear programs")
    scaled, _ = matrix.scaled()  # so that no row is lost beside larger ones
    dense = as_matrix(scaled.take(columns.independent), matrix.shape[0]).toarray()
    work = int(effort.exchanges * loops.pace)
    supports = sparse_supports(dense, effort.programs, work, rng, watch)
    one = columns.field.one
    return Family.of((dict.fromkeys(support.tolist(), one) for support in supports), columns.field.dtype)


def _by_elimination(
    size: int, columns: Columns, known: Family, effort: Effort, rng: np.random.Generator, watch: Watch
) -> Family:
    """The sparsest basis found of the null space of the left null vectors, with the given supports and columns."""
    field, own = columns.field, columns.family.take(columns.independent)
    normal = find_basis(field, own.transposed(size), len(own), as_effort("fast"), rng, Watch())
    equations, rows = normal.vectors.transposed(size), len(normal.vectors)
    basis = find_basis(field, equations, rows, effort, rng, watch)
    others = Family.joined([own, within(field, equations, rows, known)])
    return merged(field, equations, rows, basis, others, effort).vectors
