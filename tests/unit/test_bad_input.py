"""Every odd input has a defined answer or a clear error, by whichever entrance it comes."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import sparsespan as ss

HIDDEN = ss.models.planted(60, 5, 12, "gaussian", seed=1)
P = HIDDEN.columns
NOISE = np.random.default_rng(0).standard_normal((6, 6))


def spoilt(value):
    columns = P.copy()
    columns[3, 1] = columns[7, 2] = value
    return columns


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


class Frame:
    """A table of columns that NumPy can convert, as data frames are."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype, copy=copy)


class Stubborn:
    def __array__(self, dtype=None, copy=None):
        msg = "not today"
        raise TypeError(msg)


REFUSED = {
    "NaN": (spoilt(np.nan), r"`columns` must be finite; got 2 NaN .*, the first nan at \(3, 1\). Drop or impute"),
    "infinity": (spoilt(-np.inf), r"`columns` must be finite; got 2 NaN .*, the first -inf at \(3, 1\)"),
    "nothing": ([], r"`columns` must be two-dimensional; got shape \(0,\)"),
    "no rows": (np.zeros((0, 3)), r"`columns` must not be empty; got shape \(0, 3\)"),
    "no columns": (np.zeros((3, 0)), r"`columns` must not be empty; got shape \(3, 0\)"),
    "number": (3.0, r"`columns` must be two-dimensional; got shape \(\)"),
    "1-D": (P[:, 0], r"`columns` must be two-dimensional; got shape \(60,\). .* pass `columns\[:, None\]`"),
    "3-D": (P[None], r"`columns` must be two-dimensional; got shape \(1, 60, 5\)"),
    "complex": (P + 0j, r"`columns` must be real; got dtype complex128. Stack the real and imaginary parts"),
    "strings": (P.astype(str), r"`columns` must hold real numbers; got dtype <U.*`.astype\(float\)`"),
    "text": ("columns.npy", r"`columns` must hold real numbers; got dtype <U11"),
    "objects": (P.astype(object), r"`columns` must hold real numbers; got dtype object"),
    "none": (None, r"`columns` must hold real numbers; got dtype object"),
    "dates": (np.array([["2020-01-01"]], "M8[D]"), r"`columns` must hold real numbers; got dtype datetime64\[D\]"),
    "records": (np.zeros((4, 2), [("a", float)]), r"`columns` must hold real numbers; got dtype \[\('a'"),
    "ragged": ([[1, 2], [3]], r"`columns` must be a rectangular array of real numbers; got list"),
    "unwilling": (Stubborn(), r"`columns` must be a rectangular array .*; got Stubborn \(not today\)"),
    "masked": (np.ma.masked_less(P, 0), r"`columns` must have no masked entries; got a masked array. Fill or drop"),
    "wide": (P.T, r"`columns` must have at least as many rows as columns; got shape \(5, 60\). .*`columns.T`"),
    "rank 0": (np.zeros((5, 2)), r"`columns` must span something; got only zeros, 10 of them"),
    "beyond float64": (
        P.astype(np.longdouble) * np.longdouble("1e4000"),
        r"`columns` must fit into float64; got dtype float128 with values beyond 1.8e308",
    ),
    "complex sparse": (sp.csr_array(P * 1j), r"`columns` must be real"),
}

