"""Zeros and nonzeros must be told apart: tiny nonzeros, noise near rounding, small rows, rivals of another kind."""

from __future__ import annotations

import numpy as np
import pytest

import sparsespan as ss


def planted(size, dim, *vectors, seed=0):
    """Columns that hide given vectors among Gaussian ones, mixed by a rotation."""
    rng = np.random.default_rng(seed)
    columns = rng.standard_normal((size, dim))
    columns[:, : len(vectors)] = np.column_stack(vectors)
    return columns @ np.linalg.qr(rng.standard_normal((dim, dim)))[0]


def heavy(size, nonzeros, power, seed=0):
    rng = np.random.default_rng(seed)
    vector = np.zeros(size)
    vector[rng.choice(size, nonzeros, replace=False)] = rng.standard_normal(nonzeros) ** power
    return vector


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("size", "dim", "nonzeros"), [(978, 50, 196), (1000, 20, 200)])
def test_nonzeros_of_many_sizes_are_all_kept(size, dim, nonzeros, seed):
    vector = heavy(size, nonzeros, 3, seed)
    found = ss.sparsest(planted(size, dim, vector, seed=seed))
    assert found.certified
    np.testing.assert_array_equal(found.support, np.flatnonzero(vector))


@pytest.mark.parametrize("seed", range(6))
def test_what_rounding_hides_is_less_than_rounding(seed):
    """Fifth powers reach below what float64 can tell from zero: such an entry may be lost, no more than that."""
    vector = heavy(1000, 200, 5, seed)
    vector /= np.linalg.norm(vector)
    found = ss.sparsest(planted(1000, 20, vector, seed=seed))
    if found.certified:
        error = min(np.abs(found.vector - vector).max(), np.abs(found.vector + vector).max())
        assert error < 1e-12
        assert set(found.support) <= set(np.flatnonzero(vector))
    else:
        assert found.status is ss.Status.UNCLEAR


@pytest.mark.parametrize("size", [1e-13, 1e-12, 1e-10])
def test_noise_near_rounding_is_not_certified(size):
    hidden = ss.models.planted(500, 10, 100, "gaussian", seed=0)
    noise = np.random.default_rng(1).standard_normal(hidden.columns.shape)
    found = ss.sparsest(hidden.columns + size * noise / np.sqrt(500))
    assert not found.certified
    assert found.status in (ss.Status.UNCLEAR, ss.Status.NOISY)
    np.testing.assert_array_equal(found.estimate.support, np.flatnonzero(hidden.truth))


def test_a_set_without_a_gap_says_so():
    hidden = ss.models.planted(500, 10, 100, "gaussian", seed=0)
    noise = np.random.default_rng(1).standard_normal(hidden.columns.shape)
    found = ss.sparsest(hidden.columns + 1e-14 * noise / np.sqrt(500))
    assert found.status is ss.Status.UNCLEAR
    assert "no gap" in found.status.meaning
    assert found.certificate.clearance < 10
    assert not found.certificate.exact
    clean = ss.sparsest(hidden.columns).certificate
    assert clean.clearance > 1e9
    assert "the smallest kept is" in clean.statements()[2][1]


def test_small_rows_are_rows():
    np.testing.assert_allclose(
        np.abs(ss.sparsest(np.array([[10**15, 1], [1, 10**15], [5, 7]])).vector), [1, 0, 5e-15], atol=1e-16
    )
    for tiny in (1e-20, 1e-200):  # as small as rounding errors: taken for zero, and said
        found = ss.sparsest(np.array([[1.0, 0], [0, 1], [tiny, 2 * tiny]]))
        assert not found.certified
        assert found.certificate.blank == 1
        assert "1 rows of the basis, as small as rounding errors" in found.certificate.statements()[2][1]
    forced = ss.sparsest(np.array([[1.0, 0], [0, 1], [0, 0]]))
    assert forced.status is ss.Status.FORCED
    assert forced.support.size == 1


def test_small_rows_of_the_support_are_found():
    rng = np.random.default_rng(0)
    vector = heavy(300, 60, 1)
    scale = np.ones(300)
    scale[np.flatnonzero(vector)[:20]] = 1e-13
    columns = planted(300, 10, vector) * scale[:, None]
    found = ss.sparsest(columns @ np.linalg.qr(rng.standard_normal((10, 10)))[0])
    assert found.certified
    np.testing.assert_array_equal(found.support, np.flatnonzero(vector))


@pytest.mark.parametrize("factor", [0.1, 1e-2, 1e-4])
def test_rows_of_two_scales_are_no_noise(factor):
    columns = np.random.default_rng(0).standard_normal((400, 10))
    columns[:200] *= factor
    assert ss.sparsest(columns, effort=0).status is ss.Status.GENERIC


@pytest.mark.parametrize(("size", "dim", "flat", "spiky"), [(600, 20, 20, 100), (300, 10, 30, 60)])
def test_a_flat_vector_beside_one_of_heavier_tails(size, dim, flat, spiky):
    """The heavier tails are seen first, but the flat vector is the sparser one."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        signs = np.zeros(size)
        signs[rng.choice(size, flat, replace=False)] = rng.choice([-1.0, 1.0], flat)
        found = ss.sparsest(planted(size, dim, heavy(size, spiky, 3, seed), signs, seed=seed))
        assert found.certified
        assert found.support.size == flat


@pytest.mark.parametrize(
    "columns", [np.eye(40), np.eye(400)[:, :50], np.random.default_rng(0).standard_normal((60, 60))]
)
def test_as_many_dimensions_as_rows_leave_a_coordinate_vector(columns):
    found = ss.sparsest(columns)
    assert found.status is ss.Status.FORCED
    assert found.support.size == 1
    assert found.vector[found.support[0]] == 1


def test_a_deadline_ends_a_large_search_with_a_vector_of_the_subspace():
    columns = np.random.default_rng(0).standard_normal((1500, 200))
    found = ss.sparsest(columns, deadline=0.5)
    assert found.status is ss.Status.DEADLINE
    assert np.linalg.norm(found.vector) == pytest.approx(1)
    basis = ss.Subspace.span(columns).basis
    assert np.linalg.norm(found.vector - basis @ (basis.T @ found.vector)) < 1e-10


@pytest.mark.parametrize("wrong", [None, "vertex", 3])
def test_a_basin_belongs_to_a_vertex_of_the_subspace(wrong):
    subspace = ss.Subspace.span(np.random.default_rng(0).standard_normal((30, 3)))
    with pytest.raises(ss.InvalidInput, match="`vertex` must be a vertex of `subspace`"):
        ss.in_basin(subspace, wrong, np.ones(3))
