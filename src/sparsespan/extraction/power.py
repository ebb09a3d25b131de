"""All directions at once: the fixed point of the sum of third powers on orthonormal frames."""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from ..subspace import Subspace
from ..watch import Watch

__all__ = ["polar", "spike"]

_TOL = 1e-6


def polar(matrix: FloatArray) -> FloatArray:
    """The nearest matrix with orthonormal columns, shape (n, m), n ≥ m."""
    left, _, right = np.linalg.svd(matrix, full_matrices=False)
    nearest: FloatArray = left @ right
    return nearest


def spike(subspace: Subspace, count: int, rng: np.random.Generator, watch: Watch, max_iter: int = 100) -> FloatArray:
    """
    Raise Σ |YA|³ over orthonormal frames A (n×count) from a random one, by A ← polar(Yᵀ(YA·|YA|)).

    The sum is convex, so no step lowers it. Its maximisers are close to sparse vectors where these are nearly
    orthogonal, as in a complete dictionary; an exact finish must follow.
    """
    frame = polar(rng.standard_normal((subspace.dim, count)))
    for _ in range(max_iter):
        moved = polar(subspace.reduce(lambda values: values * np.abs(values), frame))
        change = float(np.abs(moved - frame).max())
        frame = moved
        if change <= _TOL or watch.expired:
            break
    return frame
