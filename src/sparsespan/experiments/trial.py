"""A trial: one method on one random instance; and what came out of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

__all__ = ["Outcome", "Row", "Trial"]

Outcome = Mapping[str, Any]  # plain values that JSON can hold


@dataclass(frozen=True)
class Trial:
    """
    One method on one instance.

    Attributes
    ----------
    experiment : str
    parameters : mapping
        Of the instance, plain values.
    repeat : int
        Which of several instances with these parameters.
    method : str
    """

    experiment: str
    parameters: Mapping[str, Any]
    repeat: int
    method: str

    def __hash__(self) -> int:
        return hash(self.key)

    @cached_property
    def text(self) -> str:
        """The parameters, written the one way in which they are compared."""
        return json.dumps(dict(self.parameters), sort_keys=True)

    @cached_property
    def seed(self) -> int:
        """
        Seed of the instance, 63 bits.

        It depends on the parameters and the repeat alone: every method meets the same instances, whatever the order of
        the trials and the number of workers.
        """
        return int.from_bytes(sha256(f"{self.text} {self.repeat}".encode()).digest()[:8], "big") >> 1

    @property
    def key(self) -> tuple[str, str, int, str]:
        """What makes the trial a row of its own: experiment, parameters, seed, method."""
        return self.experiment, self.text, self.seed, self.method

    @property
    def place(self) -> bytes:
        """Where it stands in the order of a sweep: shuffled, so that the mean time so far foretells the rest."""
        return sha256("\0".join(map(str, self.key)).encode()).digest()


@dataclass(frozen=True)
class Row:
    """
    A finished trial.

    Attributes
    ----------
    trial : Trial
    outcome : mapping
        Empty but for ``error`` where the method raised one of our errors.
    seconds : float
        Wall time in the worker.
    """

    trial: Trial
    outcome: Outcome
    seconds: float

    def __getitem__(self, name: str) -> Any:
        """Give a parameter of the instance."""
        return self.trial.parameters[name]
