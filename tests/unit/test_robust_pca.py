from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from sparsespan.errors import InvalidInput
from sparsespan.subspace import shrinkage
from sparsespan.subspace.robust import robust_pca
from sparsespan.subspace.shrinkage import Shrinker

DATA = Path(os.environ.get("SPARSESPAN_DATA", Path(__file__).parents[3] / "shared" / "data"))


def spoilt(rows, columns, rank, share, seed=0):
    rng = np.random.default_rng(seed)
    low = rng.standard_normal((rows, rank)) @ rng.standard_normal((rank, columns))
    sparse = np.where(rng.random((rows, columns)) < share, 10 * rng.standard_normal((rows, columns)), 0.0)
    return low, sparse


def distance(a, b):
    return np.linalg.norm(a - b) / max(np.linalg.norm(b), 1e-300)


@pytest.mark.parametrize(("rows", "columns", "rank"), [(120, 80, 4), (80, 120, 4), (400, 30, 2), (90, 90, 6)])
def test_splits_what_was_added(rows, columns, rank):
    low, sparse = spoilt(rows, columns, rank, 0.05)
    split = robust_pca(low + sparse, growth=1.1)
    assert split.converged
    assert split.residual < 1e-7
    assert split.rank == rank
    assert distance(split.low_rank, low) < 1e-5
    assert distance(split.sparse, sparse) < 1e-5
    assert split.weight == 1 / np.sqrt(max(rows, columns))


def test_reported_residual_and_factors_are_those_of_the_parts():
    low, sparse = spoilt(100, 40, 3, 0.1)
    data = low + sparse
    split = robust_pca(data, max_iter=12)
    left_over = np.linalg.norm(data - split.low_rank - split.sparse) / np.linalg.norm(data)
    assert split.residual == pytest.approx(left_over, rel=1e-9)
    identity = np.eye(split.rank)
    np.testing.assert_allclose(split.U.T @ split.U, identity, atol=1e-13)
    np.testing.assert_allclose(split.Vt @ split.Vt.T, identity, atol=1e-13)
    assert (np.diff(split.s) <= 0).all()
    assert (split.s > 0).all()
    assert (split.U[np.abs(split.U).argmax(axis=0), np.arange(split.rank)] > 0).all()


def test_result_arrays_are_read_only():
    split = robust_pca(np.eye(5))
    for array in (split.U, split.s, split.Vt, split.sparse):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def plain(data, weight, steps):
    """The same minimisation with a fixed penalty: slow, and convergent to the minimiser."""
    penalty = data.size / (4 * np.abs(data).sum())
    low = multiplier = np.zeros_like(data)
    for _ in range(steps):
        total = data - low + multiplier / penalty
        sparse = np.sign(total) * np.maximum(np.abs(total) - weight / penalty, 0)
        u, s, vt = np.linalg.svd(data - sparse + multiplier / penalty, full_matrices=False)
        low = (u * np.maximum(s - 1 / penalty, 0)) @ vt
        multiplier = multiplier + penalty * (data - low - sparse)
    return low, data - low


def objective(low, sparse, weight):
    return np.linalg.svd(low, compute_uv=False).sum() + weight * np.abs(sparse).sum()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("growth", "excess"), [(1.5, 0.05), (1.02, 1e-5)])
def test_objective_is_near_the_least(seed, growth, excess):
    data = np.random.default_rng(seed).standard_normal((24, 15))
    least = objective(*plain(data, 0.25, 3000), 0.25)
    split = robust_pca(data, weight=0.25, growth=growth)
    got = objective(split.low_rank, split.sparse, 0.25)
    assert least * (1 - 1e-6) <= got <= least * (1 + excess)


def test_extreme_weights_put_all_into_one_part():
    data = np.random.default_rng(1).standard_normal((30, 12))
    all_sparse = robust_pca(data, weight=1e-3)  # weight·sign(data) has spectral norm below 1: S = data is optimal
    assert all_sparse.rank == 0
    assert all_sparse.U.shape == (30, 0)
    np.testing.assert_allclose(all_sparse.sparse, data, rtol=1e-6, atol=1e-6)
    all_low = robust_pca(data, weight=10.0)
    assert not all_low.sparse.any()
    np.testing.assert_allclose(all_low.low_rank, data, atol=1e-5)


