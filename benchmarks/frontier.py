"""
How far recovery goes: a grid of planted vectors, several methods on the same instances.

    python -m benchmarks.frontier --out FOLDER [--repeats 10] [--methods auto,paper] [--where n=20,law=5nlogn]
    python -m benchmarks.frontier --out FOLDER --report docs

θ = .1 … .9, n = 20, 50, 100, p = n + 10, 2n, 2n log n, 5n log n, nonzeros that are ones, signs, or Gaussian. It ends
when told to (Ctrl-C) and goes on where it stopped. Two measures: *success* (relative error ≤ 1e-6), and *gap*: the ℓ¹
norm returned is larger than that of the planted vector, so the solver failed, not the formulation. Times are of the
processor, one thread.

`paper` is Theorem 4.1 as the package's phase diagrams run it: it counts as a success as soon as the program of one
limit returns the planted vector, and its gap looks at the 32 limits of smallest ‖Yq‖₁.
"""

from __future__ import annotations

import argparse
import math
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

import sparsespan as ss
from sparsespan.experiments.planted import place
from sparsespan.experiments.protocol import EXACT, follow, follow_all
from sparsespan.experiments.store import Store
from sparsespan.experiments.sweep import sweep
from sparsespan.experiments.trial import Outcome, Row, Trial
from sparsespan.models import Planted, planted
from sparsespan.rounding import round_to_vertex

from .frontier_report import write_report

SHARES = tuple(round(0.1 * i, 1) for i in range(1, 10))
DIMS = (20, 50, 100)
SIZES = {
    "n+10": lambda n: n + 10,
    "2n": lambda n: 2 * n,
    "2nlogn": lambda n: round(2 * n * math.log(n)),
    "5nlogn": lambda n: round(5 * n * math.log(n)),
}
VALUES = ("ones", "signs", "gaussian")
METHODS = ("auto", "paper", "spectral", "fastica")
TIE = 1e-9  # relative, of ℓ¹ norms taken for equal
LIMITS = 32


def trials(repeats: int, methods: Iterable[str], where: dict[str, str]) -> Iterator[Trial]:
    """Every method on every instance of the cells asked for."""
    for law, size in SIZES.items():
        for dim in DIMS:
            for share in SHARES:
                for values in VALUES:
                    cell = {"law": law, "n": dim, "p": size(dim), "share": share, "values": values}
                    if all(str(cell[name]) in wanted.split("|") for name, wanted in where.items()):
                        yield from (Trial("frontier", cell, i, method) for i in range(repeats) for method in methods)


def run(trial: Trial) -> Outcome:
    """Make the instance and run the method; times of the processor, in seconds."""
    known = trial.parameters
    nonzeros = max(1, round(known["share"] * known["p"]))
    hidden = planted(known["p"], known["n"], nonzeros, known["values"], seed=trial.seed)
    started = time.process_time()
    outcome = _paper(hidden) if trial.method == "paper" else _method(hidden, trial.method, trial.seed)
    return {"cpu": time.process_time() - started, **outcome}


def _method(hidden: Planted, method: str, seed: int) -> Outcome:
    found = ss.sparsest(hidden.columns, method, seed=seed)
    error = hidden.error(found.vector)
    return {
        "success": error <= EXACT,
        "gap": error > EXACT and found.l1 > float(np.abs(hidden.truth).sum()) * (1.0 + TIE),
        "certified": found.certified,
        "stage": found.runs[0].stage,
    }


def _paper(hidden: Planted) -> Outcome:
    subspace = ss.Subspace.span(hidden.columns)
    if follow(subspace, *place(subspace, hidden.truth)).exact:
        return {"success": True, "gap": False}
    points = follow_all(subspace).points
    smallest = np.argsort(np.abs(subspace.vectors(points)).sum(axis=0), kind="stable")[:LIMITS]
    norms = (round_to_vertex(subspace, points[:, index]).l1 for index in smallest)
    level = float(np.abs(hidden.truth).sum()) * (1.0 + TIE)
    return {"success": False, "gap": not any(norm <= level for norm in norms)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("sparsespan-results/frontier"))
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--where", default="", help="such as values=ones,n=20|50,law=5nlogn")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--report", type=Path, help="write frontier.md and the pictures into this folder, run nothing")
    wanted = parser.parse_args()
    wanted.out.mkdir(parents=True, exist_ok=True)
    with Store(wanted.out / "trials.sqlite") as store:
        if wanted.report is None:
            where = dict(part.split("=") for part in wanted.where.split(",") if part)
            _run(list(trials(wanted.repeats, wanted.methods.split(","), where)), store, wanted.workers)
        else:
            write_report(list(store.rows()), wanted.report)


def _run(wanted: list[Trial], store: Store, workers: int) -> None:
    stop: list[bool] = []
    signal.signal(signal.SIGINT, lambda *_: stop.append(True))
    sweep(wanted, run, store, workers=workers, progress=_tell, interrupted=lambda: bool(stop))


def _tell(share: float, doing: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{100 * share:5.1f} %  {doing}   ")


def failures(rows: Iterable[Row]) -> Iterator[Row]:
    """The trials without success."""
    return (row for row in rows if not row.outcome.get("success"))


if __name__ == "__main__":
    # The workers import this file by its name, so it must not be __main__ to them.
    from benchmarks.frontier import main as named_main

    named_main()
