from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import sparsespan as ss
from sparsespan.subspace.orthonormal import complement, orthonormal

EPS = np.finfo(float).eps


def gaussian(size, dim, seed=0):
    return np.random.default_rng(seed).standard_normal((size, dim))


def conditioned(size, dim, condition, seed=0):
    left, right = np.linalg.qr(gaussian(size, dim, seed))[0], np.linalg.qr(gaussian(dim, dim, seed + 1))[0]
    return left * np.geomspace(1, 1 / condition, dim) @ right


def departure(subspace):
    return np.abs(subspace.basis.T @ subspace.basis - np.eye(subspace.dim)).max()


def outside(subspace, vectors):
    """Largest part of unit vectors that lies outside a subspace."""
    vectors = vectors / np.linalg.norm(vectors, axis=0)
    return np.linalg.norm(vectors - subspace.basis @ (subspace.basis.T @ vectors), axis=0).max()


@pytest.mark.parametrize("condition", [1, 1e3, 1e5, 1e7, 1e8, 1e10, 1e12])
@pytest.mark.parametrize("shape", [(40, 40), (300, 20), (5000, 7)])
def test_span_is_orthonormal_and_right_at_every_condition(shape, condition):
    columns = conditioned(*shape, condition)
    subspace = ss.Subspace.span(columns)
    assert subspace.dim == shape[1]
    assert departure(subspace) < 1e-14
    assert outside(subspace, columns) < 1e-14 * shape[1]
    unit = columns / np.linalg.norm(columns, axis=0)
    assert 0.8 < subspace.rank.condition / np.linalg.cond(unit) < 1.2


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e150, 1e300])
@pytest.mark.parametrize("which", ["all", "one", "spread"])
def test_columns_of_any_scale_span_the_same(scale, which):
    columns = gaussian(60, 5)
    factors = {"all": np.full(5, scale), "one": np.array([1, 1, scale, 1, 1]), "spread": scale ** np.linspace(-1, 1, 5)}
    subspace = ss.Subspace.span(columns * factors[which])
    assert subspace.dim == 5
    assert departure(subspace) < 1e-14
    assert outside(subspace, columns) < 1e-14


def test_powers_of_two_change_no_bit_of_the_basis():
    columns = gaussian(60, 5)
    scaled = ss.Subspace.span(columns * 2.0 ** np.array([700, -700, 3, 0, -1]))
    np.testing.assert_allclose(scaled.basis, ss.Subspace.span(columns).basis, rtol=0, atol=4 * EPS)


@pytest.mark.parametrize("extra", [0, 1, 4])
def test_dependent_and_zero_columns_do_not_count(extra):
    columns = gaussian(50, 6)
    given = np.hstack([columns, columns[:, :extra] * 1e200, columns @ gaussian(6, 2, 1), np.zeros((50, 3))])
    subspace = ss.Subspace.span(given)
    assert (subspace.dim, subspace.rank.rank, subspace.rank.given) == (6, 6, 11 + extra)
    assert departure(subspace) < 1e-14
    assert outside(subspace, columns) < 1e-13


@pytest.mark.parametrize(("distance", "rank"), [(1e-16, 1), (1e-14, 1), (1e-12, 2), (1e-9, 2)])
def test_the_rank_rule_is_applied_as_stated(distance, rank):
    first = np.ones(100)
    second = first + distance * np.linalg.qr(np.column_stack([first, gaussian(100, 1)]))[0][:, 1] * 10
    subspace = ss.Subspace.span(np.column_stack([first, second]))
    sizes = np.linalg.svd(np.column_stack([first / 10, second / np.linalg.norm(second)]), compute_uv=False)
    assert subspace.dim == rank == np.count_nonzero(sizes > subspace.rank.tolerance * sizes[0])
    assert f"rank {rank} of 2" in str(subspace.rank)


