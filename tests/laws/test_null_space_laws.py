"""Laws of null-space bases: what row operations, permutations and scalings do, and that both engines are one."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import sparsespan as ss
from sparsespan.nullspace import engine
from sparsespan.nullspace.family import Family
from sparsespan.nullspace.fields import Prime, Real
from sparsespan.nullspace.in_python import InPython
from sparsespan.nullspace.intake import read

seeds = st.integers(0, 10**6)
fields = st.sampled_from([Prime(), Prime(101), Real()])


def rng(seed):
    return np.random.default_rng(seed)


@st.composite
def matrices(draw, rows=(0, 7), columns=(0, 12)):
    """Small matrices of integers or floats, sparse or dense, of any rank."""
    m, p, source = draw(st.integers(*rows)), draw(st.integers(*columns)), rng(draw(seeds))
    A = source.integers(-2, 3, (m, p)) * (source.random((m, p)) < draw(st.sampled_from([0.3, 0.6, 1.0])))
    if draw(st.booleans()) and m > 1:
        A[-1] = A[0] * 2  # a row too many
    return A * np.exp(source.standard_normal((m, 1))) if draw(st.booleans()) else A


def nullity(A):
    return A.shape[1] - (np.linalg.matrix_rank(A) if min(A.shape) else 0)


def within(N, A):
    """Whether every column of N is a null vector of A."""
    return np.all(np.abs(A @ N) <= 1e-9 * (np.abs(A) @ np.abs(N)).max(initial=0.0))


@given(matrices())
def test_there_are_as_many_vectors_as_the_nullity_and_they_are_independent(A):
    N, report = ss.null_space(A, report=True)
    assert N.shape == (A.shape[1], nullity(A))
    assert within(N.toarray(), A)
    assert nullity(N.toarray()) == 0
    assert report.certified
    assert report.lower_bound <= report.nnz == N.nnz
    assert np.all(np.diff(report.counts) >= 0)


@given(matrices())
def test_elementary_means_that_no_null_vector_lives_on_less(A):
    N = ss.null_space(A)
    for k in range(N.shape[1]):
        support = N.indices[N.indptr[k] : N.indptr[k + 1]]
        assert nullity(A[:, support]) == 1


@given(matrices(rows=(1, 6)), seeds)
def test_row_operations_keep_the_span(A, seed):
    mixing = np.tril(rng(seed).integers(-2, 3, (A.shape[0], A.shape[0])), -1) + np.eye(A.shape[0])
    N, other = ss.null_space(A), ss.null_space(mixing.T @ mixing @ A)
    assert N.shape == other.shape
    assert within(other.toarray(), A)


@given(matrices(), seeds)
def test_orders_of_columns_carry_through(A, seed):
    order = rng(seed).permutation(A.shape[1])
    N, other = ss.null_space(A), ss.null_space(A[:, order])
    assert N.nnz == other.nnz
    assert within(other.toarray(), A[:, order])


@given(matrices(), seeds)
def test_scales_of_columns_carry_through(A, seed):
    scale = 2.0 ** rng(seed).integers(-8, 9, A.shape[1])
    N, other = ss.null_space(A), ss.null_space(A * scale)
    assert N.nnz == other.nnz
    assert within(scale[:, None] * other.toarray(), A)


@given(matrices(), st.sampled_from([sp.csr_array, sp.csc_array, sp.coo_array, sp.lil_matrix]))
def test_how_a_matrix_is_stored_plays_no_role(A, kind):
    assert (ss.null_space(A) != ss.null_space(kind(A))).nnz == 0


@given(matrices(), seeds)
def test_signs_are_obeyed_and_nothing_is_lost(A, seed):
    signs = rng(seed).integers(-1, 2, A.shape[1])
    N = ss.null_space(A, signs=signs)
    assert within(N.toarray(), A)
    assert np.all(N.toarray() * signs[:, None] >= 0)
    assert nullity(N.toarray()) == 0
    one_way = ss.null_space(A, signs=np.abs(signs) * 0)
    assert one_way.shape[1] == nullity(A)


@given(matrices(rows=(1, 12), columns=(1, 6)))
def test_sparsified_columns_span_the_same_and_are_no_denser(B):
    C, T = ss.sparsify(B)
    dense = T.toarray()
    assert C.nnz <= np.count_nonzero(B)
    assert nullity(dense / np.abs(dense).max(axis=0)) == 0
    assert np.all(np.abs(B @ dense - C.toarray()) <= 1e-9 * (np.abs(B) @ np.abs(dense)))
    assert np.count_nonzero(np.diff(C.indptr)) == B.shape[1] - nullity(B)


@given(matrices(rows=(1, 12), columns=(1, 6)), seeds)
def test_sparsifying_again_gains_nothing_on_small_matrices(B, seed):
    first = ss.sparsify(B)[0]
    mixing = np.tril(rng(seed).integers(-2, 3, (B.shape[1],) * 2), -1) + np.eye(B.shape[1])
    again = ss.sparsify(first.toarray() @ mixing)[0]
    assert again.nnz == first.nnz


# ------------------------------------------------------------------------------------------------------- both engines


@pytest.fixture(scope="module")
def compiled():
    if engine.why_not_compiled():
        pytest.skip(engine.why_not_compiled())
    return engine.loops


@st.composite
def problems(draw):
    """A field, and the columns of a matrix in it, none of them zero where a loop forbids that."""
    field, source = draw(fields), rng(draw(seeds))
    m, p = draw(st.integers(1, 8)), draw(st.integers(1, 14))
    A = source.integers(-3, 4, (m, p)) * (source.random((m, p)) < 0.5)
    A[source.integers(0, m, p), np.arange(p)] = 1
    matrix = read(A if isinstance(field, Prime) else A * np.exp(source.standard_normal((m, p))))
    columns = matrix.residues(field) if isinstance(field, Prime) else matrix.scaled()[0]
    return field, columns, m, source


def same(one, other):
    np.testing.assert_array_equal(one.starts, other.starts)
    np.testing.assert_array_equal(one.at, other.at)
    np.testing.assert_array_equal(one.value, other.value)
    assert one.value.dtype == other.value.dtype


@given(problems())
def test_compiled_elimination_is_the_definition(compiled, problem):
    field, columns, rows, source = problem
    order = source.permutation(len(columns))
    basis, free, circuits = compiled.eliminate(field, columns, rows, order)
    expected = InPython().eliminate(field, columns, rows, order)
    np.testing.assert_array_equal(basis, expected[0])
    np.testing.assert_array_equal(free, expected[1])
    same(circuits, expected[2])
    without = compiled.eliminate(field, columns, rows, order, circuits=False)
    assert len(without[2]) == 0


@given(problems())
def test_compiled_nullities_are_the_definition(compiled, problem):
    field, columns, rows, source = problem
    sets = Family.of(
        (dict.fromkeys(np.flatnonzero(source.random(len(columns)) < 0.6).tolist(), field.one) for _ in range(5)),
        field.dtype,
    )
    found = compiled.nullities(field, columns, rows, sets)
    np.testing.assert_array_equal(found, InPython().nullities(field, columns, rows, sets))
    assert compiled.nullities(field, columns, rows, sets.take([])).shape == (0,)
    assert InPython().nullities(field, columns, rows, sets.take([])).shape == (0,)


@given(problems(), st.integers(1, 9))
def test_compiled_windows_are_the_definition(compiled, problem, width):
    field, columns, rows, source = problem
    weight = source.integers(1, 4, len(columns))
    roots = np.arange(len(columns))
    heaviest = int(source.integers(2, 20))
    found = compiled.windows(field, columns, rows, weight, roots, width, heaviest)
    same(found, InPython().windows(field, columns, rows, weight, roots, width, heaviest))


@given(problems(), st.sampled_from([5, 40, 10**6]))
def test_compiled_listing_is_the_definition(compiled, problem, nodes):
    field, columns, rows, source = problem
    weight = source.integers(1, 4, len(columns))
    free = np.sort(compiled.eliminate(field, columns, rows, np.arange(len(columns)))[1])
    found, level = compiled.lightest(field, columns, rows, weight, free, nodes)
    expected, expected_level = InPython().lightest(field, columns, rows, weight, free, nodes)
    assert level == expected_level
    same(found, expected)


@given(problems(), st.sampled_from([30, 10**6]))
def test_compiled_exchange_is_the_definition(compiled, problem, budget):
    field, columns, rows, source = problem
    weight = source.integers(1, 4, len(columns))
    basis = compiled.eliminate(field, columns, rows, source.permutation(len(columns)))[2]
    found = compiled.exchange(field, basis, weight, budget)
    same(found, InPython().exchange(field, basis, weight, budget))
    assert found.weights(weight).sum() <= basis.weights(weight).sum()


@given(problems())
def test_the_definition_ends_where_it_is_told_to(problem):
    field, columns, rows, _ = problem
    loops, weight = InPython(), np.ones(len(columns), dtype=np.int64)
    free = np.sort(loops.eliminate(field, columns, rows, np.arange(len(columns)))[1])
    basis = loops.eliminate(field, columns, rows, np.arange(len(columns)))[2]
    assert len(loops.windows(field, columns, rows, weight, np.arange(len(columns)), 5, 99, lambda: True)) == 0
    assert loops.lightest(field, columns, rows, weight, free, 2**20, lambda: True)[1] == 0 or not free.size
    same(loops.exchange(field, basis, weight, 10**6, lambda: True), basis)


def test_compiled_loops_ask_now_and_then_whether_to_end(compiled):
    matrix = read(rng(0).integers(-1, 2, (30, 200)) * (rng(1).random((30, 200)) < 0.2))
    columns = matrix.residues(Prime())
    weight, asked = np.ones(200, dtype=np.int64), []

    def stop():
        asked.append(1)
        return True

    whole = compiled.windows(Prime(), columns, 30, weight, np.arange(200), 60, 99)
    part = compiled.windows(Prime(), columns, 30, weight, np.arange(200), 60, 99, stop)
    assert 0 < len(part) < len(whole)
    _, free, basis = compiled.eliminate(Prime(), columns, 30, np.arange(200))
    assert compiled.lightest(Prime(), columns, 30, weight, np.sort(free), 10**9, stop)[1] < 30
    rough = compiled.exchange(Prime(), basis, weight, 10**9, stop).weights(weight).sum()
    assert compiled.exchange(Prime(), basis, weight, 10**9).weights(weight).sum() < rough
    assert len(asked) == 3


def test_what_the_question_raises_ends_the_loop(compiled):
    matrix = read(rng(0).integers(-1, 2, (30, 200)))
    columns = matrix.residues(Prime())

    def stop():
        msg = "at once"
        raise KeyboardInterrupt(msg)

    with pytest.raises(KeyboardInterrupt, match="at once"):
        compiled.windows(Prime(), columns, 30, np.ones(200, dtype=np.int64), np.arange(200), 60, 99, stop)
