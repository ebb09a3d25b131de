from __future__ import annotations

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.rounding import settle
from sparsespan.selection import Shelf


def unit(vector):
    return vector / np.linalg.norm(vector)


@pytest.fixture(scope="module")
def generic():
    subspace = ss.Subspace.span(np.random.default_rng(0).standard_normal((60, 5)))
    starts = np.random.default_rng(1).standard_normal((12, 5))
    return subspace, [ss.round_to_vertex(subspace, start) for start in starts]


def test_an_empty_shelf_has_nothing(generic):
    shelf = Shelf(generic[0])
    assert (len(shelf), shelf.best, shelf.sparse, shelf.runs(), shelf.ranked()) == (0, None, 0, (), [])


def test_the_smallest_norm_comes_first_where_nothing_is_sparse(generic):
    subspace, vertices = generic
    shelf = Shelf(subspace)
    for number, vertex in enumerate(vertices):
        shelf.add(vertex.named(f"start {number}", number))
    norms = [run.l1 for run in shelf.runs()]
    assert norms == sorted(norms)
    assert shelf.best.l1 == min(vertex.l1 for vertex in vertices)
    assert len(shelf) == len({round(vertex.l1, 9) for vertex in vertices})
    assert sum(run.multiplicity for run in shelf.runs()) == len(vertices)


def test_the_same_vertex_up_to_sign_is_counted_not_kept_twice(generic):
    subspace, vertices = generic
    shelf = Shelf(subspace)
    assert shelf.add(vertices[0].named("first", 3, 2))
    opposite = ss.round_to_vertex(subspace, -vertices[0].point)
    same = settle(subspace, -vertices[0].point)
    assert opposite.l1 <= vertices[0].l1 + 1e-12
    assert not shelf.add(same.named("again", 9, 5))
    (run,) = shelf.runs()
    assert (run.start, run.steps, run.multiplicity) == ("first", 3, 7)


def test_exactly_sparse_vectors_come_first_the_sparsest_of_them_foremost():
    rng = np.random.default_rng(3)
    columns = rng.standard_normal((200, 4))
    columns[:60, 0] = 0  # 140 ones: few zeros, small norm relative to its nonzeros
    columns[60:, 0] = 1
    columns[40:, 1] = 0  # 40 nonzeros
    subspace = ss.Subspace.span(columns)
    shelf = Shelf(subspace)
    dense, sparse, sparser = (
        settle(subspace, unit(subspace.basis.T @ vector)) for vector in (columns[:, 2], columns[:, 0], columns[:, 1])
    )
    for vertex in (dense, sparse, sparser):
        assert shelf.add(vertex)
    assert [run.zeros for run in shelf.runs()][:2] == [160, 60]
    assert shelf.best is sparser
    assert shelf.sparse == 2
    assert not dense.sparse


def test_points_that_round_to_a_known_vertex_are_absorbed(generic):
    subspace, vertices = generic
    shelf = Shelf(subspace)
    shelf.add(vertices[0])
    near = unit(vertices[0].point + 1e-10)
    assert shelf.absorbs(near, 4)
    assert shelf.absorbs(-near)
    assert shelf.runs()[0].multiplicity == 6
    for seed in range(200):
        point = unit(vertices[0].point + 0.3 * np.random.default_rng(seed).standard_normal(5))
        if shelf.absorbs(point):
            reached = ss.round_to_vertex(subspace, point)
            assert reached.l1 / abs(reached.point @ point) == pytest.approx(
                vertices[0].l1 / abs(vertices[0].point @ point), rel=1e-9
            )
    orthogonal = np.linalg.svd(vertices[0].point[None])[2][-1]
    assert not shelf.absorbs(orthogonal)
