"""From a point that is nearly a minimum to the exact vertex."""

from __future__ import annotations

from ..arrays import FloatArray
from ..errors import RoundingFailed
from ..subspace import Subspace
from .newton import newton
from .program import multipliers, round_to_vertex
from .subgradient import descend
from .vertex import Vertex, settle

__all__ = ["approach", "complete", "finish", "is_finished", "land", "walk"]

_PROGRAMS = 12


def finish(subspace: Subspace, point: FloatArray) -> Vertex:
    """
    Descend to the local minimum of ‖Yq‖₁ and make its zeros exact.

    Parameters
    ----------
    subspace : Subspace
    point : ndarray, shape (n,)
        Unit vector.
    """
    return complete(subspace, approach(subspace, point))


def approach(subspace: Subspace, point: FloatArray) -> Vertex:
    """
    Descend: subgradient steps, and Newton steps on the smoothed norm where those do not end at a local minimum.

    Subgradient descent and the polish are all it takes for a vector that is exactly sparse.

    Returns
    -------
    Vertex
        Perhaps short of the minimum; see `complete`.
    """
    lowered, steps = descend(subspace, point)
    vertex = settle(subspace, lowered)
    if not is_finished(subspace, vertex):
        lowered, more = newton(subspace, lowered)
        lowered, again = descend(subspace, lowered)
        vertex, steps = settle(subspace, lowered), steps + more + again
    return vertex.named(vertex.label, steps)


def is_finished(subspace: Subspace, vertex: Vertex) -> bool:
    """A strict local minimum by its least-norm multipliers, or exactly sparse: nothing a program should move."""
    if vertex.face is None:
        return False
    return vertex.sparse or multipliers(subspace, vertex, vertex.point).largest < 1.0


def complete(subspace: Subspace, vertex: Vertex) -> Vertex:
    """Walk to the strict local minimum by linear programs, unless the vertex is one or the rows are not in memory."""
    if is_finished(subspace, vertex) or not subspace.in_memory:
        return vertex
    ended, programs = walk(subspace, vertex)
    return ended.named(vertex.label, vertex.steps + programs)


def land(subspace: Subspace, point: FloatArray) -> Vertex:
    """Make the zeros of a point exact to which some other descent than ours has led; its own programs are counted."""
    return complete(subspace, settle(subspace, point))


def walk(subspace: Subspace, vertex: Vertex) -> tuple[Vertex, int]:
    """
    Alternating linear programs: each minimises ‖Yq‖₁ on the plane that touches the sphere at the last vertex.

    The objective falls with every program, so the walk is finite; it ends at a local minimum.

    Returns
    -------
    vertex : Vertex
    programs : int
        How many were solved.
    """
    for count in range(1, _PROGRAMS + 1):
        try:
            lower = round_to_vertex(subspace, vertex.point)
        except RoundingFailed:
            return vertex, count
        stuck = lower.l1 >= vertex.l1 * (1 - 1e-13)
        if stuck and vertex.face is not None:
            return vertex, count
        vertex = lower
        if stuck or is_finished(subspace, vertex):
            return vertex, count
    return vertex, _PROGRAMS
