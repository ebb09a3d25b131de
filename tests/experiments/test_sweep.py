"""Sweeps: every trial once, the same rows whatever the order, the workers and the interruptions."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from sparsespan.errors import InvalidInput
from sparsespan.experiments.store import Store
from sparsespan.experiments.sweep import sweep
from sparsespan.experiments.trial import Row, Trial

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # the worker processes get the path of their parent
from counting import count  # noqa: E402 - found through the line above


def grid(number: int = 12, methods: tuple[str, ...] = ("one", "two"), **more: object) -> list[Trial]:
    return [
        Trial("test", {"k": k, **more}, repeat, method)
        for k in range(number // (2 * len(methods)))
        for repeat in range(2)
        for method in methods
    ]


def content(path: Path) -> list[tuple[object, ...]]:
    """All rows but for their times."""
    base = sqlite3.connect(path)
    rows = base.execute("SELECT experiment, parameters, seed, method, repeat, outcome FROM trials").fetchall()
    base.close()
    return rows


def lines(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SWEEP_LOG", str(tmp_path / "log"))
    return tmp_path / "log"


def test_rows_do_not_depend_on_the_number_of_workers(tmp_path: Path, log: Path) -> None:
    for workers in (1, 3):
        with Store(tmp_path / f"{workers}.db") as store:
            assert sweep(grid(), count, store, workers=workers).complete
    assert content(tmp_path / "1.db") == content(tmp_path / "3.db")
    assert len(content(tmp_path / "1.db")) == 12
    assert all(json.loads(str(row[5]))["threads"] == ["1", "1"] for row in content(tmp_path / "1.db"))


def test_what_is_stored_is_not_run_again(tmp_path: Path, log: Path) -> None:
    path = tmp_path / "a.db"
    with Store(path) as store:
        first = sweep(grid(8), count, store)
        second = sweep(grid(12), count, store)
        third = sweep(grid(12), count, store)
    assert (first.now, second.now, third.now) == (8, 4, 0)
    assert second.before == 8
    assert len(set(lines(log))) == len(lines(log)) == 12


def test_one_instance_for_all_methods_and_experiments() -> None:
    first, second = Trial("a", {"n": 5, "p": 9}, 0, "one"), Trial("b", {"p": 9, "n": 5}, 0, "two")
    assert first.seed == second.seed
    assert len({Trial("a", {"n": n}, r, "one").seed for n in range(20) for r in range(20)}) == 400
    assert Trial("psv-k", {"n": 5}, 3, "auto").seed == 5009113269432185020, "seeds must not change between releases"


def test_our_errors_are_outcomes_and_faults_are_raised_after_storing(tmp_path: Path, log: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        sweep(grid(4, ("fails",)), count, store)
        assert all("NotConverged: always" in row.outcome["error"] for row in store.rows())
        with pytest.raises(ZeroDivisionError):
            sweep(grid(2, ("breaks",)), count, store, workers=1)
        assert [row.trial.repeat for row in store.rows() if row.trial.method == "breaks"] in ([0], [])


def test_asking_to_stop_stores_what_runs_and_the_next_sweep_does_the_rest(tmp_path: Path, log: Path) -> None:
    told: list[tuple[float, str]] = []
    with Store(tmp_path / "a.db") as store:
        stop = sweep(
            grid(wait=0.02),
            count,
            store,
            progress=lambda share, words: told.append((share, words)),
            interrupted=lambda: told[-1][0] >= 0.3,
        )
        assert 4 <= stop.now < 12
        assert not stop.complete
        assert len(lines(log)) == stop.now
        assert sweep(grid(wait=0.02), count, store).now == 12 - stop.now
    assert len(set(lines(log))) == len(lines(log)) == 12
    assert told[0] == (0.0, "0 of 12 trials, time left unknown")
    assert re.fullmatch(rf"{stop.now} of 12 trials, \d+:\d\d:\d\d left", told[-1][1])


SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, {here!r})
import test_sweep
from counting import count
from sparsespan.experiments.store import Store
from sparsespan.experiments.sweep import sweep
if __name__ == "__main__":
    with Store(Path({path!r})) as store:
        sys.exit(not sweep(test_sweep.grid(64, wait=0.01), count, store).complete)
"""


