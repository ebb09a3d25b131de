"""The loops of the search as functions on families: compiled where the extension was built, in Python elsewhere."""

from __future__ import annotations

import logging
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .family import Family
from .fields import Field
from .in_python import InPython
from .stops import Stop, never

__all__ = ["Loops", "loops", "select", "why_not_compiled"]


class Loops(Protocol):
    """The five loops; both forms give the same answers. Three ask now and then whether to stop with what they have."""

    @property
    def pace(self) -> float:
        """Work that may be spent in a given time, relative to the compiled loops."""

    def eliminate(
        self, field: Field, columns: Family, rows: int, order: NDArray[np.integer[Any]], circuits: bool = True
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], Family]:
        """Eliminate the columns in ``order``: return basis, free columns, and the circuit of each free column."""

    def nullities(self, field: Field, columns: Family, rows: int, sets: Family) -> NDArray[np.int32]:
        """Return for each set of columns (the coordinates of a vector of ``sets``) its nullity, shape (count,)."""

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
        """Return the circuits of weight ≤ ``heaviest`` in windows of ``width`` columns around the roots."""

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
        """Return independent circuits, lightest first, and the weight up to which all circuits were seen."""

    def exchange(
        self, field: Field, basis: Family, weight: NDArray[np.int64], budget: int, stop: Stop = never
    ) -> Family:
        """Return a basis of the same span, lighter where a pairwise exchange can make it so."""


def _load() -> tuple[Loops, str]:
    """The loops that serve, and why they are not compiled ("" where they are)."""
    try:
        from .compiled import Compiled
    except ModuleNotFoundError:
        reason = "this installation holds no compiled search; install it again with a C++ compiler (GCC or Clang)"
    except ImportError as error:
        reason = f"the compiled search cannot be loaded ({error}); install the package again"
    else:
        return Compiled(), ""
    logging.getLogger(__name__).info("The null-space search runs in Python: %s.", reason)
    return InPython(), reason


loops, _reason = _load()


def why_not_compiled() -> str:
    """Why the loops run in Python; empty where they are compiled."""
    return _reason


def select(
    field: Field, pool: Family, weight: NDArray[np.int64], coordinates: NDArray[np.integer[Any]]
) -> NDArray[np.intp]:
    """Return the numbers of the lightest independent vectors of ``pool``: the matroid greedy algorithm.

    ``coordinates``, increasing, are such that a vector of the span is determined by its entries there.
    """
    order = np.argsort(pool.weights(weight), kind="stable")
    seen = pool.seen_at(np.asarray(coordinates, dtype=np.intp), weight.size)
    chosen, _, _ = loops.eliminate(field, seen, coordinates.size, order, circuits=False)
    return chosen.astype(np.intp)
