"""What can be said where nothing can be proved: the sparse part of a noisy vector, and how likely chance is."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .arrays import FloatArray, IntArray, frozen

__all__ = ["Estimate", "Significance"]


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """
    The sparse vector behind a noisy one.

    Attributes
    ----------
    vector : ndarray, shape (p,)
        Unit ℓ² norm, zero off the support. It lies near the subspace, not in it.
    level : float
        Root mean square of the entries taken for noise, as a multiple of 1/√p, the root mean square of all entries.
    residual : float
        ℓ² norm of the entries taken for noise, of a vector of norm 1.
    support : ndarray of int
        Indices of the nonzeros, ascending.
    """

    vector: FloatArray
    level: float
    residual: float
    support: IntArray = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "vector", frozen(self.vector))
        object.__setattr__(self, "support", frozen(np.flatnonzero(self.vector)))

    def __repr__(self) -> str:
        return (
            f"Estimate(size={self.vector.size}, nonzeros={self.support.size}, residual={self.residual:.2e}, "
            f"level={self.level:.2e})"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Significance:
    """
    How a search compares with the same search on random subspaces of the same size and dimension.

    Attributes
    ----------
    p_value : float
        (1 + hits) / (1 + trials): at most α with probability at most α where nothing is hidden.
    interval : tuple of float
        95 % Clopper–Pearson interval of the chance that a random subspace does as well.
    hits : int
        Random subspaces that did as well or better.
    trials : int
        Random subspaces tried.
    statistic : float
        ‖x‖₁ that is compared: the smallest of the cheap stages of the search; −∞ for a certified vector, which goes
        before all that are not.
    null : ndarray, shape (trials,)
        The same of the random subspaces, ascending.
    """

    p_value: float
    interval: tuple[float, float]
    hits: int
    trials: int
    statistic: float
    null: FloatArray

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"p = {self.p_value:.3g}: {self.hits} of {self.trials} random subspaces did as well "
            f"(chance between {low:.3g} and {high:.3g} at 95 %)"
        )
