"""Newton's method on the sphere for a smoothed ℓ¹ norm whose smoothing shrinks: for flat valleys with many rows."""

from __future__ import annotations

import math

import numpy as np

from ..arrays import FloatArray
from ..subspace import Subspace

__all__ = ["newton"]

_FIRST_WIDTH, _LAST_WIDTH, _SHRINK = 0.3, 1e-4, 0.3  # of the smoothing, relative to the mean magnitude
_STEPS = 12  # at each width
_SUFFICIENT = 1e-4
_NEGLIGIBLE = 1e-5  # rows whose curvature is smaller than this share of the largest are left out of the Hessian


def newton(subspace: Subspace, point: FloatArray) -> tuple[FloatArray, int]:
    """
    Minimise Σ√(z_i² + w²), z = Yq, on the sphere, for a width w that falls to a ten-thousandth of the mean |z_i|.

    Where many rows lie close to zero (p ≫ n, no exactly sparse vector) the ℓ¹ norm looks smooth from afar and
    subgradient steps stall; second-order steps do not.

    Parameters
    ----------
    subspace : Subspace
    point : ndarray, shape (n,)
        Unit vector.

    Returns
    -------
    point : ndarray, shape (n,)
        Unit vector with ‖Yq‖₁ near a local minimum, not yet at its vertex.
    steps : int
    """
    values = subspace.vectors(point)
    width, scale, steps = _FIRST_WIDTH, float(np.abs(values).mean()), 0
    while width > _LAST_WIDTH:
        for _ in range(_STEPS):
            moved = _step(subspace, point, values, width * scale)
            steps += 1
            if moved is None:
                break
            point, values = moved
        width *= _SHRINK
    return point, steps


def _step(
    subspace: Subspace, point: FloatArray, values: FloatArray, width: float
) -> tuple[FloatArray, FloatArray] | None:
    """One damped Newton step; None where it gains nothing more at this width."""
    lengths = np.sqrt(values * values + width * width)
    slope = subspace.adjoint(values / lengths)
    along = float(point @ slope)
    slope -= along * point
    curvature = width * width / lengths**3
    near = np.flatnonzero(curvature > _NEGLIGIBLE * curvature.max())
    rows = subspace.take(near)
    direction = _direction((rows * curvature[near, None]).T @ rows, along, point, slope)
    gain = float(slope @ direction)
    change, objective = subspace.vectors(direction), float(lengths.sum())
    for halvings in range(20):
        step = 0.5**halvings
        moved = point + step * direction
        scale = 1.0 / math.sqrt(float(moved @ moved))
        trial = (values + step * change) * scale
        reached = float(np.sqrt(trial * trial + width * width).sum())
        if reached < objective + _SUFFICIENT * step * gain:
            return (moved * scale, trial) if objective - reached > 1e-9 * objective else None
    return None


def _direction(hessian: FloatArray, along: float, point: FloatArray, slope: FloatArray) -> FloatArray:
    """Newton direction in the tangent plane, with the spectrum of the Riemannian Hessian made positive."""
    size = len(point)
    tangent = np.eye(size) - np.outer(point, point)
    values, vectors = np.linalg.eigh(tangent @ hessian @ tangent - along * tangent)
    floor = 1e-3 * float(np.abs(values).max())
    coordinates = vectors.T @ slope
    direction = -vectors @ (coordinates / np.maximum(np.abs(values), floor))
    direction -= point * float(point @ direction)
    length = float(np.linalg.norm(direction))
    return np.asarray(direction * min(1.0, 0.5 / length) if length else direction)
