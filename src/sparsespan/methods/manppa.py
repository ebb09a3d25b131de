"""Manifold proximal point: a proximal step in the tangent space, by a semismooth Newton augmented Lagrangian."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from ..checks import at_least, positive
from ..rounding import Vertex, land
from ..subspace import Subspace
from ..watch import Watch
from .base import Problem
from .local import Local
from .registry import register

__all__ = ["ManPPA", "descend_proximally"]

_PENALTY = 3000.0  # first σ, times t; it grows threefold every fourth multiplier step
_GROWTH, _EVERY = 3.0, 4
_MULTIPLIER_STEPS, _NEWTON_STEPS = 40, 30
_INNER = 1e-12  # of the gradient of a subproblem, and of the mismatch of Yx and its copy z
_LOOSE = 1e-6  # of the mismatch, relative to the square of the step: enough for quadratic convergence
_SHORT = 1e-6  # a step this short leaves an error of its square: the polish does the rest
_HALVINGS = 30
_ARMIJO = 1e-4
_ROUNDING = 1e-15  # relative size of a difference of objectives that says nothing
_SUFFICIENT = 1e-2  # part of the decrease ‖d‖²/2t, which the plane promises, that the sphere must keep


@dataclass(slots=True)
class _Step:
    """
    The subproblem min_d ½‖d‖² + t‖Y(q + d)‖₁ s.t. qᵀd = 0 with its current d and multiplier λ.

    Its augmented Lagrangian with the copy z = Y(q + d) eliminated is ½‖d‖² + (1/σ)·Σ h(σ(Y(q+d))_i + λ_i), h the
    Huber function with knee t; the gradient is d + Yᵀclip(σY(q + d) + λ, ±t).
    """

    subspace: Subspace
    point: FloatArray
    values: FloatArray
    weight: float
    move: FloatArray
    multiplier: FloatArray

    def _shift(self, changes: FloatArray, penalty: float) -> tuple[FloatArray, FloatArray]:
        """σY(q + d) + λ for changes Yd, and its part within ±t."""
        shifted = penalty * (self.values + changes) + self.multiplier
        return shifted, np.clip(shifted, -self.weight, self.weight)

    def _value(self, move: FloatArray, changes: FloatArray, penalty: float) -> float:
        shifted, clipped = self._shift(changes, penalty)
        return 0.5 * float(move @ move) + float(clipped @ (shifted - 0.5 * clipped)) / penalty

    def _newton(self, penalty: float) -> FloatArray:
        """Minimise over d by semismooth Newton steps; the clipped multiplier at the minimiser."""
        for _ in range(_NEWTON_STEPS):
            changes = self.subspace.vectors(self.move)
            shifted, clipped = self._shift(changes, penalty)
            slope = self.move + self.subspace.adjoint(clipped)
            slope -= self.point * float(self.point @ slope)
            if np.linalg.norm(slope) <= _INNER:
                return clipped
            inside = self.subspace.take(np.flatnonzero(np.abs(shifted) < self.weight))  # few: the entries near zero
            curvature = penalty * (inside.T @ inside)
            curvature.flat[:: len(curvature) + 1] += 1.0
            both = np.linalg.solve(curvature, np.column_stack([slope, self.point]))
            direction = both[:, 1] * float(self.point @ both[:, 0]) / float(self.point @ both[:, 1]) - both[:, 0]
            if not self._search(direction, float(slope @ direction), changes, penalty):
                break
        return self._shift(self.subspace.vectors(self.move), penalty)[1]

    def _search(self, direction: FloatArray, rate: float, changes: FloatArray, penalty: float) -> bool:
        """Armijo backtracking; false where rounding hides every decrease."""
        before, along = self._value(self.move, changes, penalty), self.subspace.vectors(direction)
        length, slack = 1.0, _ROUNDING * abs(before)
        for _ in range(_HALVINGS):
            trial = self.move + length * direction
            if self._value(trial, changes + length * along, penalty) <= before + _ARMIJO * length * rate + slack:
                self.move = trial
                return True
            length *= 0.5
        return False

    def solve(self) -> FloatArray:
        """Raise the penalty until Y(q + d) and its copy agree; the tangent step d."""
        penalty = _PENALTY * self.weight
        for count in range(1, _MULTIPLIER_STEPS + 1):
            clipped = self._newton(penalty)
            mismatch = float(np.linalg.norm(clipped - self.multiplier)) / penalty
            self.multiplier = clipped
            if mismatch <= max(_INNER, _LOOSE * float(self.move @ self.move)):
                break
            if count % _EVERY == 0:
                penalty *= _GROWTH
        return self.move


def descend_proximally(
    subspace: Subspace, point: FloatArray, weight: float, max_iter: int, watch: Watch
) -> tuple[FloatArray, int]:
    """
    Follow proximal steps on the sphere until they no longer lower ‖Yq‖₁.

    Parameters
    ----------
    subspace : Subspace
    point : ndarray, shape (n,)
        Unit start.
    weight : float
        t, the length of a proximal step.
    max_iter : int
    watch : Watch

    Returns
    -------
    point : ndarray, shape (n,)
    steps : int
    """
    multiplier = np.zeros(subspace.size)
    values = subspace.vectors(point)
    objective = float(np.abs(values).sum())
    for step in range(1, max_iter + 1):
        inner = _Step(subspace, point, values, weight, np.zeros_like(point), multiplier)
        move = inner.solve()
        multiplier, square = inner.multiplier, float(move @ move)
        length = 1.0
        for _ in range(_HALVINGS):
            moved = (point + length * move) / np.linalg.norm(point + length * move)
            trial = subspace.vectors(moved)
            reached = float(np.abs(trial).sum())
            if reached <= objective - _SUFFICIENT * length * square / (2.0 * weight):
                break
            length *= 0.5
        else:
            return point, step
        point, values, objective = moved, trial, reached
        if square <= _SHORT**2 or watch.expired:
            return point, step
    return point, max_iter


@register
@dataclass(frozen=True)
class ManPPA(Local):
    """
    Manifold proximal point algorithm; quadratic convergence also where the data are badly conditioned.

    Attributes
    ----------
    starts, first
        See `Local`.
    weight : float
        t of the subproblem ½‖x − q‖² + t‖Yx‖₁.
    max_iter : int
        Most proximal steps from a start.
    """

    name: ClassVar[str] = "manppa"
    reference: ClassVar[str] = "Chen, Deng, Ma, So 2020 (ManPPA)"
    guarantee: ClassVar[str] = "quadratic convergence to a sharp local minimum"
    cost: ClassVar[str] = "about 10 steps a start, each some dozens of weighted 2pn^2 products"

    weight: float = 0.1
    max_iter: int = 50

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("weight", self.weight)
        at_least("max_iter", self.max_iter, 1)

    def reach(self, problem: Problem, point: FloatArray) -> Vertex:
        """Follow proximal steps, then make the zeros exact."""
        limit, steps = descend_proximally(problem.subspace, point, self.weight, self.max_iter, problem.watch)
        vertex = land(problem.subspace, limit)
        return vertex.named("", steps + vertex.steps)
