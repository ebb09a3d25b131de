"""The entries of a vector, and of the true one beside it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..markup import Markup, coordinate, join, tag, text
from ..numbers import number
from .arrays import real_array, same_shape
from .chart import Chart
from .parts import Axes, Key, legend, line, words
from .scale import Scale

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Vector = NDArray[np.float64]

__all__ = ["APART", "extremes", "stems"]

APART = 200  # up to so many entries each one is drawn by itself
_FLOOR = 1e-17  # the error panel starts here: below, float64 says nothing about a unit vector
_LEFT, _RIGHT = 62.0, 24.0  # px beside the panels


def stems(
    vector: ArrayLike,
    truth: ArrayLike | None = None,
    *,
    first: int = 0,
    title: str = "Entries of the vector",
) -> Chart:
    """Draw a vector as stems; with a truth, both and the size of their difference.

    Long vectors are drawn as the range (lowest to highest) inside each pixel column, so no nonzero is lost.

    Parameters
    ----------
    vector : shape (p,); entries that are not finite are left out and counted.
    truth : shape (p,), same sign and scale.
    first : index of the first entry, where a part of a vector is shown.
    """
    x = real_array("vector", vector)
    true = x[:0] if truth is None else real_array("truth", truth)
    if truth is not None:
        same_shape("truth", true, "vector", x.shape)
    return Chart(title, _describe(x, true), partial(_apart if x.size <= APART else _panels, x, true, first))


def extremes(values: Vector, columns: int) -> tuple[Vector, Vector]:
    """Lowest and highest of 0 and the finite entries that fall in each column, two arrays (columns,)."""
    finite = np.where(np.isfinite(values), values, 0.0)
    at = np.arange(values.size) * columns // max(values.size, 1)
    low, high = np.zeros(columns), np.zeros(columns)
    np.minimum.at(low, at, finite)
    np.maximum.at(high, at, finite)
    return low, high


def _describe(x: Vector, true: Vector) -> str:
    lost = int(np.count_nonzero(~np.isfinite(x)))
    told = f"{number(int(np.count_nonzero(x)) - lost)} of {number(x.size)} entries are not zero"
    if true.size:
        told += f"; the largest difference from the truth is {number(_worst(x - true))}"
    return told + (f"; {number(lost)} are not finite and not drawn." if lost else ".")


def _worst(values: Vector) -> float:
    """Largest finite absolute value, or 0."""
    return float(np.max(np.abs(values[np.isfinite(values)]), initial=0.0))


def _span(x: Vector, true: Vector) -> tuple[float, float]:
    both = np.concatenate([x, true])
    high = _worst(both) or 1.0
    return (-high if np.any(both < 0) else 0.0), high


def _apart(x: Vector, true: Vector, first: int, width: int) -> tuple[float, Markup]:
    low, high = _span(x, true)
    y = Scale(1.1 * low, 1.1 * high, 250.0, 50.0)
    across = Scale(first - 1.0, first + max(x.size, 1.0), _LEFT, width - _RIGHT)
    at = across(np.arange(first, first + x.size))
    radius = float(np.clip(0.3 * (width - _LEFT) / max(x.size, 1), 1.2, 3.5))
    keys = [Key(tag("circle", cx=11.0, cy=6.0, r=3.0, class_="f0"), "found")]
    if true.size:
        keys.append(Key(tag("circle", cx=11.0, cy=6.0, r=5.0, class_="ring k-truth"), "true, where not zero"))
    rings = [
        tag("circle", cx=float(px), cy=float(py), r=radius + 2, class_="ring k-truth")
        for px, py, value in zip(at, y(true), true, strict=False)
        if value and np.isfinite(value)
    ]
    drawn = np.flatnonzero(np.isfinite(x)).tolist()
    dots = [_dot(first + i, float(x[i]), float(at[i]), y, radius) for i in drawn]
    empty = [] if dots else [words("no entries to draw", width / 2, 150, "note", "middle")]
    key = legend(keys, _LEFT, width - _RIGHT, 6.0)[1]
    zero = float(y(0.0))
    base = line(_LEFT, zero, width - _RIGHT, zero, "base")
    return 298.0, join([key, Axes(across, y, "entry").markup(), base, *rings, *dots, *empty])


def _dot(index: int, value: float, at: float, y: Scale, radius: float) -> Markup:
    about = tag("title", text(f"entry {number(index)}: {number(value)}"))
    dot = tag("circle", about, cx=at, cy=float(y(value)), r=radius if value else 0.6 * radius, class_="f0")
    return join([line(at, float(y(0.0)), at, float(y(value)), "stem k0"), dot] if value else [dot])


def _panels(x: Vector, true: Vector, first: int, width: int) -> tuple[float, Markup]:
    low, high = _span(x, true)
    columns = int(width - _LEFT - _RIGHT)
    tall, top, parts = (116.0 if true.size else 160.0), 30.0, []
    for values, name, class_ in ((x, "found", "k0"), (true, "true", "k-truth")):
        if values.size:
            ticks = [(level, number(level)) for level in sorted({low, 0.0, high})]
            panel = Scale(1.06 * low, 1.06 * high, top + tall, top)
            parts += [_panel(name, panel, ticks, columns), _bars(*extremes(values, columns), panel, class_)]
            top += tall + 34
    if true.size:
        parts.append(_difference(np.abs(x - true), columns, top))
        top += 70 + 34
    bottom = top - 34
    for at, label in Scale(first, first + x.size, _LEFT, _LEFT + columns).ticks(max(2, columns // 95)):
        parts += [line(at, bottom, at, bottom + 4, "grid"), words(label, at, bottom + 18, "tick", "middle")]
    if not np.any(np.isfinite(x)):
        parts.append(words("no entries to draw", width / 2, 80, "note", "middle"))
    return bottom + 48, join([*parts, words("entry", width - _RIGHT, bottom + 38, "axis", "end")])


def _panel(name: str, y: Scale, ticks: list[tuple[float, str]], columns: int) -> Markup:
    right = _LEFT + columns
    parts = [words(name, _LEFT, y.stop - 10, "axis")]
    for value, label in ticks:
        at = float(y(value))
        parts += [line(_LEFT, at, right, at, "grid" if value else "base")]
        parts += [words(label, _LEFT - 8, at + 4, "tick", "end")]
    return join(parts)


def _bars(low: Vector, high: Vector, y: Scale, class_: str) -> Markup:
    tops, feet = y(high), y(low)
    bars = (
        f"M{coordinate(_LEFT + i + 0.5)} {coordinate(float(feet[i]))}V{coordinate(float(tops[i]))}"
        for i in np.flatnonzero(low != high)
    )
    return tag("path", d="".join(bars), class_=f"stem {class_}") if np.any(low != high) else Markup("")


def _difference(error: Vector, columns: int, top: float) -> Markup:
    worst = _worst(error)
    last = max(-13, int(np.ceil(np.log10(max(worst, _FLOOR)))))
    last += last % 2 == 0  # so that the middle decade, which gets a label, is a whole one
    y = Scale(_FLOOR, 10.0**last, top + 70, top, log=True)
    name = f"difference, largest {number(worst)}" if worst else "difference: none, every bit agrees"
    ticks = [(10.0**e, number(10.0**e)) for e in (-17, (last - 17) // 2, last)]
    high = np.maximum(extremes(error, columns)[1], _FLOOR)
    return join([_panel(name, y, ticks, columns), _bars(np.full(columns, _FLOOR), high, y, "k-error")])
