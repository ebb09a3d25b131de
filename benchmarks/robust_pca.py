"""Robust PCA of one person's faces: this package beside a plain NumPy version of the same steps.

    python benchmarks/robust_pca.py [FOLDER WITH faces/yaleb_cropped_core.npz]

Without the folder a synthetic matrix of the same size stands in. Runs alternate; the best CPU time of each is told.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

import numpy as np

from sparsespan.subspace.robust import robust_pca

WEIGHT = 5e-3


def plain(data, weight, steps, tol):
    """Run the same augmented Lagrangian as one would write it first: a thin SVD a step."""
    top, whole = np.linalg.norm(data, 2), np.linalg.norm(data)
    multiplier, penalty = data / max(top, np.abs(data).max() / weight), 1.25 / top
    low, taken = np.zeros_like(data), 0
    for _ in range(steps):
        total = data - low + multiplier / penalty
        sparse = np.maximum(total - weight / penalty, 0) + np.minimum(total + weight / penalty, 0)
        u, s, vt = np.linalg.svd(data - sparse + multiplier / penalty, full_matrices=False)
        rank = int(np.count_nonzero(s > 1 / penalty))
        low = (u[:, :rank] * (s[:rank] - 1 / penalty)) @ vt[:rank]
        rest = data - low - sparse
        multiplier = multiplier + penalty * rest
        taken += 1
        penalty *= 1.5
        residual = np.linalg.norm(rest) / whole
        if residual < tol:
            break
    return taken, rank, residual


def faces(folder):
    with np.load(folder / "faces" / "yaleb_cropped_core.npz") as stored:
        lit = (stored["person"] == 1) & np.isfinite(stored["azimuth"])
        return np.stack([image.ravel(order="F") for image in stored["images"][lit]], axis=1) / 255.0


def synthetic():
    rng = np.random.default_rng(0)
    low = rng.standard_normal((32256, 9)) @ rng.standard_normal((9, 64)) / 10
    return np.clip(low + (rng.random((32256, 64)) < 0.2) * rng.standard_normal((32256, 64)), 0, 1)


def timed(function):
    start = process_time()
    answer = function()
    return process_time() - start, answer


def main():
    data = faces(Path(sys.argv[1])) if len(sys.argv) > 1 else synthetic()
    ours, short, full = [], [], []
    for _ in range(4):
        ours.append(timed(lambda: robust_pca(data, weight=WEIGHT)))
        short.append(timed(lambda: plain(data, WEIGHT, 26, 0.0)))
        full.append(timed(lambda: plain(data, WEIGHT, 1000, 1e-7)))
    ours = [(seconds, (split.iterations, split.rank, split.residual)) for seconds, split in ours]
    print(f"{data.shape[0]}×{data.shape[1]}, weight {WEIGHT}")
    for name, runs in (("sparsespan", ours), ("plain, 26", short), ("plain, full", full)):
        taken, rank, residual = runs[0][1]
        print(f"{name:12} {min(t for t, _ in runs):6.2f} s  {taken} steps, rank {rank}, {residual:.1e}")
    print(f"ratio to 26 plain steps: {min(t for t, _ in ours) / min(t for t, _ in short):.2f}")


if __name__ == "__main__":
    main()