def test_float32_columns_carry_their_precision():
    columns = conditioned(200, 10, 100.0)
    single, double = ss.Subspace.span(columns.astype(np.float32)), ss.Subspace.span(columns)
    assert single.rank.precision == np.finfo(np.float32).eps
    assert single.resolution / double.resolution == pytest.approx(2**29, rel=0.5)
    assert single.basis.dtype == np.float64
    assert departure(single) < 1e-14
    noisy = np.hstack([columns, columns[:, :1] * (1 + 1e-7 * gaussian(200, 1))]).astype(np.float32)
    assert ss.Subspace.span(noisy).dim == 10


@pytest.mark.parametrize("scale", [1e-310, 1e-318])
def test_subnormal_columns_carry_their_precision(scale):
    subspace = ss.Subspace.span(gaussian(60, 5) * scale)
    assert subspace.dim == 5
    assert departure(subspace) < 1e-14
    assert subspace.rank.precision == pytest.approx(5e-324 / scale, rel=1)
    assert outside(subspace, gaussian(60, 5)) < 10 * subspace.rank.precision


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.int64, np.float16, np.longdouble, ">f8"])
def test_every_real_dtype_becomes_float64(dtype):
    columns = (gaussian(40, 3) * 9).astype(dtype)
    subspace = ss.Subspace.span(columns)
    assert subspace.basis.dtype == np.float64
    assert outside(subspace, columns.astype(float)) < 1e-13
    assert subspace.rank.precision == (EPS if np.dtype(dtype) != np.float16 else np.finfo(np.float16).eps)


def test_rows_of_very_different_size_keep_their_relative_accuracy():
    columns = gaussian(40, 3) * np.geomspace(1e-12, 1, 40)[:, None]
    exact, rows = ss.Subspace.span(columns).basis, columns @ np.linalg.inv(np.linalg.qr(columns)[1])
    ratio = np.linalg.solve(columns[:3], exact[:3])
    np.testing.assert_allclose(exact, columns @ ratio, rtol=1e-6)
    np.testing.assert_allclose(np.abs(exact @ exact.T), np.abs(rows @ rows.T), rtol=1e-9)


@pytest.mark.parametrize("form", ["dense", "csr", "csc", "coo", "array"])
def test_null_space_is_annihilated_and_orthonormal(form):
    matrix = sp.random(30, 100, 0.2, random_state=np.random.default_rng(5)).tocsr()
    given = {"dense": matrix.toarray(), "array": sp.coo_array(matrix)}.get(form)
    subspace = ss.Subspace.null(getattr(matrix, f"to{form}")() if given is None else given)
    assert (subspace.size, subspace.dim) == (100, 100 - np.linalg.matrix_rank(matrix.toarray()))
    assert departure(subspace) < 1e-14
    assert np.abs(matrix @ subspace.basis).max() < 1e-14


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_null_space_ignores_the_scale_and_repetition_of_equations(scale):
    matrix = gaussian(6, 20)
    scaled = np.vstack([matrix * scale, matrix[2:4], np.zeros((2, 20)), matrix[:2] + matrix[3:5]])
    subspace = ss.Subspace.null(scaled)
    assert subspace.dim == 14
    assert subspace.rank.given == 12
    assert np.abs(matrix @ subspace.basis).max() < 1e-13


def test_null_space_of_nearly_dependent_equations():
    matrix = conditioned(30, 8, 1e10).T
    subspace = ss.Subspace.null(matrix)
    assert subspace.dim == 22
    assert departure(subspace) < 1e-14
    assert np.abs(matrix @ subspace.basis).max() < 1e-15 * np.linalg.norm(matrix)


def test_no_equation_leaves_the_whole_space():
    subspace = ss.Subspace.null(np.zeros((3, 4)))
    np.testing.assert_array_equal(subspace.basis, np.eye(4))


def test_rows_span_what_the_transpose_spans():
    data = gaussian(4, 30)
    np.testing.assert_array_equal(ss.Subspace.rows(data).basis, ss.Subspace.span(data.T).basis)


