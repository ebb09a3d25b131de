"""The face of the sphere's ℓ¹ pieces on which given rows vanish: null vector, multipliers, rank."""

from __future__ import annotations

import math

import numpy as np

from ..arrays import BoolArray, FloatArray
from ..subspace import Subspace

__all__ = ["Face"]

# The Gram matrix squares the condition. Few rows (a generic vertex) may be nearly dependent, so these are factored
# by QR; many rows (a planted vector) are well conditioned and their Gram matrix is far cheaper.
_FEW = 2
_SINGULAR = 1e-7  # smallest pivot, relative to the largest, of a Gram factor that can be trusted


class Face:
    """
    The rows I of Y that vanish at a point q, as a factored least-squares problem.

    [Y_I; qᵀ] has full column rank exactly when Y_I determines q up to sign and scale; everything here is a
    triangular solve with its R factor, and passes over Y in which the other rows are masked.

    Parameters
    ----------
    subspace : Subspace
    zero : ndarray of bool, shape (p,)
        I.
    point : ndarray, shape (n,)
        Unit vector near the common null vector of these rows.

    Raises
    ------
    numpy.linalg.LinAlgError
        Where the rows do not determine a point.
    """

    __slots__ = ("_factor", "_subspace", "gram", "zero")

    def __init__(self, subspace: Subspace, zero: BoolArray, point: FloatArray) -> None:
        self._subspace, self.zero = subspace, zero
        count = int(np.count_nonzero(zero))
        if count <= _FEW * subspace.dim:
            rows = subspace.take(np.flatnonzero(zero))
            self.gram = rows.T @ rows
            self._factor: FloatArray = np.asarray(np.linalg.qr(np.vstack([rows, point]), mode="r"), dtype=np.float64)
            least = 1e-14
        else:
            self.gram = _gram(subspace, zero, count)
            self._factor = np.asarray(np.linalg.cholesky(self.gram + np.outer(point, point)).T)
            least = _SINGULAR
        pivots = np.abs(np.diagonal(self._factor))
        if len(pivots) < subspace.dim or not pivots.min() > least * pivots.max():
            msg = "the rows do not determine a point"
            raise np.linalg.LinAlgError(msg)

    def _solve(self, right: FloatArray) -> FloatArray:
        """(Y_IᵀY_I + qqᵀ)⁻¹ · right."""
        from scipy.linalg.lapack import dtrtrs

        half, _ = dtrtrs(self._factor, right, trans=1)
        solution, _ = dtrtrs(self._factor, half)
        return np.asarray(solution, dtype=np.float64)

    def _back(self, values: FloatArray) -> FloatArray:
        """Y_Iᵀ · values, the values outside I ignored."""
        return self._subspace.adjoint(np.where(self.zero, values, 0.0))

    def step(self, point: FloatArray, values: FloatArray) -> FloatArray:
        """Newton step from q with values Yq: q − step is orthogonal to the rows up to second order."""
        step = self._solve(self._back(values))
        return step - point * float(point @ step)

    def multipliers(self, right: FloatArray, guess: FloatArray | None = None) -> tuple[FloatArray, float]:
        """
        Solve Y_Iᵀv = right for the v nearest to ``guess`` (least norm without one).

        Parameters
        ----------
        right : ndarray, shape (n,)
            Orthogonal to q.
        guess : ndarray, shape (p,), optional

        Returns
        -------
        values : ndarray, shape (p,)
            v on I, zero elsewhere.
        defect : float
            ‖right − Y_Iᵀv‖ after one step of refinement.
        """
        weights = np.zeros(self._subspace.size) if guess is None else np.where(self.zero, guess, 0.0)
        remainder = right - self._back(weights) if guess is not None else right
        for _ in range(2):
            weights = weights + np.where(self.zero, self._subspace.vectors(self._solve(remainder)), 0.0)
            remainder = right - self._back(weights)
        return weights, float(np.linalg.norm(remainder))

    def defect(self, right: FloatArray, values: FloatArray) -> float:
        """‖right − Y_Iᵀv‖."""
        return float(np.linalg.norm(right - self._back(values)))

    def least_singular_value(self) -> float:
        """Smallest singular value of Y_I without the one along q; no singular value exceeds 1. Only for n ≥ 2."""
        from scipy.linalg.lapack import dsyevr

        values, *_ = dsyevr(self.gram, compute_v=0, range="I", il=2, iu=2)
        return math.sqrt(max(0.0, float(values[0])))


def _gram(subspace: Subspace, zero: BoolArray, count: int) -> FloatArray:
    """Y_IᵀY_I, through the complement where that has fewer rows: the columns of Y are orthonormal."""
    if 2 * count <= subspace.size:
        rows = subspace.take(np.flatnonzero(zero))
        return rows.T @ rows
    rows = subspace.take(np.flatnonzero(~zero))
    return np.eye(subspace.dim) - rows.T @ rows
