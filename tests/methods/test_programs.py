"""The methods made of linear programs, against all vertices of small subspaces."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.errors import RoundingFailed
from sparsespan.methods import Problem, as_method
from sparsespan.methods.anchors import each
from sparsespan.methods.er_spud import pairs
from sparsespan.selection import Shelf
from sparsespan.starts import Points
from sparsespan.watch import Watch


def all_vertices(basis: np.ndarray) -> np.ndarray:
    """Every unit vector of the span with n − 1 independent zeros, as columns: the brute force behind these tests."""
    size, dim = basis.shape
    vectors = []
    for rows in combinations(range(size), dim - 1):
        *_, last = np.linalg.svd(basis[list(rows)])
        vectors.append(basis @ last[-1])
    return np.array(vectors).T


def vertices_of(method: str, subspace: ss.Subspace, **options: object) -> list[ss.Vertex]:
    shelf = Shelf(subspace)
    problem = Problem(subspace, np.random.default_rng(0), Watch(), shelf)
    found = []
    for vertex in as_method(method, options).search(problem):
        shelf.add(vertex)
        found.append(vertex)
    return found


@pytest.fixture(params=range(6))
def small(request) -> ss.Subspace:
    rng = np.random.default_rng(request.param)
    return ss.Subspace.span(rng.standard_normal((11, 3 + request.param % 2)))


def test_l1_linf_reaches_the_smallest_ratio_of_all_vertices(small):
    every = all_vertices(small.basis)
    least = (np.abs(every).sum(axis=0) / np.abs(every).max(axis=0)).min()
    reached = [v.l1 / np.abs(v.vector).max() for v in vertices_of("l1-linf", small, first=False)]
    assert len(reached) == small.size
    assert min(reached) == pytest.approx(least, rel=1e-12)


def test_each_row_program_is_solved(small):
    every = all_vertices(small.basis)
    for row, vertex in enumerate(vertices_of("l1-linf", small, first=False)):
        with np.errstate(divide="ignore"):
            least = (np.abs(every).sum(axis=0) / np.abs(every[row])).min()
        assert vertex.label == f"row {row}"
        assert vertex.l1 / abs(vertex.vector[row]) == pytest.approx(least, rel=1e-9)


def test_each_pair_program_is_solved(small):
    every = all_vertices(small.basis)
    for vertex in vertices_of("er-spud", small):
        first, second = (int(word) for word in vertex.label.split() if word.isdigit())
        with np.errstate(divide="ignore"):
            least = (np.abs(every).sum(axis=0) / np.abs(every[first] + every[second])).min()
        assert vertex.l1 / abs(vertex.vector[first] + vertex.vector[second]) == pytest.approx(least, rel=1e-9)


@pytest.mark.parametrize("method", ["subgradient", "manppa", "irls", "alternating-lp", "trust-region", "sdp"])
def test_the_smallest_norm_of_all_vertices_is_found(method, small):
    """On these sizes some start reaches the global minimum of ‖Yq‖₁, which always is at a vertex."""
    least = np.abs(all_vertices(small.basis)).sum(axis=0).min()
    options = {} if method == "sdp" else {"first": False, "starts": "random"}
    options |= {"width": 0.005} if method == "trust-region" else {}
    reached = min(vertex.l1 for vertex in vertices_of(method, small, **options))
    assert reached == pytest.approx(least, rel=1e-12)


@pytest.mark.parametrize("method", ["subgradient", "manppa", "irls", "alternating-lp"])
def test_local_methods_end_at_strict_local_minima(method):
    subspace = ss.Subspace.span(np.random.default_rng(8).standard_normal((70, 7)))
    starts = np.random.default_rng(9).standard_normal((7, 6))
    for vertex in vertices_of(method, subspace, starts=starts):
        shelf = Shelf(subspace)
        shelf.add(vertex)
        assert ss.certificates.certify(subspace, vertex).locally_optimal


def test_pairs_use_every_row_once_and_are_rows_where_sums_vanish():
    subspace = ss.Subspace.span(np.random.default_rng(1).standard_normal((10, 3)))
    points = pairs(subspace, np.random.default_rng(2))
    rows = sorted(int(word) for label in points.labels for word in label.split() if word.isdigit())
    assert rows == list(range(10))
    opposite = ss.Subspace.span(np.array([[1.0], [-1.0]]))
    assert pairs(opposite, np.random.default_rng(0)).labels == ["row 0", "row 1"]


def test_er_spud_finds_every_row_of_a_dictionary_and_returns_the_sparsest():
    hidden = ss.models.dictionary(200, 6, 40, seed=3)
    subspace = ss.Subspace.rows(hidden.columns.T)
    vertices = vertices_of("er-spud", subspace)
    cosines = np.abs(hidden.truth.T @ np.array([v.vector for v in vertices]).T)
    assert (cosines.max(axis=1) > 1 - 1e-12).all()
    found = ss.sparsest(subspace, "er-spud")
    assert found.support.size == np.count_nonzero(hidden.truth, axis=0).min()


def test_a_share_of_the_rows_is_drawn_from_the_seed():
    subspace = ss.Subspace.span(np.random.default_rng(1).standard_normal((40, 4)))
    vertices = vertices_of("l1-linf", subspace, share=0.25, first=False)
    assert len({vertex.label for vertex in vertices}) == 10
    assert vertices_of("l1-linf", subspace, share=0.25, first=False)[0].label == vertices[0].label


def test_the_first_certified_vector_ends_the_programs():
    hidden = ss.models.planted(120, 6, 20, "gaussian", seed=5)
    subspace = ss.Subspace.span(hidden.columns)
    early, late = (vertices_of("l1-linf", subspace, first=first) for first in (True, False))
    assert len(late) == 120
    assert len(early) < 60
    assert early[-1].zeros >= 6
    assert all(vertex.zeros < 6 for vertex in early[:-1])


def test_one_failed_program_costs_one_anchor_and_all_failed_is_an_error():
    subspace = ss.Subspace.span(np.random.default_rng(1).standard_normal((12, 3)))
    problem = Problem(subspace, np.random.default_rng(0), Watch(), Shelf(subspace))
    points = Points(np.eye(3), ["a", "b", "c"])

    def fails(point: np.ndarray) -> ss.Vertex:
        msg = "no solver"
        raise RoundingFailed(msg)

    def fails_once(point: np.ndarray) -> ss.Vertex:
        return fails(point) if point[1] == 1 else ss.round_to_vertex(subspace, point)

    assert [v.label for v in each(problem, points, fails_once, "program", first=False)] == ["a", "c"]
    with pytest.raises(RoundingFailed, match="no solver"):
        list(each(problem, points, fails, "program", first=False))


def test_alternating_programs_fall_and_stop():
    subspace = ss.Subspace.span(np.random.default_rng(4).standard_normal((200, 12)))
    start = np.random.default_rng(5).standard_normal((12, 1))
    (limited,) = vertices_of("alternating-lp", subspace, starts=start, max_iter=1)
    (ended,) = vertices_of("alternating-lp", subspace, starts=start)
    assert limited.steps == 1
    assert 2 <= ended.steps < 60
    assert ended.l1 < limited.l1
    assert ss.round_to_vertex(subspace, ended.point).l1 == pytest.approx(ended.l1, rel=1e-12)