# What hides the planted vector: in whatever form the columns come, it is found.
ACCEPTED = {
    "list": P.tolist(),
    "tuple": tuple(map(tuple, P)),
    "Fortran order": np.asfortranarray(P),
    "strided": np.repeat(np.repeat(P, 2, axis=0), 3, axis=1)[::2, ::3],
    "backwards": P[:, ::-1],
    "read-only": read_only(P),
    "float32": P.astype(np.float32),
    "float16": P.astype(np.float16),
    "long double": P.astype(np.longdouble),
    "big-endian": P.astype(">f8"),
    "matrix": sp.csr_matrix(P).todense(),
    "csr": sp.csr_array(P),
    "coo": sp.coo_matrix(P),
    "frame": Frame(P),
    "duplicate columns": np.hstack([P, P[:, :2], -P[:, 1:2]]),
    "zero columns": np.hstack([np.zeros((60, 2)), P]),
    "zero rows": np.vstack([P, np.zeros((7, 5))]),
    "1e300": P * 1e300,
    "1e307": P * 1e307,
    "1e-300": P * 1e-300,
    "subnormal": P * 1e-310,
    "every scale": P * 10.0 ** np.array([-300, -150, 0, 150, 300]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_matrix_of_columns_is_refused(name):
    value, message = REFUSED[name]
    with pytest.raises(ss.InvalidInput, match=message):
        ss.sparsest(value)
    with pytest.raises(ValueError, match=message):  # it is one, too
        ss.Subspace.of(value)


@pytest.mark.parametrize("name", ["NaN", "no rows", "1-D", "complex", "strings", "objects", "ragged", "masked"])
@pytest.mark.parametrize(
    ("build", "word"),
    [(ss.Subspace.rows, "data"), (ss.Subspace.null, "matrix"), (lambda data: ss.Subspace.low_rank(data, 2), "data")],
)
def test_the_other_entrances_refuse_it_in_their_own_words(name, build, word):
    value, message = REFUSED[name]
    with pytest.raises(ss.InvalidInput, match=message.replace("columns", word)):
        build(value)


@pytest.mark.parametrize("name", ACCEPTED)
def test_columns_come_in_many_forms(name):
    found = ss.sparsest(ACCEPTED[name])
    assert found.certified
    error = {"float32": 1e-5, "float16": 0.1, "subnormal": 1e-10}.get(name, 1e-13)
    assert min(np.linalg.norm(found.vector[:60] - s * HIDDEN.truth) for s in (1, -1)) < error
    np.testing.assert_array_equal(found.support, np.flatnonzero(HIDDEN.truth))


def test_columns_of_another_array_library():
    xp = pytest.importorskip("array_api_strict")
    found = ss.sparsest(xp.asarray(P))
    np.testing.assert_array_equal(found.support, np.flatnonzero(HIDDEN.truth))
    with pytest.raises(ss.InvalidInput, match=r"`columns` must be real"):
        ss.sparsest(xp.asarray(P + 0j))


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int32, np.uint64])
def test_integers_and_bools_are_exact(dtype):
    columns = np.zeros((40, 3), dtype)
    columns[::2, 0] = columns[::3, 1] = columns[5:9, 2] = 1
    columns[:, 1] += columns[:, 2]
    found = ss.sparsest(columns)
    np.testing.assert_array_equal(found.support, [5, 6, 7, 8])
    assert found.certified
    assert found.certificate.resolution < 1e-12


@pytest.mark.parametrize("order", ["C", "F"])
def test_the_array_given_is_left_as_it_was(order):
    columns = np.array(P, order=order)
    kept = columns.copy()
    ss.sparsest(columns)
    np.testing.assert_array_equal(columns, kept)
    assert columns.flags.writeable


@pytest.mark.parametrize(
    ("columns", "nonzeros"),
    [
        (P[:, :1], 60),  # n = 1: the column itself
        (np.array([[0], [0], [-2]]), 1),
        (np.array([[5e-324], [0.0]]), 1),
        (NOISE, 1),  # n = p: a coordinate vector
        (np.eye(5), 1),
        (np.eye(1), 1),
        (np.ones((4, 4)), 4),  # rank 1
        (np.vstack([NOISE[:3, :3], np.zeros((9, 3))]), 1),  # zero rows: n = p among the others
    ],
)
def test_where_the_dimension_leaves_no_choice(columns, nonzeros):
    found = ss.sparsest(columns)
    assert found.status is ss.Status.FORCED
    assert found.support.size == nonzeros
    assert found.vector[np.abs(found.vector).argmax()] > 0
    assert np.linalg.norm(found.vector) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("method", ["auto", "adm", "paper"])
@pytest.mark.parametrize("columns", [P[:, :1], NOISE, np.eye(3), P[:, :2], NOISE[:, :5], np.ones((9, 3))])
def test_small_shapes_by_every_method_of_the_core(method, columns):
    found = ss.sparsest(columns, method)
    assert found.vector.shape == (len(columns),)
    assert found.l1 == pytest.approx(np.abs(found.vector).sum())
    assert found.support.size <= len(columns) - found.certificate.dim + 1


def test_a_sparse_matrix_too_large_to_be_dense():
    with pytest.raises(MemoryError):
        ss.Subspace.span(sp.csr_array((10**8, 10**7)))
