"""Row trimming: the concentration step of least trimmed squares, a local search on the number of zeros."""

from __future__ import annotations

import math

import numpy as np

from ..arrays import FloatArray
from ..subspace import Subspace
from ..watch import Watch
from .vertex import Vertex, settle

__all__ = ["trim"]

_SHARE = 1.5  # rows kept, in multiples of n: more than n, so that only a sparse vector annihilates them all


def trim(
    subspace: Subspace, point: FloatArray, count: int | None = None, max_iter: int = 4, watch: Watch | None = None
) -> Vertex | None:
    """
    Replace q by the vector that is smallest on the ``count`` rows where Yq is smallest now, until they vanish.

    If these rows are among the zeros of a sparse vector, one step gives it exactly, however far q was.

    Parameters
    ----------
    subspace : Subspace
    point : ndarray, shape (n,)
        Unit vector.
    count : int or None
        Rows kept, at least n; by default 1.5 n, but never more than half of what p has beyond n.
    max_iter : int
        Most steps.
    watch : Watch or None
        Looked at between steps.

    Returns
    -------
    Vertex or None
        A vertex with at least n zeros that are no accident, if the search ends at one.
    """
    dim = subspace.dim
    usual = min(math.ceil(_SHARE * dim), (dim + subspace.size) // 2)
    kept = min(usual if count is None else count, subspace.size)
    for _ in range(max_iter):
        sizes = np.abs(subspace.vectors(point)) * subspace.inverse_norms
        sizes[subspace.null_rows] = np.inf
        rows = subspace.take(np.argpartition(sizes, kept - 1)[:kept])
        try:
            # One step of inverse iteration from q on the Gram matrix of the rows; exact if they have a null vector.
            moved = np.linalg.solve(rows.T @ rows + np.outer(point, point), point)
        except np.linalg.LinAlgError:  # the rows leave a plane free: they say nothing
            return None
        point = np.asarray(moved / math.sqrt(float(moved @ moved)))
        if float(np.abs(rows @ point).max()) < 1e-9:
            vertex = settle(subspace, point)
            return vertex if vertex.sparse else None
        if watch is not None and watch.expired:
            return None
    return None
