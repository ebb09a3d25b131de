"""What the update map, its gap and the Huber loss are on average under the planted model. Closed forms.

The model is the paper's: Ȳ = [x₀ | G] (p×n), x₀ with independent entries that are nonzero with probability
θ and of mean square 1/p, G with entries N(0, 1/p). Everything here is rescaled by √p a row, so that p
disappears: a row is (ξ, g) with E ξ² = 1 and g ~ N(0, I), the threshold is ``threshold`` = τ = λ√p (1 in the
paper, λ = 1/√p), and expectations of Q are told as p·E Q. A point of the sphere is described by its planted
coordinate q₁ = cos of the angle to the planted vector; nothing else of it matters.

``values`` says what the nonzeros are: "ones" 1/√(θp) (the paper's text), "signs" ±1/√(θp) (the same
formulas), or "gaussian" N(0, 1/(θp)) (the authors' posted experiments).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .checks import checked_cosine, checked_share, checked_threshold, is_gaussian
from .gaussian import active_probability, excess_energy, shrunk_mean

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..arrays import FloatArray
    from ..models import Values

__all__ = ["expected_gap", "expected_huber", "expected_q1", "expected_q2", "expected_step", "gap_curvature"]


def _components(
    q1: ArrayLike, theta: float, values: Values, threshold: float
) -> tuple[FloatArray, float, bool, FloatArray, FloatArray, FloatArray]:
    """Check all; z = ξq₁ + gᵀq₂ is N(mean, wide²) where x₀ is nonzero and N(0, narrow²) elsewhere."""
    cosine, share = checked_cosine(q1), checked_share(theta)
    checked_threshold(threshold)
    narrow = np.sqrt((1.0 - cosine) * (1.0 + cosine))
    scaled = cosine / np.sqrt(share)
    if is_gaussian(values):
        return cosine, share, True, np.zeros_like(cosine), np.hypot(scaled, narrow), narrow
    return cosine, share, False, scaled, narrow, narrow


def expected_q1(q1: ArrayLike, theta: float, values: Values = "ones", threshold: float = 1.0) -> FloatArray:
    """p·E Q̄₁, the planted coordinate of Q(q) = (1/p) Σ yᵢ S_λ(yᵢᵀq), at planted cosines `q1` (any shape).

    Ones: √θ·E S(q₁/√θ + σZ), σ² = 1 − q₁². Gaussian: q₁·P(|sZ| > τ), s² = σ² + q₁²/θ, by Stein's identity.
    The paper's appendix has the first; both derived here.
    """
    cosine, share, gaussian, mean, wide, _ = _components(q1, theta, values, threshold)
    if gaussian:
        return cosine * active_probability(mean, wide, threshold)
    return float(np.sqrt(share)) * shrunk_mean(mean, wide, threshold)


def expected_q2(q1: ArrayLike, theta: float, values: Values = "ones", threshold: float = 1.0) -> FloatArray:
    """Factor c in p·E Q̄₂ = c·q₂, the other n − 1 coordinates of Q(q), at planted cosines `q1`.

    c = P(|yᵀq| > λ), by Stein's identity: θ·P(|z| > τ) where x₀ is nonzero + (1 − θ)·P(|σZ| > τ).
    The paper's appendix has it for ones; derived here.
    """
    _, share, _, mean, wide, narrow = _components(q1, theta, values, threshold)
    on, off = active_probability(mean, wide, threshold), active_probability(0.0, narrow, threshold)
    return share * on + (1.0 - share) * off


def expected_gap(q1: ArrayLike, theta: float, values: Values = "ones", threshold: float = 1.0) -> FloatArray:
    """p·Ḡ, the paper's gap G(q) = Q₁/q₁ − ‖Q₂‖/‖q₂‖ with both maps replaced by their means.

    Positive: on average a step turns q towards the planted vector. At q₁ = 0 it is 0, its limit. Gaussian:
    2(1 − θ)[Φ(−τ/s) − Φ(−τ/σ)], positive everywhere since s > σ; derived here.
    """
    cosine = checked_cosine(q1)
    first, rest = expected_q1(q1, theta, values, threshold), expected_q2(q1, theta, values, threshold)
    ratio: FloatArray = np.divide(first, cosine, out=np.array(rest), where=np.abs(cosine) > 0)
    return ratio - rest


def gap_curvature(theta: float, values: Values = "ones", threshold: float = 1.0) -> float:
    """Limit of p·Ḡ/q₁² at q₁ → 0: (E ξ⁴ − 3)·τφ(τ)/3, E ξ⁴ = 1/θ for ones and 3/θ for Gaussian nonzeros.

    Derived here. For ones it changes sign at θ = 1/3: beyond, the map pushes small q₁ back to zero whatever
    the threshold.
    """
    share = checked_share(theta)
    checked_threshold(threshold)
    fourth = (3.0 if is_gaussian(values) else 1.0) / share
    density = np.exp(-0.5 * threshold * threshold) / np.sqrt(2.0 * np.pi)
    return float((fourth - 3.0) * threshold * density / 3.0)


def expected_huber(q1: ArrayLike, theta: float, values: Values = "ones", threshold: float = 1.0) -> FloatArray:
    """Asymptotic objective of the ADM, p → ∞: E[z²/2 − (|z| − τ)₊²/2] = τ·E huber_τ(z), z = √p·yᵀq.

    The Huber function here is z²/(2τ) up to τ and |z| − τ/2 beyond. On the sphere E z² = 1. Its gradient on
    the sphere is −(I − qqᵀ)·p·E Q̄(q), so the ADM descends on it. Derived here.
    """
    _, share, _, mean, wide, narrow = _components(q1, theta, values, threshold)
    on, off = excess_energy(mean, wide, threshold), excess_energy(0.0, narrow, threshold)
    return 0.5 - 0.5 * (share * on + (1.0 - share) * off)


def expected_step(q1: ArrayLike, theta: float, values: Values = "ones", threshold: float = 1.0) -> FloatArray:
    """Planted cosine after one ADM step with the map replaced by its mean: E Q̄₁/√(E Q̄₁² + ‖E Q̄₂‖²).

    NaN where the mean map is zero: no row passes the threshold.
    """
    cosine = checked_cosine(q1)
    first = expected_q1(q1, theta, values, threshold)
    rest = expected_q2(q1, theta, values, threshold) * np.sqrt((1.0 - cosine) * (1.0 + cosine))
    length = np.hypot(first, rest)
    return np.divide(first, length, out=np.full_like(length, np.nan), where=length > 0)
