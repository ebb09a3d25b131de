from __future__ import annotations

import math

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.watch import Watch


def test_without_limits_it_never_expires():
    watch = Watch()
    assert not watch.expired
    assert watch.seconds >= 0


@pytest.mark.parametrize(
    ("deadline", "late"), [(1e-12, True), (1e9, False), (math.inf, False), (np.float32(1e9), False)]
)
def test_the_deadline_counts_from_the_start(deadline, late):
    watch = Watch(deadline)
    before = watch.seconds
    assert watch.seconds >= before
    assert watch.late is watch.expired is late


def test_an_interruption_expires_it_and_is_no_lateness():
    asked = []
    watch = Watch(interrupted=lambda: bool(asked))
    assert not watch.expired
    asked.append(1)
    assert watch.stopped
    assert watch.expired
    assert not watch.late


def test_progress_is_told_as_a_share():
    told = []
    watch = Watch(progress=lambda share, doing: told.append((share, doing)))
    for share in (-0.5, 0.25, 7.0):
        watch.tell(share, "working")
    assert told == [(0.0, "working"), (0.25, "working"), (1.0, "working")]
    Watch().tell(0.5, "nobody listens")


@pytest.mark.parametrize("deadline", [0, -1, math.nan, "soon", True, [1]])
def test_a_deadline_that_is_no_time_is_refused(deadline):
    with pytest.raises(
        ss.InvalidInput, match=r"`deadline` must be a positive number; got .*\. In seconds; None: no limit\."
    ):
        Watch(deadline)


def test_a_deadline_beyond_float64_is_none():
    assert Watch(10**400).remaining == math.inf


@pytest.mark.parametrize("name", ["progress", "interrupted"])
@pytest.mark.parametrize("value", [5, "stop", [print]])
def test_what_cannot_be_called_is_refused(name, value):
    with pytest.raises(ss.InvalidInput, match=rf"`{name}` must be callable or None; got .*\. Pass a function\."):
        Watch(**{name: value})
    with pytest.raises(ss.InvalidInput, match=rf"`{name}` must be callable or None"):
        ss.sparsest(np.eye(3), **{name: value})


def test_a_step_that_does_not_fit_makes_the_run_late():
    assert not Watch().lacks(1e300)
    watch = Watch(1e6)
    assert not watch.lacks(1.0)
    assert not watch.late
    assert watch.lacks(1e7)
    assert watch.late
    assert watch.remaining == 0.0
    assert not Watch(1e6).part(0, 2).lacks(1.0)


def test_a_silent_watch_keeps_the_limits():
    told = []
    watch = Watch(1e-12, lambda *words: told.append(words), lambda: True).silent()
    watch.tell(0.5, "working")
    assert told == []
    assert watch.late
    assert watch.stopped
