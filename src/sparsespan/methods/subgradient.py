"""Projected subgradients with monotone backtracking, from several starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..arrays import FloatArray
from ..checks import at_least
from ..rounding import Vertex, descend, land
from .base import Problem
from .local import Local
from .registry import register

__all__ = ["Subgradient"]


@register
@dataclass(frozen=True)
class Subgradient(Local):
    """
    Descent of ‖Yq‖₁ along −Yᵀsign(Yq) on the sphere; the step length is halved, never raised.

    Attributes
    ----------
    starts, first
        See `Local`.
    max_iter : int
        Most steps from a start.
    """

    name: ClassVar[str] = "subgradient"
    reference: ClassVar[str] = "Zhu, Wang, Robinson, Naiman, Vidal, Tsakiris 2018 (PSGM-MBLS)"
    guarantee: ClassVar[str] = "linear convergence from a start near a sharp minimum"
    cost: ClassVar[str] = "4pn flops a step, 30 to 70 steps a start"

    max_iter: int = 1000

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("max_iter", self.max_iter, 1)

    def reach(self, problem: Problem, point: FloatArray) -> Vertex:
        """Descend, then make the zeros exact."""
        lowered, steps = descend(problem.subspace, point, self.max_iter)
        vertex = land(problem.subspace, lowered)
        return vertex.named("", steps + vertex.steps)
