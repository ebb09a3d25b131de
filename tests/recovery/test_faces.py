"""The authors' face bases: no exact zeros to find, a local minimum below the paper's best."""

from __future__ import annotations

import numpy as np
import pytest

import sparsespan as ss


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
