"""What is proved about a vector and what is not, in words for everybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .blocks import Mark, inline
from .markup import Markup, tag, text
from .numbers import counted, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..result import Certificate

__all__ = ["Claim", "Claims", "certificate_panel"]

_TELLING = 0.5  # a bound on a probability from which it says nothing


@dataclass(frozen=True)
class Claim:
    """Something that may be proved: the verdict, the claim, what it means, the figures behind it."""

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

    @property
    def proved(self) -> int:
        """How many of them are proved."""
        return sum(claim.mark.state == "good" for claim in self.claims)


def certificate_panel(certificate: Certificate, *more: Claim) -> Claims:
    """Say of each claim whether it is proved, what it means, and which figures stand behind it.

    `more` are claims from elsewhere, such as significance. Whether nothing is sparser at all comes last.
    """
    tested = _sparse(certificate), _exact(certificate), _unique(certificate), _local(certificate)
    return Claims((*tested, *more, _sparsest(certificate)))


def _verdict(proved: bool) -> Mark:
    return Mark("proved", "good") if proved else Mark("not proved", "bad")


def _sparse(certificate: Certificate) -> Claim:
    allowed = counted(certificate.dim - 1, "zero")
    meaning = (
        f"In general position, a subspace of dimension n = {number(certificate.dim)} has vectors with {allowed} "
        f"and none with more. This vector has {number(certificate.zeros)}"
    ) + (": the subspace has a hidden structure, and the vector shows it." if certificate.sparse else ".")
    title = "More zeros than chance allows"
    figures = counted(certificate.zeros, "zero")
    if certificate.chance < _TELLING:
        chance = number(max(certificate.chance, 1e-300))  # a float holds nothing smaller, and it is not zero
        figures += f" · by accident with probability below {chance}"
    return Claim(_verdict(certificate.sparse), title, meaning, figures)


def _exact(certificate: Certificate) -> Claim:
    meaning = (
        "The entries called zero are zero up to the rounding errors that the precision and the condition of "
        "the given basis allow."
    )
    figures = f"largest of them {number(certificate.residual)} · allowed {number(certificate.resolution)}"
    return Claim(_verdict(certificate.residual <= certificate.resolution), "Zeros are exact", meaning, figures)


def _unique(certificate: Certificate) -> Claim:
    meaning = "No other vector of the subspace, multiples aside, is zero wherever this one is zero."
    figures = f"rank of the rows at the zeros {number(certificate.rank)} · needed {number(certificate.dim - 1)}"
    return Claim(_verdict(certificate.unique), "Alone on its support", meaning, figures)


def _local(certificate: Certificate) -> Claim:
    meaning = (
        "Every small step away from this vector inside the subspace makes its ℓ¹ norm larger, by at least the "
        "sharpness for each radian. This holds where κ is below 1 and the duality gap vanishes."
    )
    figures = (
        f"κ {number(certificate.kappa)} · sharpness {number(certificate.sharpness)} · gap {number(certificate.gap)}"
    )
    return Claim(_verdict(certificate.locally_optimal), "Best among its neighbours", meaning, figures)


def _sparsest(certificate: Certificate) -> Claim:
    meaning = (
        "That no vector of the whole subspace is sparser does not follow from the tests above. To know it "
        "for certain is a hard problem in general."
    )
    if certificate.forced:
        return Claim(_verdict(True), "Sparsest of all", "The dimension, or a single nonzero, leaves no choice.")
    return Claim(Mark("not proved"), "Sparsest of all", meaning)
