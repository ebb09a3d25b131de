"""The one list of methods: API, command line, documentation, tests and benchmarks all read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache, wraps
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import TypeVar

import numpy as np

from ..checks import fields_of, is_finite, plain
from ..errors import InvalidInput
from .base import Method

__all__ = ["as_method", "available", "register"]

_CLASSES: dict[str, type[Method]] = {}
_WORDS = {
    bool: "True or False",
    int: "a whole number",
    float: "a finite real number",
    str: "a word",
    type(None): "None",
}
_M = TypeVar("_M", bound=type[Method])


def register(cls: _M) -> _M:
    """Enter a method class under its ``name``; used as a decorator in the file of the method."""
    if cls.name in _CLASSES:
        msg = f"two methods must not share a name; got {cls.name!r} twice. Rename {cls.__qualname__}."
        raise InvalidInput(msg)
    _CLASSES[cls.name] = cls
    own = cls.__post_init__

    @wraps(own)
    def checked(self: Method) -> None:
        _check_types(self)
        own(self)

    cls.__post_init__ = checked  # type: ignore[method-assign]  # before anything of the method sees its options
    return cls


def _check_types(method: Method) -> None:
    """Refuse options that are not of their declared type: bool, int, finite float, str, each also None if allowed."""
    for name, kinds in fields_of(type(method)).items():
        value = getattr(method, name)
        if plain(value, kinds) and (is_finite(value) or float not in kinds or value is None):
            continue
        asked = " or ".join(_WORDS[kind] for kind in kinds)
        shown = f"an array of shape {value.shape}" if isinstance(value, np.ndarray) else repr(value)
        msg = f"`{name}` must be {asked} for method {type(method).name!r}; got {shown}."
        default = next(field.default for field in fields(method) if field.name == name)
        raise InvalidInput(f"{msg} The default is {default!r}.")


@cache
def _load_all() -> None:
    package = __package__ or ""
    for module in iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")


def available() -> Mapping[str, type[Method]]:
    """Every method by name, in alphabetical order; a file put into this folder is found by itself."""
    _load_all()
    return MappingProxyType(dict(sorted(_CLASSES.items())))


@cache
def _default(name: str) -> Method:
    return available()[name]()


def as_method(value: str | Method, options: Mapping[str, object]) -> Method:
    """
    Turn a name into a method, or give a method other options.

    Parameters
    ----------
    value : str or Method
    options : mapping
        Fields of the method.
    """
    if not isinstance(value, (str, Method)):
        msg = f"`method` must be a name or a method; got {type(value).__name__}. Names: {', '.join(available())}."
        raise InvalidInput(msg)
    if isinstance(value, str) and value not in available():
        msg = f"`method` must be one of {', '.join(available())}; got {value!r}."
        raise InvalidInput(msg)
    if isinstance(value, str) and not options:
        return _default(value)
    cls = available()[value] if isinstance(value, str) else type(value)
    known = [field.name for field in fields(cls)]
    for name in options:
        if name not in known:
            msg = f"method {cls.name!r} must be given options among {', '.join(known) or '(none)'}; got `{name}`."
            raise InvalidInput(msg)
    return cls(**options) if isinstance(value, str) else replace(value, **options)
