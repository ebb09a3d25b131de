"""Orthonormalise a basis that stays in its file: three passes over blocks of rows, a small factor in memory."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from ..arrays import FloatArray, as_matrix
from ..errors import InvalidInput
from .orthonormal import _RANK_FACTOR, Rank, precision_of
from .rows import MappedRows

__all__ = ["open_rows"]

# Y = A·T is never stored, so its orthonormality is limited to eps·condition; beyond this the file must be loaded.
_MOST_CONDITION = 1e8


def _map(path: Path) -> MappedRows:
    try:
        mapped = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        msg = f"`path` must name a readable .npy file of numbers; got {path} ({error}). Write it with `numpy.save`."
        raise InvalidInput(msg) from error
    if not isinstance(mapped, np.ndarray):
        msg = f"`path` must name a .npy file; got the archive {path}. Save the one array with `numpy.save`."
        raise InvalidInput(msg)
    as_matrix(mapped[:1], "path")  # dtype and shape; the entries are checked on the first pass
    if mapped.shape[0] < mapped.shape[1]:
        msg = (
            f"the array in `path` must have at least as many rows as columns; got shape {mapped.shape}. "
            "Save its transpose."
        )
        raise InvalidInput(msg)
    return MappedRows(path, np.eye(mapped.shape[1]))


def _column_scales(rows: MappedRows) -> FloatArray:
    """Power-of-two scale of each column (1 for a zero column), with every entry checked finite."""
    largest = np.zeros(rows.dim)
    for block in rows.blocks():
        as_matrix(block, "path")
        np.maximum(largest, np.abs(block).max(axis=0), out=largest)
    if not largest.any():
        msg = f"the array in `path` must span something; got {rows.dim} zero columns. Pass a nonzero one."
        raise InvalidInput(msg)
    _, exponents = np.frexp(np.where(largest > 0, largest, 1.0))
    return np.ldexp(np.where(largest > 0, 1.0, 0.0), -exponents)


def _triangle(rows: MappedRows) -> FloatArray:
    """R of a QR decomposition, block by block: stable for every condition."""
    triangle = np.zeros((0, rows.dim))
    for block in rows.blocks():
        triangle = np.asarray(np.linalg.qr(np.vstack([triangle, block]), mode="r"))
    return triangle


def open_rows(path: Path, height: int | None = None) -> tuple[MappedRows, Rank]:
    """
    Map a ``.npy`` file of columns (p×m) as rows of an orthonormal basis.

    Returns
    -------
    rows : MappedRows
    rank : Rank
        Decided as for columns in memory.
    """
    raw = _map(path)
    scale = _column_scales(raw)
    triangle = _triangle(MappedRows(path, np.diag(scale)))
    lengths = np.linalg.norm(triangle, axis=0)
    scale = np.divide(scale, lengths, out=np.zeros_like(scale), where=lengths > 0)
    unit = np.divide(triangle, lengths, out=np.zeros_like(triangle), where=lengths > 0)
    _, sizes, directions = np.linalg.svd(unit)
    precision = precision_of(raw.dtype)
    tolerance = _RANK_FACTOR * precision * math.sqrt(raw.dim)
    rank = int(np.count_nonzero(sizes > tolerance * sizes[0]))
    condition = float(sizes[0] / sizes[rank - 1])
    if condition > _MOST_CONDITION:
        msg = (
            f"the columns in `path` must have a condition below {_MOST_CONDITION:.0e} to be used from the file; "
            f"got {condition:.1e}. Load it: `Subspace.span(numpy.load(path))`."
        )
        raise InvalidInput(msg)
    factor = scale[:, None] * (directions[:rank].T / sizes[:rank])
    correction = np.linalg.inv(_triangle(MappedRows(path, factor)))
    return MappedRows(path, factor @ correction, height), Rank(raw.dim, rank, tolerance, condition, precision)
