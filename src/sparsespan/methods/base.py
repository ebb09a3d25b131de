"""What a method is: a frozen value that turns a problem into vertices, one at a time, best effort first."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..errors import NotConverged
from ..rounding import Vertex
from ..selection import Shelf
from ..subspace import Subspace
from ..watch import Watch

__all__ = ["Method", "Problem", "explore"]


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

    def __post_init__(self) -> None:  # noqa: B027 - a method without options has nothing to check
        """Check and complete the options; those of plain types have been checked by `register`."""

    @abstractmethod
    def search(self, problem: Problem) -> Iterator[Vertex]:
        """
        Yield vertices as they are found, and end when there is nothing more to try.

        The caller stops asking when the deadline has passed; a long step inside looks at ``problem.watch`` itself.
        """

    def light(self) -> Method:
        """The same method without its costly last parts; what it does first is the same, to the random numbers."""
        return self

    def is_light(self, stage: str) -> bool:
        """Whether a vertex of that stage is one that `light` would have found too."""
        del stage
        return True


def explore(method: Method, subspace: Subspace, rng: np.random.Generator, watch: Watch) -> Shelf:
    """Put everything a method finds on a shelf, until it ends or time is up; at least one vertex."""
    shelf = Shelf(subspace)
    for vertex in method.search(Problem(subspace, rng, watch, shelf)):
        shelf.add(vertex)
        if watch.expired:
            break
    if not len(shelf):
        msg = (
            f"method {method.name!r} must reach at least one point; got none in {watch.seconds:.3g} s. "
            "Raise `deadline`, or take other `starts`."
        )
        raise NotConverged(msg)
    return shelf
