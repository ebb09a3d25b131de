"""The commands `nullspace` and `sparsify`: files in, bases and exit codes out."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from click.testing import CliRunner

import sparsespan as ss
from sparsespan.cli import main

COMMAND = [sys.executable, "-c", "from sparsespan.cli import main; main()"]
A = np.array([[1, -1, -1, 0, 0], [0, 1, 0, -1, 0], [0, 0, 1, 0, -1]])
S = np.where(np.random.default_rng(0).random((60, 6)) < 0.15, np.random.default_rng(1).standard_normal((60, 6)), 0)


def run(*words):
    answer = CliRunner().invoke(main, [str(word) for word in words])
    if answer.exception is not None and not isinstance(answer.exception, SystemExit):
        raise answer.exception
    return answer.exit_code, answer.stdout, answer.stderr


def save(path, matrix=A):
    if path.suffix == ".npy":
        np.save(path, matrix)
    elif path.name.startswith("sparse"):
        sp.save_npz(path, sp.csr_array(matrix))
    elif path.suffix == ".npz":
        np.savez(path, A=matrix)
    elif path.suffix == ".mat":
        scipy.io.savemat(path, {"A": sp.csc_matrix(matrix)})
    elif path.suffix == ".mtx":
        scipy.io.mmwrite(path, sp.coo_matrix(matrix), precision=17)
    else:
        np.savetxt(path, matrix, delimiter=",", fmt="%.17g")
    return path


NAMES = ["a.npy", "a.npz", "sparse.npz", "a.mat", "a.mtx", "a.csv"]


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_file_has_its_null_space(tmp_path, name):
    code, text, _ = run("nullspace", save(tmp_path / name), "--out", tmp_path / "N.npz")
    assert code == 0
    assert text.splitlines()[0] == "2 null vectors of a 3×5 matrix of rank 3"
    assert "       3  x0 + x1 + x3" in text
    N = sp.load_npz(tmp_path / "N.npz")
    assert N.shape == (5, 2)
    assert not np.any(A @ N.toarray())


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_file_is_sparsified(tmp_path, name):
    B = S @ np.random.default_rng(2).standard_normal((6, 6))
    out, combination = tmp_path / "C.npz", tmp_path / "T.npz"
    code, text, _ = run("sparsify", save(tmp_path / name, B), "--out", out, "--combination", combination)
    assert code == 0
    C, T = sp.load_npz(out), sp.load_npz(combination)
    np.testing.assert_allclose(B @ T.toarray(), C.toarray(), atol=1e-9)
    assert C.nnz == np.count_nonzero(S)
    assert f"nonzeros: {np.count_nonzero(B)} before, {C.nnz} after" in text


def test_json_says_it_all(tmp_path):
    code, text, _ = run("nullspace", save(tmp_path / "a.npy"), "--json", "--effort", "max", "--seed", 3)
    told = json.loads(text)
    assert code == 0
    assert (told["nullity"], told["nnz"], told["lower_bound"], told["counts"]) == (2, 6, 6, [3, 3])
    assert told["certified"]
    assert told["optimal"]
    told = json.loads(run("sparsify", tmp_path / "a.npy", "--json")[1])
    assert (told["rows"], told["columns"], told["rank"]) == (3, 5, 3)
    assert told["nnz"] == sum(told["counts"]) == 3


def test_as_many_vectors_are_printed_as_asked_for(tmp_path):
    path = save(tmp_path / "a.npy", np.ones((1, 30)) * np.arange(1, 31))
    assert run("nullspace", path, "--show", 2)[1].count("x0") == 2
    assert "x0" not in run("nullspace", path, "--show", 0)[1]


def test_long_vectors_are_cut(tmp_path):
    chain = np.eye(20, 21) - np.eye(20, 21, k=1)
    text = run("nullspace", save(tmp_path / "a.npy", chain))[1]
    assert "      21  x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 ... 13 more" in text


BROKEN = {
    "absent.npy": (None, "absent.npy"),
    "cut.mtx": (lambda path: path.write_text("%%MatrixMarket matrix"), "must be a readable .mtx file"),
    "picture.png": (lambda path: path.write_bytes(b"\x89PNG"), "the input must be one of .npy, .npz"),
    "nan.npy": (lambda path: np.save(path, np.full((4, 2), np.nan)), "must be finite; got 8 NaN"),
    "complex.npy": (lambda path: np.save(path, np.ones((5, 2)) * 1j), "must be real"),
    "three.npy": (lambda path: np.save(path, np.ones((5, 2, 2))), "must be two-dimensional"),
}


@pytest.mark.parametrize("command", ["nullspace", "sparsify"])
@pytest.mark.parametrize("name", BROKEN)
def test_bad_input_is_exit_code_4_and_one_line(tmp_path, command, name):
    make, message = BROKEN[name]
    if make is not None:
        make(tmp_path / name)
    code, text, err = run(command, tmp_path / name)
    assert (code, text) == (4, "")
    assert message in err
    assert err.startswith("error: ")
    assert err.count("\n") == 1


def test_bad_options_are_exit_code_4(tmp_path):
    path = save(tmp_path / "a.npy", [[1, np.pi]])
    assert "`integer=True` needs integers" in run("nullspace", path, "--integer")[2]
    code, _, err = run("nullspace", path, "--tol", 3)
    assert code == 4
    assert "`tol` must lie between 0 and 1" in err
    assert "`tol` must lie between 0 and 1" in run("sparsify", path, "--tol", 3)[2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nullspace", "--effort", "utmost"], "utmost"),
        (["nullspace", "--deadline", "0"], "--deadline"),
        (["nullspace", "--internal"], "--internal and --directions are for metabolic models"),
        (["nullspace", "--directions"], "--internal and --directions are for metabolic models"),
        (["nullspace", "--out", "basis.txt"], "the output must be a .npz file"),
        (["sparsify", "--out", "C.mtx"], "the output must be a .npz file"),
        (["sparsify", "--seed", "-1"], "--seed"),
    ],
)
def test_wrong_usage_is_exit_code_2(tmp_path, words, message):
    code, _, err = run(words[0], save(tmp_path / "a.npy"), *words[1:])
    assert code == 2
    assert message in err


def test_what_cannot_be_written_is_said(tmp_path):
    code, _, err = run("nullspace", save(tmp_path / "a.npy"), "--out", tmp_path / "absent" / "N.npz")
    assert code == 4
    assert "absent" in err


def test_ctrl_c_leaves_a_checked_basis(tmp_path):
    matrix = np.random.default_rng(0).integers(-1, 2, (90, 300)) * (np.random.default_rng(1).random((90, 300)) < 0.1)
    words = [*COMMAND, "nullspace", str(save(tmp_path / "a.npy", matrix)), "--effort", "max", "--out"]
    with subprocess.Popen(
        [*words, str(tmp_path / "N.npz")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        time.sleep(4.0)  # longer than it takes to start, much shorter than a search at this effort
        process.send_signal(signal.SIGINT)
        text, err = process.communicate(timeout=200)
    assert process.returncode == 0, err
    assert "ending with what is found so far" in err
    assert "elementary: " in text
    assert not np.any(np.abs(matrix @ sp.load_npz(tmp_path / "N.npz").toarray()) > 1e-9)


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """A pathway from A to D with a shortcut, in both formats."""
    cobra = pytest.importorskip("cobra", reason="the extra 'metabolic' holds cobra")
    folder = tmp_path_factory.mktemp("models")
    model = cobra.Model("toy")
    compounds = {name: cobra.Metabolite(name, compartment="c") for name in "ABCD"}
    for name, formula, bounds in [
        ("EX_A", {"A": -1}, (-10, 1000)),
        ("AB", {"A": -1, "B": 1}, (0, 1000)),
        ("BC", {"B": -1, "C": 1}, (-1000, 1000)),
        ("AC", {"A": -1, "C": 1}, (0, 1000)),
        ("CD", {"C": -2, "D": 1}, (0, 1000)),
        ("EX_D", {"D": -1}, (0, 1000)),
        ("OFF", {"A": -1, "D": 1}, (0, 0)),
    ]:
        reaction = cobra.Reaction(name, lower_bound=bounds[0], upper_bound=bounds[1])
        reaction.add_metabolites({compounds[key]: value for key, value in formula.items()})
        model.add_reactions([reaction])
    cobra.io.save_json_model(model, str(folder / "toy.json"))
    cobra.io.write_sbml_model(model, str(folder / "toy.xml"))
    return folder


@pytest.mark.parametrize("name", ["toy.json", "toy.xml"])
def test_models_are_read_with_their_reactions(toy, name):
    code, text, _ = run("nullspace", toy / name)
    assert code == 0
    assert "3 null vectors of a 4×7 matrix of rank 4" in text
    assert "       3  AB + BC - AC" in text
    code, text, _ = run("nullspace", toy / name, "--internal", "--json")
    assert json.loads(text)["reactions"] == ["AB", "BC", "AC", "CD", "OFF"]


def test_directions_of_a_model_are_kept(toy):
    code, text, _ = run("nullspace", toy / "toy.json", "--directions", "--json")
    told = json.loads(text)
    assert code == 0
    assert told["nullity"] == 2
    assert "OFF" not in told["reactions"]  # it may not run in any direction
    code, text, _ = run("nullspace", toy / "toy.json", "--directions", "--internal")
    assert code == 0
    assert "AB + BC - AC" not in text  # against the direction of AC
    assert text.startswith("0 null vectors")


def test_a_broken_model_is_exit_code_4(tmp_path):
    pytest.importorskip("cobra", reason="the extra 'metabolic' holds cobra")
    (tmp_path / "broken.json").write_text("{}")
    (tmp_path / "broken.xml").write_text("<a/>")
    for name in ("broken.json", "broken.xml"):
        code, _, err = run("nullspace", tmp_path / name)
        assert code == 4
        assert "must be a readable metabolic model" in err
    code, _, err = run("nullspace", tmp_path / "absent.xml")
    assert code == 4
    assert "absent.xml" in err


def test_without_cobra_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cobra", None)
    code, _, err = run("nullspace", tmp_path / "model.xml")
    assert code == 4
    assert 'pip install "sparsespan[metabolic]"' in err


def test_the_file_loads_back_as_the_library_gives_it(tmp_path):
    run("nullspace", save(tmp_path / "a.npy"), "--out", tmp_path / "N.npz")
    assert (sp.load_npz(tmp_path / "N.npz") != ss.null_space(A)).nnz == 0
