"""All directions at once: the fixed point of the sum of third powers on orthonormal frames."""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from ..subspace import Subspace
from ..watch import Watch

__all__ = ["polar", "skewed", "spike"]

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


def skewed(subspace: Subspace, count: int, rng: np.random.Generator, watch: Watch, max_iter: int = 100) -> FloatArray:
    """
    Points (n×count) near sparse vectors whose nonzeros have one sign, from the skewness of their centred entries.

    Vectors of nonzeros of one sign are far from orthogonal, because all of them lean to the constant vector; without
    their means they are nearly so. Σ z³ over frames of centred, whitened directions has its maximisers there. Each is
    led back to S by the constant that makes its ℓ¹ norm smallest.
    """
    constant = subspace.adjoint(np.ones(subspace.size)) / subspace.size  # mean of the entries of Yq is ⟨constant, q⟩
    whiten = _inverse_root(np.eye(subspace.dim) - subspace.size * np.outer(constant, constant))
    frame = polar(rng.standard_normal((subspace.dim, count)))
    for _ in range(max_iter):
        points = whiten @ frame
        means = constant @ points
        # Yᵀ(z − mean)² = Yᵀz² − 2·mean·Yᵀz + mean²·Yᵀ1, and Yᵀz = q
        slope = subspace.reduce(np.square, points) - 2.0 * points * means + subspace.size * np.outer(constant, means**2)
        moved = polar(whiten @ slope)
        change = float(np.abs(moved - frame).max())
        frame = moved
        if change <= _TOL or watch.expired:
            break
    return _led_back(subspace, whiten @ frame, constant)


def _inverse_root(matrix: FloatArray) -> FloatArray:
    """A^(−½) of a symmetric matrix; directions that A annihilates stay out."""
    values, vectors = np.linalg.eigh(matrix)
    inverse = np.where(values > _TOL, 1.0 / np.sqrt(np.maximum(values, _TOL)), 0.0)
    return np.asarray((vectors * inverse) @ vectors.T)


def _led_back(subspace: Subspace, points: FloatArray, constant: FloatArray) -> FloatArray:
    """For every column q the unit point along q + t·constant at which ‖Y(q + t·constant)‖₁ is smallest."""
    values, level = subspace.vectors(points), subspace.vectors(constant)
    used = np.abs(level) > 0
    if not used.any():
        return np.asarray(points / np.linalg.norm(points, axis=0))
    ratios, weights = -values[used] / level[used, None], np.abs(level[used])
    order = np.argsort(ratios, axis=0)
    sums = np.cumsum(weights[order], axis=0)
    middle = (sums >= 0.5 * sums[-1]).argmax(axis=0)  # the weighted median
    columns = np.arange(points.shape[1])
    moved = points + np.outer(constant, ratios[order[middle, columns], columns])
    return np.asarray(moved / np.linalg.norm(moved, axis=0))
