"""What can be settled without a search: rows with one or two entries, columns that are zero or proportional.

Each step keeps the null space, up to a change of coordinates in which a coordinate has an integer weight: the number of
original coordinates that move with it. The weight of a vector is then the number of its nonzeros in the end.

* A row with one entry makes its coordinate zero.
* A row with two entries ties two coordinates together: they become one.
* A zero column is a null vector by itself.
* Two proportional columns form a null vector. It belongs to a sparsest basis whenever the lighter column weighs at most
  two, since every other circuit through the heavier one weighs no less; the heavier column may then be left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .family import Family
from .fields import Field, Real

__all__ = ["Core", "presolve"]

_ALWAYS = 2  # a column of this weight or less represents its proportional ones without loss


@dataclass(frozen=True)
class Core:
    """
    What is left to search.

    Attributes
    ----------
    columns : Family
        The remaining columns, over the original rows.
    rows : int
    weight : array of int64, shape (len(columns),)
        Original coordinates behind each column.
    expand : Family
        For each column the vector of original coordinates that it stands for.
    settled : Family
        Null vectors already found, in original coordinates.
    """

    columns: Family
    rows: int
    weight: NDArray[np.int64]
    expand: Family
    settled: Family

    def expanded(self, field: Field, vectors: Family) -> Family:
        """Return vectors of core coordinates as vectors of original coordinates."""
        lengths = self.expand.lengths[vectors.at]
        behind = self.expand.take(vectors.at)
        value = _products(field, np.repeat(vectors.value, lengths), behind.value)
        sums = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        starts = sums[vectors.starts]
        owner = np.repeat(vectors.owner, lengths)
        order = np.lexsort((behind.at, owner))
        return Family(starts, behind.at[order], value[order])


def _products(field: Field, a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(a * b if isinstance(field, Real) else a * b % np.uint64(field.parameter))


def presolve(field: Field, columns: Family, rows: int) -> Core:
    """Reduce the columns (over ``rows`` rows) until nothing more can be settled."""
    state = _State(field, columns.dicts(), rows)
    while state.tie_rows() or state.drop_proportional():
        pass
    return state.core(rows)


class _State:
    def __init__(self, field: Field, columns: list[dict[int, Any]], rows: int) -> None:
        self.f: Any = field
        self.columns = columns
        self.group: list[dict[int, Any]] = [{j: field.one} for j in range(len(columns))]
        self.alive = [True] * len(columns)
        self.rows: list[set[int]] = [set() for _ in range(rows)]
        for j, column in enumerate(columns):
            for r in column:
                self.rows[r].add(j)
        self.short = [r for r, held in enumerate(self.rows) if len(held) in (1, 2)]
        self.settled: list[dict[int, Any]] = []

    def tie_rows(self) -> bool:
        """Use up the rows with one or two entries; say whether there was any."""
        any_row = False
        while self.short:
            row = self.short.pop()
            held = sorted(self.rows[row])
            if len(held) == 1:
                self._remove(held[0])
            elif len(held) == 2:
                self._merge(held[0], held[1], row)
            any_row = True
        return any_row

    def _leave(self, r: int, j: int) -> None:
        self.rows[r].discard(j)
        if len(self.rows[r]) in (1, 2):
            self.short.append(r)

    def _remove(self, j: int) -> None:
        self.alive[j] = False
        for r in self.columns[j]:
            self._leave(r, j)
        self.columns[j] = {}

    def _merge(self, a: int, b: int, row: int) -> None:
        """Tie column b to column a through a row in which there is nothing else."""
        f = self.f
        if len(self.group[a]) + len(self.columns[a]) < len(self.group[b]) + len(self.columns[b]):
            a, b = b, a
        t = f.negate(f.multiply(self.columns[a][row], f.invert(self.columns[b][row])))
        moved = self.columns[b]
        self._remove(b)
        kept = self.columns[a]
        for r, v in moved.items():
            before = kept.pop(r, None)
            after = f.multiply(t, v) if before is None else f.combine(before, t, v)
            if r != row and f.size(after) > 0:
                kept[r] = after
                self.rows[r].add(a)
            elif before is not None:
                self._leave(r, a)
        self.group[a] |= {j: f.multiply(t, v) for j, v in self.group[b].items()}

    def drop_proportional(self) -> bool:
        """Settle zero and proportional columns; say whether a row may have become short."""
        classes: dict[tuple[int, ...], list[int]] = {}
        for j, column in enumerate(self.columns):
            if self.alive[j]:
                classes.setdefault(tuple(sorted(column)), []).append(j)
        for pattern, members in classes.items():
            if not pattern:
                for j in members:
                    self.settled.append(self.group[j])
                    self.alive[j] = False
            elif len(members) > 1:
                self._settle_class(pattern, members)
        return bool(self.short)

    def _settle_class(self, pattern: tuple[int, ...], members: list[int]) -> None:
        f = self.f
        representatives: dict[Any, int] = {}
        for j in sorted(members, key=lambda j: (len(self.group[j]), j)):
            inverse = f.invert(self.columns[j][pattern[0]])
            direction = tuple(_rounded(f.multiply(self.columns[j][r], inverse)) for r in pattern)
            k = representatives.setdefault(direction, j)
            if k != j and len(self.group[k]) <= _ALWAYS and self._proportional(j, k, pattern):
                t = f.negate(f.multiply(self.columns[k][pattern[0]], inverse))
                self.settled.append(self.group[k] | {i: f.multiply(t, v) for i, v in self.group[j].items()})
                self._remove(j)

    def _proportional(self, j: int, k: int, pattern: tuple[int, ...]) -> bool:
        f, a, b = self.f, self.columns[j], self.columns[k]
        first = f.multiply(a[pattern[0]], f.invert(b[pattern[0]]))
        return all(f.same(f.multiply(a[r], f.invert(b[r])), first) for r in pattern)

    def core(self, rows: int) -> Core:
        left = [j for j, alive in enumerate(self.alive) if alive]
        dtype = self.f.dtype
        return Core(
            columns=Family.of((self.columns[j] for j in left), dtype),
            rows=rows,
            weight=np.array([len(self.group[j]) for j in left], dtype=np.int64),
            expand=Family.of((self.group[j] for j in left), dtype),
            settled=Family.of(self.settled, dtype),
        )


def _rounded(v: float) -> float:
    """A key under which equal ratios meet; reals to nine digits, residues as they are."""
    return float(f"{v:.9g}") if isinstance(v, float) else v
