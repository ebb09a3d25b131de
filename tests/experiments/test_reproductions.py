"""Every figure and table, small, from the trials to the page that a reader sees."""

from __future__ import annotations

import struct
import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from sparsespan.errors import InvalidInput
from sparsespan.experiments.reproductions import (
    SCALES,
    Reproduction,
    available,
    expectations,
    named,
    register,
    reproduce,
)
from sparsespan.experiments.reproductions.expected import Expectation, read_expectations
from sparsespan.experiments.reproductions.packing import pack, unpack
from sparsespan.experiments.reproductions.page import Verdict
from sparsespan.experiments.reproductions.phase import Grid, Panel, _edge, exact
from sparsespan.experiments.trial import Row, Trial

ROOT = Path(__file__).resolve().parents[2]

# What takes long even at the small scale is left to `sparsespan reproduce` itself.
FEW = {
    "psv-k": ("paper", "optimal"),
    "psv-n": ("paper", "spectral", "optimal"),
    "dl-k": ("paper", "optimal"),
    "dl-n": ("paper", "optimal"),
    "faces-light": ("pictures", "spectral", "greedy"),
    "faces-people": ("pictures", "spectral", "greedy"),
    "table-methods": ("exhaustive", "irls", "lattice", "paper", "spectral"),
}


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """Run a reproduction once, and again to see that nothing is run twice."""
    known = {}

    def run(name):
        if name not in known:
            folder = tmp_path_factory.mktemp(name)
            first = reproduce(named(name), folder, methods=FEW.get(name), workers=1)
            known[name] = first, reproduce(named(name), folder, methods=FEW.get(name), workers=1)
        return known[name]

    return run


@pytest.mark.parametrize("name", available())
class TestReproductions:
    def test_complete_and_nothing_is_run_twice(self, done, name):
        first, second = done(name)
        assert first.swept.complete
        assert first.swept.now == first.swept.total > 0
        assert (second.swept.before, second.swept.now) == (first.swept.total, 0)
        assert [v.measured for v in first.verdicts] == [v.measured for v in second.verdicts]

    def test_pictures_are_whole(self, done, name):
        pictures = done(name)[0].pictures
        assert pictures
        for picture in pictures:
            if picture.suffix == ".svg":
                drawing = ET.parse(picture).getroot()  # a fault in the XML raises here
                assert drawing.tag.endswith("svg")
            else:
                content = picture.read_bytes()
                assert content.startswith(b"\x89PNG")
                assert min(struct.unpack(">II", content[16:24])) >= 16

    def test_the_page_says_what_was_expected_and_what_came_out(self, done, name, outline):
        first = done(name)[0]
        told = " ".join(outline(first.page.read_text(encoding="utf-8")).words)
        assert named(name).title in told
        assert named(name).source in told
        assert f"sparsespan reproduce {name} --scale small" in told
        for verdict in first.verdicts:
            assert verdict.expected.source in told
            assert verdict.bounds in told

    @pytest.mark.parametrize("width", [400, 1400])
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_the_page_in_a_browser(self, done, look, name, width, scheme):
        path = done(name)[0].page
        page = look(path, width, scheme)
        assert page.heard == [path.as_uri()]  # the page itself and nothing else
        assert page.evaluate("document.documentElement.scrollWidth") == width
        widths = page.evaluate("[...document.querySelectorAll('.figure svg, img')].map(one => one.clientWidth)")
        assert max(widths) > 150, "a picture is seen"
        heights = page.evaluate(
            "[...document.querySelectorAll('svg text')].map(one => one.getBoundingClientRect().height).filter(Boolean)"
        )
        assert min(heights, default=20) > 10, "letters too small to read"
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, ground[4:-1].split(","))) > 382) == (scheme == "light")

    def test_findings_do_with_no_rows_and_with_errors(self, name):
        reproduction = named(name)
        for scale in SCALES:
            trials = reproduction.trials(scale, reproduction.methods)
            assert len({trial.key for trial in trials}) == len(trials) > 0
            assert {trial.method for trial in trials} <= set(reproduction.methods)
            findings = reproduction.findings([], scale)
            assert all(value is None for value in findings.measured.values())
        failed = [Row(trial, {"error": "NotConverged: so it is"}, 0.1) for trial in trials]
        assert reproduction.findings(failed, scale).lead

    def test_what_is_expected_is_measured(self, name):
        expected = expectations(name)
        assert expected, f"reproductions/{name}/expected.toml must expect something"
        for scale in SCALES:
            assert {one.figure for one in expected} <= set(named(name).findings([], scale).measured)


def test_every_folder_of_expectations_belongs_to_a_reproduction():
    assert {path.parent.name for path in ROOT.glob("reproductions/*/expected.toml")} <= set(available())


