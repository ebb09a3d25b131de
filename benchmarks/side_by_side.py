"""Time callables alternately, so that a change of the machine's mood hits all of them alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from statistics import median

__all__ = ["measure", "table"]


def measure(candidates: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median wall time in seconds of each candidate over interleaved rounds, after one warm-up call each."""
    for call in candidates.values():
        call()
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, call in candidates.items():
            started = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - started)
    return {name: median(values) for name, values in times.items()}


def table(columns: list[str], rows: list[list[object]]) -> str:
    """Lay out a Markdown table."""
    cells = [[str(cell) for cell in row] for row in [columns, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in cells
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)
