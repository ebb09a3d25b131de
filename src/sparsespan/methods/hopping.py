"""Basin hopping: kick a good point, sharpen it again, keep what is better."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from ..checks import at_least, positive
from ..rounding import Vertex, trim
from ..starts import Mean, Mix, Random, Rows, Spectral, Starts, as_starts
from ..subspace import Subspace
from .alternating import Limits, merge
from .base import Method, Problem
from .harvest import harvest
from .registry import register
from .reweighted import sharpen

__all__ = ["Hopping", "tighten"]

_EXPONENT, _REPEATS, _STEPS = 0.5, 2, 28  # of a descent; its steps set what it costs
_WIDTHS = (1.0, 0.3)  # first smoothing after a kick: it may leave the valley, or stay near
_KICKS = (0.3, 0.9)  # lengths of a kick
_KEPT, _PREFERRED = 30, 6.0  # points kept, and the mean rank of the one that is kicked
_FINISHED = 8  # points of smallest ‖Yq‖₁ that are finished when none is exactly sparse
_SAME = 1e-4  # 1 − |cos| of points taken for one


@register
@dataclass(frozen=True)
class Hopping(Method):
    """
    Reweighted descents for Σ|z|^½ from random kicks of the best points so far.

    Where a sparse vector is a narrow valley among many, the valleys next to it are low as well, and a kick from one of
    them falls into it far more often than a fresh start does.

    Attributes
    ----------
    starts : Starts, str, sequence or array
        Initial points.
    hops : int
        Kicks, at most.
    flops : float
        Floating-point operations, at most: 1e11 take a few seconds.
    first : bool
        End with the first vector that has n exact zeros or more.
    """

    name: ClassVar[str] = "hopping"
    reference: ClassVar[str] = "Wales, Doye 1997 (basin hopping); Chartrand, Yin 2008"
    guarantee: ClassVar[str] = "what its certificate says"
    cost: ClassVar[str] = "28 (pn^2 + n^3) flops a hop"

    starts: Starts = Mix((Mean(), Spectral(), Rows(most=16), Random(16)))
    hops: int = 500
    flops: float = 1e11
    first: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", as_starts(self.starts))
        at_least("hops", self.hops, 1)
        positive("flops", self.flops)

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Hop from the starts."""
        return self.explore(problem, self.starts.points(problem.subspace, problem.rng).points)

    def explore(self, problem: Problem, points: FloatArray) -> Iterator[Vertex]:
        """Hop from given points (n×K); where none leads to an exactly sparse vector, the lowest are finished."""
        pool = _Pool(problem.subspace)
        for vertex in self._hops(problem, points, pool):
            yield vertex
            if self.first and problem.shelf.sparse:
                return
        yield from harvest(problem, pool.limits() or _raw(points), _FINISHED)

    def affordable(self, subspace: Subspace) -> int:
        """How many hops there are for a subspace."""
        each = _STEPS * (2.0 * subspace.size * subspace.dim**2 + 0.7 * subspace.dim**3)
        return max(1, min(self.hops, math.ceil(self.flops / each)))

    def _hops(self, problem: Problem, starts: FloatArray, pool: _Pool) -> Iterator[Vertex]:
        """Descend from the starts, then from kicks of the best points; only vertices with n exact zeros or more."""
        subspace, count = problem.subspace, starts.shape[1]
        total = count + self.affordable(subspace)
        for number in range(total):
            problem.watch.tell(number / total, f"hop {number} of {total}")
            fresh = number < count or not pool.points
            point = starts[:, number % count].copy() if fresh else pool.kicked(problem.rng)
            end, vertex = tighten(subspace, point, _WIDTHS[-1] if fresh else _WIDTHS[number % len(_WIDTHS)])
            if vertex is not None:
                yield vertex.named(f"hop {number}", _STEPS + vertex.steps)
            elif end is not None:
                pool.add(end)
            if problem.watch.expired:
                return


def tighten(subspace: Subspace, point: FloatArray, width: float) -> tuple[FloatArray | None, Vertex | None]:
    """The end of a reweighted descent for Σ|z|^½, and what trimming makes of it where that is exactly sparse."""
    try:
        end, _ = sharpen(subspace, point, _EXPONENT, _REPEATS, width)
    except np.linalg.LinAlgError:  # the rows that have weight leave a plane free
        return None, None
    return end, trim(subspace, end)


def _raw(points: FloatArray) -> Limits:
    return merge(points, [f"start {i}" for i in range(points.shape[1])], np.zeros(points.shape[1], dtype=np.intp))


class _Pool:
    """The best distinct points so far, by ascending Σ|z|^½."""

    def __init__(self, subspace: Subspace) -> None:
        self._subspace, self._scores = subspace, list[float]()
        self.points: list[FloatArray] = []

    def add(self, point: FloatArray) -> None:
        """Keep a point if it is among the best and new."""
        if any(1.0 - abs(float(point @ known)) < _SAME for known in self.points):
            return
        score = float(np.sqrt(np.abs(self._subspace.vectors(point))).sum())
        place = int(np.searchsorted(self._scores, score))
        self._scores.insert(place, score)
        self.points.insert(place, point)
        del self._scores[_KEPT:], self.points[_KEPT:]

    def limits(self) -> Limits | None:
        """The points by ascending ‖Yq‖₁; None where there is none."""
        if not self.points:
            return None
        points = np.stack(self.points, axis=1)
        order = np.argsort(np.abs(self._subspace.vectors(points)).sum(axis=0), kind="stable")
        labels = [f"hop {i}" for i in order]
        return merge(points[:, order], labels, np.full(len(order), _STEPS))

    def kicked(self, rng: np.random.Generator) -> FloatArray:
        """One of the points, the better the likelier, with a random vector added."""
        chosen = self.points[min(len(self.points) - 1, int(rng.exponential(_PREFERRED)))]
        kick = rng.standard_normal(len(chosen)) * (rng.uniform(*_KICKS) / math.sqrt(len(chosen)))
        moved = chosen + kick
        return np.asarray(moved / np.linalg.norm(moved))
