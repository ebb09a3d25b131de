"""Singular values above a threshold, with their right vectors, of a tall matrix that changes slowly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..arrays import FloatArray

__all__ = ["RightFactors", "Shrinker"]

_SPARE = 10  # directions carried beyond the rank expected
_POWERS = 2  # subspace iterations a call; the next call goes on from where this one ended
_COST = 12  # a direction costs about as much as this many columns of the Gram matrix
_LEAST_COLUMNS = 256  # below, the Gram matrix is cheap whatever the rank


@dataclass(frozen=True, eq=False)
class RightFactors:
    """Right singular vectors (m×r) and values (r, falling) of a matrix, those above a threshold."""

    vectors: FloatArray
    values: FloatArray


class Shrinker:
    """Singular values of tall matrices above a threshold, by the cheapest way that is accurate enough.

    Few columns, or a rank that is not small against them: the Gram matrix, at half the products. It loses
    values near √ε of the largest one, so where the threshold comes that low, a QR factor and its exact
    singular values. Many columns and a small rank: subspace iteration from the directions of the last call,
    widened until a captured value falls below the threshold.
    """

    def __init__(self, columns: int, tol: float, seed: int) -> None:
        self.tol = tol
        self.random = np.random.default_rng(seed)
        self.directions = np.zeros((columns, 0))

    def largest(self, matrix: FloatArray) -> float:
        """Return the largest singular value, at worst a few per cent too small."""
        if matrix.shape[1] < _LEAST_COLUMNS:
            return float(np.sqrt(np.linalg.eigvalsh(matrix.T @ matrix)[-1]))
        return float(self._iterated(matrix, _SPARE)[1][0])

    def __call__(self, matrix: FloatArray, threshold: float) -> RightFactors:
        """All singular values of `matrix` (p×m, p ≥ m) above `threshold`, with their right vectors."""
        block = max(self.directions.shape[1], _SPARE)
        while matrix.shape[1] >= max(_LEAST_COLUMNS, _COST * block):
            vectors, values = self._iterated(matrix, block)
            if values[-1] <= threshold:
                return self._kept(vectors, values, threshold)
            block *= 2
        return self._kept(*self._complete(matrix, threshold), threshold)

    def _kept(self, vectors: FloatArray, values: FloatArray, threshold: float) -> RightFactors:
        rank = int(np.count_nonzero(values > threshold))
        self.directions = vectors[:, : rank + _SPARE]
        return RightFactors(vectors[:, :rank], values[:rank])

    def _complete(self, matrix: FloatArray, threshold: float) -> tuple[FloatArray, FloatArray]:
        squares, vectors = np.linalg.eigh(matrix.T @ matrix)
        values = np.sqrt(np.maximum(squares[::-1], 0.0))
        # A square is wrong by ε·σ₁², hence the value at the threshold by about ε·σ₁²/threshold.
        if np.finfo(float).eps * values[0] <= 0.01 * self.tol * threshold:
            return vectors[:, ::-1], values
        _, exact, rows = np.linalg.svd(np.linalg.qr(matrix, mode="r"), full_matrices=False)
        return rows.T, exact

    def _iterated(self, matrix: FloatArray, block: int) -> tuple[FloatArray, FloatArray]:
        fresh = self.random.standard_normal((matrix.shape[1], block - min(block, self.directions.shape[1])))
        vectors = np.hstack([self.directions[:, :block], fresh])
        powers = _POWERS if self.directions.size else 2 * _POWERS
        for _ in range(powers):
            vectors = np.linalg.qr(matrix.T @ (matrix @ vectors))[0]
        _, values, rows = np.linalg.svd(np.linalg.qr(matrix @ vectors, mode="r"), full_matrices=False)
        return vectors @ rows.T, values
