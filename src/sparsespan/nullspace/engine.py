"""The loops of the search as functions on families: compiled where the extension was built, in Python elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .elimination import Elimination
from .exchange import Exchange
from .family import Family
from .lightest import Lightest
from .windows import windows as python_windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .fields import Field

try:
    from . import _circuits as compiled
except ImportError:  # built without a compiler: the definitions in Python serve
    compiled = None

__all__ = ["PACE", "eliminate", "exchange", "lightest", "nullities", "select", "windows"]

# Work that may be spent, relative to the compiled loops.
PACE = 1.0 if compiled is not None else 0.03


def _parts(family: Family) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any]]:
    return family.starts, family.at, family.value


def _degrees(columns: Family, rows: int) -> list[int]:
    return np.bincount(columns.at, minlength=rows).tolist()  # type: ignore[no-any-return]  # tolist of a 1-d array


def eliminate(
    field: Field, columns: Family, rows: int, order: NDArray[np.integer[Any]], circuits: bool = True
) -> tuple[NDArray[np.int32], NDArray[np.int32], Family]:
    """Eliminate the columns in ``order``: return basis, free columns, and the circuit of each free column."""
    if compiled is not None:
        basis, free, parts = compiled.eliminate(
            field.parameter, *_parts(columns), rows, order.astype(np.int32), circuits
        )
        return basis, free, Family(*parts)
    state = Elimination(field, columns.dicts(), _degrees(columns, rows))
    for j in order.tolist():
        state.add(j, circuits)
    found = Family.of(state.circuits, field.dtype)
    return np.array(state.basis, dtype=np.int32), np.array(state.free, dtype=np.int32), found


def nullities(field: Field, columns: Family, rows: int, sets: Family) -> NDArray[np.int32]:
    """Return for each set of columns (the coordinates of a vector of ``sets``) its nullity, shape (count,)."""
    if compiled is not None:
        return compiled.nullities(field.parameter, *_parts(columns), rows, sets.starts, sets.at)
    state, degree = columns.dicts(), _degrees(columns, rows)
    out = []
    for start, end in zip(sets.starts[:-1].tolist(), sets.starts[1:].tolist(), strict=True):
        elimination = Elimination(field, state, degree)
        for j in sets.at[start:end].tolist():
            elimination.add(j, want_circuit=False)
        out.append(len(elimination.free))
    return np.array(out, dtype=np.int32)


def windows(
    field: Field,
    columns: Family,
    rows: int,
    weight: NDArray[np.int64],
    roots: NDArray[np.integer[Any]],
    width: int,
    heaviest: int,
) -> Family:
    """Return the circuits of weight ≤ ``heaviest`` in windows of ``width`` columns around the roots."""
    if compiled is not None:
        parts = compiled.windows(
            field.parameter, *_parts(columns), rows, weight, roots.astype(np.int32), width, heaviest
        )
        return Family(*parts)
    found = python_windows(field, columns.dicts(), rows, weight.tolist(), roots.tolist(), width, heaviest)
    return Family.of(found, field.dtype)


def lightest(
    field: Field, columns: Family, rows: int, weight: NDArray[np.int64], free: NDArray[np.int32], nodes: int
) -> tuple[Family, int]:
    """Return independent circuits, lightest first, and the weight up to which all circuits were seen."""
    if compiled is not None:
        parts, level = compiled.lightest(field.parameter, *_parts(columns), rows, weight, free, nodes)
        return Family(*parts), int(level)
    search = Lightest(field, columns.dicts(), rows, weight.tolist(), free.tolist(), nodes)
    search.run()
    return Family.of(search.kept, field.dtype), search.level


def exchange(field: Field, basis: Family, weight: NDArray[np.int64], budget: int) -> Family:
    """Return a basis of the same span, lighter where a pairwise exchange can make it so."""
    if compiled is not None:
        return Family(*compiled.exchange(field.parameter, *_parts(basis), weight, int(budget)))
    state = Exchange(field, basis.dicts(), weight.tolist(), budget)
    state.run()
    return Family.of(state.basis, field.dtype)


def select(
    field: Field, pool: Family, weight: NDArray[np.int64], coordinates: NDArray[np.integer[Any]]
) -> NDArray[np.intp]:
    """Return the numbers of the lightest independent vectors of ``pool``: the matroid greedy algorithm.

    ``coordinates``, increasing, are such that a vector of the span is determined by its entries there.
    """
    order = np.argsort(pool.weights(weight), kind="stable")
    seen = pool.seen_at(np.asarray(coordinates, dtype=np.intp), weight.size)
    chosen, _, _ = eliminate(field, seen, coordinates.size, order, circuits=False)
    return chosen.astype(np.intp)
