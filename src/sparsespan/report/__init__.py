"""Reports: plain summaries in, one self-contained HTML page out.

A `Page` holds blocks (`Cards`, `Prose`, `Figure`, `Table`, …) and is written as one file that needs no
script and no network. Charts come from `sparsespan.report.charts`, the page for one found vector from
`found_page`, that for several methods from `compared_page`, that for a folder of pictures from `faces_page`.
"""

from __future__ import annotations

from .blocks import Block, Card, Cards, Code, Figure, Mark, Picture, Pictures, Prose, Row, Section
from .certificate import Claim, Claims, certificate_panel
from .compared import compared_page
from .faces import faces_page
from .found import found_page
from .page import Footer, Page
from .table import Table

__all__ = [
    "Block", "Card", "Cards", "Claim", "Claims", "Code", "Figure", "Footer", "Mark", "Page", "Picture", "Pictures",
    "Prose", "Row", "Section", "Table", "certificate_panel", "compared_page", "faces_page", "found_page",
]  # fmt: skip
