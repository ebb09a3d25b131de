"""A sparse basis that is merely independent: greedily the sparsest vector outside the span of those taken."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..arrays import FloatArray
from ..certificates import in_basin
from ..errors import RoundingFailed
from ..result import SparseVector
from ..rounding import Vertex, descend, round_to_vertex, settle, trim
from ..search import explore, present
from ..selection import Shelf, as_run
from ..subspace import Subspace
from ..watch import Watch
from .base import Extraction, complement
from .power import skewed, spike

__all__ = ["extend"]

# Sines of the angle to the span of those taken. Exactly sparse vectors are what they are, however close to it; a vector
# that is sparse only by its ℓ¹ norm has other vertices right beside it, which would say the same again.
_INSIDE, _APART = 1e-6, 0.5
_FEW = 12  # vertices of the restricted subspace from which programs in the whole one start
_PROGRAMS = 8


def extend(task: Extraction) -> Iterator[SparseVector]:
    """
    Take one vector after another, each the best one known that is independent of those before it.

    The vectors of a subspace form a matroid, so that the greedy choice is optimal whenever every single choice is
    (Gottlieb and Neylon 2010). All vertices met stay candidates for later turns; as long as one of them has n exact
    zeros, nothing more is searched.
    """
    pool = Shelf(task.subspace)
    for vertex in _at_once(task):
        pool.add(vertex)
    points = np.zeros((task.subspace.dim, 0))
    for index, rng in enumerate(task.rng.spawn(task.count)):
        if index and task.watch.expired:
            return
        watch, frame = task.watch.part(index, task.count), complement(points)
        candidates = _candidates(pool, frame)
        if index == 0 or not (candidates and candidates[0].sparse):
            for vertex in _search(task, frame, rng, watch):
                pool.add(vertex)
        _refine(task, pool, frame)
        candidates = _candidates(pool, frame)
        yield present(task.subspace, candidates[0], tuple(map(as_run, candidates)), task.method, watch)
        points = np.column_stack([points, candidates[0].point])


def _refine(task: Extraction, pool: Shelf, frame: FloatArray) -> None:
    """
    Take away from the best candidate what it holds of those taken, as long as that makes it better.

    In a dictionary of very sparse rows the difference of two rows has n zeros as well. Where rounding from the part
    outside the span of those taken provably returns the candidate, there is nothing to take away.
    """
    for _ in range(_PROGRAMS):
        best = _candidates(pool, frame)[0]
        outside = frame @ (frame.T @ best.point)
        if in_basin(task.subspace, best, outside) or not pool.add(_descend_outside(task, outside, frame, best)):
            return
        if _candidates(pool, frame)[0] is best:
            return


def _at_once(task: Extraction) -> Iterator[Vertex]:
    """Exactly sparse vectors for every turn, from one run of a power iteration, or two where the first gave few."""
    count, found = min(task.subspace.dim, 2 * task.count), 0
    for name, power in (("third powers", spike), ("skewness", skewed)):
        for column in power(task.subspace, count, task.rng.spawn(1)[0], task.watch).T:
            vertex = _sharpened(task.subspace, np.ascontiguousarray(column))
            if vertex is not None:
                found += 1
                yield vertex.named(name, vertex.steps)
            if task.watch.expired:
                return
        if found >= task.count:
            return


def _sharpened(subspace: Subspace, point: FloatArray) -> Vertex | None:
    """The exactly sparse vector to which a point descends, or from there is trimmed."""
    lowered, steps = descend(subspace, point)
    vertex = settle(subspace, lowered)
    if vertex.sparse:
        return vertex.named("", steps)
    trimmed = trim(subspace, point) or trim(subspace, lowered)
    return None if trimmed is None else trimmed.named("", steps + trimmed.steps)


def _candidates(pool: Shelf, frame: FloatArray) -> list[Vertex]:
    """Vertices with a part in the frame, the complement of those taken; best first."""
    sines = [(vertex, float(np.linalg.norm(frame.T @ vertex.point))) for vertex in pool.ranked()]
    apart = [v for v, sine in sines if sine > (_INSIDE if v.sparse else _APART)]
    return apart or [vertex for vertex, sine in sines if sine > _INSIDE]


def _search(task: Extraction, frame: FloatArray, rng: np.random.Generator, watch: Watch) -> Iterator[Vertex]:
    """Search the complement of those taken, and from what is found there round in the whole subspace."""
    if frame.shape[1] == task.subspace.dim:
        yield from explore(task.method, task.subspace, rng, watch).ranked()
        return
    for vertex in explore(task.method, task.subspace.restrict(frame), rng, watch).ranked()[:_FEW]:
        yield _descend_outside(task, frame @ vertex.point, frame, vertex)
        if watch.expired:
            return


def _descend_outside(task: Extraction, anchor: FloatArray, frame: FloatArray, origin: Vertex) -> Vertex:
    """
    Lower ‖Yq‖₁ over the points whose part q̂ orthogonal to those taken has unit length.

    Each program is anchored at the q̂ of the last answer; no answer can fall into the span of those taken, because
    ⟨q̂, q⟩ = 1. The objective never rises, and the walk ends at a vertex.
    """
    best, lowest = None, np.inf
    for _ in range(_PROGRAMS):
        try:
            vertex = round_to_vertex(task.subspace, anchor)
        except RoundingFailed:
            break
        shadow = frame.T @ vertex.point
        level = vertex.l1 / float(np.linalg.norm(shadow))
        if level >= lowest * (1 - 1e-9):
            break
        best, lowest, anchor = vertex, level, frame @ shadow
    chosen = settle(task.subspace, anchor) if best is None else best
    return chosen.named(origin.label, origin.steps, origin.multiplicity)
