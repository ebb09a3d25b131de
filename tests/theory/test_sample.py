"""The map and gap of given rows: the definition, the mean over instances, and the path of the iteration."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sparsespan import theory
from sparsespan.errors import InvalidInput


def unit(rng, dim, count, q1):
    rest = rng.standard_normal((dim - 1, count))
    rest *= np.sqrt(1 - q1**2) / np.linalg.norm(rest, axis=0)
    return np.vstack([np.full((1, count), q1), rest])


def test_map_is_its_definition():
    rng = np.random.default_rng(0)
    rows, points = rng.standard_normal((7, 3)), unit(rng, 3, 2, 0.4)
    expected = np.zeros((3, 2))
    for row in rows:
        for j in range(2):
            z = row @ points[:, j]
            expected[:, j] += row * np.sign(z) * max(abs(z) - 0.5 / np.sqrt(7), 0)
    np.testing.assert_allclose(theory.update_map(rows, points, 0.5), expected, atol=1e-14)


@pytest.mark.parametrize("values", ["ones", "signs", "gaussian"])
@pytest.mark.parametrize("q1", [0.15, 0.7])
def test_map_and_gap_average_to_their_closed_forms(values, q1):
    rng = np.random.default_rng(1)
    theta, dim, instances = 0.2, 6, 60
    point = unit(rng, dim, 1, q1)
    firsts, alongs, gaps = [], [], []
    for seed in range(instances):
        rows = theory.planted_rows(3000, dim, theta, values, seed=seed)
        mapped = theory.update_map(rows, point)[:, 0]
        firsts.append(mapped[0])
        alongs.append(mapped[1:] @ point[1:, 0] / (1 - q1**2))
        gaps.append(theory.gap(rows, point)[0])
    for samples, exact in (
        (firsts, theory.expected_q1(q1, theta, values)),
        (alongs, theory.expected_q2(q1, theta, values)),
    ):
        error = np.std(samples) / np.sqrt(instances)
        assert abs(np.mean(samples) - exact) < 5 * error < 0.05
    # ‖Q₂‖ is biased upwards by its own scatter, of variance about (n − 1)/p: allow for it.
    exact = theory.expected_gap(q1, theta, values)
    assert abs(np.mean(gaps) - exact) < 5 * np.std(gaps) / np.sqrt(instances) + (dim - 1) / 3000


def test_planted_rows_have_the_stated_moments():
    for values in ("ones", "signs", "gaussian"):
        rows = theory.planted_rows(200_000, 3, 0.3, values, seed=2)
        share = (rows[:, 0] != 0).mean()
        assert abs(share - 0.3) < 5 * np.sqrt(0.21 / 200_000)
        np.testing.assert_allclose((rows**2).sum(axis=0), 1, atol=5 * np.sqrt(9 / 200_000))
        if values != "gaussian":
            np.testing.assert_allclose(np.unique(np.abs(rows[:, 0]))[1], 1 / np.sqrt(0.3 * 200_000))
    assert theory.planted_rows(50, 4, 0.3, seed=1).shape == (50, 4)
    np.testing.assert_array_equal(theory.planted_rows(9, 2, 0.5, seed=1), theory.planted_rows(9, 2, 0.5, seed=1))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_gap_sees_neither_signs_nor_rotations_of_the_rest(seed):
    rng = np.random.default_rng(seed)
    rows, points = theory.planted_rows(60, 5, 0.3, seed=seed), unit(rng, 5, 4, 0.3)
    turn = np.eye(5)
    turn[1:, 1:] = np.linalg.qr(rng.standard_normal((4, 4)))[0]
    turn[0, 0] = -1
    expected = theory.gap(rows, points)
    np.testing.assert_allclose(theory.gap(rows @ turn.T, turn @ points), expected, atol=1e-12)
    np.testing.assert_allclose(theory.gap(rows[rng.permutation(60)], -points), expected, atol=1e-12)


def test_steps_of_a_large_instance_are_the_mean_steps():
    rows = theory.planted_rows(100_000, 10, 0.15, "ones", seed=3)
    point = unit(np.random.default_rng(0), 10, 1, 0.3)
    for _ in range(12):
        expected = theory.expected_step(point[0, 0], 0.15)
        point = theory.update_map(rows, point)
        point /= np.linalg.norm(point)
        # ξS(z) deviates by at most 1.5, its mean by 1.5/√p, the map is .5 long: this is thrice that.
        assert point[0, 0] == pytest.approx(expected, abs=0.03)
    assert point[0, 0] > 0.95


def test_path_starts_where_told_and_rises():
    path = theory.cosine_path(0.3, 0.15, 12, "gaussian")
    assert path[0] == 0.3
    assert path.shape == (13,)
    assert (np.diff(path) > 0).all()
    assert path[1] == theory.expected_step(0.3, 0.15, "gaussian")


def test_steps_are_those_of_the_path():
    steps = theory.steps_to(0.9, 0.1, 0.1)
    path = theory.cosine_path(0.1, 0.1, steps)
    assert path[-1] >= 0.9 > path[-2]
    assert theory.steps_to(0.5, -0.6, 0.1) == 0
    assert theory.steps_to(0.9, 0.1, 0.5) is None  # ones beyond θ = 1/3: pushed back to zero
    assert theory.steps_to(0.9, 0.1, 0.1, max_iter=2) is None


@pytest.mark.parametrize(
    ("rows", "points", "message"),
    [
        (np.eye(3), np.eye(2), r"`points` must have a row per column of `rows`; got 2 and 3"),
        (np.eye(3), 2 * np.eye(3), r"`points` must be unit columns; got one of length 2.0"),
        (np.eye(3), np.eye(3)[0], r"`points` must be two-dimensional; got shape \(3,\)"),
        (np.full((3, 3), np.nan), np.eye(3), r"`rows` must be finite"),
    ],
)
def test_bad_input_is_refused(rows, points, message):
    with pytest.raises(InvalidInput, match=message):
        theory.update_map(rows, points)


def test_gap_needs_both_parts():
    points = np.array([[0.6, 1.0], [0.8, 0.0]])
    with pytest.raises(InvalidInput, match=r"nonzero planted and other coordinates; got a zero in column 1"):
        theory.gap(np.ones((4, 2)), points)
