"""The base of methods that improve one start after another until one of them ends exactly sparse."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from ..arrays import FloatArray
from ..rounding import Vertex
from ..starts import Mean, Mix, Random, Rows, Spectral, Starts, as_starts
from .anchors import each
from .base import Method, Problem

__all__ = ["Local"]


@dataclass(frozen=True)
class Local(Method):
    """
    A local method: what it finds depends on where it starts.

    Attributes
    ----------
    starts : Starts, str, sequence or array
        Initial points, tried in order: by default both spectral ends, the mean, 32 rows and 32 random points.
    first : bool
        End with the first vector that has n exact zeros or more.
    """

    starts: Starts = Mix((Spectral(), Mean(), Rows(most=32), Random(32)))
    first: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", as_starts(self.starts))

    @abstractmethod
    def reach(self, problem: Problem, point: FloatArray) -> Vertex:
        """Improve one unit point (n,) to a vertex."""

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Yield the vertex reached from every start."""
        points = self.starts.points(problem.subspace, problem.rng)
        return each(problem, points, lambda q: self.reach(problem, q), "start", first=self.first)
