"""What is proved about a vector and what is not, in words for everybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .blocks import Mark, inline
from .markup import Markup, tag, text
from .numbers import number

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["CertificateSummary", "Claim", "Claims", "certificate_panel"]

_GAP = 1e-9  # a larger duality gap counts as unsolved


@dataclass(frozen=True)
class Claim:
    """Something a certificate may prove: the verdict, the claim, what it means, the figures behind it."""

    mark: Mark
    title: str
    meaning: str
    figures: str = ""

    def html(self) -> Markup:
        """Return a list item."""
        parts = [tag("h3", text(self.title)), tag("p", inline(self.meaning))]
        parts += [tag("p", text(self.figures), class_="figures")] if self.figures else []
        return tag("li", tag("div", self.mark.html()), tag("div", *parts))


@dataclass(frozen=True)
class Claims:
    """Claims one below the other, proved or not."""

    claims: Sequence[Claim]

    def html(self) -> Markup:
        """Return a list."""
        return tag("ul", *(claim.html() for claim in self.claims), class_="claims", role="list")


@dataclass(frozen=True)
class CertificateSummary:
    """Plain values of a certificate; None is a test that was not made.

    Attributes
    ----------
    size, dim, zeros : p, n and the number of exact zeros of the vector.
    gap : duality gap of the rounding program.
    locally_optimal, kappa, rank, sharpness : the test of strict local optimality and its figures.
    unique : whether the vector is the only one of the subspace inside its support.
    """

    size: int
    dim: int
    zeros: int
    gap: float | None = None
    locally_optimal: bool | None = None
    kappa: float | None = None
    rank: int | None = None
    sharpness: float | None = None
    unique: bool | None = None

    @property
    def rounded(self) -> bool | None:
        """Whether the rounding program was solved to the end."""
        return None if self.gap is None else self.gap <= _GAP

    @property
    def proved(self) -> tuple[int, int]:
        """How many of the tested claims are proved, and how many claims there are to test."""
        verdicts = self.rounded, self.locally_optimal, self.unique, self.zeros >= self.dim
        return sum(verdict is True for verdict in verdicts), len(verdicts)


def certificate_panel(values: CertificateSummary, *more: Claim) -> Claims:
    """Say of each claim whether it is proved, what it means, and which figures stand behind it.

    `more` are claims from elsewhere, such as significance. What none of this proves comes last.
    """
    tested = _rounding(values), _local(values), _unique(values), _zeros(values)
    return Claims((*tested, *more, _global(values)))


def _verdict(proved: bool | None) -> Mark:
    if proved is None:
        return Mark("not tested")
    return Mark("proved", "good") if proved else Mark("not proved", "bad")


def _figures(**values: float | None) -> str:
    return " · ".join(f"{name} {number(value)}" for name, value in values.items() if value is not None)


def _rounding(values: CertificateSummary) -> Claim:
    meaning = (
        "The last step is a linear program that sets the zeros. Its dual gives a bound from below. Where the "
        "gap between the two vanishes, that program has no better answer."
    )
    return Claim(_verdict(values.rounded), "Rounding is solved exactly", meaning, _figures(gap=values.gap))


def _local(values: CertificateSummary) -> Claim:
    meaning = (
        "Every small step away from this vector inside the subspace makes its ℓ¹ norm larger. This is so "
        f"if κ is below 1 and the rows at the zeros have rank n − 1 = {number(values.dim - 1)}; the "
        "sharpness says how steeply the norm rises."
    )
    figures = _figures(κ=values.kappa, rank=values.rank, sharpness=values.sharpness)
    return Claim(_verdict(values.locally_optimal), "Best among its neighbours", meaning, figures)


def _unique(values: CertificateSummary) -> Claim:
    meaning = (
        "No other vector of the subspace, multiples of this one aside, is zero wherever this one is zero: "
        f"the rows at the zeros have rank n − 1 = {number(values.dim - 1)}."
    )
    return Claim(_verdict(values.unique), "Alone on its support", meaning, _figures(rank=values.rank))


def _zeros(values: CertificateSummary) -> Claim:
    more = values.zeros >= values.dim
    meaning = (
        f"A subspace in general position, of dimension n = {number(values.dim)}, has vectors with "
        f"{number(values.dim - 1)} zeros and none with more. This vector has {number(values.zeros)}"
    ) + (": the subspace has a hidden structure, and the vector shows it." if more else ".")
    figures = f"{number(values.zeros)} zeros among {number(values.size)} entries"
    return Claim(_verdict(more), "More zeros than chance allows", meaning, figures)


def _global(values: CertificateSummary) -> Claim:
    meaning = (
        "That no vector of the whole subspace is sparser does not follow from the tests above. To know it "
        "for certain is a hard problem in general."
    )
    nonzeros = f"{number(values.size - values.zeros)} nonzeros here"
    return Claim(Mark("not proved"), "Sparsest of all", meaning, nonzeros)
