"""The regions and bounds of the paper's analysis, and the exact asymptotic values beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .checks import checked_cosine, checked_dim, checked_share, is_gaussian

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..arrays import FloatArray
    from ..models import Values

__all__ = [
    "far_cosine",
    "gap_bound",
    "gap_region",
    "rounding_basin",
    "safe_cosine",
    "stable_threshold",
    "start_bound",
    "uniform_gap_bound",
]


def start_bound(theta: float, dim: int) -> float:
    """1/(10√(θn)): the paper's bound on |q₁| that some normalised row of Y reaches with high probability.

    Rows where x₀ is nonzero have q₁ ≈ (1/√θ)/√(n − 1 + 1/θ), which is larger for θ ≥ 1/n.
    """
    return float(1.0 / (10.0 * np.sqrt(checked_share(theta) * checked_dim(dim))))


def far_cosine(theta: float) -> float:
    """3√θ (at most 1): where the paper's gap argument hands over to its safe region."""
    return float(min(1.0, 3.0 * np.sqrt(checked_share(theta))))


def safe_cosine(theta: float) -> float:
    """2√θ (at most 1): an ADM step from |q₁| ≥ 3√θ stays above it, and rounding from above it is exact.

    The mean step keeps it for θ ≤ 1/4 (`expected_step`); for the exact edge of rounding see `rounding_basin`.
    """
    return float(min(1.0, 2.0 * np.sqrt(checked_share(theta))))


def gap_region(theta: float, dim: int) -> tuple[float, float]:
    """Γ of the paper, as the interval of |q₁| from 1/(10√(θn)) to 3√θ."""
    return start_bound(theta, dim), far_cosine(theta)


def gap_bound(q1: ArrayLike, theta: float) -> FloatArray:
    """q₁²/(50θ), a lower bound on p·Ḡ (`expected_gap` at threshold 1) for |q₁| ≤ 3√θ.

    Checked against the closed form: it holds for θ ≤ 1/4 with ones and θ ≤ .9 with Gaussian nonzeros. For
    small q₁ the exact factor is `gap_curvature`, about 1/12.4 (ones, θ → 0) instead of 1/50.
    """
    return checked_cosine(q1) ** 2 / (50.0 * checked_share(theta))


def uniform_gap_bound(theta: float, dim: int) -> float:
    """1/(10⁴θ²n), a lower bound on p·G over Γ: half of `gap_bound` at its inner rim.

    The other half is left to the deviation of G from its mean, which the paper shows to be that small for
    p of the order n⁴ log n.
    """
    share = checked_share(theta)
    return float(gap_bound(min(1.0, start_bound(share, dim)), share) / 2.0)


def rounding_basin(theta: float, values: Values = "ones") -> float:
    """Smallest |r₁| from which min ‖Yq‖₁ s.t. ⟨r, q⟩ = 1 returns the planted vector, as p/n → ∞.

    The multiple of e₁ is optimal exactly when E|ξ|·‖r₂‖/|r₁| ≤ (1 − θ)·√(2/π): moving by d costs
    (1 − θ)√(2/π)‖d₂‖ off the support and gains at most E|ξ|·|d₁| on it. With E|ξ| = √θ for ones and √(2θ/π)
    for Gaussian nonzeros, tan of the smallest angle to the equator is √(πθ/2)/(1 − θ) and √θ/(1 − θ).
    Derived here; below the paper's sufficient 2√θ for θ ≤ .34 (ones).
    """
    share = checked_share(theta)
    if share == 1.0:
        return 1.0
    slope = np.sqrt(share) / (1.0 - share) * (1.0 if is_gaussian(values) else np.sqrt(np.pi / 2.0))
    return float(slope / np.hypot(1.0, slope))


def stable_threshold(theta: float, values: Values = "ones") -> float:
    """Largest threshold λ√p at which the ADM's mean map is attracted by the planted vector itself.

    The gap at q₁ = 1 is 1 − τ√θ − θ for ones, so (1 − θ)/√θ; at τ = 1 that asks for θ < .382. Gaussian
    nonzeros: (1 − θ)·P(|ξ| > τ) is positive whatever τ, so ∞. Derived here.
    """
    share = checked_share(theta)
    return float(np.inf) if is_gaussian(values) else float((1.0 - share) / np.sqrt(share))
