"""A chart: arrays in, SVG out, at the width it is asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from ..files import write_text
from ..markup import Markup, join, tag, text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["NARROW", "WIDE", "Chart", "style_sheet"]

WIDE, NARROW = 960, 400  # px: drawn for a page and for a phone, so that letters keep their size on both


@dataclass(frozen=True)
class Chart:
    """A picture that draws itself for any width.

    Attributes
    ----------
    title, description : what the picture is and what it shows, for readers who do not see it.
    draw : from a width in px to the height in px and the content.
    widths : the widths a page needs, for much room and for little; one if it looks the same in both.
    """

    title: str
    description: str
    draw: Callable[[int], tuple[float, Markup]]
    widths: tuple[int, ...] = (WIDE, NARROW)

    def svg(self, width: int | None = None, *below: Markup, **attributes: str) -> Markup:
        """Return the chart as one SVG element, `width` px wide; its colours are the page's variables."""
        width = self.widths[0] if width is None else width
        height, content = self.draw(width)
        about = tag("title", text(self.title)), tag("desc", text(self.description))
        frame = {"viewBox": f"0 0 {width} {height:.0f}", "role": "img", "aria_label": self.title}
        return tag("svg", *about, *below, content, **frame, **attributes)

    def write(self, path: str | Path, width: int | None = None, *, dark: bool = False) -> Path:
        """Write the chart as an SVG file of its own, with fixed colours that any viewer understands."""
        style = tag("style", text(_fixed_style(dark=dark)))
        ground = tag("rect", class_="card-fill", width="100%", height="100%")
        drawing = self.svg(width, join([style, ground]), xmlns="http://www.w3.org/2000/svg")
        return write_text(path, f'<?xml version="1.0" encoding="UTF-8"?>\n{drawing}\n')


def _fixed_style(*, dark: bool) -> str:
    """Return the style sheet of the charts with every variable replaced by its value in one theme."""
    light, _, night = style_sheet("theme.css").partition("@media")
    values = dict(re.findall(r"--([\w-]+):\s*([^;]+);", light + (night if dark else "")))
    return re.sub(r"var\(--([\w-]+)\)", lambda match: values[match[1]], style_sheet("chart.css"))


def style_sheet(name: str) -> str:
    """Return one of the room's style sheets."""
    return files("sparsespan.report").joinpath(name).read_text(encoding="utf-8")
