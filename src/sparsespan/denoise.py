"""The sparse vector behind a noisy one: which entries noise explains, and what is left without them."""

from __future__ import annotations

import math

import numpy as np

from .arrays import BoolArray, FloatArray
from .evidence import Estimate
from .subspace import Subspace

__all__ = ["denoise", "is_uneven"]

_APART = 10.0  # ratio of the two scales from which entries are told apart
_BEYOND = 2.0  # small entries must be so many times as many as chance leaves
_SPARE = 10.0
_ROUNDS = 4


def denoise(subspace: Subspace, vector: FloatArray) -> Estimate | None:
    """
    Split the entries of a vector of the subspace into noise and signal.

    The entries are taken for a mixture of two centred normal distributions of different scale, fitted by
    expectation–maximisation; the vector is refitted, by least squares, to be small on those that belong to the
    smaller one, until these no longer change.

    Parameters
    ----------
    subspace : Subspace
    vector : ndarray, shape (p,)
        Unit vector of the subspace near a sparse one.

    Returns
    -------
    Estimate or None
        None unless the scales are a factor of ten apart and at least twice as many entries are small as chance
        leaves: a vector of any subspace can vanish on n − 1 rows, and some entries happen to be small.
    """
    live = ~subspace.null_rows
    least = math.ceil(1.5 * subspace.dim)
    if np.count_nonzero(live) <= least or not _crowded(np.abs(vector[live]), subspace.dim):
        return None
    sizes = np.where(live, np.abs(vector), np.inf)
    small = np.zeros(subspace.size, dtype=np.bool_)
    small[np.argpartition(sizes, least)[:least]] = True
    scales: _Scales | None = None
    for _ in range(_ROUNDS):
        values = _refit(subspace, small)
        scales = _two_scales(values[live] * math.sqrt(subspace.size))
        if scales is None:
            return None
        before, small = small, np.zeros_like(small)
        small[live] = scales.small
        if np.array_equal(before, small):
            break
    if not _beyond_chance(scales, subspace.dim):
        return None
    return _estimate(values if values @ vector >= 0 else -values, small | ~live)


def is_uneven(subspace: Subspace, vector: FloatArray) -> bool:
    """
    Whether the entries are of two scales only because the rows of Y are: small rows make small entries in every vector.

    Parameters
    ----------
    subspace : Subspace
    vector : ndarray, shape (p,)
    """
    beside = (vector * subspace.inverse_norms)[~subspace.null_rows] * math.sqrt(subspace.dim)
    return not _beyond_chance(_two_scales(beside), subspace.dim)


def _crowded(sizes: FloatArray, dim: int) -> bool:
    """Whether at some level there are more small entries than chance leaves: the cheap test that comes first."""
    rms = math.sqrt(float(sizes @ sizes) / sizes.size)
    levels = 0.5 ** np.arange(1, 24)
    counts = np.searchsorted(np.sort(sizes), levels * rms)
    return bool((counts >= 1.2 * (dim + 0.8 * levels * sizes.size) + _SPARE).any())


def _beyond_chance(scales: _Scales | None, dim: int) -> bool:
    """Against n entries that can be made zero and 0.8·2s·p of a normal sample that lie within 2s of it."""
    if scales is None:
        return False
    count, live = int(np.count_nonzero(scales.small)), len(scales.small)
    return scales.ratio >= _APART and count >= _BEYOND * (dim + 1.6 * scales.level * live) + _SPARE


def _refit(subspace: Subspace, small: BoolArray) -> FloatArray:
    """The unit vector of the subspace that is smallest on the given rows."""
    gram = subspace.weighted_gram(small.astype(np.float64))
    values = subspace.vectors(np.ascontiguousarray(np.linalg.eigh(gram)[1][:, 0]))
    return values / math.sqrt(float(values @ values))


class _Scales:
    """A fitted mixture: which values belong to the smaller scale, that scale, and the ratio of the two."""

    def __init__(self, small: BoolArray, level: float, ratio: float) -> None:
        self.small, self.level, self.ratio = small, level, ratio


def _two_scales(values: FloatArray, max_iter: int = 100) -> _Scales | None:
    """Expectation–maximisation for share·N(0, s²) + (1 − share)·N(0, t²)."""
    squares = values * values
    share, small, large = 0.5, float(np.quantile(squares, 0.2)) + 1e-30, 2.0 * float(squares.mean())
    belief = np.zeros_like(squares)
    for _ in range(max_iter):
        contrast = 0.5 * squares * (1.0 / small - 1.0 / large) - 0.5 * math.log(large / small)
        belief = 1.0 / (1.0 + (1.0 - share) / share * np.exp(np.minimum(contrast, 700.0)))
        weight, before = float(belief.sum()), small
        if not 0.5 < weight < len(squares) - 0.5:
            return None
        share = weight / len(squares)
        small = float(belief @ squares) / weight + 1e-30
        large = float((1.0 - belief) @ squares) / (len(squares) - weight)
        if large <= small:
            return None
        if abs(small - before) < 1e-6 * small:
            break
    return _Scales(belief > 0.5, math.sqrt(small), math.sqrt(large / small))


def _estimate(values: FloatArray, dropped: BoolArray) -> Estimate:
    noise = values[dropped]
    squares = noise * noise
    residual = math.sqrt(float(squares.sum()))
    kurtosis = float(squares @ squares) * noise.size / max(residual**4, np.finfo(np.float64).tiny)
    kept = np.where(dropped, 0.0, values)
    kept /= math.sqrt(float(kept @ kept))
    return Estimate(kept, residual * math.sqrt(len(values) / max(1, noise.size)), residual, kurtosis)
