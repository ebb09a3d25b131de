"""Greedy deflation: the best vector, then the best one orthogonal to it, and so on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..result import SparseVector
from ..search import explore, present
from .base import Extraction, complement

__all__ = ["deflate"]


def deflate(task: Extraction) -> Iterator[SparseVector]:
    """
    Take one vector after another, each from the orthogonal complement of those before it.

    The complement is formed anew from the original basis each time, so that rounding does not add up.
    """
    points = np.zeros((task.subspace.dim, 0))
    for index, rng in enumerate(task.rng.spawn(task.count)):
        if index and task.watch.expired:
            return
        watch, frame = task.watch.part(index, task.count), complement(points)
        rest = task.subspace.restrict(frame)
        shelf = explore(task.method, rest, rng, watch)
        found = present(rest, shelf.ranked()[0], shelf.runs(), task.method, watch, frame)
        yield found
        points = np.column_stack([points, found.point])
