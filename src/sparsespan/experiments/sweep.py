"""Run the trials that are missing in a store."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass

from ..checks import at_least
from ..watch import Progress
from .store import Store
from .trial import Row, Trial
from .workers import Runner, open_pool, run_trial

__all__ = ["Sweep", "sweep"]

_LOOK = 0.1  # seconds between looks at whether somebody asked to stop


@dataclass(frozen=True, slots=True)
class Sweep:
    """
    What became of a sweep.

    Attributes
    ----------
    total, before, now : int
        Trials altogether, found in the store, run this time.
    seconds : float
        Wall time this time.
    """

    total: int
    before: int
    now: int
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return self.before + self.now == self.total


def sweep(
    trials: Sequence[Trial],
    run: Runner,
    store: Store,
    *,
    workers: int = 2,
    progress: Progress | None = None,
    interrupted: Callable[[], bool] | None = None,
) -> Sweep:
    """
    Run all trials that the store does not hold yet, and store each as soon as it ends.

    Parameters
    ----------
    trials : sequence of Trial
    run : callable
        From a trial to its outcome; importable, because other processes call it.
    store : Store
    workers : int
        Processes. The rows do not depend on their number.
    progress : callable, optional
        Called with the share done and words that tell the time left.
    interrupted : callable, optional
        When it returns true no trial is begun any more; those that run are awaited and stored.
    """
    at_least("workers", workers, 1)
    done = store.done()
    missing = sorted((trial for trial in trials if trial.key not in done), key=lambda trial: trial.place)
    clock = _Clock(len(trials), len(trials) - len(missing), progress)
    clock.tell()
    if missing:
        _work(missing, run, store, workers, clock, interrupted or (lambda: False))
    return Sweep(clock.total, clock.before, clock.now, clock.seconds)


class _Clock:
    def __init__(self, total: int, before: int, progress: Progress | None) -> None:
        self.total, self.before, self.now = total, before, 0
        self._started, self._progress = time.perf_counter(), progress

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self._started

    def tell(self) -> None:
        if self._progress is not None:
            done = self.before + self.now
            self._progress(done / max(1, self.total), f"{done} of {self.total} trials, {self._left()}")

    def _left(self) -> str:
        """The trials are shuffled, so the mean so far is a fair guess of the mean to come."""
        if not self.now:
            return "time left unknown"
        left = round(self.seconds / self.now * (self.total - self.before - self.now))
        return f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"


def _work(
    missing: Sequence[Trial], run: Runner, store: Store, workers: int, clock: _Clock, interrupted: Callable[[], bool]
) -> None:
    waiting = iter(missing)
    running: set[Future[Row]] = set()
    with open_pool(workers) as pool:
        while True:
            while len(running) <= workers and not interrupted():  # one more than workers: the next is at hand
                trial = next(waiting, None)
                if trial is None:
                    break
                running.add(pool.submit(run_trial, run, trial))
            if not running:
                return
            ended, running = wait(running, timeout=_LOOK, return_when=FIRST_COMPLETED)
            for future in sorted(ended, key=lambda future: future.exception() is not None):  # store before raising
                store.add(future.result())
                clock.now += 1
            clock.tell()
