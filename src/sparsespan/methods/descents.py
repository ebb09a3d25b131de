"""Subgradient descents of many points at once, with step lengths that shrink geometrically."""

from __future__ import annotations

import numpy as np

from ..subspace import Subspace
from ..watch import Watch
from .alternating import Limits, merge

__all__ = ["descents"]

_FIRST, _RATIO = 0.02, 0.85  # step length, and the factor from one step to the next
_SAME = 1e-3  # 1 − |cos| of ends taken for one: they have not quite arrived


def descents(subspace: Subspace, limits: Limits, steps: int, watch: Watch) -> Limits:
    """
    Riemannian subgradient steps of ‖Yq‖₁ from all limits together, q ← q − μβᵏ(I − qqᵀ)Yᵀsign(Yq), normalised.

    It takes away the bias of the limits of a smoothed norm: where they belong to an exactly sparse vector they come
    so near to it that its zeros are the smallest entries.

    Parameters
    ----------
    subspace : Subspace
        Its rows' precision is the precision of the steps.
    limits : Limits
    steps : int
    watch : Watch

    Returns
    -------
    Limits
        Merged, by ascending ‖Yq‖₁.
    """
    points, length = limits.points.astype(subspace.dtype), _FIRST
    for _ in range(steps):
        if watch.expired:
            break
        slope = subspace.reduce(np.sign, points)
        slope -= points * np.einsum("ij,ij->j", points, slope)
        points = points - (length * slope).astype(points.dtype)
        points /= np.sqrt(np.einsum("ij,ij->j", points, points))
        length *= _RATIO
    exact = points.astype(np.float64)
    exact /= np.linalg.norm(exact, axis=0)
    norms = np.abs(subspace.vectors(exact)).sum(axis=0)
    order = np.argsort(norms, kind="stable")
    labels = [limits.labels[index] for index in order]
    return merge(exact[:, order], labels, limits.steps[order] + steps, _SAME, limits.multiplicity[order])
