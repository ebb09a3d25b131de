"""The semidefinite relaxation, rounded: the vertex from the top eigenvector, and whether the relaxation is tight."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ..checks import at_least, fraction
from ..rounding import Vertex, land
from .base import Method, Problem
from .lifted import Relaxation, phases
from .registry import register

__all__ = ["SDP"]


def _notes(relaxation: Relaxation, vertex: Vertex, tol: float) -> dict[str, float]:
    """Value, bound, top eigenvalue and tightness of the better of Q and the rank-one point of the vertex."""
    square = vertex.l1**2
    value = min(relaxation.value, square)
    top = 1.0 if square <= relaxation.value else float(np.linalg.eigvalsh(relaxation.lifted)[-1])
    tight = square - relaxation.bound <= tol * square
    return {"sdp value": value, "sdp bound": relaxation.bound, "top eigenvalue": top, "tight": float(tight)}


@register
@dataclass(frozen=True)
class SDP(Method):
    """
    min ‖X‖₁ s.t. X = YQYᵀ, Q ⪰ 0, tr Q = 1, then the linear program anchored at the top eigenvector of Q.

    The notes of its run hold the value, a proved lower bound, the top eigenvalue of Q, and ``tight`` = 1 where
    the bound is ‖x‖₁² up to the tolerance: then no vector of the subspace has a smaller ‖x‖₁/‖x‖₂.

    Attributes
    ----------
    tol : float
        Relative gap between value and bound to end at.
    max_iter : int
        Most passes over the p×p matrix X, of which a block at a time exists.
    """

    name: ClassVar[str] = "sdp"
    reference: ClassVar[str] = "d'Aspremont, El Ghaoui, Jordan, Lanckriet 2007; Demanet, Hand 2014"
    guarantee: ClassVar[str] = "planted, theta below C / sqrt(n); a tight relaxation proves the smallest 1-norm"
    cost: ClassVar[str] = "2p^2 n flops a pass, 50 to 500 passes"

    tol: float = 1e-4
    max_iter: int = 2000

    def __post_init__(self) -> None:
        fraction("tol", self.tol)
        at_least("max_iter", self.max_iter, 1)

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Narrow the gap phase by phase; yield the best vertex met, with its notes."""
        best: Vertex | None = None
        for relaxation in phases(problem.subspace, self.max_iter, problem.watch):
            vertex = land(problem.subspace, relaxation.direction)
            best = vertex if best is None or vertex.l1 < best.l1 else best
            notes = _notes(relaxation, best, self.tol)
            gap = 1.0 - notes["sdp bound"] / notes["sdp value"]
            problem.watch.tell(math.log(max(gap, 1e-16)) / math.log(self.tol), f"relative gap {gap:.1e}")
            if gap <= self.tol:
                break
        if best is not None:
            yield replace(best.named("top eigenvector", relaxation.steps), notes=notes)
