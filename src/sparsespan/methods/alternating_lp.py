"""Alternating linear programs: each is anchored at the solution of the last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..arrays import FloatArray
from ..checks import at_least
from ..rounding import Vertex, round_to_vertex
from .base import Problem
from .local import Local
from .registry import register

__all__ = ["AlternatingLP"]

_LOWER = 1e-12  # relative decrease of ‖Yq‖₁ below which nothing was gained


@register
@dataclass(frozen=True)
class AlternatingLP(Local):
    """
    q ← argmin ‖Yq‖₁ s.t. ⟨q_k, q⟩ = 1, normalised, until ‖Yq‖₁ no longer falls.

    A solution has ‖q‖ ≥ 1 and objective at most ‖Yq_k‖₁, so ‖Yq‖₁ on the sphere falls strictly until q_k solves
    its own program; vertices being finitely many, so is the walk.

    Attributes
    ----------
    starts, first
        See `Local`.
    max_iter : int
        Most programs from a start.
    """

    name: ClassVar[str] = "alternating-lp"
    reference: ClassVar[str] = "Spaeth, Watson 1987; Tsakiris, Vidal 2018 (DPCP-r)"
    guarantee: ClassVar[str] = "ends at a local minimum after finitely many programs"
    cost: ClassVar[str] = "a linear program a step (4 to 25 times 2pn^2 flops), 2 to 20 steps a start"

    max_iter: int = 100

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("max_iter", self.max_iter, 1)

    def reach(self, problem: Problem, point: FloatArray) -> Vertex:
        """Walk from program to program."""
        vertex, step = round_to_vertex(problem.subspace, point), 1
        while step < self.max_iter and not problem.watch.expired:
            lower, before = round_to_vertex(problem.subspace, vertex.point), vertex.l1
            vertex, step = lower, step + 1
            if lower.l1 >= before * (1.0 - _LOWER):
                break
        return vertex.named("", step)
