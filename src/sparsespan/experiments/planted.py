"""Trials on the planted model: our search, the protocol of the paper, and whether ℓ¹ can tell the truth at all."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..arrays import FloatArray
from ..certificates import certify
from ..models import Planted, planted
from ..rounding import Vertex, settle
from ..search import sparsest
from ..subspace import Subspace
from .protocol import EXACT, follow
from .trial import Outcome, Trial

__all__ = ["EFFORT", "PLANTED", "place", "run_planted"]

# Of `auto` in a sweep. Where nothing is found the last part of the search decides how long a trial takes: at a fifth of
# its full size less than half, and success differs only in the last cells before the search fails anyway.
EFFORT = 0.2


def place(subspace: Subspace, truth: FloatArray) -> tuple[FloatArray, Vertex | None]:
    """Coordinates of a known vector of the subspace, and its vertex; None where its zeros do not determine it."""
    point = subspace.adjoint(truth)
    point = point / np.linalg.norm(point)
    vertex = settle(subspace, point)
    apart = min(np.linalg.norm(vertex.vector - truth), np.linalg.norm(vertex.vector + truth))
    return point, vertex if vertex.face is not None and apart <= EXACT else None


def run_planted(trial: Trial) -> Outcome:
    """Make the instance of a trial and run its method on it."""
    known = trial.parameters
    return PLANTED[trial.method](
        planted(known["p"], known["n"], known["k"], known["values"], seed=trial.seed), trial.seed
    )


def _auto(hidden: Planted, seed: int) -> Outcome:
    found = sparsest(hidden.columns, "auto", effort=EFFORT, seed=seed)
    error = hidden.error(found.vector)
    return {
        "success": error <= EXACT,
        "error": error,
        "certified": found.certified,
        "nonzeros": int(found.support.size),
    }


def _paper(hidden: Planted, _seed: int) -> Outcome:
    subspace = Subspace.span(hidden.columns)
    done = follow(subspace, *place(subspace, hidden.truth))
    return {
        "success": done.exact,
        "posted": done.posted,
        "starts": done.starts,
        "steps": done.steps,
        "cosine": done.cosine,
    }


def _optimal(hidden: Planted, _seed: int) -> Outcome:
    subspace = Subspace.span(hidden.columns)
    _, vertex = place(subspace, hidden.truth)
    if vertex is None:
        return {"success": False, "kappa": None}
    certificate = certify(subspace, vertex)
    kappa = certificate.kappa
    return {"success": certificate.locally_optimal, "kappa": kappa if math.isfinite(kappa) else None}


def _spectral(hidden: Planted, _seed: int) -> Outcome:
    """One informed start and one linear program: what a fixed number of starts can do."""
    found = sparsest(hidden.columns, "spectral", ends="larger")
    error = hidden.error(found.vector)
    return {"success": error <= EXACT, "error": error}


PLANTED: dict[str, Callable[[Planted, int], Outcome]] = {
    "auto": _auto,
    "paper": _paper,
    "optimal": _optimal,
    "spectral": _spectral,
}
