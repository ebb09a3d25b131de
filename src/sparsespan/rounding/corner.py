"""From inside the solution face of a rounding program to one of its corners."""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from .vertex import Vertex

__all__ = ["to_corner"]


def to_corner(basis: FloatArray, vertex: Vertex, anchor: FloatArray) -> FloatArray:
    """
    Walk along the face on which ‖Yq‖₁ is constant until n − 1 independent rows vanish.

    An interior point ends in the middle of the set of solutions when there are several (parallel rows, small
    integers). Along a direction that keeps ⟨r, q⟩ and the zeros, the objective is linear up to the first row that
    reaches zero, and constant because q is optimal; each walk adds such a row, so at most n − 1 walks are needed.

    Returns
    -------
    ndarray, shape (n,)
        Unit point.
    """
    point, zero = vertex.point, vertex.zero.copy()
    for _ in range(basis.shape[1]):
        fixed = np.vstack([basis[zero], anchor])
        _, sizes, directions = np.linalg.svd(fixed)
        rank = int(np.count_nonzero(sizes > 1e-10 * sizes[0]))
        if rank == basis.shape[1]:
            break
        direction = directions[rank]
        values, changes = basis @ point, basis @ direction
        moving = ~zero & (np.abs(changes) > 1e-12)
        if not moving.any():
            break
        reach = np.full(len(values), np.inf)
        reach[moving] = -values[moving] / changes[moving]
        first = int(np.argmin(np.abs(reach)))
        point = point + reach[first] * direction
        zero |= np.abs(basis @ point) <= 1e-12 * np.abs(values).max()
        zero[first] = True
    return point / np.linalg.norm(point)
