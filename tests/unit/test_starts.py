from __future__ import annotations

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.starts import Given, Mean, Mix, Points, Random, Rows, Spectral, as_starts


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.fixture(scope="module")
def subspace():
    return ss.Subspace.span(ss.models.planted(300, 10, 40, seed=2).columns)


def unit(points):
    return np.allclose(np.linalg.norm(points, axis=0), 1, atol=1e-14)


def test_rows_are_the_normalised_rows_in_order(subspace):
    chosen = Rows().points(subspace, rng())
    np.testing.assert_allclose(chosen.points * subspace.row_norms, subspace.basis.T, atol=1e-16)
    assert chosen.labels[17] == "row 17"
    assert len(chosen) == 300


def test_a_share_of_the_rows_is_drawn_without_replacement_and_seeded(subspace):
    first, again, other = (Rows(share=0.1).points(subspace, rng(seed)) for seed in (4, 4, 5))
    assert len(first) == len(set(first.labels)) == 30
    assert first.labels == again.labels != other.labels
    assert unit(first.points)
    index = [int(label.split()[1]) for label in first.labels]
    assert index == sorted(index)
    np.testing.assert_allclose(first.points, (subspace.basis[index] / subspace.row_norms[index, None]).T)


def test_no_more_rows_than_asked_for(subspace):
    assert len(Rows(most=7).points(subspace, rng())) == 7
    assert len(Rows(share=0.01, most=50).points(subspace, rng())) == 3
    assert len(Rows(most=10**6).points(subspace, rng())) == 300


def test_zero_rows_are_never_a_start():
    columns = np.vstack([np.zeros((3, 4)), rng().standard_normal((9, 4)), np.zeros((2, 4))])
    chosen = Rows().points(ss.Subspace.span(columns), rng())
    assert chosen.labels == [f"row {i}" for i in range(3, 12)]
    assert unit(chosen.points)


def test_random_points_are_unit_and_seeded(subspace):
    first, again = (Random(50).points(subspace, rng(3)) for _ in range(2))
    np.testing.assert_array_equal(first.points, again.points)
    assert first.points.shape == (10, 50)
    assert unit(first.points)
    assert np.linalg.matrix_rank(first.points) == 10


def test_the_mean_start_is_near_a_vector_of_one_sign():
    hidden = ss.models.planted(978, 50, 196, "ones", seed=0)
    subspace = ss.Subspace.span(hidden.columns)
    start = Mean().points(subspace, rng())
    assert start.labels == ["mean"]
    np.testing.assert_allclose(start.points[:, 0] * np.linalg.norm(subspace.basis.sum(axis=0)), subspace.basis.sum(0))
    assert hidden.truth @ (subspace.basis @ start.points[:, 0]) > 0.85


def test_there_is_no_mean_start_where_the_rows_sum_to_zero():
    half = rng().standard_normal((20, 4))
    assert len(Mean().points(ss.Subspace.span(np.vstack([half, -half])), rng())) == 0


def test_spectral_ends_are_eigenvectors_of_the_weighted_gram(subspace):
    n, p, basis = subspace.dim, subspace.size, subspace.basis
    matrix = sum((row @ row - (n - 1) / p) * np.outer(row, row) for row in basis) - 3 / p * np.eye(n)
    values = np.linalg.eigvalsh(matrix)
    start = Spectral().points(subspace, rng())
    rayleigh = np.einsum("ij,ik,kj->j", start.points, matrix, start.points)
    assert sorted(start.labels) == ["spectral lower", "spectral upper"]
    assert abs(rayleigh[0]) >= abs(rayleigh[1])
    np.testing.assert_allclose(sorted(rayleigh), values[[0, -1]], atol=1e-12)


@pytest.mark.parametrize(("values", "end"), [("gaussian", "spectral upper"), ("ones", "spectral upper")])
def test_the_upper_end_points_at_a_very_sparse_vector(values, end):
    hidden = ss.models.planted(978, 50, 60, values, seed=1)
    subspace = ss.Subspace.span(hidden.columns)
    start = Spectral().points(subspace, rng())
    point = start.points[:, start.labels.index(end)]
    assert abs(hidden.truth @ (subspace.basis @ point)) > 0.9


