"""The subspace S ⊂ Rᵖ: builders that decide its dimension, and the passes over its rows that methods are made of."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import BoolArray, FloatArray, as_float64, as_matrix, frozen
from ..checks import at_least
from ..errors import InvalidInput
from ..kernels import PullSums, ShrinkSums, attract, shrink, usable_threads
from .orthonormal import Rank, complement, orthonormal, precision_of
from .rows import DenseRows, RowSource, slices

__all__ = ["Subspace"]

_DENSE_BYTES = 4 << 30
_SMALL_VALUES = 12_000  # entries of a scratch array that the allocator keeps: fresh pages cost more than the product
_FAINT = 1e-280  # squared norms below which digits have been lost
_ROUNDED = 4.0 * float(
    np.finfo(np.float64).eps
)  # size beside the largest row up to which a given row is taken for zero
_BLOCK_VALUES = 1 << 17  # entries of B·Q at a time: a megabyte, so that g finds them in the cache


class Subspace:
    """
    A subspace of dimension n in Rᵖ with an orthonormal basis Y (p×n).

    Make one with `Subspace.span`, `null`, `rows`, `low_rank` or `open`. A *point* is a unit vector q of Rⁿ, its
    *vector* is Yq.

    Attributes
    ----------
    size : int
        p, the number of entries of a vector.
    dim : int
        n, the dimension.
    rank : Rank
        How n was decided.
    """

    def __init__(self, source: RowSource, rank: Rank) -> None:
        self._source = source
        self.size, self.dim = source.size, source.dim
        self.rank = rank

    # ---- builders -------------------------------------------------------------------------------------------------

    @classmethod
    def of(cls, value: object) -> Subspace:
        """Return the value itself if it is a subspace, else the span of the columns it holds."""
        return value if isinstance(value, Subspace) else cls.span(value)

    @classmethod
    def span(cls, columns: object) -> Subspace:
        """
        Span of the columns of a p×m array, p ≥ m; they may be dependent, of any scale.

        Parameters
        ----------
        columns : array_like, shape (p, m)
            Real and finite.
        """
        matrix = as_matrix(columns, "columns")
        if matrix.shape[0] < matrix.shape[1]:
            msg = (
                f"`columns` must have at least as many rows as columns; got shape {matrix.shape}. "
                "To span by rows, pass `columns.T`."
            )
            raise InvalidInput(msg)
        basis, rank = orthonormal(matrix, "columns")
        return cls(DenseRows(basis), rank)

    @classmethod
    def rows(cls, data: object) -> Subspace:
        """Span of the rows of an m×p array, p ≥ m: the space in which a dictionary's rows X of data = A·X lie."""
        matrix = as_matrix(data, "data")
        if matrix.shape[1] < matrix.shape[0]:
            msg = (
                f"`data` must have at least as many columns as rows; got shape {matrix.shape}. "
                "To span by columns, use `Subspace.span(data)`."
            )
            raise InvalidInput(msg)
        basis, rank = orthonormal(matrix.T, "data")
        return cls(DenseRows(basis), rank)

    @classmethod
    def null(cls, matrix: Any) -> Subspace:
        """
        Null space {x : A x = 0} of an m×p matrix, dense or scipy.sparse.

        The orthonormal basis is dense (p×n). For a sparse basis of a large null space see `null_space`.
        """
        if hasattr(matrix, "toarray") and 8 * matrix.shape[0] * matrix.shape[1] > _DENSE_BYTES:
            msg = (
                f"`matrix` must fit into 4 GiB when dense; got shape {matrix.shape}. "
                "Use `sparsespan.null_space`, which keeps it sparse."
            )
            raise InvalidInput(msg)
        dense = as_matrix(matrix, "matrix")
        basis, rank = complement(dense, "matrix")
        if rank.rank == 0:
            msg = (
                f"`matrix` must have a null space; got shape {dense.shape} of full column rank {dense.shape[1]}. "
                "Only the zero vector solves A x = 0."
            )
            raise InvalidInput(msg)
        return cls(DenseRows(basis), rank)

    @classmethod
    def low_rank(cls, data: object, rank: int, *, robust: bool = False) -> Subspace:
        """
        Span of the leading ``rank`` left singular vectors of a p×m array.

        Parameters
        ----------
        data : array_like, shape (p, m)
            One sample a column.
        rank : int
            1 ≤ rank ≤ min(p, m).
        robust : bool
            Take the low-rank part of principal component pursuit (data = low rank + sparse) instead of the data.
        """
        matrix = as_matrix(data, "data")
        if at_least("rank", rank, 1) > min(matrix.shape):
            msg = f"`rank` must lie between 1 and {min(matrix.shape)} for data of shape {matrix.shape}; got {rank}."
            raise InvalidInput(msg)
        values = as_float64(matrix, "data")
        left, sizes = _robust_left(values, rank) if robust else _left_singular(values, rank)
        basis, decided = orthonormal(left, "data")
        precision = precision_of(matrix.dtype, np.abs(values).max(keepdims=True))
        condition = float(sizes[0] / sizes[rank - 1])
        return cls(
            DenseRows(basis),
            replace(decided, given=matrix.shape[1], precision=precision, condition=condition, derived=True),
        )

    @classmethod
    def open(cls, path: str | Path, *, block_rows: int | None = None) -> Subspace:
        """
        Span of the columns of a ``.npy`` file that is mapped, not loaded: its rows are read a block at a time.

        Parameters
        ----------
        path : str or Path
            A p×m array with p ≥ m and columns of condition below 1e8.
        block_rows : int or None
            Rows read at a time; about 8 MB of them by default.
        """
        from .streaming import open_rows

        if block_rows is not None:
            at_least("block_rows", block_rows, 1, "Use None for blocks of about 8 MB.")
        source, rank = open_rows(path, block_rows)
        return cls(source, rank)

    # ---- passes over the rows -------------------------------------------------------------------------------------

    def reduce(self, function: Callable[[FloatArray], FloatArray], points: FloatArray) -> FloatArray:
        """
        Sum over row blocks B of Bᵀ·g(B·Q): the one pass that every first-order method is made of.

        Parameters
        ----------
        function : callable
            g, applied entry by entry to a (k, R) block of values.
        points : ndarray, shape (n, R) or (n,)

        Returns
        -------
        ndarray, shape (n, R) or (n,)
        """
        total = np.zeros_like(points, dtype=np.float64)
        height = max(64, _BLOCK_VALUES * points.shape[0] // points.size)
        for block in self._source.blocks():
            for part in slices(len(block), height):
                total += block[part].T @ function(block[part] @ points)
        return total

    def shrink(self, points: FloatArray, threshold: float) -> ShrinkSums:
        """Pass with g = the soft threshold S_λ, by the fused kernel: Yᵀ S_λ(YQ) and its per-column sums."""
        threads = usable_threads()  # never changes the sums; small passes stay in one thread
        parts = [shrink(block, points, threshold, threads) for block in self._source.blocks()]
        if len(parts) == 1:
            return parts[0]
        return ShrinkSums(
            np.sum([part.adjoint for part in parts], axis=0),
            np.sum([part.mass for part in parts], axis=0),
            np.sum([part.active for part in parts], axis=0),
        )

    def attract(self, points: FloatArray, rate: float) -> PullSums:
        """Pass with the pull of zero, g(t) = t·(1 + c·t²)⁻⁴, by the fused kernel: Yᵀ g(YQ), and Σ(1 + c·z²)⁻³."""
        threads = usable_threads()
        parts = [attract(block, points, rate, threads) for block in self._source.blocks()]
        if len(parts) == 1:
            return parts[0]
        return PullSums(np.sum([part.adjoint for part in parts], axis=0), np.sum([part.mass for part in parts], axis=0))

    def vectors(self, points: FloatArray) -> FloatArray:
        """The vectors YQ of points, shape (p,) or (p, R)."""
        dense = self._source.dense()
        if dense is not None:
            return dense @ points
        return np.concatenate([block @ points for block in self._source.blocks()])

    def adjoint(self, values: FloatArray) -> FloatArray:
        """Yᵀ·values, shape (n,) or (n, R), of values of shape (p,) or (p, R)."""
        dense = self._source.dense()
        if dense is not None:
            return dense.T @ values
        total, start = np.zeros((self.dim, *values.shape[1:])), 0
        for block in self._source.blocks():
            total += block.T @ values[start : start + len(block)]
            start += len(block)
        return total

    def weighted_gram(self, weights: FloatArray) -> FloatArray:
        """Σ w_i y_i y_iᵀ, shape (n, n), for weights of shape (p,) and either sign."""
        total, start = np.zeros((self.dim, self.dim)), 0
        for block in self._source.blocks():
            total += (block * weights[start : start + len(block), None]).T @ block
            start += len(block)
        return total

    def restrict(self, frame: FloatArray) -> Subspace:
        """
        The subspace of the vectors Y·F·c: what is left of S when a few directions are taken out.

        Parameters
        ----------
        frame : ndarray, shape (n, m)
            F, orthonormal columns; Y·F is then orthonormal as it stands.
        """
        return Subspace(self._source.restrict(frame), replace(self.rank, rank=frame.shape[1], derived=True))

    def take(self, rows: NDArray[Any]) -> FloatArray:
        """Rows of Y by index or mask, shape (k, n)."""
        return self._source.take(rows)

    def dense(self, purpose: str) -> FloatArray:
        """Y in memory, for what cannot do without it; InvalidInput where the rows lie in a file."""
        basis = self._source.dense()
        if basis is None:
            msg = (
                f"{purpose} must have all rows in memory; got a mapped basis of {self.size} x {self.dim}. "
                "Load it with `Subspace.span(numpy.load(path))`, or use a first-order method."
            )
            raise InvalidInput(msg)
        return basis

    # ---- facts about the rows -------------------------------------------------------------------------------------

    @property
    def dtype(self) -> np.dtype[Any]:
        """Precision of the rows: float64, or float32 for `single`."""
        basis = self._source.dense()
        return np.dtype(np.float64) if basis is None else basis.dtype

    @property
    def in_memory(self) -> bool:
        """Whether `basis` is there; mapped rows are only passed over."""
        return self._source.dense() is not None

    @property
    def basis(self) -> FloatArray:
        """Y, shape (p, n), read-only."""
        return self.dense("`Subspace.basis`")

    @cached_property
    def row_norms(self) -> FloatArray:
        """‖y_i‖ for every row, shape (p,)."""
        return frozen(np.concatenate([_row_norms(block) for block in self._source.blocks()]))

    @cached_property
    def inverse_norms(self) -> FloatArray:
        """1/‖y_i‖, shape (p,); 0 at rows that are zero."""
        inverse = np.zeros(self.size)
        np.divide(1.0, self.row_norms, out=inverse, where=~self.null_rows)
        return frozen(inverse)

    @cached_property
    def tail_matrix(self) -> FloatArray:
        """
        Σ(‖y_i‖² − (n−1)/p) y_i y_iᵀ − (3/p) I, shape (n, n).

        The quadratic form measures how heavy the tails of Yq are: 0 in expectation for Gaussian entries, positive
        for a sparse vector, negative for one flatter than Gaussian.
        """
        matrix, start = np.zeros((self.dim, self.dim)), 0
        for block in self._source.blocks():
            norms = self.row_norms[start : start + len(block), None]
            for part in slices(len(block), max(64, _SMALL_VALUES // self.dim)):
                scaled = block[part] * norms[part]
                matrix += scaled.T @ scaled
            start += len(block)
        matrix.flat[:: self.dim + 1] -= (self.dim + 2) / self.size  # Σ y_i y_iᵀ = I
        return frozen(matrix)

    @cached_property
    def tail_spectrum(self) -> tuple[FloatArray, FloatArray]:
        """Eigenvalues (ascending) and eigenvectors of `tail_matrix`."""
        values, vectors = np.linalg.eigh(self.tail_matrix)
        return frozen(values), frozen(vectors)

    @cached_property
    def tail_top(self) -> tuple[FloatArray, FloatArray, float]:
        """The three largest eigenvalues of `tail_matrix`, their eigenvectors, and the spread of the other values."""
        from scipy.linalg.lapack import dsyevr

        dim, count = self.dim, min(3, self.dim)
        matrix = self.tail_matrix
        values, vectors, *_ = dsyevr(matrix, range="I", il=dim - count + 1, iu=dim)
        values = values[:count]
        others = max(1, dim - count)
        mean = (float(np.trace(matrix)) - float(values.sum())) / others
        square = (float(np.vdot(matrix, matrix)) - float(values @ values)) / others - mean * mean
        return frozen(values), frozen(np.asarray(vectors[:, :count])), math.sqrt(max(0.0, square))

    @property
    def resolution(self) -> float:
        """Size, relative to ‖y_i‖, under which entry i of a vector may be a zero made by rounding."""
        return self.rank.resolution

    @cached_property
    def null_rows(self) -> BoolArray:
        """
        Rows of Y that are zero, shape (p,): every vector of S vanishes there.

        Columns that are given may have been computed: zeros come out of a decomposition as rounding errors of its
        largest rows, and so do those of a basis that this package decomposed itself. A certificate counts such rows.
        """
        least = self.resolution if self.rank.derived else _ROUNDED
        return frozen(self.row_norms <= least * self.row_norms.max())

    @cached_property
    def single(self) -> Subspace:
        """The same subspace with its rows in float32, for the many steps that need no more."""
        basis = self._source.dense()
        return self if basis is None else Subspace(DenseRows(basis.astype(np.float32)), self.rank)

    def __repr__(self) -> str:
        return f"Subspace(size={self.size}, dim={self.dim}; {self.rank})"


def _row_norms(block: FloatArray) -> FloatArray:
    """Row norms that do not underflow, shape (k,)."""
    squares = np.einsum("ij,ij->i", block, block)
    norms: FloatArray = np.sqrt(squares)
    faint = squares < _FAINT
    if faint.any():
        rows = block[faint]
        largest = np.abs(rows).max(axis=1)
        scaled = rows / np.where(largest > 0, largest, 1.0)[:, None]
        norms[faint] = largest * np.sqrt(np.einsum("ij,ij->i", scaled, scaled))
    return norms


def _left_singular(matrix: FloatArray, rank: int) -> tuple[FloatArray, FloatArray]:
    matrix = matrix / np.abs(matrix).max() if matrix.any() else matrix
    left, sizes, _ = np.linalg.svd(matrix, full_matrices=False)
    if not sizes[rank - 1] > 32 * np.finfo(float).eps * sizes[0]:
        found = int(np.count_nonzero(sizes > 32 * np.finfo(float).eps * sizes[0]))
        msg = f"`rank` must be at most the rank of the data, {found}; got {rank}. Ask for fewer directions."
        raise InvalidInput(msg)
    return left[:, :rank], sizes


def _robust_left(matrix: FloatArray, rank: int) -> tuple[FloatArray, FloatArray]:
    from .robust import robust_pca

    split = robust_pca(matrix)
    if split.rank < rank:
        msg = f"`rank` must be at most the rank of the robust low-rank part, {split.rank}; got {rank}."
        raise InvalidInput(msg)
    return split.U[:, :rank], split.s
