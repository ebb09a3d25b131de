from __future__ import annotations

import numpy as np
import pytest

import sparsespan as ss


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
