"""
The search for a sparse basis of the null space of one connected matrix.

Bases are made, improved by exchange, and merged: of all vectors at hand the lightest independent ones are kept. Those
are the best basis at hand, since independent null vectors form a matroid. A merge never loses. What it gains depends on
how different the bases are, so new ones are eliminated in orders that prefer the columns the best basis uses most, or
simply the light columns, with noise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..watch import Watch
from .effort import Effort
from .engine import loops, select
from .family import Family
from .fields import Field
from .network import minimum_cycle_basis, recognise

__all__ = ["Found", "Part", "sparse_basis"]


@dataclass(frozen=True)
class Part:
    """
    A connected matrix without zero columns, its coordinates weighted.

    Attributes
    ----------
    columns : Family
    rows : int
    weight : array of int64, shape (len(columns),)
    """

    columns: Family
    rows: int
    weight: NDArray[np.int64]

    def weigh(self, vectors: Family) -> int:
        """Return the weight of all vectors together."""
        return int(self.weight[vectors.at].sum())

    def eliminated(self, field: Field, order: NDArray[np.intp]) -> tuple[NDArray[np.int32], Family]:
        """Return the free columns of an elimination in ``order``, and their circuits."""
        _, free, circuits = loops.eliminate(field, self.columns, self.rows, order)
        return np.sort(free), circuits


@dataclass(frozen=True)
class Found:
    """
    A basis of the null space of a part, and a proved lower bound on the weight of any.

    Attributes
    ----------
    vectors : Family
    bound : int
    """

    vectors: Family
    bound: int


def sparse_basis(field: Field, part: Part, effort: Effort, rng: np.random.Generator, watch: Watch) -> Found:
    """Return a basis of the null space, as light as the effort finds it."""
    free, basis = part.eliminated(field, np.lexsort((part.weight, part.columns.lengths)))
    if len(basis) <= 1:
        return Found(basis, part.weigh(basis))
    return _cycles(field, part, free, rng) or _searched(field, part, free, basis, effort, rng, watch)


def _cycles(field: Field, part: Part, free: NDArray[np.int32], rng: np.random.Generator) -> Found | None:
    """The exact answer for a graph; None for other matrices and for graphs beyond reach."""
    network = recognise(field, part.columns, part.rows, part.weight)
    if network is None or not network.small_enough:
        return None
    cycles = minimum_cycle_basis(field, network, free, rng)
    return Found(cycles, part.weigh(cycles)) if len(cycles) == free.size else None


def _searched(
    field: Field,
    part: Part,
    free: NDArray[np.int32],
    basis: Family,
    effort: Effort,
    rng: np.random.Generator,
    watch: Watch,
) -> Found:
    nodes = int(effort.nodes * loops.pace)
    light, level = loops.lightest(field, part.columns, part.rows, part.weight, free, nodes, lambda: watch.expired)
    seen = light.weights(part.weight) <= level
    missing = free.size - int(seen.sum())
    bound = part.weigh(light.take(np.flatnonzero(seen))) + missing * (level + 1)
    if not missing:
        return Found(light, bound)
    search = _Search(field, part, free, effort.patient(free.size), rng, watch)
    return Found(search.run(search.merged(basis, light)), bound)


class _Search:
    def __init__(
        self,
        field: Field,
        part: Part,
        free: NDArray[np.int32],
        effort: Effort,
        rng: np.random.Generator,
        watch: Watch,
    ) -> None:
        self.field, self.part, self.free, self.effort, self.rng, self.watch = field, part, free, effort, rng, watch
        self.exchanges = int(effort.exchanges * loops.pace)

    def run(self, basis: Family) -> Family:
        """Improve a first basis."""
        basis = self.improved(self.merged(basis, self.windows(basis)))
        idle = 0
        for k, order in enumerate(self.orders()):
            if idle >= self.effort.patience or self.watch.expired:
                break
            self.watch.tell(
                max(k / self.effort.rounds, idle / self.effort.patience), f"{self.part.weigh(basis)} nonzeros"
            )
            other = self.improved(self.part.eliminated(self.field, order(basis))[1])
            better = self.improved(self.merged(basis, other))
            gain = self.part.weigh(basis) - self.part.weigh(better)
            idle = 0 if gain > self.effort.least_gain * self.part.weigh(basis) else idle + 1
            basis = better
        return basis

    def expired(self) -> bool:
        return self.watch.expired

    def improved(self, basis: Family) -> Family:
        return loops.exchange(self.field, basis, self.part.weight, self.exchanges, self.expired)

    def merged(self, *families: Family) -> Family:
        pool = Family.joined(families)
        return pool.take(select(self.field, pool, self.part.weight, self.free))

    def windows(self, basis: Family) -> Family:
        """Circuits near evenly drawn columns, none heavier than most of the basis already is."""
        columns, effort = self.part.columns, self.effort
        width = min(effort.width, len(columns))
        count = min(len(columns), effort.coverage * len(columns) // max(1, width))
        roots = np.sort(self.rng.choice(len(columns), count, replace=False))
        heaviest = int(np.quantile(basis.weights(self.part.weight), 0.9))
        return loops.windows(
            self.field, columns, self.part.rows, self.part.weight, roots, width, heaviest, self.expired
        )

    def orders(self) -> Iterator[Callable[[Family], NDArray[np.intp]]]:
        """Ways to order the columns for the next bases: most used first, with less or more noise, or lightest first."""
        for k in range(self.effort.rounds):
            yield (self.most_used, self.most_used, self.lightest, self.roughly_most_used)[k % 4]

    def most_used(self, basis: Family, noise: float = 0.5) -> NDArray[np.intp]:
        use = np.bincount(basis.at, minlength=len(self.part.columns))
        return np.argsort(noise * self.rng.random(use.size) - 2 * np.log1p(use))

    def roughly_most_used(self, basis: Family) -> NDArray[np.intp]:
        return self.most_used(basis, 3.0)

    def lightest(self, _: Family) -> NDArray[np.intp]:
        size = self.part.columns.lengths + self.part.weight
        return np.argsort(size + 6 * self.rng.random(size.size))
