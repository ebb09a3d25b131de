"""What every command needs around its work: exit codes, errors without traceback, progress, a polite Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Self, TextIO

import click

from ..errors import InvalidInput, SparsespanError
from ..watch import Progress

__all__ = ["BAD_INPUT", "NOT_CERTIFIED", "Interrupt", "guarded", "progress_bar", "writable"]

NOT_CERTIFIED = 3
BAD_INPUT = 4

_PATIENCE = 0.5  # seconds before a bar appears: short runs stay silent


@contextmanager
def guarded() -> Iterator[None]:
    """Turn our errors, and files that cannot be read or written, into one line on stderr and exit code 4."""
    try:
        yield
    except BrokenPipeError:  # whoever reads the output has enough: click ends quietly, with exit code 1
        raise
    except (SparsespanError, OSError, MemoryError) as error:
        text = str(error) or type(error).__name__
        click.echo(f"error: {text}", err=True)
        _silence(sys.stdout)
        sys.exit(BAD_INPUT)


def _silence(stream: TextIO) -> None:
    """Where a stream cannot be written any more, send what it still holds nowhere, so that the exit is quiet."""
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def writable(*paths: Path | None) -> None:
    """Refuse files that could not be written after the search, before it."""
    for path in paths:
        if path is None:
            continue
        folder = path.resolve().parent
        if not folder.is_dir():
            msg = f"`{path}` must lie in a folder that exists; got {str(folder)!r}. Create it first."
            raise InvalidInput(msg)
        if not os.access(path if path.exists() else folder, os.W_OK):
            msg = f"`{path}` must be a file that may be written; got no permission. Choose another place."
            raise InvalidInput(msg)


class Interrupt:
    """
    First Ctrl-C: the run ends with what it has. Second: the program ends at once.

    Use as a context manager and pass the object as ``interrupted``.
    """

    def __init__(self) -> None:
        self._asked = False
        self._previous: Callable[[int, FrameType | None], object] | int | None = None

    def __call__(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self._asked

    def __enter__(self) -> Self:
        self._previous = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._previous)

    def _ask(self, _signal: int, _frame: FrameType | None) -> None:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True
        click.echo("\nending with what is found so far; Ctrl-C again to stop at once", err=True)


@contextmanager
def progress_bar(*, hidden: bool = False) -> Iterator[Progress | None]:
    """A bar on stderr, by rich if installed, once a run lasts; nothing where stderr is not a terminal."""
    if hidden or not sys.stderr.isatty():
        yield None
        return
    bar = _rich_bar() or _plain_bar()
    try:
        yield bar[0]
    finally:
        bar[1]()


def _rich_bar() -> tuple[Progress, Callable[[], None]] | None:
    try:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar
    except ImportError:
        return None
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=1.0)
    started = time.monotonic()

    def tell(share: float, doing: str) -> None:
        if not bar.live.is_started and time.monotonic() - started > _PATIENCE:
            bar.start()
        bar.update(task, completed=share, description=doing)

    return tell, bar.stop


def _plain_bar() -> tuple[Progress, Callable[[], None]]:
    started = time.monotonic()
    shown = [0.0]

    def tell(share: float, doing: str) -> None:
        now = time.monotonic()
        if now - started > _PATIENCE and now - shown[0] > 0.1:
            shown[0] = now
            filled = round(24 * share)
            click.echo(f"\r[{'#' * filled}{'.' * (24 - filled)}] {share:4.0%} {doing:<44.44}", nl=False, err=True)

    def stop() -> None:
        if shown[0]:
            click.echo("\r" + " " * 80 + "\r", nl=False, err=True)

    return tell, stop
