"""What a reproduction is: trials to run, and what their rows say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...report import Block
from ...report.charts import Chart
from ..trial import Row, Trial
from ..workers import Runner

__all__ = ["SCALES", "Drawing", "Findings", "Reproduction", "Scale"]

Scale = Literal["small", "paper", "large"]
SCALES: tuple[Scale, ...] = ("small", "paper", "large")

Drawing = Chart | NDArray[np.uint8]


@dataclass(frozen=True)
class Findings:
    """
    What the rows of a reproduction say.

    Attributes
    ----------
    lead : str
        A sentence or two.
    blocks : sequence of Block
        The page, without what every page has: parameters, expected figures, footer.
    measured : mapping of str to float or None
        Figures by the names that ``expected.toml`` gives them; a truth counts as 0 or 1, None is not measured.
    drawings : mapping of str to Chart or ndarray
        Pictures by file name without ending: a chart becomes SVG, pixels (uint8) become PNG.
    parameters : mapping of str to str
        What the reader must know to judge the figures, in words.
    """

    lead: str
    blocks: Sequence[Block]
    measured: Mapping[str, float | None] = field(default_factory=dict)
    drawings: Mapping[str, Drawing] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Reproduction:
    """
    One figure or table of the paper.

    Attributes
    ----------
    name : str
        As `sparsespan reproduce` and the folder of ``expected.toml`` call it.
    source : str
        Where it stands in the paper, such as "Fig. 2(a)".
    title : str
    methods : tuple of str
        What can be chosen from; all by default. Their trials carry these names as ``method``.
    trials : callable
        From a scale and the chosen methods to the trials. No two may have the same key.
    run : callable
        From a trial to its outcome, which JSON can hold (`packing.pack` makes text of an array). A function that can
        be imported: other processes call it.
    findings : callable
        From the finished rows (some may be missing, after an interruption) and the scale to what they say.
    """

    name: str
    source: str
    title: str
    methods: tuple[str, ...]
    trials: Callable[[Scale, tuple[str, ...]], Sequence[Trial]]
    run: Runner
    findings: Callable[[Sequence[Row], Scale], Findings]
