"""Small versions of the recovery benchmarks: exact on every seed, certified, by each method of the core."""

from __future__ import annotations

import numpy as np
import pytest

import sparsespan as ss


def exact(found, hidden):
    assert found.certified
    assert found.status is ss.Status.FOUND
    assert hidden.error(found.vector) <= 1e-12
    np.testing.assert_array_equal(found.support, np.flatnonzero(hidden.truth))


@pytest.mark.parametrize(("dim", "size", "seeds"), [(20, 300, 12), (50, 978, 6), (96, 2191, 3), (200, 5298, 1)])
def test_gaussian_nonzeros_are_recovered_exactly(dim, size, seeds):
    for seed in range(seeds):
        hidden = ss.models.planted(size, dim, size // 5, "gaussian", seed=seed)
        exact(ss.sparsest(hidden.columns), hidden)


@pytest.mark.parametrize("values", ["ones", "signs"])
@pytest.mark.parametrize(("dim", "size", "seeds"), [(20, 300, 8), (50, 978, 4), (96, 2191, 2)])
def test_flat_nonzeros_are_recovered_exactly(dim, size, seeds, values):
    for seed in range(seeds):
        hidden = ss.models.planted(size, dim, size // 5, values, seed=seed)
        exact(ss.sparsest(hidden.columns), hidden)


@pytest.mark.parametrize("share", [0.02, 0.05, 0.4, 0.6, 0.8])
def test_ones_are_recovered_at_every_density(share):
    hidden = ss.models.planted(978, 50, round(978 * share), "ones", seed=0)
    exact(ss.sparsest(hidden.columns), hidden)


@pytest.mark.parametrize("dim", [2, 3, 5])
@pytest.mark.parametrize("values", ["ones", "signs", "gaussian"])
def test_small_dimensions(dim, values):
    for seed in range(4):
        hidden = ss.models.planted(80, dim, 16, values, seed=seed)
        exact(ss.sparsest(hidden.columns), hidden)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_precision_of_the_columns_limits_the_error(dtype):
    hidden = ss.models.planted(978, 50, 196, "gaussian", seed=3)
    found = ss.sparsest(hidden.columns.astype(dtype))
    assert found.certified
    assert hidden.error(found.vector) < 64 * np.finfo(dtype).eps


@pytest.mark.parametrize("condition", [1e4, 1e8, 1e10])
def test_badly_conditioned_columns(condition):
    hidden = ss.models.planted(600, 20, 120, "gaussian", seed=1)
    rng = np.random.default_rng(0)
    left, right = (np.linalg.qr(rng.standard_normal((20, 20)))[0] for _ in range(2))
    found = ss.sparsest(hidden.columns @ (left * np.geomspace(1, 1 / condition, 20) @ right))
    assert found.certified
    assert hidden.error(found.vector) < 1e-15 * condition


@pytest.mark.parametrize("values", ["ones", "gaussian"])
def test_the_pipeline_of_the_paper(values):
    hidden = ss.models.planted(300, 10, 45, values, seed=5)
    found = ss.sparsest(hidden.columns, "paper")
    exact(found, hidden)
    assert sum(run.multiplicity for run in found.runs) == 300
    assert found.runs[0].l1 == min(run.l1 for run in found.runs)
    assert found.certificate.gap < 1e-10


def test_the_paper_rounds_each_distinct_limit_once():
    hidden = ss.models.planted(120, 5, 15, "ones", seed=2)
    subspace = ss.Subspace.span(hidden.columns)
    found = ss.sparsest(subspace, "paper", starts=subspace.basis[:40].T)
    assert sum(run.multiplicity for run in found.runs) == 40
    assert all(run.start.startswith("given") for run in found.runs)


@pytest.mark.parametrize(
    "options",
    [
        {"starts": "rows"},
        {"shifted": True},
        {"factors": (1.0, 0.3)},
        {"starts": ["mean", "spectral"], "few": 2},
        {"first": False, "few": 4},
    ],
    ids=str,
)
def test_algorithm_1_in_its_variants(options):
    hidden = ss.models.planted(300, 10, 45, "gaussian", seed=6)
    found = ss.sparsest(hidden.columns, "adm", **options)
    exact(found, hidden)
    assert "ADM(" in found.method


def test_a_generic_subspace_is_not_certified():
    for seed in range(3):
        found = ss.sparsest(np.random.default_rng(seed).standard_normal((200, 8)))
        assert not found.certified
        assert found.status is ss.Status.GENERIC
        assert found.certificate.zeros == 7
        assert found.certificate.locally_optimal
        assert "other starts" in found.status.advice
