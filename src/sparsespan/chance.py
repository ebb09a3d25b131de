"""Significance: the same search on random subspaces of the same size and dimension."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .arrays import frozen
from .checks import at_least, generator
from .errors import InvalidInput, NotConverged
from .evidence import Significance
from .methods import Method, as_method, explore
from .result import SparseVector
from .selection import Kind
from .subspace import Subspace
from .watch import Progress, Watch

__all__ = ["Null", "significance"]

_CERTIFIED = -math.inf  # before every vector that is not
_TIE = 1e-9
_COVERAGE = 0.95


@dataclass(frozen=True, slots=True)
class Null:
    """
    The hypothesis that nothing is hidden: S is a uniformly random subspace of dimension n in Rᵖ.

    Attributes
    ----------
    method : Method
    size, dim : int
        p and n.
    """

    method: Method
    size: int
    dim: int

    def significance(
        self,
        found: SparseVector,
        trials: int,
        seed: int | None,
        deadline: float | None,
        progress: Progress | None = None,
    ) -> Significance:
        """Compare what was found with the same search on ``trials`` random subspaces; see `SparseVector`."""
        at_least("trials", trials, 1, "With 99 the smallest p-value is 0.01.")
        generator(seed)  # refuses what is no seed
        watch = Watch(deadline, progress)
        sample = _sample(self, seed)
        while len(sample) < trials and not watch.expired:
            watch.tell(len(sample) / trials, f"random subspace {len(sample) + 1} of {trials}")
            drawn = self.draw(seed, len(sample), watch.part(len(sample), trials))
            if drawn is None:
                break
            sample.append(drawn)
        if not sample:
            msg = (
                f"`deadline` must leave time for the search of one random subspace of {self.size} x {self.dim}; got "
                f"{deadline} s. Raise it, or take a faster method."
            )
            raise NotConverged(msg)
        return compare(self.statistic(found), sample[:trials])

    def rejected(self, found: SparseVector, level: float, seed: int | None, watch: Watch) -> bool | None:
        """
        Whether a vector is better than every one of the random subspaces that a test at this level needs.

        That many, ⌈1/level⌉ − 1, make a p-value of at most the level; the first that does as well ends the test. A
        vector that is certified by its structure needs none. None where time runs out before.
        """
        sample, bar = _sample(self, seed), self.statistic(found) * (1.0 + _TIE)
        trials = 0 if found.certificate.structured else math.ceil(1.0 / level) - 1
        for number in range(trials):
            if number == len(sample):
                watch.tell(1.0, f"random subspace {number + 1} of {trials}")
                drawn = None if watch.expired else self.draw(seed, number, watch.silent())
                if drawn is None:
                    return None
                sample.append(drawn)
            if sample[number] <= bar:
                return False
        return True

    def statistic(self, found: SparseVector) -> float:
        """‖x‖₁ as the light part of the search found it; −∞ where the vector is certified by its structure."""
        if found.certificate.structured:
            return _CERTIFIED
        return min((run.l1 for run in found.runs if self.method.is_light(run.stage)), default=math.inf)

    def draw(self, seed: int | None, number: int, watch: Watch) -> float | None:
        """The statistic of one random subspace; None where time ran out, since half a search is no sample."""
        first = np.random.SeedSequence(None if seed is None else (seed, self.size, self.dim, number))
        rng = np.random.default_rng(first)
        subspace = Subspace.span(rng.standard_normal((self.size, self.dim)))
        try:
            shelf = explore(self.method.light(), subspace, rng, watch)
        except NotConverged:
            return None if watch.expired else math.inf  # the method finds nothing there: worse than everything
        if watch.expired:
            return None
        if shelf.kind <= Kind.WHOLE:
            return _CERTIFIED
        return min(vertex.l1 for vertex in shelf.ranked())


@lru_cache(maxsize=64)
def _sample(null: Null, seed: int | None) -> list[float]:
    """The statistics drawn so far, kept for the next question about subspaces of this size."""
    del null, seed
    return []


def compare(statistic: float, sample: list[float]) -> Significance:
    """Rank a statistic among those of random subspaces; what ties counts as doing as well."""
    null = np.sort(np.array(sample))
    bar = statistic * (1.0 + _TIE) if math.isfinite(statistic) else statistic
    hits, trials = int(np.searchsorted(null, bar, side="right")), len(null)
    return Significance(
        p_value=(1 + hits) / (1 + trials),
        interval=_clopper_pearson(hits, trials),
        hits=hits,
        trials=trials,
        statistic=statistic,
        null=frozen(null),
    )


def _clopper_pearson(hits: int, trials: int) -> tuple[float, float]:
    """The interval of proportions that hits of trials do not contradict at 95 %."""
    from scipy.special import betaincinv

    tail = (1.0 - _COVERAGE) / 2
    low = float(betaincinv(hits, trials - hits + 1, tail)) if hits else 0.0
    high = float(betaincinv(hits + 1, trials - hits, 1.0 - tail)) if hits < trials else 1.0
    return low, high


def significance(
    found: SparseVector,
    method: str | Method = "auto",
    *,
    trials: int = 99,
    seed: int | None = 0,
    deadline: float | None = None,
    progress: Progress | None = None,
    **options: object,
) -> Significance:
    """
    Compare a vector with what a method finds in random subspaces of the same size and dimension.

    Parameters
    ----------
    found : SparseVector
        Found by that method, so that both sides had the same chances; see `SparseVector.significance`, which knows
        the method by itself.
    method : str or Method
    trials : int
        Random subspaces: the smallest p-value is 1/(trials + 1).
    seed : int or None
        Of the random subspaces.
    deadline : float or None
        Seconds after which the trials made so far must do; NotConverged where there is none.
    progress : callable, optional
        Called with the share done and a word on what is being done.
    **options
        Fields of the method.

    Returns
    -------
    Significance
    """
    if not isinstance(found, SparseVector):
        msg = f"`found` must be a result of `sparsest`; got {type(found).__name__}. Search the columns first."
        raise InvalidInput(msg)
    null = Null(as_method(method, options), found.vector.size, found.certificate.dim)
    return null.significance(found, trials, seed, deadline, progress)
