"""From a point that is nearly a minimum to the exact vertex."""

from __future__ import annotations

from ..arrays import FloatArray
from ..errors import RoundingFailed
from ..subspace import Subspace
from .program import round_to_vertex
from .subgradient import descend
from .vertex import Vertex, settle

__all__ = ["finish"]

_PROGRAMS = 8


def finish(subspace: Subspace, point: FloatArray) -> Vertex:
    """
    Descend to the local minimum of ‖Yq‖₁ and make its zeros exact.

    Subgradient descent and the polish do it nearly always. Where they end off a vertex, linear programs
    anchored at the point go on, each lower than the last, until none lowers the objective: a finite walk that
    ends at a local minimum.
    """
    lowered, steps = descend(subspace, point)
    vertex = settle(subspace, lowered)
    programs = 0
    while vertex.zeros < subspace.dim - 1 and programs < _PROGRAMS:
        try:
            rounded = round_to_vertex(subspace, vertex.point)
        except RoundingFailed:
            break
        programs += 1
        if rounded.l1 >= vertex.l1 * (1 - 1e-12) and vertex.zeros >= rounded.zeros:
            break
        vertex = rounded
    return vertex.named(vertex.label, steps + programs)
