"""Orthogonal vectors all at once: the sum of their ℓ¹ norms over orthonormal frames."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from ..arrays import FloatArray
from ..result import SparseVector
from ..rounding import round_to_vertex
from ..search import present
from ..selection import as_run
from ..subspace import Subspace
from ..watch import Watch
from .base import Extraction, complement
from .deflation import deflate
from .plane import best_angle
from .power import polar, spike

__all__ = ["optimise_jointly"]

_RESTARTS = 12  # of each kind: near the greedy frame, and anywhere
_FIRST_LENGTH, _SHRINK, _STEPS = 0.1, 0.985, 500  # ends at steps of 5e-5: the exact moves do the rest
_SWEEPS = 30
_SLACK = 1e-10


def optimise_jointly(task: Extraction) -> Iterator[SparseVector]:
    """
    Minimise Σ ‖Y a_j‖₁ over frames A = [a_1 … a_m] with orthonormal columns, to a local minimum.

    Subgradient steps on the Stiefel manifold start from the greedy frame, from frames near it and from others. On the
    best end two exact moves alternate: the best rotation of two vectors in their plane, and the rounding program of
    one vector within the complement of the others. The sum never rises above that of greedy deflation.
    """
    first = Extraction(task.subspace, task.method, task.count, task.rng.spawn(1)[0], task.watch.part(0, 2))
    greedy = list(deflate(first))
    if len(greedy) < task.count:
        yield from greedy
        return
    best = np.column_stack([vector.point for vector in greedy])
    lowest, watch = _total(task.subspace, best), task.watch.part(1, 2)
    for index, start in enumerate(_starts(task, best)):
        watch.tell(index / (2 * _RESTARTS + 2), f"frame {index + 1} of {2 * _RESTARTS + 1}")
        frame = _descend(task.subspace, start)
        total = _total(task.subspace, frame)
        if total < lowest:
            best, lowest = frame, total
        if watch.expired:
            break
    yield from _present(task, _exchange(task.subspace, best, watch), watch)


def _starts(task: Extraction, greedy: FloatArray) -> Iterator[FloatArray]:
    yield greedy
    for rng in task.rng.spawn(_RESTARTS):
        yield polar(greedy + rng.standard_normal(greedy.shape) / np.sqrt(len(greedy)))
        yield spike(task.subspace, task.count, rng, task.watch, max_iter=3)


def _total(subspace: Subspace, frame: FloatArray) -> float:
    return float(np.abs(subspace.vectors(frame)).sum())


def _descend(subspace: Subspace, frame: FloatArray) -> FloatArray:
    """Subgradient steps of geometrically shrinking length, each back to the manifold."""
    length = _FIRST_LENGTH
    for _ in range(_STEPS):
        slope = subspace.reduce(np.sign, frame)
        slope = slope - frame @ ((frame.T @ slope + slope.T @ frame) / 2)
        size = float(np.linalg.norm(slope))
        if size == 0.0:
            break
        frame = polar(frame - length / size * slope)
        length *= _SHRINK
    return frame


def _exchange(subspace: Subspace, frame: FloatArray, watch: Watch) -> FloatArray:
    """Sweep over pairs and single vectors until a sweep gains nothing."""
    total = _total(subspace, frame)
    for _ in range(_SWEEPS):
        frame = _one_by_one(subspace, _pair_by_pair(subspace, frame))
        reached = _total(subspace, frame)
        if reached >= total * (1 - _SLACK) or watch.expired:
            break
        total = reached
    return frame


def _pair_by_pair(subspace: Subspace, frame: FloatArray) -> FloatArray:
    frame, vectors = frame.copy(), np.asarray(subspace.vectors(frame)).copy()
    for i, j in combinations(range(frame.shape[1]), 2):
        angle, value = best_angle(vectors[:, i], vectors[:, j])
        if value < np.abs(vectors[:, [i, j]]).sum() * (1 - _SLACK):
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            frame[:, [i, j]] = frame[:, [i, j]] @ turn
            vectors[:, [i, j]] = vectors[:, [i, j]] @ turn
    return frame


def _one_by_one(subspace: Subspace, frame: FloatArray) -> FloatArray:
    """Round every vector within the complement of the others; its ℓ¹ norm cannot rise."""
    frame = frame.copy()
    for j in range(frame.shape[1]):
        free = complement(np.delete(frame, j, axis=1))
        frame[:, j] = free @ round_to_vertex(subspace.restrict(free), free.T @ frame[:, j]).point
    return frame


def _present(task: Extraction, frame: FloatArray, watch: Watch) -> Iterator[SparseVector]:
    """
    The vectors, smallest ℓ¹ norm first, each certified within the complement of the others.

    Every vector is rounded there once more, from a point where that changes rounding errors only.
    """
    frame = frame[:, np.argsort(np.abs(task.subspace.vectors(frame)).sum(axis=0))]
    for j in range(frame.shape[1]):
        free = complement(np.delete(frame, j, axis=1))
        rest = task.subspace.restrict(free)
        vertex = round_to_vertex(rest, free.T @ frame[:, j]).named("joint", 0)
        found = present(rest, vertex, (as_run(vertex),), task.method, watch, free)
        frame[:, j] = found.point
        yield found
