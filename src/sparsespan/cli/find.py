"""`sparsespan find`: the sparsest vector of a subspace given in a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from ..result import SparseVector
from .reading import read_subspace
from .running import NOT_CERTIFIED, Interrupt, guarded, progress_bar, writable

__all__ = ["command", "describe"]


def describe(found: SparseVector) -> str:
    """A result in plain words."""
    nonzeros, size = found.support.size, found.vector.size
    shown = ", ".join(str(i) for i in found.support[:12]) + (", ..." if nonzeros > 12 else "")
    lines = [
        f"{nonzeros} nonzeros of {size} (dimension {found.point.size}), 1-norm {found.l1:.8g}",
        f"support: {shown}",
        f"status: {found.status.value} - {found.status.meaning}",
    ]
    if found.status.advice:
        lines.append(f"advice: {found.status.advice}")
    lines += ["certificate:", *map(_claim, found.certificate.statements())]
    lines += [f"dimension: {found.rank}", f"method: {found.method}, {1e3 * found.seconds:.1f} ms"]
    lines += ["runs (best first):"]
    lines += [
        f"  {run.l1:12.6f}  {run.zeros:6d} zeros  {run.steps:5d} steps  {run.multiplicity:4d} x  {run.start}"
        for run in found.runs[:8]
    ]
    if len(found.runs) > 8:
        lines.append(f"  ... and {len(found.runs) - 8} more")
    return "\n".join(lines)


def _claim(statement: tuple[bool, str]) -> str:
    proved, text = statement
    return "  " + (click.style("yes", fg="green") if proved else click.style("no ", fg="yellow")) + f"  {text}"


def _write(found: SparseVector, out: Path | None, html: Path | None, title: str, repeat: str) -> None:
    if out is not None:
        found.save(out)
    if html is not None:
        from ..report import found_page

        found_page(found, title=title, command=repeat).write(html)


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--method", default="auto", show_default=True, help="One of `sparsespan methods`.")
@click.option("--null", is_flag=True, help="The file holds A; search S = null(A) instead of the span of the columns.")
@click.option("--rows", is_flag=True, help="Search the span of the rows of the file.")
@click.option("--mapped", is_flag=True, help="Leave a .npy file on disk and read it block by block.")
@click.option("--key", help="Which array of a .npz or .mat file.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--deadline", type=click.FloatRange(min=0, min_open=True), help="Seconds after which the best so far wins."
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the result (.npz) for `sparsespan.load`."
)
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write a page with pictures.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def command(
    path: Path,
    method: str,
    null: bool,
    rows: bool,
    mapped: bool,
    key: str | None,
    seed: int,
    deadline: float | None,
    out: Path | None,
    html: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """
    Find the sparsest vector of the span of the columns of the matrix in PATH.

    PATH is a .npy, .npz, .mat, .csv or .mtx file.
    """
    with guarded():
        from ..methods import available
        from ..search import sparsest

        if method not in available():
            msg = f"--method must be one of {', '.join(available())}; got {method!r}"
            raise click.UsageError(msg)
        writable(out, html)
        subspace = read_subspace(path, key, null=null, rows=rows, mapped=mapped)
        with Interrupt() as interrupt, progress_bar(hidden=quiet) as progress:
            found = sparsest(subspace, method, seed=seed, deadline=deadline, progress=progress, interrupted=interrupt)
        try:
            _write(found, out, html, path.name, f"sparsespan find {path.name} --method {method} --seed {seed}")
        finally:  # a full disk does not lose the result
            click.echo(
                json.dumps(found.summary() | {"support": found.support.tolist()}) if as_json else describe(found)
            )
    sys.exit(0 if found.certified else NOT_CERTIFIED)