@pytest.mark.parametrize(("columns", "rank"), [(300, 3), (300, 60)])
def test_iterated_directions_agree_with_the_complete_way(columns, rank, monkeypatch):
    low, sparse = spoilt(420, columns, rank, 0.02)
    quick = robust_pca(low + sparse, seed=3)
    monkeypatch.setattr(shrinkage, "_LEAST_COLUMNS", 10**9)
    complete = robust_pca(low + sparse)
    assert quick.rank == complete.rank == rank
    assert distance(quick.low_rank, complete.low_rank) < 1e-6


@pytest.mark.parametrize("tol", [1e-7, 1e-13])
def test_shrinker_finds_every_value_above_the_threshold(tol):
    rng = np.random.default_rng(5)
    u = np.linalg.qr(rng.standard_normal((60, 12)))[0]
    v = np.linalg.qr(rng.standard_normal((12, 12)))[0]
    values = 10.0 ** -np.arange(12)
    found = Shrinker(12, tol, 0)((u * values) @ v.T, 3e-7)
    np.testing.assert_allclose(found.values, values[:7], rtol=0, atol=tol)
    np.testing.assert_allclose(np.abs(np.sum(found.vectors * v[:, :7], axis=0)), 1, atol=1e-6)


def test_stopping_early_is_said():
    low, sparse = spoilt(60, 40, 3, 0.1)
    split = robust_pca(low + sparse, max_iter=3)
    assert not split.converged
    assert split.iterations == 3
    assert split.residual > 1e-7
    assert "not converged" in split.status
    assert "raise `max_iter` or `tol`" in split.status


def test_progress_hears_every_step():
    heard = []
    split = robust_pca(np.eye(6) + 1, progress=lambda step, residual: heard.append((step, residual)))
    assert [step for step, _ in heard] == list(range(1, split.iterations + 1))
    assert heard[-1][1] == split.residual


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([[1.0, np.nan], [0.0, 1.0]], r"`data` must be finite; got 1 NaN or infinite"),
        ([[1.0, np.inf], [-np.inf, 1.0]], r"`data` must be finite; got 2 NaN or infinite"),
        (np.zeros((0, 4)), r"`data` must not be empty; got shape \(0, 4\)"),
        (np.zeros((4, 0)), r"`data` must not be empty; got shape \(4, 0\)"),
        (np.arange(5.0), r"`data` must be two-dimensional; got shape \(5,\)"),
        (np.zeros((2, 2, 2)), r"`data` must be two-dimensional; got shape \(2, 2, 2\)"),
        (3.0, r"`data` must be two-dimensional; got shape \(\)"),
        (np.eye(2) + 1j, r"`data` must be real; got dtype complex128"),
        ([["a", "b"]], r"`data` must hold real numbers; got dtype <U1"),
        (np.array([[None, 1]]), r"`data` must hold real numbers; got dtype object"),
        ([[1.0, 2.0], [3.0]], r"`data` must be a rectangular array"),
        (np.ma.masked_equal(np.eye(2), 0), r"`data` must have no masked entries"),
    ],
)
def test_bad_data_is_refused(bad, message):
    with pytest.raises(InvalidInput, match=message):
        robust_pca(bad)


@pytest.mark.skipif(np.finfo(np.longdouble).max == np.finfo(float).max, reason="long double is double here")
def test_values_beyond_float64_are_refused():
    with pytest.raises(InvalidInput, match=r"`data` must fit into float64; got dtype"):
        robust_pca(np.full((2, 2), np.longdouble("1e400")))


def test_sparse_data_is_made_dense():
    sparse = pytest.importorskip("scipy.sparse")
    data = sparse.random_array((30, 20), density=0.3, rng=np.random.default_rng(0), format="csr")
    np.testing.assert_array_equal(robust_pca(data).sparse, robust_pca(data.toarray()).sparse)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weight": 0.0}, r"`weight` must be positive and finite; got 0.0"),
        ({"weight": -1}, r"`weight` must be positive and finite; got -1"),
        ({"weight": np.nan}, r"`weight` must be positive and finite; got nan"),
        ({"tol": 0}, r"`tol` must be positive and finite; got 0"),
        ({"max_iter": 0}, r"`max_iter` must be finite and at least 1; got 0"),
        ({"growth": 0.9}, r"`growth` must be finite and at least 1; got 0.9"),
        ({"growth": np.inf}, r"`growth` must be finite and at least 1; got inf"),
    ],
)
def test_bad_limits_are_refused(options, message):
    with pytest.raises(InvalidInput, match=message):
        robust_pca(np.eye(3), **options)


