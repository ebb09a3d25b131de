"""From pictures to subspaces to directions: sources, robust and plain subspaces, the ways, what is told."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.io
from hypothesis import given
from hypothesis import strategies as st

import sparsespan as ss
from sparsespan.errors import InvalidInput
from sparsespan.experiments import face_sources
from sparsespan.experiments.face_sources import (
    authors_basis,
    data_folder,
    data_from,
    one_person,
    source_of,
    ten_persons,
)
from sparsespan.experiments.face_study import WAYS, face_space, figures, later
from sparsespan.experiments.images import ImageSet
from sparsespan.report.portraits import grey, portrait, ratios, strip

SHAPE = (192, 168)


@pytest.fixture
def collection(tmp_path, monkeypatch):
    """A data folder with files like those of the real collection, of random pixels."""
    rng = np.random.default_rng(0)
    for name in ("faces", "paper_faces"):
        (tmp_path / name).mkdir()
    images = rng.integers(0, 256, (4, *SHAPE), dtype=np.uint8)
    lamps = {"azimuth": np.array([0.0, 30.0, np.nan, 0.0]), "elevation": np.array([0.0, -10.0, np.nan, 0.0])}
    np.savez(tmp_path / face_sources.LIGHTS, images=images, person=np.array([1, 1, 1, 2]), **lamps)
    persons = images.transpose(0, 2, 1).reshape(4, -1).T  # pixels counted downwards, as the authors do
    scipy.io.savemat(tmp_path / face_sources.PERSONS, {"Y": persons})
    scipy.io.savemat(tmp_path / face_sources.BASIS, {"Y": persons / 255.0})
    monkeypatch.setenv(face_sources.VARIABLE, str(tmp_path))
    return tmp_path, images


@pytest.fixture(scope="module")
def small():
    """The synthetic person in 24×21 pixels."""
    return one_person("synthetic", 8)


def test_the_real_collection_is_read_where_it_is(collection):
    folder, images = collection
    assert data_folder() == folder
    assert source_of(face_sources.LIGHTS) == source_of(face_sources.PERSONS) == "real"
    lit = one_person("real")
    np.testing.assert_array_equal(lit.images, images[:2] / 255.0)  # of person 1, and not in ambient light
    assert lit.names == ("lamp at +0°, +0°", "lamp at +30°, -10°")
    np.testing.assert_array_equal(one_person("real", 2).images, images[:2, ::2, ::2] / 255.0)
    np.testing.assert_array_equal(ten_persons("real").images, images / 255.0)
    np.testing.assert_array_equal(authors_basis(), ten_persons("real").columns)


def test_without_a_collection_the_synthetic_set_stands_in(tmp_path, monkeypatch, small):
    monkeypatch.delenv(face_sources.VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    assert data_folder() is None
    assert source_of(face_sources.LIGHTS) == "synthetic"
    assert small.shape == (24, 21)
    assert len(small.names) == 64
    assert ten_persons("synthetic", 8).columns.shape == (504, 10)
    (tmp_path / "data").mkdir()
    with data_from(tmp_path / "data"):
        assert data_folder() == tmp_path / "data"
        assert source_of(face_sources.LIGHTS) == "synthetic"  # the folder does not hold it
    assert data_folder() is None


def test_a_folder_that_is_named_must_exist(monkeypatch, tmp_path):
    monkeypatch.setenv(face_sources.VARIABLE, str(tmp_path / "absent"))
    with pytest.raises(InvalidInput, match=r"`SPARSESPAN_DATA` must name an existing folder; got .*absent"):
        data_folder()
    with data_from(None):
        assert face_sources.os.environ[face_sources.VARIABLE] == str(tmp_path / "absent")


@pytest.mark.parametrize("file", [face_sources.LIGHTS, face_sources.PERSONS])
def test_a_broken_collection_is_said(collection, file):
    (collection[0] / file).write_bytes(b"nothing of the kind")
    with pytest.raises(InvalidInput, match="must be a readable file of faces; got"):
        one_person("real") if file == face_sources.LIGHTS else ten_persons("real")


def test_pictures_span_their_subspace(small):
    space = face_space(small)
    assert space.subspace.dim == space.rank == np.linalg.matrix_rank(small.columns)
    assert space.low_rank is None
    assert space.told["pictures"] == "64 of 21×24 pixels"
    leading = face_space(small, rank=3)
    left = np.linalg.svd(small.columns, full_matrices=False)[0][:, :3]
    assert np.linalg.svd(leading.subspace.adjoint(left), compute_uv=False).min() == pytest.approx(1)


def test_the_mean_picture_can_be_taken_away(small):
    space = face_space(small, centred=True)
    assert space.told["mean picture"] == "taken away"
    columns = small.columns - small.columns.mean(axis=1, keepdims=True)
    assert space.subspace.dim == np.linalg.matrix_rank(columns) < 64


def test_robust_pca_splits_the_pictures_first(small):
    told = []
    space = face_space(small, robust=True, progress=lambda share, doing: told.append((share, doing)))
    assert space.subspace.dim == 10 < space.rank
    np.testing.assert_allclose(space.low_rank + space.sparse, small.images, atol=1e-5)
    assert "converged in" in space.told["robust PCA"]
    assert all(0 <= share <= 0.1 for share, _ in told)
    assert told[0][1] == "robust PCA, step 1"
    assert face_space(small, robust=True, rank=4).subspace.dim == 4


def test_what_cannot_be_a_subspace_is_refused(small):
    with pytest.raises(InvalidInput, match="`rank` must be at least 1; got 0"):
        face_space(small, rank=0)
    black = ImageSet(np.zeros((3, 8, 8)), ("a", "b", "c"))
    with pytest.raises(InvalidInput, match="the pictures must have a low-rank part; got rank 0 of 3"):
        face_space(black, robust=True)


@pytest.fixture(scope="module")
def ways(small):
    subspace = face_space(small, robust=True).subspace
    return subspace, {name: way.search(subspace, 3, seed=0) for name, way in WAYS.items()}


def test_every_way_takes_vectors_out_of_the_same_subspace(ways):
    subspace, found = ways
    for name, basis in found.items():
        assert np.allclose(subspace.basis @ basis.points, basis.vectors, atol=1e-12), name
        gram = basis.vectors.T @ basis.vectors
        assert np.allclose(np.diag(gram), 1)
        assert np.allclose(gram, np.eye(3), atol=1e-12) == WAYS[name].orthogonal, name
    assert found["greedy"][0].l1 <= found["adm"][0].l1 + 1e-9
    assert found["joint"].l1 <= found["greedy"].l1
    assert sum(run.multiplicity for run in found["adm"][0].runs) == int(np.ceil(0.1 * (~subspace.null_rows).sum()))


def test_the_spectral_method_works_on_the_basis_that_nothing_has_deflated(ways):
    subspace, found = ways
    basis = subspace.basis
    weights = np.sum(basis**2, axis=1) - subspace.dim / subspace.size
    top = np.linalg.eigh(basis.T @ (weights[:, None] * basis))[1][:, -1]
    assert found["spectral"][0].l1 == pytest.approx(ss.round_to_vertex(subspace, top).l1, rel=1e-9)


def test_figures_are_plain_and_those_of_the_vectors(ways):
    basis = ways[1]["greedy"]
    told = figures(basis)
    np.testing.assert_allclose(told["l1"], [np.abs(x.vector).sum() for x in basis])
    np.testing.assert_allclose(told["l4"], [np.sum(x.vector**4) ** 0.25 for x in basis])
    assert told["minima"] == [True, True, True]
    assert told["status"] == basis.status.value


def test_later_progress_goes_on_where_the_first_part_ended():
    told = []
    tell = later(lambda share, doing: told.append(share))
    tell(0.0, "")
    tell(1.0, "")
    assert told == pytest.approx([0.1, 1.0])
    assert later(None) is None


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30).filter(lambda x: max(map(abs, x)) > 1e-3))
def test_ratios_know_neither_scale_nor_sign_and_lie_between_their_bounds(entries):
    vector = np.array(entries)
    l1, l4 = ratios(vector)
    assert ratios(-7.0 * vector) == pytest.approx((l1, l4))
    assert 1 - 1e-12 <= l1 <= np.sqrt(vector.size) * (1 + 1e-12)
    assert vector.size**-0.25 * (1 - 1e-12) <= l4 <= 1 + 1e-12


def test_portraits_show_zero_black_and_the_largest_white():
    picture = np.zeros((10, 10))
    assert not portrait(picture).any()
    picture[2, 3] = -5.0
    shown = portrait(picture)
    assert shown.dtype == np.uint8
    assert shown[2, 3] == 255
    assert np.count_nonzero(shown) == 1
    ramp = portrait(np.linspace(-1, 1, 400).reshape(20, 20))
    np.testing.assert_array_equal(ramp, ramp[::-1, ::-1])
    assert list(grey(np.array([0.0, 0.5, -0.5, 3.0]))) == [0, 128, 128, 255]
    assert strip([shown, shown]).shape == (10, 24)
