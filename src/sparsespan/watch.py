"""Limits of a run: a deadline, an interruption, and the progress that is told to whoever asked."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from copy import copy
from typing import TypeAlias

from .checks import called, positive

__all__ = ["Progress", "Watch"]

Progress: TypeAlias = Callable[[float, str], None]


class Watch:
    """
    A running clock that methods look at between steps.

    Parameters
    ----------
    deadline : float or None
        Seconds from now after which `expired` is true.
    progress : callable, optional
        Called with the share done (0 … 1) and a word on what is being done.
    interrupted : callable, optional
        Returns true once the run shall end with what it has.
    """

    def __init__(
        self,
        deadline: float | None = None,
        progress: Progress | None = None,
        interrupted: Callable[[], bool] | None = None,
    ) -> None:
        self._deadline = math.inf if deadline is None else positive("deadline", deadline, "In seconds; None: no limit.")
        called("progress", progress)
        called("interrupted", interrupted)
        self.started = time.perf_counter()
        self._progress = progress
        self._interrupted = interrupted

    @property
    def seconds(self) -> float:
        """Wall time since the start."""
        return time.perf_counter() - self.started

    @property
    def remaining(self) -> float:
        """Seconds to the deadline, not below 0; infinite without one. For solvers that keep time themselves."""
        return max(0.0, self._deadline - self.seconds)

    @property
    def late(self) -> bool:
        """Whether the deadline has passed."""
        return self.seconds > self._deadline

    @property
    def stopped(self) -> bool:
        """Whether somebody asked to end."""
        return self._interrupted is not None and self._interrupted()

    @property
    def expired(self) -> bool:
        """Whether the run must end now with what it has."""
        return self.late or self.stopped

    def lacks(self, seconds: float) -> bool:
        """
        Whether too little time is left for a step that cannot be ended early; if so, the run is late from here on.

        Parameters
        ----------
        seconds : float
            What the step takes, about.
        """
        if seconds <= self.remaining:
            return False
        self._deadline = 0.0
        return True

    def silent(self) -> Watch:
        """The same limits without progress, for a step that is not a share of the run."""
        other = copy(self)
        other._progress = None
        return other

    def part(self, index: int, count: int) -> Watch:
        """A watch for one of several equal parts, with its own seconds and its share of the progress."""
        part = copy(self)
        part.started = time.perf_counter()
        part._deadline = self._deadline - self.seconds
        part._progress = lambda share, doing: self.tell((index + share) / count, f"{index + 1} of {count}: {doing}")
        return part

    def tell(self, share: float, doing: str) -> None:
        """Report progress."""
        if self._progress is not None:
            self._progress(min(1.0, max(0.0, share)), doing)
