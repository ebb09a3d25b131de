"""The free energy at a given overlap, against sampling, and what it says of the searches of this package."""

from __future__ import annotations

import numpy as np
import pytest

from sparsespan import theory
from sparsespan.errors import InvalidInput


@pytest.mark.parametrize(("cosine", "ratio", "theta"), [(0.4, 10.0, 0.5), (0.7, 23.0, 0.7), (0.9, 6.0, 0.3)])
def test_the_potential_is_what_sampling_gives(cosine, ratio, theta):
    """E log Z over rows of the planted model: ω = c·z + √(1 − c²)·s·c for z planted, Z by its definition."""
    rng = np.random.default_rng(1)
    count, spread = 400_000, 1.0 - cosine**2
    planted = np.where(rng.random(count) < theta, rng.standard_normal(count) / np.sqrt(theta), 0.0)
    mean = cosine * (cosine * planted + np.sqrt(spread) * rng.standard_normal(count))
    zero = (1 - theta) * np.exp(-0.5 * mean**2 / spread) / np.sqrt(spread)
    narrowed = 1.0 - (1.0 - theta) * spread
    other = theta**1.5 / np.sqrt(narrowed) * np.exp(0.5 * mean**2 * (1.0 - theta) / narrowed)
    logs = np.log(zero + other)
    wanted = ratio * logs.mean() + 0.5 * (np.log(spread) + cosine**2)
    slack = 4.0 * ratio * logs.std() / np.sqrt(count)
    assert theory.overlap_potential(cosine, ratio, theta) == pytest.approx(wanted, abs=slack)


def test_no_overlap_weighs_nothing():
    assert theory.overlap_potential(1e-4, 10.0, 0.5) == pytest.approx(0.0, abs=1e-7)


def test_more_nonzeros_raise_the_barrier_and_more_rows_lower_it():
    by_share = [theory.search_barrier(10.0, theta)[0] for theta in (0.2, 0.4, 0.5, 0.6, 0.65)]
    by_rows = [theory.search_barrier(ratio, 0.6)[0] for ratio in (8.0, 10.0, 15.0, 25.0)]
    assert by_share == sorted(by_share)
    assert by_rows == sorted(by_rows, reverse=True)


def test_a_vector_with_fewer_zeros_than_dimensions_is_lost():
    assert theory.search_barrier(2.0, 0.6)[1] < 0
    assert theory.search_barrier(10.0, 0.6)[1] > 0


def test_the_hardest_share_is_where_the_barrier_is_as_high_as_allowed():
    share = theory.hardest_share(9.21, 100, 7.0)
    assert 100 * theory.search_barrier(9.21, share)[0] <= 7.0 < 100 * theory.search_barrier(9.21, share + 1 / 128)[0]
    assert theory.hardest_share(1.0, 100, 7.0) < 0.2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: theory.overlap_potential(1.0, 10.0, 0.5), r"`cosine` must lie in \(0, 1\); got 1.0"),
        (lambda: theory.search_barrier(0.5, 0.5), "`ratio` must be finite and at least 1; got 0.5"),
        (lambda: theory.search_barrier(5.0, 0.0), r"`theta` must lie in \(0, 1\]; got 0.0"),
        (lambda: theory.hardest_share(5.0, 0, 7.0), "`dim` must be at least 1; got 0"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
