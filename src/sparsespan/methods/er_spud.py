"""ER-SpUD of Spielman, Wang and Wright: linear programs anchored at rows, or at sums of two rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..checks import choice
from ..rounding import Vertex
from ..starts import Points, Rows
from ..subspace import Subspace
from .anchors import round_each
from .base import Method, Problem
from .registry import register

__all__ = ["ERSpUD", "pairs"]


def pairs(subspace: Subspace, rng: np.random.Generator) -> Points:
    """Sums of two rows, the nonzero rows paired at random; an odd one is left out; rows where no sum is nonzero."""
    live = rng.permutation(np.flatnonzero(~subspace.null_rows))
    half = live.size // 2
    left, right = live[:half], live[half : 2 * half]
    sums = (subspace.take(left) + subspace.take(right)).T
    lengths = np.linalg.norm(sums, axis=0)
    labels = [f"rows {i} and {j}" for i, j in zip(left, right, strict=True)]
    kept = np.flatnonzero(lengths > 1e-12 * subspace.row_norms.max())
    chosen = Points(sums, labels).pick(kept.tolist())
    return chosen if len(chosen) else Rows().points(subspace, rng)


@register
@dataclass(frozen=True)
class ERSpUD(Method):
    """
    Exact recovery of sparsely used dictionaries: min ‖x‖₁ s.t. x_i = 1 (rows) or x_i + x_j = 1 (pairs).

    For data = A·X the rows of X span the row space of the data; pass ``Subspace.rows(data)``. The constraints do
    not depend on the basis, so that the preconditioning (data·dataᵀ)^(-1/2) is the orthonormal basis itself.

    Attributes
    ----------
    anchors : {"pairs", "rows"}
        "pairs" is ER-SpUD(DC), p/2 programs; "rows" is ER-SpUD(SC), p programs.
    first : bool
        End with the first vector that has n exact zeros or more. False, as in the paper, solves all programs and
        takes the sparsest, which in a dictionary is not the first.
    """

    name: ClassVar[str] = "er-spud"
    reference: ClassVar[str] = "Spielman, Wang, Wright 2012"
    guarantee: ClassVar[str] = "complete dictionaries, 2/n <= theta <= C / sqrt(n), p >= C n^2 log^2 n"
    cost: ClassVar[str] = "p/2 or p linear programs, each 4 to 25 times 2pn^2 flops"

    anchors: Literal["pairs", "rows"] = "pairs"
    first: bool = False

    def __post_init__(self) -> None:
        choice("anchors", self.anchors, ("pairs", "rows"))

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Yield the solution of each program."""
        subspace, rng = problem.subspace, problem.rng
        anchors = pairs(subspace, rng) if self.anchors == "pairs" else Rows().points(subspace, rng)
        return round_each(problem, anchors, first=self.first)
