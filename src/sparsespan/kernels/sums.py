"""What one pass over the rows yields, and the checks every kernel makes first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput

__all__ = ["FloatArray", "PullSums", "ShrinkSums", "check_arguments"]

FloatArray: TypeAlias = NDArray[np.floating[Any]]  # in practice float32 or float64
_LARGEST_FLOAT32 = float(np.finfo(np.float32).max)


@dataclass(frozen=True, slots=True, eq=False)
class ShrinkSums:
    """The sums over all rows y_i of one pass, for every column q of the points (n×R).

    The arrays are fresh and belong to the caller. The energy that the alternating directions raise needs no other
    pass: Σ(|y_iᵀq| − λ)₊² = ⟨adjoint, q⟩ − λ·mass for each column.

    Attributes
    ----------
    adjoint : (n, R) array, dtype of the rows
        Yᵀ S_λ(Y Q), where S_λ(t) = sign(t)·max(|t| − λ, 0).
    mass : (R,) float64 array
        Σ_i |S_λ(y_iᵀq)|.
    active : (R,) int64 array
        How many rows have |y_iᵀq| > λ; a NaN counts.
    """

    adjoint: FloatArray
    mass: NDArray[np.float64]
    active: NDArray[np.int64]

    @classmethod
    def zeros(cls, shape: tuple[int, ...]) -> ShrinkSums:
        """Sums of no rows, for points of the given shape (n, R), to be added to in float64."""
        return cls(np.zeros(shape), np.zeros(shape[1]), np.zeros(shape[1], dtype=np.int64))

    def in_dtype_of(self, rows: FloatArray) -> ShrinkSums:
        """The same sums with the adjoint rounded to the dtype of the rows."""
        if rows.dtype == self.adjoint.dtype:
            return self
        return ShrinkSums(self.adjoint.astype(rows.dtype), self.mass, self.active)


@dataclass(frozen=True, slots=True, eq=False)
class PullSums:
    """The sums over all rows y_i of one pass of the pull of zero, for every column q of the points (n×R), z = Yq.

    Attributes
    ----------
    adjoint : (n, R) array, dtype of the rows
        Σ_i z_i (1 + c·z_i²)⁻⁴ y_i: the slope of −mass/6c.
    mass : (R,) float64 array
        Σ_i (1 + c·z_i²)⁻³, the depth of all wells: about how many entries are smaller than 1/√(2c).
    """

    adjoint: FloatArray
    mass: NDArray[np.float64]


def check_arguments(rows: FloatArray, points: FloatArray, level: float, name: str = "threshold") -> float:
    """Refuse what a kernel could only answer wrongly; costs about a microsecond.

    Parameters
    ----------
    rows : (p, n) array
        Must be C-contiguous, aligned float32 or float64.
    points : (n, R) array
        Must have the dtype of the rows; any strides.
    level : float
        Must be finite and at least 0.
    name : str
        What the caller calls it.

    Returns
    -------
    float
        The level, no larger than the dtype of the rows can say.
    """
    if rows.dtype != np.float64 and rows.dtype != np.float32:
        msg = f"`rows` must be float32 or float64; got {rows.dtype}. Convert it once with `.astype(float)`."
        raise InvalidInput(msg)
    if points.dtype != rows.dtype:
        msg = f"`points` must have the dtype of `rows`, {rows.dtype}; got {points.dtype}. Convert them with `.astype`."
        raise InvalidInput(msg)
    if rows.ndim != 2 or points.ndim != 2 or rows.shape[1] != points.shape[0] or rows.shape[1] < 1:
        msg = (
            "`rows` must be (p, n) and `points` (n, R) with one n ≥ 1; "
            f"got shapes {rows.shape} and {points.shape}. For one point pass `q[:, None]`."
        )
        raise InvalidInput(msg)
    if not (rows.flags.c_contiguous and rows.flags.aligned and points.flags.aligned):
        msg = (
            f"`rows` must be C-contiguous and aligned, `points` aligned; got strides {rows.strides} and "
            f"{points.strides}. Copy once with `np.ascontiguousarray`, not at every step."
        )
        raise InvalidInput(msg)
    if not 0.0 <= level < math.inf:
        msg = f"`{name}` must be finite and at least 0; got {level!r}. 0 stands for the linear map."
        raise InvalidInput(msg)
    return float(level) if rows.itemsize == 8 else min(float(level), _LARGEST_FLOAT32)
