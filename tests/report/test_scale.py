from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsespan.report.charts.palette import colours, hex_colour, luminance
from sparsespan.report.charts.scale import Scale

VALUES = st.lists(st.floats(allow_subnormal=False), max_size=20)


@given(VALUES, st.booleans(), st.booleans())
def test_scale_keeps_order_and_stays_inside(values, log, zero):
    scale = Scale.fit(values, 100.0, 20.0, log=log, zero=zero)
    pixels = scale(np.sort(values))
    drawable = np.isfinite(np.sort(values)) & (np.sort(values) > 0 if log else True)
    assert np.array_equal(np.isfinite(pixels), drawable)
    assert np.all(np.diff(pixels[drawable]) <= 1e-9)
    assert np.all((pixels[drawable] >= 20 - 1e-6) & (pixels[drawable] <= 100 + 1e-6))


@given(VALUES, st.booleans(), st.integers(2, 10))
def test_ticks_lie_inside_in_order_with_labels_of_their_own(values, log, count):
    scale = Scale.fit(values, 0.0, 100.0, log=log)
    at = [pixel for pixel, _ in scale.ticks(count)]
    labels = [label for _, label in scale.ticks(count)]
    assert 1 <= len(at) <= 3 * count
    assert at == sorted(at)
    assert all(-1e-6 <= pixel <= 100 + 1e-6 for pixel in at)
    assert len(set(labels)) == len(labels) or scale.high - scale.low < 1e-12 * abs(scale.high)


@pytest.mark.parametrize(
    ("values", "log", "labels"),
    [
        ([0, 10], False, ["0", "2", "4", "6", "8", "10"]),
        ([23.4112, 23.4119], False, ["23.4112", "23.4114", "23.4116", "23.4118"]),
        ([1e-3, 1e3], True, ["0.001", "0.1", "10", "1,000"]),
        ([300, 900], True, ["300", "400", "500", "600", "800"]),
        ([], False, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([np.nan], True, ["1", "2", "5", "10"]),
        ([7.0], False, ["4", "6", "8", "10"]),
    ],
)
def test_ticks_are_round(values, log, labels):
    assert [label for _, label in Scale.fit(values, 0, 1, log=log).ticks(5)] == labels


def test_zero_is_included_without_room_below():
    scale = Scale.fit([2.0, 4.0], 0, 1, zero=True)
    assert scale.low == 0
    assert scale.high > 4


def test_palette_grows_evenly_in_lightness():
    bright = luminance(colours(np.linspace(0, 1, 256)))
    lightness = np.cbrt(bright)  # close to what the eye calls even
    assert np.all(np.diff(bright) > 0)
    assert lightness[0] < 0.3
    assert lightness[-1] > 0.9
    steps = np.diff(lightness[::32])
    assert steps.max() < 1.6 * steps.min()


def test_colours_of_odd_values():
    assert np.array_equal(colours([-1.0, 2.0]), colours([0.0, 1.0]))
    assert colours(np.nan).tolist() == [128, 128, 128]
    assert colours(np.zeros((2, 3))).shape == (2, 3, 3)
    assert re.fullmatch("#[0-9a-f]{6}", hex_colour(0.3))


def theme(name):
    from sparsespan.report.charts.chart import style_sheet

    light, _, dark = style_sheet("theme.css").partition("@media")
    found = dict(re.findall(r"--([\w-]+): (#\w{6})", light))
    return found if name == "light" else found | dict(re.findall(r"--([\w-]+): (#\w{6})", dark))


@pytest.mark.parametrize("name", ["light", "dark"])
def test_theme_has_contrast(name):
    values = {key: luminance(list(bytes.fromhex(value[1:]))) for key, value in theme(name).items()}

    def contrast(a, b):
        low, high = sorted((values[a], values[b]))
        return (high + 0.05) / (low + 0.05)

    for ground in ("paper", "card"):
        for ink in ("ink", "muted", "accent", "good", "bad"):
            assert contrast(ink, ground) >= 4.5, (ink, ground)
        for mark in ("error", "truth", "s0", "s1", "s2", "s3", "s4", "s5"):
            assert contrast(mark, ground) >= 3, (mark, ground)
    assert contrast("ink", "wash") >= 7
