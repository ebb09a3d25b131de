"""A basis within a cone: null vectors that obey signs and span what all such vectors span."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RoundingFailed
from .basis import Basis
from .circuits import within
from .directions import Cone, obeys, oriented
from .engine import loops
from .exchange import Exchange
from .family import Family
from .fields import Field, Real

__all__ = ["Echelon", "directed"]

_TRIES = 6  # costs drawn for one program before it is given up
_ZERO = 1e-7  # relative size of what a linear program calls zero
_BUDGET = 2_000_000  # work of the exchange among directed vectors
_INDEPENDENT = 1e-7  # what must be left of a unit vector after elimination


def directed(
    field: Field,
    columns: Family,
    rows: int,
    undirected: Basis,
    numbers: Family,
    cone: Cone,
    rng: np.random.Generator,
) -> Basis:
    """
    Return a basis of the same span whose vectors obey the signs of the cone.

    Vectors of the given basis that obey are kept. Each other one is replaced by a vertex of a linear program that looks
    for a vector of the cone outside the span so far: since the cone spans, there is one. A vertex is elementary.

    Parameters
    ----------
    undirected : Basis
        A basis of the null space with the blocked coordinates zero.
    numbers : Family
        Its vectors in floats.
    """
    builder = _Builder(field, columns, rows, undirected.free, cone, rng)
    good = np.flatnonzero(obeys(numbers, cone.signs))
    kept = oriented(numbers.take(good[np.argsort(numbers.lengths[good], kind="stable")]), cone.signs)
    for vector in kept.dicts():
        builder.offer(vector)
    while builder.span.rank < undirected.free.size:
        builder.extend()
    search = _InCone(field, columns, rows, builder.vectors, cone.signs)
    search.run()
    return replace(undirected, vectors=within(field, columns, rows, Family.of(search.basis, np.float64)))


class Echelon:
    """Reduced row echelon form of float vectors over some coordinates, grown one vector at a time."""

    def __init__(self, size: int) -> None:
        self.rows = np.zeros((size, size))
        self.pivots: list[int] = []

    @property
    def rank(self) -> int:
        """Vectors taken."""
        return len(self.pivots)

    def add(self, vector: NDArray[np.float64]) -> bool:
        """Take a vector unless it depends on those taken before."""
        k = self.rank
        norm = float(np.abs(vector).max(initial=0.0))
        rest = vector / norm - (vector[self.pivots] / norm) @ self.rows[:k] if norm else vector
        pivot = int(np.argmax(np.abs(rest)))
        if abs(rest[pivot]) <= _INDEPENDENT:
            return False
        rest[self.pivots] = 0.0
        rest /= rest[pivot]
        self.rows[:k] -= np.outer(self.rows[:k, pivot], rest)
        self.rows[k] = rest
        self.pivots.append(pivot)
        return True

    def annihilator(self, choice: int) -> NDArray[np.float64]:
        """Return a functional that vanishes on all vectors taken, one for each coordinate that is no pivot."""
        free = np.setdiff1d(np.arange(self.rows.shape[0]), self.pivots)
        j = free[choice % free.size]
        out = np.zeros(self.rows.shape[0])
        out[j] = 1.0
        out[self.pivots] = -self.rows[: self.rank, j]
        return out


class _Builder:
    def __init__(
        self, field: Field, columns: Family, rows: int, free: NDArray[np.int32], cone: Cone, rng: np.random.Generator
    ) -> None:
        self.field, self.columns, self.rows = field, columns, rows
        self.free, self.cone, self.rng = free, cone, rng
        self.span = Echelon(free.size)
        self.vectors: list[dict[int, float]] = []

    def offer(self, vector: dict[int, float]) -> bool:
        """Take a vector if it is independent of those taken."""
        taken = self.span.add(np.array([vector.get(j, 0.0) for j in self.free.tolist()]))
        if taken:
            self.vectors.append(vector)
        return taken

    def extend(self) -> None:
        """Find and take a vector of the cone outside the span."""
        for attempt in range(_TRIES):
            functional = np.zeros(len(self.columns))
            functional[self.free] = self.span.annihilator(attempt)
            cost = 1.0 + 0.01 * self.rng.random(functional.size)
            for sign in (1.0, -1.0):
                x = self.cone.lightest_along(sign * functional, cost)
                vector = None if x is None else self._elementary(x)
                if vector is not None and self.offer(vector):
                    return
        msg = (
            "a vector that obeys `signs` must be found outside the span of those found; got none from "
            f"{2 * _TRIES} linear programs after {self.span.rank} of {self.free.size} vectors. Scale the rows of `A`."
        )
        raise RoundingFailed(msg)

    def _elementary(self, x: NDArray[np.float64]) -> dict[int, float] | None:
        support = np.flatnonzero(np.abs(x) > _ZERO * np.abs(x).max()).astype(np.int32)
        _, _, circuits = loops.eliminate(self.field, self.columns, self.rows, support)
        if len(circuits) != 1 or circuits.at.size != support.size:
            return None
        return dict(zip(support.tolist(), x[support].tolist(), strict=True))


class _InCone(Exchange):
    """Pairwise exchange among vectors that obey signs and stay elementary."""

    def __init__(
        self, field: Field, columns: Family, rows: int, basis: list[dict[int, Any]], signs: NDArray[np.int8]
    ) -> None:
        super().__init__(Real(1e-9), basis, [1] * len(columns), _BUDGET)
        self.exact, self.columns, self.rows, self.signs = field, columns, rows, signs.tolist()

    def admits(self, u: int, t: Any, v: int, /) -> bool:
        """Allow a sum that obeys the signs and is elementary."""
        vector = self.sum(u, t, v)
        if any(x * self.signs[j] < 0 for j, x in vector.items()):
            return False
        support = Family.of([vector], np.float64)
        return bool(loops.nullities(self.exact, self.columns, self.rows, support)[0] == 1)
