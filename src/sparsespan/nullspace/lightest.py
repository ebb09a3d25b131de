"""All circuits by weight, as far as the work allows: the start of a lightest basis, with proof (definition in Python).

A basis of least weight is what the greedy algorithm picks from all circuits in order of weight. Circuits of weight up
to a limit can be listed: a row in which the columns chosen so far have exactly one entry needs another column, and the
row with the fewest choices is branched on. What level k adds to the span is then known for good, and every vector still
missing weighs more.
"""

from __future__ import annotations

from typing import Any

from .elimination import Elimination
from .fields import Field
from .stops import Stop, never

__all__ = ["Lightest"]

Vector = dict[int, Any]
_ASKED = 256  # nodes between two questions whether to stop


class Lightest:
    """
    Lists circuits level by level and keeps the independent ones.

    Parameters
    ----------
    field : Prime or Real
    columns : list of dict
        {row: value} for each column.
    rows : int
    weight : list of int
    free : list of int
        Coordinates that determine a null vector.
    budget : int
        Nodes of the search tree that may be visited.

    Attributes
    ----------
    kept : list of dict
        Independent circuits, lightest first: the greedy choice among all circuits of weight ≤ ``level``, followed by
        what an unfinished level gave.
    level : int
        Largest weight up to which all circuits were seen.
    """

    def __init__(
        self,
        field: Field,
        columns: list[Vector],
        rows: int,
        weight: list[int],
        free: list[int],
        budget: int,
        stop: Stop = never,
    ) -> None:
        self.field, self.columns, self.weight, self.budget, self.stop = field, columns, weight, budget, stop
        self.row_columns: list[list[int]] = [[] for _ in range(rows)]
        for j, column in enumerate(columns):
            for r in column:
                self.row_columns[r].append(j)
        self.number = {j: k for k, j in enumerate(free)}
        self.degree = [len(held) for held in self.row_columns]
        self.span = Elimination(field, [], [0] * len(free))
        self.kept: list[Vector] = []
        self.level = 0
        self.limit = 0
        self.chosen: list[int] = []
        self.count = [0] * rows
        self.shut = [False] * len(columns)  # chosen, or already branched on

    def run(self) -> None:
        """Raise the limit until the span is complete or the budget is spent."""
        while len(self.kept) < len(self.number):
            self.limit += 1
            for j in range(len(self.columns)):
                if self.weight[j] <= self.limit:
                    self._with(j, 0)
                self.shut[j] = True
            self.shut = [False] * len(self.columns)
            if self.budget < 0:
                return
            self.level = self.limit

    def _with(self, j: int, weight: int) -> None:
        """Search below the chosen columns and ``j``."""
        self.chosen.append(j)
        self.shut[j] = True
        for r in self.columns[j]:
            self.count[r] += 1
        self._descend(weight + self.weight[j])
        for r in self.columns[j]:
            self.count[r] -= 1
        self.shut[j] = False
        self.chosen.pop()

    def _descend(self, weight: int) -> None:
        self.budget = -1 if self.budget % _ASKED == 0 and self.stop() else self.budget - 1
        if self.budget < 0 or len(self.kept) == len(self.number):
            return
        room = self.limit - weight
        choices = self._fewest(room)
        if choices is None:
            choices = self._closed(weight, room)
        tried = []
        for j in choices:
            if self.weight[j] < room or self._closes(j):
                self._with(j, weight)
            self.shut[j] = True
            tried.append(j)
        for j in tried:
            self.shut[j] = False

    def _fewest(self, room: int) -> list[int] | None:
        """Columns for the row with one entry that has the fewest of them; None if there is no such row."""
        best: list[int] | None = None
        for j in self.chosen:
            for r in self.columns[j]:
                if self.count[r] == 1 and (best is None or best):
                    fitting = [k for k in self.row_columns[r] if not self.shut[k] and self.weight[k] <= room]
                    best = fitting if best is None or len(fitting) < len(best) else best
        return best

    def _closes(self, j: int) -> bool:
        """Whether ``j`` alone leaves no row with one entry."""
        single = sum(self.count[r] == 1 for r in self.columns[j])
        fresh = any(self.count[r] == 0 for r in self.columns[j])
        return not fresh and single == sum(self.count[r] == 1 for k in self.chosen for r in self.columns[k])

    def _closed(self, weight: int, room: int) -> list[int]:
        """No row has one entry: a circuit, or independent columns that need one more, connected to them."""
        elimination = Elimination(self.field, self.columns, self.degree)
        for j in self.chosen:
            elimination.add(j)
        if elimination.free:
            if weight == self.limit and len(elimination.circuits[0]) == len(self.chosen):
                self._keep(elimination.circuits[0])
            return []
        near = {k for j in self.chosen for r in self.columns[j] for k in self.row_columns[r]}
        return sorted(k for k in near if not self.shut[k] and self.weight[k] <= room)

    def _keep(self, circuit: Vector) -> None:
        seen = {self.number[j]: v for j, v in circuit.items() if j in self.number}
        self.span.columns.append(seen)
        self.span.add(len(self.span.columns) - 1, want_circuit=False)
        if self.span.basis and self.span.basis[-1] == len(self.span.columns) - 1:
            self.kept.append(circuit)
        else:
            self.span.columns.pop()
