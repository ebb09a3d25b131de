"""The default: a portfolio, cheapest first, that ends with the first certified vector once no rival shows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from ..checks import positive
from ..denoise import denoise
from ..errors import MissingExtra
from ..rounding import Vertex, descend, finish, settle, trim
from ..selection import Kind, Shelf
from ..starts import Cloud, Mean, Mix, Points, Random, Rows, Spectral, Starts, as_starts
from ..subspace import Subspace
from .alternating import Limits, alternate
from .base import Method, Problem
from .descents import descents
from .exhaustive import Exhaustive, affordable
from .harvest import harvest
from .hopping import Hopping, tighten
from .langevin import Langevin
from .lattice import Lattice
from .offset import Offset
from .registry import register
from .trimming import Trimming

__all__ = ["Auto"]

_QUICK = (4, 8, 12, 24)  # steps before each trial of trimming; easy instances end at the first
_AT_ONCE, _SOON, _LATEST = 24, 64, 128  # dimensions up to which a lattice is reduced in 3 ms, in .1 s, and in 3 s
_TRIMMING = Trimming(starts=Mix((Mean(), Spectral())), shares=(1.5, 1.0), max_iter=15)
_THERMAL, _LONG = "thermal", "long thermal"
_HEAVY = ("offset", "lattice", _THERMAL, "hopping", _LONG)
_PARTS = 10
_CHAINS = 128
_WARM = 256  # thermal steps that are always made: they find what stands behind a low barrier
_NATS, _CROSSINGS = 7.2, 5000.0  # highest barrier that is worth trying, and moves for each e^nats of it
_LONGEST = 2.5e12  # operations of the longest thermal run at n = 100: about half a minute of one core
_OVERHEAD = 8e6  # of a step, in operations
_HOPPING = 3e10  # operations of the hops where n is small: there valleys are few, and the best lie side by side
_STEPS = 100  # of a short batched iteration: it only has to sort the starts, the finish is exact
_DESCENT = 40
_NEAR = 0.3  # first smoothing of a reweighted descent that stays in its valley
_FINISH_STEPS, _FINISH_FLOPS = 60, 1e10  # Newton steps of a finish, and operations for all: a fifth of a second
_FAINT, _GAUSSIAN = 0.05, 1.0  # level of clear noise, of the root mean square of all entries, and its |kurtosis − 3|
_TOL = 1e-4
_RIVALS = 8  # starts that look for a sparser vector after the first is found
_HEAVIER = 1.5  # ratio of its tails to all others from which a vector is alone: about 2 if planted, 1.1 in dictionaries
_STANDS_OUT = 2.0  # gap of an eigenvalue to the next, beside the spread of the others: half the width of their bulk
_RIVAL_L1 = 1.25  # what they reach is worth finishing when its ℓ¹ norm is at most this multiple of the best


@dataclass(slots=True)
class _Batch:
    """A batch of starts under one threshold, in two parts: what is quickly seen, and what its ends are finished to."""

    starts: Starts
    factor: float
    shifted: bool
    few: int
    ends: Limits | None = None

    def look(self, problem: Problem) -> Iterator[Vertex]:
        """
        Short batched iteration and descent in float32; all distinct ends are trimmed.

        A trial of trimming costs a hundredth of a finish, and it is enough near a vector with many zeros.
        """
        points = self.starts.points(problem.subspace, problem.rng)
        limits = _alternate(problem, points, self.factor, self.shifted, _STEPS)
        self.ends = descents(problem.subspace.single, limits, _DESCENT, problem.watch)
        return _trimmed(problem, self.ends)

    def finish(self, problem: Problem) -> Iterator[Vertex]:
        """The ends of smallest ‖Yq‖₁: the few are made sharper, as many as take little time are finished."""
        if self.ends is not None:
            if not problem.shelf.sparse:  # among several exact ones the ℓ¹ finish tells, and costs a fifth
                yield from _sharpened(problem, self.ends, self.few)
            each = _FINISH_STEPS * (
                2.0 * problem.subspace.size * problem.subspace.dim**2 + 10.0 * problem.subspace.dim**3
            )
            yield from harvest(problem, self.ends, max(2, min(self.few, int(_FINISH_FLOPS / each))))


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the portfolio; light ones are always run, the others for the sake of a certificate only."""

    name: str
    run: Callable[[Problem], Iterator[Vertex]]
    light: bool = False

    def carry_out(self, problem: Problem, whole: bool) -> Iterator[Vertex]:
        """Run the part to the first certified vector, or the whole of it, and note what came of it."""
        shelf, before = problem.shelf, len(problem.shelf)
        for vertex in self.run(problem):
            yield replace(vertex, stage=self.name)
            if shelf.settled and not whole:
                break
        shelf.tried.append(f"{self.name}: {len(shelf) - before} new, {shelf.kind.name.lower()}")


