"""Reweighted least squares for Σ|z|^½: sharper than the ℓ¹ norm on targets with many nonzeros."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from ..checks import at_least
from ..errors import InvalidInput
from ..rounding import Vertex, finish, trim
from ..starts import Mean, Mix, Rows, Spectral, Starts, as_starts
from ..subspace import Subspace
from ..watch import Watch
from .base import Method, Problem
from .registry import register

__all__ = ["Reweighted", "sharpen"]

_FIRST, _LAST, _SHRINK = 1.0, 1e-4, 0.5  # of the smoothing, in units of 1/√p


def sharpen(
    subspace: Subspace,
    point: FloatArray,
    exponent: float,
    repeats: int,
    width: float = _FIRST,
    watch: Watch | None = None,
) -> tuple[FloatArray, int]:
    """
    Minimise Σ(z² + ε²)^(a/2), z = Yq, by q ← (Σ w_i y_i y_iᵀ)⁻¹q with w = (z² + ε²)^(a/2 − 1), while ε shrinks.

    Parameters
    ----------
    subspace : Subspace
    point : ndarray, shape (n,)
        Unit vector.
    exponent : float
        a.
    repeats : int
        Steps at every ε.
    width : float
        The first ε, in units of 1/√p; it is halved until it is negligible.
    watch : Watch or None
        Looked at between steps.

    Returns
    -------
    point : ndarray, shape (n,)
    steps : int
    """
    steps = 0
    while width > _LAST:
        for _ in range(repeats):
            values = subspace.vectors(point)
            weights = (subspace.size * values * values + width * width) ** (exponent / 2 - 1)
            moved = np.linalg.solve(subspace.weighted_gram(weights / weights.max()), point)
            point, steps = moved / np.linalg.norm(moved), steps + 1
            if watch is not None and watch.expired:
                return np.ascontiguousarray(point), steps
        width *= _SHRINK
    return np.ascontiguousarray(point), steps


@register
@dataclass(frozen=True)
class Reweighted(Method):
    """
    Minimise Σ(z² + ε²)^(a/2), z = Yq, by q ← (Σ w_i y_i y_iᵀ)⁻¹q with w = (z² + ε²)^(a/2 − 1), while ε shrinks.

    With a = ½ it recovers vectors of more nonzeros than the ℓ¹ norm does, from a start that is near enough. The end
    is trimmed to exact zeros.

    Attributes
    ----------
    starts : Starts, str, sequence or array
        Initial points.
    exponent : float
        a, above 0 and at most 1.
    repeats : int
        Steps at every ε.
    first : bool
        End with the first vector that has n exact zeros or more.
    """

    name: ClassVar[str] = "reweighted"
    reference: ClassVar[str] = "Chartrand, Yin 2008"
    guarantee: ClassVar[str] = "what its certificate says"
    cost: ClassVar[str] = "pn^2 + n^3 flops a step and start"

    starts: Starts = Mix((Mean(), Spectral(), Rows(most=16)))
    exponent: float = 0.5
    repeats: int = 4
    first: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", as_starts(self.starts))
        if not 0 < self.exponent <= 1:
            msg = f"`exponent` must lie in (0, 1]; got {self.exponent}. The default is 0.5."
            raise InvalidInput(msg)
        at_least("repeats", self.repeats, 1)

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Reweight from every start; where the end is not exactly sparse, finish it by its ℓ¹ norm."""
        subspace = problem.subspace
        points = self.starts.points(subspace, problem.rng)
        for index, label in enumerate(points.labels):
            problem.watch.tell(index / len(points), f"reweighting from {label}")
            end, steps = sharpen(subspace, points.points[:, index], self.exponent, self.repeats, watch=problem.watch)
            vertex = trim(subspace, end) or finish(subspace, end)
            yield vertex.named(label, steps + vertex.steps)
            if problem.watch.expired or (self.first and problem.shelf.sparse):
                return
