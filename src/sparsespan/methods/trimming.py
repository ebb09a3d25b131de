"""Row trimming from many points: a local search on the number of zeros, for vectors past the reach of the ℓ¹ norm."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from ..checks import at_least, is_number
from ..errors import InvalidInput
from ..rounding import Vertex, finish, trim
from ..starts import Mean, Mix, Random, Spectral, Starts, Subsets, as_starts
from .base import Method, Problem
from .registry import register

__all__ = ["Trimming"]

_SPARE = 5  # rows beyond n that must vanish before the null vector of a subset is taken for more than chance


def _shares(value: object) -> tuple[float, ...]:
    shares = tuple(value) if isinstance(value, (tuple, list, np.ndarray)) and np.ndim(value) == 1 else ()
    if not shares or not all(is_number(share) and 1 <= share < math.inf for share in shares):
        msg = f"`shares` must be numbers of at least 1, at least one of them; got {value!r}. Try (1.5,)."
        raise InvalidInput(msg)
    return tuple(float(share) for share in shares)


@register
@dataclass(frozen=True)
class Trimming(Method):
    """
    The concentration step of least trimmed squares, q ← null vector of the m rows where |Yq| is smallest now.

    It counts zeros and does not look at the size of the other entries, so vectors of one sign (for which the mean
    start is close) are found with up to nine tenths of their entries nonzero.

    Attributes
    ----------
    starts : Starts, str, sequence or array
        Initial points.
    shares : tuple of float
        m as multiples of n, tried one after another from every start; never fewer than n + 5 rows.
    max_iter : int
        Most steps of one trial.
    first : bool
        End with the first vector that has n exact zeros or more.
    """

    name: ClassVar[str] = "trimming"
    reference: ClassVar[str] = "Rousseeuw, Van Driessen 2006 (C-steps); this package"
    guarantee: ClassVar[str] = "exact once the trimmed rows are zeros of one vector"
    cost: ClassVar[str] = "2pn + n^3 flops a step"

    starts: Starts = Mix((Mean(), Spectral(), Subsets(8), Random(24)))
    shares: tuple[float, ...] = (1.5, 1.0, 2.0)
    max_iter: int = 60
    first: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", as_starts(self.starts))
        object.__setattr__(self, "shares", _shares(self.shares))
        at_least("max_iter", self.max_iter, 1)

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Try every share from every start; where none ends in zeros, finish the start of smallest ‖Yq‖₁."""
        yield from self.exact(problem)
        if not len(problem.shelf):
            points = self.starts.points(problem.subspace, problem.rng).points
            best = int(np.argmin(np.abs(problem.subspace.vectors(points)).sum(axis=0)))
            vertex = finish(problem.subspace, np.ascontiguousarray(points[:, best]))
            yield vertex.named("finished", vertex.steps)

    def exact(self, problem: Problem) -> Iterator[Vertex]:
        """Only the vertices with n zeros or more."""
        points = self.starts.points(problem.subspace, problem.rng)
        for index, label in enumerate(points.labels):
            problem.watch.tell(index / len(points), f"trimming from {label}")
            vertex = self._trial(problem, np.ascontiguousarray(points.points[:, index]))
            if vertex is not None:
                yield vertex.named(label, vertex.steps)
            if problem.watch.expired or (self.first and problem.shelf.sparse):
                return

    def _trial(self, problem: Problem, point: FloatArray) -> Vertex | None:
        dim, size = problem.subspace.dim, problem.subspace.size
        for share in self.shares:
            count = min(size, max(dim + _SPARE, math.ceil(share * dim)))
            vertex = trim(problem.subspace, point, count, self.max_iter, problem.watch)
            if vertex is not None or problem.watch.expired:
                return vertex
        return None
