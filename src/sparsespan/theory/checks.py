"""Checks of the arguments that the theory's functions share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InvalidInput

if TYPE_CHECKING:
    from ..arrays import FloatArray

__all__ = ["checked_cosine", "checked_dim", "checked_share", "checked_threshold", "is_gaussian"]


def checked_cosine(q1: object) -> FloatArray:
    """Return planted cosines as float64, all of them in [−1, 1]."""
    cosine = np.asarray(q1, dtype=np.float64)
    if not (np.abs(cosine) <= 1.0).all():
        worst = cosine.flat[np.argmax(~(np.abs(cosine) <= 1.0))]
        msg = f"`q1` must lie in [-1, 1]; got {worst}. It is the planted coordinate of a unit vector."
        raise InvalidInput(msg)
    return cosine


def checked_share(theta: float) -> float:
    """Return the share of nonzeros, in (0, 1]."""
    if not 0.0 < theta <= 1.0:
        msg = f"`theta` must lie in (0, 1]; got {theta}. It is the share of nonzeros, k/p."
        raise InvalidInput(msg)
    return float(theta)


def checked_threshold(threshold: float) -> float:
    """Return the threshold λ√p, positive and finite."""
    if not (threshold > 0.0 and np.isfinite(threshold)):
        msg = f"`threshold` must be positive and finite; got {threshold}. It is λ√p, 1 in the paper."
        raise InvalidInput(msg)
    return float(threshold)


def checked_dim(dim: int) -> int:
    """Return the dimension of the subspace, at least 1."""
    if dim < 1:
        msg = f"`dim` must be at least 1; got {dim}."
        raise InvalidInput(msg)
    return int(dim)


def is_gaussian(values: str) -> bool:
    """Tell Gaussian nonzeros from those of one magnitude; anything else is refused."""
    if values not in ("ones", "signs", "gaussian"):
        msg = f"`values` must be 'ones', 'signs' or 'gaussian'; got {values!r}."
        raise InvalidInput(msg)
    return values == "gaussian"
