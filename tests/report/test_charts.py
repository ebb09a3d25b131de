from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sparsespan.errors import InvalidInput
from sparsespan.report.charts import (
    CriticalPoint,
    Series,
    bars,
    disc,
    dots,
    heatmap,
    heatmap_pixels,
    lines,
    power_law,
    sphere,
    stems,
)  # fmt: skip
from sparsespan.report.charts.palette import colours, hex_colour
from sparsespan.report.charts.stems import extremes
from sparsespan.report.numbers import seconds

RNG = np.random.default_rng(5)
GROWTH = Series("cubic", [1, 2, 4, 8], [3.0, 24, 192, 1536], power=True)
EMPTY = {
    "stems": lambda: stems([]),
    "stems, long, nothing finite": lambda: stems(np.full(500, np.nan)),
    "dots": lambda: dots([]),
    "dots, nothing finite": lambda: dots([np.nan, np.inf]),
    "lines": lambda: lines([]),
    "lines, nothing to draw": lambda: lines([Series("a", [0, -1], [1, np.nan], power=True)], xlog=True, ylog=True),
    "heatmap": lambda: heatmap(np.zeros((0, 0)), [], []),
    "bars": lambda: bars([], []),
}
FULL = {
    "stems": lambda: stems(RNG.normal(size=40), np.ones(40)),
    "stems, long": lambda: stems(RNG.normal(size=3000), np.ones(3000), first=7),
    "dots": lambda: dots([3.0, 1.0, np.nan], [1, 4, 2], ["a", "<b>", "c"]),
    "lines": lambda: lines([GROWTH, Series("<band>", [1, 2], [1, 2], [0, 1], [2, 3])], xlog=True, ylog=True),
    "heatmap": lambda: heatmap([[0.1, np.nan]], [1, 2], [5], trials=10, curves=[Series("x&y", [1, 2], [5, 5])]),
    "bars": lambda: bars(["a", "<b>"], [1.0, None], [0.5, None], [2.0, None], log=True),
    "sphere": lambda: sphere(lambda q: q[:, 0] ** 2, [CriticalPoint((1, 0, 0), "maximum")], label="<f>"),
    "disc": lambda: disc(lambda q: np.full(len(q), np.nan)),
}


@pytest.mark.parametrize("name", EMPTY)
def test_nothing_to_draw_is_said(name, draw):
    assert any(re.match("no .* draw|no start gave", words) for words in draw(EMPTY[name]()).words("note"))


@pytest.mark.parametrize("width", [400, 960])
@pytest.mark.parametrize("name", FULL)
def test_drawings_are_well_formed_named_and_inside_their_frame(name, width, draw):
    chart = FULL[name]()
    drawing = draw(chart, width)
    x, y, right, bottom = map(float, drawing.root.get("viewBox").split())
    assert (x, y, right) == (0, 0, width)
    assert drawing.root.get("role") == "img"
    assert drawing.root.find("title").text == chart.title
    assert drawing.root.find("desc").text == chart.description
    for one in drawing.root.iter():
        assert not re.search(
            r"(nan|inf)\b", " ".join(one.get(key) for key in ("x", "y", "d", "cx", "cy") if one.get(key))
        )
        if one.get("transform") is None and "text" in one.tag:
            assert 0 <= float(one.get("x")) <= right
            assert 0 <= float(one.get("y")) <= bottom


def test_chart_file_stands_alone(tmp_path):
    path = FULL["heatmap"]().write(tmp_path / "chart.svg")
    content = path.read_text(encoding="utf-8")
    assert content.startswith("<?xml")
    assert "var(--" not in content
    assert "#0a6b70" in content
    assert "#62c6c3" in FULL["heatmap"]().write(path, dark=True).read_text(encoding="utf-8")


@given(hnp.arrays(float, st.integers(0, 400)), st.integers(1, 300))
def test_extremes_lose_no_nonzero(values, columns):
    low, high = extremes(values, columns)
    finite = np.where(np.isfinite(values), values, 0)
    assert high.max() == max(finite.max(initial=0), 0)
    assert low.min() == min(finite.min(initial=0), 0)
    drawn = np.flatnonzero((low != 0) | (high != 0))
    at = np.arange(values.size) * columns // max(values.size, 1)
    assert set(drawn) == set(at[finite != 0])


