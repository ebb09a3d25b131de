"""Phase diagrams: shares of success over a grid, several methods side by side, with the line of ℓ¹-optimality."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from ...arrays import FloatArray
from ...models import Values
from ...report import Block, Figure, Prose, Section, Table
from ...report import Row as Side
from ...report.blocks import Cell as TableCell
from ...report.charts import Chart, Series, heatmap, heatmap_pixels
from ...report.numbers import seconds, share
from ..trial import Row, Trial
from ..workers import Runner
from .base import Drawing, Findings, Reproduction, Scale
from .registry import register

__all__ = ["OPTIMAL", "Cell", "Grid", "Panel", "Phase", "exact", "posted", "published", "register_phase", "rows_for"]

Cell = Mapping[str, float]  # p, n, k of an instance, and what else stands along an axis
_COMPARED = ("paper", "auto", "spectral")  # panels told in the first sentence
_VALUES: dict[Values, str] = {"ones": "ones", "gaussian": "Gaussian"}


def rows_for(dim: int) -> int:
    """P = 5n log n, rounded as in the posted code."""
    return round(5 * dim * math.log(dim))


def published(dims: Iterable[int], nonzeros: Iterable[int]) -> list[Cell]:
    """The grid of the posted code: all k ≤ p at p = 5n log n."""
    every = list(nonzeros)
    return [{"p": rows_for(n), "n": n, "k": k} for n in dims for k in every if k <= rows_for(n)]


def exact(row: Row) -> float:
    """Whether the sparse vector (or one of them) is returned, to 1e-6; a method that gave up has failed."""
    return float(row.outcome.get("success", False))


def posted(row: Row) -> float:
    """Whether the test of the posted code is passed."""
    return float(row.outcome.get("posted", False))


def _itself(_x: float, y: float) -> float:
    return y


@dataclass(frozen=True)
class Grid:
    """
    The cells of a scale.

    Attributes
    ----------
    cells : sequence of mapping
        Their p, n, k.
    x, y : str
        The parameters along the axes.
    rising : bool
        Whether success comes with growing y (more rows) instead of going (more nonzeros).
    repeats : int
        Instances of each cell.
    skipped : mapping of str to callable
        By method: which cells it does not run, because they would take hours.
    meaning : callable
        From x and y to the nonzeros or rows that y stands for.
    bound : callable, optional
        From x and the law of the nonzeros to the y at which the truth has the ℓ¹ norm of the best random direction.
    told : str
        What was left out and why.
    """

    cells: Sequence[Cell]
    x: str
    y: str
    rising: bool
    repeats: int
    skipped: Mapping[str, Callable[[Cell], bool]] = field(default_factory=dict)
    meaning: Callable[[float, float], float] = _itself
    bound: Callable[[float, Values], float] | None = None
    told: str = "nothing"


@dataclass(frozen=True)
class Panel:
    """One diagram of the row: whose trials it shows, and what counts in them (a share from 0 to 1)."""

    name: str
    title: str
    method: str
    counted: Callable[[Row], float]


OPTIMAL = Panel("optimal", "is the truth ℓ¹-optimal?", "optimal", exact)


@dataclass(frozen=True)
class Phase:
    """
    A phase diagram of the paper.

    Attributes
    ----------
    name, source, title
        As in `Reproduction`.
    run : callable
        From a trial to its outcome.
    grids : mapping of str to Grid
    panels : sequence of Panel
    notes : mapping of str to str
        Parameters in words.
    """

    name: str
    source: str
    title: str
    run: Runner
    grids: Mapping[Scale, Grid]
    panels: Sequence[Panel]
    notes: Mapping[str, str]

    @property
    def methods(self) -> tuple[str, ...]:
        """Those of the panels."""
        return tuple(dict.fromkeys(panel.method for panel in self.panels))

    def trials(self, scale: Scale, methods: tuple[str, ...]) -> list[Trial]:
        """All methods on the same instances, but for those that would take hours."""
        grid = self.grids[scale]
        return [
            Trial(self.name, {**cell, "values": values}, repeat, method)
            for cell in grid.cells
            for values in _VALUES
            for repeat in range(grid.repeats)
            for method in methods
            if method not in grid.skipped or not grid.skipped[method](cell)
        ]

    def findings(self, rows: Sequence[Row], scale: Scale) -> Findings:
        """Draw a row of diagrams for each law of the nonzeros."""
        grid = self.grids[scale]
        drawn = {v: _Diagrams(self, grid, v, [row for row in rows if row["values"] == v]) for v in _VALUES}
        blocks: list[Block] = []
        drawings: dict[str, Drawing] = {}
        for values, diagrams in drawn.items():
            charts = diagrams.charts(_VALUES[values])
            shown: list[Block] = [Side([Figure(chart) for chart in charts.values()]), diagrams.edges()]
            blocks.append(Section(f"Nonzeros: {_VALUES[values]}", shown if charts else [Prose("Nothing was run yet.")]))
            drawings |= {f"{values}-{name}": chart for name, chart in charts.items()}
            drawings |= {f"{values}-{p.name}-cells": heatmap_pixels(diagrams.shares(p)[0]) for p in diagrams.panels}
        blocks.append(Section("All cells together", [_table(drawn)]))
        measured = {f"{name}_{values}": v for values, one in drawn.items() for name, v in one.measured().items()}
        return Findings(
            _lead(drawn),
            blocks,
            measured | _minutes(rows, self.methods),
            drawings,
            {"repeats": str(grid.repeats), **self.notes, "left out": grid.told, "cells": str(len(grid.cells))},
        )


def register_phase(phase: Phase) -> Reproduction:
    """Enter a phase diagram into the list of reproductions."""
    return register(
        Reproduction(phase.name, phase.source, phase.title, phase.methods, phase.trials, phase.run, phase.findings)
    )


@dataclass(frozen=True)
class _Diagrams:
    """The diagrams of one law of the nonzeros."""

    phase: Phase
    grid: Grid
    values: Values
    rows: Sequence[Row]

    @property
    def axes(self) -> tuple[FloatArray, FloatArray]:
        x, y = (np.unique([float(cell[name]) for cell in self.grid.cells]) for name in (self.grid.x, self.grid.y))
        return x, y

    def of(self, method: str) -> list[Row]:
        return [row for row in self.rows if row.trial.method == method]

    @property
    def panels(self) -> list[Panel]:
        """Those that anything was run for."""
        return [panel for panel in self.phase.panels if self.of(panel.method)]

    def shares(self, panel: Panel) -> tuple[FloatArray, FloatArray]:
        """Mean of what counts, NaN where nothing was run, and the number of trials: (y, x) each."""
        x, y = self.axes
        total, count = np.zeros((2, y.size, x.size))
        for row in self.of(panel.method):
            at = np.searchsorted(y, row[self.grid.y]), np.searchsorted(x, row[self.grid.x])
            total[at] += panel.counted(row)
            count[at] += 1
        return np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0), count

    def edge(self, panel: Panel) -> FloatArray:
        """Where success begins or ends in each column, in units of y; NaN where the grid does not hold it."""
        y = self.axes[1]
        shares = self.shares(panel)[0]
        return np.array([_edge(column, y, self.grid.rising) for column in shares.T])

    def charts(self, nonzeros: str) -> dict[str, Chart]:
        x, y = self.axes
        curves = [Series("half of the truths ℓ¹-optimal", x, self.edge(OPTIMAL))] if self.of(OPTIMAL.method) else []
        if self.grid.bound is not None:
            curves.append(
                Series("ℓ¹ norm below any random direction's", x, [self.grid.bound(one, self.values) for one in x])
            )
        draw = partial(heatmap, x=x, y=y, curves=curves, xlabel=self.grid.x, ylabel=self.grid.y)
        return {
            panel.name: draw(shares, trials=count, title=f"{panel.title}; nonzeros: {nonzeros}")
            for panel in self.panels
            for shares, count in [self.shares(panel)]
        }

    def edges(self) -> Table:
        """The edge in each column, and its growth."""
        edges = [self.edge(panel) for panel in self.panels]
        lines: list[list[TableCell]] = [
            [float(x), *(None if np.isnan(edge[j]) else float(edge[j]) for edge in edges)]
            for j, x in enumerate(self.axes[0])
        ]
        lines.append(["exponent", *(self._growth(panel) for panel in self.panels)])
        caption = (
            f"Edge of success in {self.grid.y}, half-way between two cells; an en dash where the grid ends before it"
        )
        columns = (self.grid.x, *(panel.title for panel in self.panels))
        return Table(columns, lines, caption, "r" * len(columns))

    def lines(self) -> Iterator[list[TableCell]]:
        for panel in self.panels:
            rows = self.of(panel.method)
            spent = [row.seconds for row in rows]
            errors = sum(set(row.outcome) == {"error"} for row in rows)
            times = seconds(float(np.median(spent))), seconds(sum(spent))
            yield [panel.title, len(rows), share(_mean(panel, rows)), *times, errors]

    def measured(self) -> dict[str, float | None]:
        """Shares by panel, lost cells, and the growth of the paper's edge with x."""
        found: dict[str, float | None] = {}
        for panel in self.phase.panels:
            rows = self.of(panel.method)
            found[f"share_{panel.name}"] = _mean(panel, rows) if rows else None
            found[f"exponent_{panel.name}"] = self._growth(panel)
        lost, fewer = self._lost(exact), self._lost(_rows)
        found |= {"lost": sum(lost) if lost else None, "lost_rows": float(np.mean(fewer)) if fewer else None}
        return found | {"missed": self._missed()}

    def _lost(self, counted: Callable[[Row], float]) -> list[float]:
        """By how much the paper's protocol is ahead of `auto` on each instance that both were run on."""
        ours = {(row.trial.text, row.trial.repeat): counted(row) for row in self.of("auto")}
        theirs = {(row.trial.text, row.trial.repeat): counted(row) for row in self.of("paper")}
        return [max(0.0, theirs[key] - ours[key]) for key in ours.keys() & theirs.keys()]

    def _missed(self) -> float | None:
        """Of the instances on which the rounded limits are exact, the share on which the posted test says no."""
        rounded = [row for row in self.of("paper") if row.outcome.get("success")]
        return 1.0 - float(np.mean([posted(row) for row in rounded])) if rounded else None

    def _growth(self, panel: Panel) -> float | None:
        """Exponent e of the edge, as k or p against x: θ and ratios along y are turned into these first."""
        y, x = self.edge(panel), self.axes[0]
        good = np.isfinite(y)
        if good.sum() < 3:
            return None
        at = [self.grid.meaning(float(a), float(b)) for a, b in zip(x[good], y[good], strict=True)]
        return float(np.polyfit(np.log(x[good]), np.log(at), 1)[0])


