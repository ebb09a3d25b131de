"""The inexact augmented Lagrangian of principal component pursuit, in one pass over the rows a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..arrays import FloatArray
    from .shrinkage import Shrinker

__all__ = ["Pursuit"]

_FIRST_PENALTY = 1.25  # over the largest singular value
_LARGEST_PENALTY = 1e7  # over the first penalty
_BLOCK = 1 << 15  # entries of a row block: the few blocks at work stay in the second-level cache


class Pursuit:
    """The augmented Lagrangian on a tall matrix D (p×m), as a single pass over row blocks a step.

    With multiplier Λ, penalty μ and weight w a step is L ← M with singular values shrunk by 1/μ;
    Λ ← Λ + μ(D − L − S); μ grows; S ← S_{w/μ}(D − L + Λ/μ); M ← D − S + Λ/μ. Two identities save room and
    work: after its update Λ = μ(M − L), and M = L + clip(D − L + Λ/μ, ±w/μ). So M is the whole state.
    """

    def __init__(self, tall: FloatArray, weight: float, growth: float, shrinker: Shrinker) -> None:
        self.data, self.weight, self.growth, self.shrinker = tall, weight, growth, shrinker
        self.norm = float(np.linalg.norm(tall))
        self.iterations, self.residual = 0, 0.0
        self.mixed, self.sparse = np.zeros_like(tall), np.zeros_like(tall)
        self.left, self.right = np.zeros((tall.shape[0], 0)), np.zeros((0, tall.shape[1]))
        if self.norm > 0:
            self._start(shrinker.largest(tall))

    def _start(self, top: float) -> None:
        self.penalty = _FIRST_PENALTY / top
        self.limit = _LARGEST_PENALTY * self.penalty
        self.mixed[:] = self.data / (self.penalty * max(top, float(np.abs(self.data).max()) / self.weight))
        self.residual = self._pass(self.penalty)

    def until(self, tol: float, max_iter: int, progress: Callable[[int, float], None] | None) -> None:
        """Step until the residual is below `tol` or `max_iter` steps are done."""
        while self.norm > 0 and self.iterations < max_iter:
            found = self.shrinker(self.mixed, 1.0 / self.penalty)
            self.left = self.mixed @ found.vectors
            self.right = (1.0 - 1.0 / (self.penalty * found.values))[:, None] * found.vectors.T
            self.residual = self._pass(min(self.penalty * self.growth, self.limit))
            self.iterations += 1
            if progress is not None:
                progress(self.iterations, self.residual)
            if self.residual < tol:
                return

    def _pass(self, penalty: float) -> float:
        """Update S and M in place for the new penalty, row block by row block; return the residual."""
        ratio, bound = self.penalty / penalty, self.weight / penalty
        rows, square = max(1, _BLOCK // self.data.shape[1]), 0.0
        for first in range(0, len(self.data), rows):
            block = slice(first, first + rows)
            low = self.left[block] @ self.right
            scaled = self.mixed[block] - low
            scaled *= ratio  # Λ/μ
            total = self.data[block] - low
            total += scaled
            clipped = np.clip(total, -bound, bound)
            np.subtract(total, clipped, out=self.sparse[block])
            np.add(low, clipped, out=self.mixed[block])
            clipped -= scaled  # D − L − S
            square += float(np.vdot(clipped, clipped))
        self.penalty = penalty
        return float(np.sqrt(square)) / self.norm

    def factors(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """L as (U, s, Vt)."""
        orthonormal, triangle = np.linalg.qr(self.left)
        turn, values, rows = np.linalg.svd(triangle @ self.right, full_matrices=False)
        return orthonormal @ turn[:, : len(triangle)], values[: len(triangle)], rows[: len(triangle)]
