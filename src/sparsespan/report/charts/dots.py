"""The objective of every start, best first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...errors import InvalidInput
from ..markup import Markup, join, tag, text
from ..numbers import counted, number
from .arrays import real_array, same_shape
from .chart import Chart
from .parts import Axes, Key, left_margin, legend, line, words
from .scale import Scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = ["dots"]


def dots(
    values: ArrayLike,
    multiplicity: ArrayLike | None = None,
    labels: Sequence[str] = (),
    *,
    best: int | None = None,
    ylabel: str = "‖Yq‖₁",
    title: str = "Objective of every start",
) -> Chart:
    """Draw merged runs in order of their value, each as wide as the number of starts that ended in it.

    Parameters
    ----------
    values : shape (runs,); a value that is not finite counts as a run without result and is not drawn.
    multiplicity : shape (runs,), how many starts each run stands for; one each by default.
    labels : a name for each run, shown when it is pointed at.
    best : index of the winner; the smallest value by default.
    """
    runs = real_array("values", values)
    weights = np.ones(runs.shape) if multiplicity is None else real_array("multiplicity", multiplicity)
    same_shape("multiplicity", weights, "values", runs.shape)
    if labels and len(labels) != runs.size:
        msg = f"`labels` must name each of the {runs.size} runs or none; got {len(labels)}. Pass one for each."
        raise InvalidInput(msg)
    order = np.argsort(np.where(np.isfinite(runs), runs, np.inf), kind="stable")
    order = order[np.isfinite(runs[order])]
    winner = int(order[0]) if best is None and order.size else best or 0
    names = labels or [""] * runs.size
    about = [_tooltip(float(runs[i]), float(weights[i]), names[i]) for i in order]
    drawing = partial(_draw, runs[order], weights[order], about, order == winner, ylabel)
    return Chart(title, _describe(runs, weights, winner), drawing)


def _tooltip(value: float, weight: float, label: str) -> str:
    return f"{label}{': ' * bool(label)}{number(value, 6)}, {counted(int(weight), 'start')}"


def _describe(runs: NDArray[np.float64], weights: NDArray[np.float64], winner: int) -> str:
    good = np.isfinite(runs)
    if not good.any():
        return "No start gave a result."
    told = f"{counted(int(weights.sum()), 'start')}, {counted(int(good.sum()), 'different end')}; the winner "
    told += f"has {number(float(runs[winner]), 6)} and {counted(int(weights[winner]), 'start')}"
    return told + ("." if good.all() else f"; {counted(int(weights[~good].sum()), 'start')} without result.")


def _draw(
    runs: NDArray[np.float64],
    weights: NDArray[np.float64],
    about: list[str],
    won: NDArray[np.bool_],
    ylabel: str,
    width: int,
) -> tuple[float, Markup]:
    used, keys = legend(_keys(), 8.0, width - 10.0, 0.0)
    top, bottom = used + 34.0, used + 290.0
    y = Scale.fit(runs, bottom, top, pad=0.08)
    ends = np.cumsum(weights)
    x = Scale(0.0, float(ends[-1]) if ends.size and ends[-1] > 0 else 1.0, left_margin(y), width - 24.0)
    marks = [
        _mark(float(x(end - weight)), float(x(end)), float(y(value)), told, winner=bool(winner))
        for value, weight, end, told, winner in zip(runs, weights, ends, about, won, strict=True)
    ]
    guides = [line(x.start, float(at), x.stop, float(at), "guide") for at in y(runs[won])]
    if not marks:
        marks.append(words("no start gave a result", width / 2, (top + bottom) / 2, "note", "middle"))
    axes = Axes(x, y, "starts, best first", ylabel).markup()
    return bottom + 48, join([keys, axes, *guides, *reversed(marks)])


def _mark(left: float, right: float, y: float, told: str, *, winner: bool) -> Markup:
    class_ = "0" if winner else "-truth"
    dot = tag("circle", cx=(left + right) / 2, cy=y, r=5.5 if winner else 3.5, class_=f"f{class_}")
    return tag("g", tag("title", text(told)), line(left, y, right, y, f"span k{class_}"), dot)


def _keys() -> tuple[Key, Key]:
    winner = tag("circle", cx=11.0, cy=6.0, r=5.5, class_="f0")
    other = join([line(0, 6, 22, 6, "span k-truth"), tag("circle", cx=11.0, cy=6.0, r=3.5, class_="f-truth")])
    return Key(winner, "the winner"), Key(other, "others; width: starts that share the end")
