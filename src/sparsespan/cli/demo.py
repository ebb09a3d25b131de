"""`sparsespan demo`: plant a sparse vector, hide it behind a random basis, find it, and show it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .find import describe
from .running import NOT_CERTIFIED, guarded, writable

__all__ = ["command"]

_SIZE, _DIM, _NONZEROS = 2191, 96, 438  # the paper's largest: p = 5 n log n, a fifth of the entries nonzero


@click.command()
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("demo.html"), show_default=True)
def command(seed: int, out: Path) -> None:
    """Plant a sparse vector, find it, and write a page about it."""
    with guarded():
        from ..kernels import active_kernel
        from ..models import planted
        from ..report import found_page
        from ..search import sparsest
        from ..starts import Rows

        writable(out)
        hidden = planted(_SIZE, _DIM, _NONZEROS, "gaussian", seed=seed)
        kernel = active_kernel()
        click.echo(
            f"planted: {_NONZEROS} Gaussian nonzeros among {_SIZE} entries, hidden in a subspace of dimension {_DIM}\n"
            f"kernel: {kernel.name}" + (f" ({kernel.reason})" if kernel.reason else "")
        )
        sparsest(hidden.columns)  # once for the clock: the first call also loads SciPy
        found = sparsest(hidden.columns, seed=seed)
        click.echo(describe(found))
        click.echo(f"distance from the planted vector: {hidden.error(found.vector):.1e}")
        many = sparsest(hidden.columns, "adm", seed=seed, starts=Rows(most=48), few=48, first=False)
        page = found_page(
            found,
            title="A sparse vector, found in a subspace",
            truth=hidden.truth,
            command=f"sparsespan demo --seed {seed}",
            parameters={"planted nonzeros": _NONZEROS, "values": "Gaussian", "seed": seed},
            more=many,
        ).write(out)
        click.echo(f"page: {page}")
    sys.exit(0 if found.certified else NOT_CERTIFIED)
