"""`sparsespan nullspace`: a sparse basis of the null space of a matrix or of a metabolic model."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .reading import read_matrix
from .running import NOT_CERTIFIED, Interrupt, guarded, progress_bar, writable
from .stoichiometry import Model, is_model, read_model

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["command", "shown", "write_sparse"]

_TERMS = 8


def shown(N: sparse.csc_array, names: list[str] | None, count: int) -> list[str]:
    """The first columns as sums of named coordinates, with their number of nonzeros."""
    lines = []
    for k in range(min(count, N.shape[1])):
        part = slice(N.indptr[k], N.indptr[k + 1])
        at, value = N.indices[part].tolist(), N.data[part].tolist()
        terms = [_term(v, names[j] if names else f"x{j}") for j, v in zip(at[:_TERMS], value[:_TERMS], strict=True)]
        rest = f" ... {len(at) - _TERMS} more" if len(at) > _TERMS else ""
        lines.append(f"{len(at):>8}  {' '.join(terms).removeprefix('+ ')}{rest}")
    return lines


def _term(value: float, name: str) -> str:
    size = "" if abs(value) == 1 else f"{abs(value):.6g} "
    return f"{'-' if value < 0 else '+'} {size}{name}"


def write_sparse(path: Path, matrix: sparse.csc_array) -> None:
    """Write a matrix for `scipy.sparse.load_npz`."""
    from scipy.sparse import save_npz

    if path.suffix != ".npz":
        msg = f"the output must be a .npz file, for scipy.sparse.load_npz; got {path.name!r}"
        raise click.UsageError(msg)
    with path.open("wb") as file:
        save_npz(file, matrix)


def _read(path: Path, key: str | None, *, internal: bool, directions: bool) -> tuple[Any, Model | None]:
    if is_model(path):
        model = read_model(path, internal=internal, directions=directions)
        return model.matrix, model
    if internal or directions:
        msg = f"--internal and --directions are for metabolic models (.xml, .json); got {path.name!r}"
        raise click.UsageError(msg)
    return read_matrix(path, key), None


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--effort", type=click.Choice(["fast", "default", "max"]), default="default", show_default=True)
@click.option("--integer", is_flag=True, help="Only coprime integers, or an error.")
@click.option("--internal", is_flag=True, help="Leave out the exchange reactions of a model.")
@click.option("--directions", is_flag=True, help="Keep to the directions that the bounds of a model allow.")
@click.option("--tol", type=float, default=1e-10, show_default=True, help="What counts as zero where A is not exact.")
@click.option("--key", help="Which array of a .npz or .mat file.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--deadline", type=click.FloatRange(min=0, min_open=True), help="Seconds for the search.")
@click.option("--show", type=click.IntRange(min=0), default=10, show_default=True, help="How many vectors to print.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the basis (.npz, scipy.sparse).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def command(
    path: Path,
    effort: str,
    integer: bool,
    internal: bool,
    directions: bool,
    tol: float,
    key: str | None,
    seed: int,
    deadline: float | None,
    show: int,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """
    Compute a sparse basis of the null space of the matrix in PATH.

    PATH is a .npy, .npz, .mat, .csv or .mtx file, or a metabolic model (.xml, .json; extra "metabolic").
    """
    with guarded():
        from ..nullspace import null_space

        writable(out)
        A, model = _read(path, key, internal=internal, directions=directions)
        with Interrupt() as interrupt, progress_bar(hidden=quiet) as progress:
            N, report = null_space(
                A,
                report=True,
                effort=effort,
                signs=model.signs if model and directions else None,
                integer=True if integer else "auto",
                seed=seed,
                tol=tol,
                deadline=deadline,
                progress=progress,
                interrupted=interrupt,
            )
        if out is not None:
            write_sparse(out, N)
    names = model.reactions if model else None
    if as_json:
        told = report.summary() | {"certified": report.certified, "counts": report.counts.tolist()}
        click.echo(json.dumps(told | ({"reactions": names} if names else {})))
    else:
        click.echo("\n".join([str(report), *(["nonzeros  vector"] if show else []), *shown(N, names, show)]))
    sys.exit(0 if report.certified else NOT_CERTIFIED)
