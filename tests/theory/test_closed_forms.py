"""The closed forms against Monte Carlo, against each other and against plain quadrature."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from sparsespan import theory
from sparsespan.errors import InvalidInput

SAMPLES = 400_000
SIGMAS = 5.0  # of the Monte Carlo mean; one comparison in two million fails by chance, and the seeds are fixed

cases = [
    (values, theta, q1, threshold)
    for values in ("ones", "signs", "gaussian")
    for theta in (0.05, 0.4, 0.8)
    for q1, threshold in ((0.1, 1.0), (0.6, 1.0), (-0.95, 0.5), (1.0, 2.0))
]


def drawn(values, theta, q1, seed=0):
    """Samples of ξ and of the projection h of g on q₂, |q₂| = √(1 − q₁²), and so of z = ξq₁ + h."""
    rng = np.random.default_rng(seed)
    xi = {
        "ones": np.ones(SAMPLES),
        "signs": rng.choice([-1.0, 1.0], SAMPLES),
        "gaussian": rng.standard_normal(SAMPLES),
    }[values]
    xi = xi * (rng.random(SAMPLES) < theta) / np.sqrt(theta)
    along = rng.standard_normal(SAMPLES)  # g along q₂
    return xi, along, xi * q1 + np.sqrt(1 - q1**2) * along


def agrees(samples, exact):
    error = samples.std() / np.sqrt(samples.size)
    assert abs(samples.mean() - exact) <= SIGMAS * error + 1e-12, (samples.mean(), exact, error)
    assert error < 0.02  # the comparison is sharp enough to mean something


def shrink(z, threshold):
    return np.sign(z) * np.maximum(np.abs(z) - threshold, 0)


@pytest.mark.parametrize(("values", "theta", "q1", "threshold"), cases)
def test_mean_of_the_map_agrees_with_monte_carlo(values, theta, q1, threshold):
    xi, along, z = drawn(values, theta, q1)
    shrunk = shrink(z, threshold)
    agrees(xi * shrunk, theory.expected_q1(q1, theta, values, threshold))
    factor = theory.expected_q2(q1, theta, values, threshold)
    agrees(along * shrunk, factor * np.sqrt(1 - q1**2))
    agrees((np.abs(z) > threshold).astype(float), factor)


@pytest.mark.parametrize(("values", "theta", "q1", "threshold"), cases)
def test_asymptotic_huber_loss_agrees_with_monte_carlo(values, theta, q1, threshold):
    size = np.abs(drawn(values, theta, q1)[2])
    huber = np.where(size <= threshold, size**2 / (2 * threshold), size - threshold / 2)
    agrees(threshold * huber, theory.expected_huber(q1, theta, values, threshold))


@pytest.mark.parametrize(
    ("mean", "std", "threshold"), [(0.0, 1.0, 1.0), (1.3, 0.4, 1.0), (-2.0, 3.0, 0.2), (0.5, 0.1, 4.0)]
)
def test_thresholded_moments_agree_with_quadrature(mean, std, threshold):
    def integral(function):
        def integrand(z):
            return function(z) * np.exp(-0.5 * ((z - mean) / std) ** 2) / (std * np.sqrt(2 * np.pi))

        reach = 40 * std
        pieces = (mean - reach, -threshold), (-threshold, threshold), (threshold, mean + reach)
        return sum(quad(integrand, low, high, epsabs=1e-13, limit=200)[0] for low, high in pieces if low < high)

    beyond = lambda z: max(abs(z) - threshold, 0.0)  # noqa: E731 - three one-line integrands
    assert theory.shrunk_mean(mean, std, threshold) == pytest.approx(
        integral(lambda z: np.sign(z) * beyond(z)), abs=1e-10
    )
    assert theory.excess_energy(mean, std, threshold) == pytest.approx(integral(lambda z: beyond(z) ** 2), abs=1e-10)
    assert theory.active_probability(mean, std, threshold) == pytest.approx(
        integral(lambda z: abs(z) > threshold), abs=1e-10
    )


def test_thresholded_moments_of_a_constant():
    assert theory.shrunk_mean([3.0, 0.5, -3.0, 1.0], 0.0, 1.0).tolist() == [2.0, 0.0, -2.0, 0.0]
    assert theory.active_probability([3.0, 0.5, -3.0, 1.0], 0.0, 1.0).tolist() == [1.0, 0.0, 1.0, 0.0]
    assert theory.excess_energy([3.0, 0.5, -3.0, 1.0], 0.0, 1.0).tolist() == [4.0, 0.0, 4.0, 0.0]


kinds = st.sampled_from(["ones", "signs", "gaussian"])
shares = st.floats(0.01, 0.99)
cosines = st.floats(0.01, 0.99)
levels = st.floats(0.1, 3.0)
steady = settings(max_examples=60, deadline=None)


@steady
@given(kinds, shares, cosines, levels)
def test_slope_of_the_loss_is_the_map(values, theta, q1, threshold):
    step = 1e-5
    angle = np.arccos(q1)
    loss = theory.expected_huber(np.cos([angle - step, angle + step]), theta, values, threshold)
    slope = (loss[1] - loss[0]) / (2 * step)
    gap = theory.expected_gap(q1, theta, values, threshold)
    assert slope == pytest.approx(q1 * np.sqrt(1 - q1**2) * gap, abs=1e-7)


@steady
@given(kinds, shares, cosines, levels)
def test_the_map_is_odd_and_the_loss_even(values, theta, q1, threshold):
    args = theta, values, threshold
    np.testing.assert_allclose(theory.expected_q1(-q1, *args), -theory.expected_q1(q1, *args), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(theory.expected_q2(-q1, *args), theory.expected_q2(q1, *args), rtol=1e-12)
    np.testing.assert_allclose(theory.expected_huber(-q1, *args), theory.expected_huber(q1, *args), rtol=1e-12)


@steady
@given(kinds, shares, cosines, levels)
def test_a_mean_step_never_raises_the_loss(values, theta, q1, threshold):
    after = theory.expected_step(q1, theta, values, threshold)
    before = theory.expected_huber(q1, theta, values, threshold)
    if np.isfinite(after):
        assert theory.expected_huber(after, theta, values, threshold) <= before + 1e-12


@steady
@given(shares, cosines, levels)
def test_gap_with_gaussian_nonzeros_is_positive_and_has_its_short_form(theta, q1, threshold):
    gap = theory.expected_gap(q1, theta, "gaussian", threshold)
    narrow = np.sqrt(1 - q1**2)
    wide = np.sqrt(narrow**2 + q1**2 / theta)
    phi = theory.active_probability(0.0, [wide, narrow], threshold)
    assert gap == pytest.approx((1 - theta) * (phi[0] - phi[1]), abs=1e-13)
    assert gap > 0


@steady
@given(kinds, shares, levels)
def test_gap_at_small_cosines_has_its_curvature(values, theta, threshold):
    curvature = theory.gap_curvature(theta, values, threshold)
    q1 = 1e-3 * np.sqrt(theta)
    assert theory.expected_gap(q1, theta, values, threshold) / q1**2 == pytest.approx(
        curvature, rel=1e-3, abs=1e-4 / theta
    )
    assert theory.expected_gap(0.0, theta, values, threshold) == 0


def test_gap_of_ones_changes_sign_at_a_third():
    assert theory.gap_curvature(0.33) > 0 > theory.gap_curvature(0.34)
    assert theory.gap_curvature(1 / 3) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize(("values", "expected"), [("ones", 1 - np.sqrt(0.2) - 0.2), ("gaussian", None)])
def test_at_the_planted_vector_itself(values, expected):
    gap = theory.expected_gap(1.0, 0.2, values)
    if expected is None:
        expected = 0.8 * theory.active_probability(0.0, 1 / np.sqrt(0.2), 1.0)
    assert gap == pytest.approx(expected, abs=1e-15)
    assert theory.expected_step(1.0, 0.2, values) == 1.0


def test_no_row_above_the_threshold_gives_no_step():
    assert np.isnan(theory.expected_step(1.0, 1.0, "ones", 2.0))


@pytest.mark.parametrize(
    "function", [theory.expected_q1, theory.expected_q2, theory.expected_gap, theory.expected_huber]
)
def test_shapes_go_through(function):
    grid = np.linspace(-1, 1, 12).reshape(3, 4)
    many = function(grid, 0.3)
    assert many.shape == (3, 4)
    assert many[1, 2] == function(grid[1, 2], 0.3)
    assert np.shape(function(0.5, 0.3)) == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.5, 0.2), r"`q1` must lie in \[-1, 1\]; got 1.5"),
        (([0.1, np.nan], 0.2), r"`q1` must lie in \[-1, 1\]; got nan"),
        ((0.5, 0.0), r"`theta` must lie in \(0, 1\]; got 0.0"),
        ((0.5, 1.01), r"`theta` must lie in \(0, 1\]; got 1.01"),
        ((0.5, np.nan), r"`theta` must lie in \(0, 1\]; got nan"),
        ((0.5, 0.2, "flat"), r"`values` must be 'ones', 'signs' or 'gaussian'; got 'flat'"),
        ((0.5, 0.2, "ones", 0.0), r"`threshold` must be positive and finite; got 0.0"),
        ((0.5, 0.2, "ones", np.inf), r"`threshold` must be positive and finite; got inf"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    for function in (theory.expected_q1, theory.expected_gap, theory.expected_step):
        with pytest.raises(InvalidInput, match=message):
            function(*arguments)
