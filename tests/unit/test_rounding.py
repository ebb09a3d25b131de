from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.fft
import scipy.linalg
from scipy.optimize import linprog

import sparsespan as ss
from sparsespan.rounding import (
    approach,
    complete,
    descend,
    finish,
    is_finished,
    multipliers,
    program,
    round_to_vertex,
    settle,
    trim,
)
from sparsespan.rounding.corner import to_corner
from sparsespan.rounding.face import Face
from sparsespan.rounding.finish import walk
from sparsespan.rounding.frisch_newton import frisch_newton, interior_solutions
from sparsespan.rounding.highs import dual_simplex
from sparsespan.rounding.newton import newton


def random(seed):
    return np.random.default_rng(seed)


def unit(vector):
    return vector / np.linalg.norm(vector)


def generic(size, dim, seed=0):
    return ss.Subspace.span(random(seed).standard_normal((size, dim)))


def primal_value(basis, anchor):
    """Value of min ‖Yq‖₁ s.t. ⟨r, q⟩ = 1 by HiGHS on the primal, written with bounds on the entries."""
    size, dim = basis.shape
    above = np.hstack([np.vstack([basis, -basis]), np.vstack([-np.eye(size)] * 2)])
    answer = linprog(
        np.r_[np.zeros(dim), np.ones(size)],
        A_ub=above,
        b_ub=np.zeros(2 * size),
        A_eq=np.r_[anchor, np.zeros(size)][None],
        b_eq=[1.0],
        bounds=[(None, None)] * dim + [(0, None)] * size,
        method="highs",
    )
    assert answer.success
    return answer.fun


def value(vertex, anchor):
    return vertex.l1 / abs(anchor @ vertex.point)


def least_vertex_value(basis, anchor):
    """The same value by trying all (n−1)-subsets of the rows."""
    best = np.inf
    for rows in itertools.combinations(range(len(basis)), basis.shape[1] - 1):
        _, sizes, directions = np.linalg.svd(basis[list(rows)])
        along = anchor @ directions[-1]
        if sizes[-1] > 1e-10 and abs(along) > 1e-12:
            best = min(best, np.abs(basis @ directions[-1]).sum() / abs(along))
    return best


STRUCTURED = {
    "generic": lambda rng: rng.standard_normal((40, 5)),
    "square": lambda rng: rng.standard_normal((6, 6)),
    "one more row": lambda rng: rng.standard_normal((7, 6)),
    "signs": lambda rng: rng.choice([-1.0, 1.0], (30, 4)),
    "small integers": lambda rng: rng.integers(-1, 2, (40, 5)) + np.eye(40, 5),
    "repeated rows": lambda rng: np.repeat(rng.standard_normal((8, 4)), 5, axis=0),
    "parallel rows": lambda rng: np.repeat(rng.standard_normal((8, 4)), 5, axis=0) * rng.standard_normal((40, 1)),
    "blocks": lambda rng: scipy.linalg.block_diag(*[rng.standard_normal((6, 2)) for _ in range(3)]),
    "sparse": lambda rng: rng.standard_normal((40, 5)) * (rng.random((40, 5)) < 0.3) + np.eye(40, 5),
    "zero rows": lambda rng: np.vstack([np.zeros((5, 4)), rng.standard_normal((20, 4))]),
    "rows of all sizes": lambda rng: rng.standard_normal((40, 4)) * 10.0 ** rng.integers(-3, 4, (40, 1)),
    "smooth": lambda rng: scipy.fft.dct(np.eye(38), norm="ortho")[:, :5],
    "polynomials": lambda rng: np.linspace(-1, 1, 57)[:, None] ** np.arange(6),
    "Hadamard": lambda rng: scipy.linalg.hadamard(32)[:, rng.choice(32, 6, replace=False)],
    "lattice": lambda rng: np.array(np.meshgrid(*[np.arange(-1.0, 2.0)] * 3)).reshape(3, -1).T,
    "unit vectors": lambda rng: np.eye(5)[rng.integers(0, 5, 40)] + np.eye(40, 5),
    "planted": lambda rng: ss.models.planted(60, 5, 12, "ones", seed=int(rng.integers(99))).columns,
}


