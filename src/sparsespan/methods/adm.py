"""Algorithm 1 of Qu, Sun and Wright: alternating directions from many starts, then rounding."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..checks import at_least, is_number, positive
from ..errors import InvalidInput
from ..rounding import Vertex
from ..starts import Mix, Points, Random, Rows, Starts, as_starts
from .alternating import Limits, alternate
from .base import Method, Problem
from .harvest import harvest
from .registry import register

__all__ = ["ADM"]


def _factors(value: object) -> tuple[float, ...]:
    factors = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else ()
    if not factors or not all(is_number(factor) and 0 < factor < math.inf for factor in factors):
        msg = f"`factors` must be positive numbers, at least one; got {value!r}. The paper uses (1.0,)."
        raise InvalidInput(msg)
    return tuple(float(factor) for factor in factors)


@register
@dataclass(frozen=True)
class ADM(Method):
    """
    Alternating directions on min ½‖Yq − x‖² + λ‖x‖₁, ‖q‖ = 1, all starts at once; the best limits are finished exactly.

    Attributes
    ----------
    starts : Starts, str, sequence or array
        Initial points; at most 256 rows and 64 random points by default. The paper takes all rows: ``"rows"``.
    factors : tuple of float
        λ·√p, one phase of iterations each; the paper's is (1,). Decreasing values continue towards a sharper
        objective.
    shifted : bool
        Iterate FastICA's fixed point with the same threshold function: fewer steps, not monotone.
    tol : float
        A start has converged when a step moves it by no more than this.
    max_iter : int
        Most steps of a phase.
    few : int
        How many distinct limits, by ascending ‖Yq‖₁, are finished.
    first : bool
        End with the first vector that has n exact zeros or more.
    """

    name: ClassVar[str] = "adm"
    reference: ClassVar[str] = "Qu, Sun, Wright 2016, Algorithm 1"
    guarantee: ClassVar[str] = "planted, theta below a constant, p >= C n^4 log^2 n"
    cost: ClassVar[str] = "4pnR flops a step for R starts"

    starts: Starts = Mix((Rows(most=256), Random(64)))
    factors: tuple[float, ...] = (1.0,)
    shifted: bool = False
    tol: float = 1e-6
    max_iter: int = 10_000
    few: int = 16
    first: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", as_starts(self.starts))
        object.__setattr__(self, "factors", _factors(self.factors))
        positive("tol", self.tol)
        at_least("max_iter", self.max_iter, 1)
        at_least("few", self.few, 1)

    def limits(self, problem: Problem) -> Limits:
        """Run every phase; the distinct limits by ascending ‖Yq‖₁."""
        subspace = problem.subspace
        points = self.starts.points(subspace, problem.rng)
        for phase, factor in enumerate(self.factors):
            problem.watch.tell(phase / (2 * len(self.factors)), f"alternating from {len(points)} starts")
            limits = alternate(
                subspace,
                points,
                factor / math.sqrt(subspace.size),
                tol=self.tol,
                max_iter=self.max_iter,
                shifted=self.shifted,
                watch=problem.watch,
            )
            points = Points(limits.points, limits.labels)
        return limits.pick(np.argsort(np.abs(subspace.vectors(limits.points)).sum(axis=0), kind="stable"))

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Finish the best limits until one is exactly sparse."""
        for vertex in harvest(problem, self.limits(problem), self.few):
            yield vertex
            if self.first and problem.shelf.sparse:
                return
