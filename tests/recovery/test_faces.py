"""Faces: no exact zeros to find, local minima below the paper's values, on the authors' bases and on our own."""

from __future__ import annotations

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.experiments.face_sources import LIGHTS, PERSONS, authors_basis, data_from, one_person, ten_persons
from sparsespan.experiments.face_study import WAYS, face_space


@pytest.fixture(scope="module", params=[("data.mat", 103.0), ("data_persons.mat", 110.6)], ids=["one", "ten"])
def face(request, data):
    from scipy.io import loadmat

    name, bound = request.param
    path = data / "paper_faces" / name
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    subspace = ss.Subspace.span(loadmat(path)["Y"])
    return subspace, ss.sparsest(subspace), bound


def test_the_value_is_below_the_best_of_the_paper(face):
    _, found, bound = face
    assert found.l1 <= bound
    assert found.l1 == pytest.approx(np.abs(found.vector).sum())


def test_it_is_a_proved_local_minimum_and_nothing_more(face):
    subspace, found, _ = face
    proof = found.certificate
    assert proof.locally_optimal
    assert proof.unique
    assert not found.certified
    assert found.status in (ss.Status.GENERIC, ss.Status.NOISY)
    assert proof.zeros >= subspace.dim - 1
    nearby = found.point + 1e-4 * np.random.default_rng(0).standard_normal((50, subspace.dim))
    nearby /= np.linalg.norm(nearby, axis=1)[:, None]
    assert (np.abs(subspace.vectors(nearby.T)).sum(axis=0) > found.l1).all()


@pytest.fixture(scope="module", params=[LIGHTS, PERSONS], ids=["one", "ten"])
def space(request, data):
    """The subspace of the paper's figure, made from the pictures; and the figures to reach."""
    if not (data / request.param).is_file():
        pytest.skip(f"{data / request.param} is not there")
    with data_from(data):
        if request.param == PERSONS:
            return face_space(ten_persons("real")), (110.6, 118.4, 120.5, 127.5), (120.4, 125.7, 133.6, 129.6)
        return face_space(one_person("real"), robust=True), (103.0, 104.7, 119.4, 121.0), (128.1, 133.8, 140.8, 135.7)


def test_greedy_deflation_reaches_the_figures(space):
    faces, bounds, _ = space
    found = WAYS["greedy"].search(faces.subspace, 4, seed=0)
    assert all(x.l1 <= bound for x, bound in zip(found, bounds, strict=True)), [x.l1 for x in found]
    assert all(x.certificate.locally_optimal for x in found)
    assert np.allclose(found.vectors.T @ found.vectors, np.eye(4), atol=1e-12)


def test_the_spectral_method_gives_what_it_gives_on_the_undeflated_basis(space):
    faces, _, published = space
    found = WAYS["spectral"].search(faces.subspace, 4, seed=0)
    assert [x.l1 for x in found] == pytest.approx(published, abs=0.1)


def test_robust_pca_finds_the_basis_of_the_authors(space, data):
    faces = space[0]
    if faces.low_rank is None or not (data / "paper_faces" / "data.mat").is_file():
        pytest.skip("of one person alone, and where the authors' basis is")
    with data_from(data):
        cosines = np.linalg.svd(faces.subspace.adjoint(authors_basis()), compute_uv=False)
    assert len(cosines) == 10
    assert cosines.min() >= 0.99999
    assert faces.rank == 25


def test_all_at_once_is_lower_than_greedy_and_starts_no_better(space):
    faces = space[0]
    if faces.low_rank is None:
        pytest.skip("one person is enough: a joint search takes ten seconds")
    greedy, joint = (WAYS[way].search(faces.subspace, 4, seed=0) for way in ("greedy", "joint"))
    assert joint.l1 < greedy.l1 - 1.0
    assert min(x.l1 for x in joint) > min(x.l1 for x in greedy)
    assert np.allclose(joint.vectors.T @ joint.vectors, np.eye(4), atol=1e-12)
