"""The figures and tables of the paper, one a file: its trials, and the page that its rows become.

A file put into this folder that calls `register` is found by itself; `sparsespan reproduce NAME` runs it.
"""

from __future__ import annotations

from .base import SCALES, Findings, Reproduction, Scale
from .expected import Expectation, expectations
from .registry import available, named, register
from .run import Reproduced, reproduce

__all__ = [
    "SCALES", "Expectation", "Findings", "Reproduced", "Reproduction", "Scale", "available", "expectations", "named",
    "register", "reproduce",
]  # fmt: skip
