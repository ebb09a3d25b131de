"""The ℓ⁴ norm on the sphere: power iteration with z³ towards its maxima, the shifted one towards its minima."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..arrays import FloatArray
from ..subspace import Subspace
from .alternating import unit_step
from .registry import register
from .tails import Tailed, moment_step

__all__ = ["L4"]


@register
@dataclass(frozen=True)
class L4(Tailed):
    """
    Heavy tails: q ← Yᵀ(Yq)³, monotone on the convex ‖Yq‖₄⁴. Light tails: q ← (3/p)q − Yᵀ(Yq)³.

    Attributes
    ----------
    starts, tails, tol, max_iter, few, first
        See `Tailed`.
    """

    name: ClassVar[str] = "l4"
    reference: ClassVar[str] = "Zhai, Yang, Liao, Wright, Ma 2020 (MSP)"
    guarantee: ClassVar[str] = "complete dictionaries; heavy tails monotone, cubic convergence at an exact maximum"
    cost: ClassVar[str] = "4pnR flops a step for R starts"

    def step(self, subspace: Subspace, points: FloatArray, tails: str) -> FloatArray:
        """One power iteration; the sign of a light-tailed step is that which keeps the point near."""
        return unit_step(points, moment_step(subspace, points, 0.0 if tails == "heavy" else 3.0))
