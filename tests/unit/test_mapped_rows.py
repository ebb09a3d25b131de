from __future__ import annotations

import pickle

import numpy as np
import pytest

import sparsespan as ss

COLUMNS = np.random.default_rng(0).standard_normal((997, 6))


@pytest.fixture
def saved(tmp_path):
    def save(array, name="columns.npy"):
        path = tmp_path / name
        np.save(path, array, allow_pickle=True)
        return path

    return save


def whole(subspace):
    return subspace.vectors(np.eye(subspace.dim))


@pytest.mark.parametrize("height", [1, 7, 996, 997, 10**6, None])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_mapped_file_spans_what_its_columns_span(saved, height, order):
    mapped = ss.Subspace.open(saved(np.array(COLUMNS, order=order)), block_rows=height)
    dense = ss.Subspace.span(COLUMNS)
    basis = whole(mapped)
    np.testing.assert_allclose(basis.T @ basis, np.eye(6), atol=1e-14)
    np.testing.assert_allclose(basis @ basis.T, dense.basis @ dense.basis.T, atol=1e-14)
    assert (mapped.size, mapped.dim, mapped.in_memory) == (997, 6, False)
    assert mapped.rank.rank == mapped.rank.given == 6


@pytest.mark.parametrize("height", [1, 100, None])
def test_passes_over_a_mapped_file_equal_those_in_memory(saved, height):
    mapped = ss.Subspace.open(saved(COLUMNS), block_rows=height)
    basis, rng = whole(mapped), np.random.default_rng(1)
    points, values = rng.standard_normal((6, 3)), rng.standard_normal((997, 3))
    np.testing.assert_allclose(mapped.reduce(np.tanh, points), basis.T @ np.tanh(basis @ points), atol=1e-13)
    np.testing.assert_allclose(mapped.adjoint(values), basis.T @ values, atol=1e-13)
    np.testing.assert_allclose(mapped.adjoint(values[:, 0]), basis.T @ values[:, 0], atol=1e-13)
    np.testing.assert_allclose(
        mapped.weighted_gram(values[:, 0]), basis.T @ (values[:, :1] * basis), rtol=1e-11, atol=1e-13
    )
    np.testing.assert_allclose(mapped.take(np.array([5, 900])), basis[[5, 900]], atol=1e-16)
    np.testing.assert_allclose(mapped.row_norms, np.linalg.norm(basis, axis=1))
    sums, shrunk = mapped.shrink(points, 0.02), basis @ points
    shrunk = np.sign(shrunk) * np.maximum(np.abs(shrunk) - 0.02, 0)
    np.testing.assert_allclose(sums.adjoint, basis.T @ shrunk, atol=1e-13)
    np.testing.assert_allclose(sums.mass, np.abs(shrunk).sum(axis=0))
    np.testing.assert_array_equal(sums.active, np.count_nonzero(shrunk, axis=0))


@pytest.mark.parametrize("dtype", [bool, np.int8, np.int64, np.float16, np.float32, np.longdouble, ">f8"])
def test_files_of_every_real_dtype(saved, dtype):
    columns = (COLUMNS * 9).astype(dtype)
    columns[0, 0] = np.iinfo(dtype).min if np.dtype(dtype).kind == "i" else columns[0, 0]
    basis, dense = whole(ss.Subspace.open(saved(columns), block_rows=100)), ss.Subspace.span(columns)
    np.testing.assert_allclose(basis @ basis.T, dense.basis @ dense.basis.T, atol=1e-13)
    assert ss.Subspace.open(saved(columns)).resolution == pytest.approx(dense.resolution, rel=0.5)


@pytest.mark.parametrize("spread", [1.0, 1e100, 1e290])
def test_mapped_columns_may_be_dependent_and_of_any_scale(saved, spread):
    scaled = np.hstack([COLUMNS, COLUMNS[:, :2], np.zeros((997, 1))]) * spread ** np.linspace(-1, 1, 9)
    mapped = ss.Subspace.open(saved(scaled))
    basis, dense = whole(mapped), ss.Subspace.span(COLUMNS)
    assert (mapped.dim, mapped.rank.given) == (6, 9)
    np.testing.assert_allclose(basis @ basis.T, dense.basis @ dense.basis.T, atol=1e-13)


