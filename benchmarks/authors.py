"""
The protocol of the paper's phase diagrams on instances that fail its test: ours against the posted loop in plain NumPy.

    python -m benchmarks.authors [--quick]

The posted code follows each row by itself until it moves by less than 1e-5 or 5000 steps are done, and ends at the
first that passes 1 − |cos| ≤ 1e-4; where none does, all p rows are followed. Here its loop is written down in NumPy,
timed on rows drawn at random, and multiplied by p. Ours is timed whole, twice: all rows to the end, in one batch; and
as the sweeps run it, where a start that has reached the fixed point at the truth ends the instance, because both tests
are decided there. CPU time of the process with BLAS at one thread.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable

import numpy as np

os.environ.setdefault("SPARSESPAN_THREADS", "1")

import sparsespan as ss
from sparsespan.experiments.planted import place
from sparsespan.experiments.protocol import follow, follow_all

from .recovery import algorithm_one
from .side_by_side import table

_TOL, _MAX_ITER, _POSTED = 1e-5, 5000, 1e-4
_CASES = ((96, 2191, 438, "gaussian"), (96, 2191, 581, "ones"))  # n, p, k: one in five Gaussian; ones beyond the edge


def spent(call: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    started = time.process_time()
    call()
    return time.process_time() - started


def against_the_loop(dim: int, size: int, nonzeros: int, values: str, rows: int) -> list[object]:
    """Alternate the loop from one row with ours from all."""
    hidden = ss.models.planted(size, dim, nonzeros, values, seed=0)
    subspace = ss.Subspace.span(hidden.columns)
    truth, vertex = place(subspace, hidden.truth)
    follow(subspace, truth, vertex)  # the first call also loads SciPy
    theirs, whole, sweep, best = [], [], [], 0.0
    for row in np.random.default_rng(0).choice(size, rows, replace=False):
        started = time.process_time()
        limit, _ = algorithm_one(subspace.basis, int(row), _TOL, _MAX_ITER)
        theirs.append(time.process_time() - started)
        best = max(best, abs(float(limit @ truth)))
    for _ in range(3):
        whole.append(spent(lambda: follow_all(subspace)))
        sweep.append(spent(lambda: follow(subspace, truth, vertex)))
    assert 1.0 - best > _POSTED, "the instance must fail, or the loop would not follow all rows"
    loop, batch, early = float(np.mean(theirs)) * size, float(np.median(whole)), float(np.median(sweep))
    told = f"{values}, k = {nonzeros}", f"{loop:.1f}", f"{batch:.2f}", f"{early:.3f}"
    return [*told, f"{loop / batch:.0f}", f"{loop / early:.0f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer rows")
    rows = 8 if parser.parse_args().quick else 48
    ours = ["ours, all rows, s", "ours in sweeps, s", "ratio", "ratio in sweeps"]
    columns = ["n = 96, p = 2191", "loop, all rows, s", *ours]
    print(table(columns, [against_the_loop(*case, rows) for case in _CASES]))


if __name__ == "__main__":
    main()
