"""How hard the search for a planted vector is: the free energy of points at a given overlap with it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..arrays import FloatArray
from ..errors import InvalidInput
from .checks import checked_dim, checked_share

__all__ = ["hardest_share", "overlap_potential", "search_barrier"]

_NODES = np.linspace(-9.0, 9.0, 1201)
_WEIGHTS = np.exp(-0.5 * _NODES**2) / np.sqrt(2.0 * np.pi) * (_NODES[1] - _NODES[0])
# Cosines of a scan: dense, and denser towards 1, where the vector itself is.
_COSINES = np.sqrt(np.concatenate([np.linspace(0.02, 0.98, 49), 1.0 - np.geomspace(0.018, 1e-3, 11)]))
_DIGITS = 8  # halvings of the interval of shares


def overlap_potential(cosine: float, ratio: float, theta: float) -> float:
    """
    Φ(m) = (p/n)·E Z log Z + ½ log(1 − m) + ½ m at m = cosine², in nats for each dimension; Φ(0) = 0.

    exp(nΦ) is the weight of the points of that |cosine| with a planted vector of Gaussian nonzeros, beside that of
    the points orthogonal to it, when every point has the likelihood of being the planted one. Z(ω) is the likelihood
    ratio of a row against a Gaussian one at the mean ω ~ N(0, m) and variance V = 1 − m of y_iᵀq₀: the share 1 − θ
    puts it at zero, the share θ is N(0, 1/θ).

    The potential is that of Franz and Parisi (1995) in the limit of large n; the likelihood is worked out here.

    Parameters
    ----------
    cosine : float
        |⟨q, q₀⟩|, above 0 and below 1.
    ratio : float
        p/n.
    theta : float
        Share of nonzeros.
    """
    if not 0.0 < cosine < 1.0:
        msg = f"`cosine` must lie in (0, 1); got {cosine}. It is that of a point and the planted one."
        raise InvalidInput(msg)
    return float(_potential(np.array([cosine]), _checked_ratio(ratio), checked_share(theta))[0])


def search_barrier(ratio: float, theta: float) -> tuple[float, float]:
    """
    Height of the barrier before a planted vector of Gaussian nonzeros, and its gain, in nats for each dimension.

    A search that may see all rows at every step, but does not know where to look, has to wander over points whose
    weight is exp(−n·barrier). The gain is the largest value of the potential: where it is negative, the planted vector
    is lost among the others.

    Parameters
    ----------
    ratio : float
        p/n.
    theta : float
        Share of nonzeros.

    Returns
    -------
    barrier, gain : float
    """
    return _barrier(_checked_ratio(ratio), checked_share(theta))


def hardest_share(ratio: float, dim: int, nats: float) -> float:
    """
    The largest share of nonzeros, to 1/256, whose barrier is at most so many nats and which is not lost; 0 if none is.

    Parameters
    ----------
    ratio : float
        p/n.
    dim : int
        n.
    nats : float
        A search crosses e^nats times less often than it moves somewhere else.
    """
    checked, low, high = _checked_ratio(ratio), 0.0, 1.0
    for _ in range(_DIGITS):
        middle = 0.5 * (low + high)
        barrier, gain = _barrier(checked, middle)
        crossed = gain > 0.0 and checked_dim(dim) * barrier <= nats
        low, high = (middle, high) if crossed else (low, middle)
    return low


@lru_cache(maxsize=1024)
def _barrier(ratio: float, theta: float) -> tuple[float, float]:
    values = _potential(_COSINES, ratio, theta)
    positive = np.flatnonzero(values > 0)
    before = values[: positive[0]] if positive.size else values
    return float(max(0.0, -before.min(initial=0.0))), float(values.max())


def _potential(cosines: FloatArray, ratio: float, theta: float) -> FloatArray:
    overlap = (cosines * cosines)[:, None]
    spread, squares = 1.0 - overlap, overlap * (_NODES * _NODES)
    with np.errstate(divide="ignore"):  # theta = 1: no zeros
        zero = np.log1p(-theta) - 0.5 * np.log(spread) - 0.5 * squares / spread
    # ∫ N(z; ω, V) √θ exp(½(1 − θ)z²) dz, the ratio of N(0, 1/θ) to N(0, 1)
    narrowed = 1.0 - (1.0 - theta) * spread
    other = 1.5 * np.log(theta) - 0.5 * np.log(narrowed) + 0.5 * squares * (1.0 - theta) / narrowed
    log_ratio = np.logaddexp(zero, other)
    information: FloatArray = (np.exp(log_ratio) * log_ratio) @ _WEIGHTS
    return ratio * information + 0.5 * (np.log(spread[:, 0]) + overlap[:, 0])


def _checked_ratio(ratio: float) -> float:
    if not (ratio >= 1.0 and np.isfinite(ratio)):
        msg = f"`ratio` must be finite and at least 1; got {ratio}. It is p/n."
        raise InvalidInput(msg)
    return float(ratio)