def start(tmp_path: Path, path: Path) -> subprocess.Popen[bytes]:
    script = tmp_path / "run.py"
    script.write_text(SCRIPT.format(here=str(HERE), path=str(path)))
    return subprocess.Popen([sys.executable, str(script)], stderr=subprocess.DEVNULL)


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in found.read_text().split()] if found.exists() else []


def gone(pid: int) -> bool:
    """No such process any more, or one that only waits to be counted by its parent."""
    status = Path(f"/proc/{pid}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
def test_five_kills_at_random_moments_lose_nothing_and_repeat_nothing(tmp_path: Path, log: Path) -> None:
    path, rng = tmp_path / "killed.db", np.random.default_rng(7)
    stored = 0
    for kill in range(5):
        run = start(tmp_path, path)
        before = len(lines(log))
        while len(lines(log)) < before + 3 and run.poll() is None:
            time.sleep(0.005)
        time.sleep(float(rng.uniform(0, 0.06)))
        workers = children(run.pid)
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
        limit = time.monotonic() + 20
        while not all(map(gone, workers)) and time.monotonic() < limit:
            time.sleep(0.01)
        assert workers, "the kill came while workers were there"
        assert all(map(gone, workers)), "workers outlive their parent"
        now = len(content(path))
        assert now > stored, f"kill {kill} lost rows"
        stored = now
    assert stored < 64
    assert start(tmp_path, path).wait() == 0
    runs = lines(log)
    with Store(tmp_path / "whole.db") as store:
        assert sweep(grid(64, wait=0.01), count, store).complete
    assert content(path) == content(tmp_path / "whole.db")
    assert len(set(runs)) == 64
    assert len(runs) <= 64 + 5 * 3, "only what was under way at a kill is run again"


def test_a_store_is_for_one_run_at_a_time(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db"), pytest.raises(InvalidInput, match=r"by this run alone; got .*locked"):
        Store(tmp_path / "a.db")
    with Store(tmp_path / "a.db"):
        pass


def test_a_store_of_another_version_or_kind_is_refused(tmp_path: Path) -> None:
    Store(tmp_path / "a.db").close()
    base = sqlite3.connect(tmp_path / "a.db")
    base.execute("UPDATE facts SET value = '0.0.1' WHERE name = 'version'")
    base.commit()
    base.close()
    with pytest.raises(InvalidInput, match=r"must come from this version, .*; got version 0\.0\.1"):
        Store(tmp_path / "a.db")
    (tmp_path / "b.db").write_text("this is no database, whatever its name says" * 100)
    with pytest.raises(InvalidInput, match=r"`out` must be a folder in which b\.db can be written"):
        Store(tmp_path / "b.db")
    with pytest.raises(InvalidInput, match="`out` must be a folder"):
        Store(tmp_path / "no such folder" / "c.db")


def test_the_table_itself_refuses_a_row_twice(tmp_path: Path) -> None:
    row = Row(Trial("a", {"n": 5}, 0, "one"), {"success": True, "error": 1e-17}, 0.25)
    with Store(tmp_path / "a.db") as store:
        store.add(row)
        with pytest.raises(sqlite3.IntegrityError):
            store.add(row)
        assert list(store.rows()) == [row]
        assert next(store.rows())["n"] == 5


def test_workers_must_be_a_positive_number(tmp_path: Path) -> None:
    with (
        Store(tmp_path / "a.db") as store,
        pytest.raises(InvalidInput, match="`workers` must be an integer"),
    ):
        sweep([], count, store, workers=0)
