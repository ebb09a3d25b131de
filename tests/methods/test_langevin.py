"""Thermal motion: that it samples what it says, that exchanges keep the chains, and what it reaches."""

from __future__ import annotations

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.errors import InvalidInput
from sparsespan.methods.base import Problem
from sparsespan.methods.langevin import Langevin, _Chains
from sparsespan.selection import Shelf
from sparsespan.starts import Random
from sparsespan.watch import Watch


def chains_of(columns, **options):
    subspace = ss.Subspace.of(columns)
    problem = Problem(subspace, np.random.default_rng(0), Watch(), Shelf(subspace))
    return _Chains(problem, Langevin(**options))


def test_points_stay_on_the_sphere_and_velocities_tangent():
    chains = chains_of(np.random.default_rng(0).standard_normal((200, 8)), starts=Random(32))
    for _ in range(50):
        chains.move()
        chains.exchange()
    np.testing.assert_allclose(np.linalg.norm(chains.points, axis=0), 1.0, atol=1e-5)
    assert np.abs((chains.points * chains._speeds).sum(axis=0)).max() < 1e-4


def test_flat_wells_leave_uniform_points_at_temperature_one():
    chains = chains_of(np.random.default_rng(0).standard_normal((100, 10)), starts=Random(64), depth=1e-9)
    squares, speeds = [], []
    for count in range(1500):
        chains.move()
        if count > 200:
            squares.append(chains.points[0] ** 2)
            speeds.append((chains._speeds**2).sum(axis=0))
    assert np.mean(squares) == pytest.approx(0.1, rel=0.15)
    assert np.mean(speeds) == pytest.approx(9.0, rel=0.05)  # one for each tangent direction


def test_wells_draw_points_as_the_density_says():
    """In two dimensions the density along the circle is known: the mean depth of the wells against quadrature."""
    columns = np.random.default_rng(3).standard_normal((40, 2))
    subspace = ss.Subspace.span(columns)
    chains = chains_of(subspace, starts=Random(64), depth=0.5, width=0.5)
    chains._depths[:] = 0.5
    rate = 40 / 0.25 / 8.0
    angles = np.linspace(0, np.pi, 4000, endpoint=False)
    wells = subspace.attract(np.stack([np.cos(angles), np.sin(angles)]), rate).mass
    density = np.exp(0.5 * (wells - wells.max()))
    chains._kicks[:] = 0.75 * 8.0 * rate * 0.5 * chains._times
    met = []
    for count in range(4000):
        chains.move()
        if count > 500:
            met.append(chains.wells.mean())
    assert np.mean(met) == pytest.approx((wells * density).sum() / density.sum(), rel=0.02)


def test_an_exchange_only_changes_places():
    chains = chains_of(np.random.default_rng(0).standard_normal((200, 8)), starts=Random(32))
    chains.move()
    before = chains.points.copy()
    chains.wells = np.arange(32.0)[::-1].copy()
    chains.exchange()
    assert not np.array_equal(chains.points, before)
    np.testing.assert_array_equal(np.sort(chains.points[0]), np.sort(before[0]))


def test_what_is_deep_in_a_valley_moves_to_the_greater_depth():
    chains = chains_of(np.random.default_rng(0).standard_normal((200, 8)), starts=Random(2), depth=1000.0)
    chains.move()
    first = chains.points[:, 0].copy()
    chains.wells = np.array([100.0, 1.0])
    for _ in range(20):  # which pairs are looked at is drawn
        chains.exchange()
        chains.wells = np.array([100.0, 1.0]) if np.array_equal(chains.points[:, 0], first) else np.array([1.0, 100.0])
    np.testing.assert_array_equal(chains.points[:, 1], first)


@pytest.mark.parametrize(("size", "dim", "nonzeros"), [(300, 20, 195), (391, 50, 196), (978, 50, 587)])
def test_it_finds_what_no_descent_finds(size, dim, nonzeros):
    hidden = ss.models.planted(size, dim, nonzeros, "gaussian", seed=2)
    found = ss.sparsest(hidden.columns, "langevin", steps=2000)
    assert found.certified
    assert hidden.error(found.vector) <= 1e-10


def test_it_ends_at_the_deadline_with_a_vector():
    columns = np.random.default_rng(0).standard_normal((400, 30))
    found = ss.sparsest(columns, "langevin", steps=10**7, deadline=0.3)
    assert found.status is ss.Status.DEADLINE
    assert np.isfinite(found.l1)


@pytest.mark.parametrize("options", [{"depth": 0.0}, {"width": -1.0}, {"steps": 0}, {"few": 0}])
def test_options_that_mean_nothing_are_refused(options):
    with pytest.raises(InvalidInput, match=f"`{next(iter(options))}` must"):
        Langevin(**options)
