"""Run a reproduction: the trials that are missing, then the pictures and the page from all rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import InvalidInput
from ...report.charts import Chart
from ...report.files import write_bytes
from ...report.png import png_bytes
from ...watch import Progress
from ..store import Store
from ..sweep import Sweep, sweep
from ..trial import Row
from .base import SCALES, Drawing, Reproduction, Scale
from .expected import expectations
from .page import Verdict, page, verdicts

__all__ = ["STORE", "Reproduced", "reproduce"]

STORE = "trials.db"  # the name of the store in the folder of results


@dataclass(frozen=True)
class Reproduced:
    """
    What became of a reproduction.

    Attributes
    ----------
    name, scale : str
    swept : Sweep
        Trials altogether, found in the store, run this time.
    verdicts : tuple of Verdict
    page : Path
    pictures : tuple of Path
    """

    name: str
    scale: Scale
    swept: Sweep
    verdicts: tuple[Verdict, ...]
    page: Path
    pictures: tuple[Path, ...]

    @property
    def as_expected(self) -> bool:
        """Whether nothing is missing and every measured figure lies within its bounds."""
        return self.swept.complete and all(verdict.met is not False for verdict in self.verdicts)

    def summary(self) -> dict[str, Any]:
        """Plain values (for JSON)."""
        swept = self.swept
        return {
            "name": self.name,
            "scale": self.scale,
            "trials": {"total": swept.total, "before": swept.before, "now": swept.now, "seconds": swept.seconds},
            "complete": swept.complete,
            "as_expected": self.as_expected,
            "verdicts": [verdict.summary() for verdict in self.verdicts],
            "page": str(self.page),
            "pictures": [str(picture) for picture in self.pictures],
        }


def reproduce(
    reproduction: Reproduction,
    out: Path,
    *,
    scale: Scale = "small",
    methods: Sequence[str] | None = None,
    workers: int = 2,
    progress: Progress | None = None,
    interrupted: Callable[[], bool] | None = None,
) -> Reproduced:
    """
    Run what the store in a folder does not hold yet, and write the pictures and the page.

    Parameters
    ----------
    reproduction : Reproduction
    out : Path
        Folder of the store, the pictures and the page; made where it does not exist.
    scale : {"small", "paper", "large"}
    methods : sequence of str, optional
        Among those of the reproduction; all by default.
    workers : int
        Processes. The rows do not depend on their number.
    progress, interrupted : callable, optional
        As for `sweep`; after an interruption the page shows the rows there are.

    Returns
    -------
    Reproduced
    """
    chosen = _chosen(reproduction, scale, methods)
    trials = reproduction.trials(scale, chosen)
    out.mkdir(parents=True, exist_ok=True)
    with Store(out / STORE) as store:
        swept = sweep(trials, reproduction.run, store, workers=workers, progress=progress, interrupted=interrupted)
        wanted = {trial.key for trial in trials}
        rows = [row for row in store.rows() if row.trial.key in wanted]
    findings = reproduction.findings(rows, scale)
    held = verdicts(expectations(reproduction.name), findings.measured, scale)
    pictures = tuple(_write(out, name, drawing) for name, drawing in findings.drawings.items())
    made = page(
        reproduction,
        findings,
        held,
        scale=scale,
        trials=(len(rows), len(trials)),
        spent=_spent(rows),
        command=_command(reproduction, scale, methods),
    ).write(out / f"{reproduction.name}.html")
    return Reproduced(reproduction.name, scale, swept, tuple(held), made, pictures)


def _chosen(reproduction: Reproduction, scale: str, methods: Sequence[str] | None) -> tuple[str, ...]:
    if scale not in SCALES:
        msg = f"`scale` must be one of {', '.join(SCALES)}; got {scale!r}."
        raise InvalidInput(msg)
    known = reproduction.methods
    if methods is None:
        return known
    if not methods or not set(methods) <= set(known):
        msg = f"`methods` of {reproduction.name} must be among {', '.join(known) or '(none)'}; got {list(methods)}."
        raise InvalidInput(msg)
    return tuple(name for name in known if name in methods)


def _write(out: Path, name: str, drawing: Drawing) -> Path:
    if isinstance(drawing, Chart):
        return drawing.write(out / f"{name}.svg")
    return write_bytes(out / f"{name}.png", png_bytes(drawing))


def _spent(rows: Sequence[Row]) -> float:
    return sum(row.seconds for row in rows)


def _command(reproduction: Reproduction, scale: str, methods: Sequence[str] | None) -> str:
    chosen = "" if methods is None else f" --methods {','.join(methods)}"
    return f"sparsespan reproduce {reproduction.name} --scale {scale}{chosen}"
