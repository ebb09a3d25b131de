"""Circuits found near a column: the pool from which sparse bases are chosen (the definition in Python)."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

from .elimination import Elimination
from .stops import Stop, never

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .fields import Field

__all__ = ["grown", "windows"]


def windows(
    field: Field,
    columns: list[dict[int, Any]],
    rows: int,
    weight: list[int],
    roots: Sequence[int],
    width: int,
    heaviest: int,
    stop: Stop = never,
) -> list[dict[int, Any]]:
    """Return the circuits of weight ≤ ``heaviest`` found around each root, one for each support.

    A window is the ``width`` columns that close in upon a root. Eliminating it in that order gives circuits that stay
    near the root: for graphs, the candidates of Horton's algorithm.
    """
    degree = [0] * rows
    row_columns: list[list[int]] = [[] for _ in range(rows)]
    for j, column in enumerate(columns):
        for r in column:
            degree[r] += 1
            row_columns[r].append(j)
    pool: dict[frozenset[int], dict[int, Any]] = {}
    for root in roots:
        if stop():
            break
        elimination = Elimination(field, columns, degree)
        for j in grown(root, width, columns, row_columns, weight):
            elimination.add(j)
        for circuit in elimination.circuits:
            if sum(weight[j] for j in circuit) <= heaviest:
                pool.setdefault(frozenset(circuit), circuit)
    return list(pool.values())


def grown(
    root: int, width: int, columns: list[dict[int, Any]], row_columns: list[list[int]], weight: list[int]
) -> list[int]:
    """Return up to ``width`` columns in the order in which they close in upon ``root``.

    Next comes the column with the fewest rows not yet touched; one with none left closes a circuit or nearly so.
    """
    order: list[int] = []
    used: set[int] = set()
    covered: set[int] = set()
    uncovered: dict[int, int] = {}
    queue = [(0, 0, root)]
    uncovered[root] = 0
    while queue and len(order) < width:
        count, _, j = heapq.heappop(queue)
        if j in used or count != uncovered[j]:
            continue
        used.add(j)
        order.append(j)
        for r in (r for r in columns[j] if r not in covered):
            covered.add(r)
            for c in (c for c in row_columns[r] if c not in used):
                uncovered[c] = uncovered.get(c, len(columns[c])) - 1
                heapq.heappush(queue, (uncovered[c], weight[c], c))
    return order
