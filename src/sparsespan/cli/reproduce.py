"""`sparsespan reproduce`: a figure or table of the paper, run again and held against what is expected."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .running import NOT_CERTIFIED, Interrupt, guarded, progress_bar

if TYPE_CHECKING:
    from ..experiments.reproductions import Reproduced, Reproduction, Scale

__all__ = ["command"]


def _listing(as_json: bool) -> str:
    from ..experiments.reproductions import available

    known = available().values()
    if as_json:
        return json.dumps(
            [{"name": r.name, "source": r.source, "title": r.title, "methods": list(r.methods)} for r in known]
        )
    return "\n".join(f"{one.name:<14} {one.source:<20} {one.title}" for one in known)


def _named(name: str) -> Reproduction:
    from ..experiments.reproductions import available

    if name not in available():
        msg = f"NAME must be one of {', '.join(available())}; got {name!r}"
        raise click.UsageError(msg)
    return available()[name]


def _methods(reproduction: Reproduction, methods: str | None) -> list[str] | None:
    if methods is None:
        return None
    names = [name.strip() for name in methods.split(",") if name.strip()]
    if not names or not set(names) <= set(reproduction.methods):
        msg = f"--methods of {reproduction.name} must be names among {', '.join(reproduction.methods)}; got {methods!r}"
        raise click.UsageError(msg)
    return names


def _told(done: Reproduced) -> str:
    swept = done.swept
    lines = [
        f"{swept.before + swept.now} of {swept.total} trials done, {swept.now} of them now in {swept.seconds:.1f} s"
    ]
    words = {True: "met", False: "differs", None: "not measured"}
    for verdict in done.verdicts:
        value = "" if verdict.measured is None else f"{verdict.measured:.5g} "
        lines.append(f"{words[verdict.met]:<13} {verdict.expected.says}: {value}(expected {verdict.bounds})")
    lines += [f"page: {done.page}", *(f"picture: {picture}" for picture in done.pictures)]
    if not swept.complete:
        lines.append("interrupted: what is done is stored; the same command does the rest")
    return "\n".join(lines)


@click.command()
@click.argument("name", required=False)
@click.option("--list", "list_all", is_flag=True, help="List what can be reproduced.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the results.  [default: sparsespan-results/NAME]",
)
@click.option("--scale", type=click.Choice(["small", "paper", "large"]), default="small", show_default=True)
@click.option("--methods", help="Names separated by commas; all that --list --json names by default.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes.  [default: one a core]")
@click.option(
    "--data",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of the real faces; the synthetic set without.  [default: SPARSESPAN_DATA, or ../shared/data]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def command(
    name: str | None,
    list_all: bool,
    out: Path | None,
    scale: Scale,
    methods: str | None,
    workers: int | None,
    data: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """
    Reproduce the figure or table NAME of the paper: run, draw, and compare with what is expected.

    Finished trials are kept in the folder of the results: after Ctrl-C, or worse, the same command goes on where it
    was. Exit code 0: complete and as expected; 3: something is missing or differs.
    """
    if name is None or list_all:
        with guarded():
            click.echo(_listing(as_json))
        return
    with guarded():
        from ..experiments.face_sources import data_from
        from ..experiments.reproductions import reproduce
        from ..kernels.threads import usable_threads

        chosen = _named(name)
        with data_from(data), Interrupt() as interrupt, progress_bar(hidden=quiet) as progress:
            done = reproduce(
                chosen,
                out or Path("sparsespan-results") / name,
                scale=scale,
                methods=_methods(chosen, methods),
                workers=workers or usable_threads(),
                progress=progress,
                interrupted=interrupt,
            )
    click.echo(json.dumps(done.summary()) if as_json else _told(done))
    sys.exit(0 if done.as_expected else NOT_CERTIFIED)
