"""Trials on the complete dictionary model: how many of the n sparse rows are found, where the paper asks for one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from ..certificates import certify
from ..extraction import Extraction, extend
from ..methods import as_method
from ..models import Dictionary, dictionary
from ..result import SparseVector
from ..subspace import Subspace
from ..watch import Watch
from .planted import EFFORT, place
from .protocol import EXACT, follow_all, rounds_to
from .trial import Outcome, Trial

__all__ = ["DICTIONARY", "run_dictionary"]

_POSTED = 1e-3  # squared distance to a row at which the posted code counts a success, without rounding
_MISSES = 2  # vectors without a certificate after which no more are looked for
_TESTED = 3  # limits nearest to a row whose basin is tested
_NEAR = 0.8  # |cos| of a row and a limit from which the program is solved where the basin test is not conclusive


def run_dictionary(trial: Trial) -> Outcome:
    """Make the instance of a trial and run its method on it."""
    known = trial.parameters
    hidden = dictionary(known["p"], known["n"], known["k"], known["values"], seed=trial.seed)
    return DICTIONARY[trial.method](hidden, trial.seed)


def _auto(hidden: Dictionary, seed: int) -> Outcome:
    """Independent sparse vectors, until the second without a certificate; each row counted once."""
    subspace = Subspace.span(hidden.columns)
    method, rng = as_method("auto", {"effort": EFFORT}), np.random.default_rng(seed)
    task = Extraction(subspace, method, subspace.dim, rng, Watch())
    found = [one.vector for one in _until(extend(task), _MISSES) if one.certified]
    rows = {int(np.argmax(np.abs(hidden.truth.T @ vector))) for vector in found if hidden.error(vector) <= EXACT}
    return {"success": bool(rows), "rows": len(rows), "certified": len(found)}


def _until(vectors: Iterable[SparseVector], misses: int) -> Iterator[SparseVector]:
    for vector in vectors:
        yield vector
        misses -= not vector.certified
        if not misses:
            return


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
