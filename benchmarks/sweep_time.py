"""
How long a reproduction will take: CPU time of a sample of its trials, and what that makes of all on two cores.

    python -m benchmarks.sweep_time psv-k [--scale paper] [--methods auto,paper] [--every 10]

The sample is every so many-th trial in the order in which a sweep runs them, which is shuffled. Trials run in this
process, one after the other, with BLAS at one thread; nothing is stored.
"""

from __future__ import annotations

import argparse
import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("SPARSESPAN_THREADS", "1")

from sparsespan.experiments.reproductions import SCALES, available, named
from sparsespan.experiments.trial import Trial

from .side_by_side import table


def sampled(name: str, trials: list[Trial], every: int) -> list[object]:
    """CPU seconds and successes of every so many-th trial."""
    reproduction, chosen = named(name), sorted(trials, key=lambda trial: trial.place)[::every]
    started, good = time.process_time(), 0
    for trial in chosen:
        good += bool(reproduction.run(trial).get("success"))
    spent = time.process_time() - started
    whole = spent / len(chosen) * len(trials)
    return [len(trials), len(chosen), f"{spent:.1f}", f"{good / len(chosen):.1%}", f"{whole / 120:.1f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=list(available()))
    parser.add_argument("--scale", choices=SCALES, default="paper")
    parser.add_argument("--methods", help="names separated by commas; all by default")
    parser.add_argument("--every", type=int, default=10)
    words = parser.parse_args()
    reproduction = named(words.name)
    rows: list[list[object]] = []
    for method in words.methods.split(",") if words.methods else reproduction.methods:
        trials = list(reproduction.trials(words.scale, (method,)))
        for values in sorted({str(trial.parameters.get("values", "")) for trial in trials}):
            some = [trial for trial in trials if trial.parameters.get("values", "") == values]
            rows.append([method, values, *sampled(words.name, some, words.every)])
    columns = ["method", "nonzeros", "trials", "sampled", "CPU seconds", "successes", "all, minutes on two cores"]
    print(table(columns, rows))


if __name__ == "__main__":
    main()
