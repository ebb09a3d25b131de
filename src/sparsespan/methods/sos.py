"""Degree-4 sum of squares: the pseudo-expectation of largest ‖Yq‖₄⁴, its second moments, a linear program."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ..arrays import FloatArray
from ..checks import at_least, positive
from ..errors import InvalidInput, NotConverged
from ..extras import need
from ..rounding import Vertex, round_to_vertex
from ..subspace import Subspace
from ..watch import Watch
from .base import Method, Problem
from .moments import Moments
from .registry import register

__all__ = ["SOS", "Pseudo", "pseudo_expectation"]

_SCALE = 1.0  # of SCS: with an objective of unit length it ends in 25 to 75 iterations
_INT = 2**31 - 1  # what SCS counts its iterations in
_LARGEST = 64  # dimension: a moment matrix of 2080 rows, whose eigenvalues are needed at every step


@dataclass(frozen=True, slots=True, eq=False)
class Pseudo:
    """
    A pseudo-expectation on the sphere.

    Attributes
    ----------
    second : ndarray, shape (n, n)
        Its second moments: positive semidefinite, of unit trace.
    value : float
        Its p·‖Yq‖₄⁴; an upper bound on that of every point, up to the solver's tolerance.
    steps : int
        Iterations of the solver.
    """

    second: FloatArray
    value: float
    steps: int


def _program(moments: Moments, gain: FloatArray) -> tuple[dict[str, Any], dict[str, Any]]:
    """Max gainᵀm s.t. E‖q‖⁴ = 1 and the moment matrix ⪰ 0, in the form b − Am ∈ cone that SCS takes."""
    from scipy.sparse import csc_matrix, vstack

    rows, columns = moments.lower
    scale = np.where(rows == columns, -1.0, -math.sqrt(2.0))
    places = (np.arange(len(scale)), moments.entry)
    matrix = vstack([csc_matrix(moments.trace), csc_matrix((scale, places), shape=(len(scale), moments.count))])
    right = np.zeros(1 + len(scale))
    right[0] = 1.0
    return {"A": matrix.tocsc(), "b": right, "c": -gain}, {"z": 1, "s": [moments.side]}


def pseudo_expectation(subspace: Subspace, tol: float, max_iter: int, watch: Watch) -> Pseudo:
    """
    Maximise the pseudo-expectation of p‖Yq‖₄⁴ over the degree-4 pseudo-distributions on the sphere.

    Parameters
    ----------
    subspace : Subspace
    tol : float
        Of SCS, absolute and relative.
    max_iter : int
        Of SCS.
    watch : Watch
        Its remaining time is SCS's time limit.
    """
    scs = need("scs", "sos", "the degree-4 sum of squares")
    moments = Moments(subspace.dim)
    gain = subspace.size * moments.fourth(subspace)
    data, cone = _program(moments, gain / np.linalg.norm(gain))
    limits = {"eps_abs": tol, "eps_rel": tol, "max_iters": min(max_iter, _INT)}
    seconds = min(max(watch.remaining, 1e-3), 1e9)
    answer = scs.SCS(data, cone, verbose=False, scale=_SCALE, time_limit_secs=seconds, **limits).solve()
    values = np.asarray(answer["x"])
    if not np.isfinite(values).all():
        status = answer["info"]["status"]
        msg = f"SCS must return finite moments; got status {status!r}. Raise `max_iter` or `deadline`."
        raise NotConverged(msg)
    return Pseudo(moments.second(values), float(gain @ values), int(answer["info"]["iter"]))


@register
@dataclass(frozen=True)
class SOS(Method):
    """
    The pseudo-distribution of largest fourth moment, rounded by the top eigenvector of its second moments.

    Attributes
    ----------
    tol : float
        Tolerance of the cone solver; rounding forgives much.
    max_iter : int
        Most iterations of the cone solver.
    """

    name: ClassVar[str] = "sos"
    reference: ClassVar[str] = "Barak, Kelner, Steurer 2014"
    guarantee: ClassVar[str] = "planted, theta below a constant, p >= C n^2"
    cost: ClassVar[str] = "eigenvalues of an n(n+1)/2 square matrix a step: seconds at n = 30; extra `sos`"

    tol: float = 1e-3
    max_iter: int = 2000

    def __post_init__(self) -> None:
        positive("tol", self.tol)
        at_least("max_iter", self.max_iter, 1)

    def search(self, problem: Problem) -> Iterator[Vertex]:
        """Solve, take the top eigenvector of the second moments, round."""
        subspace = problem.subspace
        if subspace.dim > _LARGEST:
            msg = (
                f"method 'sos' must be given a subspace of dimension at most {_LARGEST}; got {subspace.dim}. "
                "Use 'spectral', which needs the same structure and takes milliseconds."
            )
            raise InvalidInput(msg)
        problem.watch.tell(0.0, f"moment matrix of {Moments(subspace.dim).side} rows")
        pseudo = pseudo_expectation(subspace, self.tol, self.max_iter, problem.watch)
        sizes, directions = np.linalg.eigh(pseudo.second)
        vertex = round_to_vertex(subspace, directions[:, -1])
        notes = {"sos value": pseudo.value, "top eigenvalue": float(sizes[-1])}
        yield replace(vertex.named("top eigenvector", pseudo.steps), notes=notes)