@pytest.fixture(params=STRUCTURED)
def subspaces(request):
    return [ss.Subspace.span(STRUCTURED[request.param](random(seed))) for seed in range(4)]


def test_rounding_is_optimal_by_the_word_of_another_solver(subspaces):
    for seed, subspace in enumerate(subspaces):
        live = np.flatnonzero(~subspace.null_rows)
        for anchor in (random(seed).standard_normal(subspace.dim), subspace.basis[live[0]], np.eye(subspace.dim)[0]):
            anchor = unit(anchor)
            vertex = ss.round_to_vertex(subspace, anchor)
            assert value(vertex, anchor) == pytest.approx(primal_value(subspace.basis, anchor), rel=1e-7)
            assert 0 <= vertex.gap <= 1e-10
            assert vertex.zeros >= subspace.dim - 1
            assert vertex.residual <= subspace.resolution


def test_rounding_is_optimal_among_all_vertices():
    for seed in range(6):
        subspace = ss.Subspace.span(random(seed).integers(-2, 3, (11, 4)) + np.eye(11, 4))
        for anchor in random(seed).standard_normal((3, 4)):
            vertex = ss.round_to_vertex(subspace, anchor)
            assert value(vertex, anchor) == pytest.approx(least_vertex_value(subspace.basis, anchor), rel=1e-10)


def test_a_vertex_is_what_it_says(subspaces):
    for subspace in subspaces:
        vertex = ss.round_to_vertex(subspace, random(1).standard_normal(subspace.dim))
        assert np.linalg.norm(vertex.point) == pytest.approx(1, abs=1e-14)
        assert np.linalg.norm(vertex.vector) == pytest.approx(1, abs=1e-14)
        assert vertex.l1 == pytest.approx(np.abs(vertex.vector).sum(), rel=1e-14)
        assert vertex.nonzeros == np.count_nonzero(vertex.vector)
        np.testing.assert_allclose(subspace.basis @ vertex.point, vertex.vector, atol=1e-12)
        assert not (vertex.zero & subspace.null_rows).any()
        for array in (vertex.point, vertex.vector, vertex.zero):
            assert not array.flags.writeable


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1.0, 1e300, -1.0])
def test_length_and_sign_of_the_anchor_play_no_role(scale):
    subspace, anchor = generic(50, 6), np.array([1.0, -2.0, 3.0, 0.5, 1.0, 1.0])
    vertex, plain = ss.round_to_vertex(subspace, anchor * scale), ss.round_to_vertex(subspace, anchor)
    assert abs(vertex.point @ plain.point) == pytest.approx(1, abs=1e-6 if scale == 1e-320 else 1e-12)


def test_rounding_in_one_dimension():
    subspace = ss.Subspace.span(np.array([[3.0], [0.0], [-4.0]]))
    vertex = ss.round_to_vertex(subspace, [-2.0])
    np.testing.assert_allclose(np.abs(vertex.vector), [0.6, 0, 0.8], atol=1e-15)
    assert vertex.gap == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("precision", ["f2", "f4"])
def test_coarse_columns_round_to_their_resolution(precision):
    subspace = ss.Subspace.span(random(0).standard_normal((3000, 4)).astype(precision))
    for seed in range(3):
        anchor = unit(random(seed).standard_normal(4))
        vertex = ss.round_to_vertex(subspace, anchor)
        assert vertex.gap <= subspace.resolution
        exact = frisch_newton(subspace.basis, anchor)
        assert value(vertex, anchor) == pytest.approx(np.abs(subspace.basis @ exact.point).sum(), rel=vertex.gap + 1e-8)


# Interior point, simplex, and what happens where they fail.


