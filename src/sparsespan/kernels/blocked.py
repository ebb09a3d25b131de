"""The fallback: the same pass in NumPy, in blocks of rows and columns that stay in the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .sums import FloatArray, ShrinkSums, check_arguments

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["block_shape", "shrink_blocked"]

WORKING_SET = 768 * 1024  # bytes: what a second-level cache of 1 MiB holds beside the products' own packing
MOST_ROWS = 255  # so that the active entries of one block can be counted in one byte a column

Sums: TypeAlias = tuple[FloatArray, FloatArray, NDArray[np.uint8]]


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
    threshold = check_arguments(rows, points, threshold)
    (size, dim), starts = rows.shape, points.shape[1]
    height, width = block_shape(dim, rows.itemsize)
    block = _Block(min(height, size), min(width, starts), dim, rows.dtype)
    adjoint, mass, active = np.zeros((dim, starts)), np.zeros(starts), np.zeros(starts, dtype=np.int64)
    for columns in _spans(starts, width):
        panel = np.ascontiguousarray(points[:, columns])
        for span in _spans(size, height):
            part, sizes, count = block.shrink(rows[span], panel, threshold)
            adjoint[:, columns] += part
            mass[columns] += sizes
            active[columns] += count
    return ShrinkSums(adjoint.astype(rows.dtype, copy=False), mass, active)


def _spans(length: int, step: int) -> Iterator[slice]:
    return (slice(start, min(start + step, length)) for start in range(0, length, step))


class _Block:
    """The buffers of one block and the pass over it; the next call overwrites what `shrink` returned."""

    __slots__ = ("_flags", "_ones", "_part", "_shrunk", "_sizes")

    def __init__(self, height: int, width: int, dim: int, dtype: np.dtype[Any]) -> None:
        self._shrunk, self._sizes = np.empty((height, width), dtype), np.empty((height, width), dtype)
        self._flags = np.empty((height, width), dtype=np.bool_)
        self._part, self._ones = np.empty((dim, width), dtype), np.ones(height, dtype)

    def shrink(self, rows: FloatArray, points: FloatArray, threshold: float) -> Sums:
        height, width = rows.shape[0], points.shape[1]
        shrunk, sizes = self._shrunk[:height, :width], self._sizes[:height, :width]
        flags, part = self._flags[:height, :width], self._part[:, :width]
        np.matmul(rows, points, out=shrunk)
        np.clip(shrunk, -threshold, threshold, out=sizes)
        np.subtract(shrunk, sizes, out=shrunk)
        np.abs(shrunk, out=sizes)
        np.greater(sizes, 0, out=flags)
        np.matmul(rows.T, shrunk, out=part)
        # The product with ones and the one-byte sum are each several times faster than sum and count_nonzero.
        return part, self._ones[:height] @ sizes, flags.view(np.uint8).sum(axis=0, dtype=np.uint8)
