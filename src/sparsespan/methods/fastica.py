"""FastICA's fixed point, one unit at a time from many starts, with the soft threshold or the cube."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from ..arrays import FloatArray
from ..checks import choice, positive
from ..subspace import Subspace
from .alternating import shrink_step, unit_step
from .registry import register
from .tails import Tailed, moment_step

__all__ = ["FastICA"]


@register
@dataclass(frozen=True)
class FastICA(Tailed):
    """
    q ← Yᵀg(Yq) − mean(g′)·q with g = S_λ or z³: an approximate Newton step, drawn to both signs of kurtosis.

    Attributes
    ----------
    starts, tails, tol, max_iter, few, first
        See `Tailed`; ``tails`` chooses among the limits, the iteration is the same.
    contrast : {"shrink", "cube"}
        g. The soft threshold is robust and fast, the cube is the classical kurtosis.
    factor : float
        λ·√p of the soft threshold.
    """

    name: ClassVar[str] = "fastica"
    reference: ClassVar[str] = "Hyvarinen, Oja 1997"
    guarantee: ClassVar[str] = "independent components; local convergence at least quadratic"
    cost: ClassVar[str] = "4pnR flops a step for R starts"

    contrast: Literal["shrink", "cube"] = "shrink"
    factor: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        choice("contrast", self.contrast, ("shrink", "cube"))
        positive("factor", self.factor)

    def step(self, subspace: Subspace, points: FloatArray, tails: str) -> FloatArray:
        """One fixed-point iteration, whichever tails are wanted."""
        del tails
        if self.contrast == "cube":
            return unit_step(points, moment_step(subspace, points, 3.0))
        return shrink_step(subspace, points, self.factor / math.sqrt(subspace.size), shifted=True)
