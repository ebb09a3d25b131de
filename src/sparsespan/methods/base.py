"""What a method is: a frozen value that turns a problem into vertices, one at a time, best effort first."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..errors import InvalidInput
from ..rounding import Vertex
from ..selection import Shelf
from ..subspace import Subspace
from ..watch import Watch

__all__ = ["Method", "Problem", "at_least", "choice", "fraction", "positive"]


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """
    What a method is given.

    Attributes
    ----------
    subspace : Subspace
    rng : numpy.random.Generator
        The only source of randomness.
    watch : Watch
        Limits and progress.
    shelf : Shelf
        What has been found so far; the caller puts every vertex there before it asks for the next.
    """

    subspace: Subspace
    rng: np.random.Generator
    watch: Watch
    shelf: Shelf


@dataclass(frozen=True)
class Method(ABC):
    """
    Base of all methods.

    A method is a frozen dataclass whose fields are its options, checked when it is made. The class variables
    describe it in lists and tables.
    """

    name: ClassVar[str]
    reference: ClassVar[str]
    guarantee: ClassVar[str]
    cost: ClassVar[str]

    @abstractmethod
    def search(self, problem: Problem) -> Iterator[Vertex]:
        """
        Yield vertices as they are found, and end when there is nothing more to try.

        The caller stops asking when the deadline has passed; a long step inside looks at ``problem.watch`` itself.
        """


def positive(name: str, value: float) -> None:
    """Check that an option is a positive number."""
    if not value > 0:
        msg = f"`{name}` must be positive; got {value}."
        raise InvalidInput(msg)


def fraction(name: str, value: float) -> None:
    """Check that an option lies strictly between 0 and 1."""
    if not 0 < value < 1:
        msg = f"`{name}` must lie between 0 and 1, both excluded; got {value}."
        raise InvalidInput(msg)


def choice(name: str, value: str, known: tuple[str, ...]) -> None:
    """Check that an option is one of several words."""
    if value not in known:
        msg = f"`{name}` must be {', '.join(map(repr, known[:-1]))} or {known[-1]!r}; got {value!r}."
        raise InvalidInput(msg)


def at_least(name: str, value: int, least: int) -> None:
    """Check that an option is an integer not below a bound."""
    if type(value) is bool or not isinstance(value, (int, np.integer)) or value < least:
        msg = f"`{name}` must be an integer of at least {least}; got {value!r}."
        raise InvalidInput(msg)
