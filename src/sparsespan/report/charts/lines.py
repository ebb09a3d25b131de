"""Curves: descent, growth with a fitted power law, anything against anything."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..markup import Markup, coordinate, join, tag, text
from ..numbers import number
from .arrays import real_array, same_shape
from .chart import Chart
from .parts import COLOURS, Axes, Key, curve, left_margin, legend, line, words
from .scale import Scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Vector = NDArray[np.float64]
    Arrays = tuple[Vector, ...]

__all__ = ["Series", "lines", "power_law"]

_MARKED = 40  # curves with at most so many points show each of them


@dataclass(frozen=True, eq=False)
class Series:
    """One curve: x and y of shape (m,), a band from low to high around it, dashed or not.

    With `power`, the power law that fits it best is drawn too and its exponent is written in the legend.
    """

    label: str
    x: ArrayLike
    y: ArrayLike
    low: ArrayLike | None = None
    high: ArrayLike | None = None
    dashed: bool = False
    power: bool = False

    def arrays(self) -> Arrays:
        """Return x, y, low, high as float64 arrays of one shape, checked."""
        x, y = real_array("x", self.x), real_array("y", self.y)
        low = y if self.low is None else real_array("low", self.low)
        high = y if self.high is None else real_array("high", self.high)
        for name, array in (("y", y), ("low", low), ("high", high)):
            same_shape(name, array, "x", x.shape)
        return x, y, low, high


def power_law(x: ArrayLike, y: ArrayLike) -> tuple[float, float] | None:
    """Fit y ≈ factor·x^exponent to positive points: (exponent, factor), or None below two of them."""
    xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    good = np.isfinite(xs) & np.isfinite(ys) & (xs > 0) & (ys > 0)
    if np.unique(xs[good]).size < 2:
        return None
    exponent, constant = np.polyfit(np.log(xs[good]), np.log(ys[good]), 1)
    return float(exponent), float(np.exp(constant))


def lines(
    series: Sequence[Series],
    *,
    xlabel: str = "",
    ylabel: str = "",
    xlog: bool = False,
    ylog: bool = False,
    title: str = "Curves",
) -> Chart:
    """Draw curves over common axes; what a logarithmic axis cannot show interrupts a curve and is counted."""
    curves = [one.arrays() for one in series]
    logs = (xlog, ylog)
    xs, ys = Scale(1, 2, 0, 1, xlog), Scale(1, 2, 0, 1, ylog)
    hidden = sum(int(np.isnan(xs(x) + ys(y)).sum()) for x, y, *_ in curves)
    names = [_name(one) for one in series]
    told = f"{ylabel or 'values'} against {xlabel or 'index'}: {'; '.join(names) or 'no curve'}."
    told += f" {number(hidden)} points cannot be drawn." if hidden else ""
    return Chart(title, told, partial(_draw, series, curves, names, (xlabel, ylabel), logs))


def _name(series: Series) -> str:
    law = power_law(series.x, series.y) if series.power else None
    return series.label + (f", exponent {number(law[0])}" if law else "")


def _cover(curves: list[Arrays], which: Sequence[int], start: float, stop: float, *, log: bool) -> Scale:
    values = [np.empty(0), *(arrays[i] for arrays in curves for i in which)]
    return Scale.fit(np.concatenate(values), start, stop, log=log)


def _draw(
    series: Sequence[Series],
    curves: list[Arrays],
    names: list[str],
    labels: tuple[str, str],
    logs: tuple[bool, bool],
    width: int,
) -> tuple[float, Markup]:
    swatches = (line(0, 6, 22, 6, _class(i, one)) for i, one in enumerate(series))
    used, key = legend(map(Key, swatches, names), 8.0, width - 10.0, 0.0)
    top, bottom = used + 34.0, used + 314.0
    y = _cover(curves, (1, 2, 3), bottom, top, log=logs[1])
    x = _cover(curves, (0,), left_margin(y), width - 24.0, log=logs[0])
    drawn = [_one(i, one, arrays, x, y) for i, (one, arrays) in enumerate(zip(series, curves, strict=True))]
    if not any(np.isfinite(x(arrays[0]) + y(arrays[1])).any() for arrays in curves):
        drawn.append(words("no points to draw", width / 2, (top + bottom) / 2, "note", "middle"))
    return bottom + 48, join([key, Axes(x, y, *labels, xgrid=True).markup(), *drawn])


def _one(i: int, series: Series, arrays: Arrays, x: Scale, y: Scale) -> Markup:
    colour = i % COLOURS
    xs, ys, low, high = x(arrays[0]), y(arrays[1]), y(arrays[2]), y(arrays[3])
    good = np.flatnonzero(np.isfinite(xs + ys))
    parts = [] if series.low is None and series.high is None else [_band(xs, low, high, colour)]
    if law := power_law(arrays[0][good], arrays[1][good]) if series.power else None:
        along = arrays[0][good][arrays[0][good] > 0]
        along = np.geomspace(along.min(), along.max(), 60)
        parts.append(curve(x(along), y(law[1] * along ** law[0]), f"fit k{colour}"))
    else:
        parts.append(curve(xs, ys, _class(i, series)))
    if xs.size <= _MARKED:
        for j in good.tolist():
            told = f"{series.label}: {number(float(arrays[0][j]))}, {number(float(arrays[1][j]))}"
            about = tag("title", text(told))
            parts.append(tag("circle", about, cx=float(xs[j]), cy=float(ys[j]), r=3.2, class_=f"f{colour}"))
    return tag("g", *parts)


def _class(i: int, series: Series) -> str:
    return f"line k{i % COLOURS}{' dashed' * series.dashed}"


def _band(xs: Vector, low: Vector, high: Vector, colour: int) -> Markup:
    good = np.isfinite(xs + low + high)
    edge = [*zip(xs[good], high[good], strict=True), *zip(xs[good][::-1], low[good][::-1], strict=True)]
    path = "L".join(f"{coordinate(float(px))} {coordinate(float(py))}" for px, py in edge)
    return tag("path", d=f"M{path}Z", class_=f"band f{colour}") if path else Markup("")
