"""The page of a reproduction: its pictures, what was expected and what differs, the parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...report import Block, Card, Cards, Footer, Mark, Page, Section, Table
from ...report.blocks import State
from ...report.numbers import number, seconds
from .base import Findings, Reproduction, Scale
from .expected import Expectation

__all__ = ["Verdict", "page", "verdicts"]

_DIGITS = 5  # a figure and its bound must be told apart


@dataclass(frozen=True)
class Verdict:
    """An expected figure beside the measured one; ``met`` is None where nothing was measured."""

    expected: Expectation
    measured: float | None

    @property
    def met(self) -> bool | None:
        """Whether the measured figure lies within the bounds."""
        return None if self.measured is None else self.expected.met(self.measured)

    def summary(self) -> dict[str, Any]:
        """Plain values (for JSON)."""
        about = {"figure": self.expected.figure, "says": self.expected.says, "source": self.expected.source}
        return about | {"expected": self.bounds, "measured": self.measured, "met": self.met}

    @property
    def bounds(self) -> str:
        """What is expected, in words."""
        low, high = self.expected.at_least, self.expected.at_most
        if low is None or high is None:
            return f"≥ {number(low, _DIGITS)}" if high is None else f"≤ {number(high, _DIGITS)}"
        return number(low, _DIGITS) if low == high else f"{number(low, _DIGITS)} to {number(high, _DIGITS)}"


def verdicts(expected: Sequence[Expectation], measured: Mapping[str, float | None], scale: Scale) -> list[Verdict]:
    """Hold what was measured against what is expected at a scale."""
    return [Verdict(one, measured.get(one.figure)) for one in expected if scale in one.scales]


def page(
    reproduction: Reproduction,
    findings: Findings,
    held: Sequence[Verdict],
    *,
    scale: Scale,
    trials: tuple[int, int],
    spent: float,
    command: str,
) -> Page:
    """
    Lay out the page.

    Parameters
    ----------
    reproduction, findings, held
        What was reproduced, what came out, and the verdicts on it.
    scale : str
    trials : tuple of int
        How many are done, and how many there are.
    spent : float
        Seconds of all trials together.
    command : str
        What repeats it.
    """
    done, total = trials
    cards = [_trials(done, total), _verdict(held), Card("time of all trials", seconds(spent), "one core each")]
    blocks: list[Block] = [Cards(cards), *findings.blocks]
    blocks += [Section("Expected and measured", [_expected(held)])] if held else []
    known = {"figure": reproduction.source, "scale": scale} | dict(findings.parameters)
    blocks.append(Section("Parameters", [Table(("parameter", "value"), [*known.items()], align="ll")]))
    eyebrow = f"sparsespan reproduces {reproduction.source}"
    return Page(reproduction.title, findings.lead, blocks, Footer(command), eyebrow)


def _trials(done: int, total: int) -> Card:
    if done == total:
        return Card("trials", number(done), "all done")
    return Card("trials", f"{number(done)} of {number(total)}", "the same command does the rest", "bad")


def _verdict(held: Sequence[Verdict]) -> Card:
    known = [one for one in held if one.met is not None]
    kept = sum(bool(one.met) for one in known)
    note = f"{number(len(held) - len(known))} not measured" if len(held) > len(known) else "figures of `expected.toml`"
    state: State = "" if not known else "good" if kept == len(known) else "bad"
    return Card("as expected", f"{number(kept)} of {number(len(known))}", note, state)


def _expected(held: Sequence[Verdict]) -> Table:
    signs = {True: Mark("met", "good"), False: Mark("differs", "bad"), None: Mark("not measured")}
    rows = [
        (one.expected.says, one.bounds, number(one.measured, _DIGITS), signs[one.met], one.expected.source)
        for one in held
    ]
    return Table(("figure", "expected", "measured", "verdict", "who says so"), rows, align="lrrll")
