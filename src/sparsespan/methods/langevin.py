"""Thermal motion on the sphere: the search for vectors that are behind a barrier for every descent."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from ..checks import at_least, positive
from ..rounding import Vertex, trim
from ..starts import Cloud, Starts, as_starts
from .alternating import Limits, merge
from .annealing import anneal, smooth_zeros
from .base import Method, Problem
from .harvest import harvest
from .hopping import tighten
from .registry import register

__all__ = ["Langevin"]

_STEP = 0.03  # of time; a thermal point moves by about _STEP·√n
_FRICTION = 0.1  # share of the speed that is forgotten in a step: it decides how soon, not where
_STARTS = Cloud(128)
_LADDER = (0.6, 1.2)  # depths of the chains, beside `depth`
_EXCHANGE, _RUNGS = 8, 8  # steps between exchanges, and how many of their distances make the ladder
_LOOK, _TOP = 64, 8  # steps between looks at the chains with most small entries, and how many are looked at
_FINE = np.geomspace(0.3, 0.02, 24)  # widths by which what is looked at is cooled


@register
@dataclass(frozen=True)
class Langevin(Method):
    """
    Sample from the density ∝ exp(D·Σ_i (1 + p·z_i²/8w²)⁻³), z = Yq, on the sphere by Langevin dynamics.

    Where a sparse vector is one narrow valley among very many, no descent from a random start finds it. Thermal motion
    at a temperature at which the other valleys do not hold it wanders over the whole sphere, and from time to time
    over the barrier around the sparse vector, where it stays. How long that takes is known beforehand:
    `sparsespan.theory.search_barrier`.

    Many chains move at once, in single precision, each at a depth of its own; they exchange their places as
    Metropolis has it, so that none stays caught. From time to time those with most small entries are cooled and
    trimmed.

    Attributes
    ----------
    starts : Starts, str, sequence or array
        Initial points, one chain from each; 128 of the leading spectral spaces by default.
    depth : float
        D, the depth of the well of one entry at the temperature 1; the chains have .6 to 1.2 times as much. Too
        shallow, and the sparse vector does not hold the motion; too deep, and all the other valleys do.
    width : float
        w, the width of the well, in units of 1/√p.
    steps : int
        How many steps each chain makes, at most.
    few : int
        How many of the last points are finished when none became exactly sparse.
    first : bool
        End with the first vector that has n exact zeros or more.
    """

    name: ClassVar[str] = "langevin"
    reference: ClassVar[str] = "Franz, Parisi 1995 (the barrier); this package"
    guarantee: ClassVar[str] = "what its certificate says"
    cost: ClassVar[str] = "4pn flops a step and chain; steps as exp(barrier)"

    starts: Starts = _STARTS
    depth: float = 2.9
    width: float = 0.38
    steps: int = 4096
    few: int = 4
    first: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", as_starts(self.starts))
        positive("depth", self.depth)
        positive("width", self.width)
        at_least("steps", self.steps, 1)
        at_least("few", self.few, 1)

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Move all chains and look at the best of them from time to time; finish the last points."""
        chains = _Chains(problem, self)
        total = self.steps if problem.subspace.dim > 1 else 0  # the sphere of one dimension is two points
        for begun in range(0, total, _LOOK):
            problem.watch.tell(begun / total, f"thermal step {begun} of {total}")
            for count in range(min(_LOOK, total - begun)):
                chains.move()
                if count % _EXCHANGE == 0:
                    chains.exchange()
            vertex = _look(problem, chains)
            if vertex is not None:
                yield vertex.named("thermal", begun + _LOOK + vertex.steps)
                if self.first and problem.shelf.sparse:
                    return
            if problem.watch.expired:
                break
        yield from harvest(problem, _cooled(problem, chains, self.few), self.few)


