"""`sparsespan compare`: several methods on one subspace, side by side."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .reading import read_subspace
from .running import NOT_CERTIFIED, Interrupt, guarded, progress_bar, writable

if TYPE_CHECKING:
    from ..experiments.compare import Comparison, Entry

__all__ = ["command", "describe"]

_HEAD = f"{'method':<16} {'time':>11} {'1-norm':>12} {'nonzeros':>9} {'zeros':>7}  {'certificate':<13} ended"


def _line(entry: Entry) -> str:
    if entry.seconds is None:
        return f"{entry.method:<16} {entry.error}"
    certificate = "holds" if entry.certified else "does not hold"
    notes = "".join(f", {name} {value:.6g}" for name, value in entry.notes.items())
    return (
        f"{entry.method:<16} {1e3 * entry.seconds:8.1f} ms {entry.l1:12.6f} {entry.nonzeros:9d} {entry.zeros:7d}  "
        f"{certificate:<13} {entry.status}{notes}"
    )


def describe(comparison: Comparison) -> str:
    """A comparison as a plain table, best first."""
    head = f"dimension {comparison.dim} in {comparison.size} entries; {comparison.subspace}"
    return "\n".join([head, _HEAD, *(_line(entry) for entry in comparison.entries)])


def _names(methods: str) -> list[str]:
    from ..methods import available

    names = [name.strip() for name in methods.split(",") if name.strip()]
    unknown = [name for name in names if name not in available()]
    if unknown or not names:
        msg = f"--methods must be names among {', '.join(available())}; got {methods!r}"
        raise click.UsageError(msg)
    return names


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--methods", help="Names separated by commas; all by default.")
@click.option("--null", is_flag=True, help="The file holds A; search S = null(A) instead of the span of the columns.")
@click.option("--rows", is_flag=True, help="Search the span of the rows of the file.")
@click.option("--mapped", is_flag=True, help="Leave a .npy file on disk and read it block by block.")
@click.option("--key", help="Which array of a .npz or .mat file.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--deadline",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds for each method.",
)
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write a page with pictures.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def command(
    path: Path,
    methods: str | None,
    null: bool,
    rows: bool,
    mapped: bool,
    key: str | None,
    seed: int,
    deadline: float,
    html: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """
    Run several methods on the subspace in PATH; time, 1-norm, zeros and certificate of each, best first.

    PATH is a .npy, .npz, .mat, .csv or .mtx file. A method that cannot run here says why.
    """
    with guarded():
        from ..experiments.compare import compare

        names = None if methods is None else _names(methods)
        writable(html)
        subspace = read_subspace(path, key, null=null, rows=rows, mapped=mapped)
        with Interrupt() as interrupt, progress_bar(hidden=quiet) as progress:
            comparison = compare(
                subspace, names, seed=seed, deadline=deadline, progress=progress, interrupted=interrupt
            )
        if html is not None:
            from ..report import compared_page

            chosen = "" if methods is None else f" --methods {methods}"
            repeat = f"sparsespan compare {path.name}{chosen} --seed {seed} --deadline {deadline:g}"
            compared_page(comparison.summary(), title=f"Methods side by side: {path.name}", command=repeat).write(html)
    click.echo(json.dumps(comparison.summary()) if as_json else describe(comparison))
    sys.exit(0 if any(entry.certified for entry in comparison.entries) else NOT_CERTIFIED)
