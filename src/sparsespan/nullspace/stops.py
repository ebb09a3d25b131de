"""When a loop has to end early: a question that it asks now and then."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

__all__ = ["Stop", "never"]

Stop: TypeAlias = Callable[[], bool]


def never() -> bool:
    """Let every loop run to its end."""
    return False
