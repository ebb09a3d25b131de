"""The page for one found vector."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InvalidInput
from .blocks import Card, Cards, Figure, Prose, Section
from .certificate import certificate_panel
from .charts.dots import dots
from .charts.stems import APART, stems
from .numbers import counted, number, seconds, share
from .page import Footer, Page
from .table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..arrays import FloatArray
    from ..result import SparseVector
    from .blocks import Cell

__all__ = ["found_page"]

_CLOSE_UP, _RUNS = 120, 10  # entries in the close-up, rows in the table of starts


def found_page(
    found: SparseVector,
    *,
    title: str = "A sparse vector",
    truth: FloatArray | None = None,
    command: str = "",
    parameters: Mapping[str, Cell] | None = None,
    more: SparseVector | None = None,
) -> Page:
    """Lay out the page: key figures, the vector, what is proved, the starts, the parameters.

    Parameters
    ----------
    found : what a search returned.
    truth : shape (p,), the vector that was planted, of any sign and scale, where it is known.
    command : what repeats the search.
    parameters : more of what was asked for, by name, in the order to show it.
    more : a second search of the same subspace from many starts, whose ends are shown instead of the first's.
    """
    aligned = None if truth is None else _align(truth, found.vector)
    error = None if aligned is None else float(np.linalg.norm(found.vector - aligned))
    sections = [_vector(found.vector, aligned), _certificate(found)]
    sections += [_starts(more or found)] if (more or found).runs else []
    sections += [_parameters(found, parameters or {})]
    return Page(title, _lead(found, error), [_cards(found, error), *sections], Footer(command))


def _align(truth: FloatArray, vector: FloatArray) -> FloatArray:
    """Give the truth unit norm and the sign of the vector."""
    norm = np.linalg.norm(truth)
    if truth.shape != vector.shape or not (np.isfinite(norm) and norm > 0):
        msg = f"`truth` must be a finite vector of {vector.size} entries, not all zero; got shape {truth.shape}"
        raise InvalidInput(f"{msg}, norm {norm}. Pass the vector that was planted, or None.")
    return np.asarray(truth / (norm if truth @ vector >= 0 else -norm))


def _lead(found: SparseVector, error: float | None) -> str:
    told = f"A vector with {counted(found.support.size, 'nonzero')} among {number(found.vector.size)} entries, found "
    told += f"in {seconds(found.seconds)} in a subspace of dimension {number(found.certificate.dim)}."
    return told + (f" Its distance from the planted vector is {number(error)}." if error is not None else "")


def _cards(found: SparseVector, error: float | None) -> Cards:
    size, zeros = found.vector.size, found.vector.size - found.support.size
    proved = f"{certificate_panel(found.certificate).proved} claims proved"
    holds = Card("certificate", "holds", proved, "good")
    cards = [
        Card("exact zeros", zeros, f"of {number(size)}, {share(zeros / size)}"),
        Card("time", seconds(found.seconds), counted(sum(run.multiplicity for run in found.runs), "start")),
        Card("‖x‖₁", number(found.l1, 4), "with ‖x‖₂ = 1"),
        holds if found.certified else Card("certificate", "does not hold", proved, "bad"),
    ]
    return Cards(([] if error is None else [Card("error", error, "distance from the truth")]) + cards)


def _vector(vector: FloatArray, truth: FloatArray | None) -> Section:
    apart = "Each entry by itself" + ("." if truth is None else "; circles are the truth where it is not zero.")
    whole = "Each pixel column shows the range of the entries that fall into it"
    whole += "." if truth is None else "; below, their distance from the truth on a logarithmic scale."
    every = stems(vector, truth, title="All entries")
    if vector.size <= APART:
        return Section("The vector", [Figure(every, apart)])
    part = slice(0, _CLOSE_UP)
    close = stems(vector[part], None if truth is None else truth[part], title=f"The first {_CLOSE_UP} entries")
    return Section("The vector", [Figure(every, whole), Figure(close, apart)])


def _certificate(found: SparseVector) -> Section:
    meaning = found.status.meaning
    told = f"The run ended so: {meaning}." + (f"\n\n{found.status.advice}" if found.status.advice else "")
    return Section("What is proved", [Prose(told), certificate_panel(found.certificate)])


def _starts(found: SparseVector) -> Section:
    weights = [run.multiplicity for run in found.runs]
    labels = [f"{run.start}, {counted(run.zeros, 'zero')}, {counted(run.steps, 'step')}" for run in found.runs]
    chart = dots([run.l1 for run in found.runs], weights, labels, best=0, ylabel="‖x‖₁")
    total, ends = counted(sum(weights), "start"), counted(len(weights), "different end")
    caption = f"{total}, {ends}. Starts that met are drawn as one line."
    rows = [(run.start, number(run.l1, 6), run.zeros, run.steps, run.multiplicity) for run in found.runs[:_RUNS]]
    told = f"The best {_RUNS} ends" if len(found.runs) > _RUNS else "Where the starts ended"
    table = Table(("start", "‖x‖₁", "zeros", "steps", "starts"), rows, told, "lrrrr", best=(0,))
    return Section("The starts", [Figure(chart, caption), table])


def _parameters(found: SparseVector, more: Mapping[str, Cell]) -> Section:
    size, dim = found.vector.size, found.certificate.dim
    known: dict[str, Cell] = {"size p": size, "dimension n": dim, "method": found.method, "rank": found.rank}
    return Section("Parameters", [Table(("parameter", "value"), [*known.items(), *more.items()], align="ll")])
