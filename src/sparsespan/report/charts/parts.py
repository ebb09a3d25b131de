"""The pieces that charts share: axes, legends, curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..markup import Markup, coordinate, join, tag, text
from .palette import hex_colour

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from .scale import Scale

__all__ = ["COLOURS", "Axes", "Key", "colour_bar", "curve", "left_margin", "legend", "line", "words"]

COLOURS = 6  # series colours in the style sheet: k0…k5 for strokes, f0…f5 for fills
_LETTER = 6.9  # px, the mean width of a letter at the charts' 13 px, on the safe side


def words(content: str, x: float, y: float, class_: str = "tick", anchor: str = "start") -> Markup:
    """Text at a point; `anchor` says which end of it lies there."""
    return tag("text", text(content), x=float(x), y=float(y), class_=class_, text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """Draw a straight line."""
    return tag("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), class_=class_)


@dataclass(frozen=True)
class Axes:
    """Axes of a plot: grid lines across, tick labels left and below, names at the ends."""

    x: Scale
    y: Scale
    xlabel: str = ""
    ylabel: str = ""
    yticks: int = 5
    xgrid: bool = False

    def markup(self) -> Markup:
        """Everything behind the data."""
        left, right = self.x.start, self.x.stop
        top, bottom = min(self.y.start, self.y.stop), max(self.y.start, self.y.stop)
        parts = [
            words(self.ylabel, left, top - 10, "axis"),
            words(self.xlabel, right, bottom + 38, "axis", "end"),
        ]
        for at, label in self.y.ticks(self.yticks):
            parts += [line(left, at, right, at, "grid"), words(label, left - 8, at + 4, "tick", "end")]
        for at, label in self.x.ticks(max(2, round((right - left) / 95))):
            parts += [line(at, top if self.xgrid else bottom, at, bottom + 4, "grid")]
            parts += [words(label, at, bottom + 18, "tick", "middle")]
        return join([*parts, line(left, bottom, right, bottom, "base")])


def left_margin(y: Scale, count: int = 5) -> float:
    """Room (px) that the labels of a vertical scale need."""
    return 14 + _LETTER * max((len(label) for _, label in y.ticks(count)), default=1)


def curve(xs: NDArray[np.float64], ys: NDArray[np.float64], class_: str) -> Markup:
    """Draw a line through points (px); a NaN interrupts it, a lone point becomes a dot.

    Of the points that share a pixel column only the first, lowest, highest and last are drawn: that looks
    the same.
    """
    keep = np.isfinite(xs) & np.isfinite(ys)
    kept = _thin(xs, ys, keep)
    if not kept.size:
        return Markup("")
    gaps = np.cumsum(~keep)[kept]
    runs = np.split(kept, np.flatnonzero(np.diff(gaps)) + 1)
    return tag("path", d="".join(_stroke(xs[run], ys[run]) for run in runs), class_=class_)


def _stroke(xs: NDArray[np.float64], ys: NDArray[np.float64]) -> str:
    points = (f"{coordinate(float(x))} {coordinate(float(y))}" for x, y in zip(xs, ys, strict=True))
    return "M" + "L".join(points) + "h0" * (xs.size == 1)  # a pen that was only set down leaves no dot without h0


def _thin(xs: NDArray[np.float64], ys: NDArray[np.float64], keep: NDArray[np.bool_]) -> NDArray[np.intp]:
    kept = np.flatnonzero(keep)
    if kept.size < 2000 or np.any(np.diff(xs[kept]) < 0):
        return kept
    groups = np.split(kept, np.flatnonzero(np.diff(np.floor(xs[kept])) + np.diff(np.cumsum(~keep)[kept])) + 1)
    picks = [(g[0], g[np.argmin(ys[g])], g[np.argmax(ys[g])], g[-1]) for g in groups]
    return np.unique(np.array(picks, dtype=np.intp))


class Key(NamedTuple):
    """One entry of a legend: a swatch drawn in a box 12 px high and `width` px wide, and its label."""

    swatch: Markup
    label: str
    width: float = 22.0


def legend(keys: Iterable[Key], left: float, right: float, top: float) -> tuple[float, Markup]:
    """Lay keys out in lines; return the height used (px) and the markup."""
    x, y, parts = left, top, []
    for swatch, label, width in keys:
        room = width + 8 + _LETTER * len(label)
        if x > left and x + room > right:
            x, y = left, y + 20
        parts += [tag("g", swatch, transform=f"translate({coordinate(x)} {coordinate(y)})")]
        parts += [words(label, x + width + 6, y + 10.5, "key")]
        x += room + 18
    return (y - top + 22 if parts else 0.0), join(parts)


def colour_bar() -> Markup:
    """Draw the palette from low to high in a box of 64×12 px."""
    steps = (tag("rect", x=2.0 * k, width=2.5, height=12.0, fill=hex_colour(k / 31)) for k in range(32))
    return tag("g", *steps, shape_rendering="crispEdges")
