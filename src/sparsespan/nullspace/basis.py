"""The pipeline: rank, presolve, connected parts, search, repair. One basis of sparse null vectors comes out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ..watch import Watch
from .circuits import elementary, within
from .effort import Effort
from .engine import loops, select
from .family import Family
from .fields import Field
from .presolve import Core, presolve
from .search import Part, sparse_basis

__all__ = ["Basis", "find_basis", "merged"]


@dataclass(frozen=True)
class Basis:
    """
    Elementary null vectors that form a basis of the null space.

    Attributes
    ----------
    vectors : Family
        Field values, over the columns of the matrix.
    free : array of int32, shape (nullity,)
        The columns outside a largest independent set: a null vector is determined by its entries there.
    bound : int
        No basis has fewer nonzeros than this, by the theorems behind each stage.
    """

    vectors: Family
    free: NDArray[np.int32]
    bound: int


def find_basis(
    field: Field, columns: Family, rows: int, effort: Effort, rng: np.random.Generator, watch: Watch
) -> Basis:
    """Find a sparse basis of the null space of the matrix with the given columns."""
    watch.tell(0.0, "elimination")
    light_first = np.argsort(columns.lengths, kind="stable")
    _, free, _ = loops.eliminate(field, columns, rows, light_first, circuits=False)
    free = np.sort(free)
    core = presolve(field, columns, rows)
    families, bound = [core.settled], core.settled.at.size
    parts = _parts(core)
    for k, (part, members) in enumerate(parts):
        found = sparse_basis(field, part, effort, rng, watch.part(k, len(parts)))
        bound += found.bound
        families.append(core.expanded(field, found.vectors.renumbered(members)))
    vectors = Family.joined(families)
    if vectors.at.size > bound:
        vectors = _finished(field, columns, rows, vectors, free, effort)
    return Basis(vectors, free, bound)


def merged(field: Field, columns: Family, rows: int, basis: Basis, others: Family, effort: Effort) -> Basis:
    """Return the sparsest basis among the vectors of a basis and other null vectors, exchanged once more."""
    weight = np.ones(len(columns), dtype=np.int64)
    pool = Family.joined([basis.vectors, others])
    vectors = pool.take(select(field, pool, weight, basis.free))
    return replace(basis, vectors=_finished(field, columns, rows, vectors, basis.free, effort))


def _finished(
    field: Field, columns: Family, rows: int, vectors: Family, free: NDArray[np.int32], effort: Effort
) -> Family:
    """Exchange across parts and what presolve settled; then elementary vectors in place of those that are not."""
    weight = np.ones(len(columns), dtype=np.int64)
    vectors = loops.exchange(field, vectors, weight, int(effort.exchanges * loops.pace))
    simple = elementary(field, columns, rows, vectors)
    if simple.all():
        return vectors
    pool = Family.joined([vectors, within(field, columns, rows, vectors.take(np.flatnonzero(~simple)))])
    return pool.take(select(field, pool, weight, free))


def _parts(core: Core) -> list[tuple[Part, NDArray[np.int32]]]:
    """Connected parts of the core, each with the numbers of its columns in the core."""
    columns = core.columns
    count = len(columns)
    links = sparse.coo_array(
        (np.ones(columns.at.size), (columns.owner, count + columns.at)), shape=(count + core.rows,) * 2
    )
    _, label = connected_components(links, directed=False)
    order = np.argsort(label[:count], kind="stable").astype(np.int32)
    groups = np.split(order, np.flatnonzero(np.diff(label[:count][order])) + 1)
    return [_part(core, members) for members in groups if members.size]


def _part(core: Core, members: NDArray[np.int32]) -> tuple[Part, NDArray[np.int32]]:
    chosen = core.columns.take(members)
    used, at = np.unique(chosen.at, return_inverse=True)
    local = Family(chosen.starts, at.astype(np.int32), chosen.value)
    return Part(local, int(used.size), core.weight[members]), members
