"""Checks of scalar options: each returns the value, or says what it must be."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np

from .errors import InvalidInput

__all__ = ["at_least", "choice", "fraction", "generator", "is_number", "positive"]


def is_number(value: object) -> bool:
    """Whether a value is a real number, Python's or NumPy's, and no bool."""
    return isinstance(value, Real) and not isinstance(value, bool)


def positive(name: str, value: float, advice: str = "") -> float:
    """Check that an option is a positive number; infinity is one."""
    if not (is_number(value) and value > 0):
        msg = f"`{name}` must be a positive number; got {value!r}. {advice}".rstrip()
        raise InvalidInput(msg)
    return float(value)


def at_least(name: str, value: int, least: int, advice: str = "") -> int:
    """Check that an option is an integer not below a bound."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        msg = f"`{name}` must be an integer of at least {least}; got {value!r}. {advice}".rstrip()
        raise InvalidInput(msg)
    return int(value)


def fraction(name: str, value: float) -> float:
    """Check that an option lies strictly between 0 and 1."""
    if not (is_number(value) and 0 < value < 1):
        msg = f"`{name}` must lie between 0 and 1, both excluded; got {value!r}."
        raise InvalidInput(msg)
    return float(value)


def choice(name: str, value: str, known: tuple[str, ...]) -> str:
    """Check that an option is one of several words."""
    if value not in known:
        msg = f"`{name}` must be {', '.join(map(repr, known[:-1]))} or {known[-1]!r}; got {value!r}."
        raise InvalidInput(msg)
    return value


def generator(seed: int | None) -> np.random.Generator:
    """Make the generator of a run; None draws a fresh seed."""
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0):
        msg = f"`seed` must be a non-negative integer or None; got {seed!r}."
        raise InvalidInput(msg)
    return np.random.default_rng(seed)
