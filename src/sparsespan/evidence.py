"""What is known about a vector: what is proved, the sparse part of a noisy one, and how likely chance is."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .arrays import FloatArray, IntArray, frozen

__all__ = ["ACCIDENT", "CLEAR", "Certificate", "Estimate", "Significance"]

ACCIDENT = 1e-6  # probability from which zeros may be accidents
CLEAR = 10.0  # ratio of the smallest entry kept to what a zero may have become
_MARGIN = 1e-9  # a minimum with κ = 1 is not strict, and κ is known up to rounding


@dataclass(frozen=True, slots=True)
class Certificate:
    """
    What is proved about the vector x = Yq.

    Attributes
    ----------
    dim : int
        n.
    zeros : int
        Exact zeros of x on rows of Y that are not zero.
    rank : int
        Rank of those rows: x is the only vector of S within its support exactly when it is n − 1.
    residual : float
        Largest |y_iᵀq|/‖y_i‖ among the entries called zero.
    resolution : float
        Size below which such an entry cannot be told from zero, from the precision and condition of the input.
    clearance : float
        Smallest |y_iᵀq|/‖y_i‖ among the entries kept, over the largest that a zero may show by an error of q; without a
        gap between the two nobody can tell which entries are zero.
    kappa : float
        ‖v‖_∞ of the multipliers on the zero rows; below 1 it proves a strict local minimum of ‖Yq‖₁ on the sphere.
    sharpness : float
        Lower bound on the slope of ‖Yq‖₁ away from q (per radian); 0 where none is proved.
    gap : float
        Relative duality gap of the rounding program anchored at q.
    forced : bool
        The dimension alone, or a single nonzero, proves that nothing in S is sparser.
    chance : float
        Bound on the probability that a generic subspace shows as many zeros, n − 1 or more and each at most
        ``residual``, by accident. It matters for coarse data: among p = 100,000 random numbers one is below 1e-5.
    levels : int
        L where all entries of x are whole multiples −L … L of one number beyond chance; else 0.
    blank : int
        Rows of the basis that are not quite zero but no larger than rounding errors of the largest: taken for zero.
    noise : float or None
        Where x is not exact but many entries are small: the ℓ² norm of those entries, of 1.
    """

    dim: int
    zeros: int
    rank: int
    residual: float
    resolution: float
    clearance: float
    kappa: float
    sharpness: float
    gap: float
    forced: bool = False
    chance: float = 1.0
    levels: int = 0
    blank: int = 0
    noise: float | None = None

    @property
    def locally_optimal(self) -> bool:
        """Q is a strict local minimum of ‖Yq‖₁ on the sphere."""
        return self.unique and self.kappa < 1.0 - max(_MARGIN, self.resolution) and self.gap < 1e-8

    @property
    def unique(self) -> bool:
        """X is, up to scale, the only vector of S that vanishes where it does."""
        return self.rank == self.dim - 1

    @property
    def sparse(self) -> bool:
        """X has at least n zeros that are no accident: a generic subspace of dimension n has no such vector."""
        return self.zeros >= self.dim and self.chance <= ACCIDENT

    @property
    def whole(self) -> bool:
        """All entries of x are small whole multiples of one number, which no generic subspace allows."""
        return self.levels > 0

    @property
    def structured(self) -> bool:
        """X is exactly sparse and alone on its support, or of whole-number ratios: no generic subspace has the like."""
        return ((self.sparse and self.unique) or self.whole) and self.exact

    @property
    def exact(self) -> bool:
        """What was set to zero was as small as rounding makes a zero, and a gap away from what was kept."""
        return self.residual <= self.resolution and self.clearance >= CLEAR

    @property
    def holds(self) -> bool:
        """X is exactly sparse and alone on its support, or of whole-number ratios, or nothing can be sparser."""
        return self.forced or self.structured

    def __str__(self) -> str:
        return "\n".join(f"{'yes' if proved else 'no ':3}  {text}" for proved, text in self.statements())

    def statements(self) -> list[tuple[bool, str]]:
        """Each thing a certificate may prove: whether it does, and the figures."""
        return [
            (
                self.sparse or self.forced,
                f"sparse: {self.zeros} exact zeros; a generic subspace of dimension {self.dim} allows {self.dim - 1} "
                f"(as many by accident: probability <= {max(self.chance, 1e-300):.1e})",
            ),
            (
                self.unique,
                f"unique: rank {self.rank} of the zero rows, {self.dim - 1} make it the only vector on its support",
            ),
            self._exactness(),
            (
                self.locally_optimal,
                f"strict local minimum of the 1-norm: kappa = {self.kappa:.3g} (must be < 1), "
                f"sharpness >= {self.sharpness:.3g}, duality gap {self.gap:.1e}",
            ),
            *self._multiples(),
        ]

    def _exactness(self) -> tuple[bool, str]:
        if self.noise is not None:
            return False, f"not exact: residual {self.noise:.2e}, the norm of the entries that noise would explain"
        words = (
            f"exact: entries called zero are at most {self.residual:.1e}, rounding allows {self.resolution:.1e}; "
            f"the smallest kept is {self.clearance:.1e} times what a zero could be"
        )
        if self.blank:
            words += f"; {self.blank} rows of the basis, as small as rounding errors of the largest, are taken for zero"
        return self.exact, words

    def _multiples(self) -> list[tuple[bool, str]]:
        if not self.whole:
            return []
        return [(True, f"whole: every entry is one of 0, ±1 … ±{self.levels} times one number, beyond chance")]


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
    kurtosis : float
        Of the entries taken for noise: 3 where these are Gaussian; far more where they are small nonzeros of their own.
    support : ndarray of int
        Indices of the nonzeros, ascending.
    """

    vector: FloatArray
    level: float
    residual: float
    kurtosis: float
    support: IntArray = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "vector", frozen(self.vector))
        object.__setattr__(self, "support", frozen(np.flatnonzero(self.vector)))

    def figures(self) -> dict[str, float]:
        """The numbers, for JSON."""
        return {"level": self.level, "residual": self.residual, "kurtosis": self.kurtosis}

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
