"""The alternating-directions iteration of Algorithm 1, for all starts at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray, IntArray
from ..starts import Points
from ..subspace import Subspace
from ..watch import Watch

__all__ = ["Limits", "alternate", "iterate", "merge", "shrink_step", "unit_step"]

# Columns leave the batch when this share of them has converged: repacking costs as much as a step.
_REPACK = 0.9
_SAME = 1e-6  # 1 − |cos| of points taken for one


@dataclass(frozen=True, slots=True, eq=False)
class Limits:
    """
    Where the starts of a batch ended.

    Attributes
    ----------
    points : ndarray, shape (n, K)
        Distinct limits, unit columns.
    labels : list of str
        The first start that led to each.
    steps : ndarray of int, shape (K,)
        Its iterations.
    multiplicity : ndarray of int, shape (K,)
        How many starts led there.
    """

    points: FloatArray
    labels: list[str]
    steps: IntArray
    multiplicity: IntArray

    def pick(self, columns: IntArray) -> Limits:
        """Some of the limits, in the order of ``columns``."""
        return Limits(
            np.ascontiguousarray(self.points[:, columns]),
            [self.labels[i] for i in columns],
            self.steps[columns],
            self.multiplicity[columns],
        )


def merge(
    points: FloatArray, labels: list[str], steps: IntArray, tolerance: float = _SAME, starts: IntArray | None = None
) -> Limits:
    """Merge points equal up to sign, the first of each group stands for it; each stands for one start or ``starts``."""
    weights = np.ones(points.shape[1], dtype=np.intp) if starts is None else starts
    remaining = np.arange(points.shape[1])
    kept: list[int] = []
    counts: list[int] = []
    while remaining.size:
        first = int(remaining[0])
        same = 1.0 - np.abs(points[:, first] @ points[:, remaining]) <= tolerance
        same[0] = True
        kept.append(first)
        counts.append(int(weights[remaining[same]].sum()))
        remaining = remaining[~same]
    return Limits(
        np.ascontiguousarray(points[:, kept]),
        [labels[i] for i in kept],
        steps[kept],
        np.array(counts, dtype=np.intp),
    )


def shrink_step(subspace: Subspace, points: FloatArray, threshold: float, *, shifted: bool) -> FloatArray:
    """Q ← Yᵀ S_λ(Yq) normalised; shifted as in FastICA by the mean slope of S_λ, the share of active rows."""
    sums = subspace.shrink(points, threshold)
    moved: FloatArray = sums.adjoint  # type: ignore[assignment]  # of the precision of the rows
    if shifted:
        moved = moved - points * (sums.active / subspace.size).astype(points.dtype)
    return unit_step(points, moved)


def unit_step(points: FloatArray, moved: FloatArray) -> FloatArray:
    """Normalise what an iteration made of each point, with the sign that keeps it near; a vanished column stays."""
    lengths = np.sqrt(np.einsum("ij,ij->j", moved, moved))
    alive = lengths > 0  # where the threshold swallows the whole vector the point stays
    moved = np.divide(moved, lengths, out=points.copy(), where=alive)
    flipped: FloatArray = np.where(np.einsum("ij,ij->j", moved, points) < 0, -moved, moved)
    return flipped


def alternate(
    subspace: Subspace,
    starts: Points,
    threshold: float,
    *,
    tol: float,
    max_iter: int,
    shifted: bool = False,
    watch: Watch,
) -> Limits:
    """
    Alternate directions from all starts together until each stands still.

    Parameters
    ----------
    subspace : Subspace
        Its rows' precision is the precision of the iteration.
    starts : Points
    threshold : float
        λ, absolute.
    tol : float
        A column has converged when ‖q⁺ − q‖ ≤ tol.
    max_iter : int
        Most steps.
    shifted : bool
        FastICA's fixed point with S_λ instead of the plain one: fewer steps, not monotone.
    watch : Watch

    Returns
    -------
    Limits
        Merged up to sign.
    """
    here = Points(starts.points.astype(subspace.dtype), starts.labels)
    return iterate(lambda q: shrink_step(subspace, q, threshold, shifted=shifted), here, tol, max_iter, watch)


def iterate(
    step: Callable[[FloatArray], FloatArray], starts: Points, tol: float, max_iter: int, watch: Watch
) -> Limits:
    """
    Iterate a fixed-point map on the columns of a batch until each stands still.

    Parameters
    ----------
    step : callable
        Maps unit columns (n, k) to unit columns, each for itself.
    starts : Points
        Their precision is the precision of the iteration.
    tol, max_iter, watch
        As for `alternate`.

    Returns
    -------
    Limits
        Merged up to sign.
    """
    final = starts.points.copy()
    points, active = final, np.arange(len(starts))
    steps = np.zeros(len(starts), dtype=np.intp)
    for count in range(1, max_iter + 1):
        if not active.size or watch.expired:
            break
        moved = step(points)
        change = np.sqrt(np.einsum("ij,ij->j", moved - points, moved - points))
        points, going = moved, change > tol
        steps[active] = count
        if np.count_nonzero(going) <= _REPACK * active.size:
            final[:, active] = points
            points, active = np.ascontiguousarray(points[:, going]), active[going]
    final[:, active] = points
    unit = final.astype(np.float64)
    unit /= np.linalg.norm(unit, axis=0)
    return merge(unit, starts.labels, steps, max(_SAME, math.sqrt(len(unit)) * tol * tol))
