"""The loops of the search in Python: their definition, and what serves where nothing was compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .elimination import Elimination
from .exchange import Exchange
from .family import Family
from .fields import Field
from .lightest import Lightest
from .stops import Stop, never
from .windows import windows

__all__ = ["InPython"]


def _degrees(columns: Family, rows: int) -> list[int]:
    counts: list[int] = np.bincount(columns.at, minlength=rows).tolist()
    return counts


class InPython:
    """The loops in Python."""

    pace = 0.03

    def eliminate(
        self, field: Field, columns: Family, rows: int, order: NDArray[np.integer[Any]], circuits: bool = True
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], Family]:
        """See `Loops`."""
        state = Elimination(field, columns.dicts(), _degrees(columns, rows))
        for j in order.tolist():
            state.add(j, circuits)
        found = Family.of(state.circuits, field.dtype)
        return np.array(state.basis, dtype=np.int32), np.array(state.free, dtype=np.int32), found

    def nullities(self, field: Field, columns: Family, rows: int, sets: Family) -> NDArray[np.int32]:
        """See `Loops`."""
        vectors, degree = columns.dicts(), _degrees(columns, rows)
        out = []
        for members in np.split(sets.at, sets.starts[1:-1]):
            state = Elimination(field, vectors, degree)
            for j in members.tolist():
                state.add(j, want_circuit=False)
            out.append(len(state.free))
        return np.array(out[: len(sets)], dtype=np.int32)

    def windows(
        self,
        field: Field,
        columns: Family,
        rows: int,
        weight: NDArray[np.int64],
        roots: NDArray[np.integer[Any]],
        width: int,
        heaviest: int,
        stop: Stop = never,
    ) -> Family:
        """See `Loops`."""
        found = windows(field, columns.dicts(), rows, weight.tolist(), roots.tolist(), width, heaviest, stop)
        return Family.of(found, field.dtype)

    def lightest(
        self,
        field: Field,
        columns: Family,
        rows: int,
        weight: NDArray[np.int64],
        free: NDArray[np.int32],
        nodes: int,
        stop: Stop = never,
    ) -> tuple[Family, int]:
        """See `Loops`."""
        search = Lightest(field, columns.dicts(), rows, weight.tolist(), free.tolist(), nodes, stop)
        search.run()
        return Family.of(search.kept, field.dtype), search.level

    def exchange(
        self, field: Field, basis: Family, weight: NDArray[np.int64], budget: int, stop: Stop = never
    ) -> Family:
        """See `Loops`."""
        state = Exchange(field, basis.dicts(), weight.tolist(), budget, stop)
        state.run()
        return Family.of(state.basis, field.dtype)
