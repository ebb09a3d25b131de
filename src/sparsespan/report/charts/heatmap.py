"""Phase diagrams: a share in each cell of a grid, with counts, intervals, and curves on top."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...errors import InvalidInput
from ..markup import Markup, coordinate, join, tag, text
from ..numbers import binomial_interval, number, share
from .arrays import real_array, same_shape
from .chart import Chart
from .palette import colours, hex_colour, luminance
from .parts import Key, colour_bar, curve, legend, line, words
from .scale import Scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from .lines import Series

__all__ = ["heatmap", "heatmap_pixels"]


@dataclass(frozen=True, eq=False)
class _Grid:
    """What a phase diagram shows: shares (rows follow y, columns x), counts of trials, names, curves."""

    shares: NDArray[np.float64]
    trials: NDArray[np.float64]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    names: tuple[str, str]
    curves: Sequence[Series]

    def tooltip(self, i: int, j: int) -> str:
        """Say where the cell lies, what was counted and how sure it is."""
        where = f"{self.names[1]} {number(float(self.y[i]))}, {self.names[0]} {number(float(self.x[j]))}"
        if np.isnan(self.shares[i, j]):
            return f"{where}: not run"
        if np.isnan(self.trials[i, j]):
            return f"{where}: {number(float(self.shares[i, j]))}"
        trials = float(self.trials[i, j])
        wins = float(self.shares[i, j]) * trials
        low, high = binomial_interval(wins, trials)
        counted = f"{number(round(wins))} of {number(int(trials))}"
        return f"{where}: {counted}, 95 % interval {share(low)} to {share(high)}"


def heatmap(
    shares: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    *,
    trials: ArrayLike | None = None,
    curves: Sequence[Series] = (),
    xlabel: str = "x",
    ylabel: str = "y",
    title: str = "Share of successes",
) -> Chart:
    """Draw shares of success as cells of equal size on a colour scale from 0 to 1, the same in every diagram.

    Parameters
    ----------
    shares : shape (len(y), len(x)), between 0 and 1; NaN is a cell that was not run, drawn hatched.
    x, y : values along the sides, strictly increasing; they need not be evenly spaced.
    trials : number of trials in each cell (or one number for all), for counts and intervals in the tooltips.
    curves : drawn over the cells in the units of x and y, such as a theoretical limit.
    """
    grid = real_array("shares", shares, 2)
    sides = _side("x", x, grid.shape[1]), _side("y", y, grid.shape[0])
    if np.any((grid < 0) | (grid > 1)):
        wrong = grid[(grid < 0) | (grid > 1)][0]
        msg = f"`shares` must lie between 0 and 1; got {wrong}. Divide counts by the number of trials."
        raise InvalidInput(msg)
    counts = np.full(grid.shape, np.nan) if trials is None else np.asarray(trials, dtype=np.float64)
    counts = np.broadcast_to(counts, grid.shape) if counts.ndim == 0 else counts
    same_shape("trials", counts, "shares", grid.shape)
    told = _Grid(grid, counts, *sides, (xlabel, ylabel), curves)
    return Chart(title, _describe(told), partial(_draw, told))


def heatmap_pixels(shares: ArrayLike, cell: int = 16) -> NDArray[np.uint8]:
    """Return a phase diagram without axes as RGB pixels, `cell` px a side, the first row at the bottom."""
    picture = colours(real_array("shares", shares, 2)[::-1])
    return np.repeat(np.repeat(picture, cell, axis=0), cell, axis=1)


def _side(name: str, values: ArrayLike, count: int) -> NDArray[np.float64]:
    side = real_array(name, values)
    if side.size != count or not np.all(np.diff(side) > 0):
        msg = f"`{name}` must hold {count} strictly increasing values, one a cell; got {side.tolist()}."
        raise InvalidInput(msg + " Sort the grid.")
    return side


def _describe(grid: _Grid) -> str:
    run = grid.shares[np.isfinite(grid.shares)]
    if not run.size:
        return "No cell was run."
    full, none = int(np.sum(run == 1)), int(np.sum(run == 0))
    told = f"{number(run.size)} of {number(grid.shares.size)} cells run; "
    told += f"mean share {share(float(run.mean()))}; "
    return told + f"{number(full)} cells always succeed, {number(none)} never."


def _draw(grid: _Grid, width: int) -> tuple[float, Markup]:
    rows, columns = grid.shares.shape
    used, keys = legend(_keys(grid), 8.0, width - 10.0, 0.0)
    left, top = 22.0 + 7 * max((len(number(float(v))) for v in grid.y), default=1), used + 34.0
    across = (width - left - 12) / max(columns, 1)
    tall = float(np.clip(rows * across, 160, 0.55 * width if width > 600 else 0.95 * width))
    x, y = Scale(0.0, max(columns, 1), left, width - 12.0), Scale(0.0, max(rows, 1), top + tall, top)
    cells = [_cell(grid, i, j, x, y) for i in range(rows) for j in range(columns)]
    parts = [keys, *cells, *_ticks(grid, x, y), *_curves(grid, x, y)]
    parts.append(tag("rect", x=left, y=top, width=width - 12 - left, height=tall, class_="frame"))
    if not grid.shares.size:
        parts.append(words("no cells to draw", width / 2, top + tall / 2, "note", "middle"))
    return top + tall + 48, join(parts)


def _keys(grid: _Grid) -> list[Key]:
    keys = [Key(colour_bar(), "0 to 1, share of successes", 64.0)]
    if np.isnan(grid.shares).any():
        keys.append(Key(_hatch(0, 0, 22, 12), "not run"))
    return keys + [Key(_on_cells(line(0, 6, 22, 6, "{}"), i), one.label) for i, one in enumerate(grid.curves)]


def _on_cells(drawn: Markup, i: int) -> Markup:
    """Draw a curve twice, with a halo below, so that it is seen on dark and on light cells."""
    return join(Markup(drawn.replace("{}", class_)) for class_ in ("halo", f"over{' dashed' * (i % 2)}"))


def _cell(grid: _Grid, i: int, j: int, x: Scale, y: Scale) -> Markup:
    (left, right), (bottom, top) = x([j, j + 1]).tolist(), y([i, i + 1]).tolist()
    width, height = right - left, bottom - top
    value, about = float(grid.shares[i, j]), tag("title", text(grid.tooltip(i, j)))
    ground = "empty" if np.isnan(value) else "cell"
    fill = None if np.isnan(value) else hex_colour(value)
    cell = tag("rect", about, x=left, y=top, width=width, height=height, class_=ground, fill=fill)
    if np.isnan(value):
        return join([cell, _hatch(left, top, width, height)])
    if width < 40 or height < 20:
        return cell
    ink = "inside on-dark" if luminance(colours(value)) < 0.18 else "inside on-light"
    return join([cell, words(number(value, 2), left + width / 2, top + height / 2 + 4.5, ink, "middle")])


def _hatch(left: float, top: float, width: float, height: float) -> Markup:
    """Draw diagonals inside a rectangle one by one; a shared pattern would need an id of its own."""
    diagonals = [(max(0.0, c - height), min(width, c), c) for c in np.arange(4.0, width + height, 6.0)]
    strokes = (
        f"M{coordinate(left + start)} {coordinate(top + c - start)}"
        f"L{coordinate(left + stop)} {coordinate(top + c - stop)}"
        for start, stop, c in diagonals
    )
    return tag("path", d="".join(strokes), class_="hatch")


def _ticks(grid: _Grid, x: Scale, y: Scale) -> list[Markup]:
    parts = [
        words(grid.names[1], x.start, y.stop - 10, "axis"),
        words(grid.names[0], x.stop, y.start + 38, "axis", "end"),
    ]
    labels = [number(float(value)) for value in grid.x]
    every = _every(x, len(labels), 7 * max((len(label) for label in labels), default=1) + 12)
    for j in range(0, len(labels), every):
        parts.append(words(labels[j], float(x(j + 0.5)), y.start + 18, "tick", "middle"))
    for i in range(0, grid.y.size, _every(y, grid.y.size, 18)):
        parts.append(words(number(float(grid.y[i])), x.start - 8, float(y(i + 0.5)) + 4, "tick", "end"))
    return parts


def _every(scale: Scale, count: int, room: float) -> int:
    """Return the step between labels that leaves each `room` px."""
    return max(1, int(np.ceil(room * count / max(abs(scale.stop - scale.start), 1))))


def _curves(grid: _Grid, x: Scale, y: Scale) -> list[Markup]:
    parts = []
    for i, one in enumerate(grid.curves):
        across, up, *_ = one.arrays()
        parts.append(_on_cells(curve(x(_place(across, grid.x)), y(_place(up, grid.y)), "{}"), i))
    return parts


def _place(values: NDArray[np.float64], side: NDArray[np.float64]) -> NDArray[np.float64]:
    """Positions in cells: a side's own value lies in the middle of its cell; outside the grid is NaN."""
    if side.size < 2:
        return np.full(values.shape, np.nan)
    ends = np.r_[1.5 * side[0] - 0.5 * side[1], side, 1.5 * side[-1] - 0.5 * side[-2]]
    at = np.r_[0.0, np.arange(side.size) + 0.5, side.size]
    return np.interp(values, ends, at, left=np.nan, right=np.nan)
