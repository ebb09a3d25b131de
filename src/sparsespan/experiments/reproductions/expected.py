"""The figures expected, from ``reproductions/NAME/expected.toml``, and whether what was measured meets them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ...checks import is_number
from ...errors import InvalidInput
from .base import SCALES

__all__ = ["Expectation", "expectations", "read_expectations"]


@dataclass(frozen=True)
class Expectation:
    """
    One figure with its bounds.

    Attributes
    ----------
    figure : str
        Its name in `Findings.measured`.
    says : str
        What it is.
    source : str
        Who says so: a place in the paper, or a goal of ours.
    at_least, at_most : float or None
        The bounds, both included.
    scales : tuple of str
        At which scales it is expected.
    """

    figure: str
    says: str
    source: str
    at_least: float | None = None
    at_most: float | None = None
    scales: tuple[str, ...] = SCALES

    def __post_init__(self) -> None:
        object.__setattr__(self, "scales", tuple(self.scales))
        bounds = [bound for bound in (self.at_least, self.at_most) if bound is not None]
        if not bounds or not all(map(is_number, bounds)):
            msg = f"`{self.figure}` must have `at_least` or `at_most`, both numbers; got {bounds}."
            raise InvalidInput(msg)
        if not set(self.scales) <= set(SCALES):
            msg = f"`scales` of `{self.figure}` must be among {', '.join(SCALES)}; got {self.scales}."
            raise InvalidInput(msg)

    def met(self, value: float) -> bool:
        """Whether a measured figure lies within the bounds; NaN does not."""
        above = self.at_least is None or value >= self.at_least
        return above and (self.at_most is None or value <= self.at_most)


def expectations(name: str) -> tuple[Expectation, ...]:
    """Give the figures expected of a reproduction; none where it has no file."""
    package = Path(__file__).resolve().parents[2]  # of an editable install `importlib.resources` knows no single folder
    # A wheel carries the folder inside the package (see wheel.packages in pyproject.toml), a clone beside its sources.
    for folder in (package / "reproductions", package.parents[1] / "reproductions"):
        path = folder / name / "expected.toml"
        if path.is_file():
            return read_expectations(path)
    return ()


def read_expectations(path: Path) -> tuple[Expectation, ...]:
    """Read ``[[expected]]`` tables whose keys are the fields of `Expectation`."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        msg = f"{path} must be TOML; got: {error}."
        raise InvalidInput(msg) from error
    tables = content.get("expected", [])
    found = tuple(_one(path, table) for table in tables)
    if len({one.figure for one in found}) != len(found):
        msg = f"{path} must expect each figure once; got {[one.figure for one in found]}."
        raise InvalidInput(msg)
    return found


def _one(path: Path, table: Mapping[str, Any]) -> Expectation:
    known = {field.name for field in fields(Expectation)}
    if not {"figure", "says", "source"} <= set(table) <= known:
        msg = f"`expected` in {path} must have figure, says, source, and only {', '.join(sorted(known))}; got {table}."
        raise InvalidInput(msg)
    return Expectation(**table)
