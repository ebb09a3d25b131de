"""The rows that vanish at a point, as a factored least-squares problem: null vector, multipliers, rank."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..arrays import FloatArray

__all__ = ["ZeroRows"]

# Gram matrices square the condition. Few rows (a generic vertex) may be nearly dependent, so they are
# factored by QR; many rows (a planted vector) are well conditioned and the Gram matrix is far cheaper.
_FEW = 2


class ZeroRows:
    """
    Rows Y_I (k×n) that vanish, or should vanish, at the unit point q.

    The matrix [Y_I; qᵀ] has full column rank exactly when Y_I determines q up to scale; everything here is a
    triangular solve with its R factor.
    """

    def __init__(self, rows: FloatArray, point: FloatArray) -> None:
        self.rows, self.point = rows, point
        stacked = np.vstack([rows, point])
        self._exact = len(rows) <= _FEW * rows.shape[1]
        if self._exact:
            self._factor: FloatArray = np.asarray(np.linalg.qr(stacked, mode="r"), dtype=np.float64)
            sizes = np.abs(np.diagonal(self._factor))
            if len(self._factor) < rows.shape[1] or sizes.min() < 1e-14 * sizes.max():
                msg = "the rows do not determine a point"
                raise np.linalg.LinAlgError(msg)
        else:
            self._factor = np.linalg.cholesky(stacked.T @ stacked).T

    def _solve(self, right: FloatArray) -> FloatArray:
        """(Y_IᵀY_I + qqᵀ)⁻¹ · right."""
        from scipy.linalg.lapack import dtrtrs

        half, _ = dtrtrs(self._factor, right, trans=1)
        solution, _ = dtrtrs(self._factor, half)
        return np.asarray(solution)

    def step(self) -> FloatArray:
        """Newton step towards the null vector: q − step is orthogonal to the rows up to second order."""
        step = self._solve(self.rows.T @ (self.rows @ self.point))
        return step - self.point * float(self.point @ step)

    def multipliers(self, right: FloatArray, guess: FloatArray | None = None) -> FloatArray:
        """
        Solve Y_Iᵀv = right for the v nearest to ``guess`` (least norm without one), shape (k,).

        ``right`` must be orthogonal to q. One step of refinement makes the equations hold to rounding.
        """
        weights = np.zeros(len(self.rows)) if guess is None else guess
        for _ in range(2):
            weights = weights + self.rows @ self._solve(right - self.rows.T @ weights)
        return weights

    @cached_property
    def singular_values(self) -> FloatArray:
        """Singular values of Y_I orthogonal to q, ascending, shape (n − 1,): all positive iff rank n − 1."""
        if self._exact:
            sizes = np.linalg.svd(self.rows, compute_uv=False)[::-1][-(self.rows.shape[1] - 1) :]
        else:
            sizes = np.sqrt(np.maximum(np.linalg.eigvalsh(self.rows.T @ self.rows), 0.0))[1:]
        return np.asarray(sizes, dtype=np.float64)
