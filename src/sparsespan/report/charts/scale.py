"""From data to pixels and back to round numbers: linear and logarithmic scales."""

from __future__ import annotations

from dataclasses import dataclass
from sys import float_info
from typing import TYPE_CHECKING

import numpy as np

from ..numbers import number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Scale"]


@dataclass(frozen=True)
class Scale:
    """Map values from `low` … `high` to pixels from `start` … `stop`, by logarithms if `log`."""

    low: float
    high: float
    start: float
    stop: float
    log: bool = False

    @classmethod
    def fit(
        cls,
        values: ArrayLike,
        start: float,
        stop: float,
        *,
        log: bool = False,
        pad: float = 0.04,
        zero: bool = False,
    ) -> Scale:
        """Cover all drawable values (finite; positive if `log`) with a margin; `zero` includes zero.

        Without any drawable value the scale is 0 … 1 (1 … 10 if `log`); a single one gets room on both sides.
        """
        array = _drawable(np.ravel(np.asarray(values, dtype=np.float64)), log)
        if not array.size or (zero and not array.any()):
            return cls(1.0, 10.0, start, stop, log) if log else cls(0.0, 1.0, start, stop)
        if log:
            low, high = _halves(np.log10(array), pad, False, 0.25)
            top = 10.0 ** (2 * high) if 2 * high < 308 else float_info.max
            return cls(10.0 ** max(2 * low, -323), top, start, stop, log)
        low, high = _halves(np.append(array, 0.0) if zero else array, pad, zero, None)
        return cls(max(2 * low, -float_info.max), min(2 * high, float_info.max), start, stop)

    def __call__(self, values: ArrayLike) -> NDArray[np.float64]:
        """Pixels of the values; NaN where a value cannot be drawn."""
        array = np.asarray(values, dtype=np.float64)
        drawable = np.isfinite(array) & (array > 0 if self.log else True)
        array = np.where(drawable, array, np.nan)
        low, high = self.low, self.high
        if self.log:
            array, low, high = np.log10(array), float(np.log10(low)), float(np.log10(high))
        unit = max(abs(low), abs(high))
        part = (array / unit - low / unit) / (high / unit - low / unit)
        return np.asarray(self.start + part * (self.stop - self.start))

    def ticks(self, count: int = 5) -> list[tuple[float, str]]:
        """Round values inside the scale, about `count` of them, as (pixel, label), in order."""
        values = self._decades(count) if self.log else _steps(self.low, self.high, count)
        digits = 3
        if not self.log and len(values) > 1:  # neighbours must not get the same label
            digits = max(3, 2 + int(np.log10(max(map(abs, values)) / (values[1] - values[0]))))
        return [(float(self(value)), number(value, min(digits, 15))) for value in values]

    def _decades(self, count: int) -> list[float]:
        low, high = np.log10(self.low), np.log10(self.high)
        exponents = np.arange(np.ceil(low - 1e-9), np.floor(high + 1e-9) + 1)
        if exponents.size >= 3:
            return [float(10.0**e) for e in exponents[:: -(-exponents.size // max(count, 2))]]
        digits = (1, 2, 5) if high - low > 0.6 else (1, 1.5, 2, 3, 4, 5, 6, 8)
        inside = [d * 10.0**e for e in range(int(np.floor(low)), int(np.ceil(high)) + 1) for d in digits]
        inside = [value for value in inside if self.low * (1 - 1e-9) <= value <= self.high * (1 + 1e-9)]
        return inside[:: -(-len(inside) // max(count, 2))] if inside else [self.low, self.high]


def _drawable(array: NDArray[np.float64], log: bool) -> NDArray[np.float64]:
    return array[np.isfinite(array) & (array > 0 if log else True)]


def _halves(array: NDArray[np.float64], pad: float, zero: bool, lone: float | None) -> tuple[float, float]:
    """
    Half of either end with its margin: halves, because the span of huge values is then still finite.

    A single value gets ``lone`` on both sides, or a share of itself; an end at zero none if `zero`.
    """
    low, high = float(array.min()) / 2, float(array.max()) / 2
    room = pad * (high - low)
    if high <= low:
        room = lone or abs(high) * 0.5 or 0.5
    return low - room * (low != 0 or not zero), high + room * (high != 0 or not zero)


def _steps(low: float, high: float, count: int) -> list[float]:
    rough = high / max(count, 1) - low / max(count, 1)
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * min((f for f in (1, 2, 5, 10) if f * power >= 0.8 * rough), default=10)
    first, last = np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9)
    return [float(k * step) for k in np.arange(first, last + 1)]
