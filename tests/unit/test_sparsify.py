"""`sparsify` on matrices that can be checked by hand, on odd ones, and on matrices made from sparse ones."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import sparsespan as ss
from sparsespan.nullspace.cosets import LARGEST_DIMENSION, sparse_supports
from sparsespan.watch import Watch


def rng(seed=0):
    return np.random.default_rng(seed)


def planted(seed, size=200, count=20, density=0.1):
    """Sparse columns."""
    source = rng(seed)
    return np.where(source.random((size, count)) < density, source.standard_normal((size, count)), 0)


def even(matrix):
    """Rows and columns scaled to a largest entry of one, so that NumPy can tell the rank."""
    rows = matrix / np.maximum(np.abs(matrix).max(axis=1, keepdims=True), 1e-300)
    return rows / np.maximum(np.abs(rows).max(axis=0), 1e-300)


def check(B, C, T):
    """C = B·T to rounding, T invertible, no more nonzeros than before, columns of zeros last."""
    dense = B.toarray() if sp.issparse(B) else np.asarray(B, dtype=float)
    p, n = dense.shape
    assert (C.shape, T.shape) == ((p, n), (n, n))
    combination = T.toarray()
    sums = np.abs(dense) @ np.abs(combination)
    assert np.all(np.abs(dense @ combination - C.toarray()) <= 1e-9 * sums)
    assert C.nnz <= np.count_nonzero(dense)
    assert np.all(C.data != 0)
    if n:
        assert np.linalg.matrix_rank(combination / np.abs(combination).max(axis=0)) == n
    counts = np.diff(C.indptr)
    rank = np.linalg.matrix_rank(even(dense)) if min(p, n) else 0
    assert np.all(counts[rank:] == 0)
    assert np.all(counts[:rank] > 0)
    assert np.all(np.diff(counts[:rank]) >= 0)


@pytest.mark.parametrize("seed", range(20))
def test_a_planted_matrix_comes_back_up_to_order_and_scale(seed):
    S = planted(seed)
    B = S @ rng(seed + 1000).standard_normal((20, 20))
    C, T = ss.sparsify(B)
    check(B, C, T)
    assert C.nnz == np.count_nonzero(S)
    cosines = np.abs(C.toarray().T @ (S / np.linalg.norm(S, axis=0)))  # the columns of C have unit length
    np.testing.assert_allclose(cosines.max(axis=0), 1, atol=1e-12)
    assert sorted(cosines.argmax(axis=0)) == list(range(20))


def test_planted_integers_come_back_exactly():
    S = np.where(rng(5).random((120, 12)) < 0.12, rng(6).integers(-5, 6, (120, 12)), 0)
    lower = np.tril(rng(7).integers(-2, 3, (12, 12)), -1) + np.eye(12, dtype=int)
    B = S @ lower @ lower.T  # an invertible integer matrix with integer inverse
    C, T = ss.sparsify(B)
    check(B, C, T)
    assert C.nnz == np.count_nonzero(S)
    assert np.array_equal(T.toarray(), np.rint(T.toarray()))
    assert np.array_equal(B @ T.toarray().astype(int), C.toarray())


@pytest.mark.parametrize("integers", [False, True])
@pytest.mark.parametrize("effort", ["fast", "default"])
def test_a_rank_deficient_matrix_loses_columns_and_nothing_else(integers, effort):
    S = np.where(rng(1).random((80, 8)) < 0.15, rng(2).integers(1, 6, (80, 8)), 0).astype(float)
    R = rng(3).integers(-3, 4, (8, 12)) if integers else rng(3).standard_normal((8, 12))
    C, T = ss.sparsify(S @ R, effort=effort)
    check(S @ R, C, T)
    assert C.nnz <= np.count_nonzero(S)


SPARSE = {
    "identity": np.eye(6),
    "diagonal over twenty orders": np.diag(10.0 ** np.arange(-10, 10)),
    "a sparse matrix": sp.random_array((90, 40), density=0.06, rng=rng(4), format="csr"),
    "a sparse wide one": sp.random_array((20, 60), density=0.06, rng=rng(4), format="coo"),
    "many columns": sp.random_array((300, LARGEST_DIMENSION + 60), density=0.02, rng=rng(5), format="csc"),
    "an incidence matrix": np.array([[1, 0, 0], [-1, 1, 0], [0, -1, 1], [0, 0, -1]]),
}


@pytest.mark.parametrize("name", SPARSE)
@pytest.mark.parametrize("effort", ["fast", "default"])
def test_what_is_sparse_stays_so(name, effort):
    B = SPARSE[name]
    C, T = ss.sparsify(B, effort=effort)
    check(B, C, T)


DEFINED = {
    "no rows": np.zeros((0, 3)),
    "no columns": np.zeros((3, 0)),
    "zeros": np.zeros((4, 3)),
    "ones": np.ones((5, 3)),
    "bool": np.array([[True, False], [True, True]]),
    "square": rng(8).standard_normal((6, 6)),
    "wide": rng(8).standard_normal((4, 9)),
    "one row": rng(8).standard_normal((1, 4)),
    "one column": rng(8).standard_normal((7, 1)),
    "a column of zeros": np.array([[1.0, 0, 2], [3, 0, 4], [5, 0, 6]]),
    "equal columns": np.array([[1.0, 1], [2, 2], [0, 0]]),
    "rows over twenty orders": planted(9, 60, 5, 0.2)
    @ rng(9).standard_normal((5, 5))
    * 10.0 ** rng(9).uniform(-10, 10, (60, 1)),
    "entries over twenty orders": rng(9).standard_normal((30, 6)) * 10.0 ** rng(9).uniform(-10, 10, (30, 6)),
    "large integers": np.array([[2**61, 2**60], [1, 3], [5, 7]]),
}


@pytest.mark.parametrize("name", DEFINED)
def test_odd_matrices_have_a_defined_answer(name):
    B = DEFINED[name]
    with np.errstate(all="raise", under="ignore"):
        C, T = ss.sparsify(B)
    if name == "entries over twenty orders":  # too uneven for NumPy's rank
        assert C.nnz <= B.size
        np.testing.assert_allclose((B @ T.toarray())[C.toarray() != 0], C.toarray()[C.toarray() != 0], rtol=1e-6)
    else:
        check(B, C, T)


def test_columns_without_pattern_become_as_sparse_as_any():
    """Of generic columns no combination has more than rank − 1 zeros."""
    C, T = ss.sparsify(rng(11).standard_normal((40, 7)))
    assert C.nnz == 7 * (40 - 6)
    check(rng(11).standard_normal((40, 7)), C, T)


def test_where_no_zero_is_certain_the_columns_come_back(monkeypatch):
    monkeypatch.setattr("sparsespan.nullspace.sparser.combined", lambda *_: None)
    B = np.array([[1.0, 0], [np.pi, 0], [0, np.e]])
    C, T = ss.sparsify(B)
    assert np.array_equal(C.toarray(), B[:, [1, 0]])
    assert np.array_equal(T.toarray(), np.eye(2)[:, [1, 0]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"effort": "utmost"}, r"`effort` must be one of 'fast', 'default', 'max'; got 'utmost'"),
        ({"tol": 0}, r"`tol` must lie between 0 and 1, both excluded; got 0"),
        ({"seed": 1.5}, r"`seed` must be a non-negative integer or None; got 1.5"),
        ({"deadline": -1}, r"`deadline` must be a positive number; got -1"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(ss.InvalidInput, match=message):
        ss.sparsify([[1, 2], [3, 4]], **options)


def test_a_deadline_leaves_a_valid_answer():
    B = planted(3) @ rng(3).standard_normal((20, 20))
    told = []
    C, T = ss.sparsify(B, deadline=1e-6, progress=lambda *words: told.append(words))
    check(B, C, T)
    assert told


def test_one_seed_gives_one_answer():
    B = planted(3) @ rng(3).standard_normal((20, 20))
    (C, T), (D, U) = ss.sparsify(B, seed=5), ss.sparsify(B, seed=5)
    assert (C != D).nnz == (T != U).nnz == 0


def test_dependent_columns_are_no_basis_for_programs():
    columns = np.column_stack([planted(0)[:, :3], planted(0)[:, 0]])
    assert sparse_supports(columns, 10, 1000, rng(), Watch()) == []
