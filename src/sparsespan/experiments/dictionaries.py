"""Trials on the complete dictionary model: how many of the n sparse rows are found, where the paper asks for one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..certificates import certify
from ..extraction import Extraction, extend
from ..methods import as_method
from ..models import Dictionary, dictionary
from ..subspace import Subspace
from ..watch import Watch
from .planted import place
from .protocol import EXACT, follow_all, rounds_to
from .trial import Outcome, Trial

__all__ = ["DICTIONARY", "DICTIONARY_EFFORT", "run_dictionary"]

_POSTED = 1e-3  # squared distance to a row at which the posted code counts a success, without rounding
DICTIONARY_EFFORT = 0.05  # of `auto`: a search that fails is repeated for every further vector
_TESTED = 3  # limits nearest to a row whose basin is tested
_NEAR = 0.8  # |cos| of a row and a limit from which the program is solved where the basin test is not conclusive


def run_dictionary(trial: Trial) -> Outcome:
    """Make the instance of a trial and run its method on it."""
    known = trial.parameters
    hidden = dictionary(known["p"], known["n"], known["k"], known["values"], seed=trial.seed)
    return DICTIONARY[trial.method](hidden, trial.seed)


def _auto(hidden: Dictionary, seed: int) -> Outcome:
    """
    Independent sparse vectors, one after the other, until the second that is none of the rows.

    Where the first is none already, it is the last. In a dictionary of ones differences of rows are as sparse as rows
    from θ = 1/2 on; where such vectors, or none with a certificate, come out, the search for all rows has failed, and
    each further one would take seconds.
    """
    subspace = Subspace.span(hidden.columns)
    method, rng = as_method("auto", {"effort": DICTIONARY_EFFORT}), np.random.default_rng(seed)
    rows: set[int] = set()
    certified = misses = 0
    for vector in extend(Extraction(subspace, method, subspace.dim, rng, Watch())):
        certified += vector.certified
        if vector.certified and hidden.error(vector.vector) <= EXACT:
            rows.add(int(np.argmax(np.abs(hidden.truth.T @ vector.vector))))
        else:
            misses += 1
        if misses > bool(rows):
            break
    return {"success": bool(rows), "rows": len(rows), "certified": certified}


def _paper(hidden: Dictionary, _seed: int) -> Outcome:
    """Every start to its end, because every row found counts."""
    subspace = Subspace.span(hidden.columns)
    limits = follow_all(subspace)
    places = [place(subspace, row) for row in hidden.truth.T]
    cosines = np.abs(np.stack([point for point, _ in places]) @ limits.points)
    posted = int(np.count_nonzero(2.0 - 2.0 * cosines.max(axis=1) <= _POSTED))
    rows = 0
    for (_, vertex), near in zip(places, cosines, strict=True):
        best = np.argsort(-near, kind="stable")[:_TESTED]
        programs = int(near[best[0]] > _NEAR)
        rows += vertex is not None and rounds_to(subspace, vertex, limits.points[:, best], programs)
    steps = int(limits.steps.max())
    return {"success": rows > 0, "rows": rows, "posted": posted > 0, "posted_rows": posted, "steps": steps}


def _optimal(hidden: Dictionary, _seed: int) -> Outcome:
    subspace = Subspace.span(hidden.columns)
    vertices = [place(subspace, row)[1] for row in hidden.truth.T]
    rows = sum(vertex is not None and certify(subspace, vertex).locally_optimal for vertex in vertices)
    return {"success": rows > 0, "rows": rows}


DICTIONARY: dict[str, Callable[[Dictionary, int], Outcome]] = {"auto": _auto, "paper": _paper, "optimal": _optimal}
