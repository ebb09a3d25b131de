"""The asymptotic Huber loss on the sphere, its critical points, and what is needed to draw both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.optimize import brentq

from ..arrays import frozen
from ..errors import InvalidInput
from ..theory import expected_gap, expected_huber

if TYPE_CHECKING:
    from ..arrays import FloatArray
    from ..models import Values

__all__ = ["CriticalSet", "Landscape", "landscape"]

_SCAN = 4001  # cosines between equator and pole at which the sign of the slope is looked at
_FLAT = 1e-13  # a slope this small has no sign

Kind = Literal["minimum", "maximum", "saddle", "flat"]


@dataclass(frozen=True, slots=True)
class CriticalSet:
    """
    Where the gradient on the sphere vanishes: a pole ±e₁, or all points of one planted cosine.

    The loss depends on q₁ alone. So off the poles critical points are not single: on S² they fill circles of
    latitude, along which the loss is constant.

    Attributes
    ----------
    cosine : float
        The planted coordinate q₁.
    kind : {"minimum", "maximum", "saddle", "flat"}
        What the loss does across the set: rises to both sides, falls, passes through, or stays.
    loss : float
    curvature : float
        Second derivative of the loss along a meridian. At the equator it vanishes; the fourth order decides.
    """

    cosine: float
    kind: Kind
    loss: float
    curvature: float

    @property
    def shape(self) -> Literal["point", "circle"]:
        """A pole is a point, anything else a circle."""
        return "point" if abs(self.cosine) == 1.0 else "circle"


@dataclass(frozen=True, slots=True, eq=False)
class Landscape:
    """
    The asymptotic Huber loss of the ADM over S², with the planted vector at ±e₁.

    Attributes
    ----------
    theta, values, threshold
        Share and law of the nonzeros; λ√p.
    azimuth : ndarray, shape (2m,)
        Around the planted axis, radians, both ends of the turn included.
    polar : ndarray, shape (m,)
        Angle from e₁, radians, 0 to π.
    loss : ndarray, shape (m, 2m)
        On the grid of the two.
    height : ndarray, shape (s, s)
        The loss over a hemisphere, projected to the unit disc [−1, 1]²; NaN outside.
    up : int
        Which coordinate points out of the disc: 0 puts e₁ at its centre, 1 or 2 on its rim.
    critical : tuple of CriticalSet
        From e₁ to −e₁.
    """

    theta: float
    values: Values
    threshold: float
    azimuth: FloatArray
    polar: FloatArray
    loss: FloatArray
    height: FloatArray
    up: int
    critical: tuple[CriticalSet, ...]

    @property
    def points(self) -> FloatArray:
        """Unit vectors of the grid, (3, m, 2m)."""
        polar, azimuth = np.meshgrid(self.polar, self.azimuth, indexing="ij")
        return np.stack([np.cos(polar), np.sin(polar) * np.cos(azimuth), np.sin(polar) * np.sin(azimuth)])


def landscape(
    theta: float = 0.4,
    values: Values = "gaussian",
    threshold: float = 1.0,
    *,
    resolution: int = 91,
    up: int = 0,
) -> Landscape:
    """
    Evaluate the asymptotic Huber loss on S² and find its critical points (the paper's Fig. 6).

    With Gaussian nonzeros the loss has its minima at ±e₁ and its maxima on the equator, whatever θ and the
    threshold. With nonzeros of one magnitude that holds for θ < 1/3 and thresholds below `stable_threshold`;
    at θ = .4 and λ = 1/√p it is the other way round.

    Parameters
    ----------
    theta, values, threshold
        Share and law of the nonzeros; λ√p, 1 in the paper.
    resolution : int
        m: polar angles; twice as many azimuths; the disc is 2m − 1 wide.
    up : {0, 1, 2}
        Which coordinate points out of the projected disc.

    Returns
    -------
    Landscape
    """
    if resolution < 3:
        msg = f"`resolution` must be at least 3; got {resolution}."
        raise InvalidInput(msg)
    if up not in (0, 1, 2):
        msg = f"`up` must be 0, 1 or 2; got {up}. 0 puts the planted vector at the centre of the disc."
        raise InvalidInput(msg)
    polar = np.linspace(0.0, np.pi, resolution)
    azimuth = np.linspace(0.0, 2.0 * np.pi, 2 * resolution)
    ring = expected_huber(np.cos(polar), theta, values, threshold)
    loss = np.repeat(ring[:, None], azimuth.size, axis=1)
    height = _projected(2 * resolution - 1, up, theta, values, threshold)
    critical = _critical_sets(theta, values, threshold)
    return Landscape(
        theta=theta,
        values=values,
        threshold=threshold,
        azimuth=frozen(azimuth),
        polar=frozen(polar),
        loss=frozen(loss),
        height=frozen(height),
        up=up,
        critical=critical,
    )


def _projected(size: int, up: int, theta: float, values: Values, threshold: float) -> FloatArray:
    across, along = np.meshgrid(np.linspace(-1, 1, size), np.linspace(-1, 1, size))
    squared = across**2 + along**2
    inside = squared <= 1.0 + 1e-12
    cosine = np.sqrt(np.maximum(0.0, 1.0 - squared)) if up == 0 else across
    height = np.full(squared.shape, np.nan)
    height[inside] = expected_huber(np.clip(cosine[inside], -1, 1), theta, values, threshold)
    return height


def _critical_sets(theta: float, values: Values, threshold: float) -> tuple[CriticalSet, ...]:
    """Roots of the gap between equator and pole, both ends themselves, and their mirror images."""

    def gap(cosine: float) -> float:
        return float(expected_gap(cosine, theta, values, threshold))

    scan = np.linspace(0.0, 1.0, _SCAN)[1:-1]
    signs = _signs(expected_gap(scan, theta, values, threshold))
    turns = np.flatnonzero(signs[1:] * signs[:-1] < 0)
    roots = [float(brentq(gap, scan[turn], scan[turn + 1], xtol=1e-15)) for turn in turns]
    # The slope along the angle from e₁ is q₁√(1−q₁²)·gap: where the gap is negative, downhill is the equator.
    around = {0.0: (-signs[0], -signs[0]), 1.0: (signs[-1], signs[-1])}
    around |= {root: (-signs[turn + 1], signs[turn]) for root, turn in zip(roots, turns, strict=True)}
    upper = [_set(cosine, around[cosine], theta, values, threshold) for cosine in sorted(around, reverse=True)]
    lower = [CriticalSet(-s.cosine, s.kind, s.loss, s.curvature) for s in reversed(upper[:-1])]
    return (*upper, *lower)


def _signs(slopes: FloatArray) -> FloatArray:
    return np.where(np.abs(slopes) > _FLAT, np.sign(slopes), 0.0)


def _set(cosine: float, around: tuple[float, float], theta: float, values: Values, threshold: float) -> CriticalSet:
    """Build the set from what the loss does on its two sides: +1 rises, −1 falls."""
    names: dict[tuple[float, float], Kind] = {(1, 1): "minimum", (-1, -1): "maximum", (0, 0): "flat"}
    kind = names.get((float(around[0]), float(around[1])), "saddle")
    loss = float(expected_huber(cosine, theta, values, threshold))
    return CriticalSet(cosine, kind, loss, _curvature(cosine, theta, values, threshold))


def _curvature(cosine: float, theta: float, values: Values, threshold: float) -> float:
    """d²/dt² of the loss at q₁ = cos t, from its slope q₁√(1−q₁²)·gap; the gap itself at a pole."""
    if abs(cosine) == 1.0:
        return float(expected_gap(cosine, theta, values, threshold))
    step = 1e-5
    angles = np.arccos(cosine) + np.array([-step, step])
    near = np.cos(angles)
    slopes = near * np.sin(angles) * expected_gap(near, theta, values, threshold)
    return float((slopes[1] - slopes[0]) / (2.0 * step))
