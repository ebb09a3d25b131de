"""`null_space` on matrices that can be checked by hand, on every odd input, and through each of its options."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp

import sparsespan as ss
from sparsespan.nullspace import engine

PATHWAY = np.array([[1, -1, -1, 0, 0], [0, 1, 0, -1, 0], [0, 0, 1, 0, -1]])


def rng(seed=0):
    return np.random.default_rng(seed)


def vectors(N):
    return N.toarray().T.tolist()


def same_span(N, others):
    both = np.hstack([N, others])
    return np.linalg.matrix_rank(both) == N.shape[1] == others.shape[1] == np.linalg.matrix_rank(N)


DEFINED = {
    "no rows": (np.zeros((0, 3)), np.eye(3).tolist()),
    "no columns": (np.zeros((3, 0)), []),
    "nothing at all": (np.zeros((0, 0)), []),
    "sparse without rows": (sp.csr_array((0, 2)), np.eye(2).tolist()),
    "sparse without columns": (sp.csr_matrix((2, 0)), []),
    "zeros": (np.zeros((2, 3)), np.eye(3).tolist()),
    "full column rank": ([[1, 2], [3, 4], [5, 6]], []),
    "a column of zeros": ([[1, 0, 1]], [[0, 1, 0], [1, 0, -1]]),
    "a row of zeros": ([[0, 0], [1, 2]], [[2, -1]]),
    "equal columns": ([[1, 1], [2, 2]], [[1, -1]]),
    "proportional columns": ([[1, 1, 2], [2, 2, 4]], [[1, -1, 0], [2, 0, -1]]),
    "bool": (np.array([[True, True, False]]), [[0, 0, 1], [1, -1, 0]]),
    "decimals": ([[0.1, 0.25]], [[5, -2]]),
    "fractions": ([[1 / 3, 1 / 7]], [[-3, 7]]),
    "int8": (np.array([[100, 50]], dtype=np.int8), [[-1, 2]]),
    "huge floats": ([[1e308, -1e308]], [[1, 1]]),
    "a list of lists": (sp.lil_matrix([[1.0, -1.0]]), [[1, 1]]),
    "duplicate entries": (sp.coo_array(([1, 1, -2], ([0, 0, 0], [0, 0, 1])), shape=(1, 2)), [[1, 1]]),
    "entries stored as zero": (sp.csc_array(([0.0, 1.0], ([0, 0], [0, 1])), shape=(1, 2)), [[1, 0]]),
}


@pytest.mark.parametrize("name", DEFINED)
def test_odd_matrices_have_a_defined_answer(name):
    A, expected = DEFINED[name]
    N = ss.null_space(A)
    assert isinstance(N, sp.csc_array)
    assert N.shape == (np.shape(A)[1] if not sp.issparse(A) else A.shape[1], len(expected))
    assert vectors(N) == expected


REFUSED = {
    "nothing": ([], r"`A` must be two-dimensional; got shape \(0,\)"),
    "1-D": ([1, 2], r"`A` must be two-dimensional; got shape \(2,\). .* pass `A\[:, None\]`"),
    "3-D": (np.ones((1, 2, 2)), r"`A` must be two-dimensional; got shape \(1, 2, 2\)"),
    "sparse 1-D": (sp.coo_array([1.0, 0, 2]), r"`A` must be two-dimensional; got shape \(3,\)"),
    "NaN": ([[1, np.nan]], r"`A` must be finite; got 1 NaN .*, the first nan at \(0, 1\). Drop or impute"),
    "infinity": (sp.csr_array([[1, -np.inf]]), r"`A` must be finite; got 1 NaN .*, the first -inf at \(0, 1\)"),
    "long double": (np.array([[np.longdouble("1e4000"), 1]]), r"`A` must be finite; got 1 NaN or infinite"),
    "complex": (np.ones((1, 2)) * 1j, r"`A` must be real; got dtype complex128"),
    "sparse complex": (sp.csr_array([[1j, 2]]), r"`A` must hold real numbers; got dtype complex128"),
    "text": ([["a", "b"]], r"`A` must hold real numbers; got dtype <U1"),
    "none": (None, r"`A` must hold real numbers; got dtype object"),
    "objects": (np.array([[1, 2]], dtype=object), r"`A` must hold real numbers; got dtype object"),
    "ragged": ([[1, 2], [3]], r"`A` must be a rectangular array of real numbers; got list"),
    "masked": (np.ma.array([[1, 2]], mask=[[0, 1]]), r"`A` must have no masked entries"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_matrix_is_refused(name):
    A, message = REFUSED[name]
    with pytest.raises(ss.InvalidInput, match=message):
        ss.null_space(A)
    if name not in ("nothing", "1-D", "3-D", "sparse 1-D"):
        with pytest.raises(ss.InvalidInput, match=message.replace("`A`", "`B`")):
            ss.sparsify(A)


OPTIONS = {
    "effort": ({"effort": "utmost"}, r"`effort` must be one of 'fast', 'default', 'max'; got 'utmost'"),
    "tol": ({"tol": 2}, r"`tol` must lie between 0 and 1, both excluded; got 2"),
    "seed": ({"seed": -1}, r"`seed` must be a non-negative integer or None; got -1"),
    "deadline": ({"deadline": 0}, r"`deadline` must be a positive number; got 0"),
    "integer": ({"integer": "yes"}, r"`integer` must be 'auto', True or False; got 'yes'"),
    "length of signs": (
        {"signs": [1]},
        r"`signs` must have one entry for each of the 3 columns of `A`; got shape \(1,\)",
    ),
    "values of signs": (
        {"signs": [2, 0, 0]},
        r"`signs` must hold 1 \(not negative\), -1 \(not positive\) or 0 .*; got 2",
    ),
    "NaN in signs": ({"signs": [np.nan, 0, 0]}, r"`signs` must hold 1 .*; got nan"),
    "a mask as signs": ({"signs": [True, False, True]}, r"`signs` must hold 1 .*; got bool. For a mask .* `np.where"),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options_out_of_range_are_refused(name):
    options, message = OPTIONS[name]
    with pytest.raises(ss.InvalidInput, match=message):
        ss.null_space([[1, 2, 3]], **options)


def test_integers_may_be_asked_for_or_declined():
    N, report = ss.null_space([[2, 4, 6]], integer=True, report=True)
    assert vectors(N) == [[2, -1, 0], [3, 0, -1]]
    assert report.proved
    N, report = ss.null_space([[2, 4, 6]], integer=False, report=True)
    np.testing.assert_allclose(np.linalg.norm(N.toarray(), axis=0), 1)
    assert not report.exact.any()
    with pytest.raises(ss.InvalidInput, match=r"`integer=True` needs integers, .* got .*3.14159.* among them"):
        ss.null_space([[1, np.pi]], integer=True)
    with pytest.raises(ss.RoundingFailed, match=r"`integer=True` must find integers below 2\*\*53 .* 2 nonzeros"):
        ss.null_space([[3, 2**60]], integer=True)


def test_integers_beyond_64_bits_are_computed_with_exactly():
    x = ss.null_space(np.array([[2**62, 2**61, 1], [1, 2**60, 3]])).toarray()[:, 0]
    minors = np.array([3 * 2**61 - 2**60, 1 - 3 * 2**62, 2**122 - 2**61], dtype=float)  # Cramer's rule
    np.testing.assert_allclose(x / x[2], minors / minors[2], rtol=1e-15)
    top = ss.null_space(np.array([[2**64 - 1, 1]], dtype=np.uint64)).toarray()[:, 0]
    assert top[0] / top[1] == pytest.approx(-1 / (2**64 - 1), rel=1e-15)


@pytest.mark.parametrize("scale", ["entries", "rows", "columns"])
def test_twenty_orders_of_magnitude(scale):
    shape = {"entries": (6, 14), "rows": (6, 1), "columns": (1, 14)}[scale]
    A = rng(1).standard_normal((6, 14)) * 10.0 ** rng(2).uniform(-10, 10, shape)
    N, report = ss.null_space(A, report=True)
    assert N.shape == (14, 8)
    assert report.certified
    assert np.all(np.abs(A @ N).max(axis=0) <= 1e-9 * np.abs(A).sum(axis=1).max() * np.abs(N.toarray()).max(axis=0))


def test_an_answer_beyond_floating_point_is_an_error():
    with pytest.raises(ss.RoundingFailed, match=r"the null vectors of `A` must have a relative residual below"):
        ss.null_space([[1e300, 1e300, 1e-300]])
    assert vectors(ss.null_space([[5e-324, 1.0]])) == [[1.0, -5e-324]]


def test_sparse_matrices_are_never_made_dense(monkeypatch):
    A = sp.random_array((300, 900), density=0.01, rng=rng(), format="csr")
    made = []
    for kind in (sp.csr_array, sp.csc_array, sp.coo_array):
        dense = kind.toarray
        monkeypatch.setattr(kind, "toarray", lambda self, dense=dense: made.append(dense(self)) or made[-1])
    N = ss.null_space(A)
    assert N.shape[0] == 900
    assert max(array.size for array in made) < 300 * 900 / 20  # single supports, and rows of maxima


def test_the_argument_is_left_alone():
    A = sp.coo_array(([1.0, 1.0, 0.0], ([0, 0, 0], [1, 0, 1])), shape=(1, 2))
    before = A.data.copy(), A.row.copy(), A.col.copy()
    ss.null_space(A)
    for old, new in zip(before, (A.data, A.row, A.col), strict=True):
        np.testing.assert_array_equal(old, new)


def test_signs_of_a_pathway():
    N, report = ss.null_space(PATHWAY, signs=np.ones(5), report=True)
    assert sorted(vectors(N)) == [[1, 0, 1, 0, 1], [1, 1, 0, 1, 0]]
    assert report.certified
    free = ss.null_space(PATHWAY)
    assert free.nnz == 6
    assert free.nnz <= N.nnz


def test_signs_block_what_cannot_move():
    assert ss.null_space([[1, 1, 1]], signs=[1, 1, 1]).shape == (3, 0)
    assert vectors(ss.null_space([[1, -1, 1]], signs=[1, 1, 1])) == [[1, 1, 0], [0, 1, 1]]
    assert vectors(ss.null_space([[1, 1]], signs=[-1, 0])) == [[-1, 1]]


def test_signs_hold_on_a_random_cone():
    A = rng(4).integers(-1, 2, (8, 20))
    signs = rng(5).integers(-1, 2, 20)
    N, report = ss.null_space(A, signs=signs, report=True)
    assert np.all(N.toarray() * signs[:, None] >= 0)
    assert report.elementary.all()
    assert not np.any(A @ N)


def test_the_report_tells_what_is_known():
    N, report = ss.null_space(PATHWAY, report=True)
    assert isinstance(report, ss.NullSpaceReport)
    assert (report.shape, report.rank, report.nullity, report.nnz) == ((3, 5), 3, 2, N.nnz)
    assert report.optimal
    assert report.proved
    assert report.certified
    assert report.residual == 0
    assert report.summary()["lower_bound"] == 6
    assert "2 null vectors of a 3×5 matrix of rank 3" in str(report)
    assert "the sparsest there is" in str(report)
    with pytest.raises(ValueError, match="read-only"):
        report.counts[0] = 1


def test_the_report_does_not_claim_what_is_not_proved():
    A = rng(3).standard_normal((5, 12))
    report = ss.null_space(A, effort="fast", report=True)[1]
    assert not report.proved
    assert not report.optimal
    assert report.rule == "elimination of the scaled matrix, sums that cancel to 1e-10 of their terms being zero"
    assert f"no basis has fewer than {report.lower_bound}" in str(report)


def test_one_seed_gives_one_answer():
    A = sp.random_array((60, 200), density=0.03, rng=rng(7), format="csc")
    one, two = ss.null_space(A, seed=3), ss.null_space(A, seed=3)
    assert (one != two).nnz == 0


def test_more_effort_finds_no_denser_basis():
    A = sp.csc_array(rng(8).integers(-1, 2, (30, 70)) * (rng(9).random((30, 70)) < 0.15))
    counts = [ss.null_space(A, effort=effort).nnz for effort in ("fast", "default", "max")]
    assert counts == sorted(counts, reverse=True)


def test_a_deadline_ends_the_search_with_a_checked_basis():
    A = sp.csc_array(rng(8).integers(-1, 2, (60, 160)) * (rng(9).random((60, 160)) < 0.1))
    told = []
    N, report = ss.null_space(A, effort="max", deadline=1e-6, progress=lambda *words: told.append(words), report=True)
    assert N.shape[1] == 160 - np.linalg.matrix_rank(A.toarray())
    assert report.certified
    assert told
    assert all(0 <= share <= 1 for share, _ in told)
    stopped = ss.null_space(A, effort="max", interrupted=lambda: True)
    assert stopped.shape == N.shape


def test_without_the_compiled_loops_it_works_in_python():
    code = (
        "import sys; sys.modules['sparsespan.nullspace._circuits'] = None\n"
        "import numpy as np, sparsespan as ss\n"
        "from sparsespan.nullspace.engine import loops, why_not_compiled\n"
        "A = np.random.default_rng(0).integers(-1, 2, (6, 14))\n"
        "N, report = ss.null_space(A, report=True)\n"
        "assert not np.any(A @ N) and report.certified\n"
        "C, T = ss.sparsify(A.T)\n"
        "print(type(loops).__name__, why_not_compiled()[:17], N.nnz, C.nnz)\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    A = rng(0).integers(-1, 2, (6, 14))
    counts = f"{ss.null_space(A).nnz} {ss.sparsify(A.T)[0].nnz}"
    assert done.stdout.strip() == f"InPython this installation {counts}"


def test_the_engine_says_why_it_is_not_compiled():
    assert bool(engine.why_not_compiled()) == (type(engine.loops).__name__ == "InPython")
