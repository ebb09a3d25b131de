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

_COLUMNS = ("method", "time", "‖x‖₁", "nonzeros", "zeros", "certificate", "ended", "notes", "reference")


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
    blocks: list[Block] = [_cards(ran)] if ran else []
    blocks += [_results(ran)] if ran else []
    blocks += [_idle(idle)] if idle else []
    blocks += [Section("The subspace", [Prose(str(summary["subspace"]))])]
    return Page(title, _lead(summary, ran), blocks, Footer(command))


def _lead(summary: Mapping[str, Any], ran: Sequence[Mapping[str, Any]]) -> str:
    told = f"{counted(len(ran), 'method')} searched a subspace of dimension {number(summary['dim'])} "
    told += f"in {number(summary['size'])} entries for its sparsest vector; "
    exact = sum(entry["certified"] for entry in ran)
    return told + f"{number(exact)} ended with a certified vector."


def _cards(ran: Sequence[Mapping[str, Any]]) -> Cards:
    certified = [entry for entry in ran if entry["certified"]]
    best = ran[0]
    cards = [Card("certified", f"{len(certified)} of {len(ran)}", "exactly sparse and alone on the support")]
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
        names, [entry["seconds"] for entry in ran], log=True, best=0, shown=seconds, title="Time of each method"
    )
    caption = "Methods in the order of the table: certified first, then fewest nonzeros, smallest ‖x‖₁, shortest time."
    table = Table(_COLUMNS, [_row(entry) for entry in ran], "All figures", "lrrrrllll", best=(0,))
    return Section("Results", [Figure(times, caption), table])


def _row(entry: Mapping[str, Any]) -> list[Cell]:
    notes = ", ".join(f"{name} {number(value, 5)}" for name, value in entry["notes"].items())
    holds = Mark("holds", "good") if entry["certified"] else Mark("does not hold", "bad")
    return [
        entry["method"],
        seconds(entry["seconds"]),
        number(entry["l1"], 6),
        entry["nonzeros"],
        entry["zeros"],
        holds,
        entry["status"],
        notes,
        entry["reference"],
    ]


def _idle(idle: Sequence[Mapping[str, Any]]) -> Section:
    rows = [(entry["method"], entry["error"]) for entry in idle]
    return Section("Did not run", [Table(("method", "why"), rows, align="ll")])
