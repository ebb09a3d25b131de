"""Tables that scroll by themselves instead of breaking the page."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Number
from typing import TYPE_CHECKING

from ..errors import InvalidInput
from .blocks import cell, inline
from .markup import Markup, tag, text

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from .blocks import Cell

__all__ = ["Table"]


@dataclass(frozen=True)
class Table:
    """Rows under column names; the first cell of a row names it.

    Attributes
    ----------
    align : one letter a column, l or r; by default columns of numbers stand to the right.
    best : indices of the rows to set off.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""
    align: str = ""
    best: Collection[int] = ()

    def __post_init__(self) -> None:
        count = len(self.columns)
        if wrong := [(k, len(row)) for k, row in enumerate(self.rows) if len(row) != count]:
            row, got = wrong[0]
            msg = f"`rows` must have {count} cells each; row {row} has {got}. Put None where there is no value."
            raise InvalidInput(msg)
        if self.align and (len(self.align) != count or set(self.align) - set("lr")):
            msg = f"`align` must be {count} letters, each l or r; got {self.align!r}."
            raise InvalidInput(msg + " Leave it empty to have it chosen.")

    def html(self) -> Markup:
        """Return the table in a box of its own."""
        align = self.align or "".join("lr"[self._is_numeric(k)] for k in range(len(self.columns)))
        classes = ["right" if letter == "r" else None for letter in align]
        named = zip(self.columns, classes, strict=True)
        head = (tag("th", text(name), scope="col", class_=c) for name, c in named)
        rows = [self._row(row, classes, best=k in self.best) for k, row in enumerate(self.rows)]
        rows = rows or [tag("tr", tag("td", text("no rows"), colspan=max(len(self.columns), 1)))]
        about = [tag("caption", inline(self.caption))] if self.caption else []
        table = tag("table", *about, tag("thead", tag("tr", *head)), tag("tbody", *rows))
        name = self.caption or "table"
        return tag("div", table, class_="scroll", tabindex="0", role="region", aria_label=name)

    def _is_numeric(self, column: int) -> bool:
        cells = [row[column] for row in self.rows if row[column] is not None]
        return bool(cells) and all(isinstance(value, Number) for value in cells)

    @staticmethod
    def _row(row: Sequence[Cell], classes: Sequence[str | None], *, best: bool) -> Markup:
        cells = [
            tag("td", cell(value), class_=c) if k else tag("th", cell(value), scope="row", class_=c)
            for k, (value, c) in enumerate(zip(row, classes, strict=True))
        ]
        return tag("tr", *cells, class_="best" if best else None)
