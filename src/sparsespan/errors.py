"""The errors sparsespan raises: each says what must hold, what was got, and what to do."""

from __future__ import annotations

__all__ = ["InvalidInput", "MissingExtra", "NotConverged", "RoundingFailed", "SparsespanError"]


class SparsespanError(Exception):
    """Base class of every error of this package."""


class InvalidInput(SparsespanError, ValueError):
    """An argument does not satisfy what the function asks of it."""


class MissingExtra(SparsespanError, ImportError):
    """A feature needs a package of an optional extra that is not installed."""


class NotConverged(SparsespanError, RuntimeError):
    """An iteration ended at its limit without a usable answer."""


class RoundingFailed(SparsespanError, RuntimeError):
    """No solver could solve a rounding program to its tolerance."""
