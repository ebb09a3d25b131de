"""Riemannian trust region on the sphere for a smoothed ℓ¹ norm, with truncated conjugate gradients."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from ..checks import at_least, positive
from ..rounding import Vertex, round_to_vertex
from ..starts import Mix, Random, Rows, Spectral, Starts
from ..subspace import Subspace
from ..watch import Watch
from .base import Problem
from .local import Local
from .registry import register

__all__ = ["Smooth", "TrustRegion", "climb_down", "steihaug"]

_WIDEST = math.pi  # of the region: half-way round the sphere
_ACCEPT, _SHRINK, _GROW = 0.1, 0.25, 0.75
_NOISE = 1e3 * float(np.finfo(float).eps)  # relative size of differences of the objective that are all rounding


@dataclass(frozen=True, slots=True, eq=False)
class Smooth:
    """
    Σ μ·log cosh(y_iᵀq/μ) at a point of the sphere: value, Riemannian gradient, Riemannian Hessian.

    Attributes
    ----------
    subspace : Subspace
    point : ndarray, shape (n,)
    width : float
        μ.
    value : float
    slope : ndarray, shape (n,)
        Gradient in the tangent space.
    bend : ndarray, shape (p,)
        Second derivatives of the summands.
    radial : float
        ⟨q, Euclidean gradient⟩, which the curvature of the sphere takes off the Hessian.
    """

    subspace: Subspace
    point: FloatArray
    width: float
    value: float
    slope: FloatArray
    bend: FloatArray
    radial: float

    @classmethod
    def at(cls, subspace: Subspace, point: FloatArray, width: float) -> Smooth:
        """Evaluate at a unit point."""
        sizes = np.abs(subspace.vectors(point)) / width
        decay = np.exp(-2.0 * sizes)
        value = width * float((sizes + np.log1p(decay)).sum() - len(sizes) * math.log(2.0))
        tangents = np.copysign((1.0 - decay) / (1.0 + decay), subspace.vectors(point))
        gradient = subspace.adjoint(tangents)
        radial = float(point @ gradient)
        return cls(subspace, point, width, value, gradient - radial * point, (1.0 - tangents**2) / width, radial)

    def hessian(self, tangent: FloatArray) -> FloatArray:
        """Apply the Riemannian Hessian to a tangent vector."""
        bent = self.subspace.adjoint(self.bend * self.subspace.vectors(tangent))
        return bent - self.point * float(self.point @ bent) - self.radial * tangent


def steihaug(model: Smooth, radius: float, max_iter: int) -> tuple[FloatArray, FloatArray]:
    """
    Truncated conjugate gradients on the quadratic model within ‖s‖ ≤ radius.

    Returns
    -------
    step : ndarray, shape (n,)
        s, tangent.
    image : ndarray, shape (n,)
        Hessian·s.
    """
    step, image = np.zeros_like(model.point), np.zeros_like(model.point)
    residual, direction = model.slope, -model.slope
    square = first = float(residual @ residual)
    goal = math.sqrt(first) * min(math.sqrt(first), 0.1)  # superlinear: the residual falls with the gradient
    for _ in range(max_iter):
        bent = model.hessian(direction)
        curvature = float(direction @ bent)
        length = square / curvature if curvature > 0 else math.inf
        if curvature <= 0 or np.linalg.norm(step + length * direction) >= radius:
            length = _to_border(step, direction, radius)
            return step + length * direction, image + length * bent
        step, image = step + length * direction, image + length * bent
        residual = residual + length * bent
        before, square = square, float(residual @ residual)
        if math.sqrt(square) <= goal:
            break
        direction = -residual + (square / before) * direction
        direction -= model.point * float(model.point @ direction)
    return step, image


def _to_border(step: FloatArray, direction: FloatArray, radius: float) -> float:
    """Length τ ≥ 0 at which ‖s + τd‖ = radius."""
    square, along = float(direction @ direction), float(step @ direction)
    room = radius**2 - float(step @ step)
    return (math.sqrt(along**2 + square * room) - along) / square


def climb_down(
    subspace: Subspace, point: FloatArray, width: float, tol: float, max_iter: int, watch: Watch
) -> tuple[Smooth, int]:
    """
    Minimise the smoothed ℓ¹ norm on the sphere to a second-order point.

    Parameters
    ----------
    subspace : Subspace
    point : ndarray, shape (n,)
        Unit start.
    width : float
        μ, absolute.
    tol : float
        End when the Riemannian gradient is no longer than tol·√p: ‖Yᵀu‖ ≤ √p for |u| ≤ 1.
    max_iter : int
        Most outer steps.
    watch : Watch

    Returns
    -------
    model : Smooth
        At the last point.
    steps : int
    """
    model, radius = Smooth.at(subspace, point, width), _WIDEST / 8.0
    goal = tol * math.sqrt(subspace.size)
    for step in range(max_iter):
        if np.linalg.norm(model.slope) <= goal or watch.expired:
            return model, step
        move, image = steihaug(model, radius, 4 * subspace.dim)
        promised = -float(model.slope @ move) - 0.5 * float(move @ image)
        moved = model.point + move
        trial = Smooth.at(subspace, moved / np.linalg.norm(moved), width)
        slack = _NOISE * max(1.0, abs(model.value))  # near the end both decreases drown in rounding
        ratio = (model.value - trial.value + slack) / (promised + slack)
        if ratio < _SHRINK:
            radius *= 0.25
        elif ratio > _GROW and np.linalg.norm(move) >= 0.99 * radius:
            radius = min(2.0 * radius, _WIDEST)
        if ratio > _ACCEPT:
            model = trial
    return model, max_iter


@register
@dataclass(frozen=True)
class TrustRegion(Local):
    """
    Sun, Qu and Wright's trust region for Σ μ log cosh(y_iᵀq/μ), then a linear program anchored at its end.

    Attributes
    ----------
    starts, first
        See `Local`; by default both spectral ends, 8 rows and 8 random points.
    width : float
        μ·√p: entries of a vector of unit norm are near 1/√p.
    tol : float
        End when the gradient is no longer than tol·√p.
    max_iter : int
        Most outer steps from a start.
    """

    name: ClassVar[str] = "trust-region"
    reference: ClassVar[str] = "Sun, Qu, Wright 2017; Absil, Baker, Gallivan 2007"
    guarantee: ClassVar[str] = "complete dictionaries, theta below 1/2, p >= C n^3 / theta"
    cost: ClassVar[str] = "8pn flops a conjugate-gradient step, some hundreds a start, then a linear program"

    starts: Starts = Mix((Spectral(), Rows(most=8), Random(8)))
    width: float = 0.5
    tol: float = 1e-8
    max_iter: int = 300

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("width", self.width)
        positive("tol", self.tol)
        at_least("max_iter", self.max_iter, 1)

    def reach(self, problem: Problem, point: FloatArray) -> Vertex:
        """Minimise, then round."""
        subspace = problem.subspace
        width = self.width / math.sqrt(subspace.size)
        model, steps = climb_down(subspace, point, width, self.tol, self.max_iter, problem.watch)
        return round_to_vertex(subspace, model.point).named("", steps)
