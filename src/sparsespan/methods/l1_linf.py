"""The ℓ¹/ℓ^∞ relaxation: min ‖x‖₁ s.t. x_i = 1, one linear program for every entry i."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ..rounding import Vertex
from ..starts import Rows
from .anchors import round_each
from .base import Method, Problem
from .registry import register

__all__ = ["L1Linf"]


@register
@dataclass(frozen=True)
class L1Linf(Method):
    """
    min ‖x‖₁ / ‖x‖_∞ over the subspace, as p programs x_i = ±1; each is solved in its dual with n equations.

    Attributes
    ----------
    share : float
        Part of the rows to take, drawn without replacement; 1 takes every row in order.
    first : bool
        End with the first vector that has n exact zeros or more. False solves all programs.
    """

    name: ClassVar[str] = "l1-linf"
    reference: ClassVar[str] = "Spielman, Wang, Wright 2012; Demanet, Hand 2014"
    guarantee: ClassVar[str] = "planted, theta below C / sqrt(n)"
    cost: ClassVar[str] = "up to p linear programs, each 4 to 25 times 2pn^2 flops"

    share: float = 1.0
    first: bool = True

    def __post_init__(self) -> None:
        Rows(share=self.share)

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Yield the solution of each program."""
        anchors = Rows(share=self.share).points(problem.subspace, problem.rng)
        return round_each(problem, anchors, first=self.first)
