from __future__ import annotations

import doctest
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

import sparsespan as ss
from sparsespan import bounds
from sparsespan.bounds import sparsity_lower_bound

shapes = st.tuples(st.integers(1, 5), st.integers(0, 40), st.integers(0, 2**32 - 1))


def columns_of(shape):
    dim, more, seed = shape
    return np.random.default_rng(seed).standard_normal((dim + more, dim))


@given(shapes)
@settings(max_examples=60, deadline=None)
def test_no_vector_falls_below(shape):
    subspace = ss.Subspace.span(columns_of(shape))
    bound = sparsity_lower_bound(subspace)
    points = np.random.default_rng(0).standard_normal((subspace.dim, 200))
    vectors = subspace.vectors(points / np.linalg.norm(points, axis=0))
    assert (vectors**4).sum(axis=0).max() <= bound.fourth
    assert np.abs(vectors).sum(axis=0).min() >= bound.l1
    found = (
        ss.sparsest(subspace, "exhaustive", most=10**9)
        if math.comb(*vectors.shape[:1], subspace.dim - 1) < 3000
        else None
    )
    if found is not None:
        assert found.support.size >= bound.nonzeros
        assert found.l1 >= bound.l1 * (1 - 1e-12)


@given(shapes)
@settings(max_examples=30, deadline=None)
def test_the_shift_is_the_best(shape):
    subspace = ss.Subspace.span(columns_of(shape))
    moments, trace = bounds._fourth_moments(subspace), bounds._svec(np.eye(subspace.dim)[None])[0]

    def value(shift):
        return bounds._largest(moments - shift * np.outer(trace, trace)) + shift

    best = minimize_scalar(value, bounds=(-1, 1), method="bounded", options={"xatol": 1e-11}).fun
    assert value(bounds._best_shift(moments, trace)) <= best * (1 + 1e-6)


@given(shapes)
@settings(max_examples=30, deadline=None)
def test_rotations_signs_and_permutations_leave_it(shape):
    columns = columns_of(shape)
    rng = np.random.default_rng(1)
    rotation = np.linalg.qr(rng.standard_normal((columns.shape[1],) * 2))[0]
    signs = rng.choice([-1.0, 1.0], (len(columns), 1))
    other = (signs * columns)[rng.permutation(len(columns))] @ rotation
    assert sparsity_lower_bound(other).l1 == pytest.approx(sparsity_lower_bound(columns).l1, rel=1e-9)


def test_known_values():
    assert sparsity_lower_bound(np.ones((9, 1))).nonzeros == 9
    assert sparsity_lower_bound(np.eye(7)[:, :3]).nonzeros == 1
    spread = np.kron(np.eye(3), np.ones((4, 1)))  # disjoint blocks of four equal entries: a block is the sparsest
    assert sparsity_lower_bound(spread).nonzeros == 4


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("size", [1, 2, 3, 9, 100, 1000, 30_000, 100_003, 1_000_000])
def test_equal_entries_are_counted_and_no_more(size, dtype):
    """The bound is tight for a vector of p equal entries, and rounding must not lift it above p."""
    bound = sparsity_lower_bound(np.ones((size, 1), dtype))
    assert size * (1 - 1e-4) - 1 < bound.nonzeros <= size
    assert bound.l1 <= math.sqrt(size)
    assert bound.fourth >= 1 / size


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("blocks", "size"), [(2, 5000), (3, 7), (7, 1111)])
def test_blocks_of_equal_entries_in_another_basis(blocks, size, dtype):
    columns = np.kron(np.eye(blocks), np.ones((size, 1)))
    turned = columns @ np.linalg.qr(np.random.default_rng(0).standard_normal((blocks, blocks)))[0]
    bound = sparsity_lower_bound(turned.astype(dtype))
    assert size * (1 - 1e-4) - 1 < bound.nonzeros <= size


def test_the_figure_of_the_documents():
    bound = sparsity_lower_bound(np.random.default_rng(0).standard_normal((20_000, 20)))
    assert bound.nonzeros >= 5000


def test_too_large_a_dimension_is_refused():
    with pytest.raises(ss.InvalidInput, match=r"dimension of at most 128; got 129.*restrict"):
        sparsity_lower_bound(np.eye(200)[:, :129])


def test_it_says_what_it_means():
    assert not doctest.testmod(bounds).failed
    assert str(sparsity_lower_bound(np.ones((9, 1)))).startswith("every vector has at least 9 nonzeros (100.0 % of 9)")