def test_interior_solutions_are_feasible_and_their_gap_is_true(subspaces):
    for subspace in subspaces:
        basis, anchor = subspace.basis, unit(random(2).standard_normal(subspace.dim))
        optimum = primal_value(basis, anchor)
        for solution in interior_solutions(basis, anchor, (1e-4, 1e-9)):
            assert anchor @ solution.point == pytest.approx(1, abs=1e-10)
            assert np.abs(solution.dual).max() <= 1
            dual_value = anchor @ (basis.T @ solution.dual)
            np.testing.assert_allclose(basis.T @ solution.dual, dual_value * anchor, atol=1e-10)
            primal = np.abs(basis @ solution.point).sum()
            assert dual_value <= optimum * (1 + 1e-9)
            assert optimum <= primal * (1 + 1e-9)
            assert primal - dual_value <= 2 * solution.gap * primal + 1e-12
        assert primal == pytest.approx(optimum, rel=1e-7)


def test_interior_solutions_go_on_where_they_ended():
    basis, anchor = generic(200, 8).basis, unit(np.ones(8))
    loose, tight = interior_solutions(basis, anchor, (1e-3, 1e-10))
    assert loose.gap <= 1e-3
    assert tight.gap <= 1e-10
    assert tight.iterations == frisch_newton(basis, anchor, 1e-10).iterations
    assert loose.iterations < tight.iterations < 30


def test_an_interior_point_that_cannot_reach_its_gap_says_so():
    with pytest.raises(np.linalg.LinAlgError, match=r"relative gap is still .* after 60 iterations"):
        frisch_newton(generic(30, 4).basis, np.ones(4), -1.0)


def test_the_judge_agrees_with_the_interior_point(subspaces):
    for subspace in subspaces:
        anchor = unit(random(3).standard_normal(subspace.dim))
        point, dual = dual_simplex(subspace.basis, anchor)
        assert anchor @ point == pytest.approx(1, abs=1e-9)
        assert np.abs(dual).max() <= 1 + 1e-9
        interior = frisch_newton(subspace.basis, anchor)
        assert np.abs(subspace.basis @ point).sum() == pytest.approx(
            np.abs(subspace.basis @ interior.point).sum(), rel=1e-6
        )


def broken(*args):
    msg = "no"
    raise np.linalg.LinAlgError(msg)


def test_the_judge_decides_where_the_interior_point_breaks_down(monkeypatch, subspaces):
    wanted = [ss.round_to_vertex(s, np.arange(1.0, s.dim + 1)) for s in subspaces]
    monkeypatch.setattr(program, "interior_solutions", broken)
    for subspace, vertex in zip(subspaces, wanted, strict=True):
        again = ss.round_to_vertex(subspace, np.arange(1.0, subspace.dim + 1))
        anchor = unit(np.arange(1.0, subspace.dim + 1))
        assert value(again, anchor) == pytest.approx(value(vertex, anchor), rel=1e-9)


def test_where_nobody_proves_an_answer_none_is_given(monkeypatch):
    subspace = generic(30, 4)
    monkeypatch.setattr(program, "interior_solutions", broken)
    monkeypatch.setattr(program, "dual_simplex", lambda basis, anchor: (basis[0], basis @ anchor))
    with pytest.raises(ss.RoundingFailed, match=r"rounding program of 30 x 4 must be solved to .* 1e-10; got .* HiGHS"):
        ss.round_to_vertex(subspace, np.ones(4))


def test_a_program_the_judge_cannot_solve_is_an_error():
    with pytest.raises(ss.RoundingFailed, match=r"rounding program of 3 x 2 must have a solution; HiGHS says"):
        dual_simplex(np.array([[1.0, np.inf], [1.0, 0.0], [0.0, 1.0]]).clip(max=1e30), np.zeros(2))


def test_the_corner_of_a_face_is_as_good_as_its_middle(subspaces):
    for subspace in subspaces:
        anchor = unit(random(4).standard_normal(subspace.dim))
        middle = unit(frisch_newton(subspace.basis, anchor, 1e-12).point)
        corner = to_corner(subspace, middle, anchor)
        worth = [np.abs(subspace.basis @ q).sum() / abs(anchor @ q) for q in (middle, corner)]
        assert worth[1] == pytest.approx(worth[0], rel=1e-8)
        small = np.abs(subspace.basis @ corner) <= 1e-8 * subspace.row_norms
        assert np.linalg.matrix_rank(subspace.basis[small & ~subspace.null_rows], tol=1e-9) >= subspace.dim - 1


# Multipliers and faces.


