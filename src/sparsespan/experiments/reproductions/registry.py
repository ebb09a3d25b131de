"""The one list of reproductions: command line, tests and documents read it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from ...errors import InvalidInput
from .base import Reproduction

__all__ = ["available", "named", "register"]

_KNOWN: dict[str, Reproduction] = {}


def register(reproduction: Reproduction) -> Reproduction:
    """Enter a reproduction under its name, in the file that makes it."""
    if reproduction.name in _KNOWN:
        msg = f"two reproductions must not share a name; got {reproduction.name!r} twice. Rename one of them."
        raise InvalidInput(msg)
    _KNOWN[reproduction.name] = reproduction
    return reproduction


@cache
def _load_all() -> None:
    package = __package__ or ""
    for module in iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")


def available() -> Mapping[str, Reproduction]:
    """Every reproduction by name, in alphabetical order."""
    _load_all()
    return MappingProxyType(dict(sorted(_KNOWN.items())))


def named(name: str) -> Reproduction:
    """Find a reproduction."""
    if name not in available():
        msg = f"`name` must be one of {', '.join(available())}; got {name!r}."
        raise InvalidInput(msg)
    return available()[name]
