"""The protocol of the paper's phase diagrams: alternating directions from every row, a success test, early ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from ..certificates import in_basin
from ..errors import RoundingFailed
from ..methods.alternating import Limits, iterate, shrink_step
from ..rounding import Vertex, round_to_vertex
from ..starts import Points, Rows
from ..subspace import Subspace
from ..watch import Watch

__all__ = ["EXACT", "POSTED", "Followed", "follow", "follow_all", "rounds_to"]

# Of the authors' posted code: a start has converged when it moves by 1e-5, after 5000 steps at most; it has succeeded
# when 1 − |⟨q, q₀⟩| ≤ 1e-4. Nothing is rounded there. EXACT is the test of this package, after rounding: the distance
# of the vectors.
_TOL, _MAX_ITER, POSTED, EXACT = 1e-5, 5000, 1e-4, 1e-6

_FIRST, _GROWTH = 32, 4  # rows of the first batch; each later one has so many times more
_ARRIVED = 1e-5  # 1 − |cos| to the fixed point at the truth: no other one is so near
_STAYS = 0.9  # |cos| to the truth of the fixed point that ADM reaches from there, if there is one at the truth
_TESTED, _ROUNDED = 16, 3  # limits nearest to the truth: basin tests, and programs where no such test is conclusive


@dataclass(frozen=True, slots=True)
class Followed:
    """
    What the starts of one instance did.

    Attributes
    ----------
    posted : bool
        Some limit passes the posted test.
    exact : bool
        The rounding program of some limit returns the planted vector, to 1e-6.
    starts, steps : int
        Rows from which the iteration was run, and the most steps of one.
    cosine : float
        Largest |⟨q, q₀⟩| of a limit.
    """

    posted: bool
    exact: bool
    starts: int
    steps: int
    cosine: float


def follow(subspace: Subspace, truth: FloatArray, vertex: Vertex | None) -> Followed:
    """
    Run the posted protocol on a planted instance until a start reaches the truth, or all have converged.

    The fixed point at the truth is computed first. A start that reaches it needs no further steps, and both tests are
    decided there; where ADM leaves the truth there is none, and all rows are followed to the end.

    Parameters
    ----------
    subspace : Subspace
    truth : ndarray, shape (n,)
        q₀, unit coordinates of the planted vector.
    vertex : Vertex or None
        The planted vector as a vertex, where it is one.
    """
    target = _iterate(subspace, Points(truth[:, None], ["truth"])).points[:, 0]
    stays = abs(float(target @ truth)) > _STAYS

    def arrived(points: FloatArray) -> bool:
        return stays and bool((np.abs(target @ points) > 1.0 - _ARRIVED).any())

    ends, steps, starts = [], 0, 0
    for batch in _rows_in_batches(subspace):
        limits = _iterate(subspace.single, batch, arrived)
        ends.append(limits.points)
        steps, starts = max(steps, int(limits.steps.max())), starts + len(batch)
        if arrived(limits.points):
            ends.append(target[:, None])
            break
    points = np.hstack(ends)
    points = points[:, np.argsort(-np.abs(truth @ points), kind="stable")]
    cosine = min(1.0, abs(float(truth @ points[:, 0])))
    exact = vertex is not None and rounds_to(subspace, vertex, points[:, :_TESTED], _ROUNDED)
    return Followed(1.0 - cosine <= POSTED, exact, starts, steps, cosine)


def follow_all(subspace: Subspace) -> Limits:
    """Run the posted protocol from all rows to the end."""
    return _iterate(subspace.single, Rows().points(subspace, np.random.default_rng(0)))


def _rows_in_batches(subspace: Subspace) -> Iterator[Points]:
    """All normalised rows, a few first: where a good share of them leads to the truth, the others are not needed."""
    points = Rows().points(subspace, np.random.default_rng(0))  # all rows: nothing is drawn
    first, size = 0, _FIRST
    while first < len(points):
        yield points.pick(range(first, min(first + size, len(points))))
        first, size = first + size, size * _GROWTH


def _iterate(subspace: Subspace, starts: Points, arrived: Callable[[FloatArray], bool] = lambda _: False) -> Limits:
    """ADM from a batch, until all have converged or one has arrived."""
    threshold, there = 1.0 / math.sqrt(subspace.size), [False]

    def step(points: FloatArray) -> FloatArray:
        moved = shrink_step(subspace, points, threshold, shifted=False)
        there[0] = arrived(moved)
        return moved

    here = Points(starts.points.astype(subspace.dtype), starts.labels)
    return iterate(step, here, _TOL, _MAX_ITER, Watch(interrupted=lambda: there[0]))


def rounds_to(subspace: Subspace, vertex: Vertex, points: FloatArray, programs: int) -> bool:
    """Whether one of some points (n×K) rounds to a vertex: by the basin test, else by programs at the first ones."""
    anchors = np.ascontiguousarray(points.T)
    if any(in_basin(subspace, vertex, anchor) for anchor in anchors):
        return True
    for anchor in anchors[:programs]:
        try:
            vector = round_to_vertex(subspace, anchor).vector
        except RoundingFailed:
            continue
        if min(np.linalg.norm(vector - vertex.vector), np.linalg.norm(vector + vertex.vector)) <= EXACT:
            return True
    return False
