"""Fig. 6: the asymptotic Huber loss on S², from the closed forms, with its critical points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np

from ...arrays import FloatArray
from ...models import Values
from ...report import Block, Figure, Prose, Section, Table
from ...report import Row as Side
from ...report.blocks import Cell
from ...report.charts import Chart, CriticalPoint, disc, sphere
from ...theory import expected_gap, expected_huber
from ..landscape import landscape
from ..trial import Outcome, Row, Trial
from .base import Findings, Reproduction, Scale
from .registry import register

__all__ = ["LANDSCAPE", "run_landscape"]

_THETA = 0.4  # the paper's
_SHARES = {"small": (_THETA,), "paper": (_THETA,), "large": (0.05, 0.1, 0.2, 0.3, 0.35, _THETA, 0.5, 0.6, 0.8)}
_VALUES: dict[Values, str] = {"ones": "ones", "gaussian": "Gaussian nonzeros"}
_LEAD = (
    "The loss that the alternating directions descend on, as p → ∞, with the planted vector at ±e₁. With Gaussian "
    "nonzeros the planted vector is its minimum. With ones it is not at θ = .4: from θ = 1/3 on their fourth moment, "
    "1/θ, is below the 3 of a random direction."
)
_MARKS = 8  # points that stand for a critical circle


def _trials(scale: Scale, methods: tuple[str, ...]) -> list[Trial]:
    return [
        Trial("landscape", {"theta": theta, "values": values}, 0, method)
        for theta in _SHARES[scale]
        for values in _VALUES
        for method in methods
    ]


def run_landscape(trial: Trial) -> Outcome:
    """Find the critical sets, and hold the slope of the loss against the closed forms of E Q̄₁ and E Q̄₂."""
    theta, values = trial.parameters["theta"], trial.parameters["values"]
    found = landscape(theta, values)
    return {"critical": [asdict(one) for one in found.critical], "slope_error": _slope_error(theta, values)}


def _slope_error(theta: float, values: Values) -> float:
    """Largest distance of the loss's slope along a meridian, by differences, from q₁√(1−q₁²)·(Ḡ)."""
    angles, step = np.linspace(0.05, np.pi / 2 - 0.05, 200), 1e-5
    rise = expected_huber(np.cos(angles + step), theta, values) - expected_huber(np.cos(angles - step), theta, values)
    closed = np.cos(angles) * np.sin(angles) * expected_gap(np.cos(angles), theta, values)
    return float(np.abs(rise / (2 * step) - closed).max())


def _field(theta: float, values: Values, points: FloatArray) -> FloatArray:
    return expected_huber(np.clip(points[:, 0], -1.0, 1.0), theta, values)


def _marks(row: Row) -> list[CriticalPoint]:
    """A pole is a point; of a circle a few points are marked."""
    marks = []
    for one in row.outcome["critical"]:
        cosine = one["cosine"]
        turns = np.arange(1 if abs(cosine) == 1 else _MARKS) * 2 * np.pi / _MARKS
        ring = np.sqrt(1.0 - cosine**2)
        marks += [CriticalPoint((cosine, ring * float(np.cos(t)), ring * float(np.sin(t))), one["kind"]) for t in turns]
    return [mark for mark in marks if mark.kind != "flat"]


def _drawn(row: Row) -> dict[str, Chart]:
    theta, values = row["theta"], row["values"]
    field, told = partial(_field, theta, values), f"{_VALUES[values]}, θ = {theta:g}"
    label = "Huber loss"
    return {
        f"sphere-{values}": sphere(field, _marks(row), label=label, title=f"On the sphere: {told}"),
        f"disc-{values}": disc(field, _marks(row), label=label, title=f"Projected: {told}"),
    }


def _kind(row: Row, cosine: float) -> str:
    return str(next(one["kind"] for one in row.outcome["critical"] if one["cosine"] == cosine))


def _where(cosine: float) -> str:
    return {1.0: "the planted vector ±e₁", 0.0: "the equator"}.get(cosine, "circles")


def _line(row: Row, one: Mapping[str, Any]) -> list[Cell]:
    about = f"{row['values']}, θ = {row['theta']:g}", _where(one["cosine"])
    return [*about, one["cosine"], one["kind"], one["loss"], one["curvature"]]


def _table(rows: Sequence[Row]) -> Table:
    lines = [_line(row, one) for row in rows for one in row.outcome["critical"] if one["cosine"] >= 0]
    columns = ("nonzeros", "where", "|q₁|", "kind", "loss", "curvature")
    return Table(columns, lines, "Critical points; the loss depends on q₁ alone", "llrlrr")


def _findings(rows: Sequence[Row], scale: Scale) -> Findings:
    done = [row for row in rows if "critical" in row.outcome]
    rows = sorted(done, key=lambda row: (row["theta"], row["values"] != "ones"))
    shown = [row for row in rows if row["theta"] == _THETA]
    charts = [_drawn(row) for row in shown]
    sides: list[Block] = [Side([Figure(chart) for chart in both.values()]) for both in charts]
    minimal = {row["values"]: float(_kind(row, 1.0) == "minimum") for row in shown}
    note = Prose("Only the planted coordinate q₁ of a direction matters: off the poles critical points fill circles.")
    return Findings(
        _LEAD,
        [*sides, Section("Critical points", [note, _table(rows)])],
        {
            "gaussian_minimum": minimal.get("gaussian"),
            "ones_minimum": minimal.get("ones"),
            "slope_error": max((row.outcome["slope_error"] for row in rows), default=None),
        },
        {name: chart for both in charts for name, chart in both.items()},
        {"n": "3", "θ": ", ".join(f"{theta:g}" for theta in _SHARES[scale]), "threshold": "λ = 1/√p"},
    )


LANDSCAPE = register(
    Reproduction(
        "landscape",
        "Fig. 6",
        "The landscape of the asymptotic Huber loss on S²",
        ("closed-form",),
        _trials,
        run_landscape,
        _findings,
    )
)
