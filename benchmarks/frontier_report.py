"""The results of `benchmarks.frontier` as a Markdown table and pictures."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median

import numpy as np

from sparsespan.experiments.trial import Row
from sparsespan.report.charts import heatmap
from sparsespan.report.numbers import binomial_interval

from .side_by_side import table

__all__ = ["write_report"]

_MARK = re.compile(r"(<!-- frontier -->\n).*?(<!-- /frontier -->)", re.DOTALL)
_LAWS = {"n+10": "n + 10", "2n": "2n", "2nlogn": "2n log n", "5nlogn": "5n log n"}
_VALUES = ("ones", "signs", "gaussian")
_PICTURED = ("auto", "paper")

Cell = tuple[str, str, int, float]  # values, law, n, θ
_LONG = ("2nlogn", "5nlogn")
# What `auto` is asked to recover on every instance: by name, which cells.
_GOALS: dict[str, Callable[[Cell], bool]] = {
    "ones, p = 2n log n and 5n log n, θ ≤ .9": lambda c: c[0] == "ones" and c[1] in _LONG,
    "ones and signs, p = 2n, n = 20 and 50": lambda c: c[0] != "gaussian" and c[1] == "2n" and c[2] <= 50,
    "ones and signs, p = n + 10, n = 20": lambda c: c[0] != "gaussian" and c[1] == "n+10" and c[2] == 20,
    "Gaussian, p = 5n log n, θ ≤ .6": lambda c: c[0] == "gaussian" and c[1] == "5nlogn" and c[3] <= 0.6,
    "Gaussian, p = 2n log n, n = 50, θ ≤ .5": lambda c: c[:3] == ("gaussian", "2nlogn", 50) and c[3] <= 0.5,
    "Gaussian, p = 2n log n, n = 20, θ ≤ .4": lambda c: c[:3] == ("gaussian", "2nlogn", 20) and c[3] <= 0.4,
}


def write_report(rows: Iterable[Row], folder: Path) -> None:
    """Fill the marked part of ``frontier.md`` and draw one picture for each method and kind of values."""
    cells: dict[str, dict[Cell, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        cells[row.trial.method][row["values"], row["law"], row["n"], row["share"]].append(row)
    parts = [_against_paper(cells)] if {"auto", "paper"} <= set(cells) else []
    parts += [_goals(cells["auto"]), ""] if "auto" in cells else []
    for method in sorted(cells):
        parts += [f"### `{method}`", "", _tables(cells[method]), ""]
        for values in _VALUES if method in _PICTURED else ():
            _picture(cells[method], method, values, folder)
    page = folder / "frontier.md"
    text = page.read_text(encoding="utf-8")
    body = "\n".join(parts)
    page.write_text(_MARK.sub(lambda found: f"{found[1]}{body}\n{found[2]}", text), encoding="utf-8")


def _shares(cells: dict[Cell, list[Row]]) -> list[float]:
    return sorted({share for *_, share in cells})


def _wins(rows: list[Row]) -> int:
    return sum(bool(row.outcome.get("success")) for row in rows)


def _tables(cells: dict[Cell, list[Row]]) -> str:
    """A line for each n, law and kind of values: successes of trials, gaps in brackets, median seconds below."""
    shares = _shares(cells)
    lines: list[list[object]] = []
    for values in _VALUES:
        for law, said in _LAWS.items():
            for dim in sorted({dim for _, _, dim, _ in cells}):
                shown = [_cell(cells.get((values, law, dim, share), [])) for share in shares]
                if any(shown):
                    lines.append([values, said, dim, *shown])
    return table(["values", "p", "n", *(f"θ = {share}" for share in shares)], lines)


def _cell(rows: list[Row]) -> str:
    if not rows:
        return ""
    gaps = sum(bool(row.outcome.get("gap")) for row in rows)
    took = median(row.outcome.get("cpu", row.seconds) for row in rows)
    return f"{_wins(rows)}/{len(rows)}" + (f" [{gaps}]" if gaps else "") + f" {_seconds(took)}"


def _seconds(value: float) -> str:
    return f"{1e3 * value:.0f} ms" if value < 1 else f"{value:.1f} s"


def _against_paper(cells: dict[str, dict[Cell, list[Row]]]) -> str:
    """Sum up: where the paper's algorithm does better, and how long ours takes where the paper's succeeds."""
    both = [cell for cell in cells["paper"] if cells["auto"].get(cell)]
    worse = [c for c in both if _rate(cells["auto"][c]) < _rate(cells["paper"][c])]
    solved = [c for c in both if _rate(cells["paper"][c]) >= 0.9 and c[2] <= 50]
    times = [median(row.outcome["cpu"] for row in cells["auto"][c]) for c in solved]
    ours, theirs = (sum(_wins(cells[method][c]) for c in both) for method in ("auto", "paper"))
    trials = sum(len(cells["auto"][c]) for c in both)
    slowest = f"; the slowest of their medians is {_seconds(max(times))}" if times else ""
    return (
        f"In {len(both)} cells run with both: `auto` recovers {ours} of {trials} instances, `paper` {theirs}. "
        f"`paper` succeeds more often in {len(worse)} cells{': ' + _told(worse) if worse else ''}. "
        f"With n ≤ 50 `paper` succeeds (9 of 10 or more) in {len(solved)} cells{slowest}.\n"
    )


def _goals(cells: dict[Cell, list[Row]]) -> str:
    """Which of the goals hold, over the instances that were run; then the gaps where p ≥ 2n log n."""
    lines: list[list[object]] = []
    for name, asked in _GOALS.items():
        chosen = {cell: rows for cell, rows in cells.items() if asked(cell)}
        missed = [cell for cell, rows in chosen.items() if _wins(rows) < len(rows)]
        total = sum(map(len, chosen.values()))
        lines.append([name, f"{sum(map(_wins, chosen.values()))} of {total}", _told(missed) or "none"])
    gaps = {cell: sum(bool(row.outcome.get("gap")) for row in rows) for cell, rows in cells.items() if cell[1] in _LONG}
    total = sum(len(rows) for cell, rows in cells.items() if cell[1] in _LONG)
    lines.append(
        [
            "no gap, p = 2n log n and 5n log n",
            f"{total - sum(gaps.values())} of {total}",
            _told([c for c, n in gaps.items() if n]) or "none",
        ]
    )
    longest = max(row.outcome["cpu"] for rows in cells.values() for row in rows)
    return table(["asked of `auto`", "instances", "cells with misses"], lines) + (
        f"\n\nThe longest instance took {_seconds(longest)}."
    )


def _rate(rows: list[Row]) -> float:
    return _wins(rows) / len(rows)


def _told(cells: list[Cell]) -> str:
    return "; ".join(f"{values}, p = {_LAWS[law]}, n = {dim}, θ = {share}" for values, law, dim, share in cells)


def _picture(cells: dict[Cell, list[Row]], method: str, values: str, folder: Path) -> None:
    """Success over θ (across) and the twelve sizes (up: by n, and within by p)."""
    dims, shares = sorted({dim for _, _, dim, _ in cells}), _shares(cells)
    sizes = [(law, dim) for dim in dims for law in _LAWS]
    grid = np.full((len(sizes), len(shares)), np.nan)
    counts = np.full_like(grid, np.nan)
    for i, (law, dim) in enumerate(sizes):
        for j, share in enumerate(shares):
            rows = cells.get((values, law, dim, share))
            if rows:
                grid[i, j], counts[i, j] = _rate(rows), len(rows)
    if np.isnan(grid).all():
        return
    low, high = binomial_interval(9, 10)
    title = f"{method}, {values}: share of successes (9 of 10: {100 * low:.0f} to {100 * high:.0f} % at 95 %)"
    chart = heatmap(
        grid,
        shares,
        np.arange(1, len(sizes) + 1),
        trials=counts,
        xlabel="share of nonzeros θ",
        ylabel="size: n = 20, 50, 100, each with p = n + 10, 2n, 2n log n, 5n log n",
        title=title,
    )
    chart.write(folder / f"frontier-{method}-{values}.svg", 720)
