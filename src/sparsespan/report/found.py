"""The page for one found vector."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .blocks import Card, Cards, Figure, Prose, Section
from .certificate import certificate_panel
from .charts.dots import dots
from .charts.stems import APART, stems
from .numbers import counted, number, seconds, share
from .page import Footer, Page
from .table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from .blocks import Cell
    from .certificate import CertificateSummary

__all__ = ["FoundSummary", "RunSummary", "found_page"]

_CLOSE_UP, _RUNS = 120, 10  # entries in the close-up, rows in the table of runs


@dataclass(frozen=True)
class RunSummary:
    """What one distinct run did: its start, objective and steps, and how many starts ended with it."""

    start: str
    value: float
    steps: int
    multiplicity: int = 1


@dataclass(frozen=True, eq=False)
class FoundSummary:
    """Plain values of one search.

    Attributes
    ----------
    vector, truth : shape (p,), of one sign and scale; `truth` where it is known.
    error : relative ℓ² error against the truth.
    seconds : wall time of the search.
    parameters : what was asked for, in the order to show it.
    """

    title: str
    method: str
    seconds: float
    l1: float
    vector: NDArray[np.float64]
    certificate: CertificateSummary
    status: str
    runs: Sequence[RunSummary] = ()
    truth: NDArray[np.float64] | None = None
    error: float | None = None
    command: str = ""
    parameters: Mapping[str, Cell] | None = None

    @property
    def nonzeros(self) -> int:
        """Number of entries that are not zero."""
        return self.certificate.size - self.certificate.zeros


def found_page(found: FoundSummary) -> Page:
    """Lay out the page: key figures, the vector, what is proved, the starts, the parameters."""
    sections = [_vector(found), _certificate(found)]
    sections += [_starts(found)] if found.runs else []
    sections += [_parameters(found)]
    return Page(found.title, _lead(found), [_cards(found), *sections], Footer(found.command))


def _lead(found: FoundSummary) -> str:
    size, dim = number(found.certificate.size), number(found.certificate.dim)
    told = f"A vector with {counted(found.nonzeros, 'nonzero')} among {size} entries, found in "
    told += f"{seconds(found.seconds)} in a subspace of dimension {dim}."
    known = f" Its distance from the planted vector is {number(found.error)}."
    return told + known * (found.error is not None)


def _cards(found: FoundSummary) -> Cards:
    certificate = found.certificate
    proved, claims = certificate.proved
    zeros = f"of {number(certificate.size)}, {share(certificate.zeros / max(certificate.size, 1))}"
    verdict = f"{proved} of {claims}"
    cards = [
        Card("exact zeros", certificate.zeros, zeros),
        Card("time", seconds(found.seconds), f"method `{found.method}`"),
        Card("‖x‖₁", found.l1, "with ‖x‖₂ = 1"),
        Card("certificate", verdict, "claims proved", "good" if proved == claims else ""),
    ]
    error = [Card("relative error", found.error, "against the truth")] if found.error is not None else []
    return Cards(error + cards)


def _vector(found: FoundSummary) -> Section:
    known = found.truth is not None
    apart = "Each entry by itself" + ("; circles are the truth where it is not zero." if known else ".")
    whole = "Each pixel column shows the range of the entries that fall into it"
    whole += "; below, their distance from the truth on a logarithmic scale." if known else "."
    every = stems(found.vector, found.truth, title="All entries")
    if found.vector.size <= APART:
        return Section("The vector", [Figure(every, apart)])
    part = slice(0, _CLOSE_UP)
    truth = None if found.truth is None else found.truth[part]
    close = stems(found.vector[part], truth, title=f"The first {_CLOSE_UP} entries")
    return Section("The vector", [Figure(every, whole), Figure(close, apart)])


def _certificate(found: FoundSummary) -> Section:
    return Section("What is proved", [Prose(found.status), certificate_panel(found.certificate)])


def _starts(found: FoundSummary) -> Section:
    weights = [run.multiplicity for run in found.runs]
    labels = [f"{run.start}, {number(run.steps)} steps" for run in found.runs]
    chart = dots([run.value for run in found.runs], weights, labels)
    total, ends = counted(sum(weights), "start"), counted(len(weights), "different end")
    caption = f"{total}, {ends}; starts that met are drawn as one line."
    ranked = sorted(found.runs, key=lambda run: (math.isnan(run.value), run.value))[:_RUNS]
    rows = [(run.start, number(run.value, 6), run.steps, run.multiplicity) for run in ranked]
    told = f"The best {_RUNS} ends and how many starts led there" if len(found.runs) > _RUNS else "All ends"
    table = Table(("start", "‖Yq‖₁", "steps", "starts"), rows, told, "lrrr", best=(0,))
    return Section("The starts", [Figure(chart, caption), table])


def _parameters(found: FoundSummary) -> Section:
    size, dim = found.certificate.size, found.certificate.dim
    known: dict[str, Cell] = {"size p": size, "dimension n": dim, "method": found.method}
    rows = [*known.items(), *(found.parameters or {}).items()]
    return Section("Parameters", [Table(("parameter", "value"), rows, align="lr")])
