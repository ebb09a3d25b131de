"""Beyond the reach of the paper's algorithm: every part of the portfolio on what it is there for."""

from __future__ import annotations

import numpy as np
import pytest

import sparsespan as ss

from_the_lattice = pytest.mark.parametrize("values", ["ones", "signs"])


def stage_of(found):
    return found.runs[0].stage


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9])
@pytest.mark.parametrize(("dim", "size"), [(20, 120), (20, 300), (50, 391), (50, 978)])
def test_ones_far_beyond_the_l1_limit(dim, size, share):
    hidden = ss.models.planted(size, dim, round(share * size), "ones", seed=1)
    found = ss.sparsest(hidden.columns)
    assert found.certified
    assert hidden.error(found.vector) <= 1e-10


@from_the_lattice
@pytest.mark.parametrize(("dim", "size"), [(20, 30), (20, 40), (50, 100)])
@pytest.mark.parametrize("share", [0.2, 0.6, 0.9])
def test_whole_numbers_from_hardly_more_rows_than_columns(dim, size, share, values):
    pytest.importorskip("flint", reason="the lattice needs python-flint")
    hidden = ss.models.planted(size, dim, round(share * size), values, seed=4)
    found = ss.sparsest(hidden.columns)
    assert found.certified
    assert hidden.error(found.vector) <= 1e-10
    if np.count_nonzero(hidden.truth) > size - dim:  # fewer zeros than a generic vector has: its numbers prove it
        assert found.status is ss.Status.WHOLE
        assert found.certificate.levels == 1
        assert not found.certificate.sparse


def test_mostly_one_value_by_adding_the_constant():
    hidden = ss.models.planted(978, 50, 880, "ones", seed=0)
    found = ss.sparsest(hidden.columns, "offset")
    assert found.certified
    assert hidden.error(found.vector) <= 1e-12


@pytest.mark.parametrize("share", [0.5, 0.6])
def test_gaussian_nonzeros_beyond_the_reach_of_single_starts(share):
    hidden = ss.models.planted(978, 50, round(share * 978), "gaussian", seed=2)
    found = ss.sparsest(hidden.columns)
    assert found.certified
    assert hidden.error(found.vector) <= 1e-10


def test_signs_with_light_tails_without_the_lattice():
    hidden = ss.models.planted(2000, 20, 1000, "signs", seed=1)
    found = ss.sparsest(hidden.columns, effort=0)
    assert hidden.error(found.vector) <= 1e-10
    assert stage_of(found) in ("start", "batch", "finish")


def test_effort_zero_leaves_out_what_only_a_certificate_needs():
    columns = np.random.default_rng(0).standard_normal((200, 10))
    tried = [line.split(":")[0] for line in ss.sparsest(columns, effort=0).tried]
    assert tried == ["start", "trimming", "batch", "finish", "small threshold", "second finish"]
    whole = [line.split(":")[0] for line in ss.sparsest(columns).tried]
    assert set(whole) - set(tried) == {"offset", "lattice", "thermal", "hopping", "long thermal"}


def test_what_was_tried_is_told_when_nothing_is_certified():
    found = ss.sparsest(np.random.default_rng(1).standard_normal((80, 12)))
    assert not found.certified
    assert all(": " in line for line in found.tried)
    assert {run.stage for run in found.runs} <= {line.split(":")[0] for line in found.tried}


def test_thermal_motion_reaches_what_the_other_parts_miss():
    """Gaussian nonzeros whose vector is no ℓ¹ minimum any more: the count of zeros still points at it."""
    hidden = ss.models.planted(300, 20, 195, "gaussian", seed=0)
    light = ss.sparsest(hidden.columns, effort=0)
    found = ss.sparsest(hidden.columns)
    assert hidden.error(found.vector) <= 1e-10
    assert found.certified
    assert light.support.size >= found.support.size
