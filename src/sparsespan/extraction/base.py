"""What a way of extraction is given, and the restriction to what the vectors already found leave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from ..methods import Method
from ..subspace import Subspace
from ..watch import Watch

__all__ = ["Extraction", "complement"]


@dataclass(frozen=True, slots=True, eq=False)
class Extraction:
    """
    The task of finding several vectors.

    Attributes
    ----------
    subspace : Subspace
    method : Method
        Finds one vector.
    count : int
        How many are wanted.
    rng : numpy.random.Generator
        The only source of randomness.
    watch : Watch
    """

    subspace: Subspace
    method: Method
    count: int
    rng: np.random.Generator
    watch: Watch


def complement(points: FloatArray) -> FloatArray:
    """Orthonormal frame (n×(n−k)) of the directions orthogonal to k independent points (n×k)."""
    full: FloatArray = np.linalg.qr(points, mode="complete")[0]
    return np.ascontiguousarray(full[:, points.shape[1] :])
