"""
Four questions beside the frontier: signs without the lattice, noise, chance, and the bound for all vectors.

    python -m benchmarks.limits [--repeats 10]

Times are of the processor. The lattice is left out by `effort=0`, which also leaves out thermal motion.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator

import numpy as np
from scipy.stats import kstest

import sparsespan as ss

from .side_by_side import table

SIGNS = ((20, None, 0.2), (50, None, 0.2), (100, None, 0.2), (20, 2000, 0.5))
NOISE = (1e-3, 1e-2)


def signs(repeats: int) -> Iterator[list[object]]:
    """Instances recovered by the light parts alone."""
    for dim, given, share in SIGNS:
        size = given or round(5 * dim * math.log(dim))
        good, times = 0, []
        for seed in range(repeats):
            hidden = ss.models.planted(size, dim, round(share * size), "signs", seed=seed)
            started = time.process_time()
            found = ss.sparsest(hidden.columns, effort=0)
            times.append(time.process_time() - started)
            good += hidden.error(found.vector) <= 1e-6
        yield [dim, size, share, f"{good} of {repeats}", f"{1e3 * np.median(times):.0f}"]


def noise(repeats: int) -> Iterator[list[object]]:
    """Error over the size of the noise, recall and precision of the support, at θ = .2, n = 50, p = 978."""
    for values in ("gaussian", "ones", "signs"):
        for size in NOISE:
            rows = [_noisy(values, size, seed) for seed in range(repeats)]
            error, recall, precision, took, exact = np.array(rows).T
            figures = [f"{error.max():.2f}", f"{recall.min():.3f}", f"{precision.min():.3f}"]
            yield [values, f"{size:.0e}", *figures, int(exact.sum()), f"{1e3 * np.median(took):.0f}"]


def _noisy(values: str, size: float, seed: int) -> tuple[float, float, float, float, float]:
    hidden = ss.models.planted(978, 50, 196, values, seed=seed)
    added = np.random.default_rng(seed).standard_normal(hidden.columns.shape)
    columns = hidden.columns + added * (size * np.linalg.norm(hidden.columns) / np.linalg.norm(added))
    started = time.process_time()
    found = ss.sparsest(columns)
    took = time.process_time() - started
    true = set(np.flatnonzero(hidden.truth))
    said = set() if found.estimate is None else set(found.estimate.support)
    both = len(true & said)
    return hidden.error(found.vector) / size, both / len(true), both / max(1, len(said)), took, found.certified


def chance(method: str, null: int, trials: int) -> list[object]:
    """The p-values of random subspaces, held against the uniform law, and that of a planted vector."""
    rng = np.random.default_rng(0)
    options = {"effort": 0} if method == "auto" else {}
    found = [ss.sparsest(rng.standard_normal((90, 6)), method, **options) for _ in range(trials)]
    values = np.array([one.significance(trials=null).p_value for one in found])
    hidden = ss.models.planted(90, 6, 18, "gaussian", seed=0)
    planted = ss.sparsest(hidden.columns, method, **options).significance(trials=null).p_value
    uniform = kstest(values, "uniform").pvalue
    return [method, trials, null, f"{uniform:.2f}", f"{np.mean(values <= 0.05):.3f}", f"{planted:.4f}"]


def bound() -> list[object]:
    """The lower bound on the nonzeros of all vectors of a random subspace."""
    columns = np.random.default_rng(0).standard_normal((20_000, 20))
    started = time.process_time()
    least = ss.sparsity_lower_bound(columns)
    return [20, 20_000, least.nonzeros, f"{least.nonzeros / 200:.1f} %", f"{time.process_time() - started:.1f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=10)
    repeats = parser.parse_args().repeats
    print(table(["n", "p", "θ", "signs, no lattice", "median ms"], list(signs(repeats))), "\n")
    titles = [
        "values",
        "noise",
        "error / noise, worst",
        "recall, worst",
        "precision, worst",
        "called exact",
        "median ms",
    ]
    print(table(titles, list(noise(repeats))), "\n")
    titles = ["method", "random subspaces", "of the null", "uniform by Kolmogorov–Smirnov: p", "share with p ≤ .05"]
    rows = [chance("spectral", 200 * repeats - 1, 20 * repeats), chance("auto", 50 * repeats - 1, 20 * repeats)]
    print(table([*titles, "p of a planted vector"], rows), "\n")
    print(table(["n", "p", "every vector has at least", "share of p", "s"], [bound()]))


if __name__ == "__main__":
    main()
