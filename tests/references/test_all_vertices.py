"""The answer against all vertices: every (n−1)-subset of the rows, by brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.linalg

import sparsespan as ss
from sparsespan.methods.exhaustive import affordable


def all_vertices(basis):
    """Unit null vectors of all independent (n−1)-subsets of the rows, shape (n, K)."""
    size, dim = basis.shape
    subsets = np.array(list(itertools.combinations(range(size), dim - 1)))
    _, sizes, directions = np.linalg.svd(basis[subsets])
    return directions[sizes[:, -1] > 1e-9, -1].T


def truth(subspace):
    """Smallest 1-norm on the sphere, attained at a vertex, and the least number of nonzeros."""
    vectors = subspace.basis @ all_vertices(subspace.basis)
    nonzeros = np.count_nonzero(np.abs(vectors) > 1e-9 * subspace.row_norms[:, None], axis=0)
    return np.abs(vectors).sum(axis=0).min(), nonzeros.min()


@pytest.mark.parametrize(
    ("size", "dim"), [(4, 2), (9, 2), (30, 2), (4, 3), (8, 3), (20, 3), (6, 4), (14, 4), (7, 5), (12, 5), (9, 7)]
)
def test_in_generic_subspaces_the_smallest_norm_is_found(size, dim):
    for seed in range(6):
        subspace = ss.Subspace.span(np.random.default_rng(seed).standard_normal((size, dim)))
        found, (norm, nonzeros) = ss.sparsest(subspace), truth(subspace)
        assert found.l1 == pytest.approx(norm, rel=1e-9)
        assert found.support.size == nonzeros == size - dim + 1


@pytest.mark.parametrize(("size", "dim", "nonzeros"), [(16, 3, 5), (14, 4, 6), (20, 2, 8), (13, 5, 4)])
@pytest.mark.parametrize("values", ["ones", "signs", "gaussian"])
def test_a_planted_vector_is_the_sparsest_and_is_found(size, dim, nonzeros, values):
    for seed in range(4):
        hidden = ss.models.planted(size, dim, nonzeros, values, seed=seed)
        subspace = ss.Subspace.span(hidden.columns)
        found = ss.sparsest(subspace)
        assert truth(subspace)[1] == nonzeros
        assert found.support.size == nonzeros
        assert hidden.error(found.vector) < 1e-12
        assert found.certified


def structured(kind, rng):
    size, dim = int(rng.integers(6, 15)), int(rng.integers(2, 5))
    return {
        "integers": lambda: rng.integers(-2, 3, (size, dim)) + np.eye(size, dim),
        "signs": lambda: rng.choice([-1, 1], (size, dim)) + 2 * np.eye(size, dim),
        "repeated": lambda: np.repeat(rng.standard_normal((6, 3)), 2, axis=0),
        "blocks": lambda: scipy.linalg.block_diag(*[rng.standard_normal((5, 2)) for _ in range(2)]),
        "sparse": lambda: rng.standard_normal((size, dim)) * (rng.random((size, dim)) < 0.5) + np.eye(size, dim),
        "dictionary": lambda: ss.models.dictionary(size, dim, size / 3, seed=int(rng.integers(999))).columns,
    }[kind]()


@pytest.mark.parametrize("kind", ["integers", "signs", "repeated", "blocks", "sparse", "dictionary"])
def test_in_structured_subspaces_the_sparsest_vector_is_found(kind):
    for seed in range(12):
        subspace = ss.Subspace.span(structured(kind, np.random.default_rng(seed)))
        found, (norm, nonzeros) = ss.sparsest(subspace), truth(subspace)
        assert found.support.size == nonzeros
        if not found.certified:
            assert found.l1 == pytest.approx(norm)
            assert nonzeros == subspace.size - subspace.dim + 1 - np.count_nonzero(subspace.null_rows)


@pytest.mark.parametrize("method", ["adm", "paper"])
@pytest.mark.parametrize("kind", ["integers", "signs", "repeated", "blocks", "sparse", "dictionary"])
def test_no_other_method_beats_brute_force(kind, method):
    for seed in range(4):
        subspace = ss.Subspace.span(structured(kind, np.random.default_rng(seed)))
        found, (norm, nonzeros) = ss.sparsest(subspace, method), truth(subspace)
        assert found.l1 >= norm * (1 - 1e-9)
        assert found.support.size >= nonzeros
        if found.certificate.forced:
            assert found.support.size == nonzeros


def test_trying_all_vertices_by_name_as_long_as_they_are_few():
    hidden = ss.models.planted(40, 4, 12, "signs", seed=0)
    found = ss.sparsest(hidden.columns, "exhaustive")
    assert found.support.size == 12
    assert found.runs[0].start == "9880 subsets of rows"
    repeated = ss.sparsest(np.repeat(hidden.columns, 3, axis=0), "exhaustive", most=9880)
    assert repeated.support.size == 36
    with pytest.raises(
        ss.InvalidInput, match=r"at most 9879 subsets .*; got 9.88e\+03 for 40 directions in dimension 4"
    ):
        ss.sparsest(hidden.columns, "exhaustive", most=9879)
    with pytest.raises(ss.InvalidInput, match=r"`most` must be an integer of at least 1; got 0"):
        ss.sparsest(hidden.columns, "exhaustive", most=0)


def test_trying_all_vertices_ends_when_time_is_up():
    columns = np.random.default_rng(0).standard_normal((60, 4))
    found = ss.sparsest(columns, "exhaustive", interrupted=lambda: True)
    assert found.status is ss.Status.INTERRUPTED
    assert found.runs[0].start == "4096 subsets of rows"


def test_ties_go_to_the_smaller_norm():
    columns = np.array([[1.0, 0], [1, 0], [0, 9], [0, 1]])
    found = ss.sparsest(columns)
    np.testing.assert_array_equal(found.support, [2, 3])
    assert found.l1 == pytest.approx(10 / np.sqrt(82))


def test_the_cycles_of_a_graph():
    """Null vectors of an incidence matrix: the sparsest are its shortest cycles."""
    edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 2), (0, 6), (6, 7), (7, 8), (8, 9), (9, 0)]
    incidence = np.zeros((10, len(edges)))
    for column, (tail, head) in enumerate(edges):
        incidence[[tail, head], column] = -1, 1
    subspace = ss.Subspace.null(incidence)
    found = ss.sparsest(subspace)
    np.testing.assert_array_equal(found.support, [0, 1, 2])
    np.testing.assert_allclose(np.abs(found.vector[:3]), 1 / np.sqrt(3), atol=1e-14)
    assert truth(subspace)[1] == 3


@pytest.mark.parametrize("apart", [1e-6, 1e-7, 1e-9])
def test_rows_that_nearly_agree_are_not_taken_for_one(apart):
    """Five equal rows next to one that is `apart` from them: the vector that vanishes on the five has 3 nonzeros."""
    columns = np.array([[1, 0]] + [[1, apart]] * 5 + [[0.3, 0.7], [0.2, 0.9]])
    for order in (columns, columns[::-1], -columns):
        assert ss.sparsest(order, "exhaustive").support.size == 3
    triples = np.hstack([np.kron(columns, np.ones((2, 1))), np.eye(16, 1) + np.eye(16, 1, -15)])
    sizes = {ss.sparsest(order, "exhaustive").support.size for order in (triples, triples[::-1])}
    assert sizes == {truth(ss.Subspace.span(triples))[1]}


def test_a_large_decomposition_ends_when_time_is_up():
    columns = np.random.default_rng(0).standard_normal((100, 99))
    found = ss.sparsest(columns, "exhaustive", interrupted=lambda: True)
    assert found.status is ss.Status.INTERRUPTED
    assert int(found.runs[0].start.split()[0]) < 100
    assert not affordable(ss.Subspace.span(columns))


def test_what_is_affordable_counts_subsets_entries_and_decompositions():
    def is_affordable(size, dim):
        return affordable(ss.Subspace.span(np.eye(size, dim) + 1.0))

    assert is_affordable(30, 3)
    assert is_affordable(60, 60)
    assert not is_affordable(200, 3)  # 19,900 subsets
    assert not is_affordable(1500, 2)  # 1500 vectors of 1500 entries
    assert not is_affordable(80, 79)  # 3160 decompositions of order 79
