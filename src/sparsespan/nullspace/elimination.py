"""Left-looking elimination: which columns are independent, and the circuit that each other one closes.

This is the definition in Python; `_circuits.cpp` holds the compiled form, and a property test keeps the two together.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .fields import Field

__all__ = ["Elimination"]

Vector = dict[int, Any]


class Elimination:
    """Columns taken one after the other; each is independent of those before it, or closes a circuit with them.

    Parameters
    ----------
    field : Prime or Real
    columns : list of dict
        The columns, each {row: value}.
    degree : list of int
        Number of entries in each row. The pivot of a column lies in its rarest row, which keeps the factors sparse.

    Attributes
    ----------
    basis, free : list of int
        The independent columns and the others, in the order in which they were taken.
    circuits : list of dict
        For each free column the null vector {column: value} that has −1 there and lives on the basis otherwise.
    """

    def __init__(self, field: Field, columns: list[Vector], degree: list[int]) -> None:
        self.field, self.columns, self.degree = field, columns, degree
        self.basis: list[int] = []
        self.free: list[int] = []
        self.circuits: list[Vector] = []
        self._lower: list[Vector] = []
        self._upper: list[Vector] = []
        self._inverse: list[Any] = []
        self._row: list[int] = []
        self._pivot_of_row: dict[int, int] = {}

    def add(self, j: int, want_circuit: bool = True) -> None:
        """Take column ``j``."""
        rest, used, scale = self._reduce(self.columns[j])
        row = self._choose(rest, scale)
        if row is not None:
            self._extend(j, row, rest, used, self.field.floor(scale))
            return
        self.free.append(j)
        if want_circuit:
            self.circuits.append(self._close(j, used))

    def _reduce(self, column: Vector) -> tuple[Vector, Vector, float]:
        f: Any = self.field
        work = dict(column)
        scale = max((f.size(v) for v in work.values()), default=0.0)
        queue = [self._pivot_of_row[r] for r in work if r in self._pivot_of_row]
        heapq.heapify(queue)
        used: Vector = {}
        while queue:
            q = heapq.heappop(queue)
            factor = work.get(self._row[q], f.zero)
            if f.size(factor) <= f.floor(scale):
                continue
            used[q] = factor
            scale = max(scale, f.size(factor))
            minus = f.negate(factor)
            for r, v in self._lower[q].items():
                if r not in work and r in self._pivot_of_row:
                    heapq.heappush(queue, self._pivot_of_row[r])
                work[r] = f.combine(work.get(r, f.zero), minus, v)
        return {r: v for r, v in work.items() if r not in self._pivot_of_row}, used, scale

    def _choose(self, rest: Vector, scale: float) -> int | None:
        f: Any = self.field
        largest = max((f.size(v) for v in rest.values()), default=0.0)
        floor = f.floor(scale)
        if largest <= floor:
            return None
        rows = (r for r, v in rest.items() if f.size(v) > floor and f.stable(f.size(v), largest))
        return min(rows, key=lambda r: (self.degree[r], r))

    def _extend(self, j: int, row: int, rest: Vector, used: Vector, floor: float) -> None:
        f: Any = self.field
        inverse = f.invert(rest[row])
        column = {r: f.multiply(v, inverse) for r, v in rest.items() if f.size(v) > floor}
        column[row] = f.one
        self._pivot_of_row[row] = len(self.basis)
        self._row.append(row)
        self.basis.append(j)
        self._inverse.append(inverse)
        self._lower.append(column)
        self._upper.append(used)

    def _close(self, j: int, used: Vector) -> Vector:
        f: Any = self.field
        coefficient = dict(used)
        queue = [-q for q in used]
        heapq.heapify(queue)
        found = {j: f.negate(f.one)}
        scale = 1.0
        while queue:
            q = -heapq.heappop(queue)
            c = f.multiply(coefficient.pop(q), self._inverse[q])
            if f.size(c) <= f.floor(scale):
                continue
            scale = max(scale, f.size(c))
            found[self.basis[q]] = c
            minus = f.negate(c)
            for k, v in self._upper[q].items():
                if k not in coefficient:
                    heapq.heappush(queue, -k)
                coefficient[k] = f.combine(coefficient.get(k, f.zero), minus, v)
        return {k: v for k, v in found.items() if f.size(v) > f.floor(scale)}
