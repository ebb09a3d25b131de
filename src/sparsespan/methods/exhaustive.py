"""Every vertex of a small subspace: the sparsest vector by trying all subsets of n − 1 rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from typing import ClassVar

import numpy as np

from ..arrays import BoolArray, FloatArray
from ..checks import at_least
from ..errors import InvalidInput
from ..rounding import Vertex, settle
from ..subspace import Subspace
from .base import Method, Problem
from .registry import register

__all__ = ["Exhaustive", "affordable", "subsets"]

_BATCH, _BATCH_CUBES, _BATCH_VALUES = 4096, 1 << 25, 1 << 22  # subsets, n³ of them, entries of vectors: a tenth second
_MANY, _ENTRIES, _CUBES = 5000, 1_000_000, 1e8  # subsets, entries of their vectors and n³ of them tried in a second
_INDEPENDENT = 1e-9  # smallest singular value of n − 1 unit rows that determine a point
_FEW = 2000
_PARALLEL = 4.0  # distance of unit rows taken for one, in units of the resolution
_NEARLY = 0.99  # |cos| from which the distance is looked at


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
        chosen, independent = combinations(range(len(rows)), subspace.dim - 1), _independent(subspace)
        while batch := list(islice(chosen, _batch(subspace))):
            problem.watch.tell(tried / count, f"{tried} of {count} subsets of rows")
            points = _null_vectors(rows[np.array(batch, dtype=np.intp)], independent)
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


def affordable(subspace: Subspace) -> bool:
    """Whether all subsets of n − 1 rows can be tried in about a second, counting entries and decompositions."""
    count = subsets(subspace)
    return count <= _MANY and count * subspace.size <= _ENTRIES and count * subspace.dim**3 <= _CUBES


def _batch(subspace: Subspace) -> int:
    """How many subsets are tried between two looks at the watch."""
    return max(1, min(_BATCH, _BATCH_CUBES // subspace.dim**3, _BATCH_VALUES // subspace.size))


def _independent(subspace: Subspace) -> float:
    """Smallest singular value of n − 1 unit rows that are not the same up to the resolution."""
    return min(_INDEPENDENT, _PARALLEL * subspace.resolution)


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
        remaining = remaining[~_same(rows[remaining], rows[remaining[0]], _PARALLEL * subspace.resolution)]
    return rows[kept]


def _same(rows: FloatArray, row: FloatArray, distance: float) -> BoolArray:
    """Which unit rows are the given one up to sign: by their distance, since 1 − |cos| is its square and drowns."""
    cosines = rows @ row
    same = np.abs(cosines) > _NEARLY
    signs = np.sign(cosines[same])[:, None]
    same[same] = np.linalg.norm(signs * rows[same] - row, axis=1) <= distance
    return same


def _null_vectors(rows: FloatArray, independent: float) -> FloatArray:
    """Null vectors, shape (n, K), of those of the (K, n − 1, n) row sets that are independent."""
    if rows.shape[1] == 0:
        return np.ones((1, 1))
    _, sizes, directions = np.linalg.svd(rows)
    return np.ascontiguousarray(directions[sizes[:, -1] > independent, -1].T)
