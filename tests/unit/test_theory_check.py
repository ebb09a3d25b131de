from __future__ import annotations

import numpy as np
import pytest

from sparsespan import theory
from sparsespan.errors import InvalidInput
from sparsespan.experiments.theory_check import check_theory


@pytest.mark.parametrize("values", ["ones", "gaussian"])
def test_an_instance_within_the_analysis_agrees_with_it(values):
    found = check_theory(4000, 8, 0.08, values, seed=1, roundings=4)
    assert found.start_best >= found.start_bound == theory.start_bound(0.08, 8)
    assert 0.05 < found.start_share < 0.12  # about θ: the rows where the vector is not zero
    assert found.safe_least >= found.safe_cosine == theory.safe_cosine(0.08)
    assert found.steps is not None
    assert abs(found.steps - found.mean_steps) <= 1
    assert (found.rounded_above, found.rounded_below) == (1.0, 0.0)
    assert found.basin_edge == theory.rounding_basin(0.08, values)


def test_the_gap_nears_its_mean_as_rows_are_added():
    few, many = (check_theory(size, 4, 0.08, seed=0, draws=300, roundings=1) for size in (200, 20_000))
    assert many.gap_deviation < few.gap_deviation / 5  # 1/√p would be 10
    assert many.gap_positive >= few.gap_positive
    assert many.gap_kept <= many.gap_positive
    assert many.gap_least >= -many.gap_deviation


def test_beyond_the_spheres_end_there_are_no_steps_to_count():
    found = check_theory(200, 5, 0.2, roundings=1)
    assert found.far_cosine == 1
    assert found.steps is None
    assert found.mean_steps is None


def test_one_seed_one_answer():
    assert check_theory(100, 4, 0.1, seed=3, roundings=2) == check_theory(100, 4, 0.1, seed=3, roundings=2)
    assert check_theory(100, 4, 0.1, seed=3, roundings=2) != check_theory(100, 4, 0.1, seed=4, roundings=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((10, 1, 0.1), r"`dim` must lie between 2 and `size` = 10; got 1"),
        ((10, 11, 0.1), r"`dim` must lie between 2 and `size` = 10; got 11"),
        ((10, 3, 1e-9), r"`theta` must leave at least one nonzero; got none among 10 entries"),
        ((10, 3, -1.0), r"`theta` must lie in \(0, 1\]; got -1.0"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(InvalidInput, match=message):
        check_theory(*arguments)


def test_counts_are_plain_numbers():
    found = check_theory(200, 4, 0.1, roundings=1)
    numbers = [getattr(found, name) for name in found.__slots__ if name not in ("values", "steps", "mean_steps")]
    assert all(type(number) in (int, float) for number in numbers)
    assert all(np.isfinite(numbers))
