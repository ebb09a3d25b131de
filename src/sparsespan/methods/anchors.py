"""Linear programs from several anchors, one after another: what the relaxations and the ℓ¹/ℓ^∞ methods share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..arrays import FloatArray
from ..errors import RoundingFailed
from ..rounding import Vertex, round_to_vertex
from ..starts import Points
from .base import Problem

__all__ = ["each", "round_each"]


def each(
    problem: Problem, points: Points, reach: Callable[[FloatArray], Vertex], doing: str, *, first: bool
) -> Iterator[Vertex]:
    """
    Yield the vertex reached from every point.

    Parameters
    ----------
    problem : Problem
    points : Points
    reach : callable
        From a unit point to a vertex; its `RoundingFailed` costs that point only, unless no point succeeds.
    doing : str
        For the progress report.
    first : bool
        End with the first vertex that is exactly sparse.
    """
    failure: RoundingFailed | None = None
    reached = 0
    for index, label in enumerate(points.labels):
        problem.watch.tell(index / len(points), f"{doing} {index + 1} of {len(points)}")
        try:
            vertex = reach(np.ascontiguousarray(points.points[:, index]))
        except RoundingFailed as error:
            failure = error
            continue
        reached += 1
        yield vertex.named(label, vertex.steps)
        if first and problem.shelf.sparse:
            return
    if failure is not None and not reached:
        raise failure


def round_each(problem: Problem, anchors: Points, *, first: bool) -> Iterator[Vertex]:
    """Yield the minimiser of ‖Yq‖₁ over ⟨r, q⟩ = 1 for every anchor r."""
    subspace = problem.subspace
    return each(problem, anchors, lambda r: round_to_vertex(subspace, r), "program", first=first)
