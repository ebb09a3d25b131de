"""
Recovery of a planted vector: how many seeds exactly, and how much faster than Algorithm 1 in plain NumPy.

    python -m benchmarks.recovery [--quick]

The baseline runs the paper's Algorithm 1 from single rows as one would write it down; it is timed on a dozen rows of
each of ten instances and multiplied. Its rounding programs are not counted.
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np

import sparsespan as ss

from .side_by_side import table

SIZES = {20: 300, 50: 978, 96: 2191, 200: 5298}  # n: p = 5 n log n
SHARE = 0.2


def algorithm_one(basis: np.ndarray, row: int, tol: float = 1e-6, max_iter: int = 10_000) -> tuple[np.ndarray, int]:
    """Algorithm 1 from one normalised row, λ = 1/√p."""
    threshold = 1.0 / math.sqrt(len(basis))
    point = basis[row] / np.linalg.norm(basis[row])
    for step in range(1, max_iter + 1):
        values = basis @ point
        shrunk = np.sign(values) * np.maximum(np.abs(values) - threshold, 0.0)
        moved = basis.T @ shrunk
        moved /= np.linalg.norm(moved)
        if np.linalg.norm(moved - point) <= tol:
            return moved, step
        point = moved
    return point, max_iter


def exact(dim: int, values: str, seeds: int) -> tuple[int, float, float]:
    """How many seeds are recovered to 1e-12 and certified, the largest error, and the median time in ms."""
    size, good, worst, times = SIZES[dim], 0, 0.0, []
    for seed in range(seeds):
        hidden = ss.models.planted(size, dim, round(SHARE * size), values, seed=seed)
        started = time.perf_counter()
        found = ss.sparsest(hidden.columns)
        times.append(time.perf_counter() - started)
        error = hidden.error(found.vector)
        good += found.certified and error <= 1e-12
        worst = max(worst, error)
    return good, worst, 1e3 * float(np.median(times))


def against_baseline(dim: int, instances: int, rows: int) -> list[object]:
    """Alternate our whole search with Algorithm 1 from a few rows, on several instances: some rows take very long."""
    size = SIZES[dim]
    ours, theirs, steps = [], [], []
    for seed in range(instances):
        hidden = ss.models.planted(size, dim, round(SHARE * size), "gaussian", seed=seed)
        basis = np.linalg.qr(hidden.columns)[0]
        ss.sparsest(hidden.columns)
        for row in np.random.default_rng(seed).choice(size, rows, replace=False):
            started = time.perf_counter()
            steps.append(algorithm_one(basis, int(row))[1])
            theirs.append(time.perf_counter() - started)
            for _ in range(3):
                started = time.perf_counter()
                ss.sparsest(hidden.columns)
                ours.append(time.perf_counter() - started)
    baseline, own = float(np.mean(theirs)) * size, float(np.median(ours))
    return [dim, size, f"{own * 1e3:.2f}", f"{baseline:.1f}", f"{np.mean(steps):.0f}", f"{baseline / own:.0f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the seeds")
    few = 10 if parser.parse_args().quick else 1
    rows: list[list[object]] = []
    for values, plan in (("gaussian", {20: 100, 50: 100, 96: 100, 200: 20}), ("ones", {20: 50, 50: 50, 96: 50})):
        for dim, seeds in plan.items():
            good, worst, took = exact(dim, values, max(2, seeds // few))
            rows.append([values, dim, SIZES[dim], f"{good} of {max(2, seeds // few)}", f"{worst:.1e}", f"{took:.2f}"])
    print(table(["values", "n", "p", "exact", "largest error", "median ms"], rows), "\n")
    ratios = [against_baseline(dim, 10 // (1 + few // 2), 12) for dim in (50, 96)]
    print(table(["n", "p", "sparsest, ms", "Algorithm 1 from all rows, s", "steps a row", "ratio"], ratios))


if __name__ == "__main__":
    main()
