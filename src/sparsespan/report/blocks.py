"""What a page is made of: frozen values that turn themselves into HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from .markup import Markup, data_uri, join, tag, text
from .numbers import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from .charts.chart import Chart

__all__ = [
    "Block", "Card", "Cards", "Cell", "Code", "Figure", "Mark", "Picture", "Pictures", "Prose", "Row",
    "Section", "State", "cell", "inline",
]  # fmt: skip

State = Literal["good", "bad", ""]
_SIGNS: dict[State, str] = {"good": "✓", "bad": "✗", "": "○"}


class Block(Protocol):
    """Anything that has HTML."""

    def html(self) -> Markup:
        """Return the block as HTML."""
        ...


@dataclass(frozen=True)
class Mark:
    """A verdict in few words, with a sign beside the colour."""

    label: str
    state: State = ""

    def html(self) -> Markup:
        """Return a sign and the words."""
        return tag("span", text(f"{_SIGNS[self.state]} {self.label}"), class_=f"mark {self.state}".strip())


Cell = str | float | bool | None | Mark


def cell(value: Cell) -> Markup:
    """Return what stands in a table's cell or on a card: numbers are formatted, text is escaped."""
    if isinstance(value, Mark):
        return value.html()
    return inline(value) if isinstance(value, str) else text(number(value))


def inline(value: str) -> Markup:
    """Escape text; what stands between `backticks` becomes code."""
    pieces = re.split(r"`([^`\n]+)`", value)
    return join(tag("code", text(piece)) if k % 2 else text(piece) for k, piece in enumerate(pieces))


@dataclass(frozen=True)
class Card:
    """One key figure: what it is, its value, a remark."""

    label: str
    value: Cell
    note: str = ""
    state: State = ""


@dataclass(frozen=True)
class Cards:
    """Key figures side by side."""

    cards: Sequence[Card]

    def html(self) -> Markup:
        """Return a list of terms."""
        return tag("dl", *map(self._card, self.cards), class_="cards")

    @staticmethod
    def _card(card: Card) -> Markup:
        parts = [tag("dt", text(card.label)), tag("dd", cell(card.value), class_="value")]
        parts += [tag("dd", inline(card.note), class_="small")] if card.note else []
        return tag("div", *parts, class_=f"card {card.state}".strip())


@dataclass(frozen=True)
class Prose:
    """Paragraphs of plain text, parted by blank lines."""

    content: str

    def html(self) -> Markup:
        """Return one paragraph element each."""
        return join(tag("p", inline(part.strip())) for part in re.split(r"\n\s*\n", self.content) if part.strip())


@dataclass(frozen=True)
class Code:
    """Text in which every space counts."""

    content: str

    def html(self) -> Markup:
        """Return preformatted text."""
        return tag("pre", tag("code", text(self.content)), tabindex="0")


@dataclass(frozen=True)
class Figure:
    """A chart with a caption, drawn for much room and for little; the room it gets decides which is seen."""

    chart: Chart
    caption: str = ""

    def html(self) -> Markup:
        """Return both drawings and the caption."""
        caption = tag("strong", text(self.chart.title + ". ")), inline(self.caption)
        names = ("wide", "narrow") if len(self.chart.widths) == 2 else ("only",)
        drawings = (self.chart.svg(w, class_=name) for w, name in zip(self.chart.widths, names, strict=True))
        return tag("figure", *drawings, tag("figcaption", *caption), class_="figure")


@dataclass(frozen=True, eq=False)
class Picture:
    """Pixels, uint8 of shape (H, W) or (H, W, 3), with a label and a remark."""

    pixels: NDArray[np.uint8]
    label: str
    note: str = ""

    def html(self) -> Markup:
        """Return the picture, stored inside the page as PNG."""
        source = data_uri(self.pixels)
        height, width = self.pixels.shape[:2]
        image = tag("img", src=source, alt=self.label, width=width, height=height)
        note = [tag("br"), inline(self.note)] if self.note else []
        return tag("figure", image, tag("figcaption", tag("strong", text(self.label)), *note))


@dataclass(frozen=True)
class Pictures:
    """Pictures in a grid that fills the width."""

    pictures: Sequence[Picture]

    def html(self) -> Markup:
        """Return the grid."""
        return tag("div", *(picture.html() for picture in self.pictures), class_="pictures")


@dataclass(frozen=True)
class Row:
    """Blocks side by side where there is room."""

    blocks: Sequence[Block]

    def html(self) -> Markup:
        """Return a grid of the blocks."""
        return tag("div", *(block.html() for block in self.blocks), class_="row")


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it."""

    title: str
    blocks: Sequence[Block]

    def html(self) -> Markup:
        """Return a section element."""
        return tag("section", tag("h2", text(self.title)), *(block.html() for block in self.blocks))
