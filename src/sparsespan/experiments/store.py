"""Where finished trials are kept: one SQLite file, one row a trial, each written as soon as it is known."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from .. import __version__
from ..errors import InvalidInput
from .trial import Row, Trial

__all__ = ["Store"]

_FORMAT = "1"
# A commit in the write-ahead log is an append without waiting for the disk. What was committed survives the death of
# the process; a power cut may take the last rows, which are then computed again, but never damages the file. The lock
# is held as long as the store is open, and the system drops it with the process: no second run can repeat our trials.
_SETTINGS = ("PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL")
_TABLES = (
    "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS trials (experiment TEXT NOT NULL, parameters TEXT NOT NULL, seed INTEGER NOT NULL,"
    " method TEXT NOT NULL, repeat INTEGER NOT NULL, outcome TEXT NOT NULL, seconds REAL NOT NULL,"
    " PRIMARY KEY (experiment, parameters, seed, method)) WITHOUT ROWID",
)


class Store:
    """
    The trials of one folder, open for one process at a time; a context manager.

    Parameters
    ----------
    path : Path
        The file; made where it does not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._base = sqlite3.connect(path, timeout=1.0, isolation_level=None)
            self._prepare()
        except sqlite3.Error as error:
            msg = (
                f"`out` must be a folder in which {path.name} can be written by this run alone; got {path.parent} "
                f"({error}). Wait for the other run, or choose another folder."
            )
            raise InvalidInput(msg) from error

    def _prepare(self) -> None:
        for statement in _SETTINGS:
            self._base.execute(statement)
        self._base.execute("BEGIN IMMEDIATE")
        for statement in _TABLES:
            self._base.execute(statement)
        facts = dict(self._base.execute("SELECT name, value FROM facts"))
        ours = {"format": _FORMAT, "version": __version__}
        if not facts:
            self._base.executemany("INSERT INTO facts VALUES (?, ?)", ours.items())
        self._base.execute("COMMIT")
        if facts and facts != ours:
            self.close()
            msg = (
                f"the store in `out` must come from this version, {__version__}; got {_told(facts)} in {self.path}. "
                "Rows of two versions do not mix: choose another folder, or delete this one."
            )
            raise InvalidInput(msg)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Fold the log into the file and let go of it."""
        self._base.close()

    def add(self, row: Row) -> None:
        """Keep a row, for good; a trial that is there already is refused by the table itself."""
        experiment, parameters, seed, method = row.trial.key
        outcome = json.dumps(dict(row.outcome), sort_keys=True, allow_nan=False)
        values = (experiment, parameters, seed, method, row.trial.repeat, outcome, row.seconds)
        self._base.execute("INSERT INTO trials VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def done(self) -> set[tuple[str, str, int, str]]:
        """The keys of all rows."""
        return set(self._base.execute("SELECT experiment, parameters, seed, method FROM trials"))

    def rows(self) -> Iterator[Row]:
        """All rows, in the order of their keys."""
        columns = "experiment, parameters, repeat, method, outcome, seconds"
        found = self._base.execute(f"SELECT {columns} FROM trials ORDER BY experiment, parameters, seed, method")
        for experiment, parameters, repeat, method, outcome, seconds in found:
            yield Row(Trial(experiment, json.loads(parameters), repeat, method), json.loads(outcome), seconds)


def _told(facts: dict[str, str]) -> str:
    """Say what a store says about itself."""
    return f"version {facts.get('version', 'unknown')}, format {facts.get('format', 'unknown')}"
