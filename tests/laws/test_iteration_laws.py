from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sparsespan as ss
from sparsespan.methods.alternating import alternate, merge, shrink_step
from sparsespan.rounding import descend, settle
from sparsespan.starts import Mix, Points, Random, Rows, Spectral
from sparsespan.watch import Watch

seeds = st.integers(0, 10**6)
factors = st.floats(0.05, 3.0)


@st.composite
def subspaces(draw):
    dim = draw(st.integers(1, 8))
    size = draw(st.integers(dim + 1, 80))
    source = np.random.default_rng(draw(seeds))
    kind = draw(st.sampled_from(["generic", "planted", "integers"]))
    if kind == "planted":
        return ss.Subspace.span(ss.models.planted(size, dim, max(1, size // 5), seed=draw(seeds)).columns)
    made = source.standard_normal((size, dim)) if kind == "generic" else source.integers(-2, 3, (size, dim))
    return ss.Subspace.span(made + 2.0 * np.eye(size, dim))


def points_of(subspace, seed, count=5):
    return Random(count).points(subspace, np.random.default_rng(seed)).points


def norm(subspace, points):
    return np.abs(subspace.vectors(points)).sum(axis=0)


@given(subspaces(), seeds, factors, st.booleans())
def test_points_stay_on_the_sphere(subspace, seed, factor, shifted):
    points = points_of(subspace, seed)
    for _ in range(5):
        moved = shrink_step(subspace, points, factor / math.sqrt(subspace.size), shifted=shifted)
        np.testing.assert_allclose(np.linalg.norm(moved, axis=0), 1, atol=1e-14)
        assert (np.einsum("ij,ij->j", moved, points) >= 0).all()
        points = moved


@given(subspaces(), seeds, factors)
def test_a_plain_step_never_lowers_its_convex_objective(subspace, seed, factor):
    threshold, points = factor / math.sqrt(subspace.size), points_of(subspace, seed)

    def energy(here):
        return (np.maximum(np.abs(subspace.basis @ here) - threshold, 0) ** 2).sum(axis=0)

    for _ in range(5):
        moved = shrink_step(subspace, points, threshold, shifted=False)
        assert (energy(moved) >= energy(points) - 1e-14).all()
        points = moved


@given(subspaces(), seeds, factors)
def test_steps_are_taken_for_each_point_alone_and_up_to_sign(subspace, seed, factor):
    threshold, points = factor / math.sqrt(subspace.size), points_of(subspace, seed)
    together = shrink_step(subspace, points, threshold, shifted=True)
    for column in range(points.shape[1]):
        alone = shrink_step(subspace, -points[:, [column]], threshold, shifted=True)
        np.testing.assert_allclose(-alone[:, 0], together[:, column], atol=1e-12)


def test_where_the_threshold_swallows_all_the_point_stays():
    subspace = ss.Subspace.span(np.random.default_rng(0).standard_normal((50, 4)))
    points = points_of(subspace, 0)
    np.testing.assert_array_equal(shrink_step(subspace, points, 10.0, shifted=False), points)


@given(subspaces(), seeds, st.booleans())
def test_limits_are_fixed_points_merged_up_to_sign(subspace, seed, shifted):
    starts = Mix((Rows(most=6), Random(6))).points(subspace, np.random.default_rng(seed))
    threshold = 1 / math.sqrt(subspace.size)
    limits = alternate(subspace, starts, threshold, tol=1e-9, max_iter=2000, shifted=shifted, watch=Watch())
    assert limits.multiplicity.sum() == len(starts)
    cosines = np.abs(limits.points.T @ limits.points)
    assert (cosines[~np.eye(len(cosines), dtype=bool)] < 1 - 1e-7).all()
    again = shrink_step(subspace, limits.points, threshold, shifted=shifted)
    done = limits.steps < 2000
    np.testing.assert_allclose(again[:, done], limits.points[:, done], atol=1e-6)
    assert set(limits.labels) <= set(starts.labels)


@given(subspaces(), seeds)
def test_limits_do_not_depend_on_the_company(subspace, seed):
    starts = Random(8).points(subspace, np.random.default_rng(seed))
    options = {"tol": 1e-7, "max_iter": 40, "watch": Watch()}
    threshold = 1 / math.sqrt(subspace.size)
    together = alternate(subspace, starts, threshold, **options)
    for column, label in enumerate(together.labels):
        alone = alternate(subspace, starts.pick([starts.labels.index(label)]), threshold, **options)
        assert abs(alone.points[:, 0] @ together.points[:, column]) == pytest.approx(1, abs=1e-9)
        assert alone.steps[0] == together.steps[column]


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=20))
def test_merging_counts_each_direction_once(chosen):
    directions = np.linalg.qr(np.random.default_rng(0).standard_normal((4, 4)))[0]
    points = np.stack([directions[:, k] * (-1 if flip else 1) for k, flip in chosen], axis=1)
    merged = merge(points, [str(i) for i in range(len(chosen))], np.arange(len(chosen)))
    seen = [k for k, _ in chosen]
    firsts = sorted({seen.index(k) for k in seen})
    assert merged.labels == [str(i) for i in firsts]
    assert merged.multiplicity.tolist() == [seen.count(seen[i]) for i in firsts]
    np.testing.assert_array_equal(merged.points, points[:, firsts])
    np.testing.assert_array_equal(merged.steps, firsts)


@given(subspaces(), seeds, st.integers(0, 30))
def test_descent_never_raises_the_norm(subspace, seed, limit):
    point = points_of(subspace, seed, 1)[:, 0]
    lowered, steps = descend(subspace, point, limit)
    assert steps <= limit
    assert norm(subspace, lowered) <= norm(subspace, point) * (1 + 1e-14)
    assert np.linalg.norm(lowered) == pytest.approx(1, abs=1e-12)


@given(subspaces(), seeds)
def test_settling_never_raises_the_norm_and_zeros_are_below_the_resolution(subspace, seed):
    point = points_of(subspace, seed, 1)[:, 0]
    for start in (point, descend(subspace, point)[0]):
        vertex = settle(subspace, start)
        assert vertex.l1 <= norm(subspace, start) * (1 + 2e-9)
        assert vertex.residual <= subspace.resolution
        assert abs(vertex.point @ start) > 0.98
        np.testing.assert_allclose(subspace.basis @ vertex.point, vertex.vector, atol=10 * subspace.resolution)


@given(subspaces(), seeds)
def test_settling_a_settled_point_changes_nothing(subspace, seed):
    first = settle(subspace, descend(subspace, points_of(subspace, seed, 1)[:, 0])[0])
    again = settle(subspace, first.point)
    assert abs(first.point @ again.point) == pytest.approx(1, abs=1e-12)
    if first.face is not None and again.face is not None:
        np.testing.assert_array_equal(first.zero, again.zero)


@given(subspaces(), seeds)
def test_starts_turn_with_the_basis(subspace, seed):
    turn = np.linalg.qr(np.random.default_rng(seed).standard_normal((subspace.dim, subspace.dim)))[0]
    turned = ss.Subspace.span(subspace.basis @ turn)
    between = subspace.basis.T @ turned.basis
    for kind in (Rows(), Rows(most=3), Spectral()):
        first, second = (kind.points(s, np.random.default_rng(seed)) for s in (subspace, turned))
        spectrum = subspace.tail_spectrum[0]
        if isinstance(kind, Spectral) and (np.diff(spectrum) < 1e-6 * np.abs(spectrum).max()).any():
            continue
        assert first.labels == second.labels
        cosines = np.abs(np.einsum("ij,ij->j", between @ second.points, first.points))
        np.testing.assert_allclose(cosines, 1, atol=1e-6)


@given(st.integers(2, 50), st.integers(1, 500), st.integers(1, 50), st.floats(0, 1e-3), st.floats(0, 1e-3))
def test_accidents_are_likelier_the_more_rows_and_the_coarser(dim, size, surplus, residual, other):
    subspace = ss.Subspace.span(np.random.default_rng(0).standard_normal((dim + 3, dim)))
    vertex = ss.round_to_vertex(subspace, np.ones(dim))
    count = dim - 1 + surplus
    made = replace(vertex, vector=np.zeros(size + count), zero=np.arange(size + count) < count, residual=residual)
    assert 0 <= made.chance <= 1
    coarser = replace(made, residual=max(residual, other))
    assert made.chance <= coarser.chance + 1e-12
    more = replace(made, vector=np.zeros(2 * (size + count)))
    assert made.chance <= more.chance + 1e-12
    denser = replace(made, zero=np.arange(size + count) < count - 1)
    assert made.chance <= denser.chance + 1e-12


def test_given_points_are_starts_too():
    subspace = ss.Subspace.span(np.random.default_rng(0).standard_normal((50, 4)))
    limits = alternate(
        subspace, Points(np.eye(4), list("abcd")), 0.1, tol=1e-6, max_iter=3, shifted=False, watch=Watch()
    )
    assert limits.labels[0] == "a"
    assert limits.steps.max() <= 3
