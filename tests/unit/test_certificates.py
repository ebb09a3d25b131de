from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg
from scipy.optimize import linprog

import sparsespan as ss
from sparsespan.certificates import certify
from sparsespan.result import ACCIDENT, Certificate
from sparsespan.rounding import descend, finish, settle


def generator(seed):
    return np.random.default_rng(seed)


def least_largest_multiplier(subspace, vector, point):
    """Smallest κ over all multipliers, by HiGHS; infinite where there are none."""
    basis, zero = subspace.basis, (vector == 0) & ~subspace.null_rows
    tangent = scipy.linalg.null_space(point[None])
    design = (basis[zero] @ tangent).T
    right = -tangent.T @ (basis.T @ np.sign(vector))
    count = design.shape[1]
    box = np.vstack([np.eye(count), -np.eye(count)])
    answer = linprog(
        np.r_[np.zeros(count), 1.0],
        A_ub=np.hstack([box, -np.ones((2 * count, 1))]),
        b_ub=np.zeros(2 * count),
        A_eq=np.hstack([design, np.zeros((len(design), 1))]),
        b_eq=right,
        bounds=[(None, None)] * count + [(0, None)],
        method="highs",
    )
    return answer.fun if answer.success else math.inf


def slopes(subspace, vector, point, count, seed=0):
    """Directional derivatives of the 1-norm on the sphere in random unit directions."""
    directions = generator(seed).standard_normal((subspace.dim, count))
    directions -= np.outer(point, point @ directions)
    directions /= np.linalg.norm(directions, axis=0)
    change = subspace.basis @ directions
    return np.sign(vector) @ change + np.abs(change[vector == 0]).sum(axis=0)


def structured(kind, rng):
    size, dim = int(rng.integers(9, 25)), int(rng.integers(2, 6))
    dense = rng.standard_normal((size, dim))
    return {
        "generic": dense,
        "planted": ss.models.planted(size, dim, 3, "gaussian", seed=int(rng.integers(1000))).columns,
        "integers": rng.integers(-2, 3, (size, dim)) + np.eye(size, dim),
        "signs": rng.choice([-1.0, 1.0], (size, dim)) + 3 * np.eye(size, dim),
        "repeated": np.repeat(dense, 2, axis=0),
        "blocks": scipy.linalg.block_diag(dense, rng.standard_normal((5, 2))),
        "sparse": dense * (rng.random(dense.shape) < 0.5) + np.eye(size, dim),
    }[kind]


KINDS = ["generic", "planted", "integers", "signs", "repeated", "blocks", "sparse"]


def vertices(kind, count=6):
    """Subspaces with a vertex rounded from a random direction, and the best that is found."""
    for seed in range(count):
        rng = generator(seed)
        subspace = ss.Subspace.span(structured(kind, rng))
        for start in (rng.standard_normal(subspace.dim), subspace.basis[0]):
            vertex = ss.round_to_vertex(subspace, start)
            yield subspace, vertex
            yield subspace, finish(subspace, vertex.point)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_certified_is_true(kind):
    seen = 0
    for subspace, vertex in vertices(kind):
        proof, zero = certify(subspace, vertex), vertex.zero
        unit = subspace.basis[zero] / subspace.row_norms[zero, None]
        rank = np.linalg.matrix_rank(unit, tol=1e-8)
        assert proof.zeros == zero.sum() == np.count_nonzero((vertex.vector == 0) & ~subspace.null_rows)
        assert proof.unique == (rank == subspace.dim - 1)
        assert proof.residual == pytest.approx(np.abs(unit @ vertex.point).max(initial=0), abs=1e-15)
        if proof.unique:
            least = least_largest_multiplier(subspace, vertex.vector, vertex.point)
            assert least <= proof.kappa + 1e-9
            assert proof.locally_optimal == (least < 1 - 1e-8)
            if proof.locally_optimal:
                assert 0 < proof.sharpness <= slopes(subspace, vertex.vector, vertex.point, 200).min() + 1e-12
            seen += proof.locally_optimal
    assert seen > 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_strict_local_minimum_lies_below_its_neighbours(kind):
    for subspace, vertex in vertices(kind, 3):
        proof = certify(subspace, vertex)
        if not proof.locally_optimal:
            continue
        steps = generator(1).standard_normal((subspace.dim, 300)) * np.geomspace(1e-9, 1e-4, 300)
        near = vertex.point[:, None] + steps
        near /= np.linalg.norm(near, axis=0)
        angles = np.linalg.norm(near - vertex.point[:, None], axis=0)
        rises = np.abs(subspace.basis @ near).sum(axis=0) - vertex.l1
        assert (rises >= 0.9 * proof.sharpness * angles - vertex.l1 * angles**2 - 1e-14).all()


TIE = np.array([[2.0, 1.0, 1.0, 0.0], [1.0, -1.0, -1.0, 1.0]]).T  # at the first column the slopes are 0 and 2