def test_stems_draw_each_entry_at_its_height(draw):
    x = np.array([0.0, 0.6, -0.8, 0.0, np.nan])
    drawing = draw(stems(x, [0.0, 0.6, 0.0, 0.1, 0.0], first=10))
    dots_drawn = [one for one in drawing.all("circle", "f0") if one.find("title") is not None]
    assert [one.find("title").text for one in dots_drawn] == [
        "entry 10: 0", "entry 11: 0.6", "entry 12: −0.8", "entry 13: 0",
    ]  # fmt: skip
    y = [float(one.get("cy")) for one in dots_drawn]
    assert y[0] == y[3]
    assert (y[0] - y[1]) / (y[2] - y[0]) == pytest.approx(0.6 / 0.8, rel=1e-3)
    assert np.all(np.diff([float(one.get("cx")) for one in dots_drawn]) > 0)
    assert len(drawing.all("line", "stem")) == 2
    rings = [one for one in drawing.all("circle", "ring") if float(one.get("cx")) > 60]
    assert [float(one.get("cx")) for one in rings] == [float(dots_drawn[1].get("cx")), float(dots_drawn[3].get("cx"))]
    assert "1 are not finite" in drawing.root.find("desc").text


def heights(drawing, class_):
    """Columns and lengths of the bars of a long vector."""
    path = drawing.all("path", class_)[0].get("d")
    return np.array([[float(v) for v in bar] for bar in re.findall(r"M([\d.]+) ([\d.]+)V([\d.]+)", path)])


def test_long_stems_show_every_spike_and_the_error_on_its_own_scale(draw):
    truth = np.zeros(20000)
    truth[[17, 9000, 19999]] = 0.5, -0.7, 0.1
    x = truth.copy()
    x[9000] += 2.0**-20
    drawing = draw(stems(x, truth))
    found, true, error = (heights(drawing, class_) for class_ in ("k0", "k-truth", "k-error"))
    assert len(found) == len(true) == 3
    assert np.allclose(found[:, 0], true[:, 0])
    lengths = found[:, 1] - found[:, 2]
    assert lengths / lengths[0] == pytest.approx(np.array([0.5, 0.7, 0.1]) / 0.5, abs=0.01)
    assert found[1, 2] == found[0, 1] == found[2, 1]  # the one below zero hangs from the line the others stand on
    assert error.shape == (1, 3)
    assert error[0, 0] == found[1, 0]
    assert "difference, largest 9.54\u202f×\u202f10⁻⁷" in drawing.words("axis")
    assert "difference: none, every bit agrees" in draw(stems(x, x)).words("axis")


def test_dots_are_sorted_as_wide_as_their_starts_and_the_winner_stands_out(draw):
    chart = dots([5.0, 3.0, np.nan, 4.0], [1, 6, 2, 3], ["a", "b", "c", "d"])
    drawing = draw(chart)
    groups = [one for one in drawing.all("g") if one.find("title") is not None][::-1]
    assert [one.find("title").text for one in groups] == ["b: 3, 6 starts", "d: 4, 3 starts", "a: 5, 1 start"]
    spans = [(float(one.find("line").get("x1")), float(one.find("line").get("x2"))) for one in groups]
    widths = np.array([stop - start for start, stop in spans])
    assert widths / widths[2] == pytest.approx([6, 3, 1], rel=0.01)
    assert spans[0][1] == pytest.approx(spans[1][0])
    assert np.all(np.diff([float(one.find("circle").get("cy")) for one in groups]) < 0)
    assert [one.find("circle").get("class") for one in groups] == ["f0", "f-truth", "f-truth"]
    assert "2 starts without result" in chart.description
    winner = next(one for one in draw(dots([5.0, 3.0], best=0)).all("g") if one.find("title") is not None)
    assert winner.find("circle").get("class") == "f0"


def test_lines_draw_the_points_and_name_the_exponent(draw):
    drawing = draw(lines([GROWTH], xlog=True, ylog=True))
    circles = drawing.all("circle")
    x, y = (np.array([float(one.get(name)) for one in circles]) for name in ("cx", "cy"))
    assert np.ptp(np.diff(x)) < 0.05
    assert np.ptp(np.diff(y)) < 0.05
    assert drawing.words("key") == ["cubic, exponent 3"]
    assert len(drawing.all("path", "fit")) == 1
    assert power_law([1, 2, 4], [3, 24, 192]) == pytest.approx((3, 3))
    assert power_law([1, 1, -2], [1, 2, 3]) is None