@register
@dataclass(frozen=True)
class Auto(Method):
    """
    A portfolio, cheapest part first, that ends with the first certified vector.

    Of a subspace with few vertices all are tried instead.

    Descents from the spectral ends and the mean; row trimming; short batches from rows and random points; lattice
    reduction for whole-number targets (with the extra ``lattice``); thermal motion over the barriers that no
    descent crosses.
    As soon as a vector with n exact zeros is certified, a few more starts look for a rival. Where they find none the
    search ends; where they do (several sparse vectors, as in a dictionary) all light parts are run and the sparsest
    vector wins. A vector that is sparse but for noise ends the search at once where its tails are by far the heaviest,
    else after the light parts.

    Attributes
    ----------
    starts : Starts, str, sequence, array or None
        Tried before anything else.
    effort : float
        Share of the last part, whose full size takes seconds at n = 20 and half a minute at n = 100 when nothing is
        found; 0 leaves out all that is not light.
    """

    name: ClassVar[str] = "auto"
    reference: ClassVar[str] = "this package"
    guarantee: ClassVar[str] = "what its certificate says"
    cost: ClassVar[str] = "milliseconds when the first part succeeds, seconds when none does"

    starts: Starts | None = None
    effort: float = 1.0

    def __post_init__(self) -> None:
        if self.starts is not None:
            object.__setattr__(self, "starts", as_starts(self.starts))
        if self.effort != 0:
            positive("effort", self.effort, "0 leaves out the last parts.")

    def light(self) -> Auto:
        """Without the parts that are run for the sake of a certificate only."""
        return replace(self, effort=0.0)

    def is_light(self, stage: str) -> bool:
        """Whether a vertex comes from a part that is always run."""
        return stage not in _HEAVY

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Run part after part until one ends with a certified vector."""
        live = np.flatnonzero(~problem.subspace.null_rows)
        if live.size == problem.subspace.dim:
            return iter([_coordinate(problem.subspace, int(live[0]))])
        if affordable(problem.subspace):
            return Exhaustive().search(problem)
        return self._portfolio(problem)

    def _portfolio(self, problem: Problem) -> Iterator[Vertex]:
        shelf, crowded = problem.shelf, False
        for number, part in enumerate(self._parts(problem.subspace)):
            rng = problem.rng.spawn(1)[0] if number else problem.rng  # spawned for parts that are left out, too
            if not part.light and (crowded or self._is_idle(shelf)):
                continue
            if len(shelf) and problem.watch.expired:
                break
            # The long part may take ten times as long as all others: half of the progress is its own.
            watch = problem.watch.part(1, 2) if part.name == _LONG else problem.watch.part(number, 2 * _PARTS)
            yield from part.carry_out(replace(problem, rng=rng, watch=watch), crowded)
            if shelf.sparse and not crowded:
                yield from _rivals(problem)
                crowded = shelf.sparse > 1
            if not crowded and _settled(problem):
                break

    def _is_idle(self, shelf: Shelf) -> bool:
        """Whether there is no certificate to be had, or none asked for."""
        return self.effort == 0 or shelf.kind == Kind.NOISY

    def _parts(self, subspace: Subspace) -> Iterator[_Part]:
        """The parts in order; what comes after the first is made when it is asked for, which is seldom."""
        yield _Part("start", self._singles, light=True)
        size = min(256, max(32, 2 * subspace.dim))
        starts = Mix((Rows(most=size), Random(size)))
        patience = partial(_long_thermal, effort=self.effort)
        first, second = _Batch(starts, 1.0, True, 12), _Batch(starts, 0.3, False, 24)
        parts = [
            _Part("trimming", _TRIMMING.exact, light=True),
            _Part("offset", Offset().exact),
            _Part(_THERMAL, Langevin(Cloud(_CHAINS), steps=_WARM, few=1).search),
            _Part("batch", first.look, light=True),
            _Part("finish", first.finish, light=True),
            _Part("small threshold", second.look, light=True),
            _Part("second finish", second.finish, light=True),
            _Part(_LONG, patience),
        ]
        place = 2 if subspace.dim <= _AT_ONCE else 3 if subspace.dim <= _SOON else 7
        parts.insert(place, _Part("lattice", _lattice))
        if subspace.dim <= _AT_ONCE:
            parts.insert(-1, _Part("hopping", Hopping(flops=_HOPPING * (self.effort or 1.0)).search))
        yield from parts

    def _singles(self, problem: Problem) -> Iterator[Vertex]:
        """
        Quick descents from the few informed starts to the first exactly sparse end.

        Where there is none, the ends that look sparse behind noise are finished; no other end counts yet.
        """
        ends: list[tuple[str, FloatArray]] = []
        for label, point in self._informed(problem):
            problem.watch.tell(0.0, f"from {label}")
            end, vertex = _quick(problem, point)
            if vertex is not None:
                yield vertex.named(label, vertex.steps)
                return
            ends.append((label, end))
        for label, end in ends:
            if denoise(problem.subspace, problem.subspace.vectors(end)) is not None:
                vertex = finish(problem.subspace, end)
                sharper = None if vertex.sparse else tighten(problem.subspace, vertex.point, 1.0)[1]
                yield (sharper or vertex).named(label, sum(_QUICK) + vertex.steps)

    def _informed(self, problem: Problem) -> Iterator[tuple[str, FloatArray]]:
        """
        Given starts, spectral ends and the mean, smallest ‖Yq‖₁ first.

        An eigenvector whose value stands out is almost surely near a sparse vector: it comes before others are made.
        """
        clear = self.starts is None and _stands_out(problem.subspace, 1)
        if clear:
            yield "spectral upper", np.ascontiguousarray(problem.subspace.tail_top[1][:, -1])
        kinds: tuple[Starts, ...] = (Spectral(), Mean())
        points = Mix(kinds if self.starts is None else (self.starts, *kinds)).points(problem.subspace, problem.rng)
        for index in np.argsort(_l1(problem, points.points), kind="stable"):
            if not (clear and points.labels[index] == "spectral upper"):
                yield points.labels[index], np.ascontiguousarray(points.points[:, index])


def _coordinate(subspace: Subspace, row: int) -> Vertex:
    """The coordinate vector of a row, where S has as many dimensions as rows that are not zero: it holds them all."""
    point = subspace.take(np.array([row]))[0]
    return settle(subspace, point / np.linalg.norm(point)).named(f"row {row}", 1)


def _quick(problem: Problem, point: FloatArray) -> tuple[FloatArray, Vertex | None]:
    """A few subgradient steps, then a trial of trimming, which is exact once most small rows are true zeros."""
    total = 0
    for budget in _QUICK:
        point, steps = descend(problem.subspace, point, budget)
        total += steps
        vertex = trim(problem.subspace, point)
        if vertex is not None:
            return point, vertex.named("", total)
        if steps < budget or problem.watch.expired:
            break
    return point, None


def _trimmed(problem: Problem, limits: Limits) -> Iterator[Vertex]:
    """What trimming makes of each limit, where that is exactly sparse."""
    for index, label in enumerate(limits.labels):
        if problem.watch.expired:
            return
        vertex = trim(problem.subspace, np.ascontiguousarray(limits.points[:, index]))
        if vertex is not None:
            yield vertex.named(label, int(limits.steps[index]) + vertex.steps, int(limits.multiplicity[index]))


def _sharpened(problem: Problem, limits: Limits, most: int) -> Iterator[Vertex]:
    """What a reweighted descent makes of the first limits, where that is exactly sparse."""
    for index, label in enumerate(limits.labels[:most]):
        if problem.watch.expired:
            return
        _, vertex = tighten(problem.subspace, np.ascontiguousarray(limits.points[:, index]), _NEAR)
        if vertex is not None:
            yield vertex.named(label, int(limits.steps[index]) + vertex.steps, int(limits.multiplicity[index]))


def _lattice(problem: Problem) -> Iterator[Vertex]:
    """Lattice reduction where its dimension and what is installed allow it; says so where they do not."""
    if problem.subspace.dim > _LATEST:
        problem.shelf.tried.append(f"lattice: left out, the dimension is above {_LATEST}")
        return
    try:
        yield from Lattice().exact(problem)
    except MissingExtra as error:
        problem.shelf.tried.append(f"lattice: left out, {error}")


def _long_thermal(problem: Problem, effort: float) -> Iterator[Vertex]:
    """Thermal motion for as long as it takes to cross the highest barrier that can be crossed in a minute."""
    from ..theory import hardest_share, search_barrier  # loads scipy.optimize, which most searches never need

    size, dim = problem.subspace.size, problem.subspace.dim
    barrier, _ = search_barrier(size / dim, max(0.01, hardest_share(size / dim, dim, _NATS)))
    wanted = _CROSSINGS * math.exp(dim * barrier) / _CHAINS
    most = _LONGEST * min(1.0, (dim / 100.0) ** 2) / (4.0 * size * dim * _CHAINS + _OVERHEAD)
    steps = math.ceil(effort * min(wanted, most))
    if steps > _WARM:
        yield from Langevin(Cloud(_CHAINS), steps=steps).search(problem)


def _alternate(problem: Problem, points: Points, factor: float, shifted: bool, steps: int) -> Limits:
    threshold = factor / math.sqrt(problem.subspace.size)
    return alternate(
        problem.subspace.single,
        points,
        threshold,
        tol=_TOL,
        max_iter=steps,
        shifted=shifted,
        watch=problem.watch,
    )


def _l1(problem: Problem, points: FloatArray) -> FloatArray:
    norms: FloatArray = np.abs(problem.subspace.vectors(points)).sum(axis=0)
    return norms


def _rivals(problem: Problem) -> Iterator[Vertex]:
    """Look from a few rows and random points for a second sparse vector of similar ℓ¹ norm, unless one stands alone."""
    best = problem.shelf.best
    if best is None or _alone(problem):
        return
    others = problem.subspace.tail_top[1].T if _stands_out(problem.subspace, 2) else ()
    for column in others:
        if (vertex := _quick(problem, np.ascontiguousarray(column))[1]) is not None:
            yield vertex.named("spectral", vertex.steps)
    half = _RIVALS // 2
    points = Mix((Rows(most=half), Random(half))).points(problem.subspace, problem.rng)
    limits = _alternate(problem, points, 1.0, True, _STEPS // 4)
    fresh = np.abs(best.point @ limits.points) < 0.9
    for index in np.flatnonzero(fresh & (_l1(problem, limits.points) <= _RIVAL_L1 * best.l1)):
        if (vertex := _quick(problem, np.ascontiguousarray(limits.points[:, index]))[1]) is not None:
            yield vertex.named(limits.labels[index], vertex.steps)


def _settled(problem: Problem) -> bool:
    """Whether the best vector is certified, or stands alone behind Gaussian noise."""
    return problem.shelf.settled or (_gaussian(problem) and _alone(problem))


def _gaussian(problem: Problem) -> bool:
    """
    Whether the best vector is sparse but for Gaussian noise: then nothing exact is to be had at all.

    Small entries that are no such noise may be nonzeros of an exactly sparse vector nearby.
    """
    best = problem.shelf.best
    estimate = denoise(problem.subspace, best.vector) if best is not None and problem.shelf.kind == Kind.NOISY else None
    return estimate is not None and estimate.level < _FAINT and abs(estimate.kurtosis - 3.0) < _GAUSSIAN


def _stands_out(subspace: Subspace, place: int) -> bool:
    """Whether the tail eigenvalue in some place from the top, first or second, stands out from those below it."""
    values, _, spread = subspace.tail_top
    return len(values) > place and bool(values[-place] - values[-place - 1] > _STANDS_OUT * spread)


def _alone(problem: Problem) -> bool:
    """
    Whether the best vector has far heavier tails than every direction orthogonal to it, as a lone planted one has.

    In a dictionary the tails of all its vectors are alike, and the heaviest need not be the sparsest. Nor need it be
    where a second eigenvalue stands out from the others: a flat vector may be hidden there, lighter but sparser.
    """
    subspace, best = problem.subspace, problem.shelf.best
    if best is None or _stands_out(subspace, 2):
        return False
    values, vectors, _ = subspace.tail_top
    own = float(best.point @ subspace.tail_matrix @ best.point) / _HEAVIER
    aligned = float(vectors[:, -1] @ best.point) ** 2
    if subspace.dim == 1 or own > values[-2] + (values[-1] - values[-2]) * (1.0 - aligned):
        return True  # a bound on what is orthogonal to q, good enough when q is nearly the top eigenvector
    others = np.eye(subspace.dim) - np.outer(best.point, best.point)
    return bool(own > np.linalg.eigvalsh(others @ subspace.tail_matrix @ others)[-1])
