"""Every vertex of a small subspace: the sparsest vector by trying all subsets of n − 1 rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from ..checks import at_least
from ..errors import InvalidInput
from ..rounding import Vertex, settle
from ..subspace import Subspace
from .base import Method, Problem
from .registry import register

__all__ = ["Exhaustive", "subsets"]

_BATCH = 4096
_INDEPENDENT = 1e-9  # smallest singular value of n − 1 unit rows that determine a point
_FEW = 2000
_PARALLEL = 1e-12  # 1 − |cos| of rows taken for one


@register
@dataclass(frozen=True)
class Exhaustive(Method):
    """
    All vertices: for every n − 1 independent rows the vector that vanishes on them.

    A sparsest vector of S is among them, and so is the smallest ‖Yq‖₁. Parallel rows count once.

    Attributes
    ----------
    most : int
        Subsets that may be tried; a subspace with more is refused.
    """

    name: ClassVar[str] = "exhaustive"
    reference: ClassVar[str] = "brute force"
    guarantee: ClassVar[str] = "the sparsest vector of all"
    cost: ClassVar[str] = "C(p, n-1) null vectors"

    most: int = 200_000

    def __post_init__(self) -> None:
        at_least("most", self.most, 1)

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Yield the sparsest vertex and that of the smallest 1-norm."""
        subspace = problem.subspace
        rows = _directions(subspace)
        count = math.comb(len(rows), subspace.dim - 1)
        if count > self.most:
            msg = (
                f"`exhaustive` must have at most {self.most} subsets of n - 1 rows to try; "
                f"got {count:.3g} for {len(rows)} directions in dimension {subspace.dim}. Use another method."
            )
            raise InvalidInput(msg)
        sparsest, lowest, tried = _Best(), _Best(), 0
        chosen = combinations(range(len(rows)), subspace.dim - 1)
        while batch := list(islice(chosen, _BATCH)):
            problem.watch.tell(tried / count, f"{tried} of {count} subsets of rows")
            points = _null_vectors(rows[np.array(batch, dtype=np.intp)])
            values = subspace.vectors(points)
            norms = np.abs(values).sum(axis=0)
            nonzeros = np.count_nonzero(np.abs(values) > subspace.resolution * subspace.row_norms[:, None], axis=0)
            sparsest.offer(points, nonzeros + norms / (2.0 * math.sqrt(subspace.size)))  # ties: the smaller norm
            lowest.offer(points, norms)
            tried += len(batch)
            if problem.watch.expired:
                break
        for best in (sparsest, lowest):
            yield settle(subspace, best.point).named(f"{tried} subsets of rows", tried)


class _Best:
    """The point of the lowest score so far."""

    def __init__(self) -> None:
        self.point, self._score = np.zeros(0), math.inf

    def offer(self, points: FloatArray, scores: FloatArray) -> None:
        """Take the best of some points if it is better."""
        if scores.size and scores.min() < self._score:
            index = int(scores.argmin())
            self.point, self._score = np.ascontiguousarray(points[:, index]), float(scores[index])


def subsets(subspace: Subspace) -> int:
    """How many subsets of n − 1 rows there are, zero rows left out: an upper bound on the vertices."""
    return math.comb(int(np.count_nonzero(~subspace.null_rows)), subspace.dim - 1)


def _directions(subspace: Subspace) -> FloatArray:
    """The unit rows that are not zero, of a few also without repetitions up to sign, shape (k, n)."""
    live = np.flatnonzero(~subspace.null_rows)
    rows = subspace.take(live) * subspace.inverse_norms[live, None]
    if len(rows) > _FEW:  # so many that they make too many subsets, or n <= 2 and repetitions cost little
        return rows
    kept: list[int] = []
    remaining = np.arange(len(rows))
    while remaining.size:
        kept.append(int(remaining[0]))
        remaining = remaining[1.0 - np.abs(rows[remaining] @ rows[remaining[0]]) > _PARALLEL]
    return rows[kept]


def _null_vectors(rows: FloatArray) -> FloatArray:
    """Null vectors, shape (n, K), of those of the (K, n − 1, n) row sets that are independent."""
    if rows.shape[1] == 0:
        return np.ones((1, 1))
    _, sizes, directions = np.linalg.svd(rows)
    return np.ascontiguousarray(directions[sizes[:, -1] > _INDEPENDENT, -1].T)
