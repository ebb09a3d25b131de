"""Array types, and the one way in which an argument becomes a clean float64 matrix."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidInput

__all__ = ["BoolArray", "FloatArray", "IntArray", "as_direction", "as_float64", "as_matrix", "frozen"]

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.intp]
BoolArray: TypeAlias = NDArray[np.bool_]


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return ``array`` marked read-only (a view, so that the caller's own flag stays as it is)."""
    view = array.view()
    view.flags.writeable = False
    return view


def _to_numpy(value: object, name: str) -> NDArray[Any]:
    """Bring a NumPy-like, array-API or scipy.sparse value into host memory."""
    if isinstance(value, np.ma.MaskedArray):
        msg = f"`{name}` must have no masked entries; got a masked array. Fill or drop them first."
        raise InvalidInput(msg)
    if isinstance(value, np.ndarray):
        return value
    if hasattr(value, "toarray"):  # scipy.sparse, without importing it
        return np.asarray(value.toarray())
    if hasattr(value, "__array_namespace__") or hasattr(value, "__dlpack__"):
        import array_api_compat

        if array_api_compat.is_torch_array(value):
            value = value.detach()
        if array_api_compat.is_torch_array(value) or array_api_compat.is_cupy_array(value):
            value = array_api_compat.to_device(value, "cpu")  # the others convert by themselves
    try:
        return np.asarray(value)
    except (ValueError, TypeError) as error:
        msg = f"`{name}` must be a rectangular array of real numbers; got {type(value).__name__} ({error})."
        raise InvalidInput(msg) from error


def _real(value: object, name: str) -> NDArray[Any]:
    array = _to_numpy(value, name)
    if array.dtype.kind == "c":
        msg = (
            f"`{name}` must be real; got dtype {array.dtype}. "
            "Stack the real and imaginary parts if both shall be sparse."
        )
        raise InvalidInput(msg)
    if array.dtype.kind not in "fiub":
        msg = f"`{name}` must hold real numbers; got dtype {array.dtype}. Convert it with `.astype(float)`."
        raise InvalidInput(msg)
    return array


def _finite(array: NDArray[Any], name: str, first_row: int = 0) -> None:
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        bad = np.argwhere(~np.isfinite(array))
        value = array[tuple(bad[0])]
        place = (first_row + int(bad[0][0]), *(int(i) for i in bad[0][1:]))
        msg = (
            f"`{name}` must be finite; got {len(bad)} NaN or infinite entries, the first {value} at {place}. "
            "Drop or impute those rows first."
        )
        raise InvalidInput(msg)


def as_matrix(value: object, name: str, first_row: int = 0) -> NDArray[Any]:
    """
    Check that a value is a finite, real, non-empty matrix.

    Parameters
    ----------
    value
        Anything NumPy, the array API or scipy.sparse calls an array.
    name
        The parameter's name, for messages.
    first_row
        Where the rows stand in the whole matrix if they are a block of it, for messages.

    Returns
    -------
    ndarray, shape (rows, columns)
        Of the dtype given (bool, integer or floating), not copied where that can be avoided.
    """
    array = _real(value, name)
    if array.ndim != 2:
        msg = f"`{name}` must be two-dimensional; got shape {array.shape}. For one column, pass `{name}[:, None]`."
        raise InvalidInput(msg)
    if array.size == 0:
        msg = f"`{name}` must not be empty; got shape {array.shape}. Pass at least one row and one column."
        raise InvalidInput(msg)
    _finite(array, name, first_row)
    return array


def as_float64(array: NDArray[Any], name: str) -> FloatArray:
    """Copy a finite array to float64, C order; refuse long doubles that are larger than float64 can say."""
    with np.errstate(over="ignore"):
        converted = np.array(array, dtype=np.float64, order="C")
    if array.dtype.itemsize > converted.dtype.itemsize and not np.isfinite(converted).all():
        msg = f"`{name}` must fit into float64; got dtype {array.dtype} with values beyond 1.8e308. Rescale them."
        raise InvalidInput(msg)
    return converted


def as_direction(value: object, length: int, name: str) -> FloatArray:
    """Check that a value is a finite, real vector of ``length`` entries that are not all zero; as a unit vector."""
    array = _real(value, name)
    if array.shape != (length,):
        msg = f"`{name}` must have shape ({length},); got {array.shape}. Pass one coordinate per basis vector."
        raise InvalidInput(msg)
    _finite(array, name)
    vector = as_float64(array, name)
    if not vector.any():
        msg = f"`{name}` must not be the zero vector; got {length} zeros. Any other direction will do."
        raise InvalidInput(msg)
    vector /= np.abs(vector).max()  # so that squares neither overflow nor vanish
    vector /= np.linalg.norm(vector)
    return vector