def test_one_dimension_has_one_direction():
    line = ss.Subspace.span(np.array([[1.0], [2.0], [-2.0]]))
    for kind in (Rows(), Random(3), Mean(), Spectral(), Given(np.array([[-4.0]]))):
        np.testing.assert_array_equal(np.abs(kind.points(line, rng()).points), 1.0)


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1.0, 1e300])
def test_given_points_are_normalised_at_any_scale(subspace, scale):
    wanted = np.eye(10)[:, [2, 5]] + np.eye(10)[:, [3, 3]]
    given = Given(wanted * scale).points(subspace, rng())
    np.testing.assert_allclose(given.points, wanted / np.sqrt(2), atol=1e-15)
    assert given.labels == ["given 0", "given 1"]


def test_a_mix_keeps_its_order_and_each_part_its_own_randomness(subspace):
    mixed = Mix((Random(3), Rows(most=4))).points(subspace, rng(8))
    assert [label.split()[0] for label in mixed.labels] == ["random"] * 3 + ["row"] * 4
    longer = Mix((Random(9), Rows(most=4))).points(subspace, rng(8))
    assert longer.labels[9:] == mixed.labels[3:]


def test_names_values_arrays_and_sequences_become_starts():
    assert as_starts("rows") == Rows()
    assert as_starts(Random(5)) == Random(5)
    assert as_starts(["mean", Random(5)]) == Mix((Mean(), Random(5)))
    assert as_starts(("rows",)) == Mix((Rows(),))
    assert isinstance(as_starts([[1.0, 0.0], [0.0, 1.0]]), Given)
    assert isinstance(as_starts(Points(np.eye(2), ["a", "b"])), Given)
    nested = as_starts([["rows", "mean"], Random(5)])
    assert nested == Mix((Mix((Rows(), Mean())), Random(5)))


def test_picked_points_keep_their_names(subspace):
    picked = Rows().points(subspace, rng()).pick([5, 2])
    assert picked.labels == ["row 5", "row 2"]
    assert picked.points.shape == (10, 2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Rows(share=0), r"`share` must lie in \(0, 1\]; got 0. Use 0.1"),
        (lambda: Rows(share=1.5), r"`share` must lie in \(0, 1\]; got 1.5"),
        (lambda: Rows(share=float("nan")), "`share` must lie in .*; got nan"),
        (lambda: Rows(share="half"), "`share` must lie in .*; got 'half'"),
        (lambda: Rows(most=0), "`most` must be an integer of at least 1; got 0. Use None for no limit."),
        (lambda: Rows(most=2.5), "`most` must be an integer of at least 1; got 2.5"),
        (lambda: Random(0), "`count` must be an integer of at least 1; got 0. Use a few dozen."),
        (lambda: Random(True), "`count` must be an integer of at least 1; got True"),
        (lambda: Random("many"), "`count` must be an integer of at least 1; got 'many'"),
        (
            lambda: Mix(()),
            r"`parts` must be a sequence of starts, at least one; got \(\). Use \(Rows\(\), Random\(\)\).",
        ),
        (lambda: Mix(Rows()), "`parts` must be a sequence of starts"),
        (lambda: as_starts("row"), "`starts` must be one of cloud, mean, random, rows, spectral, subsets; got 'row'"),
        (lambda: as_starts([]), r"`starts` must be two-dimensional; got shape \(0,\)"),
        (lambda: as_starts(Rows), "`starts` must hold real numbers; got dtype object"),
        (lambda: as_starts(["rows", 3]), "`starts` must be two-dimensional"),
        (lambda: as_starts(None), "`starts` must hold real numbers"),
        (lambda: as_starts([[np.nan]]), "`starts` must be finite; got 1 NaN"),
    ],
)
def test_what_is_no_start_is_refused(make, message):
    with pytest.raises(ss.InvalidInput, match=message):
        make()


@pytest.mark.parametrize("columns", [np.ones((9, 2)), np.zeros((10, 2)), np.eye(10)[:, :2] * [1, 0]])
def test_given_points_must_be_nonzero_coordinates(subspace, columns):
    with pytest.raises(ss.InvalidInput, match="`starts` must hold nonzero columns of 10 coordinates each; got shape"):
        Given(columns).points(subspace, rng())
