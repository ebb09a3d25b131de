"""
Rounding, min ‖Yq‖₁ s.t. ⟨r, q⟩ = 1: ours against SciPy's HiGHS on the dual and on the split form.

    python -m benchmarks.rounding [--quick]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from scipy.optimize import linprog

import sparsespan as ss

from .side_by_side import table

SIZES = ((1000, 20), (5000, 50), (32256, 10), (20000, 100))


def dual_form(basis: np.ndarray, anchor: np.ndarray) -> float:
    """Maximise t s.t. Yᵀu = t r, |u| ≤ 1."""
    size, dim = basis.shape
    equations = np.hstack([basis.T, -anchor[:, None]])
    cost = np.zeros(size + 1)
    cost[-1] = -1.0
    answer = linprog(cost, A_eq=equations, b_eq=np.zeros(dim), bounds=[(-1, 1)] * size + [(0, None)], method="highs")
    return -float(answer.fun)


def split_form(basis: np.ndarray, anchor: np.ndarray) -> float:
    """Minimise Σ(a + b) s.t. Yq = a − b, ⟨r, q⟩ = 1, a, b ≥ 0."""
    size, dim = basis.shape
    identity = np.eye(size) if size <= 2000 else None
    if identity is None:
        from scipy.sparse import bmat, csr_array, eye_array

        unit = eye_array(size)
        equations = bmat([[csr_array(basis), -unit, unit], [csr_array(anchor[None]), None, None]], format="csr")
    else:
        equations = np.block([[basis, -identity, identity], [anchor[None], np.zeros((1, 2 * size))]])
    cost = np.concatenate([np.zeros(dim), np.ones(2 * size)])
    right = np.zeros(size + 1)
    right[-1] = 1.0
    bounds = [(None, None)] * dim + [(0, None)] * (2 * size)
    return float(linprog(cost, A_eq=equations, b_eq=right, bounds=bounds, method="highs").fun)


def timed(call: Callable[..., object], *arguments: object) -> tuple[float, object]:
    """Wall time and value of one call."""
    started = time.perf_counter()
    value = call(*arguments)
    return time.perf_counter() - started, value


def compare(subspace: ss.Subspace, anchor: np.ndarray, *, split: bool) -> list[str]:
    """One row: ours (median of five), HiGHS on the dual, HiGHS on the split form."""
    ss.round_to_vertex(subspace, anchor)
    runs = [timed(ss.round_to_vertex, subspace, anchor) for _ in range(5)]
    own, vertex = float(np.median([took for took, _ in runs])), runs[0][1]
    theirs, value = timed(dual_form, subspace.basis, anchor)
    reached = vertex.l1 / float(anchor @ vertex.point)
    row = [f"{own * 1e3:.1f}", f"{vertex.gap:.0e}", f"{abs(reached / value - 1):.0e}"]
    row += [f"{theirs * 1e3:.0f}", f"{theirs / own:.0f}"]
    if not split:
        return [*row, "", ""]
    longest, _ = timed(split_form, subspace.basis, anchor)
    return [*row, f"{longest * 1e3:.0f}", f"{longest / own:.0f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the two smaller sizes only")
    sizes = SIZES[:2] if parser.parse_args().quick else SIZES
    rows: list[list[object]] = []
    for size, dim in sizes:
        hidden = ss.models.planted(size, dim, size // 5, "gaussian", seed=0)
        subspace = ss.Subspace.span(hidden.columns)
        noise = np.random.default_rng(1).standard_normal(dim) / np.sqrt(dim)
        near = subspace.basis.T @ hidden.truth + 0.3 * noise
        for kind, anchor in (("near the truth", near), ("random", noise)):
            anchor = anchor / np.linalg.norm(anchor)
            rows.append([f"{size} x {dim}", kind, *compare(subspace, anchor, split=kind != "random")])
    columns = ["p x n", "anchor", "ours, ms", "gap", "differs from HiGHS by", "HiGHS dual, ms", "ratio"]
    print(table([*columns, "HiGHS split, ms", "ratio"], rows))


if __name__ == "__main__":
    main()
