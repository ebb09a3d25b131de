"""A vertex: a point at which at least n−1 independent rows vanish exactly; and the polish that makes one."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray, frozen
from ..subspace import Subspace
from .zeros import ZeroRows

__all__ = ["Vertex", "settle"]

_NEWTON_STEPS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Vertex:
    """
    A unit point with the entries of its vector that are zero.

    Attributes
    ----------
    point : ndarray, shape (n,)
        Unit vector q.
    vector : ndarray, shape (p,)
        Yq with exact zeros.
    zero : ndarray of bool, shape (p,)
        Where the vector is zero on rows of Y that are not themselves zero.
    residual : float
        Largest |y_iᵀq|/‖y_i‖ among the entries set to zero.
    l1 : float
        ‖vector‖₁.
    label : str
        The start it came from.
    steps : int
        Iterations spent on it.
    multiplicity : int
        How many starts led here.
    gap : float or None
        Relative duality gap where a linear program was solved.
    """

    point: FloatArray
    vector: FloatArray
    zero: BoolArray
    residual: float
    l1: float
    label: str = ""
    steps: int = 0
    multiplicity: int = 1
    gap: float | None = None

    @property
    def zeros(self) -> int:
        """How many entries vanish that do not vanish for every vector of S."""
        return int(np.count_nonzero(self.zero))

    @property
    def nonzeros(self) -> int:
        """How many entries do not vanish."""
        return int(np.count_nonzero(self.vector))

    def named(self, label: str, steps: int, multiplicity: int = 1) -> Vertex:
        """Return the same vertex with its history."""
        return replace(self, label=label, steps=steps, multiplicity=multiplicity)


def _relative(subspace: Subspace, values: FloatArray) -> FloatArray:
    """|y_iᵀq|/‖y_i‖ in [0, 1]; infinite at rows that are zero for every vector, which say nothing about q."""
    relative = np.full(subspace.size, np.inf)
    np.divide(np.abs(values), subspace.row_norms, out=relative, where=~subspace.null_rows)
    return relative


def _lowest(relative: FloatArray, least: int) -> IntArray:
    """Rows below the largest gap (as a ratio) in the sorted sizes, at least ``least`` of them."""
    order = np.argsort(relative)
    sizes = np.maximum(relative[order[: np.count_nonzero(np.isfinite(relative))]], 1e-18)
    if sizes.size <= least:
        return order[: sizes.size]
    logs = np.log(sizes[max(0, least - 1) :])
    cut = least + int(np.argmax(np.diff(logs))) if least > 0 else 0
    return order[:cut]


def _freeze(subspace: Subspace, point: FloatArray, values: FloatArray) -> Vertex:
    relative = _relative(subspace, values)
    zero = relative <= subspace.resolution
    residual = float(relative[zero].max(initial=0.0))
    vector = np.where(zero | subspace.null_rows, 0.0, values)
    vector /= math.sqrt(float(vector @ vector))
    return Vertex(frozen(point), frozen(vector), frozen(zero), residual, float(np.abs(vector).sum()))


def settle(subspace: Subspace, point: FloatArray, dual: FloatArray | None = None) -> Vertex:
    """
    Make the zeros of a nearly sparse vector exact.

    The rows below the largest gap in |y_iᵀq| are taken as zeros and q is moved to their common null vector, by
    Newton steps on the least-squares problem. The move is kept only if ‖Yq‖₁ does not rise. Where those rows do
    not determine a point, q stays as it is and few entries, or none, become zero.

    Parameters
    ----------
    subspace : Subspace
    point : ndarray, shape (n,)
        A unit vector that has all but converged.
    dual : ndarray, shape (p,), optional
        Near-optimal u of the rounding program. |u| tends to 1 where the vector does not vanish, so that dividing
        by 1 − |u| squares the contrast between zeros and nonzeros.
    """
    values = subspace.vectors(point)
    sizes = _relative(subspace, values)
    if dual is not None:
        sizes = sizes / np.maximum(1.0 - np.abs(dual), 1e-18)
    chosen = _lowest(sizes, subspace.dim - 1)
    moved = point
    rows = subspace.take(chosen)
    try:
        for _ in range(_NEWTON_STEPS):
            shift = ZeroRows(rows, moved).step()
            moved = moved - shift
            moved /= math.sqrt(float(moved @ moved))
            if float(np.abs(shift).max()) < 1e-15:
                break
    except np.linalg.LinAlgError:  # the rows do not determine a point: nothing to move to
        return _freeze(subspace, point, values)
    moved_values = subspace.vectors(moved)
    if np.abs(moved_values).sum() > np.abs(values).sum() * (1 + 1e-9):
        return _freeze(subspace, point, values)
    return _freeze(subspace, moved, moved_values)
