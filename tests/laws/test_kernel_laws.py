"""Laws of the batched step that hold whatever the data: they bind every kernel to the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparsespan.kernels import ShrinkSums, shrink_reference
from sparsespan.kernels.blocked import add_blocked
from sparsespan.kernels.dispatch import shrink_by
from sparsespan.kernels.fused import fused_kernels, why_not_fused
from sparsespan.kernels.tasks import cut

NAMES = ["blocked", "AVX-512", "AVX2", "baseline"]


@pytest.fixture(params=NAMES, scope="module")
def kernel(request):
    """Each kernel in turn; those that this installation or processor lacks are skipped."""
    if request.param != "blocked" and request.param not in fused_kernels():
        pytest.skip(why_not_fused() or f"this processor has no {request.param}")
    return request.param


def run(kernel, rows, points, threshold, threads=1):
    add = add_blocked if kernel == "blocked" else fused_kernels()[kernel]
    return shrink_by(add, rows, points, threshold, threads)


# Sizes about the edges of tiles (4, 6), vectors (2 to 16 lanes) and panels (8 to 64 columns), and anything between.
edges = st.sampled_from([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 130])
dtypes = st.sampled_from([np.float32, np.float64])
thresholds = st.one_of(st.just(0.0), st.floats(0.0, 3.0))


@st.composite
def passes(draw):
    """Gaussian rows and points of unit length; a share of either may be zero."""
    size, dim, starts = draw(st.integers(0, 90) | st.just(1100)), draw(edges), draw(st.just(0) | edges)
    rng, dtype = np.random.default_rng(draw(st.integers(0, 2**32 - 1))), draw(dtypes)
    rows = rng.standard_normal((size, dim)) * (rng.random((size, dim)) > draw(st.sampled_from([0.0, 0.5])))
    points = rng.standard_normal((dim, starts))
    points /= np.linalg.norm(points, axis=0)
    return rows.astype(dtype), points.astype(dtype), draw(thresholds)


def slack(rows, points, threshold):
    """What rounding may cost: each entry of Y Q, the adjoint, the mass."""
    size, dim = rows.shape
    unit = np.finfo(rows.dtype).eps * (size + dim + 16)
    magnitudes = np.abs(rows).astype(float) @ np.abs(points).astype(float) + threshold
    return unit * magnitudes, unit * np.abs(rows).astype(float).T @ magnitudes, unit * magnitudes.sum(axis=0)


def assert_close(found, wanted, rows, points, threshold):
    entries, adjoint, mass = slack(rows, points, threshold)
    assert (np.abs(found.adjoint - wanted.adjoint) <= adjoint).all()
    assert (np.abs(found.mass - wanted.mass) <= mass).all()
    sizes = np.abs(rows.astype(float) @ points.astype(float))
    assert (np.count_nonzero(sizes > threshold + entries, axis=0) <= found.active).all()
    assert (found.active <= np.count_nonzero(sizes >= threshold - entries, axis=0)).all()


@given(passes())
def test_every_kernel_computes_the_definition(kernel, case):
    rows, points, threshold = case
    exact = shrink_reference(rows.astype(float), points.astype(float), threshold)
    assert_close(run(kernel, *case), exact, *case)
    assert_close(shrink_reference(*case), exact, *case)


@given(st.integers(0, 90) | st.just(1100), edges, edges, dtypes, st.integers(0, 8), st.integers(0, 2**32 - 1))
def test_kernels_agree_to_the_bit_where_arithmetic_is_exact(kernel, size, dim, starts, dtype, threshold, seed):
    rng = np.random.default_rng(seed)
    rows, points = rng.integers(-2, 3, (size, dim)).astype(dtype), rng.integers(-2, 3, (dim, starts)).astype(dtype)
    found, wanted = run(kernel, rows, points, threshold), shrink_reference(rows, points, threshold)
    np.testing.assert_array_equal(found.adjoint, wanted.adjoint)
    np.testing.assert_array_equal(found.mass, wanted.mass)
    np.testing.assert_array_equal(found.active, wanted.active)


@given(passes(), st.integers(0, 1100))
def test_sums_over_parts_of_the_rows_add_up(kernel, case, place):
    rows, points, threshold = case
    upper, lower = (run(kernel, part, points, threshold) for part in (rows[:place], rows[place:]))
    added = ShrinkSums(upper.adjoint + lower.adjoint, upper.mass + lower.mass, upper.active + lower.active)
    assert_close(added, run(kernel, *case), *case)


@given(passes(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(kernel, case, random):
    rows, points, threshold = case
    order = list(range(len(rows)))
    random.shuffle(order)
    assert_close(run(kernel, rows[order], points, threshold), run(kernel, *case), *case)


@given(passes(), st.randoms(use_true_random=False))
def test_a_column_does_not_depend_on_its_neighbours(kernel, case, random):
    rows, points, threshold = case
    chosen = [random.randrange(points.shape[1]) for _ in range(random.randrange(70))] if points.shape[1] else []
    together, alone = run(kernel, *case), run(kernel, rows, points[:, chosen], threshold)
    if kernel == "blocked":  # the BLAS library may add in another order for another width
        picked = ShrinkSums(together.adjoint[:, chosen], together.mass[chosen], together.active[chosen])
        assert_close(alone, picked, rows, points[:, chosen], threshold)
    else:
        np.testing.assert_array_equal(alone.adjoint, together.adjoint[:, chosen])
        np.testing.assert_array_equal(alone.mass, together.mass[chosen])
        np.testing.assert_array_equal(alone.active, together.active[chosen])


@given(passes())
def test_the_opposite_point_has_the_opposite_adjoint(kernel, case):
    rows, points, threshold = case
    here, there = run(kernel, *case), run(kernel, rows, -points, threshold)
    np.testing.assert_array_equal(there.adjoint, -here.adjoint)
    np.testing.assert_array_equal(there.mass, here.mass)
    np.testing.assert_array_equal(there.active, here.active)


@given(passes(), st.integers(-20, 20))
def test_a_power_of_two_scales_exactly(kernel, case, exponent):
    rows, points, threshold = case
    factor = rows.dtype.type(2.0) ** exponent
    level = float(np.float32(threshold))  # a level that float32 holds scales exactly too
    here, there = run(kernel, rows, points, level), run(kernel, rows, factor * points, float(factor) * level)
    np.testing.assert_array_equal(there.adjoint, factor * here.adjoint)
    np.testing.assert_array_equal(there.mass, float(factor) * here.mass)
    np.testing.assert_array_equal(there.active, here.active)


@given(st.integers(1, 60), st.integers(1, 20), edges, thresholds, st.integers(0, 2**32 - 1))
def test_a_change_of_basis_turns_the_adjoint(kernel, size, dim, starts, threshold, seed):
    rng = np.random.default_rng(seed)
    rows, points = rng.standard_normal((size, dim)), rng.standard_normal((dim, starts))
    turn = np.linalg.qr(rng.standard_normal((dim, dim)))[0]
    here = run(kernel, rows, points, threshold)
    there = run(kernel, np.ascontiguousarray(rows @ turn.T), turn @ points, threshold)
    np.testing.assert_allclose(there.adjoint, turn @ here.adjoint, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(there.mass, here.mass, rtol=1e-11, atol=1e-11)


@given(passes(), st.integers(0, 2**32 - 1))
def test_the_adjoint_is_the_slope_of_a_convex_energy(kernel, case, seed):
    """E(q) = ½Σ(|y_iᵀq| − λ)₊² is convex with gradient the adjoint, so E(q') ≥ E(q) + ⟨adjoint, q' − q⟩."""
    rows, points, threshold = case
    rows, points = rows.astype(float), points.astype(float)
    others = np.random.default_rng(seed).standard_normal(points.shape)
    here, there = run(kernel, rows, points, threshold), run(kernel, rows, others, threshold)

    def energy(sums, at):
        return 0.5 * ((sums.adjoint * at).sum(axis=0) - threshold * sums.mass)

    gap = energy(there, others) - energy(here, points) - (here.adjoint * (others - points)).sum(axis=0)
    assert (gap >= -1e-11 * (1.0 + (rows**2).sum() * (points**2 + others**2).sum(axis=0))).all()


@given(st.integers(0, 10**7), st.integers(1, 500), st.integers(0, 5000))
def test_tasks_cover_the_pass_once(size, dim, starts):
    for length, pieces in zip((size, starts), cut(size, dim, starts), strict=True):
        edges_met = [0, *(piece.stop for piece in pieces)]
        assert [piece.start for piece in pieces] == edges_met[:-1]
        assert edges_met[-1] == length
        assert all(piece.start < piece.stop for piece in pieces)


@given(st.integers(4096, 9000), st.integers(16, 20), st.integers(64, 200), dtypes, st.integers(2, 5))
def test_threads_never_change_a_bit(kernel, size, dim, starts, dtype, threads):
    rng = np.random.default_rng(size)
    rows, points = rng.standard_normal((size, dim)).astype(dtype), rng.standard_normal((dim, starts)).astype(dtype)
    one, many = run(kernel, rows, points, 1.0), run(kernel, rows, points, 1.0, threads)
    np.testing.assert_array_equal(many.adjoint, one.adjoint)
    np.testing.assert_array_equal(many.mass, one.mass)
    np.testing.assert_array_equal(many.active, one.active)
