"""The kernels on chosen cases: edges of blocks and tiles, strides, NaN, infinity, messages, threads, the fallback."""

from __future__ import annotations

import logging
import multiprocessing
import sys

import numpy as np
import pytest

from sparsespan import kernels
from sparsespan.errors import InvalidInput
from sparsespan.kernels import active_kernel, dispatch, fused, shrink, shrink_blocked, shrink_reference, tasks
from sparsespan.kernels.blocked import WORKING_SET, add_blocked, block_shape
from sparsespan.kernels.dispatch import shrink_by
from sparsespan.kernels.fused import fused_kernels, why_not_fused

NAMES = ["blocked", "AVX-512", "AVX2", "baseline"]
DTYPES = [np.float64, np.float32]


@pytest.fixture(params=NAMES)
def add(request):
    """Each kernel in turn; those that this installation or processor lacks are skipped."""
    if request.param == "blocked":
        return add_blocked
    if request.param not in fused_kernels():
        pytest.skip(why_not_fused() or f"this processor has no {request.param}")
    return fused_kernels()[request.param]


@pytest.fixture
def no_extension(monkeypatch):
    """As if nothing had been compiled."""
    caches = (fused._load, dispatch._fastest)
    monkeypatch.setitem(sys.modules, "sparsespan.kernels._fused", None)
    for cache in caches:
        cache.cache_clear()
    yield
    monkeypatch.undo()
    for cache in caches:
        cache.cache_clear()


def gaussian(size, dim, starts, dtype=np.float64, seed=0):
    rng = np.random.default_rng(seed)
    rows, points = rng.standard_normal((size, dim)), rng.standard_normal((dim, starts))
    return rows.astype(dtype), (points / np.linalg.norm(points, axis=0)).astype(dtype)


def whole_numbers(size, dim, starts, dtype, seed=0):
    """Data whose every product and sum is exact, so that kernels must agree to the last bit."""
    rng = np.random.default_rng(seed)
    return rng.integers(-3, 4, (size, dim)).astype(dtype), rng.integers(-3, 4, (dim, starts)).astype(dtype)


def brute_force(rows, points, threshold):
    """The same sums in integers."""
    vectors = rows.astype(np.int64) @ points.astype(np.int64)
    shrunk = np.sign(vectors) * np.maximum(np.abs(vectors) - threshold, 0)
    return rows.astype(np.int64).T @ shrunk, np.abs(shrunk).sum(axis=0), (np.abs(vectors) > threshold).sum(axis=0)


def assert_same(sums, adjoint, mass, active):
    np.testing.assert_array_equal(sums.adjoint, adjoint)
    np.testing.assert_array_equal(sums.mass, mass)
    np.testing.assert_array_equal(sums.active, active)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("size", "dim", "starts"),
    [
        (0, 3, 4),
        (5, 4, 0),
        (1, 1, 1),
        (6, 2, 32),  # one tile, no more
        (7, 3, 33),
        (11, 5, 97),
        (255, 2, 3),  # the blocked kernel counts up to 255 rows in a byte
        (511, 2, 5),
        (1021, 3, 9),  # one row more than the fused kernels sum in one block
        (2100, 1, 2),
        (100, 1000, 20),  # rows so long that few fit a block
        (40, 130, 129),
    ],
)
def test_exact_on_whole_numbers(add, size, dim, starts, dtype):
    rows, points = whole_numbers(size, dim, starts, dtype)
    for threshold in (0, 2, 40):
        sums = shrink_by(add, rows, points, threshold)
        assert_same(sums, *brute_force(rows, points, threshold))
        assert sums.adjoint.dtype == dtype
        assert sums.mass.dtype == np.float64
        assert sums.active.dtype == np.int64


@pytest.mark.parametrize("dtype", DTYPES)
def test_reference_is_the_definition(dtype):
    rows, points = whole_numbers(50, 7, 11, dtype)
    assert_same(shrink_reference(rows, points, 2), *brute_force(rows, points, 2))


@pytest.mark.parametrize("dtype", DTYPES)
def test_strides_of_points_do_not_matter(add, dtype):
    rows, points = gaussian(40, 9, 35, dtype)
    wanted = shrink_by(add, rows, points, 0.5)
    wide, tall = np.zeros((9, 70), dtype), np.zeros((18, 35), dtype)
    wide[:, ::2], tall[::2] = points, points
    back = np.ascontiguousarray(points[::-1, ::-1])[::-1, ::-1]
    frozen = points.copy()
    frozen.flags.writeable = rows.flags.writeable = False
    for same in (np.asfortranarray(points), wide[:, ::2], tall[::2], back, frozen):
        sums = shrink_by(add, rows, same, 0.5)
        assert_same(sums, wanted.adjoint, wanted.mass, wanted.active)


@pytest.mark.parametrize("dtype", DTYPES)
def test_threshold_above_everything_leaves_nothing(add, dtype):
    rows, points = gaussian(30, 4, 6, dtype)
    for threshold in (1e3, 1e300):
        assert_same(shrink_by(add, rows, points, threshold), np.zeros((4, 6)), np.zeros(6), np.zeros(6))


