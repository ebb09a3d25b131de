from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsespan.report.numbers import binomial_interval, counted, number, seconds, share

BACK = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")


def value_of(shown):
    """Read back what `number` wrote."""
    plain = shown.replace("\u202f", "").replace(",", "")
    if "×10" in plain:
        mantissa, _, power = plain.partition("×10")
        return float(mantissa.translate(BACK)) * 10.0 ** int(power.translate(BACK))
    if plain.lstrip("−").startswith("10") and any(c in "⁻⁰¹²³⁴⁵⁶⁷⁸⁹" for c in plain):
        return (-1 if plain[0] == "−" else 1) * 10.0 ** int(plain.lstrip("−")[2:].translate(BACK))
    return float(plain.translate(BACK))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"), (True, "yes"), (np.False_, "no"), (0, "0"), (0.0, "0"), (-0.0, "0"),
        (2191, "2,191"), (np.int64(-1234567), "−1,234,567"), (2191.0, "2,191"), (0.2, "0.2"),
        (16.8196, "16.8"), (13.964, "14.0"), (-0.00044, "−0.00044"), (3.16e-15, "3.16\u202f×\u202f10⁻¹⁵"),
        (1e-12, "10⁻¹²"), (-1e9, "−10⁹"), (1.0001e-9, "1.00\u202f×\u202f10⁻⁹"),
        (999_999.7, "1.00\u202f×\u202f10⁶"), (99_999.7, "100,000"),
        (math.nan, "NaN"), (math.inf, "∞"), (-math.inf, "−∞"), (np.float32(0.5), "0.5"),
    ],
)  # fmt: skip
def test_number(value, shown):
    assert number(value) == shown


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
def test_number_keeps_three_digits(value):
    assert value_of(number(value)) == pytest.approx(value, rel=5.1e-3, abs=1e-307)


@given(st.integers(-(10**15), 10**15))
def test_integers_are_exact(value):
    assert int(number(value).replace(",", "").replace("−", "-")) == value


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (2.5e-6, "2.5 µs"), (0.0044, "4.4 ms"), (0.99996, "1.00 s"), (1.2, "1.2 s"),
        (119.0, "119 s"), (240.0, "4 min 0 s"), (7199.9, "2 h 0 min"),
        (7260.0, "2 h 1 min"), (0.0, "0 s"), (math.nan, "NaN s"), (None, "–"),
    ],
)  # fmt: skip
def test_seconds(value, shown):
    assert seconds(value).replace("\u202f", " ") == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0, "0 %"), (0.7, "70 %"), (1.0, "100 %"), (0.99996, "> 99.9 %"), (1e-5, "0.001 %")]
)
def test_share_never_rounds_to_all(value, shown):
    assert share(value).replace("\u202f", " ") == shown


def test_counted():
    assert [counted(n, "start") for n in (0, 1, 2000)] == ["0 starts", "1 start", "2,000 starts"]


def test_binomial_interval_solves_wilsons_equation():
    z = 1.959964
    for wins, trials in ((7, 10), (0, 10), (10, 10), (3, 200)):
        for end in binomial_interval(wins, trials):
            if 1e-9 < end < 1 - 1e-9:  # |share − end| is z standard deviations of a binomial with probability `end`
                assert abs(wins / trials - end) == pytest.approx(z * math.sqrt(end * (1 - end) / trials), rel=1e-9)
    assert binomial_interval(0, 10)[0] == pytest.approx(0, abs=1e-15)
    assert binomial_interval(10, 10)[1] == pytest.approx(1)
    assert binomial_interval(0, 0) == (0, 1)
    assert binomial_interval(math.nan, math.nan) == (0, 1)
