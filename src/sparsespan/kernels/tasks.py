"""One pass cut into tasks for threads: by its shape alone, so that the sums never depend on the threads."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache, partial
from typing import TypeAlias

import numpy as np

from .fused import AddRows
from .sums import FloatArray, ShrinkSums

__all__ = ["add_in_tasks", "cut"]

MOST_TASKS = 16
LEAST_WORK = 1 << 21  # products of Y Q in one task: some 60 µs, well above what handing it to a thread costs
LEAST_ROWS = 2048  # in one task, so that adding its sums to the others' is little beside its rows
COLUMNS = 64  # tasks begin at multiples of this, so that no register tile of a kernel is cut

_Job: TypeAlias = Callable[[], None]


@lru_cache(maxsize=256)  # an iteration asks for the same shape at every step
def cut(size: int, dim: int, starts: int) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Cut a pass over (size, dim) rows and `starts` points into slabs of rows and panels of columns.

    Columns are cut first, since tasks that share no column need no addition afterwards; rows where columns are few.
    """
    wanted = max(1, min(MOST_TASKS, size * dim * starts // LEAST_WORK))
    across = max(1, min(wanted, starts // COLUMNS))
    down = max(1, min(-(-wanted // across), size // LEAST_ROWS))
    return _pieces(size, down, 1), _pieces(starts, across, COLUMNS)


def _pieces(length: int, count: int, grain: int) -> tuple[slice, ...]:
    step = max(1, -(-length // (count * grain))) * grain
    return tuple(slice(start, min(start + step, length)) for start in range(0, length, step))


def add_in_tasks(
    add: AddRows, rows: FloatArray, points: FloatArray, level: float, sums: ShrinkSums, threads: int
) -> None:
    """Add one pass to the sums; slabs of rows are summed apart and added up in their order."""
    size, dim = rows.shape
    slabs, panels = cut(size, dim, points.shape[1])
    if len(slabs) * len(panels) <= 1:
        add(rows, points, level, sums.adjoint, sums.mass, sums.active)
        return
    parts = [sums, *(ShrinkSums.zeros(points.shape) for _ in slabs[1:])]
    jobs: deque[_Job] = deque(
        partial(add, rows[slab], points[:, panel], level, part.adjoint[:, panel], part.mass[panel], part.active[panel])
        for slab, part in zip(slabs, parts, strict=True)
        for panel in panels
    )
    _run(jobs, threads)
    for part in parts[1:]:
        np.add(sums.adjoint, part.adjoint, out=sums.adjoint)
        np.add(sums.mass, part.mass, out=sums.mass)
        np.add(sums.active, part.active, out=sums.active)


def _run(jobs: deque[_Job], threads: int) -> None:
    helpers = min(threads, len(jobs)) - 1
    futures = [_pool(threads - 1).submit(_drain, jobs) for _ in range(helpers)]
    _drain(jobs)
    for future in futures:
        if not future.cancel():  # a helper that has not begun by now has nothing left to do
            future.result()


def _drain(jobs: deque[_Job]) -> None:
    while jobs:
        try:
            job = jobs.popleft()
        except IndexError:  # another thread took the last one
            return
        job()


@cache
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, thread_name_prefix="sparsespan")


if hasattr(os, "register_at_fork"):  # the threads of a pool do not exist in a forked process
    os.register_at_fork(after_in_child=_pool.cache_clear)