@pytest.mark.parametrize("scale", [1e-290, 1.0, 1e300])
def test_low_rank_is_the_leading_left_singular_space(scale):
    left = np.linalg.qr(gaussian(60, 12))[0]
    data = left * np.geomspace(1, 1e-2, 12) @ np.linalg.qr(gaussian(12, 12, 1))[0] * scale
    subspace = ss.Subspace.low_rank(data, 4)
    assert subspace.dim == 4
    assert departure(subspace) < 1e-14
    assert outside(subspace, left[:, :4]) < 1e-12
    assert subspace.rank.condition == pytest.approx(1e-2 ** (-3 / 11), rel=1e-6)


def test_low_rank_knows_the_precision_of_its_data():
    data = gaussian(50, 8).astype(np.float32)
    assert ss.Subspace.low_rank(data, 3).rank.precision == np.finfo(np.float32).eps
    assert ss.Subspace.low_rank(data.astype(float), 3).rank.precision == EPS


def test_robust_low_rank_ignores_gross_errors():
    clean = gaussian(80, 3) @ gaussian(3, 60, 1)
    spoilt = clean.copy()
    spoilt[np.random.default_rng(2).random(clean.shape) < 0.04] += 30
    assert outside(ss.Subspace.low_rank(spoilt, 3, robust=True), clean) < 1e-3
    assert outside(ss.Subspace.low_rank(spoilt, 3), clean) > 0.1


def test_row_norms_and_null_rows():
    columns = np.vstack([np.zeros((2, 4)), gaussian(20, 4), 1e-13 * gaussian(1, 4)])
    subspace = ss.Subspace.span(columns)
    np.testing.assert_allclose(subspace.row_norms, np.linalg.norm(subspace.basis, axis=1))
    np.testing.assert_array_equal(np.flatnonzero(subspace.null_rows), [0, 1])  # a tiny row is not zero
    np.testing.assert_allclose((subspace.inverse_norms * subspace.row_norms)[2:], 1)
    np.testing.assert_array_equal(subspace.inverse_norms[[0, 1]], 0)


def test_norms_of_rows_whose_squares_underflow():
    subspace = ss.Subspace.span(np.vstack([np.eye(2), [[3e-200, 4e-200]], [[1e-307, 0]]]))
    np.testing.assert_allclose(subspace.row_norms, [1, 1, 5e-200, 1e-307], rtol=1e-12)
    np.testing.assert_array_equal(subspace.null_rows, [False, False, True, True])
    assert np.isfinite(subspace.inverse_norms).all()


def test_rows_of_a_decomposition_are_zero_up_to_its_rounding():
    matrix = np.vstack([[1.0, 0, 0, 0, 0, 0], gaussian(2, 6)])
    subspace = ss.Subspace.null(matrix @ np.diag([1, 1, 1, 1, 1, 1.0]))
    np.testing.assert_array_equal(np.flatnonzero(subspace.null_rows), [0])
    rest = ss.Subspace.span(np.eye(6)[:, :3] + 0.0).restrict(np.eye(3)[:, 1:])
    np.testing.assert_array_equal(np.flatnonzero(rest.null_rows), [0, 3, 4, 5])


def test_passes_are_what_they_say():
    subspace = ss.Subspace.span(gaussian(50, 4))
    basis, points, values = subspace.basis, gaussian(4, 3, 1), gaussian(50, 3, 2)
    np.testing.assert_allclose(subspace.vectors(points), basis @ points)
    np.testing.assert_allclose(subspace.adjoint(values), basis.T @ values)
    np.testing.assert_allclose(subspace.weighted_gram(values[:, 0]), basis.T @ np.diag(values[:, 0]) @ basis)
    np.testing.assert_allclose(subspace.reduce(np.tanh, points), basis.T @ np.tanh(basis @ points))
    np.testing.assert_allclose(subspace.reduce(np.tanh, points[:, 0]), basis.T @ np.tanh(basis @ points[:, 0]))
    np.testing.assert_array_equal(subspace.take(np.array([3, 1])), basis[[3, 1]])
    sums = subspace.shrink(points, 0.1)
    np.testing.assert_allclose(sums.mass, np.maximum(np.abs(basis @ points) - 0.1, 0).sum(axis=0))