def _mean(panel: Panel, rows: Sequence[Row]) -> float:
    return float(np.mean([panel.counted(row) for row in rows]))


def _rows(row: Row) -> float:
    """How many rows of a dictionary are found."""
    return float(row.outcome.get("rows", 0))


def _edge(shares: FloatArray, y: FloatArray, rising: bool) -> float:
    """
    The place that parts successes from failures best, between two cells of a column.

    It is half-way between neighbours; NaN where all or none succeed, because the edge then lies elsewhere.
    """
    run = np.isfinite(shares)
    ups, at = (2.0 * shares[run] - 1.0) * (-1.0 if rising else 1.0), y[run]
    gain = np.concatenate([[0.0], np.cumsum(ups)])
    split = int(np.argmax(gain))
    return float("nan") if split in (0, at.size) else float((at[split - 1] + at[split]) / 2.0)


def _table(drawn: Mapping[Values, _Diagrams]) -> Table:
    lines = [[_VALUES[values], *line] for values, one in drawn.items() for line in one.lines()]
    columns = ("nonzeros", "diagram", "trials", "mean share", "time of one, median", "time of all", "errors")
    return Table(columns, lines, align="llrrrrr")


def _lead(drawn: Mapping[Values, _Diagrams]) -> str:
    told = []
    for values, one in drawn.items():
        shares = [f"{p.name} {share(_mean(p, one.of(p.method)))}" for p in one.panels if p.name in _COMPARED]
        told.append(f"{_VALUES[values]}: {', '.join(shares) or 'nothing run'}")
    return f"Share of the instances on which the sparse vector is returned exactly. {'; '.join(told)}."


def _minutes(rows: Sequence[Row], methods: Sequence[str]) -> dict[str, float | None]:
    """Minutes on two cores of each method, and of all together."""
    some = {method: [row.seconds for row in rows if row.trial.method == method] for method in methods}
    some["together"] = [row.seconds for row in rows]
    return {f"minutes_{name}": sum(spent) / 120.0 if spent else None for name, spent in some.items()}
