"""
The sparsest vector of the authors' two face bases, against the best value of the paper.

    SPARSESPAN_DATA=FOLDER python -m benchmarks.face_bases

FOLDER holds paper_faces/data.mat and paper_faces/data_persons.mat; by default it is ../shared/data.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from scipy.io import loadmat

import sparsespan as ss

from .side_by_side import table

DATA = Path(os.environ.get("SPARSESPAN_DATA", Path(__file__).parents[2] / "shared" / "data")) / "paper_faces"
PAPER = {"data.mat": 106.7, "data_persons.mat": 110.7}  # the smallest l1/l2 of its figures


def main() -> None:
    rows: list[list[object]] = []
    for name, best in PAPER.items():
        columns = loadmat(DATA / name)["Y"]
        started = time.perf_counter()
        found = ss.sparsest(columns)
        rows.append([name, f"{found.l1:.3f}", best, f"{time.perf_counter() - started:.1f}"])
    print(table(["basis", "l1/l2", "the paper's best", "s"], rows))


if __name__ == "__main__":
    main()
