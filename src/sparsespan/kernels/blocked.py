"""The fallback: the same pass in NumPy, in blocks of rows and columns that stay in the cache."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .sums import FloatArray, ShrinkSums, check_arguments

__all__ = ["add_attracted_blocked", "add_blocked", "block_shape", "shrink_blocked"]

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
    """Add the sums of one pass of the soft threshold over checked arguments to the three arrays."""
    for block, part, columns in _blocks(rows, points):
        adjoint_part, sizes, count = block.shrink(part, level)
        adjoint[:, columns] += adjoint_part
        mass[columns] += sizes
        active[columns] += count


def add_attracted_blocked(
    rows: FloatArray,
    points: FloatArray,
    level: float,
    adjoint: FloatArray,
    mass: NDArray[np.float64],
    active: NDArray[np.int64],  # noqa: ARG001 - of the shape of all kernels
) -> None:
    """Add the sums of one pass of the pull of zero over checked arguments; nothing is counted."""
    for block, part, columns in _blocks(rows, points):
        adjoint_part, wells = block.attract(part, level)
        adjoint[:, columns] += adjoint_part
        mass[columns] += wells


def _blocks(rows: FloatArray, points: FloatArray) -> Iterator[tuple[_Block, FloatArray, slice]]:
    """A block for every panel of columns, and the parts of the rows that pass through it."""
    (size, dim), starts = rows.shape, points.shape[1]
    height, width = block_shape(dim, rows.itemsize)
    block = _Block(min(height, size), min(width, starts), dim, rows.dtype)
    for columns in _spans(starts, width):
        block.points = np.ascontiguousarray(points[:, columns])
        for span in _spans(size, height):
            yield block, rows[span], columns


def _spans(length: int, step: int) -> Iterator[slice]:
    return (slice(start, min(start + step, length)) for start in range(0, length, step))


class _Block:
    """The buffers of one block and the passes over it; the next call overwrites what one returned."""

    __slots__ = ("_flags", "_ones", "_part", "_sizes", "_third", "_values", "points")

    def __init__(self, height: int, width: int, dim: int, dtype: np.dtype[Any]) -> None:
        self._values, self._sizes = np.empty((height, width), dtype), np.empty((height, width), dtype)
        self._third, self._flags = np.empty((height, width), dtype), np.empty((height, width), dtype=np.bool_)
        self._part, self._ones = np.empty((dim, width), dtype), np.ones(height, dtype)
        self.points: FloatArray = np.empty((dim, 0), dtype)

    def shrink(self, rows: FloatArray, level: float) -> _Part:
        shrunk, sizes = self._buffers(rows)
        flags = self._flags[: shrunk.shape[0], : shrunk.shape[1]]
        np.clip(shrunk, -level, level, out=sizes)
        np.subtract(shrunk, sizes, out=shrunk)
        np.abs(shrunk, out=sizes)
        np.not_equal(shrunk, 0, out=flags)
        # The product with ones and the one-byte sum are each several times faster than sum and count_nonzero.
        return *self._sums(rows, shrunk, sizes), flags.view(np.uint8).sum(axis=0, dtype=np.uint8)

    def attract(self, rows: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
        pulled, roots = self._buffers(rows)
        np.multiply(pulled, pulled, out=roots)
        roots *= rows.dtype.type(level)
        roots += 1
        np.reciprocal(roots, out=roots)
        pulled *= roots
        wells = np.multiply(roots, roots, out=self._third[: roots.shape[0], : roots.shape[1]])
        wells *= roots
        pulled *= wells
        return self._sums(rows, pulled, wells)

    def _buffers(self, rows: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The values of a block of rows at the points, and a second array of their shape."""
        height, width = rows.shape[0], self.points.shape[1]
        values = np.matmul(rows, self.points, out=self._values[:height, :width])
        return values, self._sizes[:height, :width]

    def _sums(self, rows: FloatArray, values: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
        part = np.matmul(rows.T, values, out=self._part[:, : values.shape[1]])
        return part, self._ones[: len(rows)] @ sizes
