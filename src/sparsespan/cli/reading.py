"""Read a matrix from a file of any common kind; every failure is an `InvalidInput` that says what to do."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import is_zipfile

import click
import numpy as np

from ..errors import InvalidInput

if TYPE_CHECKING:
    from ..subspace import Subspace

__all__ = ["KINDS", "read_matrix", "read_subspace"]

_NPY = b"\x93NUMPY"  # how a .npy file begins
_KEYED = (".npz", ".mat")
_ARRAY_KINDS = "fiubc"  # numbers and bools; complex is refused later with a message of its own


def _choose(arrays: Mapping[str, Any], key: str | None, path: Path) -> Any:
    """The array of the given name, or the only matrix there is."""
    if key is not None:
        if key not in arrays:
            msg = f"`--key` must name an array of {path}; got {key!r}. It holds: {', '.join(sorted(arrays)) or 'none'}."
            raise InvalidInput(msg)
        return arrays[key]
    tables = [name for name, value in arrays.items() if getattr(value, "ndim", 0) == 2]
    matrices = [name for name in tables if 1 not in arrays[name].shape]
    if not matrices:  # a single column is a matrix, too, but a number (as MATLAB stores one) is none
        matrices = [name for name in tables if arrays[name].size > 1]
    if len(matrices) != 1:
        msg = (
            f"{path} must hold exactly one matrix, or `--key` must say which; "
            f"it holds: {', '.join(sorted(arrays)) or 'none'}."
        )
        raise InvalidInput(msg)
    return arrays[matrices[0]]


def _npy(path: Path, key: str | None) -> Any:
    del key  # a .npy file holds one array
    with path.open("rb") as file:
        if file.read(len(_NPY)) != _NPY:
            msg = f"{path} must be a readable .npy file; got other bytes at its start. Write it with `numpy.save`."
            raise InvalidInput(msg)
        file.seek(0)
        try:
            return np.lib.format.read_array(file, allow_pickle=False)
        except ValueError as error:
            if "allow_pickle" not in str(error):
                raise
            msg = f"{path} must hold numbers; got Python objects. Convert them with `.astype(float)` and save again."
            raise InvalidInput(msg) from error


def _npz(path: Path, key: str | None) -> Any:
    if not is_zipfile(path):
        msg = f"{path} must be a readable .npz file; got no archive. Write it with `numpy.savez`."
        raise InvalidInput(msg)
    with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:  # NumPy leaves a broken file open
        if {"format", "shape", "data"} <= set(archive.files):
            from scipy.sparse import load_npz

            return load_npz(path)
        arrays = {name: archive[name] for name in archive.files if archive[name].dtype.kind in _ARRAY_KINDS}
    return _choose(arrays, key, path)


def _mat(path: Path, key: str | None) -> Any:
    from scipy.io import loadmat

    contents = loadmat(path)
    return _choose({name: value for name, value in contents.items() if not name.startswith("__")}, key, path)


def _csv(path: Path, key: str | None) -> Any:
    del key  # a table is one matrix
    with path.open(encoding="utf-8-sig") as file:
        first = file.readline()
    delimiter = next((mark for mark in (",", ";", "\t") if mark in first), None)
    fields = first.strip().split(delimiter)
    header = any(not _is_number(field) for field in fields)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that there is no data is said below
        table = np.loadtxt(path, delimiter=delimiter, skiprows=int(header), ndmin=2, encoding="utf-8-sig")
    if not table.size:
        msg = f"{path} must hold a row of numbers or more; got {'only a header' if first.strip() else 'an empty file'}."
        raise InvalidInput(msg)
    return table


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _mtx(path: Path, key: str | None) -> Any:
    del key  # Matrix Market holds one matrix
    from scipy.io import mmread

    return mmread(path)


KINDS: dict[str, Callable[[Path, str | None], Any]] = {
    ".npy": _npy,
    ".npz": _npz,
    ".mat": _mat,
    ".csv": _csv,
    ".tsv": _csv,
    ".txt": _csv,
    ".mtx": _mtx,
}


def read_matrix(path: Path, key: str | None = None) -> Any:
    """
    Read a matrix, dense or sparse.

    Parameters
    ----------
    path : Path
        .npy, .npz (NumPy or scipy.sparse), .mat, .csv/.tsv/.txt (a header line is skipped) or .mtx.
    key : str or None
        Which array of an .npz or .mat file.
    """
    reader = KINDS.get(path.suffix.lower())
    if reader is None:
        msg = f"the input must be one of {', '.join(KINDS)}; got {path.name!r}. Convert it with `numpy.save`."
        raise InvalidInput(msg)
    try:
        return reader(path, key)
    except InvalidInput:
        raise
    except Exception as error:  # a file can be broken in more ways than its readers have exceptions
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        msg = f"{path} must be a readable {path.suffix} file; got: {reason}"
        raise InvalidInput(msg) from error


def read_subspace(path: Path, key: str | None = None, *, null: bool, rows: bool, mapped: bool) -> Subspace:
    """
    Read the subspace that a matrix stands for.

    Parameters
    ----------
    path : Path
    key : str or None
        Which array of an .npz or .mat file.
    null, rows, mapped : bool
        The null space, the span of the rows, or the span of the columns of a .npy file that stays on disk; the
        span of the columns where none is set, an error where several are.
    """
    from ..subspace import Subspace

    if null + rows + mapped > 1:
        msg = "--null, --rows and --mapped exclude one another"
        raise click.UsageError(msg)
    if key is not None and path.suffix.lower() not in _KEYED:
        msg = f"--key must be left out for {path.name}: only {' and '.join(_KEYED)} files hold several arrays"
        raise click.UsageError(msg)
    if mapped:
        return Subspace.open(path)
    matrix = read_matrix(path, key)
    return Subspace.null(matrix) if null else Subspace.rows(matrix) if rows else Subspace.span(matrix)
