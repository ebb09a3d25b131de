"""Where the planted vector is the ℓ¹ minimiser of its subspace: Gordon's bound on the random directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from ..errors import InvalidInput
from .checks import is_gaussian

if TYPE_CHECKING:
    from ..models import Values

__all__ = ["l1_line", "least_l1"]


def least_l1(ratio: float) -> float:
    """Lower bound on min ‖Gq‖₁/√p over unit q, G (p×m) with entries N(0, 1/p), as p → ∞ at m/p = `ratio`.

    By Gordon's inequality the minimum is at least max over |u| ≤ 1 of ⟨g, u⟩/p − √(m/p)·‖u‖/√p. The best u is
    g/c clipped to ±1 where P(|g| < c) − 2cφ(c) + c²P(|g| > c) = m/p, and the value there is E(|g| − c)₊. It
    falls from √(2/π) at ratio 0 to 0 at ratio 1. Derived here.
    """
    if not 0.0 <= ratio <= 1.0:
        msg = f"`ratio` must lie in [0, 1]; got {ratio}. It is (n - 1)/p."
        raise InvalidInput(msg)
    clip = 0.0 if ratio == 0 else 40.0 if ratio == 1 else float(brentq(_used, 0.0, 40.0, args=(ratio,), xtol=1e-14))
    return float(2.0 * (_density(clip) - clip * ndtr(-clip)))


def l1_line(ratio: float, values: Values = "ones") -> float:
    """Share θ of nonzeros up to which the planted vector's ‖·‖₁ is below `least_l1`, at (n − 1)/p = `ratio`.

    ‖x₀‖₁/√p is √θ for ones and √(2θ/π) for Gaussian nonzeros. At ratio 0 it is 2/π and 1. Below the line the
    planted vector beats every random direction; mixtures of both are not part of the bound. Derived here.
    """
    factor = np.pi / 2.0 if is_gaussian(values) else 1.0
    return float(min(1.0, factor * least_l1(ratio) ** 2))


def _density(t: float) -> float:
    return float(np.exp(-0.5 * t * t) / np.sqrt(2.0 * np.pi))


def _used(clip: float, ratio: float) -> float:
    tail = 2.0 * float(ndtr(-clip))
    return 1.0 - tail - 2.0 * clip * _density(clip) + clip * clip * tail - ratio