def test_entries_at_the_threshold_are_not_active(add):
    rows = np.array([[2.0], [-2.0], [3.0], [0.0], [-0.0]])
    sums = shrink_by(add, rows, np.ones((1, 1)), 2.0)
    assert_same(sums, [[3.0]], [1.0], [1])
    assert shrink_by(add, rows, np.ones((1, 1)), 0.0).active == [3]
    assert shrink_by(add, rows, np.ones((1, 1)), -0.0).active == [3]


def test_subnormal_entries_count(add):
    tiny = np.nextafter(0.0, 1.0)
    sums = shrink_by(add, np.array([[tiny], [-tiny], [0.0]]), np.ones((1, 1)), 0.0)
    assert sums.active == [2]
    assert sums.mass == [2 * tiny]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("nan", [np.nan, np.copysign(np.nan, -1)])
def test_nan_in_a_row_reaches_every_column(add, dtype, nan):
    rows, points = gaussian(20, 5, 35, dtype)
    rows[13, 2] = nan
    sums = shrink_by(add, rows, points, 1e6)
    assert np.isnan(sums.adjoint).all()
    assert np.isnan(sums.mass).all()
    assert (sums.active == 1).all()


@pytest.mark.parametrize("nan", [np.nan, np.copysign(np.nan, -1)])
def test_nan_in_a_point_stays_in_its_column(add, nan):
    rows, points = gaussian(20, 5, 35)
    clean = shrink_by(add, rows, points, 0.5)
    points[2, 7] = nan
    sums = shrink_by(add, rows, points, 0.5)
    others = np.arange(35) != 7
    assert np.isnan(sums.adjoint[:, 7]).all()
    assert np.isnan(sums.mass[7])
    assert sums.active[7] == 20
    np.testing.assert_allclose(sums.adjoint[:, others], clean.adjoint[:, others], rtol=1e-13, atol=1e-13)
    np.testing.assert_array_equal(sums.active[others], clean.active[others])


def test_infinity_is_never_dropped(add):
    rows, points = np.ones((9, 1)), np.array([[1.0, np.inf, -np.inf]])
    sums = shrink_by(add, rows, points, 0.5)
    np.testing.assert_array_equal(sums.adjoint, [[4.5, np.inf, -np.inf]])
    np.testing.assert_array_equal(sums.mass, [4.5, np.inf, np.inf])
    np.testing.assert_array_equal(sums.active, [9, 9, 9])


def test_float32_sums_over_a_million_rows_stay_accurate(add):
    rows, points = gaussian(1_000_000, 3, 2, np.float32)
    sums = shrink_by(add, rows, points, 0.5)
    exact = shrink_reference(rows.astype(float), points.astype(float), 0.5)
    np.testing.assert_allclose(sums.mass, exact.mass, rtol=2e-6)
    np.testing.assert_allclose(sums.adjoint, exact.adjoint, atol=2e-6 * exact.mass.max())


def test_energy_follows_from_the_sums(add):
    rows, points = gaussian(200, 8, 12)
    sums = shrink_by(add, rows, points, 0.5)
    energy = (np.maximum(np.abs(rows @ points) - 0.5, 0) ** 2).sum(axis=0)
    np.testing.assert_allclose((sums.adjoint * points).sum(axis=0) - 0.5 * sums.mass, energy, rtol=1e-12)


@pytest.mark.parametrize("function", [shrink, shrink_blocked, shrink_reference])
class TestRefused:
    rows, points = np.ones((4, 2)), np.ones((2, 3))

    def test_rows_of_another_dtype(self, function):
        with pytest.raises(InvalidInput, match=r"`rows` must be float32 or float64; got int64.*astype"):
            function(self.rows.astype(np.int64), self.points, 0.1)
        with pytest.raises(InvalidInput, match=r"`rows` must be float32 or float64; got >f8"):
            function(self.rows.astype(">f8"), self.points, 0.1)

    def test_points_of_another_dtype(self, function):
        with pytest.raises(InvalidInput, match=r"`points` must have the dtype of `rows`, float64; got float32"):
            function(self.rows, self.points.astype(np.float32), 0.1)

    @pytest.mark.parametrize("points", [np.ones((3, 3)), np.ones(2)])
    def test_shapes_that_do_not_match(self, function, points):
        with pytest.raises(InvalidInput, match=r"`rows` must be \(p, n\) and `points` \(n, R\).*got shapes \(4, 2\)"):
            function(self.rows, points, 0.1)

    def test_no_dimension(self, function):
        with pytest.raises(InvalidInput, match=r"one n ≥ 1; got shapes \(4, 0\) and \(0, 3\)"):
            function(np.ones((4, 0)), np.ones((0, 3)), 0.1)

    @pytest.mark.parametrize("rows", [np.ones((2, 4)).T, np.ones((8, 2))[::2], np.ones((4, 4))[:, ::2]])
    def test_rows_that_are_not_contiguous(self, function, rows):
        with pytest.raises(InvalidInput, match=r"`rows` must be C-contiguous and aligned.*got strides.*ascontiguous"):
            function(rows, self.points, 0.1)

    def test_rows_that_are_not_aligned(self, function):
        crooked = np.zeros(65, np.uint8)[1:].view(np.float64).reshape(4, 2)
        with pytest.raises(InvalidInput, match=r"must be C-contiguous and aligned"):
            function(crooked, self.points, 0.1)

    @pytest.mark.parametrize("threshold", [-1e-300, -1.0, np.nan, np.inf])
    def test_threshold(self, function, threshold):
        with pytest.raises(InvalidInput, match=rf"`threshold` must be finite and at least 0; got {threshold!r}"):
            function(self.rows, self.points, threshold)