def test_single_precision_rows_stand_for_the_same_subspace():
    subspace = ss.Subspace.span(gaussian(50, 4))
    assert subspace.single.dtype == np.float32
    assert subspace.dtype == np.float64
    assert subspace.single.rank is subspace.rank
    np.testing.assert_allclose(subspace.single.basis, subspace.basis, atol=1e-7)


def test_the_basis_is_read_only_and_the_columns_stay_untouched():
    columns = np.asfortranarray(gaussian(30, 4))
    before = columns.copy()
    basis = ss.Subspace.span(columns).basis
    np.testing.assert_array_equal(columns, before)
    assert columns.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        basis[0, 0] = 1.0


def test_a_subspace_is_taken_as_it_is():
    subspace = ss.Subspace.span(gaussian(30, 4))
    assert ss.Subspace.of(subspace) is subspace
    assert ss.Subspace.of(gaussian(30, 4)).dim == 4
    assert repr(subspace).startswith("Subspace(size=30, dim=4; rank 4 of 4 (singular values")


@pytest.mark.parametrize("make", [orthonormal, complement])
def test_the_basis_is_contiguous(make):
    assert make(gaussian(20, 4), "columns")[0].flags.c_contiguous


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: ss.Subspace.span(np.ones((5, 20))),
            r"`columns` must have .*got shape \(5, 20\).*`columns.T`",
        ),
        (lambda: ss.Subspace.span(np.zeros((5, 2))), "`columns` must span something; got only zeros, 10 of them"),
        (lambda: ss.Subspace.rows(np.zeros((2, 5))), "`data` must span something; got only zeros, 10 of them"),
        (
            lambda: ss.Subspace.rows(np.ones((20, 5))),
            r"`data` must have .*got shape \(20, 5\).*`Subspace.span",
        ),
        (
            lambda: ss.Subspace.null(np.eye(5)),
            r"`matrix` must have a null .*\(5, 5\) of full column rank 5",
        ),
        (lambda: ss.Subspace.null(np.ones(5)), "`matrix` must be two-dimensional"),
        (
            lambda: ss.Subspace.null(sp.csr_array((10**6, 10**6))),
            r"`matrix` must fit into 4 GiB .*1000000",
        ),
        (lambda: ss.Subspace.low_rank(np.ones((5, 4)), 0), "`rank` must be an integer of at least 1; got 0"),
        (lambda: ss.Subspace.low_rank(np.ones((5, 4)), 1.5), "`rank` must be an integer of at least 1; got 1.5"),
        (lambda: ss.Subspace.low_rank(np.ones((5, 4)), 5), r"`rank` must lie between 1 and 4 .*\(5, 4\); got 5"),
        (lambda: ss.Subspace.low_rank(np.ones((5, 4)), 2), "`rank` must be at most the rank of the data, 1; got 2"),
        (lambda: ss.Subspace.low_rank(np.zeros((5, 4)), 1), "`rank` must be at most the rank of the data, 0; got 1"),
        (lambda: ss.Subspace.low_rank(np.ones((5, 4)), 3, robust=True), "robust low-rank part, 1; got 3"),
    ],
)
def test_what_spans_no_subspace_is_refused(make, message):
    with pytest.raises(ss.InvalidInput, match=message):
        make()


@pytest.mark.parametrize("dim", [1, 2, 3, 4, 12])
def test_the_top_of_the_tail_spectrum_is_that_of_the_whole(dim):
    subspace = ss.Subspace.span(gaussian(60, dim, 4))
    whole, vectors = subspace.tail_spectrum
    values, top, spread = subspace.tail_top
    count = min(3, dim)
    np.testing.assert_allclose(values, whole[-count:], atol=1e-12)
    np.testing.assert_allclose(np.abs(np.einsum("ij,ij->j", top, vectors[:, -count:])), 1, atol=1e-9)
    assert spread == pytest.approx(whole[:-count].std() if dim > count else 0, abs=1e-8)
