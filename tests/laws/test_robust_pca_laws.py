from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sparsespan.subspace.robust import robust_pca

matrices = st.builds(
    lambda seed, rows, columns: np.random.default_rng(seed).standard_normal((rows, columns)),
    st.integers(0, 2**32 - 1),
    st.integers(1, 12),
    st.integers(1, 12),
)
few = settings(max_examples=30, deadline=None)


def split(data):
    return robust_pca(data, weight=0.4, growth=1.1)


@few
@given(matrices)
def test_transposing_transposes_both_parts(data):
    direct, turned = split(data), split(data.T)
    np.testing.assert_allclose(turned.sparse.T, direct.sparse, atol=1e-6)
    np.testing.assert_allclose(turned.low_rank.T, direct.low_rank, atol=1e-6)


@few
@given(matrices, st.randoms(use_true_random=False))
def test_permuting_and_flipping_rows_and_columns_goes_through(data, random):
    rows, columns = list(range(data.shape[0])), list(range(data.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    signs = np.array([random.choice([-1.0, 1.0]) for _ in rows])[:, None]
    direct, moved = split(data), split(signs * data[rows][:, columns])
    np.testing.assert_allclose(moved.sparse, signs * direct.sparse[rows][:, columns], atol=1e-6)


@few
@given(matrices, st.floats(1e-100, 1e100))
def test_scaling_scales(data, factor):
    direct, scaled = split(data), split(factor * data)
    np.testing.assert_allclose(scaled.sparse / factor, direct.sparse, atol=1e-6)
    np.testing.assert_allclose(scaled.s / factor, direct.s, atol=1e-6)


@few
@given(matrices)
def test_parts_add_up_and_neither_beats_a_trivial_split(data):
    answer = split(data)
    scale = np.linalg.norm(data)
    assert np.linalg.norm(data - answer.low_rank - answer.sparse) <= 1.01e-7 * scale
    objective = answer.s.sum() + 0.4 * np.abs(answer.sparse).sum()
    all_low, all_sparse = np.linalg.norm(data, "nuc"), 0.4 * np.abs(data).sum()
    assert objective <= 1.001 * min(all_low, all_sparse)
