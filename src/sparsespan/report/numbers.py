"""How numbers look: the one place that turns a value into the text that a reader sees."""

from __future__ import annotations

import math
from numbers import Integral

__all__ = ["binomial_interval", "counted", "number", "seconds", "share"]

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SPACE = "\u202f"  # narrow and not breakable: a value and its unit stay together


def number(value: float | None, digits: int = 3) -> str:
    """Write a number with `digits` significant digits, scientific outside 1e-4 … 1e6.

    Integers are exact, with commas between thousands; whole digits of a float are never rounded away
    (2191.0 is 2,191). None is an en dash, booleans are yes and no.
    """
    if value is None:
        return "–"
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return "yes" if value else "no"
    if isinstance(value, Integral):
        return f"{int(value):,}".replace("-", "−")
    value = float(value)
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "∞" if value > 0 else "−∞"
    return _real(value, digits).replace("-", "−")


def _real(value: float, digits: int) -> str:
    rounded = f"{value:.{digits - 1}e}"
    mantissa, _, power = rounded.partition("e")
    exponent = int(power)
    # A trailing zero is a digit like any other; only where nothing was rounded away may it go.
    trim = _trim if math.isclose(float(rounded), value, rel_tol=1e-12) else str
    if value == 0:
        return "0"
    if -4 <= exponent < 6:
        return trim(f"{value:,.{max(digits - 1 - exponent, 0)}f}")
    times = {"1": "", "-1": "-"}.get(trim(mantissa), f"{trim(mantissa)}{_SPACE}×{_SPACE}")
    return f"{times}10{str(exponent).translate(_SUPERSCRIPTS)}"


def _trim(shown: str) -> str:
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def counted(count: int, noun: str) -> str:
    """Write a count with its noun, in the plural unless it is one."""
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def seconds(value: float | None) -> str:
    """Write a duration given in seconds with the unit that suits it, from µs to h."""
    if value is None or not math.isfinite(value) or value <= 0:
        return number(value) + ("" if value is None else f"{_SPACE}s")
    for limit, scale, unit in ((1e-3, 1e6, "µs"), (1.0, 1e3, "ms"), (120.0, 1.0, "s")):
        # 0.99996 s is 1 s, not 1,000 ms: decide on what will be shown.
        if float(f"{value:.2e}") < limit:
            return f"{number(value * scale)}{_SPACE}{unit}"
    if round(value) < 7200:
        minutes, rest = divmod(round(value), 60)
        return f"{minutes}{_SPACE}min {rest}{_SPACE}s"
    hours, rest = divmod(round(value / 60), 60)
    return f"{hours:,}{_SPACE}h {rest}{_SPACE}min"


def share(value: float) -> str:
    """Write a share of one as a percentage; what is not all is never shown as 100 %."""
    if 0.9995 <= value < 1:
        return f"> 99.9{_SPACE}%"
    return f"{number(100.0 * value)}{_SPACE}%"


def binomial_interval(successes: float, trials: float, z: float = 1.959964) -> tuple[float, float]:
    """Wilson's interval for a success probability (95 % by default); (0, 1) when nothing was tried."""
    if not trials > 0:
        return 0.0, 1.0
    rate, weight = successes / trials, z * z / trials
    centre = (rate + weight / 2) / (1 + weight)
    half = z * math.sqrt(rate * (1 - rate) / trials + weight / (4 * trials)) / (1 + weight)
    return max(0.0, centre - half), min(1.0, centre + half)
