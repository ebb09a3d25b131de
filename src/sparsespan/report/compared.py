"""The page for a comparison of methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .blocks import Card, Cards, Figure, Mark, Prose, Section
from .charts.bars import bars
from .numbers import counted, number, seconds
from .page import Footer, Page
from .table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .blocks import Block, Cell

__all__ = ["compared_page"]

_COLUMNS = ("method", "time", "‖x‖₁", "nonzeros", "zeros", "certificate", "ended")


def compared_page(summary: Mapping[str, Any], *, title: str = "Methods side by side", command: str = "") -> Page:
    """Lay out the page: who was exact and fastest, times as a chart, all figures as a table, what did not run.

    Parameters
    ----------
    summary : what `Comparison.summary` returns, entries best first.
    command : what repeats the comparison.
    """
    entries = summary["entries"]
    ran = [entry for entry in entries if not entry["error"]]
    idle = [entry for entry in entries if entry["error"]]
    blocks: list[Block] = [_cards(ran, len(idle))] if ran else []
    blocks += [_results(ran)] if ran else []
    blocks += [_idle(idle)] if idle else []
    blocks += [_sources(ran)] if ran else []
    blocks += [Section("The subspace", [Prose(str(summary["subspace"]))])]
    return Page(title, _lead(summary, ran, idle), blocks, Footer(command))


def _lead(summary: Mapping[str, Any], ran: Sequence[Mapping[str, Any]], idle: Sequence[Mapping[str, Any]]) -> str:
    told = f"{counted(len(ran), 'method')} searched a subspace of dimension {number(summary['dim'])} "
    told += f"in {number(summary['size'])} entries for its sparsest vector; "
    exact = sum(entry["certified"] for entry in ran)
    told += f"{number(exact)} ended with a certified vector."
    names = ", ".join(entry["method"] for entry in idle)
    return told + (f" {number(len(idle))} more could not run here: {names}." if idle else "")


def _cards(ran: Sequence[Mapping[str, Any]], idle: int) -> Cards:
    certified = [entry for entry in ran if entry["certified"]]
    best = ran[0]
    about = f"{number(idle)} could not run, see below" if idle else "exactly sparse and alone on the support"
    cards = [Card("certified", f"{len(certified)} of {len(ran) + idle}", about)]
    cards += [Card("fewest nonzeros", best["nonzeros"], f"by `{best['method']}`")]
    cards += [Card("smallest ‖x‖₁", number(min(entry["l1"] for entry in ran), 6), "with ‖x‖₂ = 1")]
    if certified:
        same = [entry for entry in certified if entry["nonzeros"] == best["nonzeros"]]
        quick = min(same, key=lambda entry: entry["seconds"])
        cards += [Card("fastest to it", seconds(quick["seconds"]), f"by `{quick['method']}`", "good")]
    return Cards(cards)


def _results(ran: Sequence[Mapping[str, Any]]) -> Section:
    names = [entry["method"] for entry in ran]
    times = bars(
        names,
        [entry["seconds"] for entry in ran],
        log=True,
        best=0,
        xlabel="time in seconds (s), logarithmic",
        shown=seconds,
        title="Time of each method",
    )
    caption = "Methods in the order of the table: certified first, then fewest nonzeros, smallest ‖x‖₁, shortest time."
    table = Table(_COLUMNS, [_row(entry) for entry in ran], "All figures", "lrrrrll", best=(0,))
    noted = [(entry["method"], _notes(entry)) for entry in ran if entry["notes"]]
    notes = [Table(("method", "figures"), noted, "What else they found out", align="ll")] if noted else []
    return Section("Results", [Figure(times, caption), table, *notes])


def _notes(entry: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {number(value, 5)}" for name, value in entry["notes"].items())


def _row(entry: Mapping[str, Any]) -> list[Cell]:
    holds = Mark("holds", "good") if entry["certified"] else Mark("does not hold", "bad")
    return [
        entry["method"],
        seconds(entry["seconds"]),
        number(entry["l1"], 6),
        entry["nonzeros"],
        entry["zeros"],
        holds,
        entry["status"],
    ]


def _idle(idle: Sequence[Mapping[str, Any]]) -> Section:
    rows = [(entry["method"], entry["error"]) for entry in idle]
    return Section("Did not run", [Table(("method", "why"), rows, align="ll")])


def _sources(ran: Sequence[Mapping[str, Any]]) -> Section:
    """A table of its own: long words beside the figures would make every row as tall as they are."""
    rows = [(entry["method"], entry["reference"]) for entry in sorted(ran, key=lambda entry: str(entry["method"]))]
    return Section("Where the methods come from", [Table(("method", "reference"), rows, align="ll")])
