"""Several vectors: orthogonality, independence, the joint sum, files, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.extraction.plane import best_angle
from sparsespan.starts import Spectral


@pytest.fixture(scope="module")
def dictionary() -> ss.models.Dictionary:
    return ss.models.dictionary(400, 8, 60, seed=3)


@pytest.fixture(scope="module")
def generic() -> ss.Subspace:
    return ss.Subspace.span(np.random.default_rng(5).standard_normal((300, 6)))


def test_an_independent_basis_holds_every_vector_of_a_dictionary(dictionary: ss.models.Dictionary) -> None:
    found = ss.sparse_basis(dictionary.columns, 8, orthogonal=False)
    hits = np.abs(dictionary.truth.T @ found.vectors).argmax(axis=0)
    assert sorted(hits.tolist()) == list(range(8))
    assert max(dictionary.error(x.vector) for x in found) < 1e-7
    assert found.certified
    assert found.status is ss.Status.FOUND
    assert [x.support.size for x in found] == sorted(x.support.size for x in found)


def test_deflation_is_orthogonal_and_every_vector_is_the_best_of_what_is_left(generic: ss.Subspace) -> None:
    found = ss.sparse_basis(generic, 4)
    assert np.allclose(found.vectors.T @ found.vectors, np.eye(4), atol=1e-13)
    assert np.allclose(generic.basis @ found.points, found.vectors, atol=1e-13)
    assert [x.certificate.dim for x in found] == [6, 5, 4, 3]
    assert [x.certificate.zeros for x in found] == [5, 4, 3, 2]
    assert all(x.certificate.locally_optimal for x in found)
    assert [x.l1 for x in found] == sorted(x.l1 for x in found)
    assert found[0].l1 == pytest.approx(ss.sparsest(generic).l1, rel=1e-12)


def test_the_first_vectors_do_not_depend_on_how_many_are_asked_for(generic: ss.Subspace) -> None:
    assert np.array_equal(ss.sparse_basis(generic, 2).vectors, ss.sparse_basis(generic, 3).vectors[:, :2])


def test_joint_extraction_lowers_the_sum(generic: ss.Subspace) -> None:
    greedy, joint = ss.sparse_basis(generic, 4), ss.sparse_basis(generic, 4, joint=True)
    assert joint.l1 < greedy.l1
    assert np.allclose(joint.vectors.T @ joint.vectors, np.eye(4), atol=1e-13)
    assert all(x.certificate.zeros == 2 for x in joint), "each is a vertex of what the other three leave"
    assert all(x.certificate.dim == 3 for x in joint)


def test_joint_extraction_of_a_whole_orthogonal_dictionary_finds_it() -> None:
    blocks = np.zeros((60, 3))
    blocks[range(60), np.arange(60) // 20] = np.random.default_rng(1).uniform(1, 2, 60)
    rotation = np.linalg.qr(np.random.default_rng(2).standard_normal((3, 3)))[0]
    found = ss.sparse_basis(blocks @ rotation, 3, joint=True)
    assert [x.support.size for x in found] == [20, 20, 20]


def test_independent_vectors_without_exact_zeros_stay_apart(generic: ss.Subspace) -> None:
    found = ss.sparse_basis(generic, 4, orthogonal=False)
    sines = []
    for k in range(1, 4):
        span = np.linalg.qr(found.vectors[:, :k])[0]
        sines.append(np.linalg.norm(found.vectors[:, k] - span @ (span.T @ found.vectors[:, k])))
    assert min(sines) > 0.5
    assert not found.certified
    assert found.l1 <= ss.sparse_basis(generic, 4).l1 * (1 + 1e-12)


def test_a_basis_is_a_sequence(generic: ss.Subspace) -> None:
    found = ss.sparse_basis(generic, 3)
    assert len(found) == 3
    assert [x.l1 for x in found] == [found[k].l1 for k in range(3)]
    assert found[1:] == (found[1], found[2])
    assert found[-1] is found.items[2]
    assert "3 of 3 vectors, deflation" in repr(found)
    with pytest.raises(ValueError, match="read-only"):
        found.vectors[0, 0] = 1.0


def test_a_basis_is_saved_and_read_back(generic: ss.Subspace, tmp_path: Path) -> None:
    found = ss.sparse_basis(generic, 3, joint=True)
    path = tmp_path / "basis.npz"
    found.save(path)
    back = ss.load(path)
    assert isinstance(back, ss.SparseBasis)
    assert np.array_equal(back.vectors, found.vectors)
    assert np.array_equal(back.points, found.points)
    assert (back.kind, back.asked, back.status, back.seconds) == ("joint", 3, found.status, found.seconds)
    assert [x.summary() for x in back] == [x.summary() for x in found]


def test_options_reach_the_method(generic: ss.Subspace) -> None:
    found = ss.sparse_basis(generic, 2, "paper", starts=Spectral())
    assert all("Spectral()" in x.method for x in found)


def test_time_that_runs_out_leaves_what_was_found(generic: ss.Subspace) -> None:
    found = ss.sparse_basis(generic, 5, deadline=1e-9)
    assert len(found) == 1
    assert found.status is ss.Status.DEADLINE
    assert not found.certified
    asked = [False]

    def stop_later(share: float, doing: str) -> None:
        asked[0] = doing.startswith("2 of")

    stopped = ss.sparse_basis(generic, 5, progress=stop_later, interrupted=lambda: asked[0])
    assert len(stopped) == 2
    assert stopped.status is ss.Status.INTERRUPTED


def test_progress_runs_from_zero_to_one_over_all_vectors(generic: ss.Subspace) -> None:
    told: list[tuple[float, str]] = []
    ss.sparse_basis(generic, 3, progress=lambda share, doing: told.append((share, doing)))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < 1 / 3
    assert 2 / 3 <= shares[-1] <= 1
    assert told[-1][1].startswith("3 of 3: ")


def test_what_cannot_be_is_refused(generic: ss.Subspace) -> None:
    with pytest.raises(ss.InvalidInput, match="`count` must be at most the dimension of the subspace, 6; got 7"):
        ss.sparse_basis(generic, 7)
    with pytest.raises(ss.InvalidInput, match="`count` must be an integer of at least 1; got 0"):
        ss.sparse_basis(generic, 0)
    with pytest.raises(ss.InvalidInput, match="`joint` must go with `orthogonal=True`; got joint=True"):
        ss.sparse_basis(generic, 2, joint=True, orthogonal=False)
    with pytest.raises(ss.InvalidInput, match="`path` must name a result"):
        ss.load(__file__)


@pytest.mark.parametrize("seed", range(5))
def test_the_best_angle_is_the_best_of_all_angles(seed: int) -> None:
    u, v = np.random.default_rng(seed).standard_normal((2, 40))
    angle, value = best_angle(u, v)

    def total(phi: float) -> float:
        return float(np.abs(np.cos(phi) * u + np.sin(phi) * v).sum() + np.abs(np.cos(phi) * v - np.sin(phi) * u).sum())

    assert value == pytest.approx(total(angle), rel=1e-12)
    assert value <= min(map(total, np.linspace(0, np.pi / 2, 2001))) * (1 + 1e-12)


def test_a_mapped_basis_is_deflated_from_its_file(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.random.default_rng(1).standard_normal((200, 5)))
    mapped = ss.Subspace.open(tmp_path / "a.npy")
    frame = np.linalg.qr(np.random.default_rng(2).standard_normal((5, 3)))[0]
    assert np.allclose(mapped.restrict(frame).vectors(np.eye(3)), mapped.vectors(frame), atol=1e-13)
    assert mapped.restrict(frame).dim == 3


def test_rounding_in_one_dimension_returns_the_only_point() -> None:
    vertex = ss.round_to_vertex(ss.Subspace.span(np.array([[3.0], [0.0], [4.0]])), np.ones(1))
    assert np.allclose(np.abs(vertex.vector), [0.6, 0.0, 0.8])
    assert vertex.gap == 0.0


@pytest.fixture(scope="module")
def two_of_five() -> tuple[np.ndarray, np.ndarray]:
    """Two sparse vectors on disjoint supports and three random directions, mixed; and the two."""
    rng = np.random.default_rng(11)
    sparse = np.zeros((300, 2))
    sparse[:30, 0], sparse[30:65, 1] = rng.standard_normal(30), rng.standard_normal(35)
    sparse /= np.linalg.norm(sparse, axis=0)
    columns = np.hstack([sparse, rng.standard_normal((300, 3))])
    return columns @ rng.standard_normal((5, 5)), sparse


@pytest.mark.parametrize("orthogonal", [True, False])
def test_it_stops_where_chance_would_do_as_well(two_of_five: tuple[np.ndarray, np.ndarray], orthogonal: bool) -> None:
    columns, sparse = two_of_five
    found = ss.sparse_basis(columns, 5, orthogonal=orthogonal, significant=0.05)
    assert len(found) == 2
    assert found.asked == 5
    assert found.status is ss.Status.EXHAUSTED
    assert np.allclose(np.abs(sparse.T @ found.vectors).max(axis=0), 1)
    assert found.certified, "all that is significant is there and certified"
    whole = ss.sparse_basis(columns, 5, orthogonal=orthogonal)
    assert np.array_equal(whole.vectors[:, :2], found.vectors)
    assert len(whole) == 5
    assert whole[2].significance(trials=19).p_value > 0.05


def test_what_is_not_exact_is_compared_with_random_subspaces(two_of_five: tuple[np.ndarray, np.ndarray]) -> None:
    columns, sparse = two_of_five
    noisy = np.linalg.qr(columns)[0] + 0.01 * np.random.default_rng(3).standard_normal(columns.shape)
    found = ss.sparse_basis(noisy, 5, "paper", starts="random", significant=0.1)
    assert len(found) == 2
    assert not any(x.certified for x in found)
    assert not found.certified
    assert np.abs(sparse.T @ found.vectors).max(axis=0).min() > 0.95


def test_a_random_subspace_has_an_empty_basis(generic: ss.Subspace, tmp_path: Path) -> None:
    found = ss.sparse_basis(generic, 3, significant=0.2)
    assert len(found) == 0
    assert found.vectors.shape == (300, 0)
    assert found.points.shape == (6, 0)
    assert (found.l1, found.certified, found.status) == (0, False, ss.Status.EXHAUSTED)
    found.save(tmp_path / "empty.npz")
    back = ss.load(tmp_path / "empty.npz")
    assert isinstance(back, ss.SparseBasis)
    assert (back.vectors.shape, back.status) == ((300, 0), ss.Status.EXHAUSTED)


def test_time_may_run_out_during_the_comparison() -> None:
    columns, stop = np.random.default_rng(8).standard_normal((90, 4)), [False]

    def look(share: float, doing: str) -> None:
        stop[0] = stop[0] or "random subspace" in doing

    found = ss.sparse_basis(columns, 3, significant=0.01, progress=look, interrupted=lambda: stop[0], seed=77)
    assert found.status is ss.Status.INTERRUPTED
    assert stop[0]
    assert len(found) == 0


def test_progress_does_not_fall_back_during_comparisons(two_of_five: tuple[np.ndarray, np.ndarray]) -> None:
    shares: list[float] = []
    ss.sparse_basis(two_of_five[0], 4, significant=0.3, seed=5, progress=lambda share, doing: shares.append(share))
    assert shares == sorted(shares)


def test_levels_that_cannot_be_are_refused(generic: ss.Subspace) -> None:
    with pytest.raises(ss.InvalidInput, match=r"`significant` must lie between 0 and 1, both excluded; got 1\.5"):
        ss.sparse_basis(generic, 2, significant=1.5)
    with pytest.raises(ss.InvalidInput, match=r"`significant` must go with vectors found one after another; got 0\.05"):
        ss.sparse_basis(generic, 2, joint=True, significant=0.05)