def test_a_gap_interrupts_a_line_and_is_counted(draw):
    chart = lines([Series("a", np.arange(6), [1, 2, np.nan, 4, -1, 3.0])], ylog=True)
    path = draw(chart).all("path", "line")[0].get("d")
    assert path.count("M") == 3
    assert path.count("h0") == 2  # two lone points stay visible
    assert "2 points cannot be drawn" in chart.description


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1), st.floats(0, 0.01))
def test_long_lines_keep_their_extremes(seed, holes):
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(20000) < holes, np.nan, rng.normal(size=20000))
    path = re.findall(r"[ML]([\d.]+) ([\d.]+)", lines([Series("a", np.arange(20000), y)]).svg())
    across, up = np.array(path, dtype=float).T
    assert len(path) < 16000
    assert np.all(np.diff(across) >= 0)
    dense = np.array(
        re.findall(r"[ML]([\d.]+) ([\d.]+)", lines([Series("a", [0, 1], [np.nanmin(y), np.nanmax(y)])]).svg())
    )
    assert (up.max(), up.min()) == pytest.approx(tuple(dense[:, 1].astype(float)), abs=0.02)


def test_heatmap_has_a_cell_for_every_share_and_tells_its_count(draw):
    shares = np.array([[0.0, 0.5, 1.0], [0.7, np.nan, 0.2]])
    chart = heatmap(shares, [1, 2, 5], [10, 20], trials=10, xlabel="n", ylabel="k")
    drawing = draw(chart, 400)
    cells = drawing.all("rect", "cell")
    assert [one.get("fill") for one in cells] == [hex_colour(v) for v in (0, 0.5, 1, 0.7, 0.2)]
    assert float(cells[0].get("y")) > float(cells[3].get("y"))  # y grows upwards
    assert len(drawing.all("rect", "empty")) == 1
    titles = drawing.titles()
    assert titles[3].replace("\u202f", " ") == "k 20, n 1: 7 of 10, 95 % interval 39.7 % to 89.2 %"
    assert titles[4] == "k 20, n 2: not run"
    assert "5 of 6 cells run" in chart.description
    assert "not run" in drawing.words("key")


def test_heatmap_writes_values_where_there_is_room(draw):
    drawing = draw(heatmap([[0.0, 1.0]], [1, 2], [1]))
    assert drawing.words("inside") == ["0", "1"]
    assert [one.get("class").split()[1] for one in drawing.all("text", "inside")] == ["on-dark", "on-light"]


def test_heatmap_curve_goes_through_the_middle_of_its_cells(draw):
    sides = [1.0, 2.0, 4.0, 8.0]
    curve = Series("limit", [0.4, 1, 2, 4, 8, 99], [0.4, 1, 2, 4, 8, 99])
    drawing = draw(heatmap(np.zeros((4, 4)), sides, sides, curves=[curve]), 400)
    path = drawing.all("path", "over")[0].get("d")
    points = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", path), dtype=float)
    cells = drawing.all("rect", "cell")
    diagonal = [cells[k] for k in (0, 5, 10, 15)]
    middle = [[float(c.get(a)) + float(c.get(b)) / 2 for a, b in (("x", "width"), ("y", "height"))] for c in diagonal]
    assert points == pytest.approx(np.array(middle), abs=0.02)  # what lies outside the grid is left out


def test_heatmap_pixels_are_the_cells():
    pixels = heatmap_pixels([[0.0, 1.0], [0.5, np.nan]], cell=3)
    assert pixels.shape == (6, 6, 3)
    assert np.array_equal(pixels[5, 0], colours(0.0))
    assert np.array_equal(pixels[0, 0], colours(0.5))
    assert np.array_equal(pixels[2, 5], colours(np.nan))


@pytest.mark.parametrize("width", [400, 960])
def test_bars_are_as_long_as_their_values(width, draw):
    drawing = draw(bars(["a", "b", "c", "d"], [1.0, 3.0, -1.0, np.nan], best=1), width)
    lengths = drawing.numbers("rect", "width")
    assert np.array(lengths) / lengths[0] == pytest.approx([1, 3, 1], rel=1e-3)
    assert drawing.words("value") == ["1", "3", "−1"]
    assert drawing.words("note") == ["no result"]
    assert drawing.words("name") == ["a", "b", "c", "d"]
    assert [one.get("class") for one in drawing.all("rect")] == ["f-truth", "f0", "f-truth"]


