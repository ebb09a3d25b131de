"""
Sparse null-space bases and sparsified matrices beside SciPy, SPQR, cobrapy and networkx, in one run.

    OPENBLAS_NUM_THREADS=1 python -m benchmarks.nullspace [--only metabolic|programs|graphs|random|sparsify] [--quick]

Every candidate runs alone in a process of its own: CPU seconds and peak memory are those of that process, so that
whatever else the machine does plays no role. What is not installed is left out and named; what outlives
--patience is stopped. The metabolic models, programs and networks come from the folder of real data (SPARSESPAN_DATA).
SPQR is used where `pip install sparseqr` can be had.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.linalg
import scipy.sparse as sp

import sparsespan as ss

from .side_by_side import table

DATA = Path(os.environ.get("SPARSESPAN_DATA", Path(__file__).parents[2] / "shared" / "data"))
_SMALL = 1e-9  # entries of a float basis below it, relative to the largest, are not counted as nonzeros


@dataclass
class Run:
    """What one candidate did."""

    told: dict[str, Any]
    seconds: float
    memory: float


def alone(work: Callable[[], dict[str, Any]], patience: float) -> Run | str:
    """Run in a process of its own; a word where it cannot be had or takes too long."""
    receive, send = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_measured, args=(work, send))
    process.start()
    if not receive.poll(patience):
        process.kill()
        process.join()
        return f"> {patience:.0f} s"
    answer: Run | str = receive.recv()
    process.join()
    return answer


def _measured(work: Callable[[], dict[str, Any]], send: Any) -> None:
    started = time.process_time()
    try:
        told = work()
    except ImportError as error:
        send.send(f"{error.name} not installed")
        return
    seconds = time.process_time() - started
    send.send(Run(told, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20))


# -------------------------------------------------------------------------------------------------------- candidates


def counted(N: Any) -> dict[str, Any]:
    """Vectors and nonzeros of a float basis."""
    dense = N.toarray() if sp.issparse(N) else np.asarray(N)
    nonzero = np.abs(dense) > _SMALL * np.abs(dense).max(axis=0, initial=1e-300)
    return {"vectors": dense.shape[1], "nnz": int(np.count_nonzero(nonzero))}


def ours(A: Any, effort: str, signs: np.ndarray | None = None) -> Callable[[], dict[str, Any]]:
    def work() -> dict[str, Any]:
        N, report = ss.null_space(A, effort=effort, signs=signs, report=True)
        units = N / sp.linalg.norm(N, axis=0)
        size = abs(sp.csr_array(A)).sum(axis=1).max()
        residual = float(abs(sp.csr_array(A).astype(float) @ units).max() / size) if N.shape[1] else 0.0
        told = report.summary()
        return told | {"vectors": told["nullity"], "residual": residual, "bound": told["lower_bound"]}

    return work


def by_svd(A: Any) -> Callable[[], dict[str, Any]]:
    return lambda: counted(scipy.linalg.null_space(dense(A)))


def by_qr(A: Any) -> Callable[[], dict[str, Any]]:
    def work() -> dict[str, Any]:
        import sparseqr

        Q, _, _, rank = sparseqr.qr(sp.coo_matrix(sp.csc_array(A).astype(float).T), economy=False)
        return counted(sp.csc_array(Q)[:, rank:])

    return work


def by_cobra(A: Any) -> Callable[[], dict[str, Any]]:
    def work() -> dict[str, Any]:
        from cobra.util.array import nullspace

        return counted(nullspace(dense(A)))

    return work


def by_fast_snp(A: Any, signs: np.ndarray | None = None) -> Callable[[], dict[str, Any]]:
    def work() -> dict[str, Any]:
        from cobra.flux_analysis import nullspace_fast_snp
        from optlang import glpk_interface

        np.random.seed(0)  # noqa: NPY002 - cobrapy draws from NumPy's global generator
        held = np.zeros(A.shape[1]) if signs is None else signs
        free = np.column_stack([-1.0 * (held <= 0), 1.0 * (held >= 0)])
        N = nullspace_fast_snp(glpk_interface, dense(A), free)
        return counted(np.where(np.abs(N) > 1e-6, N, 0.0))  # its own cutoff: below it stands what the programs leave

    return work


def dense(A: Any) -> np.ndarray:
    return A.toarray().astype(float) if sp.issparse(A) else np.asarray(A, dtype=float)


# ---------------------------------------------------------------------------------------------------------- sections


def row(name: str, candidate: str, run: Run | str) -> list[object]:
    if isinstance(run, str):
        return [name, candidate, "", "", "", run, ""]
    told = run.told
    bound = f"{told['bound']}" if "bound" in told else ""
    residual = f"{told['residual']:.0e}" if "residual" in told else ""
    return [name, candidate, told["vectors"], told["nnz"], bound, f"{run.seconds:.3g} s", residual]


HEAD = ["matrix", "candidate", "vectors", "nonzeros", "no basis below", "CPU", "residual"]


def model(name: str, *, internal: bool) -> sp.csc_array:
    parts = np.load(DATA / "metabolic" / f"{name}.npz")
    A = sp.csc_array((parts["data"], parts["indices"], parts["indptr"]), shape=tuple(parts["shape"]))
    return A[:, np.diff(A.indptr) >= 2] if internal else A


def directed() -> tuple[sp.csc_array, np.ndarray]:
    """The internal part of iJO1366 with its directions, without reactions that may not run at all."""
    parts = np.load(DATA / "metabolic" / "iJO1366.npz")
    A = sp.csc_array((parts["data"], parts["indices"], parts["indptr"]), shape=tuple(parts["shape"]))
    kept = (np.diff(A.indptr) >= 2) & ~((parts["lb"] == 0) & (parts["ub"] == 0))
    signs = np.where(parts["lb"] >= 0, 1, np.where(parts["ub"] <= 0, -1, 0))
    return A[:, kept], signs[kept]


def metabolic(options: argparse.Namespace) -> str:
    rows = []
    for name, internal in (("e_coli_core_textbook", True), ("iJO1366", True), ("iJO1366", False)):
        A = model(name, internal=internal)
        title = f"{name}{', internal' if internal else ''} {A.shape[0]}×{A.shape[1]}"
        candidates = {f"sparsespan, {effort}": ours(A, effort) for effort in ("fast", "default", "max")}
        candidates |= {"scipy null_space": by_svd(A), "cobrapy nullspace": by_cobra(A), "SPQR": by_qr(A)}
        if internal and not (options.quick and name == "iJO1366"):
            candidates["cobrapy nullspace_fast_snp"] = by_fast_snp(A)
        rows += [row(title, key, alone(work, options.patience)) for key, work in candidates.items()]
    A, signs = directed()
    candidates = {"sparsespan, default": ours(A, "default", signs), "cobrapy nullspace_fast_snp": by_fast_snp(A, signs)}
    title = f"iJO1366, internal, directed {A.shape[0]}×{A.shape[1]}"
    rows += [row(title, key, alone(work, options.patience)) for key, work in candidates.items()]
    return table(HEAD, rows)


def matrices() -> Iterator[tuple[str, sp.csc_array]]:
    for path in sorted((DATA / "lp").iterdir()):
        if path.suffix == ".npz":
            yield path.stem, sp.csc_array(np.load(path)["A_eq"])
        elif path.suffix == ".mtx":
            yield path.stem, sp.csc_array(scipy.io.mmread(path))


def exact_rank(A: sp.csc_array) -> Callable[[], dict[str, Any]]:
    """Rank over the rationals by FLINT; entries are taken as the decimals that Python prints for them."""

    def work() -> dict[str, Any]:
        from fractions import Fraction

        import flint

        small = A if A.shape[0] <= A.shape[1] else A.T
        numbers = (Fraction(repr(v)) for v in small.toarray().astype(float).ravel().tolist())
        return {"rank": flint.fmpq_mat(*small.shape, [flint.fmpq(v.numerator, v.denominator) for v in numbers]).rank()}

    return work


def programs(options: argparse.Namespace) -> str:
    rows = []
    for name, A in matrices():
        large = A.shape[1] > 2000
        found = alone(ours(A, "default"), options.patience)
        rank = "FLINT left out" if large else alone(exact_rank(A), options.patience)
        others = [alone(work(A), options.patience) for work in (by_svd, by_qr)] if not (large and options.quick) else []
        assert isinstance(found, Run)
        expected = A.shape[1] - rank.told["rank"] if isinstance(rank, Run) else rank
        shares = [
            f"{other.told['nnz']} ({found.told['nnz'] / other.told['nnz']:.0%})" if isinstance(other, Run) else other
            for other in others
        ] or ["", ""]
        told = found.told
        size = f"{A.shape[0]}×{A.shape[1]}"
        cells = [name, size, told["nullity"], expected, told["nnz"], told["bound"], f"{told['residual']:.0e}"]
        rows.append([*cells, f"{found.seconds:.2g} s", *shares])
    head = ["matrix", "size", "vectors", "exact nullity", "nonzeros", "no basis below", "residual", "CPU"]
    return table([*head, "SVD (our share)", "SPQR (our share)"], rows)


def incidence(edges: list[tuple[int, int]], nodes: int) -> sp.csc_array:
    ends = np.array(edges).T
    count = ends.shape[1]
    places = (ends.ravel(), np.tile(np.arange(count), 2))
    return sp.csc_array((np.repeat([1, -1], count), places), shape=(nodes, count))


def networks() -> Iterator[tuple[str, list[tuple[int, int]], int]]:
    import networkx as nx

    for nodes, edges in ((50, 80), (100, 160), (200, 300), (300, 420)):
        for seed in range(3):
            graph = nx.gnm_random_graph(nodes, edges, seed=seed)
            yield f"gnm({nodes}, {edges}), seed {seed}", list(graph.edges), nodes
    for path in sorted((DATA / "graphs").glob("*.npz"), key=lambda path: path.stat().st_size):
        parts = np.load(path)
        simple = sorted({(min(e), max(e)) for e in parts["edges"].tolist() if e[0] != e[1]})
        yield path.stem, simple, int(parts["n_nodes"])


def by_networkx(edges: list[tuple[int, int]]) -> Callable[[], dict[str, Any]]:
    def work() -> dict[str, Any]:
        import networkx as nx

        cycles = nx.minimum_cycle_basis(nx.Graph(edges))
        return {"vectors": len(cycles), "nnz": sum(map(len, cycles))}

    return work


def graphs(options: argparse.Namespace) -> str:
    rows = []
    for name, edges, nodes in networks():
        if options.quick and nodes > 200:
            continue
        found = alone(ours(incidence(edges, nodes), "default"), options.patience)
        other = alone(by_networkx(edges), options.patience)
        assert isinstance(found, Run)
        known = isinstance(other, Run)
        seconds = other.seconds if known else options.patience
        ratio = f"{'' if known else '> '}{seconds / found.seconds:.0f}×"
        length = other.told["nnz"] if known else other
        cells = [name, found.told["nullity"], found.told["nnz"], found.told["bound"], length]
        rows.append([*cells, f"{found.seconds:.2g} s", f"{seconds:.3g} s" if known else other, ratio])
    head = ["graph", "cycles", "total length", "no basis below", "networkx", "CPU", "CPU networkx", "ratio"]
    return table(head, rows)


def random(options: argparse.Namespace) -> str:
    A = sp.random_array((3000, 15000), density=0.001, format="csc", rng=np.random.default_rng(0))
    candidates = {f"sparsespan, {effort}": ours(A, effort) for effort in ("fast", "default")}
    if not options.quick:
        candidates |= {"SPQR": by_qr(A), "scipy null_space": by_svd(A)}
    rows = []
    for name, work in candidates.items():
        run = alone(work, options.patience)
        rows.append([*row("random 3000×15000, 0.1 %", name, run), f"{run.memory:.2f}" if isinstance(run, Run) else ""])
    return table([*HEAD, "peak GB"], rows)


def planted(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    S = np.where(rng.random((200, 20)) < 0.1, rng.standard_normal((200, 20)), 0)
    return S, S @ rng.standard_normal((20, 20))


def sparsified(B: Any, S: np.ndarray | None = None) -> Callable[[], dict[str, Any]]:
    def work() -> dict[str, Any]:
        C, T = ss.sparsify(B)
        sums = np.abs(dense(B)) @ np.abs(T.toarray())
        wrong = np.abs(dense(B) @ T.toarray() - C.toarray()) / np.maximum(sums, 1e-300)
        told = {"nnz": C.nnz, "error": float(wrong.max(initial=0.0)), "same": ""}
        if S is not None:
            cosines = np.abs(C.toarray().T @ (S / np.linalg.norm(S, axis=0)))
            told["same"] = bool(C.nnz == np.count_nonzero(S) and np.allclose(cosines.max(axis=0), 1, atol=1e-12))
        return told

    return work


def sparsify(options: argparse.Namespace) -> str:
    rows: list[list[object]] = []
    runs = [alone(sparsified(B, S), options.patience) for S, B in map(planted, range(20))]
    done = [run for run in runs if isinstance(run, Run)]
    recovered = sum(bool(run.told["same"]) for run in done)
    seconds, error = np.median([run.seconds for run in done]), max(run.told["error"] for run in done)
    rows.append(
        ["planted 200×20, 10 %, 20 seeds", "", f"S itself on {recovered} of 20", f"{seconds:.2g} s", f"{error:.0e}"]
    )
    S, _ = planted(0)
    rng = np.random.default_rng(1)
    cases = {
        "the planted S itself": sp.csc_array(S),
        "rank 20 in 30 columns": S @ rng.standard_normal((20, 30)),
        "generic 100×10": rng.standard_normal((100, 10)),
    }
    cases |= {f"{name}ᵀ": A.T.tocsc() for name, A in matrices() if A.shape[0] < 250} if DATA.is_dir() else {}
    cases |= {"iJO1366ᵀ": model("iJO1366", internal=False).T.tocsc()} if DATA.is_dir() else {}
    for name, B in cases.items():
        run = alone(sparsified(B), options.patience)
        assert isinstance(run, Run)
        before = int(np.count_nonzero(dense(B)))
        size = f"{name} {B.shape[0]}×{B.shape[1]}"
        rows.append([size, before, run.told["nnz"], f"{run.seconds:.2g} s", f"{run.told['error']:.0e}"])
    return table(["matrix", "nonzeros before", "after", "CPU", "largest error of C = BT beside what was summed"], rows)


SECTIONS: dict[str, Callable[[argparse.Namespace], str]] = {
    "metabolic": metabolic,
    "programs": programs,
    "graphs": graphs,
    "random": random,
    "sparsify": sparsify,
}


def warm_up() -> None:
    """Load what candidates load before anything is measured."""
    ss.null_space([[1, 1]])
    ss.sparsify([[1.5], [np.pi]])
    for name in ("cobra.flux_analysis", "networkx", "sparseqr", "flint"):
        with suppress(ImportError):
            import_module(name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--only", choices=SECTIONS)
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    parser.add_argument("--patience", type=float, default=600.0, help="wall seconds for one candidate")
    options = parser.parse_args()
    warm_up()
    for name, section in SECTIONS.items():
        if options.only in (None, name):
            print(f"## {name}\n\n{section(options)}\n", flush=True)


if __name__ == "__main__":
    main()
