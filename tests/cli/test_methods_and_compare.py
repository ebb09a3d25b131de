"""The commands `methods` and `compare`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import sparsespan as ss
from sparsespan.cli import main
from sparsespan.methods import available


def run(*words: object) -> tuple[int, str, str]:
    answer = CliRunner().invoke(main, [str(word) for word in words])
    if answer.exception is not None and not isinstance(answer.exception, SystemExit):
        raise answer.exception
    return answer.exit_code, answer.stdout, answer.stderr


@pytest.fixture
def basis(tmp_path) -> Path:
    path = tmp_path / "basis.npy"
    np.save(path, ss.models.planted(120, 6, 20, "gaussian", seed=5).columns)
    return path


def test_methods_lists_the_registry():
    code, out, _ = run("methods")
    assert code == 0
    listed = [line for line in out.splitlines() if not line.startswith(" ")]
    assert listed == list(available())
    words = " ".join(out.split())
    for cls in available().values():
        assert all(" ".join(said.split()) in words for said in (cls.reference, cls.guarantee, cls.cost))
    assert max(map(len, out.splitlines())) <= 100


def test_methods_as_json_and_as_a_table():
    listed = json.loads(run("methods", "--json")[1])
    assert [method["name"] for method in listed] == list(available())
    spectral = next(method for method in listed if method["name"] == "spectral")
    assert spectral["options"] == {"ends": "'both'"}
    table = run("methods", "--markdown")[1].splitlines()
    assert len(table) == 2 + len(available())
    assert table[0].startswith("| method")
    assert run("methods", "--markdown", "--json")[0] == 2


def test_compare_prints_the_chosen_methods_best_first(basis):
    code, out, _ = run("compare", basis, "--methods", "sdp, spectral,subgradient", "--quiet")
    assert code == 0
    head, columns, *lines = out.splitlines()
    assert head.startswith("dimension 6 in 120 entries")
    assert columns.split() == ["method", "time", "1-norm", "nonzeros", "zeros", "certificate", "ended"]
    assert {line.split()[0] for line in lines} == {"sdp", "spectral", "subgradient"}
    for line in lines:
        assert line.split()[4:6] == ["20", "100"]
        assert "holds" in line
    assert "tight 1" in next(line for line in lines if line.startswith("sdp"))


def test_compare_as_json_and_as_a_page(basis, tmp_path):
    page = tmp_path / "page.html"
    code, out, _ = run("compare", basis, "--methods", "irls,l4", "--json", "--html", page, "--seed", 2)
    assert code == 0
    entries = json.loads(out)["entries"]
    assert {entry["method"] for entry in entries} == {"irls", "l4"}
    assert all(entry["certified"] and entry["error"] == "" for entry in entries)
    html = page.read_text(encoding="utf-8")
    assert "Methods side by side: basis.npy" in html
    assert "sparsespan compare basis.npy --methods irls,l4 --seed 2 --deadline 60" in html


def test_exit_codes(basis, tmp_path):
    generic = tmp_path / "generic.npy"
    np.save(generic, np.random.default_rng(0).standard_normal((40, 4)))
    assert run("compare", generic, "--methods", "spectral")[0] == 3
    code, _, err = run("compare", tmp_path / "absent.npy", "--methods", "spectral")
    assert code == 4
    assert "absent.npy" in err
    code, _, err = run("compare", basis, "--methods", "spectral,magic")
    assert code == 2
    assert "must be names among adm" in err
    assert run("compare", basis, "--methods", ",")[0] == 2
    code, _, err = run("compare", basis, "--null", "--rows")
    assert code == 2
    assert "exclude one another" in err


def test_null_spaces_and_mapped_files(tmp_path):
    matrix = tmp_path / "matrix.npy"
    np.save(matrix, np.random.default_rng(1).standard_normal((3, 8)))
    code, out, _ = run("compare", matrix, "--null", "--methods", "subgradient", "--json")
    assert code == 3
    assert json.loads(out)["dim"] == 5
    basis = tmp_path / "basis.npy"
    np.save(basis, ss.models.planted(120, 6, 20, "gaussian", seed=5).columns)
    code, out, _ = run("compare", basis, "--mapped", "--methods", "subgradient,spectral")
    assert code == 0
    assert "must have all rows in memory" in out
