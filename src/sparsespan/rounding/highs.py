"""The rounding program by SciPy's HiGHS on the dual: slower, and the judge where the interior point fails."""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from ..errors import RoundingFailed

__all__ = ["dual_simplex"]


def dual_simplex(basis: FloatArray, anchor: FloatArray) -> tuple[FloatArray, FloatArray]:
    """
    Solve max t s.t. Yᵀu = t·r, |u| ≤ 1; the multipliers of its equations are the primal point.

    Returns
    -------
    point : ndarray, shape (n,)
        With ⟨r, q⟩ = 1.
    dual : ndarray, shape (p,)
    """
    from scipy.optimize import linprog

    size, dim = basis.shape
    cost = np.zeros(size + 1)
    cost[-1] = -1.0
    equations = np.hstack([basis.T, -anchor[:, None]])
    bounds = [(-1.0, 1.0)] * size + [(0.0, None)]
    answer = linprog(cost, A_eq=equations, b_eq=np.zeros(dim), bounds=bounds, method="highs-ds")
    if not answer.success:
        msg = f"the rounding program of {size} x {dim} must have a solution; HiGHS says: {answer.message}"
        raise RoundingFailed(msg)
    point, dual = -np.asarray(answer.eqlin.marginals), np.asarray(answer.x)[:-1]
    return point / float(anchor @ point), dual
