"""Methods: one algorithm a file, each a frozen value; `registry` lists them."""

from __future__ import annotations

from .base import Method, Problem, explore
from .registry import as_method, available, register

__all__ = ["Method", "Problem", "as_method", "available", "explore", "register"]
