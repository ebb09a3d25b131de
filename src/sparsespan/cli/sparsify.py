"""`sparsespan sparsify`: a matrix made sparse by combining its columns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from .nullspace import write_sparse
from .reading import read_matrix
from .running import Interrupt, guarded, progress_bar, writable

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["command"]


def _told(B: Any, C: sparse.csc_array, T: sparse.csc_array, seconds: float) -> dict[str, Any]:
    """What happened, as plain values."""
    counts = np.diff(C.indptr)
    before = B.count_nonzero() if hasattr(B, "count_nonzero") else np.count_nonzero(B)
    return {
        "rows": C.shape[0],
        "columns": C.shape[1],
        "rank": int(np.count_nonzero(counts)),
        "nnz_before": int(before),
        "nnz": int(C.nnz),
        "nnz_combination": int(T.nnz),
        "counts": counts.tolist(),
        "seconds": seconds,
    }


def _text(told: dict[str, Any]) -> str:
    counts = told["counts"][: told["rank"]]
    spread = f"; columns hold {counts[0]} to {counts[-1]}" if counts else ""
    return "\n".join(
        [
            f"{told['rows']}×{told['columns']} matrix of rank {told['rank']}",
            f"nonzeros: {told['nnz_before']} before, {told['nnz']} after{spread}",
            f"combination: {told['nnz_combination']} nonzeros",
            f"time: {told['seconds']:.3g} s",
        ]
    )


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--effort", type=click.Choice(["fast", "default", "max"]), default="default", show_default=True)
@click.option("--tol", type=float, default=1e-10, show_default=True, help="What counts as zero where B is not exact.")
@click.option("--key", help="Which array of a .npz or .mat file.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--deadline", type=click.FloatRange(min=0, min_open=True), help="Seconds for the search.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write C = B·T (.npz, scipy.sparse).")
@click.option("--combination", type=click.Path(path_type=Path, dir_okay=False), help="Write T (.npz, scipy.sparse).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def command(
    path: Path,
    effort: str,
    tol: float,
    key: str | None,
    seed: int,
    deadline: float | None,
    out: Path | None,
    combination: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """
    Make the matrix B in PATH sparse: C = B·T, T invertible.

    PATH is a .npy, .npz, .mat, .csv or .mtx file.
    """
    with guarded():
        from ..nullspace import sparsify
        from ..watch import Watch

        writable(out, combination)
        B, watch = read_matrix(path, key), Watch()
        with Interrupt() as interrupt, progress_bar(hidden=quiet) as progress:
            C, T = sparsify(
                B, effort=effort, seed=seed, tol=tol, deadline=deadline, progress=progress, interrupted=interrupt
            )
        told = _told(B, C, T, watch.seconds)
        for target, matrix in ((out, C), (combination, T)):
            if target is not None:
                write_sparse(target, matrix)
    click.echo(json.dumps(told) if as_json else _text(told))
