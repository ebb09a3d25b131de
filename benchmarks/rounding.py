"""
Rounding, min ‖Yq‖₁ s.t. ⟨r, q⟩ = 1: ours against SciPy's HiGHS on the dual and on the split form.

    python -m benchmarks.rounding [--quick]
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from scipy.optimize import linprog

import sparsespan as ss

from .side_by_side import table

SIZES = ((1000, 20), (5000, 50), (32256, 10), (20000, 100))


def dual_form(basis: np.ndarray, anchor: np.ndarray) -> float:
    """max t s.t. Yᵀu = t r, |u| ≤ 1."""
    size, dim = basis.shape
    equations = np.hstack([basis.T, -anchor[:, None]])
    cost = np.zeros(size + 1)
    cost[-1] = -1.0
    answer = linprog(cost, A_eq=equations, b_eq=np.zeros(dim), bounds=[(-1, 1)] * size + [(0, None)], method="highs")
    return -float(answer.fun)


def split_form(basis: np.ndarray, anchor: np.ndarray) -> float:
    """min Σ(a + b) s.t. Yq = a − b, ⟨r, q⟩ = 1, a, b ≥ 0."""
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


def timed(call) -> tuple[float, float]:  # noqa: ANN001
    started = time.perf_counter()
    value = call()
    return time.perf_counter() - started, value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the two smaller sizes only")
    sizes = SIZES[:2] if parser.parse_args().quick else SIZES
    rows: list[list[object]] = []
    for size, dim in sizes:
        hidden = ss.models.planted(size, dim, size // 5, "gaussian", seed=0)
        subspace = ss.Subspace.span(hidden.columns)
        for kind in ("planted", "generic"):
            rng = np.random.default_rng(1)
            anchor = subspace.basis.T @ hidden.truth if kind == "planted" else np.zeros(dim)
            anchor = anchor + (0.3 if kind == "planted" else 1.0) * rng.standard_normal(dim) / np.sqrt(dim)
            anchor /= np.linalg.norm(anchor)
            ss.round_to_vertex(subspace, anchor)
            ours = []
            for _ in range(5):
                took, vertex = timed(lambda: ss.round_to_vertex(subspace, anchor))
                ours.append(took)
            theirs, value = timed(lambda: dual_form(subspace.basis, anchor))
            split, _ = timed(lambda: split_form(subspace.basis, anchor)) if kind == "planted" else (float("nan"), 0.0)
            own = float(np.median(ours))
            reached = vertex.l1 / float(anchor @ vertex.point)
            rows.append(
                [f"{size} x {dim}", kind, f"{own * 1e3:.1f}", f"{vertex.gap:.0e}", f"{abs(reached / value - 1):.0e}"]
                + [f"{theirs * 1e3:.0f}", f"{theirs / own:.0f}"]
                + ([f"{split * 1e3:.0f}", f"{split / own:.0f}"] if kind == "planted" else ["", ""])
            )
            print(rows[-1], flush=True)
    columns = ["p x n", "anchor", "ours, ms", "gap", "differs from HiGHS by", "HiGHS dual, ms", "ratio"]
    print(table([*columns, "HiGHS split, ms", "ratio"], rows))


if __name__ == "__main__":
    main()
