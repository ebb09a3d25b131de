"""The definition: soft-threshold all coordinates at once, in plain NumPy."""

from __future__ import annotations

import numpy as np

from .sums import FloatArray, ShrinkSums, check_arguments

__all__ = ["shrink_reference"]


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
