"""ℓ⁴, FastICA and the spectral start: each step by its formula, both signs of kurtosis, batches."""

from __future__ import annotations

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.methods import Problem, as_method
from sparsespan.methods.alternating import iterate, unit_step
from sparsespan.methods.tails import excess, moment_step
from sparsespan.selection import Shelf
from sparsespan.starts import Points, Random
from sparsespan.watch import Watch


def batch(dim: int, count: int, seed: int = 0) -> np.ndarray:
    points = np.random.default_rng(seed).standard_normal((dim, count))
    return points / np.linalg.norm(points, axis=0)


@pytest.fixture
def subspace() -> ss.Subspace:
    return ss.Subspace.span(ss.models.planted(240, 6, 40, "gaussian", seed=3).columns)


def test_excess_is_the_kurtosis_of_the_entries(subspace):
    points = batch(6, 5)
    values = subspace.vectors(points) * np.sqrt(240)
    np.testing.assert_allclose(excess(subspace, points), (values**4).mean(axis=0) - 3, rtol=1e-12)


def test_a_heavy_step_is_the_power_iteration_and_never_lowers_the_norm(subspace):
    method, points = as_method("l4", {}), batch(6, 20)
    for _ in range(20):
        moved = method.step(subspace, points, "heavy")
        cubes = subspace.basis.T @ (subspace.basis @ points) ** 3
        np.testing.assert_allclose(np.abs((moved * cubes).sum(axis=0)), np.linalg.norm(cubes, axis=0), rtol=1e-12)
        assert (excess(subspace, moved) >= excess(subspace, points) - 1e-12).all()
        points = moved


def test_the_cube_of_fastica_is_the_light_step_and_its_formula(subspace):
    points = batch(6, 8)
    vectors = np.sqrt(240) * subspace.basis
    expected = vectors.T @ (vectors @ points) ** 3 / 240 - 3 * points
    np.testing.assert_allclose(240 * moment_step(subspace, points, 3.0), expected, atol=1e-11)
    cube = as_method("fastica", {"contrast": "cube"}).step(subspace, points, "heavy")
    np.testing.assert_allclose(cube, as_method("l4", {}).step(subspace, points, "light"), atol=1e-14)


def test_the_shrinking_step_of_fastica_is_its_formula(subspace):
    points, level = batch(6, 8), 0.7
    values = np.sqrt(240) * (subspace.basis @ points)
    shrunk = np.sign(values) * np.maximum(np.abs(values) - level, 0)
    expected = subspace.basis.T @ shrunk / np.sqrt(240) - points * (np.abs(values) > level).mean(axis=0)
    expected /= np.linalg.norm(expected, axis=0)
    moved = as_method("fastica", {"factor": level}).step(subspace, points, "light")
    np.testing.assert_allclose(np.abs((moved * expected).sum(axis=0)), 1.0, rtol=1e-12)


def test_steps_keep_the_sign_and_leave_what_vanishes():
    points = batch(4, 3)
    moved = np.column_stack([-2 * points[:, 0], np.zeros(4), points[:, 2]])
    np.testing.assert_allclose(unit_step(points, moved), points)


@pytest.mark.parametrize("method", ["l4", "fastica"])
@pytest.mark.parametrize("share", [0.5, 0.6, 0.8])
def test_light_tails_are_found_where_the_norm_is_larger_than_a_gaussians(method, share):
    """Flat values on more than half of the rows, p/n = 100: ‖x‖₁ is no global minimum, kurtosis finds it."""
    hidden = ss.models.planted(2000, 20, round(share * 2000), "signs", seed=1)
    found = ss.sparsest(hidden.columns, method, tails="light")
    assert found.certified
    assert hidden.error(found.vector) < 1e-12
    if share == 0.8:
        assert found.l1 > np.sqrt(2 / np.pi * 2000)


@pytest.mark.parametrize("options", [{}, {"contrast": "cube"}])
def test_fastica_finds_heavy_tails_with_either_contrast(options):
    hidden = ss.models.planted(978, 50, 196, "gaussian", seed=2)
    found = ss.sparsest(hidden.columns, "fastica", tails="heavy", **options)
    assert hidden.error(found.vector) < 1e-12


def test_only_the_wanted_sign_of_kurtosis_is_finished(subspace):
    method = as_method("fastica", {"tails": "light"})
    problem = Problem(subspace, np.random.default_rng(0), Watch(), Shelf(subspace))
    limits = method.limits(problem, Random(30).points(subspace, np.random.default_rng(1)), "light")
    sizes = excess(subspace, limits.points) if limits.labels else np.zeros(0)
    assert (sizes < 0).all()
    assert (np.diff(sizes) >= 0).all()


def test_a_batch_is_its_columns_one_by_one(subspace):
    """Columns that converge leave the batch; the others must not notice."""
    method = as_method("l4", {})

    def step(points: np.ndarray) -> np.ndarray:
        return method.step(subspace, points, "heavy")

    points = batch(6, 12)
    together = iterate(step, Points(points, [str(i) for i in range(12)]), 1e-9, 300, Watch())
    alone = [iterate(step, Points(points[:, [i]], [str(i)]), 1e-9, 300, Watch()) for i in range(12)]
    assert sum(together.multiplicity) == 12
    for index, label in enumerate(together.labels):
        single = alone[int(label)]
        assert abs(single.points[:, 0] @ together.points[:, index]) == pytest.approx(1.0, abs=1e-12)
        assert abs(int(single.steps[0]) - int(together.steps[index])) <= 1


def test_an_interruption_ends_the_iteration(subspace):
    limits = iterate(lambda q: -q[::-1], Points(batch(6, 3), list("abc")), 1e-9, 300, Watch(interrupted=lambda: True))
    assert (limits.steps == 0).all()


def test_no_tails_at_all_are_refused():
    with pytest.raises(ss.InvalidInput, match=r"`tails` must be 'heavy', 'light' or both; got \(\)"):
        as_method("l4", {"tails": ()})
    with pytest.raises(ss.InvalidInput, match="`tails` must be 'heavy', 'light' or both; got 'fat'"):
        as_method("fastica", {"tails": "fat"})


# ---- spectral --------------------------------------------------------------------------------------------------------


def labels(subspace: ss.Subspace, ends: str) -> list[str]:
    problem = Problem(subspace, np.random.default_rng(0), Watch(), Shelf(subspace))
    return [vertex.label for vertex in as_method("spectral", {"ends": ends}).search(problem)]


def test_the_upper_end_is_hopkins_eigenvector(subspace):
    norms = (subspace.basis**2).sum(axis=1)
    matrix = (subspace.basis * (norms - 6 / 240)[:, None]).T @ subspace.basis
    top = np.linalg.eigh(matrix)[1][:, -1]
    found = ss.sparsest(subspace, "spectral", ends="upper")
    np.testing.assert_allclose(np.abs(found.vector), np.abs(ss.round_to_vertex(subspace, top).vector), atol=1e-13)
    assert found.runs[0].start == "spectral upper"


def test_the_larger_end_is_that_of_the_tails(subspace):
    assert labels(subspace, "larger") == ["spectral upper"]
    assert labels(subspace, "both") == ["spectral upper", "spectral lower"]
    light = ss.Subspace.span(ss.models.planted(2000, 10, 1600, "signs", seed=1).columns)
    assert labels(light, "larger") == ["spectral lower"]
    assert labels(light, "upper") == ["spectral upper"]
