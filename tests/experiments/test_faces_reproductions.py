"""Figs. 4 and 5: what is measured, what is expected, pages of few rows and of none."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from sparsespan.cli import main
from sparsespan.experiments import face_sources
from sparsespan.experiments.face_study import WAYS
from sparsespan.experiments.reproductions import SCALES, expectations, faces, named, reproduce
from sparsespan.experiments.reproductions.packing import pack, unpack
from sparsespan.experiments.trial import Row, Trial

NAMES = ("faces-light", "faces-people")


@pytest.fixture(autouse=True)
def tiny(monkeypatch, tmp_path):
    """No real data, pictures of 24×21 pixels, two vectors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(face_sources.VARIABLE, raising=False)
    monkeypatch.setattr(faces, "_SCALES", dict.fromkeys(SCALES, (8, 2)))
    monkeypatch.setattr(faces, "_PIXELS", {1: "all", 8: "every eighth one each way"})


def rows_of(name, methods=None, run=None):
    reproduction = named(name)
    trials = reproduction.trials("small", methods or reproduction.methods)
    return [Row(trial, (run or reproduction.run)(trial), 0.5) for trial in trials]


@pytest.mark.parametrize("name", NAMES)
def test_every_way_is_a_trial_with_plain_and_repeatable_outcome(name):
    rows = rows_of(name)
    assert [row.trial.method for row in rows] == ["pictures", *WAYS]
    again = rows_of(name, ("greedy",))[0]
    greedy = next(row for row in rows if row.trial.method == "greedy")
    assert json.dumps(again.outcome) == json.dumps(greedy.outcome)
    assert unpack(greedy.outcome["pixels"]).shape == (2, 24, 21)
    assert len(greedy.outcome["l1"]) == len(greedy.outcome["l4"]) == 2
    given = rows[0].outcome
    kinds = ["picture", "low-rank part", "sparse part"] if name == "faces-light" else ["picture"]
    assert [kind for kind, _ in given["samples"]] == kinds
    assert unpack(given["samples"][0][1]).shape == (4, 24, 21)
    found = named(name).findings(rows, "small")
    met = {
        one.figure: one.met(found.measured[one.figure])
        for one in expectations(name)
        if found.measured[one.figure] is not None
    }
    assert met == dict.fromkeys(met, True)
    assert set(met) == {"adm_below_spectral", "first_below_adm", "joint_below_greedy", "independent_below_greedy"}
    assert set(found.drawings) == set(WAYS)
    assert found.drawings["joint"].shape == (24, 2 * 21 + 4)
    assert "synthetic" in found.lead


def outcome(trial):
    """What the real faces would give, as far as the page needs it."""
    if trial.method == "pictures":
        pixels = [["picture", pack(np.zeros((4, 8, 8), np.uint8))]]
        return {"names": list("abcd"), "samples": pixels, "told": [], "rank": 25, "cosine": 1 - 1e-7}
    order = list(WAYS).index(trial.method)
    norms = [100.0 + order, 101.0, 102.0, 103.0]
    pixels = pack(np.zeros((4, 8, 8), np.uint8))
    return {"l1": norms, "l4": [0.1] * 4, "minima": [True] * 4, "status": "noisy", "pixels": pixels}


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_expected_is_measured_where_the_real_faces_are(name, monkeypatch):
    monkeypatch.setattr(faces, "_SCALES", dict.fromkeys(SCALES, (1, 4)))
    monkeypatch.setattr(faces, "source_of", lambda file: "real")
    found = named(name).findings(rows_of(name, run=outcome), "paper")
    assert None not in [found.measured[one.figure] for one in expectations(name)]
    lines = found.blocks[0].rows
    assert [line[0] for line in lines[-2:]] == [f"{WAYS[way].name}, as printed" for way in ("adm", "spectral")]
    assert "Extended Yale B" in found.lead


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_made_of_some_rows_and_of_none(name):
    assert named(name).findings([], "small").drawings == {}
    some = named(name).findings(rows_of(name, ("spectral",)), "small")
    assert some.measured["adm_below_spectral"] is None
    failed = Row(Trial(name, {"source": "synthetic", "step": 8, "count": 2}, 0, "greedy"), {"error": "no"}, 0.1)
    assert named(name).findings([failed], "small").drawings == {}


def test_the_store_keeps_what_is_done(tmp_path):
    first = reproduce(named("faces-people"), tmp_path / "out", methods=["spectral"], workers=1)
    second = reproduce(named("faces-people"), tmp_path / "out", methods=["spectral"], workers=1)
    assert (first.swept.now, second.swept.now, second.swept.before) == (1, 0, 1)
    assert (tmp_path / "out" / "spectral.png").read_bytes().startswith(b"\x89PNG")
    assert first.as_expected


def test_the_command_takes_a_folder_of_data(tmp_path):
    answer = CliRunner().invoke(main, ["reproduce", "faces-light", "--data", str(tmp_path / "absent")])
    assert answer.exit_code == 2
    assert "--data" in answer.stderr
    words = ["--data", str(tmp_path), "--methods", "spectral", "--workers", "1", "--json", "--out", str(tmp_path / "o")]
    answer = CliRunner().invoke(main, ["reproduce", "faces-people", *words])
    assert answer.exit_code == 0, answer.stderr
    assert json.loads(answer.stdout)["complete"]
