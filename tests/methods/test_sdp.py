"""The semidefinite relaxation: against Clarabel, against its definition, and what tightness proves."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.methods.lifted import phases, spectraplex, sweep
from sparsespan.watch import Watch


def clarabel_value(basis: np.ndarray) -> float:
    """Optimum of the relaxation by an interior point; the entries above the diagonal count twice."""
    cvxpy = pytest.importorskip("cvxpy", reason="the oracle cvxpy is not installed")
    pytest.importorskip("clarabel", reason="the oracle Clarabel is not installed")
    size, dim = basis.shape
    lifted = cvxpy.Variable((dim, dim), PSD=True)
    rows, columns = np.triu_indices(size)
    weights = np.where(rows == columns, 1.0, 2.0)
    maps = np.einsum("ki,kj->kij", basis[rows], basis[columns]).reshape(len(rows), -1)
    entries = (0.5 * (maps + maps.reshape(-1, dim, dim).swapaxes(1, 2).reshape(len(rows), -1))) @ cvxpy.vec(
        lifted, order="C"
    )
    problem = cvxpy.Problem(cvxpy.Minimize(weights @ cvxpy.abs(entries)), [cvxpy.trace(lifted) == 1])
    problem.solve(solver="CLARABEL")
    return float(problem.value)


@pytest.mark.parametrize(
    ("size", "dim", "nonzeros", "tight"), [(30, 3, 6, 1.0), (40, 6, 24, 0.0), (100, 5, 12, 1.0), (100, 4, 80, 0.0)]
)
def test_the_value_is_clarabels(size, dim, nonzeros, tight):
    hidden = ss.models.planted(size, dim, nonzeros, "gaussian", seed=2)
    subspace = ss.Subspace.span(hidden.columns)
    expected = clarabel_value(np.asarray(subspace.basis))
    notes = ss.sparsest(subspace, "sdp", tol=1e-6, max_iter=20_000).runs[0].notes
    assert notes["sdp value"] == pytest.approx(expected, rel=2e-6)
    assert notes["sdp bound"] <= expected * (1 + 1e-6)
    assert notes["tight"] == tight
    assert (notes["top eigenvalue"] == 1.0) == bool(tight)


def test_a_tight_relaxation_proves_the_smallest_norm_and_finds_the_truth():
    hidden = ss.models.planted(300, 10, 30, "gaussian", seed=1)
    found = ss.sparsest(hidden.columns, "sdp")
    notes = found.runs[0].notes
    assert notes["tight"] == 1.0
    assert hidden.error(found.vector) < 1e-13
    assert notes["sdp bound"] <= found.l1**2 * (1 + 1e-12)
    assert notes["sdp bound"] >= found.l1**2 * (1 - 1e-4)
    others = ss.Subspace.span(hidden.columns).vectors(
        np.linalg.qr(np.random.default_rng(0).standard_normal((10, 10)))[0]
    )
    assert (np.abs(others).sum(axis=0) ** 2 > notes["sdp bound"]).all()


@pytest.mark.parametrize("width", [1e-3, 1e-2, 1.0])
@pytest.mark.parametrize("size", [5, 256, 300])
def test_a_sweep_by_blocks_is_the_dense_product(size, width):
    rng = np.random.default_rng(size)
    basis = np.linalg.qr(rng.standard_normal((size, 4)))[0]
    lifted = rng.standard_normal((4, 4))
    lifted = lifted + lifted.T
    dense = basis @ lifted @ basis.T
    slope, norm = sweep(basis, lifted, width)
    assert norm == pytest.approx(np.abs(dense).sum(), rel=1e-12)
    np.testing.assert_allclose(slope, basis.T @ np.clip(dense / width, -1, 1) @ basis, atol=1e-10)


def test_no_square_matrix_of_the_ambient_size_is_held():
    basis = np.linalg.qr(np.random.default_rng(0).standard_normal((3000, 5)))[0]
    sweep(basis, np.eye(5), 1e-4)
    tracemalloc.start()
    sweep(basis, np.eye(5), 1e-4)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3000 * 3000 * 8 / 20


def test_the_projection_on_the_spectraplex_is_the_nearest_point():
    rng = np.random.default_rng(1)
    matrix = rng.standard_normal((6, 6))
    matrix = matrix + matrix.T
    nearest = spectraplex(matrix)
    assert np.trace(nearest) == pytest.approx(1.0, rel=1e-12)
    assert np.linalg.eigvalsh(nearest)[0] > -1e-14
    for _ in range(50):  # no feasible point lies on the far side of the supporting plane
        half = rng.standard_normal((6, 6))
        feasible = half @ half.T / np.trace(half @ half.T)
        assert np.vdot(matrix - nearest, feasible - nearest) <= 1e-12
    np.testing.assert_allclose(spectraplex(nearest), nearest, atol=1e-14)


def test_bounds_rise_values_stay_above_and_the_gap_closes():
    subspace = ss.Subspace.span(np.random.default_rng(3).standard_normal((60, 6)))
    bounds, values = [], []
    for relaxation in phases(subspace, 3000, Watch()):
        bounds.append(relaxation.bound)
        values.append(relaxation.value)
        assert relaxation.bound <= min(values) * (1 + 1e-12)
        assert np.trace(relaxation.lifted) == pytest.approx(1.0, rel=1e-10)
    assert bounds == sorted(bounds)
    assert 1 - bounds[-1] / min(values) < 1e-4


def test_limits_are_looked_at_between_sweeps():
    subspace = ss.Subspace.span(np.random.default_rng(3).standard_normal((60, 6)))
    stopped = list(phases(subspace, 3000, Watch(interrupted=lambda: True)))
    assert len(stopped) == 1
    assert stopped[0].steps == 1
    assert math.isinf(stopped[0].bound)
    assert list(phases(subspace, 25, Watch()))[-1].steps <= 40


def test_notes_travel_to_the_file_and_back(tmp_path):
    found = ss.sparsest(ss.models.planted(60, 4, 8, seed=0).columns, "sdp")
    found.save(tmp_path / "found.npz")
    again = ss.load(tmp_path / "found.npz")
    assert again.runs == found.runs
    assert again.runs[0].notes["tight"] == 1.0
    assert found.summary()["runs"][0]["notes"] == again.runs[0].notes


def test_a_tolerance_of_one_is_refused():
    with pytest.raises(ss.InvalidInput, match=r"`tol` must lie between 0 and 1, both excluded; got 1\.0"):
        ss.sparsest(np.eye(4), "sdp", tol=1.0)
