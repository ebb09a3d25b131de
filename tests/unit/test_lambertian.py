from __future__ import annotations

import numpy as np
import pytest

from sparsespan.errors import InvalidInput
from sparsespan.experiments import lambertian
from sparsespan.experiments.face_model import BACKGROUND, Face, draw_face, reflectance, relief
from sparsespan.experiments.lambertian import lambertian_people, lambertian_person, lamp_grid
from sparsespan.subspace.robust import robust_pca


def test_there_are_sixty_four_different_lamps():
    azimuth, elevation = lamp_grid()
    assert azimuth.shape == elevation.shape == (64,)
    assert len(set(zip(azimuth, elevation, strict=True))) == 64
    assert (azimuth[0], elevation[0]) == (0, 0)
    assert np.abs(azimuth).max() == 130
    assert (elevation.min(), elevation.max()) == (-38, 88)
    mirrored = set(zip(-azimuth, elevation, strict=True))
    assert mirrored == set(zip(azimuth + 0.0, elevation, strict=True))


def test_one_person_under_all_lamps():
    faces = lambertian_person(2, (48, 42), seed=5)
    assert faces.images.shape == (64, 48, 42)
    assert faces.images.min() >= 0
    assert faces.images.max() <= 1
    assert faces.person == (2,) * 64
    assert faces.columns.shape == (48 * 42, 64)
    np.testing.assert_array_equal(faces.picture(faces.columns[:, 7]), faces.images[7])
    assert not faces.images.flags.writeable
    assert faces.images[0].mean() > 5 * faces.images[np.abs(faces.azimuth) == 130].mean()


def test_one_seed_one_set():
    first = lambertian_person(0, (24, 21), seed=1).images
    np.testing.assert_array_equal(first, lambertian_person(0, (24, 21), seed=1).images)
    assert np.abs(first - lambertian_person(1, (24, 21), seed=1).images).max() > 0.05
    assert np.abs(first - lambertian_person(0, (24, 21), seed=2).images).max() > 0.05


def test_people_are_those_of_the_single_sets():
    people = lambertian_people(3, (24, 21), seed=4)
    assert people.images.shape == (3, 24, 21)
    assert people.person == (0, 1, 2)
    for person in range(3):
        np.testing.assert_array_equal(people.images[person], lambertian_person(person, (24, 21), seed=4).images[0])


def test_light_from_right_and_left_mirrors_a_symmetric_face(monkeypatch):
    monkeypatch.setattr("sparsespan.experiments.face_model._blotches", lambda seed, x, y: 0.0 * x)
    lamps = np.array([40.0, -40.0]), np.array([10.0, 10.0])
    right, left = lambertian._render(Face(), (32, 28), *lamps)
    np.testing.assert_allclose(right, left[:, ::-1], atol=1e-4)  # the two sides are blended in turn
    assert right[:, 14:].mean() > 1.5 * right[:, :14].mean()  # the lamp's own side is the brighter one


def plane(slope_x, slope_y, size=40):
    pixel = 2.0 / size
    places = (2.0 * np.arange(size) + 1.0) / size - 1.0
    x, y = np.meshgrid(places, -places)
    return slope_x * x + slope_y * y, pixel


def test_normals_of_a_tilted_plane():
    z, pixel = plane(0.5, -0.25)
    expected = np.array([-0.5, 0.25, 1.0]) / np.linalg.norm([-0.5, 0.25, 1.0])
    np.testing.assert_allclose(lambertian._normals(z, pixel) - expected, 0, atol=1e-12)


def test_a_plane_casts_no_shadow_on_itself():
    z, pixel = plane(0.3, 0.1)
    lamp = lambertian._directions(np.array([30.0]), np.array([20.0]))[0]
    assert (lambertian._visible(z, lamp, pixel) == 1).all()


@pytest.mark.parametrize("elevation", [20.0, 35.0])
def test_shadow_of_a_wall_has_the_length_of_the_tangent(elevation):
    z, pixel = plane(0.0, 0.0, 200)
    z[:50] = 0.25  # a step at the upper side, the lamp above it
    lamp = lambertian._directions(np.array([0.0]), np.array([90.0 - elevation]))[0]
    dark = lambertian._visible(z, lamp, pixel)[50:, 100] < 0.5
    assert dark.sum() * pixel == pytest.approx(0.25 / np.tan(np.deg2rad(elevation)), abs=3 * pixel)
    assert dark[: dark.sum()].all()  # the shadow lies at the foot of the wall


def test_directions_of_lamps():
    found = lambertian._directions(np.array([0.0, 90.0, 0.0, 180.0]), np.array([0.0, 0.0, 90.0, 0.0]))
    np.testing.assert_allclose(found, [[0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, -1]], atol=1e-15)


def test_relief_stands_out_where_a_nose_is():
    x, y = np.meshgrid(np.linspace(-0.8, 0.8, 81), np.linspace(1, -1, 101))
    for seed in range(10):
        face = draw_face(np.random.default_rng(seed))
        z = relief(face, x, y)
        row, column = np.unravel_index(np.argmax(z), z.shape)
        assert abs(x[row, column]) < 0.1
        assert -0.4 < y[row, column] < 0.1
        assert (z[[0, -1]][:, [0, -1]] == BACKGROUND).all()
        share = reflectance(face, x, y)
        assert 0 < share.min() < share.max() < 1


def test_a_person_spans_few_directions_as_matt_bodies_do():
    values = np.linalg.svd(lambertian_person(0, (48, 42)).columns, compute_uv=False)
    energy = np.cumsum(values**2) / np.sum(values**2)
    assert energy[8] > 0.95  # nine harmonics hold nearly all light of a convex matt body
    assert energy[2] < 0.97  # shadows keep it from being the three of a body lit everywhere


def test_robust_pca_takes_the_set():
    split = robust_pca(lambertian_person(0, (48, 42)).columns)
    assert split.converged
    assert 5 < split.rank < 40


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lambertian_person(-1), r"`person` must not be negative; got -1"),
        (lambda: lambertian_person(0, (4, 40)), r"`shape` must be two lengths of at least 8 pixels; got \(4, 40\)"),
        (lambda: lambertian_person(0, (40,)), r"`shape` must be two lengths of at least 8 pixels; got \(40,\)"),
        (lambda: lambertian_people(0), r"`count` must be at least 1; got 0"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
