"""Moments of a Gaussian variable after soft thresholding, in closed form. Derived here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..arrays import FloatArray

__all__ = ["active_probability", "excess_energy", "shrunk_mean"]


def _density(t: FloatArray) -> FloatArray:
    density: FloatArray = np.exp(-0.5 * t * t) / np.sqrt(2.0 * np.pi)
    return density


def _sides(mean: ArrayLike, std: ArrayLike, threshold: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Distances beyond the threshold on either side, and the deviation, broadcast to one shape."""
    mean, std = np.broadcast_arrays(np.asarray(mean, dtype=np.float64), np.asarray(std, dtype=np.float64))
    return mean - threshold, -mean - threshold, std


def _standard(beyond: FloatArray, std: FloatArray) -> FloatArray:
    """beyond/std, with its limit where the deviation is zero."""
    limit = np.where(beyond > 0, np.inf, -np.inf)
    return np.divide(beyond, std, out=limit, where=std > 0)


def shrunk_mean(mean: ArrayLike, std: ArrayLike, threshold: float) -> FloatArray:
    """E S_τ(z) for z ~ N(mean, std²) and the soft threshold S_τ(z) = sign(z)·(|z| − τ)₊.

    With u = (mean − τ)/std and v = (−mean − τ)/std it is std·[uΦ(u) + φ(u) − vΦ(v) − φ(v)].
    """
    above, below, std = _sides(mean, std, threshold)
    up, down = _standard(above, std), _standard(below, std)
    return above * ndtr(up) + std * _density(up) - below * ndtr(down) - std * _density(down)


def active_probability(mean: ArrayLike, std: ArrayLike, threshold: float) -> FloatArray:
    """P(|z| > τ) for z ~ N(mean, std²): Φ(u) + Φ(v), with u and v as in `shrunk_mean`."""
    above, below, std = _sides(mean, std, threshold)
    return ndtr(_standard(above, std)) + ndtr(_standard(below, std))


def excess_energy(mean: ArrayLike, std: ArrayLike, threshold: float) -> FloatArray:
    """E (|z| − τ)₊² for z ~ N(mean, std²): std²·[(u² + 1)Φ(u) + uφ(u) + (v² + 1)Φ(v) + vφ(v)]."""
    above, below, std = _sides(mean, std, threshold)
    return _one_side(above, std) + _one_side(below, std)


def _one_side(beyond: FloatArray, std: FloatArray) -> FloatArray:
    t = _standard(beyond, std)
    return (beyond * beyond + std * std) * ndtr(t) + beyond * std * _density(t)
