"""What a method is: a frozen value that turns a problem into vertices, one at a time, best effort first."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..rounding import Vertex
from ..selection import Shelf
from ..subspace import Subspace
from ..watch import Watch

__all__ = ["Method", "Problem"]


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
