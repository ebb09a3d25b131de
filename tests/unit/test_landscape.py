from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sparsespan.errors import InvalidInput
from sparsespan.experiments.landscape import landscape
from sparsespan.theory import expected_huber, expected_q1, expected_q2, stable_threshold


def kinds(scene):
    return [(round(s.cosine, 3), s.kind, s.shape) for s in scene.critical]


def test_gaussian_nonzeros_have_minima_at_the_planted_vector_only():
    assert kinds(landscape(0.4, "gaussian")) == [
        (1.0, "minimum", "point"),
        (0.0, "maximum", "circle"),
        (-1.0, "minimum", "point"),
    ]


def test_ones_below_a_third_look_the_same():
    assert [kind for _, kind, _ in kinds(landscape(0.2, "ones"))] == ["minimum", "maximum", "minimum"]


def test_ones_beyond_a_third_have_a_second_valley_on_the_equator():
    scene = landscape(0.4, "ones", threshold=0.8)
    assert stable_threshold(0.4) > 0.8
    assert [(s.kind, s.shape) for s in scene.critical] == [
        ("minimum", "point"),
        ("maximum", "circle"),
        ("minimum", "circle"),
        ("maximum", "circle"),
        ("minimum", "point"),
    ]
    ring = scene.critical[1]
    assert 0 < ring.cosine < 1
    assert ring.cosine == -scene.critical[3].cosine
    assert ring.curvature < 0


def test_ones_at_the_papers_threshold_lose_the_planted_minimum():
    assert kinds(landscape(0.4, "ones")) == [
        (1.0, "maximum", "point"),
        (0.0, "minimum", "circle"),
        (-1.0, "maximum", "point"),
    ]


def gradient(point, theta, values, threshold):
    """−(I − qqᵀ)·p·E Q̄(q), coordinate by coordinate."""
    mapped = expected_q2(point[0], theta, values, threshold) * point
    mapped[0] = expected_q1(point[0], theta, values, threshold)
    return -(mapped - point * (point @ mapped))


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from([("gaussian", 0.4, 1.0), ("ones", 0.2, 1.0), ("ones", 0.4, 0.8), ("ones", 0.4, 1.0)]),
    st.integers(0, 2**32 - 1),
)
def test_no_other_critical_points(model, seed):
    values, theta, threshold = model
    sets = landscape(theta, values, threshold, resolution=3).critical
    point = np.random.default_rng(seed).standard_normal(3)
    point /= np.linalg.norm(point)
    away = min(abs(np.arccos(point[0]) - np.arccos(s.cosine)) for s in sets)
    if away > 0.1:
        assert np.linalg.norm(gradient(point, theta, values, threshold)) > 1e-5


@pytest.mark.parametrize(("values", "theta", "threshold"), [("gaussian", 0.4, 1.0), ("ones", 0.4, 0.8)])
def test_critical_sets_are_critical_and_of_their_kind(values, theta, threshold):
    for found in landscape(theta, values, threshold).critical:
        point = np.array([found.cosine, np.sqrt(1 - found.cosine**2), 0.0])
        assert np.linalg.norm(gradient(point, theta, values, threshold)) < 1e-12
        assert found.loss == pytest.approx(expected_huber(found.cosine, theta, values, threshold))
        angles = np.arccos(found.cosine) + np.array([-0.03, 0.03])
        around = expected_huber(np.cos(angles), theta, values, threshold) - found.loss
        assert (around > 0).all() if found.kind == "minimum" else (around < 0).all()


def test_curvature_agrees_with_second_differences():
    for found in landscape(0.4, "ones", 0.8).critical:
        angles = np.arccos(found.cosine) + 1e-3 * np.array([-1, 0, 1])
        loss = expected_huber(np.cos(angles), 0.4, "ones", 0.8)
        assert found.curvature == pytest.approx((loss[0] - 2 * loss[1] + loss[2]) / 1e-6, abs=1e-3)


def test_grids_hold_the_loss():
    scene = landscape(0.4, resolution=11)
    points = scene.points
    assert points.shape == (3, 11, 22)
    np.testing.assert_allclose((points**2).sum(axis=0), 1, atol=1e-15)
    np.testing.assert_allclose(scene.loss, expected_huber(np.clip(points[0], -1, 1), 0.4, "gaussian"))
    assert scene.height.shape == (21, 21)
    assert scene.height[10, 10] == scene.loss[0, 0]  # e₁ at the centre
    np.testing.assert_allclose(scene.height[10, 0], scene.loss[5, 0])  # the equator on the rim
    assert np.isnan(scene.height[0, 0])
    assert not scene.loss.flags.writeable


def test_another_coordinate_can_point_up():
    scene = landscape(0.4, resolution=11, up=2)
    assert scene.height[10, 20] == pytest.approx(scene.loss[0, 0])  # e₁ on the rim
    assert scene.height[10, 10] == pytest.approx(scene.loss[5, 0])  # the equator through the centre


def test_a_dense_vector_of_gaussians_leaves_no_landscape():
    assert {s.kind for s in landscape(1.0, "gaussian", resolution=5).critical} == {"flat"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resolution": 2}, r"`resolution` must be at least 3; got 2"),
        ({"up": 3}, r"`up` must be 0, 1 or 2; got 3"),
        ({"theta": 0}, r"`theta` must lie in \(0, 1\]; got 0"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(InvalidInput, match=message):
        landscape(**options)
