"""The trust region against pymanopt, its derivatives against differences, its inner solver against linear algebra."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.methods.trust_region import Smooth, climb_down, steihaug
from sparsespan.watch import Watch

WIDTH = 0.02


@pytest.fixture
def subspace() -> ss.Subspace:
    return ss.Subspace.span(ss.models.planted(200, 8, 40, "gaussian", seed=4).columns)


def unit(seed: int, dim: int = 8) -> np.ndarray:
    point = np.random.default_rng(seed).standard_normal(dim)
    return point / np.linalg.norm(point)


def tangent(point: np.ndarray, seed: int) -> np.ndarray:
    direction = unit(seed)
    direction -= point * (point @ direction)
    return direction / np.linalg.norm(direction)


def test_value_is_log_cosh_also_where_cosh_overflows(subspace):
    point = unit(0)
    values = subspace.vectors(point)
    assert Smooth.at(subspace, point, WIDTH).value == pytest.approx((WIDTH * np.log(np.cosh(values / WIDTH))).sum())
    tiny = Smooth.at(subspace, point, 1e-9)
    assert tiny.value == pytest.approx(np.abs(values).sum(), rel=1e-6)


def test_gradient_and_hessian_are_the_derivatives_along_geodesics(subspace):
    point = unit(0)
    model = Smooth.at(subspace, point, WIDTH)
    for seed in range(1, 5):
        direction, step = tangent(point, seed), 1e-4
        ahead, behind = (
            Smooth.at(subspace, np.cos(step) * point + sign * np.sin(step) * direction, WIDTH).value for sign in (1, -1)
        )
        assert model.slope @ direction == pytest.approx((ahead - behind) / (2 * step), rel=1e-5, abs=1e-7)
        curvature = (ahead - 2 * model.value + behind) / step**2
        assert direction @ model.hessian(direction) == pytest.approx(curvature, rel=1e-4, abs=1e-4)
    assert abs(point @ model.slope) < 1e-13
    assert abs(point @ model.hessian(tangent(point, 1))) < 1e-12


def test_steihaug_solves_the_newton_equation_where_the_region_is_wide(subspace):
    model, _ = climb_down(subspace, unit(3), WIDTH, 1e-3, 100, Watch())
    step, image = steihaug(model, 1e6, 200)
    basis = np.linalg.svd(model.point[None])[2][1:].T  # of the tangent space
    hessian = basis.T @ np.array([model.hessian(column) for column in basis.T]).T
    assert np.linalg.eigvalsh(hessian)[0] > 0
    exact = -basis @ np.linalg.solve(hessian, basis.T @ model.slope)
    np.testing.assert_allclose(step, exact, rtol=0.15, atol=0.02 * np.linalg.norm(exact))
    np.testing.assert_allclose(image, model.hessian(step), atol=1e-9)


def test_steihaug_goes_to_the_border_along_negative_curvature(subspace):
    model = Smooth.at(subspace, unit(0), WIDTH)
    step, image = steihaug(model, 1e-3, 200)
    assert np.linalg.norm(step) == pytest.approx(1e-3, rel=1e-9)
    assert model.slope @ step + 0.5 * step @ image < 0
    np.testing.assert_allclose(image, model.hessian(step), atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_end_is_that_of_pymanopt(subspace, seed):
    pymanopt = pytest.importorskip("pymanopt", reason="the oracle pymanopt is not installed")
    from pymanopt.manifolds import Sphere
    from pymanopt.optimizers import TrustRegions

    basis, manifold = np.asarray(subspace.basis), Sphere(8)
    start, _ = climb_down(subspace, unit(seed), WIDTH, 1e-1, 5, Watch())  # near one valley, so that both take it

    @pymanopt.function.numpy(manifold)
    def cost(q):
        return float((WIDTH * np.log(np.cosh(basis @ q / WIDTH))).sum())

    @pymanopt.function.numpy(manifold)
    def gradient(q):
        return basis.T @ np.tanh(basis @ q / WIDTH)

    @pymanopt.function.numpy(manifold)
    def hessian(q, v):
        return basis.T @ ((1 - np.tanh(basis @ q / WIDTH) ** 2) / WIDTH * (basis @ v))

    problem = pymanopt.Problem(manifold, cost, euclidean_gradient=gradient, euclidean_hessian=hessian)
    theirs = TrustRegions(min_gradient_norm=1e-10, verbosity=0).run(problem, initial_point=start.point)
    ours, steps = climb_down(subspace, start.point, WIDTH, 1e-12, 300, Watch())
    assert steps < 60
    assert np.linalg.norm(ours.slope) < 1e-9
    assert ours.value == pytest.approx(theirs.cost, rel=1e-12)
    np.testing.assert_allclose(ours.point, theirs.point, atol=1e-7)


def test_the_value_never_rises_and_the_end_is_of_second_order(subspace):
    values = [climb_down(subspace, unit(6), WIDTH, 1e-10, count, Watch())[0].value for count in range(0, 30, 3)]
    assert all(later <= earlier + 1e-12 for earlier, later in pairwise(values))
    model, _ = climb_down(subspace, unit(6), WIDTH, 1e-10, 300, Watch())
    basis = np.linalg.svd(model.point[None])[2][1:].T
    hessian = basis.T @ np.array([model.hessian(column) for column in basis.T]).T
    assert np.linalg.eigvalsh(hessian)[0] > -1e-8


def test_limits_are_looked_at_between_steps(subspace):
    assert climb_down(subspace, unit(6), WIDTH, 1e-10, 300, Watch(interrupted=lambda: True))[1] == 0
    assert climb_down(subspace, unit(6), WIDTH, 1e-14, 3, Watch())[1] == 3
