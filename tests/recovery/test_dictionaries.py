from __future__ import annotations

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.extraction.power import skewed
from sparsespan.watch import Watch


@pytest.mark.parametrize("values", ["ones", "signs", "gaussian"])
@pytest.mark.parametrize(("size", "dim", "nonzeros"), [(600, 10, 60), (300, 4, 60)])
def test_one_of_the_sparse_vectors_is_returned_and_mostly_the_sparsest(size, dim, nonzeros, values):
    sparsest = 0
    for seed in range(4):
        hidden = ss.models.dictionary(size, dim, nonzeros, values, seed=seed)
        found = ss.sparsest(hidden.columns)
        assert found.certified
        assert np.linalg.norm(hidden.truth - found.vector[:, None], axis=0).min() < 1e-12 or (
            np.linalg.norm(hidden.truth + found.vector[:, None], axis=0).min() < 1e-12
        )
        sparsest += found.support.size == np.count_nonzero(hidden.truth, axis=0).min()
    assert sparsest >= 3


def test_the_sparsest_of_those_found_is_returned():
    hidden = ss.models.dictionary(2000, 20, 200, "gaussian", seed=0)
    found = ss.sparsest(hidden.columns)
    sparse = [run for run in found.runs if run.zeros >= 20]
    assert len(sparse) >= 15
    assert found.runs[0].zeros == max(run.zeros for run in sparse) == found.certificate.zeros
    assert found.support.size == np.count_nonzero(hidden.truth, axis=0).min()


def test_two_vectors_of_very_different_sparsity():
    rng = np.random.default_rng(4)
    columns = rng.standard_normal((500, 6))
    columns[rng.random(500) < 0.7, 0] = 0
    columns[rng.random(500) < 0.9, 1] = 0
    found = ss.sparsest(columns @ rng.standard_normal((6, 6)))
    np.testing.assert_array_equal(found.support, np.flatnonzero(columns[:, 1]))


@pytest.mark.parametrize(("size", "dim", "nonzeros"), [(532, 31, 160), (600, 20, 180)])
def test_all_rows_of_one_sign_are_found_though_they_lean_to_the_constant(size, dim, nonzeros):
    hidden = ss.models.dictionary(size, dim, nonzeros, "ones", seed=0)
    found = ss.sparse_basis(hidden.columns, dim, orthogonal=False, effort=0)
    assert max(hidden.error(vector.vector) for vector in found) < 1e-6
    nearest = {int(np.argmax(np.abs(hidden.truth.T @ vector.vector))) for vector in found}
    assert len(nearest) == dim


def test_skewness_leads_to_rows_of_either_sign_also_where_the_constant_lies_in_the_subspace():
    rng = np.random.default_rng(1)
    rows = (rng.random((800, 6)) < 0.3) * rng.choice([-1.0, 1.0], 6)
    for columns in (rows, np.column_stack([rows, np.ones(800)])):
        subspace = ss.Subspace.span(columns @ rng.standard_normal((columns.shape[1],) * 2))
        points = skewed(subspace, subspace.dim, np.random.default_rng(0), Watch())
        np.testing.assert_allclose(np.linalg.norm(points, axis=0), 1.0)
        cosines = np.abs((rows / np.linalg.norm(rows, axis=0)).T @ subspace.vectors(points))
        assert cosines.max(axis=1).min() > 0.9
