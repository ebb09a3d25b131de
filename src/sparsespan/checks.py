"""Checks of scalar options: each returns the value, or says what it must be."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from .errors import InvalidInput

__all__ = [
    "as_path",
    "at_least",
    "called",
    "choice",
    "fields_of",
    "fraction",
    "generator",
    "is_finite",
    "is_number",
    "plain",
    "positive",
]


def is_finite(value: object) -> bool:
    """Whether a value is a real number that a float can hold."""
    return is_number(value) and math.isfinite(_as_float(value))


def is_number(value: object) -> bool:
    """Whether a value is a real number, Python's or NumPy's, and no bool."""
    return isinstance(value, Real) and not isinstance(value, bool)


@cache
def fields_of(cls: type) -> Mapping[str, tuple[type, ...]]:
    """The fields of a dataclass that hold plain values, with the types they may have; all others are left out."""
    hints = get_type_hints(cls)
    kinds = {field.name: _kinds(hints[field.name]) for field in fields(cls) if field.init}
    return {name: of for name, of in kinds.items() if set(of) <= set(_PLAIN)}


def _kinds(hint: Any) -> tuple[type, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def plain(value: object, kinds: tuple[type, ...]) -> bool:
    """Whether a value is of one of the plain types: a bool is no number, a whole number is a float, NaN is none."""
    return any(_PLAIN[kind](value) for kind in kinds)


def _whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


_PLAIN: dict[type, Callable[[object], bool]] = {
    bool: lambda value: isinstance(value, (bool, np.bool_)),
    int: _whole,
    float: lambda value: is_number(value) and not math.isnan(_as_float(value)),
    str: lambda value: isinstance(value, str),
    type(None): lambda value: value is None,
}


def _as_float(value: object) -> float:
    try:
        return float(cast(float, value))
    except OverflowError:  # a whole number beyond float64
        return math.inf


def positive(name: str, value: float, advice: str = "") -> float:
    """Check that an option is a positive number; infinity is one."""
    if not (is_number(value) and value > 0):
        msg = f"`{name}` must be a positive number; got {value!r}. {advice}".rstrip()
        raise InvalidInput(msg)
    return _as_float(value)


def at_least(name: str, value: int, least: int, advice: str = "") -> int:
    """Check that an option is an integer not below a bound."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        msg = f"`{name}` must be an integer of at least {least}; got {value!r}. {advice}".rstrip()
        raise InvalidInput(msg)
    return int(value)


def called(name: str, value: object) -> None:
    """Check that an option is something to call, or None."""
    if value is not None and not callable(value):
        msg = f"`{name}` must be callable or None; got {value!r}. Pass a function."
        raise InvalidInput(msg)


def fraction(name: str, value: float) -> float:
    """Check that an option lies strictly between 0 and 1."""
    if not (is_number(value) and 0 < value < 1):
        msg = f"`{name}` must lie between 0 and 1, both excluded; got {value!r}."
        raise InvalidInput(msg)
    return float(value)


def choice(name: str, value: str, known: tuple[str, ...]) -> str:
    """Check that an option is one of several words."""
    if not isinstance(value, str) or value not in known:
        msg = f"`{name}` must be {', '.join(map(repr, known[:-1]))} or {known[-1]!r}; got {value!r}."
        raise InvalidInput(msg)
    return value


def as_path(value: object) -> Path:
    """Check that an argument called ``path`` names a file."""
    if not isinstance(value, (str, PathLike)):
        msg = f"`path` must be the name of a file; got {value!r}. Pass a str or a Path."
        raise InvalidInput(msg)
    return Path(value)


def generator(seed: int | None) -> np.random.Generator:
    """Make the generator of a run; None draws a fresh seed."""
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0):
        msg = f"`seed` must be a non-negative integer or None; got {seed!r}."
        raise InvalidInput(msg)
    return np.random.default_rng(seed)
