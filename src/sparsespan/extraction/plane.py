"""The best rotation of two vectors within their plane, found exactly."""

from __future__ import annotations

import math

import numpy as np

from ..arrays import FloatArray

__all__ = ["best_angle"]


def best_angle(first: FloatArray, second: FloatArray) -> tuple[float, float]:
    """
    Minimise ‖cos φ·u + sin φ·v‖₁ + ‖cos φ·v − sin φ·u‖₁ over φ, globally.

    With (u_i, v_i) = ρ_i (cos α_i, sin α_i) row i adds ρ_i (|cos(φ − α_i)| + |sin(φ − α_i)|), which has period π/2 and
    is concave between the angles at which an entry vanishes. So the minimum is at one of those, and prefix sums over
    the sorted angles give all values at once.

    Parameters
    ----------
    first, second : ndarray, shape (p,)
        u and v.

    Returns
    -------
    angle : float
        φ in [0, π/2).
    value : float
        The sum there.
    """
    radius = np.hypot(first, second)
    angles = np.arctan2(second, first) % (math.pi / 2)
    order = np.argsort(angles, kind="stable")
    angles, radius = angles[order], radius[order]
    cosines, sines = radius * np.cos(angles), radius * np.sin(angles)
    below_cosines, below_sines = np.cumsum(cosines), np.cumsum(sines)
    along = np.cos(angles) * below_cosines[-1] + np.sin(angles) * below_sines[-1]
    # Σ over β_i ≤ φ of ρ_i sin(φ − β_i), less the same sum over β_i > φ.
    across = np.sin(angles) * (2 * below_cosines - below_cosines[-1]) - np.cos(angles) * (
        2 * below_sines - below_sines[-1]
    )
    values = along + across
    best = int(np.argmin(values))
    return float(angles[best]), float(values[best])
