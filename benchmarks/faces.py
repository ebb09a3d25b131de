"""
The face bases of the paper's authors: the smallest ℓ¹/ℓ² found, and the time.

    SPARSESPAN_DATA=FOLDER python -m benchmarks.faces

FOLDER holds paper_faces/data.mat and paper_faces/data_persons.mat; by default it is ../shared/data.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from scipy.io import loadmat

import sparsespan as ss

from .side_by_side import table

PUBLISHED = {"data.mat": 106.7, "data_persons.mat": 110.7}  # the best of the four vectors of the paper's figures


def main() -> None:
    folder = Path(os.environ.get("SPARSESPAN_DATA", "../shared/data")) / "paper_faces"
    rows: list[list[object]] = []
    for name, published in PUBLISHED.items():
        columns = loadmat(folder / name)["Y"]
        for seed in range(3):
            started = time.perf_counter()
            found = ss.sparsest(columns, seed=seed)
            took = time.perf_counter() - started
            proved = "yes" if found.certificate.locally_optimal else "no"
            rows.append([name, seed, f"{found.l1:.4f}", proved, published, f"{took:.2f}"])
    print(table(["basis", "seed", "l1/l2", "strict local minimum", "paper's best", "seconds"], rows))


if __name__ == "__main__":
    main()