class _Chains:
    """
    Points q on the sphere and their velocities, tangent to it.

    A step kicks the velocities by the slope, lets them forget a little and receive as much noise, and moves along the
    great circle; at temperature 1 each coordinate of a velocity has variance 1.
    """

    def __init__(self, problem: Problem, method: Langevin) -> None:
        self._rows, self._rng = problem.subspace.single, problem.rng
        dtype, precision = self._rows.dtype, problem.subspace.size / method.width**2
        self.points = method.starts.points(problem.subspace, self._rng).points.astype(dtype)
        self._depths = method.depth * np.linspace(*_LADDER, self.points.shape[1])
        steps = _STEP / np.sqrt(self._depths)  # deep wells are stiff
        self._rate, self._kicks = precision / 8.0, (0.75 * precision * self._depths * steps).astype(dtype)
        self._kept, self._noise = dtype.type(1.0 - _FRICTION), dtype.type(math.sqrt(1.0 - (1.0 - _FRICTION) ** 2))
        self._times = steps.astype(dtype)
        self._speeds = self._draw()
        self.wells = np.zeros(self.points.shape[1])

    def _draw(self) -> FloatArray:
        return self._rng.standard_normal(self.points.shape, dtype=np.float32).astype(self.points.dtype, copy=False)

    def move(self) -> None:
        """One step of all chains; `wells` then says about how many small entries each had before it."""
        sums = self._rows.attract(self.points, self._rate)
        points, speeds, self.wells = self.points, self._speeds, sums.mass
        speeds -= self._kicks * sums.adjoint
        speeds *= self._kept
        speeds += self._noise * self._draw()
        speeds -= points * np.einsum("ij,ij->j", points, speeds)
        sizes = np.sqrt(np.einsum("ij,ij->j", speeds, speeds))
        angles = sizes * self._times
        cosines, sines = np.cos(angles), np.sin(angles)
        self.points = points * cosines + speeds * (sines / sizes)
        self._speeds = speeds * cosines - points * (sines * sizes)
        self.points /= np.sqrt(np.einsum("ij,ij->j", self.points, self.points))

    def exchange(self) -> None:
        """
        Let chains that are some rungs apart change places, as Metropolis has it: replica exchange.

        What is caught in a valley at a great depth is set free at a small one, and what is deep there goes down.
        """
        count = len(self._depths)
        apart = int(self._rng.integers(1, max(2, count // _RUNGS)))
        first = np.flatnonzero(np.arange(count) // apart % 2 == self._rng.integers(2))
        first = first[first + apart < count]
        gain = (self._depths[first] - self._depths[first + apart]) * (self.wells[first + apart] - self.wells[first])
        first = first[np.log(self._rng.random(len(first))) < gain]
        order = np.arange(count)
        order[first], order[first + apart] = first + apart, first
        self.points, self._speeds = self.points[:, order], self._speeds[:, order]


def _cooled(problem: Problem, chains: _Chains, count: int) -> Limits:
    """The chains with most small entries, moved to where these are smaller still."""
    best = np.argsort(-chains.wells, kind="stable")[:count]
    points = anneal(problem.subspace.single, chains.points[:, best], _FINE, problem.watch).astype(np.float64)
    points /= np.linalg.norm(points, axis=0)
    return merge(points, [f"chain {i}" for i in best], np.full(len(best), len(_FINE)))


def _look(problem: Problem, chains: _Chains) -> Vertex | None:
    """
    What trimming makes of the one of the cooled chains that has most zeros.

    Where it has as many as an exactly sparse vector, among them may be a few tiny nonzeros, which trimming does not
    forgive; a reweighted descent tells them apart.
    """
    subspace = problem.subspace
    points = _cooled(problem, chains, _TOP).points
    zeros = smooth_zeros(subspace.single, points, _FINE[-1])
    point = np.ascontiguousarray(points[:, np.argmax(zeros)])
    vertex = trim(subspace, point)
    if vertex is None and zeros.max() > subspace.dim + 2.0 * _FINE[-1] * subspace.size:
        vertex = tighten(subspace, point, _FINE[0])[1]
    return vertex
