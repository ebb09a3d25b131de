"""Charts: pure functions from arrays to a `Chart`, which draws itself as SVG at any width. One a file."""

from __future__ import annotations

from .bars import bars
from .chart import Chart
from .dots import dots
from .heatmap import heatmap, heatmap_pixels
from .lines import Series, lines, power_law
from .sphere import CriticalPoint, disc, sphere
from .stems import stems

__all__ = [
    "Chart", "CriticalPoint", "Series", "bars", "disc", "dots", "heatmap", "heatmap_pixels", "lines",
    "power_law", "sphere", "stems",
]  # fmt: skip
