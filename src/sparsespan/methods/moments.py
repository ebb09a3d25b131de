"""Moment matrices of degree 4: monomials of a point on the sphere, their places, and the objective ‖Yq‖₄⁴."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import FloatArray, IntArray
from ..subspace import Subspace

__all__ = ["Moments"]

_BLOCK = 4096  # rows whose products of two coordinates are held at a time


@dataclass(frozen=True)
class Moments:
    """
    Pseudo-moments of degree 4 of a point q of the sphere in Rⁿ, and their N×N matrix, N = n(n+1)/2.

    Row and column (i ≤ j) and (k ≤ l) of the matrix hold E q_i q_j q_k q_l, so that the entry depends on the
    sorted indices only. Odd moments are zero by the symmetry q → −q, and the second moments follow from
    ‖q‖² = 1: E q_i q_j = Σ_k E q_i q_j q_k².

    Attributes
    ----------
    dim : int
        n.
    """

    dim: int

    @property
    def side(self) -> int:
        """N."""
        return self.dim * (self.dim + 1) // 2

    @cached_property
    def _pairs(self) -> tuple[IntArray, IntArray]:
        first, second = np.triu_indices(self.dim)
        return first, second

    @cached_property
    def lower(self) -> tuple[IntArray, IntArray]:
        """Rows and columns of the lower triangle, column by column."""
        columns, rows = np.triu_indices(self.side)
        return rows, columns

    @cached_property
    def _sorted(self) -> IntArray:
        """Sorted indices (i ≤ j ≤ k ≤ l) of each entry of the lower triangle, as one number in base n."""
        rows, columns = self.lower
        first, second = self._pairs
        indices = np.sort(np.stack([first[rows], second[rows], first[columns], second[columns]]), axis=0)
        packed: IntArray = ((indices[0] * self.dim + indices[1]) * self.dim + indices[2]) * self.dim + indices[3]
        return packed

    @cached_property
    def _distinct(self) -> tuple[IntArray, IntArray]:
        monomials, which = np.unique(self._sorted, return_inverse=True)
        return monomials, which

    @property
    def count(self) -> int:
        """How many distinct monomials there are: n(n+1)(n+2)(n+3)/24."""
        return len(self._distinct[0])

    @property
    def entry(self) -> IntArray:
        """Which monomial stands at each entry of the lower triangle."""
        return self._distinct[1]

    @cached_property
    def trace(self) -> FloatArray:
        """Coefficients of ‖q‖⁴ = Σ q_i² q_k², shape (count,)."""
        squares = np.eye(self.dim)[self._pairs]  # which pairs are (i, i)
        return self._gather(np.outer(squares, squares))

    def _gather(self, matrix: FloatArray) -> FloatArray:
        """Sum the entries of a symmetric N×N matrix of coefficients of the products of pairs, by monomial."""
        rows, columns = self.lower
        weights = matrix[rows, columns] * np.where(rows == columns, 1.0, 2.0)
        sums: FloatArray = np.bincount(self.entry, weights=weights, minlength=self.count).astype(np.float64)
        return sums

    def fourth(self, subspace: Subspace) -> FloatArray:
        """Coefficients of ‖Yq‖₄⁴, shape (count,): Σ over rows of (Σ_{i≤j} c_ij y_i y_j q_i q_j)², c = 1 or 2."""
        first, second = self._pairs
        twice = np.where(first == second, 1.0, 2.0)
        total = np.zeros((self.side, self.side))
        for start in range(0, subspace.size, _BLOCK):
            rows = subspace.take(np.arange(start, min(start + _BLOCK, subspace.size)))
            products = rows[:, first] * rows[:, second] * twice
            total += products.T @ products
        return self._gather(total)

    def second(self, values: FloatArray) -> FloatArray:
        """Matrix of second moments E q_i q_j, shape (n, n), of moments of shape (count,)."""
        index = np.zeros((self.dim, self.dim), dtype=np.intp)
        index[self._pairs] = index[self._pairs[::-1]] = np.arange(self.side)
        full = np.zeros((self.side, self.side))
        rows, columns = self.lower
        full[rows, columns] = full[columns, rows] = values[self.entry]
        squares = full[:, index.diagonal()].sum(axis=1)
        moments: FloatArray = squares[index]
        return moments
