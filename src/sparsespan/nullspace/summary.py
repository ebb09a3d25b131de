"""What is known about a computed null basis: sizes, checks, and how far from the sparsest it can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import frozen

__all__ = ["NullSpaceReport"]


@dataclass(frozen=True, slots=True)
class NullSpaceReport:
    """
    What is known about a basis of a null space.

    Attributes
    ----------
    shape : tuple of int
        Rows and columns of A.
    nullity : int
        Columns of the basis.
    rule : str
        How the rank was decided.
    proved : bool
        The rank is proved: every vector is an exact null vector in integers, and they are independent modulo a prime in
        the number that the rank modulo the prime leaves.
    nnz : int
        Nonzeros of the basis.
    lower_bound : int
        No basis of the null space has fewer.
    counts : array of int, shape (nullity,)
        Nonzeros of each vector.
    elementary : array of bool, shape (nullity,)
        Whether no null vector lives on a part of the vector's support: the columns of A there have nullity one.
    exact : array of bool, shape (nullity,)
        Whether the vector holds coprime integers that A (in exact arithmetic) maps to zero.
    residual : float
        Largest |A n| over the vectors, each relative to what was summed, max(|A||n|).
    effort : str
    seconds : float
    """

    shape: tuple[int, int]
    nullity: int
    rule: str
    proved: bool
    nnz: int
    lower_bound: int
    counts: NDArray[np.int64]
    elementary: NDArray[np.bool_]
    exact: NDArray[np.bool_]
    residual: float
    effort: str
    seconds: float

    def __post_init__(self) -> None:
        for name in ("counts", "elementary", "exact"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    @property
    def rank(self) -> int:
        """Rank of A."""
        return self.shape[1] - self.nullity

    @property
    def optimal(self) -> bool:
        """Whether the basis is proved to be the sparsest."""
        return self.nnz == self.lower_bound

    @property
    def certified(self) -> bool:
        """Whether every vector is elementary and the residual is within the promise."""
        return bool(self.elementary.all()) and self.residual <= 1e-9

    def summary(self) -> dict[str, Any]:
        """Return the scalars as plain values, for tables and JSON."""
        return {
            "rows": self.shape[0],
            "columns": self.shape[1],
            "rank": self.rank,
            "nullity": self.nullity,
            "rule": self.rule,
            "proved": self.proved,
            "nnz": self.nnz,
            "lower_bound": self.lower_bound,
            "optimal": self.optimal,
            "elementary": int(self.elementary.sum()),
            "exact": int(self.exact.sum()),
            "residual": self.residual,
            "effort": self.effort,
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        gap = "the sparsest there is" if self.optimal else f"no basis has fewer than {self.lower_bound}"
        proof = ", proved" if self.proved else ""
        return "\n".join(
            [
                f"{self.nullity} null vectors of a {self.shape[0]}×{self.shape[1]} matrix of rank {self.rank}",
                f"rank: {self.rule}{proof}",
                f"nonzeros: {self.nnz}; {gap}",
                f"elementary: {int(self.elementary.sum())} of {self.nullity}; "
                f"exact integers: {int(self.exact.sum())} of {self.nullity}",
                f"residual: {self.residual:.1e}; effort {self.effort!r}, {self.seconds:.3g} s",
            ]
        )
