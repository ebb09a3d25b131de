"""Trials on the complete dictionary model: how many of the n sparse rows are found, where the paper asks for one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

import numpy as np

from ..certificates import certify
from ..extraction import Extraction, extend
from ..methods import as_method
from ..models import Dictionary, dictionary
from ..rounding import Vertex
from ..subspace import Subspace
from ..watch import Watch
from .planted import place
from .protocol import EXACT, follow_all, rounds_to
from .trial import Outcome, Trial

__all__ = ["DICTIONARY", "run_dictionary"]

_POSTED = 1e-3  # squared distance to a row at which the posted code counts a success, without rounding
_ALONE = 1e-4  # a vector within this of a row is that row and no other


def run_dictionary(trial: Trial) -> Outcome:
    """Make the instance of a trial and run its method on it."""
    known = trial.parameters
    hidden = dictionary(known["p"], known["n"], known["k"], known["values"], seed=trial.seed)
    return DICTIONARY[trial.method](hidden, trial)


def _auto(hidden: Dictionary, trial: Trial) -> Outcome:
    """Independent sparse vectors until one has no exact zeros to show; each counted once."""
    subspace = Subspace.span(hidden.columns)
    task = Extraction(subspace, as_method("auto", {}), subspace.dim, np.random.default_rng(trial.seed), Watch())
    found = [vector.vector for vector in takewhile(lambda vector: vector.certified, extend(task))]
    rows = {int(np.argmax(np.abs(hidden.truth.T @ vector))) for vector in found if _is_row(hidden, vector)}
    return {"success": bool(rows), "rows": len(rows), "certified": len(found)}
