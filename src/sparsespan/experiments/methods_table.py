"""Trials for the table of methods: one method of the registry on one planted instance, against the clock."""

from __future__ import annotations

import time

from ..models import planted
from ..search import sparsest
from ..status import Status
from .protocol import EXACT
from .trial import Outcome, Trial

__all__ = ["DEADLINE", "run_method"]

DEADLINE = 20.0  # seconds a method may take; what ends there has no time that says anything


def run_method(trial: Trial) -> Outcome:
    """
    Run a method by its name on the instance of a trial.

    The time of the search is part of the outcome: CPU seconds of this process, which has one thread, so that other work
    on the machine does not count; nor does the making of the instance. It is measured, hence not the same twice.
    """
    known = trial.parameters
    warm = planted(60, 4, 12, "ones", seed=0)
    sparsest(warm.columns, "paper")  # the first linear program also loads SciPy
    hidden = planted(known["p"], known["n"], known["k"], known["values"], seed=trial.seed)
    started = time.process_time()
    found = sparsest(hidden.columns, trial.method, seed=trial.seed % 2**32, deadline=DEADLINE)
    spent = time.process_time() - started
    error = hidden.error(found.vector)
    late = found.status is Status.DEADLINE or found.seconds >= DEADLINE
    return {"success": error <= EXACT, "error": error, "seconds": spent, "late": late}
