"""The paper's regions and bounds against the closed forms, and against random instances."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from sparsespan import theory
from sparsespan.errors import InvalidInput


def test_stated_values():
    assert theory.start_bound(0.25, 16) == pytest.approx(1 / 20)
    assert theory.far_cosine(0.01) == pytest.approx(0.3)
    assert theory.safe_cosine(0.01) == pytest.approx(0.2)
    assert theory.far_cosine(0.5) == theory.safe_cosine(0.5) == 1.0
    assert theory.gap_region(0.04, 25) == (theory.start_bound(0.04, 25), theory.far_cosine(0.04))
    assert theory.uniform_gap_bound(0.1, 50) == pytest.approx(1 / (1e4 * 0.01 * 50))


@pytest.mark.parametrize(
    ("values", "theta"),
    [("ones", t) for t in (1e-4, 0.01, 0.1, 0.2, 0.25)] + [("gaussian", t) for t in (1e-4, 0.1, 0.25, 0.5, 0.9)],
)
def test_mean_gap_keeps_its_bound(values, theta):
    q1 = np.linspace(1e-3, 1, 3000) * theory.far_cosine(theta)
    assert (theory.expected_gap(q1, theta, values) >= theory.gap_bound(q1, theta)).all()


def test_mean_gap_bound_fails_beyond_its_range():
    q1 = np.linspace(1e-3, 1, 3000)
    assert (theory.expected_gap(q1, 0.3) < theory.gap_bound(q1, 0.3)).any()


@pytest.mark.parametrize("theta", [0.001, 0.05, 0.25])
@pytest.mark.parametrize("values", ["ones", "gaussian"])
def test_mean_step_stays_in_the_safe_region(theta, values):
    q1 = np.linspace(theory.far_cosine(theta), 1, 500)
    assert (theory.expected_step(q1, theta, values) >= theory.safe_cosine(theta) - 1e-12).all()


@pytest.mark.parametrize("values", ["ones", "signs", "gaussian"])
def test_some_row_starts_beyond_the_bound(values):
    for seed in range(5):
        rows = np.linalg.qr(theory.planted_rows(400, 30, 0.1, values, seed=seed))[0]
        cosines = np.abs(rows[:, 0]) / np.linalg.norm(rows, axis=1)
        assert cosines.max() >= theory.start_bound(0.1, 30)


def test_stable_threshold_is_where_the_gap_at_the_planted_vector_vanishes():
    for theta in (0.1, 0.4, 0.7):
        edge = theory.stable_threshold(theta)
        if edge < 1 / np.sqrt(theta):
            assert theory.expected_gap(1.0, theta, "ones", edge) == pytest.approx(0, abs=1e-14)
        assert theory.expected_gap(1.0, theta, "ones", 0.9 * edge) > 0
    assert theory.stable_threshold(0.4, "gaussian") == np.inf
    assert theory.stable_threshold(0.3819) > 1 > theory.stable_threshold(0.382)


@pytest.mark.parametrize(("values", "theta"), [("ones", 0.1), ("ones", 0.3), ("gaussian", 0.2), ("signs", 0.2)])
def test_rounding_succeeds_above_its_edge_and_fails_below(values, theta):
    rows = theory.planted_rows(4000, 4, theta, values, seed=1)
    edge = theory.rounding_basin(theta, values)
    direction = np.array([0.6, 0.0, -0.8])
    for factor, exact in ((1.15, True), (0.85, False)):
        cosine = factor * edge
        point = minimiser(rows, np.concatenate([[cosine], np.sqrt(1 - cosine**2) * direction]))
        assert (np.linalg.norm(point[1:]) < 1e-9 * abs(point[0])) == exact


def minimiser(rows, anchor):
    """min ‖Yq‖₁ s.t. ⟨r, q⟩ = 1, as max t s.t. Yᵀu = t·r, |u| ≤ 1; q is the multiplier of the equations."""
    size, dim = rows.shape
    answer = linprog(
        np.concatenate([np.zeros(size), [-1.0]]),
        A_eq=np.hstack([rows.T, -anchor[:, None]]),
        b_eq=np.zeros(dim),
        bounds=[(-1, 1)] * size + [(None, None)],
        method="highs",
    )
    return answer.eqlin.marginals


@pytest.mark.parametrize(("values", "theta"), [("ones", 1.0), ("gaussian", 1.0)])
def test_dense_vector_has_no_basin(values, theta):
    assert theory.rounding_basin(theta, values) == 1.0


def test_rounding_edge_is_below_the_sufficient_one():
    for theta in (0.01, 0.1, 0.34):
        assert theory.rounding_basin(theta, "gaussian") < theory.rounding_basin(theta) < theory.safe_cosine(theta)


def test_least_l1_at_its_ends_and_its_fall():
    assert theory.least_l1(0) == pytest.approx(np.sqrt(2 / np.pi), abs=1e-15)
    assert theory.least_l1(1) == 0
    grid = [theory.least_l1(r) for r in np.linspace(0, 1, 50)]
    assert (np.diff(grid) < 0).all()
    assert theory.least_l1(0.1) >= np.sqrt(2 / np.pi) - np.sqrt(0.1)  # u = sign(g) is one choice


def test_least_l1_is_the_best_clip():
    ratio = 0.2
    sample = np.abs(np.random.default_rng(0).standard_normal(1_000_000))
    clips = np.linspace(0.05, 2, 40)
    values = [
        (sample * np.minimum(sample / c, 1)).mean() - np.sqrt(ratio * (np.minimum(sample / c, 1) ** 2).mean())
        for c in clips
    ]
    assert max(values) == pytest.approx(theory.least_l1(ratio), abs=5 / np.sqrt(sample.size))


def test_local_searches_stay_above_the_least_l1():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        matrix = rng.standard_normal((400, 40)) / np.sqrt(400)
        best = min(descended(matrix, rng.standard_normal(40)) for _ in range(20))
        # The norm is 1-Lipschitz in the matrix of deviation 1/√p a entry: fluctuations are of order 1/√p.
        assert best >= theory.least_l1(0.1) - 3 / np.sqrt(400)


def descended(matrix, point):
    point = point / np.linalg.norm(point)
    step, value = 0.1, np.abs(matrix @ point).sum()
    while step > 1e-4:
        moved = point - step * matrix.T @ np.sign(matrix @ point) / np.sqrt(len(matrix))
        moved /= np.linalg.norm(moved)
        lower = np.abs(matrix @ moved).sum()
        if lower < value:
            point, value = moved, lower
        else:
            step /= 2
    return value / np.sqrt(len(matrix))


def test_l1_line():
    assert theory.l1_line(0) == pytest.approx(2 / np.pi)
    assert theory.l1_line(0, "gaussian") == pytest.approx(1)
    assert np.sqrt(theory.l1_line(0.1)) == pytest.approx(theory.least_l1(0.1))
    assert np.sqrt(2 / np.pi * theory.l1_line(0.1, "gaussian")) == pytest.approx(theory.least_l1(0.1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: theory.start_bound(0.1, 0), r"`dim` must be at least 1; got 0"),
        (lambda: theory.least_l1(1.2), r"`ratio` must lie in \[0, 1\]; got 1.2"),
        (lambda: theory.l1_line(0.1, "sign"), r"`values` must be .* got 'sign'"),
        (lambda: theory.cosine_path(0.1, 0.1, -1), r"`steps` must not be negative; got -1"),
        (lambda: theory.planted_rows(0, 3, 0.1), r"`size` must be at least 1; got 0"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
