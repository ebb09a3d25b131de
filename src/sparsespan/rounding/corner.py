"""From inside the solution face of a rounding program to one of its corners."""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from ..subspace import Subspace

__all__ = ["to_corner"]

_ZERO = 1e-9  # of |y_iᵀq|/‖y_i‖ at the start: what a solver leaves of a zero
_EXACT = 1e-13  # the same after a walk, which ends at a zero up to rounding
_INDEPENDENT = 1e-9  # of singular values of unit rows


def to_corner(subspace: Subspace, point: FloatArray, anchor: FloatArray) -> FloatArray:
    """
    Walk along the face on which ‖Yq‖₁ is constant until n − 1 independent rows vanish.

    An interior point ends in the middle of the set of solutions when there are several (parallel rows, small
    integers, vectors without zeros). Along a direction that keeps ⟨r, q⟩ and the zeros, the objective is linear up
    to the first row that reaches zero, and constant because q is optimal; each walk adds such a row, so at most
    n − 1 walks are needed.

    Parameters
    ----------
    subspace : Subspace
        With its rows in memory.
    point : ndarray, shape (n,)
        A solution of the program, unit.
    anchor : ndarray, shape (n,)
        r, unit.

    Returns
    -------
    ndarray, shape (n,)
        Unit point.
    """
    rows = subspace.basis * subspace.inverse_norms[:, None]
    zero = np.abs(rows @ point) <= _ZERO
    for _ in range(subspace.dim - 1):
        direction = _free(rows[zero], anchor)
        if direction is None:
            break
        values, changes = rows @ point, rows @ direction
        moving = ~zero & (np.abs(changes) > _INDEPENDENT)
        if not moving.any():
            break
        reach = np.divide(-values, changes, out=np.full(len(values), np.inf), where=moving)
        first = int(np.argmin(np.abs(reach)))
        point = point + reach[first] * direction
        point = point / np.linalg.norm(point)
        zero |= np.abs(rows @ point) <= _EXACT
        zero[first] = True
    return point


def _free(rows: FloatArray, anchor: FloatArray) -> FloatArray | None:
    """Find a unit vector orthogonal to unit rows and to the anchor, if there is one."""
    triangle = np.linalg.qr(np.vstack([rows, anchor]), mode="r")  # as many rows may vanish as there are
    _, sizes, directions = np.linalg.svd(triangle)
    rank = int(np.count_nonzero(sizes > _INDEPENDENT * sizes[0]))
    return None if rank == len(anchor) else np.asarray(directions[rank])
