"""The compiled loops, on families; importing this module fails where nothing was compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._circuits import eliminate, exchange, lightest, nullities, windows
from .family import Family
from .fields import Field
from .stops import Stop, never

__all__ = ["Compiled"]

_Parts = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any]]


def _parts(family: Family) -> _Parts:
    return family.starts, family.at, family.value


class Compiled:
    """The loops in C++: the same answers as `InPython`, far sooner."""

    pace = 1.0

    def eliminate(
        self, field: Field, columns: Family, rows: int, order: NDArray[np.integer[Any]], circuits: bool = True
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], Family]:
        """See `Loops`."""
        numbers = order.astype(np.int32)
        basis, free, parts = eliminate(field.parameter, *_parts(columns), rows, numbers, circuits)
        return basis, free, Family(*parts)

    def nullities(self, field: Field, columns: Family, rows: int, sets: Family) -> NDArray[np.int32]:
        """See `Loops`."""
        return nullities(field.parameter, *_parts(columns), rows, sets.starts, sets.at)

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
        numbers = roots.astype(np.int32)
        return Family(*windows(field.parameter, *_parts(columns), rows, weight, numbers, width, heaviest, stop))

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
        parts, level = lightest(field.parameter, *_parts(columns), rows, weight, free, nodes, stop)
        return Family(*parts), level

    def exchange(
        self, field: Field, basis: Family, weight: NDArray[np.int64], budget: int, stop: Stop = never
    ) -> Family:
        """See `Loops`."""
        return Family(*exchange(field.parameter, *_parts(basis), weight, budget, stop))
