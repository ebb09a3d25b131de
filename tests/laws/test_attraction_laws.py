"""Laws of the pull of zero that hold whatever the data: they bind every kernel to the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsespan.errors import InvalidInput
from sparsespan.kernels import attract, attract_reference
from sparsespan.kernels.blocked import add_attracted_blocked
from sparsespan.kernels.dispatch import attract_by
from sparsespan.kernels.fused import fused_kernels, why_not_fused

NAMES = ["blocked", "AVX-512", "AVX2", "baseline"]


@pytest.fixture(params=NAMES, scope="module")
def kernel(request):
    """Each kernel in turn; those that this installation or processor lacks are skipped."""
    if request.param != "blocked" and request.param not in fused_kernels("attract"):
        pytest.skip(why_not_fused() or f"this processor has no {request.param}")
    return request.param


def run(kernel, rows, points, rate, threads=1):
    add = add_attracted_blocked if kernel == "blocked" else fused_kernels("attract")[kernel]
    return attract_by(add, rows, points, rate, threads)


edges = st.sampled_from([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 130])
dtypes = st.sampled_from([np.float32, np.float64])


@st.composite
def passes(draw):
    """Gaussian rows, points of unit length, a rate from none to one at which only zeros count."""
    size, dim, starts = draw(st.integers(0, 90) | st.just(1100)), draw(edges), draw(st.just(0) | edges)
    rng, dtype = np.random.default_rng(draw(st.integers(0, 2**32 - 1))), draw(dtypes)
    rows = rng.standard_normal((size, dim)) * (rng.random((size, dim)) > draw(st.sampled_from([0.0, 0.5])))
    points = rng.standard_normal((dim, starts))
    points /= np.linalg.norm(points, axis=0)
    return rows.astype(dtype), points.astype(dtype), draw(st.sampled_from([0.0, 0.1, 1.0, 30.0]))


def assert_close(found, wanted, rows, points, rate):
    """Within rounding: an entry is off by eps·(n + 16)·|y||q|, and the pull's slope is at most 1."""
    unit = 8 * np.finfo(rows.dtype).eps * (sum(rows.shape) + 16)
    sizes = np.abs(rows).astype(float) @ np.abs(points).astype(float)
    assert (np.abs(found.adjoint - wanted.adjoint) <= unit * (np.abs(rows).astype(float).T @ (sizes + 1e-30))).all()
    assert (np.abs(found.mass - wanted.mass) <= unit * (1.0 + np.sqrt(rate) * sizes).sum(axis=0)).all()


@given(passes())
def test_every_kernel_computes_the_definition(kernel, case):
    rows, points, rate = case
    exact = attract_reference(rows.astype(float), points.astype(float), rate)
    assert_close(run(kernel, *case), exact, *case)
    assert_close(attract_reference(*case), exact, *case)


@given(passes(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(kernel, case, random):
    rows, points, rate = case
    order = list(range(len(rows)))
    random.shuffle(order)
    assert_close(run(kernel, rows[order], points, rate), run(kernel, *case), *case)


@given(passes())
def test_the_opposite_point_is_pulled_the_opposite_way(kernel, case):
    rows, points, rate = case
    here, there = run(kernel, *case), run(kernel, rows, -points, rate)
    np.testing.assert_array_equal(there.adjoint, -here.adjoint)
    np.testing.assert_array_equal(there.mass, here.mass)


@given(passes())
def test_without_a_rate_the_pass_is_linear_and_counts_all_rows(kernel, case):
    rows, points, _ = case
    sums = run(kernel, rows, points, 0.0)
    np.testing.assert_array_equal(sums.mass, np.full(points.shape[1], len(rows)))
    assert_close(sums, attract_reference(rows.astype(float), points.astype(float), 0.0), rows, points, 0.0)


@given(st.integers(1, 60), st.integers(1, 20), st.sampled_from([0.1, 1.0, 10.0]), st.integers(0, 2**32 - 1))
def test_the_adjoint_is_the_slope_of_the_wells(kernel, size, dim, rate, seed):
    rng = np.random.default_rng(seed)
    rows, point, way = rng.standard_normal((size, dim)), rng.standard_normal(dim), rng.standard_normal(dim)
    step = 1e-5
    ahead, behind = (run(kernel, rows, (point + sign * step * way)[:, None], rate).mass[0] for sign in (1, -1))
    slope = -6.0 * rate * float(run(kernel, rows, point[:, None], rate).adjoint[:, 0] @ way)
    assert (ahead - behind) / (2 * step) == pytest.approx(slope, rel=1e-5, abs=1e-6 * size)


@given(st.integers(4096, 9000), st.integers(16, 20), st.integers(64, 200), dtypes, st.integers(2, 5))
def test_threads_never_change_a_bit(kernel, size, dim, starts, dtype, threads):
    rng = np.random.default_rng(size)
    rows, points = rng.standard_normal((size, dim)).astype(dtype), rng.standard_normal((dim, starts)).astype(dtype)
    one, many = run(kernel, rows, points, 1.0), run(kernel, rows, points, 1.0, threads)
    np.testing.assert_array_equal(many.adjoint, one.adjoint)
    np.testing.assert_array_equal(many.mass, one.mass)


@pytest.mark.parametrize("rate", [-1.0, np.nan, np.inf])
def test_a_rate_that_is_no_size_is_refused(rate):
    with pytest.raises(InvalidInput, match="`rate` must be finite and at least 0; got"):
        attract(np.ones((3, 2)), np.ones((2, 1)), rate)


def test_nan_is_never_dropped(kernel):
    rows, points = np.ones((7, 3)), np.ones((3, 2))
    rows[4, 1] = np.nan
    sums = run(kernel, rows, points, 1.0)
    assert np.isnan(sums.adjoint).all()
    assert np.isnan(sums.mass).all()