def test_zero_matrix_is_all_zero():
    split = robust_pca(np.zeros((4, 3)))
    assert (split.rank, split.iterations, split.residual, split.converged) == (0, 0, 0.0, True)
    assert split.low_rank.shape == (4, 3)
    assert not split.low_rank.any()
    assert not split.sparse.any()


def test_constant_matrix_has_rank_one():
    split = robust_pca(np.full((50, 20), 7.0))
    assert split.converged
    assert split.rank == 1
    np.testing.assert_allclose(split.low_rank + split.sparse, 7, rtol=1e-6)


@pytest.mark.parametrize("shape", [(9, 1), (1, 9), (1, 1)])
def test_single_column_row_or_entry(shape):
    data = np.arange(1.0, 1 + shape[0] * shape[1]).reshape(shape)
    split = robust_pca(data)
    assert split.converged
    np.testing.assert_allclose(split.low_rank + split.sparse, data, rtol=1e-6)


@pytest.mark.parametrize("kind", ["float32", "int16", "uint8", "bool", "fortran", "strided", "list", "read-only"])
def test_every_real_kind_gives_the_same_answer(kind):
    data = np.random.default_rng(2).integers(0, 2, (30, 20)).astype(float)
    wide = np.zeros((60, 40))
    wide[::2, ::2] = data
    frozen = data.copy()
    frozen.flags.writeable = False
    forms = {
        "fortran": np.asfortranarray(data),
        "strided": wide[::2, ::2],
        "list": data.tolist(),
        "read-only": frozen,
    }
    form = forms[kind] if kind in forms else data.astype(kind)
    split = robust_pca(form)
    expected = robust_pca(data)
    assert split.sparse.dtype == np.float64
    np.testing.assert_array_equal(split.sparse, expected.sparse)
    np.testing.assert_array_equal(split.low_rank, expected.low_rank)


def test_the_data_is_left_alone():
    data = np.random.default_rng(2).standard_normal((20, 10))
    before = data.copy()
    robust_pca(data)
    np.testing.assert_array_equal(data, before)


@pytest.mark.parametrize("exponent", [-1000, -300, 300, 1000])
def test_scale_of_the_data_does_not_matter(exponent):
    data = np.random.default_rng(2).standard_normal((20, 10))
    split, scaled = robust_pca(data), robust_pca(np.ldexp(data, exponent))
    assert scaled.iterations == split.iterations
    np.testing.assert_array_equal(scaled.s, np.ldexp(split.s, exponent))
    np.testing.assert_array_equal(scaled.sparse, np.ldexp(split.sparse, exponent))


def test_authors_face_basis_is_found():
    loadmat = pytest.importorskip("scipy.io").loadmat
    if not (DATA / "paper_faces" / "data.mat").exists():
        pytest.skip(f"the face data is not in {DATA}; set SPARSESPAN_DATA to the folder that holds it")
    basis = loadmat(DATA / "paper_faces" / "data.mat")["Y"]
    with np.load(DATA / "faces" / "yaleb_cropped_core.npz") as faces:
        lit = (faces["person"] == 1) & np.isfinite(faces["azimuth"])
        images = faces["images"][lit].astype(float) / 255
    columns = np.stack([image.ravel(order="F") for image in images], axis=1)
    assert columns.shape == (32256, 64)
    split = robust_pca(columns, weight=5e-3)
    assert split.converged
    assert split.rank == 25
    cosines = np.linalg.svd(split.U[:, :10].T @ basis, compute_uv=False)
    assert cosines.min() >= 0.99999


def test_subspace_of_the_low_rank_part():
    from sparsespan.subspace import Subspace

    low, sparse = spoilt(120, 80, 4, 0.05)
    left = np.linalg.svd(low, full_matrices=False)[0][:, :4]
    dense = Subspace.low_rank(low + sparse, 4, robust=True)._source.dense()
    np.testing.assert_allclose(np.linalg.svd(left.T @ dense, compute_uv=False), 1, atol=1e-8)
    with pytest.raises(InvalidInput, match=r"`rank` must be at most the rank of the robust low-rank part, 4; got 9"):
        Subspace.low_rank(low + sparse, 9, robust=True)