@pytest.mark.parametrize("blocks", [1, 3])
def test_a_minimum_with_a_flat_direction_is_not_called_strict(blocks):
    columns = scipy.linalg.block_diag(*[TIE] * blocks)
    for seed in range(40):
        subspace = ss.Subspace.span(columns @ generator(seed).standard_normal((2 * blocks, 2 * blocks)))
        point = subspace.basis.T @ columns[:, 0]
        proof = certify(subspace, settle(subspace, point / np.linalg.norm(point)))
        assert proof.unique
        assert proof.kappa == pytest.approx(1, abs=1e-12)
        assert not proof.locally_optimal


def test_a_vertex_that_is_no_minimum_is_not_called_one():
    subspace = ss.Subspace.span(generator(3).standard_normal((40, 4)))
    rows = subspace.basis[[1, 5, 9]]
    point = scipy.linalg.null_space(rows)[:, 0]
    vertex = settle(subspace, point)
    proof = certify(subspace, vertex)
    assert proof.unique
    assert np.flatnonzero(vertex.zero).tolist() == [1, 5, 9]
    assert slopes(subspace, vertex.vector, vertex.point, 5000).min() < 0
    assert proof.kappa > 1
    assert not proof.locally_optimal
    assert proof.sharpness == 0


def test_zeros_that_leave_a_plane_free_make_nothing_unique():
    columns = scipy.linalg.block_diag(generator(0).standard_normal((6, 3)), generator(1).standard_normal((5, 2)))
    subspace = ss.Subspace.span(columns)
    point = subspace.basis.T @ columns[:, 4]
    vertex = settle(subspace, point / np.linalg.norm(point))
    proof = certify(subspace, vertex)
    assert proof.zeros == 6
    assert proof.rank == 3
    assert not proof.unique
    assert not proof.holds
    assert proof.kappa == math.inf


def test_sharpness_of_nearly_dependent_zero_rows_is_no_larger_than_it_is():
    plane = np.array([[1.0, 0.0, 0.0], [1.0, 1e-10, 0.0], [0.0, 0.0, 5.0], [0.0, 1.0, -5.0]])
    subspace = ss.Subspace.span(plane)
    point = scipy.linalg.null_space(subspace.basis[:2])[:, 0]
    proof = certify(subspace, settle(subspace, point))
    smallest = np.linalg.svd(subspace.basis[:2], compute_uv=False)[1]
    assert smallest < 1e-9
    assert proof.sharpness <= smallest


@pytest.mark.parametrize("kind", KINDS)
def test_in_basin_agrees_with_rounding(kind):
    inside = outside = 0
    for subspace, vertex in vertices(kind, 4):
        for seed in range(8):
            step = generator(seed).standard_normal(subspace.dim) * 10.0 ** -generator(seed).integers(0, 3)
            anchor = vertex.point + step
            along = anchor @ vertex.point
            rounded = ss.round_to_vertex(subspace, anchor)
            gain = vertex.l1 / abs(along) - rounded.l1 / abs(anchor @ rounded.point)
            if ss.in_basin(subspace, vertex, anchor):
                assert gain <= 1e-9 * vertex.l1
                inside += 1
            elif vertex.zeros == subspace.dim - 1:
                assert gain > 0
                outside += 1
    assert inside > 0
    assert outside > 0 or kind != "generic"


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1.0, -1.0, 1e300])
def test_in_basin_ignores_length_and_sign_of_the_anchor(scale):
    subspace = ss.Subspace.span(ss.models.planted(60, 4, 9, seed=0).columns)
    vertex = ss.round_to_vertex(subspace, np.ones(4))
    assert ss.in_basin(subspace, vertex, scale * np.ones(4))
    assert not ss.in_basin(subspace, vertex, scale * scipy.linalg.null_space(vertex.point[None])[:, 0])


@pytest.mark.parametrize(
    ("anchor", "message"),
    [
        (np.ones(3), r"`anchor` must have shape \(4,\); got \(3,\)"),
        (np.zeros(4), r"`anchor` must not be the zero vector; got 4 zeros"),
        ([1, 2, np.inf, 4], r"`anchor` must be finite; got 1 NaN or infinite entries, the first inf at \(2,\)"),
        (["a"] * 4, r"`anchor` must hold real numbers; got dtype <U1"),
        (np.ones(4) * 1j, r"`anchor` must be real; got dtype complex128"),
    ],
)
def test_an_anchor_is_a_direction(anchor, message):
    subspace = ss.Subspace.span(ss.models.planted(60, 4, 9, seed=0).columns)
    vertex = ss.round_to_vertex(subspace, np.ones(4))
    with pytest.raises(ss.InvalidInput, match=message):
        ss.in_basin(subspace, vertex, anchor)
    with pytest.raises(ss.InvalidInput, match=message):
        ss.round_to_vertex(subspace, anchor)


