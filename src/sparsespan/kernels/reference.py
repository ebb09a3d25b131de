"""The definitions: each function of all coordinates at once, in plain NumPy."""

from __future__ import annotations

import numpy as np

from .sums import FloatArray, PullSums, ShrinkSums, check_arguments

__all__ = ["attract_reference", "shrink_reference"]


def shrink_reference(rows: FloatArray, points: FloatArray, threshold: float) -> ShrinkSums:
    """Compute Yᵀ S_λ(Y Q) and the per-column sums as they are defined; holds Y Q (p×R) in memory.

    Parameters
    ----------
    rows : (p, n) array, float32 or float64, C-contiguous
        The rows of Y.
    points : (n, R) array of the same dtype
        The columns of Q.
    threshold : float
        λ ≥ 0.

    Returns
    -------
    ShrinkSums
        A NaN or an infinity in the rows or points is never dropped: where y_iᵀq is NaN, adjoint and mass of the
        column are NaN and the row counts as active.
    """
    level = check_arguments(rows, points, threshold)
    vectors = rows @ points
    shrunk = vectors - np.clip(vectors, -level, level)  # = S_λ, and NaN stays NaN
    mass = np.abs(shrunk).sum(axis=0, dtype=np.float64)
    return ShrinkSums(rows.T @ shrunk, mass, np.count_nonzero(shrunk, axis=0))


def attract_reference(rows: FloatArray, points: FloatArray, rate: float) -> PullSums:
    """Compute Σ_i z_i (1 + c·z_i²)⁻⁴ y_i and Σ_i (1 + c·z_i²)⁻³, z = Yq, as they are defined; holds Y Q in memory.

    Parameters
    ----------
    rows : (p, n) array, float32 or float64, C-contiguous
        The rows of Y.
    points : (n, R) array of the same dtype
        The columns of Q.
    rate : float
        c ≥ 0.

    Returns
    -------
    PullSums
    """
    level = rows.dtype.type(check_arguments(rows, points, rate, "rate"))
    vectors = rows @ points
    roots = 1 / (1 + level * vectors * vectors)
    return PullSums(rows.T @ (vectors * roots**4), (roots**3).sum(axis=0, dtype=np.float64))