def test_no_threads_are_refused():
    with pytest.raises(InvalidInput, match=r"`threads` must be at least 1; got 0"):
        shrink(np.ones((4, 2)), np.ones((2, 3)), 0.1, threads=0)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("size", "dim", "starts"), [(5000, 8, 150), (40_000, 20, 7), (700, 30, 400)])
def test_threads_never_change_a_bit(add, size, dim, starts, dtype):
    rows, points = gaussian(size, dim, starts, dtype)
    slabs, panels = tasks.cut(size, dim, starts)
    assert len(slabs) * len(panels) > 1
    one = shrink_by(add, rows, points, 1.0)
    for threads in (2, 3, 7):
        sums = shrink_by(add, rows, points, 1.0, threads)
        assert_same(sums, one.adjoint, one.mass, one.active)
    exact = shrink_reference(rows, points, 1.0)
    np.testing.assert_allclose(one.adjoint, exact.adjoint, atol=1e3 * np.finfo(dtype).eps * exact.mass.max())


def test_an_error_in_a_thread_is_raised():
    def fail(*arguments):
        raise MemoryError("no scratch")

    rows, points = gaussian(5000, 8, 150)
    with pytest.raises(MemoryError, match="no scratch"):
        shrink_by(fail, rows, points, 1.0, 3)


def _child(queue):
    rows, points = gaussian(5000, 8, 150)
    queue.put(shrink(rows, points, 1.0, threads=2).mass.sum())


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own():
    rows, points = gaussian(5000, 8, 150)
    here = shrink(rows, points, 1.0, threads=2).mass.sum()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == here
    child.join(timeout=60)


@pytest.mark.parametrize("itemsize", [4, 8])
@pytest.mark.parametrize("dim", [1, 10, 50, 130, 400])
def test_blocks_fit_the_working_set(dim, itemsize):
    height, width = block_shape(dim, itemsize)
    assert (height * dim + 2 * height * width + 4 * dim * width) * itemsize <= WORKING_SET
    assert 16 <= height <= 255


def test_active_kernel_names_the_best():
    info = active_kernel()
    if fused_kernels():
        assert info.isa == next(iter(fused_kernels()))
        assert info.name == f"fused {info.isa}"
        assert info.reason == ""
    else:
        assert info.name == "blocked NumPy"
        assert info.reason


def test_without_the_extension_numpy_serves_and_says_so_once(no_extension, caplog):
    rows, points = gaussian(30, 4, 5)
    with caplog.at_level(logging.INFO, logger="sparsespan"):
        sums = [shrink(rows, points, 0.5) for _ in range(3)][-1]
        info = active_kernel()
    assert info.name == "blocked NumPy"
    assert info.isa == ""
    assert "C++ compiler" in info.reason
    assert [record.getMessage() for record in caplog.records] == [f"The batched step runs in NumPy: {info.reason}."]
    blocked = shrink_blocked(rows, points, 0.5)
    assert_same(sums, blocked.adjoint, blocked.mass, blocked.active)


def test_an_extension_that_cannot_be_loaded_is_told_apart(no_extension, monkeypatch):
    class Broken:
        def __getattr__(self, name):
            raise ImportError("wrong architecture")

    monkeypatch.setitem(sys.modules, "sparsespan.kernels._fused", Broken())
    assert "cannot be loaded (wrong architecture)" in active_kernel().reason


@pytest.mark.parametrize("add", NAMES[1:], indirect=True)
def test_the_extension_refuses_what_python_should_have(add):
    rows, points, sums = np.ones((4, 2)), np.ones((2, 3)), kernels.ShrinkSums.zeros((2, 3))
    rest = (sums.adjoint, sums.mass, sums.active)
    with pytest.raises(ValueError, match="do not belong together"):
        add(rows, np.ones((3, 3)), 0.1, *rest)
    with pytest.raises(ValueError, match="do not belong together"):
        add(rows, points, 0.1, np.zeros((3, 2)).T, sums.mass, sums.active)
    with pytest.raises(ValueError, match="negative level"):
        add(rows, points, -0.1, *rest)
    with pytest.raises(TypeError):
        add(rows.astype(np.float32), points, 0.1, *rest)
    with pytest.raises(TypeError):
        add(rows.T, points, 0.1, *rest)
    with pytest.raises(TypeError):
        add(rows, points, 0.1, sums.adjoint.astype(np.float32), sums.mass, sums.active)
    assert not sums.adjoint.any()
