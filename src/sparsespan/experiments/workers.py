"""Processes that run trials: kernels and BLAS at one thread in each, deaf to Ctrl-C, and gone when their parent is."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process

from ..errors import SparsespanError
from .trial import Outcome, Row, Trial

__all__ = ["Runner", "open_pool", "run_trial"]

Runner = Callable[[Trial], Outcome]

# Read by the BLAS libraries when NumPy is first imported, so they must be set before a worker starts; one is ours.
_ONE_THREAD = (
    "SPARSESPAN_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OMP_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


@contextmanager
def open_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """
    Start worker processes afresh (not forked), and end them at the end.

    One thread in each: with as many workers as cores, more would only wait for one another, and sums would depend on
    how many there are.
    """
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_settle_in)
    try:
        yield pool
    except BaseException:
        for worker in set(active_children()) - others:  # nobody will ask for what they are doing
            worker.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _settle_in() -> None:
    """Leave Ctrl-C to the parent, and watch over it: a parent that was killed cannot end its workers itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def run_trial(run: Runner, trial: Trial) -> Row:
    """Run one trial. An error of ours is an outcome of the method; anything else is a fault and ends the sweep."""
    started = time.perf_counter()
    try:
        outcome = run(trial)
    except SparsespanError as error:
        outcome = {"error": f"{type(error).__name__}: {error}"}
    return Row(trial, outcome, time.perf_counter() - started)
