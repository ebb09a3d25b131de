"""The ADM with its map replaced by the mean: one number, the planted cosine, goes from step to step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InvalidInput
from .checks import checked_cosine
from .population import expected_step

if TYPE_CHECKING:
    from ..arrays import FloatArray
    from ..models import Values

__all__ = ["cosine_path", "steps_to"]


def cosine_path(start: float, theta: float, steps: int, values: Values = "ones", threshold: float = 1.0) -> FloatArray:
    """Planted cosines of `steps` mean ADM steps from `start`, the start included: (steps + 1,)."""
    if steps < 0:
        msg = f"`steps` must not be negative; got {steps}."
        raise InvalidInput(msg)
    path = np.empty(steps + 1)
    path[0] = checked_cosine(start)
    for step in range(steps):
        path[step + 1] = expected_step(path[step], theta, values, threshold)
    return path


def steps_to(
    target: float,
    start: float,
    theta: float,
    values: Values = "ones",
    threshold: float = 1.0,
    max_iter: int = 10_000,
) -> int | None:
    """Mean ADM steps from |q₁| = |`start`| to |q₁| ≥ `target`; None if `max_iter` steps do not get there."""
    cosine = abs(float(checked_cosine(start)))
    for step in range(max_iter + 1):
        if cosine >= target:
            return step
        cosine = float(expected_step(cosine, theta, values, threshold))
    return None
