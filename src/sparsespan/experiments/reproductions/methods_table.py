"""Table I, measured: how the time of every method grows with rows and dimensions, and up to which θ it recovers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...methods import available
from ...models import Values
from ...report import Block, Figure, Prose, Section, Table
from ...report import Row as Side
from ...report.blocks import Cell
from ...report.charts import Chart, Series, bars, lines, power_law
from ...report.numbers import number, seconds
from ..methods_table import DEADLINE, run_method
from ..trial import Row, Trial
from .base import Findings, Reproduction, Scale
from .phase import rows_for
from .registry import register

__all__ = ["TABLE_METHODS"]

_VALUES: tuple[Values, ...] = ("ones", "gaussian")
_FEW_DIMS, _ROWS_FOR_DIMS, _EASY = 8, 1000, 0.1  # n where p grows, p where n grows, θ of both
_DRAWN = ("auto", "l1-linf", "paper", "sdp", "sos", "spectral")  # those of the paper's table and ours, one a colour
_FEW = 2  # a growth needs more times than this
_LEAST = 2e-3  # seconds; shorter times are the work around the search and say nothing about its growth


@dataclass(frozen=True)
class _Sizes:
    """What is run at a scale."""

    rows: tuple[int, ...]
    dims: tuple[int, ...]
    dims_for_shares: tuple[int, ...]
    shares: tuple[float, ...]
    repeats: int


_FINE = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_SIZES: dict[Scale, _Sizes] = {
    "small": _Sizes((250, 500, 1000), (4, 8, 16), (8,), (0.1, 0.3, 0.5), 1),
    "paper": _Sizes((1000, 2000, 4000, 8000, 16000), (5, 10, 20, 40, 80), (10, 20, 40), _FINE, 3),
    "large": _Sizes((1000, 4000, 16000, 64000), (5, 10, 20, 40, 80, 160), (10, 20, 40, 80), _FINE, 3),
}


def _trials(scale: Scale, methods: tuple[str, ...]) -> list[Trial]:
    sizes = _SIZES[scale]
    cases = [*_grown(sizes), *_densities(sizes)]
    instances = [(case, repeat) for case in cases for repeat in range(sizes.repeats)]
    return [Trial("table-methods", case, repeat, name) for case, repeat in instances for name in methods]


def _grown(sizes: _Sizes) -> Iterable[dict[str, float | str]]:
    for p in sizes.rows:
        yield {"about": "p", "p": p, "n": _FEW_DIMS, "k": round(_EASY * p), "values": "ones"}
    for n in sizes.dims:
        yield {"about": "n", "p": _ROWS_FOR_DIMS, "n": n, "k": round(_EASY * _ROWS_FOR_DIMS), "values": "ones"}


def _densities(sizes: _Sizes) -> Iterable[dict[str, float | str]]:
    for n in sizes.dims_for_shares:
        for theta in sizes.shares:
            for values in _VALUES:
                p = rows_for(n)
                yield {"about": "θ", "p": p, "n": n, "k": round(theta * p), "theta": theta, "values": values}


@dataclass(frozen=True)
class _Method:
    """The rows of one method."""

    name: str
    rows: Sequence[Row]

    def times(self, about: str) -> tuple[list[float], list[float]]:
        """Median search times against p or n, of searches that ended by themselves."""
        ended = [row for row in self.rows if row["about"] == about and not row.outcome.get("late", True)]
        at = sorted({float(row[about]) for row in ended})
        return at, [float(np.median([r.outcome["seconds"] for r in ended if r[about] == one])) for one in at]

    def growth(self, about: str) -> float | None:
        """Exponent of the time as a power of p or n, over times long enough to mean something."""
        at, times = self.times(about)
        long = [(one, time) for one, time in zip(at, times, strict=True) if time >= _LEAST]
        law = power_law([one for one, _ in long], [time for _, time in long]) if len(long) > _FEW else None
        return None if law is None else law[0]

    def largest(self, values: str, dim: int) -> float | None:
        """Largest θ up to which, without a break, most instances are recovered; 0 where the first is not."""
        rows = [row for row in self.rows if row["about"] == "θ" and row["values"] == values and row["n"] == dim]
        best = 0.0
        for theta in sorted({float(row["theta"]) for row in rows}):
            if np.mean([bool(row.outcome.get("success")) for row in rows if row["theta"] == theta]) <= 0.5:
                break
            best = theta
        return best if rows else None

    @property
    def reason(self) -> str:
        """Why it did not run, where it never did."""
        errors = [str(row.outcome["error"]) for row in self.rows if "success" not in row.outcome]
        return errors[0] if self.rows and len(errors) == len(self.rows) else ""

    @property
    def late(self) -> int:
        """How many searches met the deadline."""
        return sum(bool(row.outcome.get("late")) for row in self.rows)


def _findings(rows: Sequence[Row], scale: Scale) -> Findings:
    sizes = _SIZES[scale]
    every = [_Method(name, [row for row in rows if row.trial.method == name]) for name in available()]
    ran = [one for one in every if one.rows and not one.reason]
    charts = _charts(ran, sizes)
    idle: list[list[Cell]] = [[one.name, one.reason] for one in every if one.reason]
    growths = [charts[name] for name in ("time-p", "time-n") if name in charts]
    blocks: list[Block] = [
        Section("Every method", [Prose(_NOTE), _table(ran, sizes)]),
        Section("Largest share of nonzeros recovered", [Side([Figure(charts[f"theta-{v}"]) for v in _VALUES])]),
        Section("Growth of time", [*map(Figure, growths)]),
    ]
    blocks += [Section("Could not run", [Table(("method", "why"), idle, align="ll")])] if idle else []
    return Findings(_lead(ran, sizes), blocks, _measured(every, sizes), charts, _parameters(sizes))


_NOTE = (
    "Exponents are slopes of the median CPU time of a search in double logarithms. An en dash: fewer than three of the "
    "times were longer than 2 ms, so that the growth cannot be told. The largest θ is that up to which, without a "
    "break, more than half of the instances were recovered exactly."
)


def _parameters(sizes: _Sizes) -> dict[str, str]:
    return {
        "time against p": f"n = {_FEW_DIMS}, θ = {_EASY:g}, ones, p = {', '.join(map(str, sizes.rows))}",
        "time against n": f"p = {_ROWS_FOR_DIMS}, θ = {_EASY:g}, ones, n = {', '.join(map(str, sizes.dims))}",
        "largest θ": f"p = 5n log n, n = {', '.join(map(str, sizes.dims_for_shares))}",
        "θ": ", ".join(map(number, sizes.shares)),
        "instances of each": str(sizes.repeats),
        "deadline": f"{DEADLINE:g} s a search",
        "options": "the defaults of every method",
    }


def _lead(ran: Sequence[_Method], sizes: _Sizes) -> str:
    dim = sizes.dims_for_shares[-1]
    best = [(one.largest("gaussian", dim) or 0.0, one.name) for one in ran]
    names = ", ".join(name for theta, name in best if theta == max(best)[0]) if best else "none"
    return f"{len(ran)} methods measured. At n = {dim} the largest share of Gaussian nonzeros is recovered by {names}."


def _heads(sizes: _Sizes) -> list[tuple[Values, int]]:
    return [(values, dim) for values in _VALUES for dim in sizes.dims_for_shares]


def _table(ran: Sequence[_Method], sizes: _Sizes) -> Table:
    heads = _heads(sizes)
    made: list[list[Cell]] = []
    for one in ran:
        times = one.times("n")[1]
        last = seconds(times[-1]) if times else None
        largest = (one.largest(values, dim) for values, dim in heads)
        made.append([one.name, one.growth("p"), one.growth("n"), last, *largest, one.late])
    names = [f"θ, {values}, n = {dim}" for values, dim in heads]
    columns = ("method", "exponent in p", "exponent in n", f"time at p = {_ROWS_FOR_DIMS}, largest n", *names, "late")
    return Table(columns, made, align="l" + "r" * (len(columns) - 1))


def _charts(ran: Sequence[_Method], sizes: _Sizes) -> dict[str, Chart]:
    dim, names = sizes.dims_for_shares[-1], [one.name for one in ran]
    charts = {}
    for values in _VALUES:
        found = [one.largest(values, dim) for one in ran]
        shown = np.array([math.nan if theta is None else theta for theta in found])
        charts[f"theta-{values}"] = bars(names, shown, xlabel="θ", title=f"Largest θ, nonzeros: {values}, n = {dim}")
    for about in ("p", "n"):
        drawn = [one for one in ran if one.name in _DRAWN and one.growth(about) is not None]
        several = [Series(one.name, *one.times(about), power=True) for one in drawn]
        if several:
            draw = partial(lines, xlog=True, ylog=True, ylabel="CPU seconds")
            charts[f"time-{about}"] = draw(several, xlabel=about, title=f"Time against {about}")
    return charts


def _measured(every: Sequence[_Method], sizes: _Sizes) -> dict[str, float | None]:
    dim = sizes.dims_for_shares[-1]
    found: dict[str, float | None] = {}
    for one in every:
        found |= {f"exponent_{about}_{one.name}": one.growth(about) for about in ("p", "n")}
        found |= {f"theta_{values}_{one.name}": one.largest(values, dim) for values in _VALUES}
        found[f"decline_{one.name}"] = _decline(one, sizes)
    return found


def _decline(one: _Method, sizes: _Sizes) -> float | None:
    """Exponent of the largest θ as a power of n, ones."""
    found = [(dim, one.largest("ones", dim) or 0.0) for dim in sizes.dims_for_shares]
    law = power_law([dim for dim, _ in found], [theta for _, theta in found])
    return law[0] if law and all(theta > 0 for _, theta in found) else None


TABLE_METHODS = register(
    Reproduction(
        "table-methods",
        "Table I",
        "Every method: growth of its time, and the largest share of nonzeros it recovers",
        tuple(available()),
        _trials,
        run_method,
        _findings,
    )
)
