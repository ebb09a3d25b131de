"""One value for each name, with its interval: methods side by side."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..markup import Markup, join, tag, text
from ..numbers import number
from .arrays import real_array, same_shape
from .chart import Chart
from .parts import line, words
from .scale import Scale

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = ["bars"]

_ROW = {True: 46.0, False: 32.0}  # px a row: narrow charts put the name above the bar


def bars(
    names: Sequence[str],
    values: ArrayLike,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    *,
    log: bool = False,
    best: int | None = None,
    xlabel: str = "",
    shown: Callable[[float], str] = number,
    title: str = "Comparison",
) -> Chart:
    """Draw a bar for each name, in the order given; a logarithmic axis has no zero and gets dots instead.

    Parameters
    ----------
    values : shape (len(names),); a value that cannot be drawn (NaN, or ≤ 0 if `log`) is said to be missing.
    low, high : ends of the intervals, shape of `values`.
    best : index of the one to mark.
    shown : how a value is written, such as `numbers.seconds`.
    """
    data = real_array("values", values)
    ends = [data if end is None else real_array(name, end) for name, end in (("low", low), ("high", high))]
    same_shape("values", data, "names", (len(names),))
    for name, end in zip(("low", "high"), ends, strict=True):
        same_shape(name, end, "values", data.shape)
    told = "; ".join(f"{name} {_said(value, log, shown)}" for name, value in zip(names, data, strict=True))
    drawing = partial(_draw, names, np.stack([data, *ends]), log, best, xlabel, shown)
    return Chart(title, (told or "No values") + ".", drawing)


def _said(value: float, log: bool, shown: Callable[[float], str]) -> str:
    return shown(float(value)) if np.isfinite(value) and (value > 0 or not log) else "no result"


def _draw(
    names: Sequence[str],
    data: NDArray[np.float64],
    log: bool,
    best: int | None,
    xlabel: str,
    shown: Callable[[float], str],
    width: int,
) -> tuple[float, Markup]:
    narrow, count = width < 600, max(len(names), 1)
    tall = _ROW[narrow]
    left = 10.0 if narrow else 24.0 + 7.2 * min(max((len(name) for name in names), default=0), 34)
    x = Scale.fit(data, left, width - 96.0, log=log, zero=True)
    bottom = 6 + count * tall
    parts = [part for at, label in x.ticks(max(2, int((x.stop - left) / 75))) for part in _tick(at, label, bottom)]
    for i, name in enumerate(names):
        middle = 6 + (i + 1) * tall - 16
        place = (left, middle - 16, "start") if narrow else (left - 12, middle + 4, "end")
        parts.append(words(name, place[0], place[1], "name", place[2]))
        parts.append(_row(data[:, i], x, middle, _said(data[0, i], log, shown), "0" if i == best else "-truth"))
    if not names:
        parts.append(words("no values to draw", width / 2, 26, "note", "middle"))
    return bottom + 46, join([*parts, words(xlabel, width - 10.0, bottom + 38, "axis", "end")])


def _tick(at: float, label: str, bottom: float) -> tuple[Markup, Markup]:
    return line(at, 0, at, bottom, "grid"), words(label, at, bottom + 18, "tick", "middle")


def _row(data: NDArray[np.float64], x: Scale, y: float, said: str, colour: str) -> Markup:
    at, low, high = (float(pixel) for pixel in x(data))
    if np.isnan(at):
        return words(said, x.start + 6, y + 4, "note")
    foot = x.start if x.log else float(x(0.0))
    parts = [tag("title", text(said))]
    if x.log:
        parts += [line(foot, y, at, y, "lead"), tag("circle", cx=at, cy=y, r=5.5, class_=f"f{colour}")]
    else:
        parts.append(tag("rect", x=min(foot, at), y=y - 8, width=abs(at - foot), height=16.0, class_=f"f{colour}"))
    if low < high:
        parts += [
            line(low, y, high, y, "whisker"),
            line(low, y - 4, low, y + 4, "whisker"),
            line(high, y - 4, high, y + 4, "whisker"),
        ]
    return tag("g", *parts, words(said, max(at, high if high > at else at, foot) + 10, y + 4, "value"))
