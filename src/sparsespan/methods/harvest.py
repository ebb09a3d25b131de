"""From the limits of a batch to exact vertices, best first, each valley only once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..rounding import Vertex, approach, complete, is_finished, settle
from .alternating import Limits
from .base import Problem

__all__ = ["harvest"]


def harvest(problem: Problem, limits: Limits, most: int) -> Iterator[Vertex]:
    """
    Finish limits in the order given, leaving out those from which rounding provably ends at a vertex already found.

    Parameters
    ----------
    problem : Problem
    limits : Limits
    most : int
        How many limits may be worked on.
    """
    subspace, shelf = problem.subspace, problem.shelf
    worked = 0
    for index, label in enumerate(limits.labels):
        point = np.ascontiguousarray(limits.points[:, index])
        multiplicity = int(limits.multiplicity[index])
        if shelf.absorbs(point, multiplicity):
            continue
        if worked == most:
            return
        if problem.watch.expired:
            if not len(shelf):  # something must be returned, however rough
                yield settle(subspace, point).named(label, int(limits.steps[index]), multiplicity)
            return
        worked += 1
        vertex = approach(subspace, point)
        if not is_finished(subspace, vertex) and shelf.absorbs(vertex.point, multiplicity):
            continue
        if not problem.watch.expired:
            vertex = complete(subspace, vertex)
        yield vertex.named(label, int(limits.steps[index]) + vertex.steps, multiplicity)
