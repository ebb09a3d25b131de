"""Where the rows of a basis lie: in memory, or in a file of which a block at a time is read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray, frozen

__all__ = ["DenseRows", "MappedRows", "RowSource", "slices"]

_BLOCK_BYTES = 8 << 20  # of a mapped file: large enough to stream at disk speed, small enough to stay in cache


def slices(size: int, height: int) -> Iterator[slice]:
    """Consecutive row ranges of at most ``height`` rows; the split never depends on threads or machine."""
    return (slice(start, min(start + height, size)) for start in range(0, size, height))


class RowSource(Protocol):
    """The rows of an orthonormal basis Y (p×n), handed out a block at a time."""

    size: int
    dim: int

    def blocks(self) -> Iterator[FloatArray]:
        """Consecutive blocks of rows, each (k, n), C order."""
        ...

    def take(self, rows: NDArray[Any]) -> FloatArray:
        """The rows of the given indices, (k, n)."""
        ...

    def dense(self) -> FloatArray | None:
        """Y itself where it lies in memory, else None."""
        ...

    def restrict(self, frame: FloatArray) -> RowSource:
        """The rows of Y·F for an orthonormal frame F (n×m)."""
        ...


class DenseRows:
    """Rows in memory: one block."""

    def __init__(self, basis: FloatArray) -> None:
        self._basis = frozen(np.ascontiguousarray(basis))
        self.size, self.dim = basis.shape

    def blocks(self) -> Iterator[FloatArray]:
        """Y in one block."""
        yield self._basis

    def take(self, rows: NDArray[Any]) -> FloatArray:
        """Rows of Y by index."""
        return np.asarray(self._basis[rows])

    def dense(self) -> FloatArray:
        """Y, read-only."""
        return self._basis

    def restrict(self, frame: FloatArray) -> DenseRows:
        """The rows of Y·F, in memory."""
        return DenseRows(self._basis @ frame)


class MappedRows:
    """
    Rows of Y = A·T where A (p×m) is a mapped ``.npy`` file and T (m×n) the small orthonormalising factor.

    The file is only read, never written; each block is multiplied by T on its way.
    """

    def __init__(self, path: Path, factor: FloatArray, height: int | None = None) -> None:
        self._path, self._factor = path, factor
        self._file = np.lib.format.open_memmap(path, mode="r")
        self.size, self.dim = self._file.shape[0], factor.shape[1]
        self.dtype: np.dtype[Any] = self._file.dtype
        self._height = height or max(1, _BLOCK_BYTES // (8 * self._file.shape[1]))

    def blocks(self) -> Iterator[FloatArray]:
        """Y a few megabytes at a time, or as many rows as asked for."""
        for part in slices(self.size, self._height):
            yield np.asarray(self._file[part], dtype=np.float64) @ self._factor

    def raw_blocks(self) -> Iterator[tuple[int, NDArray[Any]]]:
        """Rows of A as they are in the file, with the index of the first."""
        for part in slices(self.size, self._height):
            yield part.start, self._file[part]

    def take(self, rows: NDArray[Any]) -> FloatArray:
        """Rows of Y by index."""
        return np.asarray(self._file[rows], dtype=np.float64) @ self._factor

    def dense(self) -> None:
        """Nothing: the rows are not in memory."""

    def restrict(self, frame: FloatArray) -> MappedRows:
        """The rows of Y·F: the same file, another factor."""
        return MappedRows(self._path, self._factor @ frame, self._height)

    def __reduce__(self) -> tuple[type[MappedRows], tuple[Path, FloatArray, int]]:
        return MappedRows, (
            self._path,
            self._factor,
            self._height,
        )  # a worker maps the file anew instead of receiving it
