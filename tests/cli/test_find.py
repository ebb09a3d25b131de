"""The commands `find`, `doctor` and `demo`: files in, answers and exit codes out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from click.testing import CliRunner

import sparsespan as ss
from sparsespan.cli import main

HIDDEN = ss.models.planted(120, 6, 20, "gaussian", seed=5)
COMMAND = [sys.executable, "-c", "from sparsespan.cli import main; main()"]


def run(*words: object) -> tuple[int, str, str]:
    answer = CliRunner().invoke(main, [str(word) for word in words])
    if answer.exception is not None and not isinstance(answer.exception, SystemExit):
        raise answer.exception
    return answer.exit_code, answer.stdout, answer.stderr


def save(path: Path) -> Path:
    """Write the planted columns in the kind of file that the name asks for."""
    columns = np.array(HIDDEN.columns)
    if path.suffix == ".npy":
        np.save(path, columns)
    elif path.name == "sparse.npz":
        sp.save_npz(path, sp.csr_matrix(columns))
    elif path.suffix == ".npz":
        np.savez(path, basis=columns, label=np.array("a text"), column=columns[:, 0])
    elif path.suffix == ".mat":
        scipy.io.savemat(path, {"Y": columns})
    elif path.suffix == ".mtx":
        scipy.io.mmwrite(path, sp.coo_matrix(columns), precision=17)
    else:
        mark = {".csv": ",", ".tsv": "\t", ".txt": " "}[path.suffix]
        header = mark.join("abcdef") if path.suffix == ".csv" else ""
        np.savetxt(path, columns, delimiter=mark, header=header, comments="", fmt="%.17g")
    return path


@pytest.mark.parametrize("name", ["a.npy", "a.npz", "sparse.npz", "a.mat", "a.mtx", "a.csv", "a.tsv", "a.txt"])
def test_every_kind_of_file_is_read(tmp_path, name):
    out = tmp_path / "found.npz"
    code, text, _ = run("find", save(tmp_path / name), "--out", out)
    assert code == 0
    assert text.startswith("20 nonzeros of 120 (dimension 6), 1-norm ")
    assert "status: found" in text
    assert HIDDEN.error(ss.load(out).vector) < 1e-12


def test_json_says_it_all(tmp_path):
    code, text, _ = run("find", save(tmp_path / "a.npy"), "--json", "--seed", 3, "--method", "subgradient")
    told = json.loads(text)
    assert code == 0
    assert told["support"] == np.flatnonzero(HIDDEN.truth).tolist()
    assert told["certified"] is True
    assert told["certificate"]["zeros"] == 100
    assert told["method"].startswith("Subgradient(")


def test_null_spaces_and_rows(tmp_path):
    normal = scipy.linalg.null_space(np.array(HIDDEN.columns).T).T
    np.save(tmp_path / "matrix.npy", normal)
    np.save(tmp_path / "data.npy", np.array(HIDDEN.columns).T)
    scipy.io.mmwrite(tmp_path / "matrix.mtx", sp.coo_matrix(normal), precision=17)
    for words in (("matrix.npy", "--null"), ("matrix.mtx", "--null"), ("data.npy", "--rows")):
        code, text, _ = run("find", tmp_path / words[0], words[1])
        assert code == 0, text
        assert text.startswith("20 nonzeros of 120")


def test_not_certified_is_exit_code_3_and_says_what_to_do(tmp_path):
    np.save(tmp_path / "generic.npy", np.random.default_rng(0).standard_normal((30, 3)))
    code, text, _ = run("find", tmp_path / "generic.npy")
    assert code == 3
    assert "status: generic" in text
    assert "advice: Nothing here says that the subspace hides a sparse vector" in text
    code, text, _ = run("find", tmp_path / "generic.npy", "--json")
    assert code == 3
    assert json.loads(text)["certified"] is False


def test_a_page_is_written(tmp_path):
    code, _, _ = run("find", save(tmp_path / "a.npy"), "--html", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert code == 0
    assert "sparsespan find a.npy --method auto --seed 0" in page


BROKEN = {
    "absent.npy": (None, "absent.npy"),
    "cut.npy": (lambda path: path.write_bytes(save(path).read_bytes()[:500]), "must be a readable .npy file"),
    "empty.npy": (lambda path: path.write_bytes(b""), "must be a readable .npy file"),
    "pickled.npy": (
        lambda path: np.save(path, np.array([[{}]], dtype=object), allow_pickle=True),
        "must hold numbers; got Python objects. Convert them",
    ),
    "text.npy": (
        lambda path: path.write_text("1,2\n3,4\n"),
        "got other bytes at its start. Write it with `numpy.save`",
    ),
    "text.npz": (lambda path: path.write_text("1,2\n3,4\n"), "got no archive. Write it with `numpy.savez`"),
    "empty.csv": (lambda path: path.write_text(""), "must hold a row of numbers or more; got an empty file"),
    "blank.csv": (lambda path: path.write_text("\n\n"), "must hold a row of numbers or more; got an empty file"),
    "header.csv": (lambda path: path.write_text("a,b\n"), "must hold a row of numbers or more; got only a header"),
    "cut.npz": (lambda path: path.write_bytes(save(path).read_bytes()[:300]), "must be a readable .npz file"),
    "text.mat": (lambda path: path.write_text("hello"), "must be a readable .mat file"),
    "words.csv": (lambda path: path.write_text("a,b\n1,2\nx,y\n"), "must be a readable .csv file"),
    "ragged.csv": (lambda path: path.write_text("1,2\n3\n"), "must be a readable .csv file"),
    "cut.mtx": (lambda path: path.write_text("%%MatrixMarket matrix"), "must be a readable .mtx file"),
    "picture.png": (lambda path: path.write_bytes(b"\x89PNG"), "the input must be one of .npy, .npz"),
    "nan.npy": (lambda path: np.save(path, np.full((4, 2), np.nan)), "`columns` must be finite"),
    "wide.npy": (lambda path: np.save(path, np.ones((2, 5))), "`columns.T`"),
    "zeros.npy": (lambda path: np.save(path, np.zeros((5, 2))), "must span something"),
    "complex.npy": (lambda path: np.save(path, np.ones((5, 2)) * 1j), "must be real"),
    "three.npy": (lambda path: np.save(path, np.ones((5, 2, 2))), "must be two-dimensional"),
    "folder.npy": (lambda path: path.mkdir(), "folder.npy"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_bad_input_is_exit_code_4_and_one_line(tmp_path, name):
    make, message = BROKEN[name]
    if make is not None:
        make(tmp_path / name)
    code, text, err = run("find", tmp_path / name)
    assert (code, text) == (4, "")
    assert message in err
    assert err.startswith("error: ")
    assert err.count("\n") == 1


def test_keys_choose_among_arrays(tmp_path):
    path = tmp_path / "two.npz"
    np.savez(path, first=HIDDEN.columns, second=np.eye(5, 2))
    code, _, err = run("find", path)
    assert code == 4
    assert "must hold exactly one matrix, or `--key` must say which; it holds: first, second" in err
    assert run("find", path, "--key", "first")[0] == 0
    code, _, err = run("find", path, "--key", "third")
    assert code == 4
    assert "`--key` must name an array" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--method", "magic"], "--method must be one of adm,"),
        (["--seed", "-1"], "--seed"),
        (["--deadline", "0"], "--deadline"),
        (["--null", "--rows"], "exclude one another"),
        (["--unknown"], "No such option"),
        (["--key", "zz"], "--key must be left out for a.npy: only .npz and .mat files hold several arrays"),
    ],
)
def test_wrong_usage_is_exit_code_2(tmp_path, words, message):
    code, _, err = run("find", save(tmp_path / "a.npy"), *words)
    assert code == 2
    assert message in err


WRITERS = [
    ("find", "--out"),
    ("find", "--html"),
    ("compare", "--html"),
    ("demo", "--out"),
    ("nullspace", "--out"),
    ("sparsify", "--out"),
    ("sparsify", "--combination"),
    ("faces", "--out"),
    ("faces", "--save"),
]


@pytest.mark.parametrize("words", WRITERS)
def test_what_cannot_be_written_is_said_before_the_search(tmp_path, monkeypatch, words):
    for name in ("sparsespan.search.explore", "sparsespan.experiments.compare.compare"):
        monkeypatch.setattr(name, lambda *_, **__: pytest.fail("searched"))
    path = [] if words[0] in ("demo", "faces") else [save(tmp_path / "a.npy")]
    code, text, err = run(words[0], *path, words[1], tmp_path / "absent" / "found.npz")
    assert (code, text) == (4, "")
    assert "must lie in a folder that exists; got" in err
    assert "Create it first." in err
    if os.geteuid():  # root may write everywhere
        (tmp_path / "locked").mkdir(mode=0o500)
        code, _, err = run(words[0], *path, words[1], tmp_path / "locked" / "found.npz")
        assert code == 4
        assert "must be a file that may be written; got no permission" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", [("find", "a.npy"), ("methods",), ("doctor",), ("--help",), ("find", "--help")])
def test_a_full_disk_is_one_line_and_an_exit_code(tmp_path, words):
    words = [str(save(tmp_path / word)) if word == "a.npy" else word for word in words]
    with Path("/dev/full").open("w") as full:
        answer = subprocess.run([*COMMAND, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert answer.returncode == 4
    assert answer.stderr.startswith("error: ")
    assert answer.stderr.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_result_that_cannot_be_saved_is_still_told(tmp_path):
    code, text, err = run("find", save(tmp_path / "a.npy"), "--out", "/dev/full")
    assert code == 4
    assert text.startswith("20 nonzeros of 120")
    assert "No space left" in err


@pytest.mark.parametrize("words", [("find", "a.npy"), ("methods",), ("demo", "--out", os.devnull)])
def test_a_closed_pipe_ends_quietly(tmp_path, words):
    words = [str(save(tmp_path / word)) if word == "a.npy" else word for word in words]
    reading, writing = os.pipe()
    os.close(reading)
    answer = subprocess.run([*COMMAND, *words], stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert answer.stderr == ""
    assert answer.returncode == 1


@pytest.mark.parametrize("shape", [(7, 1), (1, 7)])
@pytest.mark.parametrize("suffix", [".npz", ".mat"])
def test_an_only_column_is_a_matrix(tmp_path, shape, suffix):
    path, values = tmp_path / f"column{suffix}", np.arange(7.0).reshape(shape)
    if suffix == ".npz":
        np.savez(path, column=values, scale=np.eye(1))
    else:
        scipy.io.savemat(path, {"column": values, "scale": 3.0})
    code, text, _ = run("find", path, *(["--rows"] if shape[0] == 1 else []))
    assert code == 0
    assert text.startswith("6 nonzeros of 7 (dimension 1)")


def test_ctrl_c_leaves_what_was_found(tmp_path):
    np.save(tmp_path / "large.npy", np.random.default_rng(0).standard_normal((4000, 60)))
    words = [*COMMAND, "find", str(tmp_path / "large.npy"), "--method", "paper", "--out", str(tmp_path / "found.npz")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(4.0)  # longer than it takes to start, much shorter than 4000 starts and their programs
        process.send_signal(signal.SIGINT)
        text, err = process.communicate(timeout=120)
    assert process.returncode == 3, err
    assert "ending with what is found so far" in err
    assert "status: interrupted" in text
    assert ss.load(tmp_path / "found.npz").status is ss.Status.INTERRUPTED


def test_doctor_tells_what_runs_here():
    code, text, _ = run("doctor")
    assert code == 0
    told = json.loads(run("doctor", "--json")[1])
    assert told["sparsespan"] == ss.__version__
    assert told["packages"]["numpy"] == np.__version__
    assert told["kernel"]["name"] in text
    assert f"nullspace   name {told['nullspace']['name']}" in text


def test_demo_finds_its_vector(tmp_path):
    code, text, _ = run("demo", "--out", tmp_path / "demo.html")
    assert code == 0
    assert "distance from the planted vector: " in text
    assert float(text.split("distance from the planted vector: ")[1].split()[0]) < 1e-12
    page = (tmp_path / "demo.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "://" not in page.replace("http://www.w3.org", "")


def test_help_lists_the_commands_and_the_exit_codes():
    code, text, _ = run("--help")
    assert code == 0
    for word in ("find", "compare", "methods", "doctor", "demo", "3 not certified"):
        assert word in text
    assert run("magic")[0] == 2


def test_it_runs_as_a_program():
    answer = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True, env=os.environ, check=True)
    assert answer.stdout.strip().endswith(ss.__version__)
