"""Trials for the tests of sweeps: they leave a trace of every run. Imported by worker processes."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

from sparsespan.errors import NotConverged
from sparsespan.experiments.trial import Outcome, Trial


def count(trial: Trial) -> Outcome:
    """Note that the trial runs, wait a little, draw a number from its seed."""
    with Path(os.environ["SWEEP_LOG"]).open("a") as log:
        log.write(f"{trial.seed} {trial.method}\n")
    time.sleep(trial.parameters.get("wait", 0.0))
    if trial.method == "fails":
        msg = f"always; got seed {trial.seed}"
        raise NotConverged(msg)
    if trial.method == "breaks":
        return {"value": 1 / (trial.repeat - 1)}
    return {
        "value": float(np.random.default_rng(trial.seed).random()),
        "threads": [os.environ[name] for name in ("OPENBLAS_NUM_THREADS", "SPARSESPAN_THREADS")],
    }
