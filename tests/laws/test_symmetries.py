"""The answer belongs to the subspace: bases, signs, scales and orders of rows play no role."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sparsespan as ss
from sparsespan.certificates import certify

seeds = st.integers(0, 10**6)
values = st.sampled_from(["ones", "signs", "gaussian"])


def rng(seed):
    return np.random.default_rng(seed)


@st.composite
def planted(draw):
    """A subspace that hides one vector, large enough for no other to be as sparse."""
    dim = draw(st.integers(2, 12))
    size = draw(st.integers(30, 60)) * dim // 2 + 40
    return ss.models.planted(size, dim, max(3, size // 6), draw(values), seed=draw(seeds))


@st.composite
def columns(draw):
    """Columns of any kind, few enough for all vertices to be tried."""
    size, dim = draw(st.integers(4, 12)), draw(st.integers(1, 3))
    kind, source = draw(st.sampled_from(["generic", "integers", "sparse"])), rng(draw(seeds))
    if kind == "integers":
        return source.integers(-2, 3, (size, dim)) + 3.0 * np.eye(size, dim)
    made = source.standard_normal((size, dim))
    return made if kind == "generic" else made * (source.random((size, dim)) < 0.5) + np.eye(size, dim)


def mixing(dim, seed, spread=3.0):
    """An invertible matrix of moderate condition."""
    left, right = (np.linalg.qr(rng(seed + k).standard_normal((dim, dim)))[0] for k in range(2))
    return left * np.exp(rng(seed).uniform(-spread / 2, spread / 2, dim)) @ right


def assert_same(found, other, vector=None, tol=1e-10):
    expected = found.vector if vector is None else vector
    np.testing.assert_array_equal(other.support, np.flatnonzero(expected))
    assert min(np.linalg.norm(other.vector - sign * expected) for sign in (1, -1)) < tol
    assert other.l1 == pytest.approx(found.l1, rel=1e-9)
    for name in ("zeros", "rank", "unique", "locally_optimal", "holds", "forced"):
        assert getattr(other.certificate, name) == getattr(found.certificate, name)
    assert other.certificate.kappa == pytest.approx(found.certificate.kappa, rel=1e-6, abs=1e-9)
    assert other.certificate.sharpness == pytest.approx(found.certificate.sharpness, rel=1e-6, abs=1e-9)
    assert other.status is found.status


@given(planted(), seeds)
def test_a_change_of_basis(hidden, seed):
    assert_same(ss.sparsest(hidden.columns), ss.sparsest(hidden.columns @ mixing(hidden.columns.shape[1], seed)))


@given(planted(), seeds)
def test_scales_and_signs_of_columns(hidden, seed):
    factors = rng(seed).choice([-1, 1], hidden.columns.shape[1]) * 10.0 ** rng(seed).uniform(
        -140, 140, hidden.columns.shape[1]
    )
    assert_same(ss.sparsest(hidden.columns), ss.sparsest(hidden.columns * factors))


@given(planted(), seeds)
def test_order_of_columns_and_repetitions(hidden, seed):
    dim = hidden.columns.shape[1]
    order = np.r_[rng(seed).permutation(dim), rng(seed).integers(0, dim, 2)]
    assert_same(ss.sparsest(hidden.columns), ss.sparsest(hidden.columns[:, order]))


@given(planted(), st.integers(-300, 300))
def test_the_scale_of_everything(hidden, exponent):
    assert_same(ss.sparsest(hidden.columns), ss.sparsest(hidden.columns * 10.0**exponent))


@given(planted(), seeds)
def test_the_order_of_rows(hidden, seed):
    order, found = rng(seed).permutation(len(hidden.columns)), ss.sparsest(hidden.columns)
    assert_same(found, ss.sparsest(hidden.columns[order]), found.vector[order])


@given(planted(), seeds)
def test_signs_of_rows(hidden, seed):
    flips, found = rng(seed).choice([-1.0, 1.0], len(hidden.columns)), ss.sparsest(hidden.columns)
    assert_same(found, ss.sparsest(hidden.columns * flips[:, None]), found.vector * flips)


@given(planted(), seeds, st.integers(1, 9))
def test_zero_rows_change_nothing(hidden, seed, count):
    found, size = ss.sparsest(hidden.columns), len(hidden.columns)
    places = np.sort(rng(seed).integers(0, size + 1, count))
    extended = np.insert(hidden.columns, places, 0.0, axis=0)
    assert_same(found, ss.sparsest(extended), np.insert(found.vector, places, 0.0))


@given(columns(), seeds)
def test_small_subspaces_whatever_they_are(made, seed):
    found = ss.sparsest(made)
    order, flips = rng(seed).permutation(len(made)), rng(seed).choice([-1.0, 1.0], (len(made), 1))
    other = ss.sparsest((made @ mixing(made.shape[1], seed) * flips)[order])
    assert other.support.size == found.support.size
    assert other.l1 == pytest.approx(found.l1, rel=1e-9)
    assert other.certified == found.certified
    assert other.status is found.status


@given(columns(), seeds)
def test_rounding_follows_a_change_of_basis(made, seed):
    first, change = ss.Subspace.span(made), mixing(made.shape[1], seed)
    second = ss.Subspace.span(made @ change)
    anchor = rng(seed).standard_normal(first.dim)
    turned = second.basis.T @ first.basis @ anchor  # the same functional in the other coordinates
    here, there = ss.round_to_vertex(first, anchor), ss.round_to_vertex(second, turned)
    worth = [v.l1 / abs(r @ v.point) for v, r in ((here, anchor), (there, turned))]
    assert worth[0] == pytest.approx(worth[1], rel=1e-9)


@given(columns(), seeds, st.floats(-300, 300))
def test_rounding_ignores_scale_and_sign_of_the_anchor(made, seed, exponent):
    subspace = ss.Subspace.span(made)
    anchor = rng(seed).standard_normal(subspace.dim)
    here = ss.round_to_vertex(subspace, anchor)
    there = ss.round_to_vertex(subspace, anchor * -(10.0**exponent))
    assert abs(here.point @ there.point) == pytest.approx(1, abs=1e-9)


@given(planted(), seeds)
def test_certificates_follow_the_rows(hidden, seed):
    order, flips = rng(seed).permutation(len(hidden.columns)), rng(seed).choice([-1.0, 1.0], len(hidden.columns))
    first = ss.Subspace.span(hidden.columns)
    second = ss.Subspace.span((hidden.columns * flips[:, None])[order])
    anchor = rng(seed).standard_normal(first.dim)
    here = ss.round_to_vertex(first, anchor)
    there = ss.round_to_vertex(second, second.basis.T @ ((first.basis * flips[:, None])[order] @ anchor))
    assume(here.zeros == there.zeros)
    one, two = certify(first, here), certify(second, there)
    assert (one.rank, one.unique, one.locally_optimal) == (two.rank, two.unique, two.locally_optimal)
    assert one.kappa == pytest.approx(two.kappa, rel=1e-6, abs=1e-9)