def test_the_search_in_a_file_ends_where_that_in_memory_ends(saved):
    hidden = ss.models.planted(997, 8, 60, "gaussian", seed=3)
    found = ss.sparsest(ss.Subspace.open(saved(hidden.columns), block_rows=50))
    assert found.certified
    assert hidden.error(found.vector) < 1e-12
    np.testing.assert_array_equal(found.support, np.flatnonzero(hidden.truth))


def test_what_needs_all_rows_says_so(saved):
    mapped = ss.Subspace.open(saved(COLUMNS))
    with pytest.raises(ss.InvalidInput, match=r"rounding by a linear program must have all rows .*basis of 997 x 6"):
        ss.round_to_vertex(mapped, np.ones(6))
    with pytest.raises(ss.InvalidInput, match=r"`Subspace.basis` must have all rows in memory; .*numpy.load"):
        mapped.basis  # noqa: B018 - the property is what is tested


def test_a_worker_maps_the_file_anew(saved):
    mapped = ss.Subspace.open(saved(COLUMNS), block_rows=13)
    pickled = pickle.dumps(mapped)
    assert len(pickled) < 5000
    np.testing.assert_array_equal(whole(pickle.loads(pickled)), whole(mapped))


def spoilt(row, value):
    columns = COLUMNS.copy()
    columns[row, 2] = value
    return columns


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.float64(3), r"`path` must be two-dimensional; got shape \(\)"),
        (np.ones(4), r"`path` must be two-dimensional; got shape \(4,\)"),
        (np.ones((3, 0)), r"`path` must not be empty; got shape \(3, 0\)"),
        (COLUMNS.T, r"array in `path` must have at least as many rows as columns; got shape \(6, 997\)"),
        (spoilt(500, np.nan), r"`path` must be finite; got 1 NaN .*, the first nan at \(500, 2\)"),
        (spoilt(0, -np.inf), r"`path` must be finite; got 1 NaN .*, the first -inf at \(0, 2\)"),
        (np.zeros((5, 2)), "array in `path` must span something; got 2 zero columns"),
        (COLUMNS * 1e-310, r"column in `path` must .* above 1e-300 .*; got one whose largest is .*e-310"),
        (COLUMNS.astype(np.longdouble) * np.longdouble("1e4000"), "`path` must fit into float64; got dtype float128"),
        (COLUMNS + 0j, "`path` must be real; got dtype complex128"),
        (np.array([["a"], ["b"]]), "`path` must hold real numbers; got dtype <U1"),
        (np.array([[object()]]), r"`path` must name a readable .npy file .*Python objects in dtype"),
        (
            np.hstack([COLUMNS, COLUMNS[:, :1] + 1e-9 * COLUMNS[::-1, :1]]),
            r"`path` .* condition below 1e\+08",
        ),
    ],
)
def test_files_that_are_no_columns_are_refused(saved, array, message):
    with pytest.raises(ss.InvalidInput, match=message):
        ss.Subspace.open(saved(array), block_rows=100)


@pytest.mark.parametrize("length", [0, 5, 64, 128, 5000])
def test_truncated_files_are_refused(saved, length):
    path = saved(COLUMNS)
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(ss.InvalidInput, match=r"`path` must name a readable .npy file of numbers"):
        ss.Subspace.open(path)


def test_paths_that_are_no_npy_file_are_refused(tmp_path):
    np.savez(tmp_path / "archive.npz", a=COLUMNS)
    for name in ("archive.npz", "absent.npy", "."):
        with pytest.raises(ss.InvalidInput, match=r"`path` must name a readable .npy file .*Write it with"):
            ss.Subspace.open(tmp_path / name)


@pytest.mark.parametrize("height", [0, -1, 1.5, "all", True])
def test_block_rows_is_a_count(saved, height):
    with pytest.raises(ss.InvalidInput, match=r"`block_rows` must be an integer of at least 1; got .* Use None"):
        ss.Subspace.open(saved(COLUMNS), block_rows=height)
