"""`sparsespan faces`: sparse directions of a folder of pictures, as pictures."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .running import NOT_CERTIFIED, Interrupt, guarded, progress_bar, writable

if TYPE_CHECKING:
    from ..experiments.face_study import FaceSpace
    from ..result import SparseBasis

__all__ = ["command", "describe"]

_COUNT = 4  # as in the paper, where the subspace has as many dimensions
_SHOWN = 4  # of the pictures that went in
_WAYS: dict[str, dict[str, bool]] = {"greedy": {}, "joint": {"joint": True}, "independent": {"orthogonal": False}}


def describe(space: FaceSpace, basis: SparseBasis) -> str:
    """What was found, in plain words."""
    lines = [f"{name}: {text}" for name, text in space.told.items()]
    lines.append(f"{len(basis)} of {basis.asked} directions ({basis.kind}) in {basis.seconds:.1f} s")
    for index, one in enumerate(_figures(basis), 1):
        minimum = "strict local minimum" if one["minimum"] else "not proved to be a local minimum"
        lines.append(f"  {index}  1-norm {one['l1']:.2f}  4-norm {one['l4']:.4f}  {one['zeros']} zeros  {minimum}")
    lines.append(f"status: {basis.status.value} - {basis.status.meaning}")
    lines += [f"advice: {basis.status.advice}"] if basis.status.advice else []
    return "\n".join(lines)


def _figures(basis: SparseBasis) -> list[dict[str, Any]]:
    from ..report.portraits import ratios

    rows = []
    for item in basis:
        l1, l4 = ratios(item.vector)
        proof = item.certificate
        rows.append(
            {"l1": l1, "l4": l4, "zeros": proof.zeros, "minimum": proof.locally_optimal, "certified": item.certified}
        )
    return rows


def _summary(space: FaceSpace, basis: SparseBasis, page: Path) -> dict[str, Any]:
    return {
        "pictures": len(space.images.names),
        "shape": list(space.images.shape),
        "told": dict(space.told),
        "dim": space.subspace.dim,
        "way": basis.kind,
        "asked": basis.asked,
        "directions": _figures(basis),
        "sum": basis.l1,
        "certified": basis.certified,
        "status": basis.status.value,
        "meaning": basis.status.meaning,
        "advice": basis.status.advice,
        "seconds": basis.seconds,
        "page": str(page),
    }


def _write(space: FaceSpace, basis: SparseBasis, title: str, out: Path) -> Path:
    from ..report import Picture, faces_page
    from ..report.portraits import grey

    kinds = {"picture": space.images.images, "low-rank part": space.low_rank, "sparse part": space.sparse}
    last = len(space.images.names) - 1
    shown = sorted({round(last * part / (_SHOWN - 1)) for part in range(_SHOWN)})
    inputs = [
        [Picture(grey(pictures[index]), space.images.names[index], kind) for index in shown]
        for kind, pictures in kinds.items()
        if pictures is not None
    ]
    repeat = " ".join(["sparsespan", *_words(click.get_current_context())])
    page = faces_page(basis, space.images.shape, title=title, told=space.told, inputs=inputs, command=repeat)
    return page.write(out)


def _words(context: click.Context) -> list[str]:
    """The command line once more, from what was given and is not the default."""
    words = [str(context.info_name)]
    for option in context.command.params:
        value, name = context.params[str(option.name)], option.opts[-1]
        if value == option.default or option.name in ("out", "save", "as_json", "quiet"):
            continue
        if isinstance(option, click.Argument):
            words += [] if value is None else [value.name]
        else:
            words += [name] if value is True else [name, str(value)] if value not in (None, False) else []
    return words


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--count", type=click.IntRange(min=1), help="How many directions.  [default: 4, or all there are]")
@click.option("--robust", is_flag=True, help="Take shadows and glints away first, by robust PCA.")
@click.option(
    "--rank", type=click.IntRange(min=1), help="Leading directions to keep.  [default: all; 10 with --robust]"
)
@click.option("--mean", is_flag=True, help="Take the mean picture away first.")
@click.option(
    "--way",
    type=click.Choice(list(_WAYS)),
    default="greedy",
    show_default=True,
    help="Orthogonal one by one, orthogonal all at once, or merely independent.",
)
@click.option(
    "--significant",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Stop before a direction that chance would give as well, at this level, such as 0.05.",
)
@click.option("--method", default="adm", show_default=True, help="One of `sparsespan methods`.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--deadline", type=click.FloatRange(min=0, min_open=True), help="Seconds for the search.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("faces.html"),
    show_default=True,
    help="The page.",
)
@click.option(
    "--save", type=click.Path(path_type=Path, dir_okay=False), help="Write the directions (.npz) for `sparsespan.load`."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def command(
    folder: Path | None,
    count: int | None,
    robust: bool,
    rank: int | None,
    mean: bool,
    way: str,
    significant: float | None,
    method: str,
    seed: int,
    deadline: float | None,
    out: Path,
    save: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """
    Find sparse directions in the span of the pictures in FOLDER, and write a page that shows them.

    FOLDER holds PNG, JPEG or PGM files of one size. Without FOLDER the synthetic face is used, under 64 lamps.
    """
    with guarded():
        from ..basis import sparse_basis
        from ..experiments.face_sources import one_person
        from ..experiments.face_study import face_space, later
        from ..experiments.images import read_folder
        from ..methods import available

        if method not in available():
            msg = f"--method must be one of {', '.join(available())}; got {method!r}"
            raise click.UsageError(msg)
        writable(out, save)
        if way == "joint" and significant is not None:
            msg = "--significant and --way joint exclude one another"
            raise click.UsageError(msg)
        images = one_person("synthetic") if folder is None else read_folder(folder)
        with Interrupt() as interrupt, progress_bar(hidden=quiet) as progress:
            space = face_space(images, robust=robust, rank=rank, centred=mean, progress=progress)
            basis = sparse_basis(
                space.subspace,
                min(_COUNT, space.subspace.dim) if count is None else count,
                method,
                significant=significant,
                seed=seed,
                deadline=deadline,
                progress=later(progress),
                interrupted=interrupt,
                **_WAYS[way],
            )
        if save is not None:
            basis.save(save)
        title = "Sparse directions of " + ("a synthetic face" if folder is None else folder.resolve().name)
        page = _write(space, basis, title, out)
    click.echo(json.dumps(_summary(space, basis, page)) if as_json else f"{describe(space, basis)}\npage: {page}")
    sys.exit(0 if basis.certified else NOT_CERTIFIED)
