"""Vectors most of whose entries share one nonzero value: the sparse vectors of the span with a constant added."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from ..checks import at_least
from ..errors import NotConverged
from ..rounding import Vertex, trim
from ..rounding.whole import LARGEST, ratios, whole_vertex
from ..subspace import Subspace
from ..watch import Watch
from .base import Method, Problem
from .registry import register

__all__ = ["Offset"]


@register
@dataclass(frozen=True)
class Offset(Method):
    """
    Search span(Y, 1) for a sparse w = 1 − Yq by trimming, and keep Yq if its entries are whole multiples.

    A vector of zeros and ones of which nine tenths are ones is not sparse, but its complement is. The start is the
    constant less its projection to S, scaled so that the median entry vanishes.

    Attributes
    ----------
    max_iter : int
        Most steps of trimming.
    """

    name: ClassVar[str] = "offset"
    reference: ClassVar[str] = "this package"
    guarantee: ClassVar[str] = "what its certificate says"
    cost: ClassVar[str] = "one orthonormalisation, 2pn + n^3 flops a step"

    max_iter: int = 30

    def __post_init__(self) -> None:
        at_least("max_iter", self.max_iter, 1)

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Yield the vectors of whole numbers; NotConverged where there is none."""
        problem.subspace.dense("method 'offset'")
        problem.watch.tell(0.0, "adding the constant")
        vertices = list(self.exact(problem))
        if not vertices:
            msg = (
                "a vector must consist of whole multiples of one number, most of them equal; got none in the "
                f'{problem.subspace.size} x {problem.subspace.dim} basis. Use method="auto".'
            )
            raise NotConverged(msg)
        yield from vertices

    def exact(self, problem: Problem) -> Iterator[Vertex]:
        """Only the vectors that are whole."""
        subspace = problem.subspace
        ones = np.ones(subspace.size)
        shadow = subspace.vectors(subspace.adjoint(ones))
        middle = float(np.median(shadow))
        if subspace.dim + 1 >= subspace.size or not subspace.in_memory or abs(middle) < 1e-3:
            return
        larger = Subspace.span(np.column_stack([subspace.basis, ones]))
        if larger.dim == subspace.dim:  # the constant lies in S
            return
        vertex = self._trimmed(problem.watch, larger, larger.adjoint(ones - shadow / middle))
        numbers = None if vertex is None else ratios(vertex.vector)
        if vertex is None or numbers is None:
            return
        for offset in (*range(1, LARGEST + 1), *range(-LARGEST, 0)):
            moved = whole_vertex(subspace, offset - numbers)
            if moved is not None:
                yield moved.named("constant", vertex.steps)
                return

    def _trimmed(self, watch: Watch, larger: Subspace, point: FloatArray) -> Vertex | None:
        point /= np.linalg.norm(point)
        for count in (2 * larger.dim, larger.dim + 5):
            vertex = trim(larger, point, min(count, larger.size), self.max_iter, watch)
            if vertex is not None:
                return vertex
        return None
