"""Packages of optional extras: imported where they are needed, with a message that names the extra."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .errors import MissingExtra

__all__ = ["need"]


def need(module: str, extra: str, purpose: str) -> Any:
    """
    Import a module of an optional extra.

    Parameters
    ----------
    module : str
        Its import name.
    extra : str
        The extra of this package that installs it.
    purpose : str
        What needs it, for the message.
    """
    try:
        return import_module(module)
    except ImportError as error:
        msg = f'{purpose} needs `{module}`, which is not installed. Get it: pip install "sparsespan[{extra}]".'
        raise MissingExtra(msg) from error
