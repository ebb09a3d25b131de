"""The command `reproduce`: its words, its exit codes, and that no interruption loses or repeats a trial."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from sparsespan.cli import main
from sparsespan.experiments.reproductions import available


def run(*words: object) -> tuple[int, str, str]:
    answer = CliRunner().invoke(main, [str(word) for word in words])
    if answer.exception is not None and not isinstance(answer.exception, SystemExit):
        raise answer.exception
    return answer.exit_code, answer.stdout, answer.stderr


@pytest.mark.parametrize("words", [(), ("--list",), ("landscape", "--list")])
def test_without_a_name_all_are_listed(words):
    code, out, _ = run("reproduce", *words)
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == list(available())
    assert {"psv-k", "psv-n", "dl-k", "dl-n", "landscape", "theory", "table-methods"} <= set(available())


def test_the_list_as_json_names_the_methods():
    listed = {one["name"]: one for one in json.loads(run("reproduce", "--list", "--json")[1])}
    assert listed["psv-k"]["methods"] == ["paper", "auto", "optimal"]
    assert listed["psv-k"]["source"] == "Fig. 2(a)"


def test_landscape_as_text_and_as_json(tmp_path):
    out = tmp_path / "a" / "folder"
    code, told, _ = run("reproduce", "landscape", "--out", out, "--workers", 1)
    assert code == 3, "with ones the planted vector is no minimum at θ = .4, and the page says so"
    assert "2 of 2 trials done, 2 of them now" in told
    assert "differs       ones: ±e₁ is a minimum" in told
    code, told, _ = run("reproduce", "landscape", "--out", out, "--json")
    summary = json.loads(told)
    assert code == 3
    assert summary["trials"]["before"] == 2
    assert summary["trials"]["now"] == 0
    assert [verdict["met"] for verdict in summary["verdicts"]] == [True, False, True]
    assert all(Path(picture).stat().st_size > 1000 for picture in summary["pictures"])
    assert Path(summary["page"]).read_text(encoding="utf-8").startswith("<!doctype html>")


def test_results_go_into_a_folder_of_their_own_by_default(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("reproduce", "landscape", "--workers", 1, "--quiet")
    assert (tmp_path / "sparsespan-results" / "landscape" / "landscape.html").exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("fig-2",), 2, "NAME must be one of dl-k"),
        (("psv-k", "--methods", "paper,magic"), 2, "--methods of psv-k must be names among paper, auto, optimal"),
        (("psv-k", "--methods", ","), 2, "got ','"),
        (("psv-k", "--scale", "huge"), 2, "'huge' is not one of 'small', 'paper', 'large'"),
        (("psv-k", "--workers", "0"), 2, "0 is not in the range"),
    ],
)
def test_wrong_words_are_refused(words, code, said, tmp_path):
    got, _, err = run("reproduce", *words, "--out", tmp_path)
    assert got == code
    assert said in err
    assert list(tmp_path.iterdir()) == []


def test_folders_that_cannot_be_used_are_told_in_one_line(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    code, _, err = run("reproduce", "landscape", "--out", tmp_path / "file")
    assert code == 2
    assert "is a file" in err
    (tmp_path / "trials.db").write_text("no database" * 1000)
    code, _, err = run("reproduce", "landscape", "--out", tmp_path)
    assert code == 4
    assert "`out` must be a folder in which trials.db can be written" in err
    assert "Traceback" not in err


_WORDS = ("reproduce", "psv-k", "--methods", "paper,optimal", "--workers", "2", "--quiet")
_TRIALS = 128


def start(out: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from sparsespan.cli import main; main()", *_WORDS, "--out", str(out)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def content(out: Path) -> list[tuple[object, ...]]:
    """All rows but for their times."""
    base = sqlite3.connect(out / "trials.db")
    rows = base.execute("SELECT experiment, parameters, seed, method, repeat, outcome FROM trials").fetchall()
    base.close()
    return rows


def written(out: Path) -> int:
    """Bytes in the log of the store: it grows with every row, and nobody has to open it."""
    log = out / "trials.db-wal"
    return log.stat().st_size if log.exists() else 0


def wait_for_rows(process: subprocess.Popen[str], out: Path, more: float) -> None:
    """Wait until the store has grown by a few rows of 4 kB pages."""
    limit, before = time.monotonic() + 60, written(out)
    while written(out) < before + more and process.poll() is None and time.monotonic() < limit:
        time.sleep(0.002)


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
def test_five_kills_and_a_resumed_run_give_the_rows_of_an_uninterrupted_one(tmp_path):
    rng, stored = np.random.default_rng(3), 0
    for _ in range(5):
        process = start(tmp_path / "killed")
        wait_for_rows(process, tmp_path / "killed", float(rng.uniform(1e4, 1.2e5)))
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL, "the kill came before the end"
        now = len(content(tmp_path / "killed"))
        assert now >= stored, "a kill lost rows"
        stored = now
    assert 0 < stored < _TRIALS
    code, out, _ = run(*_WORDS, "--out", tmp_path / "killed")
    assert f"{_TRIALS} of {_TRIALS} trials done, {_TRIALS - stored} of them now" in out
    assert run(*_WORDS, "--out", tmp_path / "whole")[0] == code
    assert content(tmp_path / "killed") == content(tmp_path / "whole")
    assert len(content(tmp_path / "whole")) == _TRIALS


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
def test_ctrl_c_keeps_what_is_done_and_writes_the_page(tmp_path):
    process = start(tmp_path)
    wait_for_rows(process, tmp_path, 3e4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "Traceback" not in err
    assert "the same command does the rest" in out
    stored = len(content(tmp_path))
    assert 0 < stored < _TRIALS
    assert f"{stored} of {_TRIALS} trials done" in out
    assert f"{stored} of {_TRIALS}" in (tmp_path / "psv-k.html").read_text(encoding="utf-8")
    assert f"{_TRIALS - stored} of them now" in run(*_WORDS, "--out", tmp_path)[1]
