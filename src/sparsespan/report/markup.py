"""Text to HTML and SVG: everything a page says passes through here and is escaped once.

A string that is markup has the type `Markup`, so the type checker catches text that was never escaped.
"""

from __future__ import annotations

import html
import re
from base64 import b64encode
from typing import TYPE_CHECKING, NewType

from .png import png_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Markup", "coordinate", "data_uri", "join", "tag", "text"]

Markup = NewType("Markup", str)

_EMPTY = frozenset({"br", "circle", "image", "img", "line", "link", "meta", "path", "rect"})
# What neither HTML nor XML can hold: controls, lone surrogates, the two non-characters of the plane.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def text(value: str) -> Markup:
    """Escape plain text; characters that a page cannot hold become U+FFFD."""
    return Markup(html.escape(_UNPRINTABLE.sub("\ufffd", value)))


def join(parts: Iterable[Markup], between: str = "") -> Markup:
    """Put pieces of markup one after the other, with a markup-free string between them."""
    return Markup(html.escape(between).join(parts))


def tag(name: str, *children: Markup, **attributes: str | float | None) -> Markup:
    """Build one element.

    Attributes that are None are left out. `class_` stands for `class`, and `_` inside a name for `-`. Numbers
    are coordinates: they keep two decimals.
    """
    opening = name + "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    if name in _EMPTY and not children:
        return Markup(f"<{opening}/>")
    return Markup(f"<{opening}>{''.join(children)}</{name}>")


def _attribute(key: str, value: str | float) -> str:
    shown = text(value) if isinstance(value, str) else coordinate(value)
    return f' {key.rstrip("_").replace("_", "-")}="{shown}"'


def coordinate(value: float) -> str:
    """Write a coordinate with at most two decimals."""
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def data_uri(pixels: NDArray[np.uint8]) -> str:
    """Return an image as an address that holds it (PNG), for use inside a page."""
    return "data:image/png;base64," + b64encode(png_bytes(pixels)).decode("ascii")