@pytest.mark.parametrize(("size", "dim", "residual"), [(3000, 3, 1e-3), (500, 10, 3e-3), (20000, 2, 1e-4)])
def test_chance_bounds_the_frequency_of_accidental_zeros(size, dim, residual):
    rows = generator(0).standard_normal((400, size, dim)) if size < 1000 else None
    counts = []
    for trial in range(400):
        unit = rows[trial] if rows is not None else generator(trial).standard_normal((size, dim))
        counts.append(np.count_nonzero(np.abs(unit[:, 0]) <= residual * np.linalg.norm(unit, axis=1)))
    vertex = ss.round_to_vertex(ss.Subspace.span(generator(1).standard_normal((20, dim))), np.ones(dim))
    for surplus in range(1, 12):
        zero = np.arange(size) < dim - 1 + surplus
        made = replace(vertex, vector=np.zeros(size), zero=zero, residual=residual)
        assert made.chance >= np.mean(np.array(counts) >= surplus)
    assert made.chance < 1


@pytest.mark.parametrize(
    ("size", "dim", "dtype", "condition"),
    [(20000, 5, "f4", 1), (3000, 5, "f2", 1), (5000, 8, "f4", 300), (20000, 5, "f8", 1e10), (2000, 6, "f8", 1)],
)
def test_coarse_zeros_of_a_generic_subspace_are_not_certified(size, dim, dtype, condition):
    columns = np.linalg.qr(generator(0).standard_normal((size, dim)))[0] * np.geomspace(1, 1 / condition, dim)
    columns = columns @ np.linalg.qr(generator(1).standard_normal((dim, dim)))[0]
    found = ss.sparsest(columns.astype(dtype))
    assert not found.certified
    assert found.certificate.chance > ACCIDENT
    assert found.status is ss.Status.GENERIC


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_coarse_zeros_of_a_sparse_vector_are_certified(dtype):
    hidden = ss.models.planted(2000, 6, 200, "gaussian", seed=0)
    found = ss.sparsest(hidden.columns.astype(dtype))
    assert found.certified
    assert found.certificate.zeros >= 1750
    assert found.certificate.chance == 0
    assert hidden.error(found.vector) < 64 * np.finfo(dtype).eps


GOOD = Certificate(5, 20, 4, 1e-16, 1e-13, 1e9, 0.3, 0.5, 1e-16, chance=0.0)


@pytest.mark.parametrize(
    ("change", "claims"),
    [
        ({}, (True, True, True, True)),
        ({"zeros": 4, "chance": 1.0}, (False, True, True, True)),
        ({"chance": 1e-3}, (False, True, True, True)),
        ({"rank": 3, "kappa": math.inf, "gap": math.inf}, (True, False, True, False)),
        ({"residual": 1e-9}, (True, True, False, True)),
        ({"kappa": 1.0}, (True, True, True, False)),
        ({"kappa": 1.0 - 1e-14}, (True, True, True, False)),
        ({"kappa": 0.999, "resolution": 1e-2}, (True, True, True, False)),
        ({"gap": 1e-3}, (True, True, True, False)),
    ],
)
def test_a_certificate_says_what_it_proves(change, claims):
    proof = replace(GOOD, **change)
    assert tuple(proved for proved, _ in proof.statements()) == claims
    assert proof.holds == all(claims[:3])
    assert proof.locally_optimal == claims[3]
    assert [line[:3].strip() for line in str(proof).splitlines()] == ["yes" if claim else "no" for claim in claims]


def test_without_a_word_on_chance_nothing_is_proved():
    assert not Certificate(5, 20, 4, 1e-16, 1e-13, 1e9, 0.3, 0.5, 1e-16).holds
    assert Certificate(1, 0, 0, 0.0, 1e-14, np.inf, 0.0, 0.0, 0.0, forced=True).holds


@pytest.mark.parametrize("columns", [np.array([[1.0], [-2.0], [0.0]]), np.eye(4), generator(2).standard_normal((6, 6))])
def test_where_the_dimension_leaves_no_choice_it_says_so(columns):
    found = ss.sparsest(columns)
    assert found.status is ss.Status.FORCED
    assert found.certificate.forced
    assert found.certified
    assert found.support.size == (1 if columns.shape[1] > 1 else 2)


def test_the_certificate_of_a_planted_vector_is_that_of_its_vertex():
    hidden = ss.models.planted(300, 20, 60, "gaussian", seed=1)
    found = ss.sparsest(hidden.columns)
    subspace = ss.Subspace.span(hidden.columns)
    again = certify(subspace, settle(subspace, descend(subspace, found.point)[0]))
    assert again.zeros == found.certificate.zeros == 240
    assert again.kappa == pytest.approx(found.certificate.kappa, abs=1e-9)
    assert found.certificate.kappa == pytest.approx(
        np.abs(
            np.linalg.lstsq(
                subspace.basis[found.vector == 0].T,
                found.l1 * found.point - subspace.basis.T @ np.sign(found.vector),
                rcond=None,
            )[0]
        ).max(),
        abs=1e-9,
    )