def test_multipliers_prove_optimality_and_only_that(subspaces):
    for subspace in subspaces:
        anchor = unit(random(5).standard_normal(subspace.dim))
        vertex = ss.round_to_vertex(subspace, anchor)
        dual = frisch_newton(subspace.basis, anchor, 1e-11).dual
        assert multipliers(subspace, vertex, anchor, dual).gap < 1e-9
        for other in (ss.round_to_vertex(subspace, r) for r in random(6).standard_normal((3, subspace.dim))):
            worse = value(other, anchor) / value(vertex, anchor) - 1
            if worse > 1e-6:
                assert multipliers(subspace, other, anchor).largest > 1
                assert multipliers(subspace, other, anchor, dual).gap > 1e-9


def test_multipliers_are_infinite_where_nothing_is_determined():
    subspace = generic(30, 4)
    loose = settle(subspace, unit(np.ones(4)))
    assert multipliers(subspace, loose, np.ones(4)).gap == np.inf or loose.face is not None
    vertex = ss.round_to_vertex(ss.Subspace.span(np.eye(4)), np.ones(4))
    assert multipliers(ss.Subspace.span(np.eye(4)), vertex, np.roll(vertex.point, 1)).gap == np.inf


@pytest.mark.parametrize("count", [3, 8, 40, 90])
def test_a_face_solves_its_least_squares_problem(count):
    point = unit(random(0).standard_normal(4))
    columns = random(1).standard_normal((100, 4))
    columns[:count] -= np.outer(columns[:count] @ point, point)
    subspace = ss.Subspace.span(columns)
    zero = np.arange(100) < count
    null = scipy.linalg.null_space(subspace.basis[zero])[:, 0]
    face = Face(subspace, zero, null)
    right = random(2).standard_normal(4)
    right -= null * (null @ right)
    values, defect = face.multipliers(right)
    np.testing.assert_allclose(values[zero], np.linalg.lstsq(subspace.basis[zero].T, right, rcond=None)[0], atol=1e-12)
    assert not values[~zero].any()
    assert defect < 1e-13
    near = unit(null + 1e-4 * right)
    moved = near - face.step(near, subspace.basis @ near)
    assert np.abs(subspace.basis[zero] @ unit(moved)).max() < 1e-7
    np.testing.assert_allclose(
        face.least_singular_value(), np.linalg.svd(subspace.basis[zero], compute_uv=False)[2], rtol=1e-7
    )


@pytest.mark.parametrize("rows", [[0], [0, 0, 0], [0, 1, 2, 3, 4, 5]])
def test_rows_that_determine_no_point_make_no_face(rows):
    columns = random(0).standard_normal((30, 3))
    columns[:6] = columns[:1]
    subspace = ss.Subspace.span(columns)
    with pytest.raises(np.linalg.LinAlgError, match="do not determine a point"):
        Face(subspace, np.isin(np.arange(30), rows), unit(np.ones(3)))


# Descent, polish, trimming, walking.


def test_descent_never_rises_and_ends_low():
    for seed in range(5):
        subspace = generic(200, 8, seed)
        point, values = unit(random(seed).standard_normal(8)), []
        for limit in (0, 1, 2, 5, 10, 50, 1000):
            lowered, steps = descend(subspace, point, limit)
            assert steps <= limit
            values.append(np.abs(subspace.vectors(lowered)).sum())
        assert (np.diff(values) <= 0).all()
        assert values[-1] < values[0]
        assert np.linalg.norm(lowered) == pytest.approx(1, abs=1e-12)


def test_newton_ends_near_a_local_minimum_of_a_flat_valley():
    subspace = generic(4000, 5)
    point, steps = newton(subspace, unit(np.ones(5)))
    ended = finish(subspace, point)
    assert steps < 100
    assert np.abs(subspace.vectors(point)).sum() <= ended.l1 * (1 + 1e-3)
    assert np.linalg.norm(point) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("distance", [1e-12, 1e-8, 1e-5, 1e-3])
