"""Several vectors under the symmetries of the problem."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import sparsespan as ss

seeds = st.integers(0, 10**6)


@settings(max_examples=8, deadline=None)
@given(seeds)
def test_permuted_and_flipped_rows_permute_and_flip_an_exactly_sparse_basis(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hidden = ss.models.dictionary(150, 4, 30, seed=seed)
    order, signs = rng.permutation(150), rng.choice([-1.0, 1.0], 150)
    plain = ss.sparse_basis(hidden.columns, 4, orthogonal=False)
    moved = ss.sparse_basis((signs[:, None] * hidden.columns)[order], 4, orthogonal=False)
    assert plain.certified
    assert moved.certified
    assert np.allclose(np.abs((signs[:, None] * plain.vectors)[order].T @ moved.vectors).max(axis=0), 1.0)


@settings(max_examples=8, deadline=None)
@given(seeds)
def test_a_change_of_basis_leaves_an_exactly_sparse_basis_alone(seed: int) -> None:
    hidden = ss.models.dictionary(150, 4, 30, seed=seed)
    mixed = hidden.columns @ (np.random.default_rng(seed).standard_normal((4, 4)) + 3 * np.eye(4))
    plain, other = (ss.sparse_basis(c, 4, orthogonal=False) for c in (hidden.columns, mixed))
    assert plain.certified
    assert other.certified
    assert np.allclose(np.abs(plain.vectors.T @ other.vectors).max(axis=0), 1.0)


@settings(max_examples=10, deadline=None)
@given(seeds, st.integers(1, 5))
def test_vectors_lie_in_the_subspace_and_are_orthonormal(seed: int, count: int) -> None:
    subspace = ss.Subspace.span(np.random.default_rng(seed).standard_normal((60, 5)))
    found = ss.sparse_basis(subspace, count)
    assert np.allclose(subspace.basis @ (subspace.basis.T @ found.vectors), found.vectors, atol=1e-12)
    assert np.allclose(found.vectors.T @ found.vectors, np.eye(count), atol=1e-12)


@given(seed=st.integers(0, 2**31), hidden=st.integers(0, 2), turn=st.integers(0, 2**31))
@settings(max_examples=15)
def test_what_is_significant_is_a_prefix_shorter_at_a_stricter_level(seed: int, hidden: int, turn: int) -> None:
    rng = np.random.default_rng(seed)
    columns = rng.standard_normal((80, 4))
    columns[rng.random((80, 4)) < 0.8 * (np.arange(4) < hidden)] = 0.0  # so many columns are sparse
    mixed = columns @ np.linalg.qr(np.random.default_rng(turn).standard_normal((4, 4)))[0]
    whole = ss.sparse_basis(mixed, 4, "spectral")
    lengths = []
    for level in (0.5, 0.2, 0.05):
        found = ss.sparse_basis(mixed, 4, "spectral", significant=level)
        assert np.array_equal(found.vectors, whole.vectors[:, : len(found)])
        assert (found.status is ss.Status.EXHAUSTED) == (len(found) < 4)
        lengths.append(len(found))
    assert lengths == sorted(lengths, reverse=True)
