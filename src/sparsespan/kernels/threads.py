"""How many threads a pass may use."""

from __future__ import annotations

import os
from functools import cache

from ..errors import InvalidInput

__all__ = ["usable_threads"]


@cache
def usable_threads() -> int:
    """The cores this process may run on, or what the environment variable SPARSESPAN_THREADS says."""
    wanted = os.environ.get("SPARSESPAN_THREADS")
    if wanted is not None:
        if not wanted.isdecimal() or int(wanted) < 1:
            msg = f"`SPARSESPAN_THREADS` must be a positive integer; got {wanted!r}. Unset it to use all cores."
            raise InvalidInput(msg)
        return int(wanted)
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
