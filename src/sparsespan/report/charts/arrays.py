"""Checks of what a chart is given: real numbers of the right shape, as float64."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...errors import InvalidInput

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["real_array", "same_shape"]


def real_array(name: str, values: ArrayLike, ndim: int = 1) -> NDArray[np.float64]:
    """Return the values as a float64 array with `ndim` axes; None inside a list becomes NaN."""
    array = np.asarray(values)
    if array.dtype == object and all(value is None or isinstance(value, int | float) for value in array.flat):
        array = array.astype(np.float64)
    array = array.astype(np.float64) if not array.size else array
    if array.ndim != ndim or array.dtype.kind not in "buif":
        msg = (
            f"`{name}` must be an array of real numbers with {ndim} axis/axes; "
            f"got shape {array.shape}, dtype {array.dtype}. Convert or reshape it first."
        )
        raise InvalidInput(msg)
    return array.astype(np.float64)


def same_shape(name: str, array: NDArray[np.float64], other: str, shape: tuple[int, ...]) -> None:
    """Refuse an array whose shape is not the one it belongs to."""
    if array.shape != shape:
        msg = f"`{name}` must have the shape of `{other}`, {shape}; got {array.shape}. Pass one value for each."
        raise InvalidInput(msg)
