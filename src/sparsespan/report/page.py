"""The page: one HTML file that holds everything it shows and asks nobody for anything."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .. import __version__
from .blocks import Code
from .charts.chart import style_sheet
from .files import write_text
from .markup import Markup, tag, text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .blocks import Block

__all__ = ["Footer", "Page"]

# Nothing may be fetched or run: the style sheet is inside, pictures are data, scripts there are none.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True)
class Footer:
    """Where a page comes from: the command that repeats it, a remark, the version."""

    command: str = ""
    note: str = ""
    version: str = __version__

    def html(self) -> Markup:
        """Return the footer element."""
        repeat = [tag("p", text("To repeat it:")), Code(self.command).html()] if self.command else []
        note = [tag("p", text(self.note))] if self.note else []
        return tag("footer", *repeat, *note, tag("p", text(f"Made by sparsespan {self.version}.")))


@dataclass(frozen=True)
class Page:
    """A report: title, a sentence or two that say what came out, and blocks."""

    title: str
    lead: str
    blocks: Sequence[Block]
    footer: Footer = field(default_factory=Footer)
    eyebrow: str = "sparsespan"

    def html(self) -> str:
        """Return the whole document."""
        words = tag("p", text(self.eyebrow), class_="eyebrow"), tag("h1", text(self.title))
        lead = [tag("p", text(self.lead), class_="lead")] if self.lead else []
        main = tag("main", *(block.html() for block in self.blocks))
        body = tag("body", tag("header", *words, *lead), main, self.footer.html())
        return f"<!doctype html>\n{tag('html', self._head(), body, lang='en')}\n"

    def write(self, path: str | Path) -> Path:
        """Write the page as one file, whole or not at all; return its path."""
        return write_text(path, self.html())

    def _head(self) -> Markup:
        sheets = Markup("".join(map(style_sheet, ("theme.css", "page.css", "chart.css"))))
        return tag(
            "head",
            tag("meta", charset="utf-8"),
            tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
            tag("meta", name_="color-scheme", content="light dark"),
            tag("link", rel="icon", href="data:,"),
            tag("title", text(self.title)),
            tag("style", sheets),
        )
