"""Projected subgradient descent of ‖Yq‖₁ on the sphere with monotone backtracking (Zhu et al. 2018)."""

from __future__ import annotations

import math

import numpy as np

from ..arrays import FloatArray
from ..subspace import Subspace

__all__ = ["descend"]

_FIRST_STEP = 1e-2
_SUFFICIENT = 1e-3
_LAST_STEP = 1e-15


def descend(subspace: Subspace, point: FloatArray, max_iter: int = 1000) -> tuple[FloatArray, int]:
    """
    Follow projected subgradients until the step length has shrunk to rounding.

    The step length never grows: near a sharp minimum its halvings give linear convergence. The objective never
    rises.

    Parameters
    ----------
    subspace : Subspace
    point : ndarray, shape (n,)
        Unit start.
    max_iter : int
        Most steps.

    Returns
    -------
    point : ndarray, shape (n,)
    steps : int
    """
    values = subspace.vectors(point)
    objective = float(np.abs(values).sum())
    length = _FIRST_STEP
    for step in range(max_iter):
        slope = subspace.adjoint(np.sign(values))
        change = subspace.vectors(slope)
        decrease = _SUFFICIENT * float(slope @ slope)
        while True:
            moved = point - length * slope
            scale = 1.0 / math.sqrt(float(moved @ moved))
            trial = values - length * change
            reached = float(np.abs(trial).sum()) * scale
            if reached <= objective - length * decrease:
                break
            length *= 0.5
            if length < _LAST_STEP:
                return point, step
        point, objective = moved * scale, reached
        values = trial * scale
    return point, max_iter
