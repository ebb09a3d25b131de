"""Sparse bases of narrow spaces by linear programs: ℓ¹ norms lowered on the cosets of what the other vectors span.

For each vector of a basis let d be the functional that is one there and vanishes on the others. The program
min ‖x‖₁ s.t. ⟨d, x⟩ = 1 looks for a sparse vector in its place: whatever it returns is independent of the others. The
first basis is the greedy choice among the solutions of the same program anchored at single coordinates, which recovers
a planted sparse basis (Spielman, Wang and Wright 2012; Gottlieb and Neylon 2010). Everything happens in orthonormal
coordinates, where independence is an angle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from ..arrays import FloatArray
from ..errors import RoundingFailed
from ..rounding import round_to_vertex
from ..subspace import Subspace
from ..watch import Watch
from .engine import loops
from .family import Family
from .fields import Real

__all__ = ["LARGEST_DIMENSION", "sparse_supports"]

LARGEST_DIMENSION = 100
_INDEPENDENT = 1e-7  # sine of the angle to the span of those taken
_ZERO = 1e-10  # size of an entry that is zero, relative to its row
_ROUNDS = 5


@dataclass(frozen=True)
class _Sparse:
    """A unit point with the support of its vector, shape (nonzeros,)."""

    point: FloatArray
    support: NDArray[np.intp]

    @property
    def size(self) -> int:
        return int(self.support.size)


def sparse_supports(
    columns: FloatArray, programs: int, exchanges: int, rng: np.random.Generator, watch: Watch
) -> list[NDArray[np.intp]]:
    """
    Return the supports of elementary vectors that form a basis of a span, as sparse as programs and exchanges make it.

    Parameters
    ----------
    columns : array, shape (p, r)
        Independent. The basis has no more nonzeros than they have.
    programs : int
        How many linear programs may be solved.
    exchanges : int
        Work of one run of exchanges.
    """
    subspace = Subspace.span(columns / np.linalg.norm(columns, axis=0))
    if subspace.dim < columns.shape[1]:
        return []
    search = _Search(subspace, programs, exchanges, watch)
    pool = [piece for column in columns.T for piece in search.pieces(np.flatnonzero(column))]
    rows = rng.permutation(np.flatnonzero(~subspace.null_rows))[: programs // 2]
    basis = _greedy([*pool, *search.rounded(subspace.take(np.sort(rows)))])
    for _ in range(_ROUNDS):
        before = _nonzeros(basis)
        basis = search.descended(search.exchanged(basis))
        if _nonzeros(basis) == before:
            break
    return [vector.support for vector in basis]


def _nonzeros(basis: list[_Sparse]) -> int:
    return sum(vector.size for vector in basis)


def _greedy(found: list[_Sparse]) -> list[_Sparse]:
    """The sparsest independent ones: the greedy algorithm of the matroid."""
    frame = np.zeros((found[0].point.size, 0))
    basis = []
    for vector in sorted(found, key=lambda v: v.size):
        rest = vector.point - frame @ (frame.T @ vector.point)
        rest -= frame @ (frame.T @ rest)
        length = float(np.linalg.norm(rest))
        if length > _INDEPENDENT:
            frame = np.column_stack([frame, rest / length])
            basis.append(vector)
        if len(basis) == frame.shape[0]:
            break
    return basis


class _Search:
    def __init__(self, subspace: Subspace, programs: int, exchanges: int, watch: Watch) -> None:
        self.subspace, self.programs, self.exchanges, self.watch = subspace, programs, exchanges, watch
        self.unit = subspace.dense("sparsification") * subspace.inverse_norms[:, None]  # rows of length one, or zero

    def rounded(self, anchors: Iterable[FloatArray]) -> Iterator[_Sparse]:
        """Solutions of the programs at the anchors, as far as they can be solved in time."""
        for anchor in anchors:
            if self.watch.expired or self.programs <= 0:
                return
            self.programs -= 1
            try:
                vertex = round_to_vertex(self.subspace, anchor / np.linalg.norm(anchor))
            except RoundingFailed:  # one candidate less
                continue
            yield from self.pieces(np.flatnonzero(vertex.vector))

    def pieces(self, support: NDArray[np.intp]) -> list[_Sparse]:
        """Elementary vectors within a support that span all vectors there: a reduced echelon form."""
        outside = np.ones(self.unit.shape[0], dtype=bool)
        outside[support] = False
        points = _null_space(self.unit[outside])
        if points.shape[1] > 1:
            values = self.unit[support] @ points
            pivots = linalg.qr(values.T, mode="r", pivoting=True)[1][: points.shape[1]]
            points = points @ np.linalg.inv(values[pivots])
        return [self._named(point / np.linalg.norm(point)) for point in points.T]

    def _named(self, point: FloatArray) -> _Sparse:
        return _Sparse(point, np.flatnonzero(np.abs(self.unit @ point) > _ZERO))

    def exchanged(self, basis: list[_Sparse]) -> list[_Sparse]:
        """The basis after pairwise exchanges, with its vectors computed anew on their supports."""
        dense = self.subspace.vectors(np.column_stack([vector.point for vector in basis]))
        vectors = ({j: float(x[j]) for j in v.support.tolist()} for v, x in zip(basis, dense.T, strict=True))
        weight = np.ones(dense.shape[0], dtype=np.int64)
        found = loops.exchange(Real(1e-9), Family.of(vectors, np.float64), weight, self.exchanges)
        supports = np.split(found.at.astype(np.intp), found.starts[1:-1])
        return _greedy([*basis, *(piece for support in supports for piece in self.pieces(support))])

    def descended(self, basis: list[_Sparse]) -> list[_Sparse]:
        """The basis with vectors replaced by sparser ones of their cosets, densest first."""
        basis = list(basis)
        for k in sorted(range(len(basis)), key=lambda k: -basis[k].size):
            dual = np.linalg.inv(np.column_stack([vector.point for vector in basis]))[k]
            for other in self.rounded([dual]):
                if other.size < basis[k].size and abs(dual @ other.point) > _INDEPENDENT * np.linalg.norm(dual):
                    basis[k] = other
        return basis


def _null_space(rows: FloatArray) -> FloatArray:
    """Orthonormal points that all rows of length one (or zero) map to zero."""
    dim = rows.shape[1]
    triangle = linalg.qr(rows, mode="r")[0][:dim] if rows.shape[0] > dim else rows
    _, sizes, right = np.linalg.svd(triangle, full_matrices=True)
    rank = int(np.count_nonzero(sizes > _ZERO * max(1.0, float(sizes.max(initial=0.0)))))
    return np.asarray(right[rank:].T)
