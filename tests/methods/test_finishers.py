"""Proximal points, reweighting and subgradients: what each step promises, and where it ends."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.methods.irls import reweigh
from sparsespan.methods.manppa import _Step, descend_proximally
from sparsespan.rounding import descend
from sparsespan.starts import Spectral
from sparsespan.watch import Watch

SIZES = [(20, 300), (50, 978), (96, 2191)]  # p = 5 n log n, as in the paper's comparison


def instance(dim: int, size: int) -> tuple[ss.models.Planted, ss.Subspace, np.ndarray]:
    hidden = ss.models.planted(size, dim, round(0.2 * size), "gaussian", seed=1)
    subspace = ss.Subspace.span(hidden.columns)
    return hidden, subspace, np.ascontiguousarray(Spectral().points(subspace, np.random.default_rng()).points[:, 0])


@pytest.mark.parametrize(("dim", "size"), SIZES)
def test_every_finisher_is_exact_from_the_spectral_start(dim, size):
    hidden, subspace, start = instance(dim, size)
    steep, steps = descend(subspace, start)
    assert hidden.error(subspace.vectors(steep)) < 1e-13
    assert steps <= 70
    near, steps = descend_proximally(subspace, start, 0.1, 50, Watch())
    assert hidden.error(subspace.vectors(near)) < 1e-11
    assert steps <= 10
    light, steps = reweigh(subspace, start, 1e-9, 1e-10, 200, Watch())
    assert hidden.error(subspace.vectors(light)) < 1e-8
    assert steps <= 30


def test_a_proximal_step_solves_its_subproblem():
    """Optimality of min_d ½‖d‖² + t‖Y(q + d)‖₁, qᵀd = 0, as a nonexpansive fixed point, and against cvxpy."""
    rng = np.random.default_rng(0)
    subspace = ss.Subspace.span(rng.standard_normal((40, 5)))
    point = rng.standard_normal(5)
    point /= np.linalg.norm(point)
    step = _Step(subspace, point, subspace.vectors(point), 0.2, np.zeros(5), np.zeros(40))
    move = step.solve()
    assert abs(point @ move) < 1e-14
    remainder = move + subspace.adjoint(step.multiplier)
    assert np.linalg.norm(remainder - point * (point @ remainder)) < 1e-9
    values = subspace.vectors(point + move)
    away = np.abs(values) > 1e-5
    np.testing.assert_allclose(step.multiplier[away], 0.2 * np.sign(values[away]), atol=1e-12)
    assert np.abs(step.multiplier).max() <= 0.2 + 1e-15
    cvxpy = pytest.importorskip("cvxpy", reason="the oracle cvxpy is not installed")
    other = cvxpy.Variable(5)
    objective = 0.5 * cvxpy.sum_squares(other) + 0.2 * cvxpy.norm1(np.asarray(subspace.basis) @ (point + other))
    cvxpy.Problem(cvxpy.Minimize(objective), [point @ other == 0]).solve(solver="CLARABEL")
    np.testing.assert_allclose(move, other.value, atol=1e-6)


def test_proximal_steps_converge_quadratically():
    """A short weight makes several steps of the way; the one from within reach squares the error, or better."""
    hidden, subspace, start = instance(50, 978)
    errors = [
        hidden.error(subspace.vectors(descend_proximally(subspace, start, 0.003, count, Watch())[0]))
        for count in range(1, 8)
    ]
    assert errors == sorted(errors, reverse=True) or errors[-1] < 1e-12
    assert errors[-1] < 1e-11
    assert any(earlier > 1e-3 and later <= earlier**2 for earlier, later in pairwise(errors))


@pytest.mark.parametrize("finisher", ["manppa", "subgradient"])
def test_the_norm_never_rises(finisher):
    rng = np.random.default_rng(2)
    subspace = ss.Subspace.span(rng.standard_normal((150, 10)))
    point = rng.standard_normal(10)
    point /= np.linalg.norm(point)
    norms = [np.abs(subspace.vectors(point)).sum()]
    for count in range(1, 12):
        if finisher == "manppa":
            moved, _ = descend_proximally(subspace, point, 0.1, count, Watch())
        else:
            moved, _ = descend(subspace, point, count)
        norms.append(np.abs(subspace.vectors(moved)).sum())
    assert all(later <= earlier * (1 + 1e-14) for earlier, later in pairwise(norms))
    assert norms[-1] < norms[0] * 0.98


def test_reweighting_lowers_the_huber_form_of_the_norm():
    rng = np.random.default_rng(2)
    subspace = ss.Subspace.span(rng.standard_normal((150, 10)))
    floor = 1e-2
    knee = floor / math.sqrt(150)
    point = rng.standard_normal(10)
    point /= np.linalg.norm(point)

    def huber(values: np.ndarray) -> float:
        sizes = np.abs(values)
        return float(np.where(sizes > knee, sizes, 0.5 * (sizes**2 / knee + knee)).sum())

    heights = [huber(subspace.vectors(point))]
    for count in range(1, 12):
        moved, steps = reweigh(subspace, point, floor, 1e-12, count, Watch())
        heights.append(huber(subspace.vectors(moved)))
        assert steps <= count
    assert all(later <= earlier * (1 + 1e-14) for earlier, later in pairwise(heights))


def test_a_step_of_reweighting_is_the_smallest_eigenvector():
    subspace = ss.Subspace.span(np.random.default_rng(3).standard_normal((50, 4)))
    point = np.array([1.0, 0.0, 0.0, 0.0])
    moved, _ = reweigh(subspace, point, 1e-6, 1e-12, 1, Watch())
    weights = 1.0 / np.maximum(np.abs(subspace.vectors(point)), 1e-6 / math.sqrt(50))

    def quotient(other: np.ndarray) -> float:
        return float(weights @ subspace.vectors(other) ** 2 / (other @ other))

    others = np.random.default_rng(4).standard_normal((100, 4))
    assert all(quotient(moved) <= quotient(other) + 1e-12 for other in others)
    assert moved @ point >= 0


@pytest.mark.parametrize("finisher", [descend_proximally, reweigh])
def test_limits_are_looked_at_between_steps(finisher):
    subspace = ss.Subspace.span(np.random.default_rng(3).standard_normal((90, 9)))
    point = np.zeros(9)
    point[0] = 1.0
    stopped = Watch(interrupted=lambda: True)
    if finisher is reweigh:
        assert reweigh(subspace, point, 1e-9, 1e-10, 200, stopped)[1] == 1
    else:
        assert descend_proximally(subspace, point, 0.01, 50, stopped)[1] == 1


def test_ill_conditioned_columns_are_no_obstacle():
    """Hidden behind columns of condition 1e6, with outlying rows: every finisher still ends at the truth."""
    rng = np.random.default_rng(5)
    hidden = ss.models.planted(400, 12, 60, "gaussian", seed=6)
    columns = hidden.columns @ np.diag(np.geomspace(1, 1e-6, 12)) @ rng.standard_normal((12, 12))
    for method in ("subgradient", "manppa", "irls", "alternating-lp", "trust-region"):
        found = ss.sparsest(columns, method)
        assert found.certified, method
        assert hidden.error(found.vector) < 1e-7, method
