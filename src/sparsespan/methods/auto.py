"""The default: a portfolio, cheapest first, that ends with the first certified vector once no rival shows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from ..rounding import Vertex, descend, trim
from ..starts import Mean, Mix, Points, Random, Rows, Spectral, Starts, as_starts
from .alternating import Limits, alternate
from .base import Method, Problem
from .exhaustive import Exhaustive, subsets
from .harvest import harvest
from .registry import register

__all__ = ["Auto"]

_SUBSETS, _ENTRIES = 5000, 1_000_000  # subsets of n − 1 rows, and entries of their vectors, that are all tried
_QUICK = (6, 12, 24)  # steps before each trial of trimming; easy instances end at the first
_STEPS = 100  # of a short batched iteration: it only has to sort the starts, the finish is exact
_TOL = 1e-4
_RIVALS = 8  # starts that look for a sparser vector after the first is found
_HEAVIER = 1.5  # ratio of its tails to all others from which a vector is alone: about 2 if planted, 1.1 in dictionaries
_RIVAL_L1 = 1.25  # what they reach is worth finishing when its ℓ¹ norm is at most this multiple of the best


@dataclass(frozen=True, slots=True)
class _Stage:
    """A batch of starts: how many, under which threshold, and how many of their limits are finished."""

    starts: Starts
    factor: float
    shifted: bool
    few: int


def _stages(dim: int) -> tuple[_Stage, ...]:
    batch = min(256, max(32, 2 * dim))
    return (
        _Stage(Mix((Rows(most=batch), Random(batch))), 1.0, True, 12),
        _Stage(Mix((Rows(most=batch), Random(batch))), 0.3, False, 24),
    )


@register
@dataclass(frozen=True)
class Auto(Method):
    """
    Spectral ends and mean first, each finished exactly; then short batches from rows and random points.

    Of a subspace with few vertices all are tried instead.

    As soon as a vector with n exact zeros is certified, a few more starts look for a rival. Where they find none
    the search ends; where they do (several sparse vectors, as in a dictionary) all stages are run and the sparsest
    vector wins.

    Attributes
    ----------
    starts : Starts, str, sequence, array or None
        Tried before anything else.
    """

    name: ClassVar[str] = "auto"
    reference: ClassVar[str] = "this package"
    guarantee: ClassVar[str] = "what its certificate says"
    cost: ClassVar[str] = "milliseconds when the first stage succeeds"

    starts: Starts | None = None

    def __post_init__(self) -> None:
        if self.starts is not None:
            object.__setattr__(self, "starts", as_starts(self.starts))

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Yield vertices stage by stage; all there are of a small subspace."""
        if (count := subsets(problem.subspace)) <= _SUBSETS and count * problem.subspace.size <= _ENTRIES:
            yield from Exhaustive().search(problem)
            return
        yield from self._singles(problem)
        if problem.shelf.sparse:
            yield from _rivals(problem)
            if problem.shelf.sparse == 1:
                return
        crowded = problem.shelf.sparse > 1
        stages = _stages(problem.subspace.dim)
        for number, stage in enumerate(stages):
            problem.watch.tell((number + 0.5) / (len(stages) + 1), f"batch {number + 1} of {len(stages)}")
            for vertex in harvest(problem, _run(problem, stage), stage.few):
                yield vertex
                if problem.shelf.sparse and not crowded:
                    return

    def _singles(self, problem: Problem) -> Iterator[Vertex]:
        """Quick descents from the few informed starts, smallest ‖Yq‖₁ first; only an exactly sparse end counts yet."""
        kinds: tuple[Starts, ...] = (Spectral(), Mean())
        starts = Mix(kinds if self.starts is None else (self.starts, *kinds))
        points = starts.points(problem.subspace, problem.rng)
        for index in np.argsort(_l1(problem, points.points), kind="stable"):
            problem.watch.tell(0.0, f"from {points.labels[index]}")
            vertex = _quick(problem, np.ascontiguousarray(points.points[:, index]))
            if vertex is not None:
                yield vertex.named(points.labels[index], vertex.steps)
                return


def _quick(problem: Problem, point: FloatArray) -> Vertex | None:
    """A few subgradient steps, then a trial of trimming, which is exact once most small rows are true zeros."""
    total = 0
    for budget in _QUICK:
        point, steps = descend(problem.subspace, point, budget)
        total += steps
        vertex = trim(problem.subspace, point)
        if vertex is not None:
            return vertex.named("", total)
        if steps < budget:
            break
    return None


def _run(problem: Problem, stage: _Stage) -> Limits:
    """Short batched iteration in float32; the distinct limits by ascending ‖Yq‖₁."""
    subspace = problem.subspace
    points = stage.starts.points(subspace, problem.rng)
    limits = _alternate(problem, points, stage.factor, stage.shifted, _STEPS)
    return limits.pick(np.argsort(_l1(problem, limits.points), kind="stable"))


def _alternate(problem: Problem, points: Points, factor: float, shifted: bool, steps: int) -> Limits:
    threshold = factor / math.sqrt(problem.subspace.size)
    return alternate(
        problem.subspace.single,
        points,
        threshold,
        tol=_TOL,
        max_iter=steps,
        shifted=shifted,
        watch=problem.watch,
    )


def _l1(problem: Problem, points: FloatArray) -> FloatArray:
    norms: FloatArray = np.abs(problem.subspace.vectors(points)).sum(axis=0)
    return norms


def _rivals(problem: Problem) -> Iterator[Vertex]:
    """
    Look from a few rows and random points for another sparse vector of similar ℓ¹ norm.

    Not needed where the vector found has far heavier tails than every direction orthogonal to it, as a lone planted
    vector has. In a dictionary the tails of all its vectors are alike, and the heaviest need not be the sparsest.
    """
    best = problem.shelf.best
    if best is None or _heaviest(problem, best.point):
        return
    half = _RIVALS // 2
    points = Mix((Rows(most=half), Random(half))).points(problem.subspace, problem.rng)
    limits = _alternate(problem, points, 1.0, True, _STEPS // 4)
    fresh = np.abs(best.point @ limits.points) < 0.9
    limits = limits.pick(np.flatnonzero(fresh & (_l1(problem, limits.points) <= _RIVAL_L1 * best.l1)))
    yield from harvest(problem, limits, _RIVALS)


def _heaviest(problem: Problem, point: FloatArray) -> bool:
    values, vectors = problem.subspace.tail_spectrum
    coordinates = vectors.T @ point
    own = float(values @ coordinates**2) / _HEAVIER
    if len(point) == 1 or own > values[-2] + (values[-1] - values[-2]) * (1.0 - coordinates[-1] ** 2):
        return True  # a bound on what is orthogonal to q, good enough when q is nearly the top eigenvector
    others = np.eye(len(point)) - np.outer(coordinates, coordinates)
    rest = np.linalg.eigvalsh(others * values @ others)
    return bool(own > rest[-1])