def test_expectations_are_bounds_with_both_ends_included():
    one = Expectation("a", "a figure", "nobody", at_least=1.0, at_most=2.0)
    assert [one.met(value) for value in (0.9, 1.0, 2.0, 2.1, float("nan"))] == [False, True, True, False, False]
    assert Verdict(one, None).met is None
    assert Verdict(one, 3.0).bounds == "1 to 2"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[expected]\n", "must be TOML; got"),
        ("[[expected]]\nfigure = 'a'\nat_most = 1\n", "must have figure, says, source"),
        ("[[expected]]\nfigure = 'a'\nsays = 'a'\nsource = 'a'\nat_moost = 1\n", "and only at_least"),
        ("[[expected]]\nfigure = 'a'\nsays = 'a'\nsource = 'a'\n", "`a` must have `at_least` or `at_most`"),
        ("[[expected]]\nfigure = 'a'\nsays = 'a'\nsource = 'a'\nat_most = 'x'\n", "both numbers; got"),
        (
            "[[expected]]\nfigure = 'a'\nsays = 'a'\nsource = 'a'\nat_most = 1\nscales = ['huge']\n",
            "`scales` of `a` must",
        ),
        (2 * "[[expected]]\nfigure = 'a'\nsays = 'a'\nsource = 'a'\nat_most = 1\n", "must expect each figure once"),
    ],
)
def test_expectations_that_are_no_such_are_refused(tmp_path, text, said):
    path = tmp_path / "expected.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=said):
        read_expectations(path)


def test_what_has_no_file_expects_nothing():
    assert expectations("no such figure") == ()


def test_names_scales_and_methods_are_checked(tmp_path):
    with pytest.raises(InvalidInput, match=r"`name` must be one of dl-k, .*; got 'fig-9'"):
        named("fig-9")
    with pytest.raises(InvalidInput, match="two reproductions must not share a name; got 'psv-k' twice"):
        register(named("psv-k"))
    with pytest.raises(InvalidInput, match="`scale` must be one of small, paper, large; got 'huge'"):
        reproduce(named("psv-k"), tmp_path, scale="huge")
    with pytest.raises(InvalidInput, match="`methods` of psv-k must be among paper, auto, optimal; got"):
        reproduce(named("psv-k"), tmp_path, methods=["magic"])


@pytest.mark.parametrize("dtype", ["float64", "float32", "uint8", ">f4", "int64"])
@pytest.mark.parametrize("shape", [(3, 4), (0,), (), (2, 3, 5)])
def test_packed_arrays_come_back_bit_by_bit(dtype, shape):
    array = (np.random.default_rng(0).random(shape) * 200).astype(dtype)
    back = unpack(pack(array))
    assert back.shape == array.shape
    np.testing.assert_array_equal(back, array)


def test_an_edge_parts_successes_from_failures():
    y = np.array([10.0, 20.0, 30.0, 40.0])
    assert _edge(np.array([1.0, 0.9, 0.2, 0.0]), y, rising=False) == 25.0
    assert _edge(np.array([0.0, 0.0, 0.6, 1.0]), y, rising=True) == 25.0
    assert _edge(np.array([1.0, np.nan, 0.0, np.nan]), y, rising=False) == 20.0, "between the cells that were run"
    assert np.isnan(_edge(np.ones(4), y, rising=False))
    assert np.isnan(_edge(np.zeros(4), y, rising=False))


def test_growth_of_an_edge_is_told_in_nonzeros():
    """Made-up rows whose edge is k = p/4: the exponent is 1, whatever stands along y."""
    from sparsespan.experiments.reproductions.phase import Phase

    sizes, shares = (100, 200, 400, 800), (0.1, 0.2, 0.3, 0.4)
    cells = [{"p": p, "n": 9, "k": round(share * p), "theta": share} for p in sizes for share in shares]
    grid = Grid(cells, "p", "theta", False, 1, meaning=lambda p, theta: theta * p)
    phase = Phase("made-up", "", "", lambda _: {}, {"small": grid}, (Panel("paper", "paper", "paper", exact),), {})
    rows = [
        Row(trial, {"success": trial.parameters["theta"] < 0.25, "posted": False}, 1.0)
        for trial in phase.trials("small", ("paper",))
    ]
    measured = phase.findings(rows, "small").measured
    assert measured["exponent_paper_ones"] == pytest.approx(1.0)
    assert measured["share_paper_gaussian"] == 0.5
    assert measured["missed_ones"] == 1.0
    assert measured["minutes_paper"] == pytest.approx(32 / 120)
    assert measured["lost_ones"] is None


def test_a_reproduction_is_a_value():
    assert isinstance(named("theory"), Reproduction)
    assert named("theory") == named("theory")
    assert Trial("psv-k", {"p": 1}, 0, "auto").key == Trial("psv-k", {"p": 1}, 0, "auto").key


def test_wheel_and_sdist_carry_what_is_expected():
    packaging = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["scikit-build"]
    assert packaging["wheel"]["packages"]["sparsespan/reproductions"] == "reproductions"
    assert "reproductions/**" in packaging["sdist"]["include"]
    assert "reproductions" not in packaging["sdist"]["exclude"]
