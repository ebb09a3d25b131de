"""The pipeline of Theorem 4.1, followed to the letter: every row a start, every limit rounded by its program."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ..checks import at_least, positive
from ..rounding import Vertex, round_to_vertex
from ..starts import Rows, Starts, as_starts
from .alternating import alternate
from .base import Method, Problem
from .registry import register

__all__ = ["Paper"]


@register
@dataclass(frozen=True)
class Paper(Method):
    """
    ADM from all normalised rows with λ = 1/√p, then min ‖Yq‖₁ s.t. ⟨r, q⟩ = 1 for every distinct limit r.

    The smallest ‖Yq‖₁ wins; nothing ends the search early.

    Attributes
    ----------
    starts : Starts, str, sequence or array
        All rows.
    tol : float
        A start has converged when a step moves it by no more than this.
    max_iter : int
        Most steps.
    """

    name: ClassVar[str] = "paper"
    reference: ClassVar[str] = "Qu, Sun, Wright 2016, Theorem 4.1"
    guarantee: ClassVar[str] = "planted, theta below a constant, p >= C n^4 log^2 n"
    cost: ClassVar[str] = "4p^2 n flops a step, then a linear program for each limit"

    starts: Starts = Rows()
    tol: float = 1e-6
    max_iter: int = 10_000

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", as_starts(self.starts))
        positive("tol", self.tol)
        at_least("max_iter", self.max_iter, 1)

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Yield the vertex of every distinct limit."""
        subspace, watch = problem.subspace, problem.watch
        points = self.starts.points(subspace, problem.rng)
        watch.tell(0.0, f"alternating from {len(points)} rows")
        threshold = 1.0 / math.sqrt(subspace.size)
        limits = alternate(subspace, points, threshold, tol=self.tol, max_iter=self.max_iter, watch=watch)
        for index, label in enumerate(limits.labels):
            watch.tell(0.5 + 0.5 * index / len(limits.labels), f"rounding limit {index + 1} of {len(limits.labels)}")
            vertex = round_to_vertex(subspace, limits.points[:, index])
            yield vertex.named(label, int(limits.steps[index]), int(limits.multiplicity[index]))
