"""A vertex: a point at which at least n−1 independent rows vanish exactly; and the polish that makes one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ..arrays import BoolArray, FloatArray, frozen
from ..result import ACCIDENT, CLEAR
from ..subspace import Subspace
from .face import Face

__all__ = ["Vertex", "settle"]

_NEWTON_STEPS = 3
_NEAR = 0.99  # least |cos| between a point and its polished version
_GAPS = 3  # gaps tried before the zeros are said not to determine a point
_WIDE, _WIDEST = 1e6, 1e-6  # of the resolution, and at most: how far from zero an unpolished zero may be
_OUTLYING = 30.0  # of the median zero: one larger than that is none
_FLOOR = 4.0  # precisions of the input below which an entry is zero, whatever its neighbours are
_STILL = 1e-10  # a step this short squares to less than rounding: the next would change nothing


@dataclass(frozen=True, slots=True, eq=False)
class Vertex:
    """
    A unit point with the entries of its vector that are zero.

    Attributes
    ----------
    point : ndarray, shape (n,)
        Unit vector q.
    vector : ndarray, shape (p,)
        Yq with exact zeros.
    zero : ndarray of bool, shape (p,)
        Where the vector is zero on rows of Y that are not themselves zero.
    residual : float
        Largest |y_iᵀq|/‖y_i‖ among the entries set to zero.
    least : float
        Smallest of the entries kept, in the same measure; infinite where none is.
    defect : float
        ℓ² norm of the entries set to zero.
    l1 : float
        ‖vector‖₁.
    face : Face or None
        The zero rows, factored; None where they do not determine the point.
    label : str
        The start it came from.
    steps : int
        Iterations spent on it.
    multiplicity : int
        How many starts led here.
    gap : float or None
        Relative duality gap where a linear program was solved.
    notes : mapping of str to float
        What else the method found out on its way here, such as the value of a relaxation.
    stage : str
        The part of a portfolio that found it.
    """

    point: FloatArray
    vector: FloatArray
    zero: BoolArray
    residual: float
    least: float
    defect: float
    l1: float
    face: Face | None = field(repr=False)
    label: str = ""
    steps: int = 0
    multiplicity: int = 1
    gap: float | None = None
    notes: Mapping[str, float] = field(default_factory=dict)
    stage: str = ""

    @property
    def zeros(self) -> int:
        """How many entries vanish that do not vanish for every vector of S."""
        return int(np.count_nonzero(self.zero))

    @property
    def chance(self) -> float:
        """
        Bound on the probability that rows of generic directions vanish in such number by accident.

        n − 1 zeros come with every vertex. Beside them |y_iᵀq| ≤ residual·‖y_i‖ happens to a random direction
        with probability at most residual·√(2n/π), so the surplus is a Poisson count; Chernoff's bound of its tail.
        """
        surplus = self.zeros - len(self.point) + 1
        expected = len(self.vector) * self.residual * math.sqrt(2 * len(self.point) / math.pi)
        if surplus <= expected:
            return 1.0
        return math.exp(surplus - expected + surplus * math.log(expected / surplus)) if expected else 0.0

    @property
    def sparse(self) -> bool:
        """Whether its zeros, clearly apart from its nonzeros, determine it and are more than generic rows have."""
        clear = self.least >= CLEAR * self.residual
        return self.face is not None and self.zeros >= len(self.point) and clear and self.chance <= ACCIDENT

    @property
    def nonzeros(self) -> int:
        """How many entries do not vanish."""
        return int(np.count_nonzero(self.vector))

    def named(self, label: str, steps: int, multiplicity: int = 1) -> Vertex:
        """Return the same vertex with its history."""
        return replace(self, label=label, steps=steps, multiplicity=multiplicity)


def _relative(subspace: Subspace, values: FloatArray) -> FloatArray:
    """|y_iᵀq|/‖y_i‖ in [0, 1]; infinite at rows that are zero for every vector, which say nothing about q."""
    sizes: FloatArray = np.abs(values) * subspace.inverse_norms
    sizes[subspace.null_rows] = np.inf
    return sizes


def _lowest(sizes: FloatArray, least: int) -> BoolArray:
    """Rows below the largest gap (as a ratio) in the sorted sizes, at least ``least`` of them."""
    zero = np.zeros(len(sizes), dtype=np.bool_)
    if least == 0:
        return zero
    order = np.argsort(sizes)
    finite = int(np.count_nonzero(np.isfinite(sizes)))
    logs = np.log(np.maximum(sizes[order[least - 1 : finite]], 1e-18))
    cut = least + int(np.argmax(np.diff(logs))) if logs.size > 1 else finite
    zero[order[:cut]] = True
    return zero


def _zeros(subspace: Subspace, sizes: FloatArray, ceiling: float) -> BoolArray:
    """
    Entries to call zero, by their relative sizes: those up to the largest gap between floor and ceiling.

    What is below the precision of the input is zero, what is above the ceiling is not. In between there is nothing
    as a rule; where there is, no level is right unless a gap shows it. A few tiny nonzeros among many zeros make no
    wide gap, but they stand out from the zeros' median.
    """
    zero: BoolArray = sizes <= ceiling
    floor = _FLOOR * subspace.rank.precision
    if not (zero & (sizes > floor)).any():
        return zero
    order = np.argsort(sizes)
    last = int(np.count_nonzero(zero))
    first = max(1, int(np.count_nonzero(sizes <= floor)), min(last, subspace.dim - 1))
    edge = np.log(np.maximum(sizes[order[first - 1 : last + 1]], floor))
    steps = np.diff(edge[np.isfinite(edge)])
    count = first + int(np.argmax(steps)) if steps.size else last
    usual = max(floor, _OUTLYING * float(sizes[order[count // 2]]))
    zero[order[count:]] = False
    zero &= sizes <= usual
    return zero


def _freeze(subspace: Subspace, point: FloatArray, values: FloatArray, face: Face | None) -> Vertex:
    relative = _relative(subspace, values)
    zero = _zeros(subspace, relative, subspace.resolution)
    residual = float(relative[zero].max(initial=0.0))
    defect = float(np.linalg.norm(values[zero]))
    kept = ~(zero | subspace.null_rows)
    least = float(relative[kept].min(initial=math.inf))
    vector = np.where(kept, values, 0.0)
    vector /= math.sqrt(float(vector @ vector))
    if face is None or not np.array_equal(face.zero, zero):
        face = _factored(subspace, zero, point)
    l1 = float(np.abs(vector).sum())
    return Vertex(frozen(point), frozen(vector), frozen(zero), residual, least, defect, l1, face)


def _factored(subspace: Subspace, zero: BoolArray, point: FloatArray) -> Face | None:
    try:
        return Face(subspace, zero, point)
    except np.linalg.LinAlgError:
        return None


def _face(subspace: Subspace, sizes: FloatArray, point: FloatArray) -> Face | None:
    """
    The rows below the largest gap; where these do not determine a point, those below the next gap above.

    A point can be exact in most directions and off by 1e-9 in one: then the first gap leaves that one open.
    """
    least = subspace.dim - 1
    for _ in range(_GAPS):
        zero = _lowest(sizes, least)
        try:
            return Face(subspace, zero, point)
        except np.linalg.LinAlgError:
            least = int(np.count_nonzero(zero)) + 1
        if least >= np.count_nonzero(np.isfinite(sizes)):
            break
    return None


def settle(subspace: Subspace, point: FloatArray, dual: FloatArray | None = None) -> Vertex:
    """
    Make the zeros of a nearly sparse vector exact.

    The rows below the largest gap in |y_iᵀq| are taken as zeros and q is moved to their common null vector, by
    Newton steps on the least-squares problem. The move is kept only if it is short and ‖Yq‖₁ does not rise. Where
    those rows do not determine a point, q stays as it is and few entries, or none, become zero.

    Parameters
    ----------
    subspace : Subspace
    point : ndarray, shape (n,)
        A unit vector that has all but converged.
    dual : ndarray, shape (p,), optional
        Near-optimal u of the rounding program. |u| tends to 1 where the vector does not vanish, so that dividing
        by 1 − |u| squares the contrast between zeros and nonzeros.
    """
    values = subspace.vectors(point)
    sizes = _relative(subspace, values)
    if dual is not None:
        sizes = sizes / np.maximum(1.0 - np.abs(dual), 1e-18)
    face = _face(subspace, sizes, point)
    if face is None:
        return _freeze(subspace, point, values, None)
    moved, moved_values = _moved(subspace, face, point, values)
    far = abs(float(moved @ point)) < _NEAR  # then these rows were not zeros that have all but converged
    if far or np.abs(moved_values).sum() > np.abs(values).sum() * (1 + 1e-9):
        return _freeze(subspace, point, values, None)
    first = _freeze(subspace, moved, moved_values, face)
    better = _resettled(subspace, face, moved, moved_values)
    if better is None or (first.sparse and not better.sparse) or (not better.sparse and better.zeros < first.zeros):
        return first
    return better


def _resettled(subspace: Subspace, face: Face, point: FloatArray, values: FloatArray) -> Vertex | None:
    """The vertex of the zeros as they show once the point is known better; None where these are what they were."""
    widest = max(subspace.resolution, min(_WIDE * subspace.resolution, _WIDEST))
    moved, moved_values, known = point, values, face
    for _ in range(_GAPS):
        zero = _zeros(subspace, _relative(subspace, moved_values), widest)
        if np.array_equal(zero, known.zero):
            break
        fresh = _factored(subspace, zero, moved)
        if fresh is None:
            break
        known = fresh
        moved, moved_values = _moved(subspace, known, moved, moved_values)
    return None if known is face else _freeze(subspace, moved, moved_values, known)


def _moved(subspace: Subspace, face: Face, point: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Newton steps to the common null vector of the rows of a face; the point and its values."""
    for _ in range(_NEWTON_STEPS):
        shift = face.step(point, values)
        point = point - shift
        point /= math.sqrt(float(point @ point))
        values = subspace.vectors(point)
        if float(np.abs(shift).max()) < _STILL:
            break
    return point, values
