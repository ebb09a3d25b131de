"""The command `faces`: folders of pictures in, a page and exit codes out."""

from __future__ import annotations

import json
import signal
from contextlib import contextmanager

import numpy as np
import pytest
from click.testing import CliRunner

import sparsespan as ss
from sparsespan.cli import main
from sparsespan.experiments.lambertian import lambertian_people
from sparsespan.experiments.pgm_file import write_pgm
from sparsespan.report.png import png_bytes


def run(*words):
    answer = CliRunner().invoke(main, ["faces", *map(str, words)])
    if answer.exception is not None and not isinstance(answer.exception, SystemExit):
        raise answer.exception
    return answer.exit_code, answer.stdout, answer.stderr


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Six invented people in 26×22 pixels, as PNG and PGM."""
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "people"
    place.mkdir()
    for number, image in enumerate(lambertian_people(6, (26, 22)).images):
        if number % 2:
            write_pgm(place / f"{number}.pgm", image)
        else:
            (place / f"{number}.png").write_bytes(png_bytes(np.rint(255 * image).astype(np.uint8)))
    return place


def test_a_folder_becomes_a_page(folder):
    code, text, err = run(folder)
    assert (code, err) == (3, "")  # photographs hold no exactly sparse vector
    assert "pictures: 6 of 22×26 pixels" in text
    assert "4 of 4 directions (deflation)" in text
    assert text.endswith("page: faces.html\n")
    page = (folder.parent / "faces.html").read_text(encoding="utf-8")
    assert "Sparse directions of people" in page
    assert page.count("data:image/png;base64,") == 8  # four directions and four of the pictures
    assert "sparsespan faces people<" in page


def test_json_and_a_file_tell_the_same(folder):
    code, text, _ = run(folder, "--way", "joint", "--count", 3, "--json", "--save", "found.npz", "--out", "p.html")
    assert code == 3
    told = json.loads(text)
    assert (told["pictures"], told["shape"], told["dim"], told["way"], told["asked"]) == (6, [26, 22], 6, "joint", 3)
    found = ss.load("found.npz")
    assert [one["l1"] for one in told["directions"]] == pytest.approx([x.l1 for x in found])
    assert told["sum"] == pytest.approx(found.l1)
    assert "sparsespan faces people --count 3 --way joint" in (folder.parent / "p.html").read_text(encoding="utf-8")


def test_shadows_and_the_mean_can_be_taken_away(folder):
    code, text, _ = run(folder, "--robust", "--rank", 3, "--mean", "--json")
    told = json.loads(text)
    assert code == (0 if told["certified"] else 3)
    assert told["dim"] == told["asked"] <= 3  # as many as there are
    assert told["told"]["mean picture"] == "taken away"
    assert told["told"]["robust PCA"].startswith("rank ")
    page = (folder.parent / "faces.html").read_text(encoding="utf-8")
    assert page.count("sparse part") == page.count("low-rank part") - 1 == 4  # once more in the parameters


def test_directions_that_chance_would_give_are_left_out(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "noise").mkdir()
    for number, image in enumerate(np.random.default_rng(4).random((5, 12, 12))):
        write_pgm(tmp_path / "noise" / f"{number}.pgm", image, bits=16)
    code, text, _ = run("noise", "--mean", "--significant", 0.3)
    assert code == 3
    assert "0 of 4 directions" in text
    assert "status: exhausted" in text
    page = (tmp_path / "faces.html").read_text(encoding="utf-8")
    assert "No direction of these pictures is sparse beyond chance." in page


def test_exactly_sparse_pictures_are_certified(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mixed").mkdir()
    patches, rng = np.zeros((3, 12, 12)), np.random.default_rng(0)
    for number in range(3):
        patches[number, 4 * number : 4 * number + 4] = rng.integers(1, 60, (4, 12))
    for number in range(3):
        weights = np.roll([1, 2, 1], number)
        write_pgm(tmp_path / "mixed" / f"{number}.pgm", np.tensordot(weights, patches, 1) / 255)
    code, text, _ = run("mixed", "--json")
    assert code == 0
    assert [one["zeros"] for one in json.loads(text)["directions"]] == [96, 48, 0]  # of what is left, dead rows aside


def test_without_a_folder_the_synthetic_face_is_used(tmp_path, monkeypatch):
    from sparsespan.experiments import face_sources

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(face_sources, "_SHAPE", (24, 21))
    code, text, _ = run("--robust", "--count", 2)
    assert code == 3
    assert "pictures: 64 of 21×24 pixels" in text
    assert "Sparse directions of a synthetic face" in (tmp_path / "faces.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["absent"], 4, "`folder` must be an existing folder; got 'absent'"),
        (["."], 4, "`folder` must hold PNG, JPEG or PGM files; got"),
        (["people", "--count", 7], 4, "`count` must be at most the dimension of the subspace, 6; got 7"),
        (["people", "--out", "absent/page.html"], 4, "must lie in a folder that exists"),
        (["people", "--method", "magic"], 2, "--method must be one of adm"),
        (["people", "--way", "joint", "--significant", 0.1], 2, "--significant and --way joint exclude one another"),
        (["people", "--significant", 1], 2, "1.0 is not in the range 0<x<1"),
        (["people", "--rank", 0], 2, "0 is not in the range x>=1"),
    ],
)
def test_bad_words_are_answered(folder, words, code, message):
    answer = run(*words)
    assert answer[0] == code
    assert message in answer[2]
    assert "Traceback" not in answer[2]


def test_pictures_of_two_sizes_are_named(folder):
    write_pgm(folder / "9.pgm", np.ones((26, 23)))
    code, _, err = run(folder)
    assert code == 4
    assert "images of one size; got 0.png of 22×26 and 9.pgm of 23×26 pixels" in err


def test_a_file_that_is_no_picture_is_named(folder):
    (folder / "3.png").write_bytes(b"nothing")
    code, _, err = run(folder)
    assert code == 4
    assert "3.png" in err
    assert "it begins like none of the three" in err


def test_black_pictures_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "night").mkdir()
    write_pgm(tmp_path / "night" / "a.pgm", np.zeros((9, 9)))
    assert run("night")[0] == 4
    assert run("night", "--robust")[0] == 4


def test_ctrl_c_leaves_the_directions_found(folder, monkeypatch):
    pressed = []

    @contextmanager
    def bar(**_):
        def tell(share, doing):
            if doing.startswith("2 of 4") and not pressed:
                pressed.append(share)
                signal.raise_signal(signal.SIGINT)

        yield tell

    monkeypatch.setattr("sparsespan.cli.faces.progress_bar", bar)
    code, text, err = run(folder, "--save", "found.npz")
    assert pressed
    assert code == 3
    assert "ending with what is found so far" in err
    assert "2 of 4 directions" in text
    assert "status: interrupted" in text
    assert len(ss.load("found.npz")) == 2
    assert "the run was interrupted" in (folder.parent / "faces.html").read_text(encoding="utf-8")
