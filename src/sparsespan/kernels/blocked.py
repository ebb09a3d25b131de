"""The fallback: the same pass in NumPy, in blocks of rows and columns that stay in the cache."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .sums import FloatArray, ShrinkSums, check_arguments

__all__ = ["add_blocked", "block_shape", "shrink_blocked"]

WORKING_SET = 768 * 1024  # bytes: what a second-level cache of 1 MiB holds beside the products' own packing
MOST_ROWS = 255  # so that the active entries of one block can be counted in one byte a column

_Part: TypeAlias = tuple[FloatArray, FloatArray, NDArray[np.uint8]]


def block_shape(dim: int, itemsize: int) -> tuple[int, int]:
    """Rows and columns of a block, so that two buffers, the rows, points and sums fit the working set."""
    numbers = WORKING_SET // itemsize
    height = min(MOST_ROWS, max(16, numbers // (4 * dim)))
    width = (numbers - height * dim) // (2 * height + 4 * dim)
    return height, max(16, min(512, width // 16 * 16))


def shrink_blocked(rows: FloatArray, points: FloatArray, threshold: float) -> ShrinkSums:
    """Compute Yᵀ S_λ(Y Q) and the per-column sums block by block; sums over blocks are kept in float64.

    Parameters
    ----------
    rows : (p, n) array, float32 or float64, C-contiguous
        The rows of Y.
    points : (n, R) array of the same dtype
        The columns of Q.
    threshold : float
        λ ≥ 0.

    Returns
    -------
    ShrinkSums
        Equal to that of `shrink_reference` up to rounding; NaN and infinity propagate alike.
    """
    level = check_arguments(rows, points, threshold)
    sums = ShrinkSums.zeros(points.shape)
    add_blocked(rows, points, level, sums.adjoint, sums.mass, sums.active)
    return sums.in_dtype_of(rows)


def add_blocked(
    rows: FloatArray,
    points: FloatArray,
    level: float,
    adjoint: FloatArray,
    mass: NDArray[np.float64],
    active: NDArray[np.int64],
) -> None:
    """Add the sums of one pass over checked arguments to the three arrays."""
    (size, dim), starts = rows.shape, points.shape[1]
    height, width = block_shape(dim, rows.itemsize)
    block = _Block(min(height, size), min(width, starts), dim, rows.dtype)
    for columns in _spans(starts, width):
        panel = np.ascontiguousarray(points[:, columns])
        for span in _spans(size, height):
            part, sizes, count = block.shrink(rows[span], panel, level)
            adjoint[:, columns] += part
            mass[columns] += sizes
            active[columns] += count


def _spans(length: int, step: int) -> Iterator[slice]:
    return (slice(start, min(start + step, length)) for start in range(0, length, step))


class _Block:
    """The buffers of one block and the pass over it; the next call overwrites what `shrink` returned."""

    __slots__ = ("_flags", "_ones", "_part", "_shrunk", "_sizes")

    def __init__(self, height: int, width: int, dim: int, dtype: np.dtype[Any]) -> None:
        self._shrunk, self._sizes = np.empty((height, width), dtype), np.empty((height, width), dtype)
        self._flags = np.empty((height, width), dtype=np.bool_)
        self._part, self._ones = np.empty((dim, width), dtype), np.ones(height, dtype)

    def shrink(self, rows: FloatArray, points: FloatArray, level: float) -> _Part:
        height, width = rows.shape[0], points.shape[1]
        shrunk, sizes = self._shrunk[:height, :width], self._sizes[:height, :width]
        flags, part = self._flags[:height, :width], self._part[:, :width]
        np.matmul(rows, points, out=shrunk)
        np.clip(shrunk, -level, level, out=sizes)
        np.subtract(shrunk, sizes, out=shrunk)
        np.abs(shrunk, out=sizes)
        np.not_equal(shrunk, 0, out=flags)
        np.matmul(rows.T, shrunk, out=part)
        # The product with ones and the one-byte sum are each several times faster than sum and count_nonzero.
        return part, self._ones[:height] @ sizes, flags.view(np.uint8).sum(axis=0, dtype=np.uint8)
