"""The statements of the analysis, on random instances; and its closed forms against Monte Carlo."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from ...models import Values
from ...report import Block, Figure, Prose, Section, Table
from ...report import Row as Side
from ...report.blocks import Cell
from ...report.charts import Chart, Series, lines
from ...report.numbers import number, share
from ...theory import expected_q1, expected_q2, planted_rows, update_map
from ..theory_check import check_theory
from ..trial import Outcome, Row, Trial
from .base import Findings, Reproduction, Scale
from .registry import register

__all__ = ["THEORY", "run_theory"]

_VALUES: tuple[Values, ...] = ("ones", "gaussian")
_MEANS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.6)  # θ of the closed forms; as many as there are colours
_COSINES = (0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9, 0.98)
_MOST = "20n²"  # rows of the largest instances
_BATCHES, _BATCH = 200, 2000  # Monte Carlo: independent means, and rows of each


@dataclass(frozen=True)
class _Sizes:
    """Instances of a scale: dimensions, how many rows for each, θ, repeats."""

    dims: tuple[int, ...]
    shares: tuple[float, ...]
    repeats: int
    rows: Mapping[str, Callable[[int], int]] = field(
        default_factory=lambda: {
            "5n log n": lambda n: round(5 * n * math.log(n)),
            "n²": lambda n: n**2,
            _MOST: lambda n: 20 * n**2,
        }
    )


_SIZES: dict[Scale, _Sizes] = {
    "small": _Sizes((10,), (0.05, 0.1), 2),
    "paper": _Sizes((20, 50), (0.02, 0.05, 0.1, 0.2), 5),
    "large": _Sizes((20, 50, 100), (0.02, 0.05, 0.1, 0.2), 5),
}


def _trials(scale: Scale, methods: tuple[str, ...]) -> list[Trial]:
    made: list[Trial] = []
    if "instances" in methods:
        made += _instances(_SIZES[scale])
    if "closed-forms" in methods:
        cases = [{"theta": theta, "values": values} for theta in _MEANS for values in _VALUES]
        made += [Trial("theory", case, 0, "closed-forms") for case in cases]
    return made


def _instances(sizes: _Sizes) -> Iterable[Trial]:
    for dim in sizes.dims:
        for words, rows in sizes.rows.items():
            for theta in sizes.shares:
                for values in _VALUES:
                    known = {"p": rows(dim), "rows": words, "n": dim, "theta": theta, "values": values}
                    yield from (Trial("theory", known, repeat, "instances") for repeat in range(sizes.repeats))


def run_theory(trial: Trial) -> Outcome:
    """Look at one instance, or estimate the means of one law of the nonzeros."""
    known = trial.parameters
    if trial.method == "closed-forms":
        return _monte_carlo(known["theta"], known["values"], trial.seed)
    return asdict(check_theory(known["p"], known["n"], known["theta"], known["values"], seed=trial.seed))


def _monte_carlo(theta: float, values: Values, seed: int) -> Outcome:
    """Means of Q̄₁ and of Q̄₂ along q₂ at n = 3, their standard errors, and the closed forms."""
    cosines = np.array(_COSINES)
    points = np.vstack([cosines, np.sqrt(1 - cosines**2), np.zeros_like(cosines)])
    seeds = np.random.SeedSequence(seed).generate_state(_BATCHES)
    mapped = np.stack([update_map(planted_rows(_BATCH, 3, theta, values, seed=int(one)), points)[:2] for one in seeds])
    mapped[:, 1] /= points[1]  # E Q̄₂ = c·q₂
    mean, error = mapped.mean(axis=0), mapped.std(axis=0, ddof=1) / math.sqrt(_BATCHES)
    closed = np.stack([expected_q1(cosines, theta, values), expected_q2(cosines, theta, values)])
    return {"mean": mean.tolist(), "spread": error.tolist(), "closed": closed.tolist()}


def _findings(rows: Sequence[Row], scale: Scale) -> Findings:
    instances = [row for row in rows if row.trial.method == "instances" and "error" not in row.outcome]
    means = [row for row in rows if row.trial.method == "closed-forms" and "error" not in row.outcome]
    charts = _charts(means)
    held = {claim.name: claim.told(_meant(claim, instances)) for claim in _CLAIMS}
    blocks: list[Block] = [
        Section("Statements on instances", [Prose(_NOTE), _table(instances, scale)]),
        Section("Closed forms and Monte Carlo", [Side([Figure(chart, _CAPTION) for chart in charts.values()])]),
    ]
    return Findings(
        _lead(instances),
        blocks,
        held | {"monte_carlo": _deviation(means)},
        charts,
        {
            "n": ", ".join(map(str, _SIZES[scale].dims)),
            "p": ", ".join(_SIZES[scale].rows),
            "θ": ", ".join(map(number, _SIZES[scale].shares)),
            "instances of each": str(_SIZES[scale].repeats),
            "points drawn from Γ and from the safe region": "1000 each",
            "Monte Carlo": f"{_BATCHES} means of {_BATCH} rows at n = 3",
        },
    )


_CAPTION = "Lines: closed forms; points: Monte Carlo, four standard errors as a band."
_NOTE = (
    "Each line is a statement of the paper; the cells are the share of instances that keep it, for the number of rows "
    "at the head. The bound on the gap is proved for p of the order n⁴ log n; with fewer rows the gap at its edge is "
    "lost in the deviation from its mean."
)


def _lead(instances: Sequence[Row]) -> str:
    kept = [claim for claim in _CLAIMS if (value := claim.told(instances)) is not None and value == 1]
    return (
        f"{len(instances)} random instances held against {len(_CLAIMS)} statements of the analysis; "
        f"{len(kept)} of them hold on every instance they speak of."
    )


@dataclass(frozen=True)
class _Claim:
    """One statement: how far an instance keeps it (0 to 1), on which it speaks, whether it is meant for many rows."""

    name: str
    says: str
    kept: Callable[[Mapping[str, Any]], float]
    speaks: Callable[[Mapping[str, Any]], bool] = lambda _: True
    many: bool = False

    def told(self, rows: Sequence[Row]) -> float | None:
        """Mean over the instances it speaks of."""
        values = [self.kept(row.outcome) for row in rows if self.speaks(row.outcome)]
        return float(np.mean(values)) if values else None


def _bounded(outcome: Mapping[str, Any]) -> bool:
    """Whether 3√θ lies on the sphere at all."""
    return bool(outcome["far_cosine"] < 1)


def _stays(outcome: Mapping[str, Any]) -> float:
    return float(outcome["safe_least"] >= outcome["safe_cosine"])


_CLAIMS = (
    _Claim("start", "some row starts at |q₁| ≥ 1/(10√(θn))", lambda o: float(o["start_best"] >= o["start_bound"])),
    _Claim("gap_positive", "gap G > 0 at points of Γ", lambda o: o["gap_positive"], many=True),
    _Claim("gap_bound", "gap p·G ≥ 1/(10⁴θ²n) at points of Γ", lambda o: o["gap_kept"], many=True),
    _Claim(
        "safe", "a step from |q₁| ≥ 3√θ stays above 2√θ", lambda o: float(o["safe_least"] >= o["safe_cosine"]), _bounded
    ),
    _Claim("arrives", "the best row reaches 3√θ", lambda o: float(o["steps"] is not None), _bounded),
    _Claim("rounds", "rounding is exact 20 % above the asymptotic edge", lambda o: o["rounded_above"], many=True),
    _Claim("edge", "and not 20 % below it", lambda o: 1.0 - o["rounded_below"], many=True),
)


def _meant(claim: _Claim, instances: Sequence[Row]) -> list[Row]:
    """The instances that a statement is meant for: those of the most rows where it is asymptotic."""
    return [row for row in instances if not claim.many or row["rows"] == _MOST]


def _table(instances: Sequence[Row], scale: Scale) -> Table:
    heads = list(_SIZES[scale].rows)
    made: list[list[Cell]] = []
    for values in _VALUES:
        for claim in _CLAIMS:
            some = [[r for r in instances if r["values"] == values and r["rows"] == head] for head in heads]
            told = [claim.told(rows) for rows in some]
            made.append([claim.says, values, *(None if value is None else share(value) for value in told)])
        made.append([*_steps(instances, values, heads)])
    return Table(("statement", "nonzeros", *(f"p = {head}" for head in heads)), made, align="ll" + "r" * len(heads))


def _steps(instances: Sequence[Row], values: str, heads: Sequence[str]) -> list[Cell]:
    """Most steps to 3√θ, and in brackets those of the mean map."""
    cells: list[Cell] = ["steps to 3√θ, most (mean map)", values]
    for head in heads:
        here = [r.outcome for r in instances if r["values"] == values and r["rows"] == head]
        steps = [o["steps"] for o in here if o["steps"] is not None]
        means = [o["mean_steps"] for o in here if o["mean_steps"] is not None]
        cells.append(f"{max(steps)} ({max(means, default='–')})" if steps else None)
    return cells


def _charts(means: Sequence[Row]) -> dict[str, Chart]:
    rows = sorted(means, key=lambda row: row["theta"])
    return {
        f"{name.lower()}-{values}": _chart(part, [row for row in rows if row["values"] == values], values)
        for values in _VALUES
        for part, name in enumerate(("Q1", "Q2"))
    }


def _chart(part: int, rows: Sequence[Row], values: Values) -> Chart:
    """Closed forms as lines, what was measured as points with bands: Q̄₁, or the factor of Q̄₂ along q₂."""
    fine, form = np.linspace(0.0, 1.0, 201), (expected_q1, expected_q2)[part]
    series = [Series(f"θ = {row['theta']:g}", fine, form(fine, row["theta"], values)) for row in rows]
    for row in rows:
        mean, error = np.array(row.outcome["mean"][part]), np.array(row.outcome["spread"][part])
        band = mean - 4 * error, mean + 4 * error
        series.append(Series(f"measured, θ = {row['theta']:g}", _COSINES, mean, *band, dashed=True))
    told = f"p·E {('Q̄₁', 'Q̄₂ along q₂')[part]}"
    return lines(series, xlabel="q₁", ylabel=told, title=f"{told}, nonzeros: {values}")


def _deviation(means: Sequence[Row]) -> float | None:
    """Largest distance of a closed form from its estimate, in standard errors."""
    every = [
        np.abs(np.array(row.outcome["mean"]) - row.outcome["closed"]) / np.array(row.outcome["spread"]) for row in means
    ]
    return float(np.max(every)) if every else None


THEORY = register(
    Reproduction(
        "theory",
        "the analysis",
        "The statements of the analysis on random instances",
        ("instances", "closed-forms"),
        _trials,
        run_theory,
        _findings,
    )
)
