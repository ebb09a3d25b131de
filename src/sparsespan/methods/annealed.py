"""Smoothed ℓ⁰ from very many starts: the search for vectors that no longer have the smallest ℓ¹ norm."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray, IntArray
from ..checks import at_least, positive
from ..rounding import Vertex, trim
from ..starts import Cloud
from .alternating import Limits, merge
from .annealing import anneal, smooth_zeros
from .base import Method, Problem
from .harvest import harvest
from .hopping import Hopping
from .registry import register

__all__ = ["Annealed"]

_COARSE = np.geomspace(1.5, 0.3, 60)
_FINE = np.geomspace(0.3, 0.02, 24)
_VALUES = 1 << 18  # entries of YQ in a batch: a megabyte in float32, which stays in the cache
_HOPPERS, _HOP_SHARE = 40, 0.2  # ends from which is hopped, and the share of the operations on top
_SHARE = 16  # one start in so many is annealed further and trimmed
_LARGE = 20  # dimension below which fewer starts reach all there is
_SAME = 1e-3  # 1 − |cos| of ends of the coarse phase taken for one


@register
@dataclass(frozen=True)
class Annealed(Method):
    """
    Count zeros smoothly, Σ exp(−p·z²/2s²), and let the width s shrink; the ends with most small entries are trimmed.

    The starts are drawn from the leading spectral spaces. The chance of one start may be one in thousands, so there
    are tens of thousands, in single precision and in batches that stay in the cache. Where p is beyond n² or n is
    small, most starts are good, and fewer are drawn.

    Attributes
    ----------
    most : int
        Starts, at most; fewer by n²/p where that ratio is below 1, and by (n/20)³ below n = 20.
    flops : float
        Floating-point operations, at most: 1e11 take about a second.
    few : int
        How many of the ends of smallest ‖Yq‖₁ are finished when no end is exactly sparse.
    first : bool
        End with the first vector that has n exact zeros or more.
    """

    name: ClassVar[str] = "annealed"
    reference: ClassVar[str] = "Mohimani, Babaie-Zadeh, Jutten 2009 (smoothed l0); this package"
    guarantee: ClassVar[str] = "what its certificate says"
    cost: ClassVar[str] = "240pn flops a start"

    most: int = 65_536
    flops: float = 1.5e11
    few: int = 16
    first: bool = True

    def __post_init__(self) -> None:
        at_least("most", self.most, 1)
        positive("flops", self.flops)
        at_least("few", self.few, 1)

    def starts(self, size: int, dim: int) -> int:
        """How many starts there are for a subspace of dimension n in Rᵖ."""
        useful = self.most * min(1.0, dim * dim / size) * min(1.0, dim / _LARGE) ** 3
        affordable = self.flops / (4.0 * len(_COARSE) * size * dim)
        return max(1, math.ceil(min(useful, affordable)))

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Anneal batch after batch and trim the best ends of each; hop from the best of all; finish the lowest."""
        subspace, lowest, emptiest = problem.subspace, _Pool(4 * self.few), _Pool(_HOPPERS)
        batch = int(np.clip(_VALUES // subspace.size, 64, 1024))
        total = self.starts(subspace.size, subspace.dim)
        for begun in range(0, total, batch):
            problem.watch.tell(0.5 * begun / total, f"annealing start {begun} of {total}")
            ends = _coarse(problem, min(batch, total - begun), begun)
            lowest.add(ends, _l1(problem, ends.points))
            emptiest.add(ends, -smooth_zeros(subspace.single, ends.points, _COARSE[-1]))
            for vertex in _fine(problem, ends):
                yield vertex
                if self.first and problem.shelf.sparse:
                    return
            if problem.watch.expired:
                break
        yield from self._hops(problem, emptiest.limits())
        if not (self.first and problem.shelf.sparse):
            yield from harvest(problem, lowest.limits(), self.few)

    def _hops(self, problem: Problem, ends: Limits) -> Iterator[Vertex]:
        """Hops from some ends; where none is exactly sparse, the lowest points they led to are finished."""
        crowded = min(1.0, problem.subspace.dim**2 / problem.subspace.size)  # beyond n² rows few valleys are narrow
        hopping = Hopping(flops=_HOP_SHARE * self.flops * crowded, first=self.first)
        yield from hopping.explore(replace(problem, watch=problem.watch.part(1, 2)), ends.points)


class _Pool:
    """The ends of lowest score among all batches."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: list[tuple[float, FloatArray, str]] = []

    def add(self, ends: Limits, scores: FloatArray) -> None:
        best = np.argsort(scores, kind="stable")[: self._most]
        self._kept += [(float(scores[i]), ends.points[:, i], ends.labels[i]) for i in best]
        self._kept.sort(key=lambda entry: entry[0])
        del self._kept[self._most :]

    def limits(self) -> Limits:
        points = np.stack([point for _, point, _ in self._kept], axis=1)
        return merge(points, [label for *_, label in self._kept], np.full(len(self._kept), len(_COARSE)))


def _l1(problem: Problem, points: FloatArray) -> FloatArray:
    norms: FloatArray = np.abs(problem.subspace.vectors(points)).sum(axis=0)
    return norms


def _unit(points: FloatArray) -> FloatArray:
    exact = points.astype(np.float64)
    exact /= np.linalg.norm(exact, axis=0)
    return exact


def _best(problem: Problem, points: FloatArray, width: float, count: int) -> IntArray:
    return np.argsort(-smooth_zeros(problem.subspace.single, points, width), kind="stable")[:count]


def _coarse(problem: Problem, count: int, begun: int) -> Limits:
    """The ends of one batch with most small entries, distinct, best first."""
    subspace = problem.subspace
    starts = Cloud(count).points(subspace, problem.rng)
    points = anneal(subspace.single, starts.points, _COARSE, problem.watch)
    best = _best(problem, points, _COARSE[-1], max(4, count // _SHARE))
    labels = [f"cloud {begun + i}" for i in best]
    return merge(_unit(points[:, best]), labels, np.full(len(best), len(_COARSE)), _SAME)


def _fine(problem: Problem, ends: Limits) -> Iterator[Vertex]:
    """Anneal the best ends further and trim them; only exactly sparse vertices."""
    subspace = problem.subspace
    points = _unit(anneal(subspace.single, ends.points, _FINE, problem.watch))
    distinct = merge(points, ends.labels, ends.steps + len(_FINE))
    for index in _best(problem, distinct.points, _FINE[-1], 8):
        vertex = trim(subspace, np.ascontiguousarray(distinct.points[:, index]))
        if vertex is not None:
            steps = int(distinct.steps[index]) + vertex.steps
            yield vertex.named(distinct.labels[index], steps, int(distinct.multiplicity[index]))
