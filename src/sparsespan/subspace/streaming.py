"""Orthonormalise a basis that stays in its file: three passes over blocks of rows, a small factor in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..arrays import FloatArray, as_float64, as_matrix
from ..checks import as_path
from ..errors import InvalidInput
from .orthonormal import Rank, precision_of, rank_tolerance
from .rows import MappedRows

__all__ = ["open_rows"]

# Y = A·T is never stored, so its orthonormality is limited to eps·condition; beyond this the file must be loaded.
_MOST_CONDITION = 1e8
_LEAST = 1e-300  # of a column's largest entry: T must not overflow


def _map(path: Path) -> MappedRows:
    try:
        mapped = np.lib.format.open_memmap(path, mode="r")
    except (ValueError, EOFError, OSError) as error:
        msg = f"`path` must name a readable .npy file of numbers; got {path} ({error}). Write it with `numpy.save`."
        raise InvalidInput(msg) from error
    # Dtype and shape; the entries are checked on the first pass.
    as_matrix(mapped[:1] if mapped.ndim == 2 and mapped.size else mapped, "path")
    if mapped.shape[0] < mapped.shape[1]:
        msg = (
            f"the array in `path` must have at least as many rows as columns; got shape {mapped.shape}. "
            "Save its transpose."
        )
        raise InvalidInput(msg)
    return MappedRows(path, np.eye(mapped.shape[1]))


def _largest(rows: MappedRows) -> FloatArray:
    """Largest magnitude in each column, with every entry checked finite."""
    largest = np.zeros(rows.dim)
    for start, block in rows.raw_blocks():
        values = as_float64(as_matrix(block, "path", start), "path")
        np.maximum(largest, np.abs(values).max(axis=0), out=largest)
    if not largest.any():
        msg = f"the array in `path` must span something; got {rows.dim} zero columns. Pass a nonzero one."
        raise InvalidInput(msg)
    least = float(largest[largest > 0].min())
    if least < _LEAST:
        msg = (
            f"a column in `path` must be zero or have an entry above {_LEAST:.0e} to be used from the file; "
            f"got one whose largest is {least:.1e}. Rescale it, or load it: `Subspace.span(numpy.load(path))`."
        )
        raise InvalidInput(msg)
    return largest


def _scales(largest: FloatArray) -> FloatArray:
    """Power-of-two scale of each column; 0 for a zero column."""
    _, exponents = np.frexp(np.where(largest > 0, largest, 1.0))
    return np.ldexp(np.where(largest > 0, 1.0, 0.0), -exponents)


def _triangle(rows: MappedRows) -> FloatArray:
    """R of a QR decomposition, block by block: stable for every condition."""
    triangle = np.zeros((0, rows.dim))
    for block in rows.blocks():
        triangle = np.asarray(np.linalg.qr(np.vstack([triangle, block]), mode="r"))
    return triangle


def open_rows(path: object, height: int | None = None) -> tuple[MappedRows, Rank]:
    """
    Map a ``.npy`` file of columns (p×m) as rows of an orthonormal basis.

    Returns
    -------
    rows : MappedRows
    rank : Rank
        Decided as for columns in memory.
    """
    path = as_path(path)
    raw = _map(path)
    largest = _largest(raw)
    scale = _scales(largest)
    triangle = _triangle(MappedRows(path, np.diag(scale)))
    lengths = np.linalg.norm(triangle, axis=0)
    scale = np.divide(scale, lengths, out=np.zeros_like(scale), where=lengths > 0)
    unit = np.divide(triangle, lengths, out=np.zeros_like(triangle), where=lengths > 0)
    _, sizes, directions = np.linalg.svd(unit)
    precision = precision_of(raw.dtype, largest[largest > 0])
    tolerance = rank_tolerance(precision, raw.dim)
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
