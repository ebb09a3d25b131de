"""The semidefinite relaxation min ‖YQYᵀ‖₁, Q ⪰ 0, tr Q = 1, in its n×n variable; no p×p matrix is ever held."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from ..subspace import Subspace
from ..watch import Watch

__all__ = ["Relaxation", "phases", "spectraplex", "sweep"]

_SIDE = 256  # of a square block of YQYᵀ: half a megabyte
_FIRST_WIDTH, _NARROWER = 1.0, 0.3  # μ·p of the first phase, and its factor from phase to phase
_SHARE = 0.3  # a phase ends when what is left to gain is this part of what smoothing itself hides
_PHASES = 24


@dataclass(frozen=True, slots=True, eq=False)
class Relaxation:
    """
    A nearly optimal point of the relaxation with what is proved about its value.

    Attributes
    ----------
    lifted : ndarray, shape (n, n)
        Q ⪰ 0 of unit trace.
    value : float
        ‖YQYᵀ‖₁, an upper bound on the optimum.
    bound : float
        Lower bound: λ_min(YᵀUY) for some U (p×p) with |U| ≤ 1.
    steps : int
        Sweeps over YQYᵀ.
    """

    lifted: FloatArray
    value: float
    bound: float
    steps: int

    @property
    def direction(self) -> FloatArray:
        """Top eigenvector of Q, shape (n,)."""
        return np.ascontiguousarray(np.linalg.eigh(self.lifted)[1][:, -1])


def sweep(basis: FloatArray, lifted: FloatArray, width: float) -> tuple[FloatArray, float]:
    """
    Pass over the upper blocks of X = YQYᵀ.

    Parameters
    ----------
    basis : ndarray, shape (p, n)
    lifted : ndarray, shape (n, n)
        Q, symmetric.
    width : float
        μ.

    Returns
    -------
    slope : ndarray, shape (n, n)
        Yᵀ clip(X/μ, ±1) Y, the gradient of the Huber form of ‖X‖₁.
    norm : float
        ‖X‖₁.
    """
    size, dim = basis.shape
    slope, norm = np.zeros((dim, dim)), 0.0
    for top in range(0, size, _SIDE):
        rows = basis[top : top + _SIDE]
        left = rows @ lifted
        for start in range(top, size, _SIDE):
            columns = basis[start : start + _SIDE]
            values = left @ columns.T
            times = 1.0 if start == top else 2.0  # blocks below the diagonal are mirror images
            norm += times * float(np.abs(values).sum())
            np.clip(values, -width, width, out=values)
            slope += (times / width) * (rows.T @ (values @ columns))
    return 0.5 * (slope + slope.T), norm


def spectraplex(matrix: FloatArray) -> FloatArray:
    """Project a symmetric matrix on {Q ⪰ 0, tr Q = 1}: its eigenvalues on the simplex."""
    values, vectors = np.linalg.eigh(matrix)
    falling = values[::-1]
    levels = (np.cumsum(falling) - 1.0) / np.arange(1, len(values) + 1)
    level = levels[np.flatnonzero(falling > levels)[-1]]
    kept: FloatArray = (vectors * np.maximum(values - level, 0.0)) @ vectors.T
    return kept


@dataclass(slots=True)
class _Phase:
    """Accelerated alternating directions at one width: Q ← proj Yᵀ S_μ(YPYᵀ) Y, with P running ahead of Q."""

    basis: FloatArray
    width: float
    lifted: FloatArray
    bound: float
    steps: int = 0

    def run(self, most: int, watch: Watch) -> None:
        ahead, pace = self.lifted, 1.0
        while self.steps < most and not watch.expired:
            slope, norm = sweep(self.basis, ahead, self.width)
            self.steps += 1
            least, gained = float(np.linalg.eigvalsh(slope)[0]), float(np.vdot(slope, ahead))
            self.bound = max(self.bound, least)
            moved = spectraplex(ahead - self.width * slope)
            change = moved - self.lifted
            if float(np.vdot(ahead - moved, change)) > 0:  # past the minimum: start the acceleration anew
                pace = 1.0
            quicker = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * pace * pace))
            ahead, pace = moved + ((pace - 1.0) / quicker) * change, quicker
            self.lifted = moved
            if gained - least <= _SHARE * (norm - gained):
                return


def phases(subspace: Subspace, max_iter: int, watch: Watch) -> Iterator[Relaxation]:
    """
    Solve the relaxation for a sequence of falling widths μ, each phase starting where the last ended.

    The alternating directions of the paper's Algorithm 1 lifted to matrices: X ← S_μ(YQYᵀ), Q ← the nearest
    matrix of unit trace to YᵀXY, accelerated. Without multipliers, because these would be p×p.

    Parameters
    ----------
    subspace : Subspace
        With its rows in memory.
    max_iter : int
        Most passes over YQYᵀ, each 2p²n flops.
    watch : Watch

    Yields
    ------
    Relaxation
        The end of each phase, with the best bound so far.
    """
    basis = subspace.dense("the semidefinite relaxation")
    lifted, bound, steps = np.eye(subspace.dim) / subspace.dim, -math.inf, 0
    for number in range(_PHASES):
        phase = _Phase(basis, _FIRST_WIDTH * _NARROWER**number / subspace.size, lifted, bound)
        phase.run(max_iter - steps, watch)
        _, norm = sweep(basis, phase.lifted, phase.width)
        lifted, bound, steps = phase.lifted, phase.bound, steps + phase.steps + 1
        yield Relaxation(lifted, norm, bound, steps)
        if steps >= max_iter or watch.expired:
            return
