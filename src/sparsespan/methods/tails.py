"""What the fixed points for independent components share: which sign of kurtosis is sought, and the finish."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..arrays import FloatArray
from ..checks import at_least, positive
from ..errors import InvalidInput
from ..rounding import Vertex
from ..starts import Mix, Points, Random, Rows, Starts, as_starts
from ..subspace import Subspace
from .alternating import Limits, iterate
from .base import Method, Problem
from .harvest import harvest

__all__ = ["Tailed", "Tails", "excess", "moment_step"]

Tails = Literal["heavy", "light"]


def excess(subspace: Subspace, points: FloatArray) -> FloatArray:
    """p‖Yq‖₄⁴ − 3 for every column: 0 for a Gaussian vector, positive for heavy tails, negative for light ones."""
    cubes = subspace.reduce(lambda values: values * values * values, points)
    sizes: FloatArray = subspace.size * np.einsum("ij,ij->j", cubes, points) - 3.0
    return sizes


def moment_step(subspace: Subspace, points: FloatArray, shift: float) -> FloatArray:
    """Yᵀ(YQ)³ − (shift/p)·Q, not normalised."""
    return subspace.reduce(lambda values: values * values * values, points) - (shift / subspace.size) * points


def _tails(value: object) -> tuple[str, ...]:
    tails = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, (tuple, list)) else ()
    if not tails or not all(isinstance(tail, str) and tail in {"heavy", "light"} for tail in tails):
        msg = f"`tails` must be 'heavy', 'light' or both; got {value!r}."
        raise InvalidInput(msg)
    return tails


@dataclass(frozen=True)
class Tailed(Method):
    """
    A batched fixed point that is run for one or both signs of kurtosis; the best limits are finished exactly.

    Attributes
    ----------
    starts : Starts, str, sequence or array
        Initial points; at most 96 rows and 64 random points by default.
    tails : "heavy", "light" or both in the order to try
        Heavy tails: a sparse vector with few nonzeros. Light: one of nearly equal magnitudes on more than a third
        of the rows, whose ‖Yq‖₁ may be larger than that of a Gaussian vector.
    tol : float
        A start has converged when a step moves it by no more than this.
    max_iter : int
        Most steps.
    few : int
        How many distinct limits, by descending |kurtosis| of the wanted sign, are finished for each sign.
    first : bool
        End with the first vector that has n exact zeros or more.
    """

    starts: Starts = Mix((Rows(most=96), Random(64)))
    tails: tuple[Tails, ...] | Tails = ("heavy", "light")
    tol: float = 1e-6
    max_iter: int = 500
    few: int = 8
    first: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", as_starts(self.starts))
        object.__setattr__(self, "tails", _tails(self.tails))
        positive("tol", self.tol)
        at_least("max_iter", self.max_iter, 1)
        at_least("few", self.few, 1)

    @abstractmethod
    def step(self, subspace: Subspace, points: FloatArray, tails: str) -> FloatArray:
        """Move unit points (n, k) to unit points."""

    def limits(self, problem: Problem, points: Points, tails: str) -> Limits:
        """Iterate all starts; the limits with the wanted sign of kurtosis, most extreme first."""
        subspace, sign = problem.subspace, 1.0 if tails == "heavy" else -1.0
        limits = iterate(lambda q: self.step(subspace, q, tails), points, self.tol, self.max_iter, problem.watch)
        sizes = sign * excess(subspace, limits.points)
        order = np.argsort(-sizes, kind="stable")
        return limits.pick(order[sizes[order] > 0])

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Finish the best limits of every sign until one is exactly sparse."""
        points = self.starts.points(problem.subspace, problem.rng)
        for number, tails in enumerate(self.tails):
            problem.watch.tell(number / len(self.tails), f"{tails} tails from {len(points)} starts")
            limits = self.limits(problem, points, tails)
            for vertex in harvest(problem, limits, self.few):
                yield vertex
                if self.first and problem.shelf.sparse:
                    return