def test_bars_on_a_logarithmic_axis_are_dots_with_whiskers(draw):
    chart = bars(
        ["a", "b", "c", "zero"], [0.01, 0.1, 1.0, 0.0], [0.005, 0.1, 1, 0], [0.02, 0.1, 1, 0], log=True, shown=seconds
    )
    drawing = draw(chart)
    at = drawing.numbers("circle", "cx")
    assert np.diff(at)[0] == pytest.approx(np.diff(at)[1], abs=0.05)
    assert len(drawing.all("line", "whisker")) == 3
    assert drawing.words("value") == ["10\u202fms", "100\u202fms", "1\u202fs"]
    assert chart.description.endswith("zero no result.")


def test_sphere_marks_the_near_side_and_disc_flips_the_far_one(draw):
    points = [CriticalPoint(tuple(sign * row), "minimum") for row in np.eye(3) for sign in (1.0, -1.0)]
    ball = draw(sphere(lambda q: np.abs(q).sum(axis=1), points, view=(1, 0.2, 0.3)))
    assert len(ball.all("path", "minimum")) == 1 + 3  # one in the legend
    flat = draw(disc(lambda q: np.abs(q).sum(axis=1), [CriticalPoint((0.6, 0.0, -0.8), "saddle")]))
    place = next(one for one in flat.all("g") if one.find("title") is not None).get("transform")
    assert place == "translate(76 190)"  # 190·(1 − 0.6), 190: −q is the one above
    assert flat.words("key")[0].startswith("value, 1.00 to 1.73")


def test_picture_has_the_field_at_each_pixel():
    seen = []

    def field(q):
        seen.append(q)
        return q[:, 0]

    disc(field)
    assert np.allclose(np.linalg.norm(seen[0], axis=1), 1)
    assert np.all(seen[0][:, 2] >= 0)
    square = seen[0].reshape(420, 420, 3)
    assert square[210, 0, 0] == pytest.approx(-1, abs=5e-3)  # left
    assert square[0, 210, 1] == pytest.approx(1, abs=5e-3)  # up


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: stems([[1.0]]), r"`vector` must be an array of real numbers with 1 axis/axes; got shape \(1, 1\)"),
        (lambda: stems([1j]), "`vector` must be .* dtype complex128"),
        (lambda: stems(["a"]), "`vector` must be .* dtype <U1"),
        (lambda: stems([1.0, 2.0], [1.0]), r"`truth` must have the shape of `vector`, \(2,\); got \(1,\)"),
        (lambda: dots([1.0], [1, 2]), "`multiplicity` must have the shape of `values`"),
        (lambda: dots([1.0, 2.0], labels=["a"]), "`labels` must name each of the 2 runs or none; got 1"),
        (lambda: lines([Series("a", [1], [1, 2])]), "`y` must have the shape of `x`"),
        (lambda: heatmap([[1.5]], [1], [1]), "`shares` must lie between 0 and 1; got 1.5"),
        (lambda: heatmap([[1.0, 0.0]], [2, 1], [1]), "`x` must hold 2 strictly increasing values.* got"),
        (lambda: heatmap([[1.0]], [1], [1], trials=[1, 2]), "`trials` must have the shape of `shares`"),
        (lambda: bars(["a"], [1.0, 2.0]), "`values` must have the shape of `names`"),
        (lambda: bars(["a"], [1.0], high=[1.0, 2.0]), "`high` must have the shape of `values`"),
        (lambda: CriticalPoint((1, 0, 0), "pass"), "`kind` must be one of minimum, maximum, saddle; got 'pass'"),
        (lambda: CriticalPoint((0, 0, 0), "saddle"), "`point` must be three finite numbers, not all zero"),
        (lambda: sphere(np.sum, view=(0, 0, 1)), "`view` must not be straight up or down"),
        (lambda: disc(lambda q: q), r"`field` must return a number for each of 176400 points; got shape \(176400, 3\)"),
    ],
)
def test_wrong_input_is_refused(make, message):
    with pytest.raises(InvalidInput, match=message):
        make()