def test_settling_near_a_vertex_gives_the_vertex(distance):
    hidden = ss.models.planted(300, 20, 60, "ones", seed=1)
    subspace = ss.Subspace.span(hidden.columns)
    exact = subspace.basis.T @ hidden.truth
    vertex = settle(subspace, unit(exact + distance * random(0).standard_normal(20)))
    assert hidden.error(vertex.vector) < 1e-13
    np.testing.assert_array_equal(vertex.zero, hidden.truth == 0)
    assert vertex.sparse


def test_settling_far_from_any_vertex_stays_where_it_is():
    subspace = generic(200, 8)
    for seed in range(10):
        point = unit(random(seed).standard_normal(8))
        vertex = settle(subspace, point)
        assert abs(vertex.point @ point) > 0.98
        assert vertex.l1 <= np.abs(subspace.basis @ point).sum() * (1 + 1e-9)


def test_settling_where_rows_determine_nothing_keeps_the_point():
    columns = np.repeat(random(0).standard_normal((3, 3)), 10, axis=0)
    subspace = ss.Subspace.span(np.vstack([columns, random(1).standard_normal((30, 3))]))
    point = unit(np.linalg.svd(subspace.basis[:1])[2][-1])
    vertex = settle(subspace, point)
    assert vertex.face is None
    np.testing.assert_array_equal(vertex.point, point)
    assert vertex.zeros == 10
    assert not vertex.sparse


def test_trimming_finds_a_sparse_vector_from_afar():
    hidden = ss.models.planted(500, 20, 250, "ones", seed=3)
    subspace = ss.Subspace.span(hidden.columns)
    start = unit(subspace.basis.sum(axis=0))
    vertex = trim(subspace, start)
    assert vertex is not None
    assert hidden.error(vertex.vector) < 1e-12
    assert abs(start @ (subspace.basis.T @ hidden.truth)) < 0.99


def test_trimming_finds_nothing_in_a_generic_subspace():
    for seed in range(5):
        assert trim(generic(100, 6, seed), unit(random(seed).standard_normal(6))) is None


def test_trimming_rows_that_leave_a_plane_free_finds_nothing():
    subspace = ss.Subspace.span(np.vstack([np.repeat(np.eye(4)[:1], 30, axis=0), random(0).standard_normal((9, 4))]))
    point = unit(np.array([1e-9, 1, 1, 1]))
    assert trim(subspace, subspace.basis.T @ (subspace.basis @ point)) is None


def test_walking_descends_to_a_strict_local_minimum():
    for seed in range(5):
        subspace = generic(60, 5, seed)
        start = ss.round_to_vertex(subspace, random(seed).standard_normal(5))
        ended, programs = walk(subspace, start)
        assert ended.l1 <= start.l1 * (1 + 1e-12)
        assert programs >= 1
        assert multipliers(subspace, ended, ended.point).largest < 1
        assert is_finished(subspace, ended)
        assert complete(subspace, ended) is ended


def test_walking_ends_where_rounding_fails(monkeypatch):
    def failing(subspace, anchor):
        msg = "no"
        raise ss.RoundingFailed(msg)

    subspace = generic(60, 5)
    start = settle(subspace, unit(np.ones(5)))
    monkeypatch.setitem(walk.__globals__, "round_to_vertex", failing)
    assert walk(subspace, start) == (start, 1)


def test_finishing_a_mapped_subspace_does_without_programs(tmp_path):
    np.save(tmp_path / "columns.npy", random(0).standard_normal((300, 5)))
    mapped = ss.Subspace.open(tmp_path / "columns.npy", block_rows=40)
    start = unit(np.ones(5))
    vertex = approach(mapped, start)
    assert complete(mapped, vertex) is vertex
    assert vertex.l1 < np.abs(mapped.vectors(start)).sum()


def test_rounding_takes_what_spans_a_subspace():
    columns = np.random.default_rng(0).standard_normal((20, 3))
    space, anchor = ss.Subspace.span(columns), np.array([1.0, 2.0, -1.0])
    np.testing.assert_array_equal(round_to_vertex(columns, anchor).vector, round_to_vertex(space, anchor).vector)
    for odd in (None, "columns", 3.0, columns[:, 0]):
        with pytest.raises(ss.InvalidInput, match="`columns` must"):
            round_to_vertex(odd, anchor)
