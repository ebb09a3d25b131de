"""Which vertex to return: merge what is the same up to sign, exact sparsity first, then the smallest ℓ¹ norm."""

from __future__ import annotations

from dataclasses import replace

from .arrays import FloatArray
from .certificates import in_basin
from .result import Run
from .rounding import Vertex
from .subspace import Subspace

__all__ = ["Shelf", "as_run"]

_SAME = 1e-9  # 1 − |cos| of vertices taken for one
_AT = 1e-7  # 1 − |cos| below which a point is as good as at the vertex: both are nearly local minima
_NEAR = 0.9  # |cos| from which a point may lie in the basin of a vertex


class Shelf:
    """
    The distinct vertices found so far.

    A vertex with at least n zeros that determine it goes before all others: a generic subspace has none. Among
    those the one with the fewest nonzeros is best; among the others the one of smallest ℓ¹ norm.
    """

    def __init__(self, subspace: Subspace) -> None:
        self._subspace = subspace
        self._vertices: list[Vertex] = []

    def __len__(self) -> int:
        return len(self._vertices)

    def add(self, vertex: Vertex) -> bool:
        """Put a vertex on the shelf; false where it was there already (its multiplicity grows)."""
        for index, known in enumerate(self._vertices):
            if abs(known.l1 - vertex.l1) < 1e-6 * known.l1 and 1.0 - abs(float(known.point @ vertex.point)) < _SAME:
                count, notes = known.multiplicity + vertex.multiplicity, {**vertex.notes, **known.notes}
                self._vertices[index] = replace(known, multiplicity=count, notes=notes)
                return False
        self._vertices.append(vertex)
        return True

    def absorbs(self, point: FloatArray, multiplicity: int = 1) -> bool:
        """Whether a point only leads to a known vertex: nearly at it, or rounding provably ends there. Counts it."""
        for index, known in enumerate(self._vertices):
            cosine = abs(float(known.point @ point))
            if cosine > 1.0 - _AT or (cosine > _NEAR and in_basin(self._subspace, known, point)):
                self._vertices[index] = known.named(known.label, known.steps, known.multiplicity + multiplicity)
                return True
        return False

    def _key(self, index: int) -> tuple[bool, int, float]:
        vertex = self._vertices[index]
        sparse = vertex.sparse
        return not sparse, vertex.nonzeros if sparse else 0, vertex.l1

    @property
    def best(self) -> Vertex | None:
        """The vertex to return."""
        if not self._vertices:
            return None
        return self._vertices[min(range(len(self)), key=self._key)]

    @property
    def sparse(self) -> int:
        """How many distinct vertices have n zeros or more."""
        return sum(vertex.sparse for vertex in self._vertices)

    def ranked(self) -> list[Vertex]:
        """All vertices, best first."""
        return [self._vertices[index] for index in sorted(range(len(self)), key=self._key)]

    def runs(self) -> tuple[Run, ...]:
        """The history of all vertices, best first."""
        return tuple(map(as_run, self.ranked()))


def as_run(vertex: Vertex) -> Run:
    """Give the history of a vertex."""
    return Run(vertex.label, vertex.l1, vertex.zeros, vertex.steps, vertex.multiplicity, vertex.notes)
