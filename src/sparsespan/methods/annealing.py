"""Smoothed counting of zeros with a shrinking width, for a batch of starts at once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..arrays import FloatArray
from ..subspace import Subspace
from ..watch import Watch

__all__ = ["anneal", "smooth_zeros"]


class _Bells:
    """
    The function z·exp(−z²p/2s²) on blocks of values, adding up Σ exp(−z²p/2s²) per column on its way.

    It overwrites the block it is given, which nobody else needs, and keeps its buffer between passes: fresh memory
    costs as much as the arithmetic.
    """

    def __init__(self, size: int) -> None:
        self._size, self._rate = size, 0.0
        self._buffer = np.empty((0, 0))
        self.mass = np.zeros(0)

    def start(self, width: float, starts: int) -> None:
        """Begin a pass at width s over values in so many columns."""
        self._rate, self.mass = -0.5 * self._size / (width * width), np.zeros(starts)

    def __call__(self, values: FloatArray) -> FloatArray:
        if self._buffer.shape != values.shape or self._buffer.dtype != values.dtype:
            self._buffer = np.empty_like(values)
        bells = np.multiply(values, values, out=self._buffer)
        bells *= values.dtype.type(self._rate)
        np.exp(bells, out=bells)
        self.mass += bells.sum(axis=0)
        values *= bells
        return values


def anneal(subspace: Subspace, points: FloatArray, widths: Iterable[float], watch: Watch) -> FloatArray:
    """
    Follow the stationary points of Σ exp(−p·z_i²/2s²), z = Yq, while the width s shrinks, one step at each width.

    The sum is p times the share of entries smaller than about s/√p: it counts zeros. A step is FastICA's fixed
    point of it, q ← Σ_i e_i·(1 − p·z_i²/s²)/p · q − Σ_i e_i z_i y_i with e_i = exp(−p·z_i²/2s²), which needs no step
    length. Wide bells see the coarse shape of the sum and pass over the many local optima of narrow ones.

    Parameters
    ----------
    subspace : Subspace
        Its rows' precision is the precision of the steps.
    points : ndarray, shape (n, R)
        Unit columns.
    widths : iterable of float
        s, in units of the root mean square of the entries of a unit vector, 1/√p.
    watch : Watch

    Returns
    -------
    ndarray, shape (n, R)
        Unit columns, in the dtype of the rows.
    """
    size, dtype, bells = subspace.size, subspace.dtype, _Bells(subspace.size)
    points = points.astype(dtype)
    for width in widths:
        if watch.expired:
            break
        bells.start(width, points.shape[1])
        pull = subspace.reduce(bells, points)
        spread = np.einsum("ij,ij->j", points, pull)  # Σ z_i² e_i
        moved = points * (bells.mass / size - spread / (width * width)) - pull
        lengths = np.sqrt(np.einsum("ij,ij->j", moved, moved))
        lengths *= np.where(np.einsum("ij,ij->j", moved, points) < 0, -1.0, 1.0)
        points = np.divide(moved, lengths, out=points.astype(np.float64), where=lengths != 0).astype(dtype)
    return points


def smooth_zeros(subspace: Subspace, points: FloatArray, width: float) -> FloatArray:
    """Σ_i exp(−p·z_i²/2s²), shape (R,): about how many entries of each vector are smaller than s/√p."""
    bells = _Bells(subspace.size)
    bells.start(width, points.shape[1])
    subspace.reduce(bells, points.astype(subspace.dtype))
    return bells.mass
