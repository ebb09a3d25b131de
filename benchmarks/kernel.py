"""
The batched steps, soft threshold and pull of zero: share of the core's peak, against blocked NumPy, and two threads.

    python -m benchmarks.kernel [--rounds 15]

The peak is that of `fma_peak.cpp`, compiled for this machine; where there is no compiler the rate of a square matrix
product stands in for it, and the table says so. A step counts 4 p n R operations; the function itself comes on top.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one thread is compared with one thread

import numpy as np

from sparsespan.kernels.blocked import add_attracted_blocked, add_blocked
from sparsespan.kernels.dispatch import active_kernel, attract_by, shrink_by
from sparsespan.kernels.fused import Function, fused_kernels

from .side_by_side import table

SIZES = ((1000, 20, 1000), (5000, 50, 500), (32256, 10, 3200), (100000, 50, 64))
PRECISIONS = (np.float64, np.float32)
FUNCTIONS: dict[Function, tuple[Callable[..., object], Callable[..., None], Callable[[int], float]]] = {
    "shrink": (shrink_by, add_blocked, lambda size: size**-0.5),
    "attract": (attract_by, add_attracted_blocked, lambda size: size / 1.2),
}

Peak = Callable[[type[np.floating]], float]


class FmaLoop:
    """The compiled loop, run anew for every figure so that it meets the same mood of the machine."""

    name = "FMA loop"

    def __init__(self, folder: str) -> None:
        compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
        if compiler is None:
            raise FileNotFoundError
        self.program = str(Path(folder) / "fma_peak")
        source = Path(__file__).with_name("fma_peak.cpp")
        subprocess.run([compiler, "-O3", "-march=native", "-o", self.program, str(source)], check=True)

    def __call__(self, precision: type[np.floating]) -> float:
        """Run the loop; in 1e9 operations a second."""
        rates = subprocess.run([self.program], check=True, capture_output=True, text=True).stdout.split()
        return float(rates[PRECISIONS.index(precision)])


class SquareProduct:
    """The rate of one large matrix product of the BLAS library."""

    name = "matrix product"

    def __call__(self, precision: type[np.floating]) -> float:
        """Multiply once; in 1e9 operations a second."""
        factor = np.random.default_rng(0).standard_normal((1500, 1500)).astype(precision)
        started = time.perf_counter()
        factor @ factor
        return 2.0 * 1500**3 / (time.perf_counter() - started) * 1e-9


def seconds_a_call(call: Callable[[], object], least: float = 0.02) -> float:
    """Mean time over as many calls as fill `least` seconds, after one that brings the data in."""
    call()
    started, calls = time.perf_counter(), 0
    while (passed := time.perf_counter() - started) < least or not calls:
        call()
        calls += 1
    return passed / calls


def compare(
    function: Function, shape: tuple[int, int, int], precision: type[np.floating], peak: Peak, rounds: int
) -> list[object]:
    """One row: rates in 1e9 operations a second, the candidates taken alternately."""
    size, dim, starts = shape
    by, in_numpy, level = FUNCTIONS[function]
    rng = np.random.default_rng(0)
    rows = np.ascontiguousarray(np.linalg.qr(rng.standard_normal((size, dim)))[0].astype(precision))
    points = rng.standard_normal((dim, starts))
    points = np.ascontiguousarray((points / np.linalg.norm(points, axis=0)).astype(precision))
    fastest = next(iter(fused_kernels(function).values()), in_numpy)
    calls = {
        "one": partial(by, fastest, rows, points, level(size), 1),
        "two": partial(by, fastest, rows, points, level(size), 2),
        "blocked": partial(by, in_numpy, rows, points, level(size), 1),
    }
    peaks: list[float] = []
    rates: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        peaks.append(peak(precision))
        for name, call in calls.items():
            rates[name].append(4e-9 * size * dim * starts / seconds_a_call(call))
    top, one, two, blocked = median(peaks), *(median(rates[name]) for name in calls)
    return [
        function,
        f"{size} x {dim} x {starts}",
        np.dtype(precision).name,
        *(f"{rate:.0f}" for rate in (top, one)),
        f"{100 * one / top:.0f} %",
        f"{blocked:.0f}",
        f"{one / blocked:.1f}",
        f"{two / one:.2f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        peak: FmaLoop | SquareProduct  # the first that can be had
        try:
            peak = FmaLoop(folder)
        except (OSError, subprocess.CalledProcessError):
            peak = SquareProduct()
        rows = [
            compare(function, shape, precision, peak, rounds)
            for function in FUNCTIONS
            for shape in SIZES
            for precision in PRECISIONS
        ]
    print(f"kernel: {active_kernel().name}; peak: {peak.name}; rates in 1e9 operations a second, one thread\n")
    titles = ["function", "p x n x R", "type", "peak", "kernel", "share", "blocked NumPy", "ratio", "two threads"]
    print(table(titles, rows))


if __name__ == "__main__":
    main()
