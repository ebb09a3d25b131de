"""Lattice reduction: planted vectors with small whole-number ratios, of any sparsity, from a few more rows than n."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray
from ..certificates import levels
from ..checks import at_least
from ..errors import NotConverged
from ..extras import need
from ..rounding import Vertex
from ..rounding.whole import LARGEST, whole_vertex
from ..subspace import Subspace
from .base import Method, Problem
from .registry import register

__all__ = ["Lattice"]

_BITS = 44  # of a relation: float64 entries of a well-conditioned basis have some more
_FEWEST_BITS = 10
_LOSS = 0.03  # bits per dimension by which the reduced vector may be longer than the shortest
_MARGIN = 3.0  # bits the planted vector must be shorter than what chance offers
_ROWS = 4096  # rows among which those of the relations are chosen
_CANDIDATES = 16
_SECONDS, _USUAL = 0.1, 57  # what a reduction takes, as the fourth power of its dimension, and the dimension for n = 50


@register
@dataclass(frozen=True)
class Lattice(Method):
    """
    Find the short whole-number relations among the entries of all vectors of S (LLL, by FLINT).

    The entries of Yq on n rows determine all others. If the planted vector is a multiple of small whole numbers, the
    n numbers and those of m further rows are a short vector of the lattice spanned by the rows of
    [I | round(2ᵇ·relations)]. It does not matter how many of the numbers are zero. All remaining rows check it.

    Attributes
    ----------
    largest : int
        Largest absolute number looked for, when the smallest step is 1.
    rows : int or None
        m; by default as few as make the planted vector clearly the shortest.
    """

    name: ClassVar[str] = "lattice"
    reference: ClassVar[str] = "Lenstra, Lenstra, Lovasz 1982"
    guarantee: ClassVar[str] = "whole-number targets without noise, any sparsity, n up to about 100"
    cost: ClassVar[str] = "about (n/50)^4 tenths of a second"

    largest: int = LARGEST
    rows: int | None = None

    def __post_init__(self) -> None:
        at_least("largest", self.largest, 1)
        if self.rows is not None:
            at_least("rows", self.rows, 1, "None chooses it.")

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Yield the vectors of whole numbers; NotConverged where there is none."""
        any_found = False
        for vertex in self.exact(problem):
            any_found = True
            yield vertex
        if not any_found and problem.watch.late:
            msg = (
                f"`deadline` must leave time for the reduction; got {'; '.join(problem.shelf.tried) or 'none left'}. "
                "Raise it."
            )
            raise NotConverged(msg)
        if not any_found:
            subspace = problem.subspace
            msg = (
                f"a vector must have entries that are multiples 0 … ±{self.largest} of one number to a precision of "
                f"{subspace.resolution:.1e}; got none in the {subspace.size} x {subspace.dim} basis. With noise or "
                'other ratios there is none to find: use method="auto".'
            )
            raise NotConverged(msg)

    def exact(self, problem: Problem) -> Iterator[Vertex]:
        """Only the vectors that are whole beyond chance."""
        subspace = problem.subspace
        flint = need("flint", "lattice", "lattice reduction")
        bits = min(_BITS, math.floor(-math.log2(subspace.resolution)))
        live = np.flatnonzero(~subspace.null_rows)
        if bits < _FEWEST_BITS or live.size <= subspace.dim:
            return
        if live.size > _ROWS:
            live = np.sort(problem.rng.choice(live, _ROWS, replace=False))
        basis_rows, others = _split(subspace, live)
        count = min(len(others), self.rows or _relations(subspace.dim, bits))
        seconds, left = _SECONDS * ((subspace.dim + count) / _USUAL) ** 4, problem.watch.remaining
        told = f"the reduction of a lattice of dimension {subspace.dim + count}"
        if problem.watch.lacks(seconds):
            problem.shelf.tried.append(
                f"lattice: left out, {told} takes about {seconds:.2g} s, and {left:.2g} s are left"
            )
            return
        problem.watch.tell(0.0, told)
        solve = np.linalg.inv(subspace.take(basis_rows))
        relations = subspace.take(others[:count]) @ solve
        for numbers in _short(flint, relations, bits, self.largest):
            vertex = self._vertex(subspace, solve @ numbers)
            if vertex is not None:
                yield vertex.named("relation", 1)

    def _vertex(self, subspace: Subspace, point: FloatArray) -> Vertex | None:
        """The vertex of a point whose vector ought to be whole."""
        values = subspace.vectors(point)
        whole = np.rint(values)
        if not 0 < float(np.abs(whole).max()) <= self.largest or float(np.abs(values - whole).max()) > 1e-3:
            return None
        vertex = whole_vertex(subspace, whole.astype(np.int64))
        return vertex if vertex is not None and (vertex.sparse or levels(subspace, vertex)) else None


def _relations(dim: int, bits: int) -> int:
    """Fewest rows m with b·m/(n+m) ≥ loss·(n+m) + margin: beyond, the planted vector is the shortest by far."""
    for count in range(1, 8 * dim):
        if bits * count / (dim + count) >= _LOSS * (dim + count) + _MARGIN:
            return count
    return dim


def _split(subspace: Subspace, live: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """N rows that span well, by pivoted QR of the unit rows, and the rest in the order in which they would follow."""
    from scipy.linalg.lapack import dgeqp3

    unit = (subspace.take(live) * subspace.inverse_norms[live, None]).T
    _, pivots, *_ = dgeqp3(np.asfortranarray(unit))
    order = live[pivots - 1]
    return order[: subspace.dim], order[subspace.dim :]


def _short(flint: Any, relations: FloatArray, bits: int, largest: int) -> Iterator[NDArray[np.float64]]:
    """The first n numbers of short vectors of the lattice [I | round(2ᵇ·relations)], shortest first."""
    count, dim = relations.shape
    scaled = [[round(math.ldexp(value, bits)) for value in row] for row in relations.tolist()]
    rows = []
    for i in range(dim + count):
        unit = [int(i == j) for j in range(dim + count)]
        tail = [row[i] for row in scaled] if i < dim else [-(1 << bits) * (i - dim == k) for k in range(count)]
        rows.append(unit + tail)
    reduced = flint.fmpz_mat(rows).lll().tolist()
    candidates = [np.array([float(int(value)) for value in row[:dim]]) for row in reduced]
    candidates = [numbers for numbers in candidates if 0 < np.abs(numbers).max() <= largest]
    candidates.sort(key=lambda numbers: float(numbers @ numbers))
    yield from candidates[:_CANDIDATES]
