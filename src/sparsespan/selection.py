"""Which vertex to return: merge what is the same up to sign, what is certified first, then the smallest ℓ¹ norm."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum

from .arrays import FloatArray
from .certificates import in_basin, levels
from .denoise import denoise
from .result import Run
from .rounding import Vertex
from .subspace import Subspace

__all__ = ["Kind", "Shelf", "as_run"]

_SAME = 1e-9  # 1 − |cos| of vertices taken for one
_AT = 1e-7  # 1 − |cos| below which a point is as good as at the vertex: both are nearly local minima
_NEAR = 0.9  # |cos| from which a point may lie in the basin of a vertex


class Kind(IntEnum):
    """
    What is known about a vertex, the best first.

    SPARSE: at least n zeros that determine it; a generic subspace has none. WHOLE: all entries are small whole
    multiples of one number; neither has it such a vector. NOISY: far more small entries than chance leaves.
    """

    SPARSE = 0
    WHOLE = 1
    NOISY = 2
    GENERIC = 3


class Shelf:
    """
    The distinct vertices found so far.

    They are ordered by kind; among the certified ones that with the fewest nonzeros is best, among the others that
    of smallest ℓ¹ norm.

    Attributes
    ----------
    tried : list of str
        What the parts of a portfolio came to, for the result.
    """

    def __init__(self, subspace: Subspace) -> None:
        self._subspace = subspace
        self.tried: list[str] = []
        self._vertices: list[Vertex] = []
        self._kinds: list[Kind] = []

    def __len__(self) -> int:
        return len(self._vertices)

    def add(self, vertex: Vertex) -> bool:
        """Put a vertex on the shelf; false where it was there already (its multiplicity grows)."""
        for index, known in enumerate(self._vertices):
            if abs(known.l1 - vertex.l1) < 1e-6 * known.l1 and 1.0 - abs(float(known.point @ vertex.point)) < _SAME:
                self._merge(index, vertex)
                return False
        self._vertices.append(vertex)
        self._kinds.append(self._judge(vertex))
        return True

    def _merge(self, index: int, vertex: Vertex) -> None:
        """Count a vertex that is there already; where it is the more exact one, it takes the other's place."""
        known = self._vertices[index]
        count, notes = known.multiplicity + vertex.multiplicity, {**vertex.notes, **known.notes}
        if vertex.zeros > known.zeros:
            self._kinds[index] = self._judge(vertex)
            known = replace(vertex, label=known.label, steps=known.steps, stage=known.stage)
        self._vertices[index] = replace(known, multiplicity=count, notes=notes)

    def _judge(self, vertex: Vertex) -> Kind:
        if vertex.sparse:
            return Kind.SPARSE
        if levels(self._subspace, vertex):
            return Kind.WHOLE
        return Kind.GENERIC if denoise(self._subspace, vertex.vector) is None else Kind.NOISY

    def absorbs(self, point: FloatArray, multiplicity: int = 1) -> bool:
        """Whether a point only leads to a known vertex: nearly at it, or rounding provably ends there. Counts it."""
        for index, known in enumerate(self._vertices):
            cosine = abs(float(known.point @ point))
            if cosine > 1.0 - _AT or (cosine > _NEAR and in_basin(self._subspace, known, point)):
                self._vertices[index] = known.named(known.label, known.steps, known.multiplicity + multiplicity)
                return True
        return False

    def _key(self, index: int) -> tuple[Kind, int, float]:
        vertex, kind = self._vertices[index], self._kinds[index]
        return kind, vertex.nonzeros if kind <= Kind.WHOLE else 0, vertex.l1

    @property
    def best(self) -> Vertex | None:
        """The vertex to return."""
        if not self._vertices:
            return None
        return self._vertices[min(range(len(self)), key=self._key)]

    @property
    def kind(self) -> Kind:
        """Kind of the best vertex; GENERIC where there is none yet."""
        return min(self._kinds, default=Kind.GENERIC)

    @property
    def settled(self) -> bool:
        """Whether the best vertex is certified by its structure."""
        return self.kind <= Kind.WHOLE

    @property
    def sparse(self) -> int:
        """How many distinct vertices have n zeros or more."""
        return self._kinds.count(Kind.SPARSE)

    def ranked(self) -> list[Vertex]:
        """All vertices, best first."""
        return [self._vertices[index] for index in sorted(range(len(self)), key=self._key)]

    def runs(self) -> tuple[Run, ...]:
        """The history of all vertices, best first."""
        return tuple(map(as_run, self.ranked()))


def as_run(vertex: Vertex) -> Run:
    """Give the history of a vertex."""
    return Run(vertex.label, vertex.l1, vertex.zeros, vertex.steps, vertex.multiplicity, vertex.notes, vertex.stage)
