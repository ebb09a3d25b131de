"""The spectral relaxation: one eigenvector of a weighted Gram matrix, then a linear program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from ..checks import choice
from ..rounding import Vertex
from ..starts import Spectral
from .anchors import round_each
from .base import Method, Problem
from .registry import register

__all__ = ["SpectralMethod"]


@register
@dataclass(frozen=True)
class SpectralMethod(Method):
    """
    An end of the spectrum of Σ(‖y_i‖² − c) y_i y_iᵀ as anchor; c shifts the eigenvalues only, because YᵀY = I.

    Attributes
    ----------
    ends : {"upper", "larger", "both"}
        "upper": the top eigenvector, for heavy tails (Hopkins, Schramm, Shi and Steurer). "larger": the one of
        largest modulus with c = (n − 1)/p and 3/p taken off the diagonal, so that light tails show at the lower
        end (Mao and Wein). "both": that one, then the other.
    """

    name: ClassVar[str] = "spectral"
    reference: ClassVar[str] = "Hopkins, Schramm, Shi, Steurer 2016; Mao, Wein 2021"
    guarantee: ClassVar[str] = "planted, p >= C (theta n)^2 up to logarithms, E x^4 away from 3"
    cost: ClassVar[str] = "2pn^2 flops, an n x n eigenproblem and a linear program"

    ends: Literal["upper", "larger", "both"] = "both"

    def __post_init__(self) -> None:
        choice("ends", self.ends, ("upper", "larger", "both"))

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Yield the vertex of each end asked for."""
        points = Spectral().points(problem.subspace, problem.rng)  # that of the larger modulus first
        if self.ends == "upper":
            points = points.pick([points.labels.index("spectral upper")])
        elif self.ends == "larger":
            points = points.pick([0])
        return round_each(problem, points, first=False)
