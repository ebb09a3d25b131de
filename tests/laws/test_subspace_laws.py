from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sparsespan as ss
from sparsespan.subspace import Rank

seeds = st.integers(0, 10**6)
shapes = st.integers(1, 12).flatmap(lambda dim: st.tuples(st.integers(dim, 60), st.just(dim)))


def gaussian(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape)


def projector(subspace):
    return subspace.basis @ subspace.basis.T


@given(shapes, seeds, st.floats(0, 10))
def test_bases_are_orthonormal_and_span_the_columns(shape, seed, digits):
    left, right = np.linalg.qr(gaussian(shape, seed))[0], np.linalg.qr(gaussian(shape[1:] * 2, seed + 1))[0]
    columns = left * np.geomspace(1, 10.0**-digits, shape[1]) @ right
    subspace = ss.Subspace.span(columns)
    assert subspace.dim == shape[1]
    np.testing.assert_allclose(subspace.basis.T @ subspace.basis, np.eye(shape[1]), atol=1e-14)
    unit = columns / np.linalg.norm(columns, axis=0)
    np.testing.assert_allclose(projector(subspace) @ unit, unit, atol=1e-13)


@given(shapes, seeds)
def test_a_matrix_and_its_null_space_make_up_everything(shape, seed):
    columns = gaussian(shape, seed)
    span = ss.Subspace.span(columns)
    if shape[0] == shape[1]:
        with pytest.raises(ss.InvalidInput, match="`matrix` must have a null space"):
            ss.Subspace.null(columns.T)
        return
    null = ss.Subspace.null(columns.T)
    assert span.dim + null.dim == shape[0]
    np.testing.assert_allclose(projector(span) + projector(null), np.eye(shape[0]), atol=1e-12)


@given(shapes, seeds, st.integers(0, 4))
def test_null_spaces_depend_on_the_equations_alone(shape, seed, extra):
    matrix = gaussian(shape[::-1], seed)
    if shape[0] == shape[1]:
        return
    more = np.vstack([matrix * 10.0 ** gaussian((shape[1], 1), seed), gaussian((extra, shape[1]), seed) @ matrix])
    np.testing.assert_allclose(projector(ss.Subspace.null(more)), projector(ss.Subspace.null(matrix)), atol=1e-9)


@given(shapes, seeds, st.integers(1, 70), st.sampled_from("CF"))
def test_rows_may_be_split_in_any_way(shape, seed, height, order):
    columns = np.array(gaussian(shape, seed), order=order)
    dense, points = ss.Subspace.span(columns), gaussian((shape[1], 3), seed + 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "columns.npy"
        np.save(path, columns)
        mapped = ss.Subspace.open(path, block_rows=height)
        basis = mapped.vectors(np.eye(mapped.dim))
        turn = dense.basis.T @ basis  # between the two orthonormal bases
        np.testing.assert_allclose(basis, dense.basis @ turn, atol=1e-12)
        for function in (np.sign, np.tanh, lambda z: z * np.maximum(np.abs(z) - 0.1, 0)):
            np.testing.assert_allclose(
                turn @ mapped.reduce(function, points), dense.reduce(function, turn @ points), atol=1e-10
            )
        first, second = mapped.shrink(points, 0.1), dense.shrink(turn @ points, 0.1)
        np.testing.assert_allclose(turn @ first.adjoint, second.adjoint, atol=1e-11)
        np.testing.assert_allclose(first.mass, second.mass, atol=1e-11)


@given(shapes, seeds, st.integers(0, 60))
def test_a_pass_is_the_sum_over_any_two_parts(shape, seed, cut):
    basis, points = gaussian(shape, seed), gaussian((shape[1], 2), seed + 1)
    parts = [part for part in (basis[:cut], basis[cut:]) if len(part)]
    rank = Rank(shape[1], shape[1], 1e-14, 1.0, 2e-16)
    whole = ss.Subspace(Rows([basis]), rank).reduce(np.tanh, points)
    np.testing.assert_allclose(ss.Subspace(Rows(parts), rank).reduce(np.tanh, points), whole, atol=1e-12)


class Rows:
    """A source of rows of one's own: any object with these members serves."""

    def __init__(self, parts):
        self.parts, self.size, self.dim = parts, sum(map(len, parts)), parts[0].shape[1]

    def blocks(self):
        return iter(self.parts)

    def take(self, rows):
        return np.vstack(self.parts)[rows]

    def dense(self):
        return None


@given(
    st.integers(1, 300),
    st.floats(1, 1e12),
    st.floats(1, 1e12),
    st.floats(1e-16, 1e-3),
    st.floats(1e-16, 1e-3),
)
def test_resolution_grows_with_precision_and_condition(rank, condition, other, precision, coarser):
    base = Rank(rank, rank, 1e-14, min(condition, other), min(precision, coarser))
    for worse in (
        replace(base, condition=max(condition, other)),
        replace(base, precision=max(precision, coarser)),
        replace(base, rank=rank + 1),
    ):
        assert base.resolution <= worse.resolution <= 1e-2


@given(shapes, seeds, st.sampled_from([np.float16, np.float32]))
def test_coarser_numbers_have_coarser_resolution_and_true_errors_below_it(shape, seed, dtype):
    columns = gaussian(shape, seed)
    coarse, fine = ss.Subspace.span(columns.astype(dtype)), ss.Subspace.span(columns)
    assert coarse.resolution >= fine.resolution
    if coarse.dim == fine.dim:
        error = np.linalg.norm(projector(coarse) - projector(fine), 2)
        assert error <= max(coarse.rank.precision, 1e-16) * 64 * np.sqrt(shape[1]) * coarse.rank.condition
