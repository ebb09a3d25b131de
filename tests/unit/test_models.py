from __future__ import annotations

import numpy as np
import pytest

import sparsespan as ss

VALUES = ["ones", "signs", "gaussian"]


@pytest.mark.parametrize("values", VALUES)
def test_planted_truth_is_sparse_unit_and_in_the_span(values):
    hidden = ss.models.planted(300, 20, 60, values, seed=4)
    assert np.count_nonzero(hidden.truth) == 60
    assert np.linalg.norm(hidden.truth) == pytest.approx(1, abs=1e-15)
    assert hidden.truth[np.abs(hidden.truth).argmax()] > 0
    inside = np.linalg.lstsq(hidden.columns, hidden.truth, rcond=None)[0]
    np.testing.assert_allclose(hidden.columns @ inside, hidden.truth, atol=1e-14)
    assert np.linalg.matrix_rank(hidden.columns) == 20


def test_planted_values_are_as_named():
    ones, signs, gaussian = (ss.models.planted(500, 5, 200, values, seed=1).truth for values in VALUES)
    assert np.unique(ones).size == 2
    assert np.unique(np.abs(signs)).size == 2
    assert {-1.0, 0.0, 1.0} == set(np.sign(signs))
    assert np.unique(gaussian).size == 201


def test_the_other_columns_are_generic_and_the_basis_hides_the_vector():
    hidden = ss.models.planted(2000, 10, 100, seed=3)
    assert np.count_nonzero(hidden.columns) == hidden.columns.size
    scales = np.linalg.svd(hidden.columns, compute_uv=False)
    np.testing.assert_allclose(scales, 1, atol=0.3)


@pytest.mark.parametrize("values", VALUES)
def test_dictionary_truths_span_the_columns(values):
    hidden = ss.models.dictionary(200, 6, 20, values, seed=2)
    assert hidden.truth.shape == (200, 6)
    np.testing.assert_allclose(np.linalg.norm(hidden.truth, axis=0), 1, atol=1e-15)
    assert (hidden.truth[np.abs(hidden.truth).argmax(axis=0), np.arange(6)] > 0).all()
    assert np.linalg.matrix_rank(np.hstack([hidden.columns, hidden.truth])) == 6
    nonzeros = np.count_nonzero(hidden.truth, axis=0)
    assert nonzeros.sum() == pytest.approx(120, abs=50)


def test_a_dictionary_atom_is_never_empty():
    hidden = ss.models.dictionary(30, 20, 1, seed=0)
    assert np.count_nonzero(hidden.truth, axis=0).min() >= 1
    assert np.isfinite(hidden.columns).all()


@pytest.mark.parametrize("make", [ss.models.planted, ss.models.dictionary])
def test_one_seed_one_instance(make):
    first, again, other = (make(60, 4, 10, seed=seed) for seed in (7, 7, 8))
    np.testing.assert_array_equal(first.columns, again.columns)
    np.testing.assert_array_equal(first.truth, again.truth)
    assert not np.array_equal(first.columns, other.columns)


@pytest.mark.parametrize("make", [ss.models.planted, ss.models.dictionary])
def test_error_is_the_distance_up_to_sign(make):
    hidden = make(60, 4, 10, seed=7)
    truth = hidden.truth if hidden.truth.ndim == 1 else hidden.truth[:, 2]
    assert hidden.error(truth) == hidden.error(-truth) == pytest.approx(0, abs=1e-7)
    orthogonal = np.linalg.qr(np.column_stack([np.atleast_2d(hidden.truth.T).T, np.arange(60.0)]))[0][:, -1]
    assert hidden.error(orthogonal) == pytest.approx(np.sqrt(2))


def test_arrays_are_read_only():
    hidden = ss.models.planted(20, 3, 4, seed=0)
    for array in (hidden.columns, hidden.truth):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize("size", [1, 2, 7])
def test_the_whole_space_may_be_asked_for(size):
    assert ss.models.planted(size, size, 1, seed=0).columns.shape == (size, size)


@pytest.mark.parametrize("make", [ss.models.planted, ss.models.dictionary])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dim": 6}, "`dim` must lie between 1 and `size` = 5; got 6"),
        ({"dim": 0}, "`dim` must be an integer of at least 1; got 0"),
        ({"dim": 2.0}, "`dim` must be an integer of at least 1; got 2.0"),
        ({"size": "five"}, "`size` must be an integer of at least 1; got 'five'"),
        ({"nonzeros": 9}, "`nonzeros` must lie between 1 and `size` = 5; got 9"),
        ({"nonzeros": 0}, "`nonzeros` must .*; got 0"),
        ({"nonzeros": None}, "`nonzeros` must .*; got None"),
        ({"values": "twos"}, "`values` must be 'ones', 'signs' or 'gaussian'; got 'twos'"),
        ({"seed": -1}, "`seed` must be a non-negative integer or None; got -1"),
    ],
)
def test_impossible_instances_are_refused(make, change, message):
    with pytest.raises(ss.InvalidInput, match=message):
        make(**({"size": 5, "dim": 2, "nonzeros": 2} | change))


def test_the_count_of_planted_nonzeros_is_an_integer_that_of_a_dictionary_an_expectation():
    with pytest.raises(ss.InvalidInput, match=r"`nonzeros` must be an integer of at least 1; got 2.5"):
        ss.models.planted(5, 2, 2.5)
    assert ss.models.dictionary(5, 2, 2.5, seed=0).truth.shape == (5, 2)
