"""Faces that nobody has: ellipsoids blended into a relief, matt, lit by distant lamps, with their own shadows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import frozen
from ..errors import InvalidInput
from .face_model import BACKGROUND, Face, draw_face, reflectance, relief

if TYPE_CHECKING:
    from ..arrays import FloatArray

__all__ = ["FaceSet", "lambertian_people", "lambertian_person", "lamp_grid"]

_FINER = 2  # rays a pixel, each way: edges and shadows come out smooth
_AMBIENT = 0.015  # share of the lamp's light that reaches the deepest shadow
_EXPOSURE = 1.1
_PENUMBRA = 0.08  # slope between shadow and light
_DEEPEST = -1.5  # z of the background as far as slopes go


@dataclass(frozen=True, slots=True, eq=False)
class FaceSet:
    """
    Rendered faces, grey.

    Attributes
    ----------
    images : ndarray, shape (count, H, W)
        Values in [0, 1], read-only.
    person : tuple of int
        Whose face each picture shows.
    azimuth, elevation : ndarray, shape (count,)
        Where the lamp stands, degrees: 0, 0 behind the camera, positive to the right and up.
    """

    images: FloatArray
    person: tuple[int, ...]
    azimuth: FloatArray
    elevation: FloatArray

    @property
    def columns(self) -> FloatArray:
        """The pictures as columns, (H·W, count), pixels row by row."""
        return self.images.reshape(len(self.images), -1).T

    def picture(self, vector: FloatArray) -> FloatArray:
        """A vector of H·W pixels as an (H, W) picture."""
        return vector.reshape(self.images.shape[1:])


def lamp_grid() -> tuple[FloatArray, FloatArray]:
    """Azimuth and elevation of 64 lamps in degrees: nine rows, dense in front, as face collections are lit."""
    rows = {
        0: (0, 10, 25, 50, 70, 95, 120),
        10: (5, 20),
        -10: (5, 20),
        20: (0, 15, 60, 85, 130),
        -20: (0, 10, 35, 60, 85, 110),
        45: (0, 35, 70, 110),
        -38: (0, 20, 50, 70),
        15: (35, 110),
        65: (35, 110),
        88: (0,),
    }
    lamps = [
        (side * azimuth, elevation)
        for elevation, azimuths in rows.items()
        for azimuth in azimuths
        for side in ((1, -1) if azimuth else (1,))
    ]
    azimuth, elevation = np.array(lamps, dtype=np.float64).T
    return azimuth, elevation


def lambertian_person(person: int = 0, shape: tuple[int, int] = (96, 84), *, seed: int = 0) -> FaceSet:
    """
    Render one invented person under the 64 lamps of `lamp_grid`.

    Parameters
    ----------
    person : int
        Which of the people of this seed, from 0.
    shape : (H, W)
        Of the pictures, pixels.
    seed : int

    Returns
    -------
    FaceSet
        64 pictures; the same for the same arguments.
    """
    azimuth, elevation = lamp_grid()
    images = _render(_person(seed, person), _checked(shape), azimuth, elevation)
    return FaceSet(frozen(images), (person,) * len(images), frozen(azimuth), frozen(elevation))


def lambertian_people(count: int = 10, shape: tuple[int, int] = (96, 84), *, seed: int = 0) -> FaceSet:
    """
    Render invented people, each once, lit from the front.

    Parameters
    ----------
    count : int
    shape : (H, W)
        Of the pictures, pixels.
    seed : int

    Returns
    -------
    FaceSet
        `count` pictures, of people 0, 1, …
    """
    if count < 1:
        msg = f"`count` must be at least 1; got {count}."
        raise InvalidInput(msg)
    front = np.zeros(1)
    images = [_render(_person(seed, person), _checked(shape), front, front)[0] for person in range(count)]
    lamps = frozen(np.zeros(count))
    return FaceSet(frozen(np.stack(images)), tuple(range(count)), lamps, lamps)


def _person(seed: int, person: int) -> Face:
    if person < 0:
        msg = f"`person` must not be negative; got {person}. People are counted from 0."
        raise InvalidInput(msg)
    return draw_face(np.random.default_rng([seed, person]))


def _checked(shape: tuple[int, int]) -> tuple[int, int]:
    if len(shape) != 2 or min(shape) < 8:
        msg = f"`shape` must be two lengths of at least 8 pixels; got {shape}."
        raise InvalidInput(msg)
    return int(shape[0]), int(shape[1])


def _render(face: Face, shape: tuple[int, int], azimuth: FloatArray, elevation: FloatArray) -> FloatArray:
    """Pictures (count, H, W): reflectance × (visible lamp × cosine of incidence + ambient)."""
    height, width = shape[0] * _FINER, shape[1] * _FINER
    across = (2.0 * np.arange(width) + 1.0 - width) / height
    x, y = np.meshgrid(across, 1.0 - (2.0 * np.arange(height) + 1.0) / height)
    z, pixel = relief(face, x, y), 2.0 / height
    returned = np.where(z > 0.5 * BACKGROUND, reflectance(face, x, y), 0.0)
    normals = _normals(z, pixel)
    images = np.empty((azimuth.size, *shape))
    for image, lamp in zip(images, _directions(azimuth, elevation), strict=True):
        light = np.maximum(normals @ lamp, 0.0) * _visible(z, lamp, pixel)
        fine = returned * (_EXPOSURE * light + _AMBIENT)
        image[:] = fine.reshape(shape[0], _FINER, shape[1], _FINER).mean(axis=(1, 3))
    return np.clip(images, 0.0, 1.0)


def _directions(azimuth: FloatArray, elevation: FloatArray) -> FloatArray:
    """Unit vectors towards the lamps, (count, 3)."""
    turn, rise = np.deg2rad(azimuth), np.deg2rad(elevation)
    return np.stack([np.sin(turn) * np.cos(rise), np.sin(rise), np.cos(turn) * np.cos(rise)], axis=1)


def _normals(z: FloatArray, pixel: float) -> FloatArray:
    """Unit normals of the relief, (height, width, 3); rows run downwards, y upwards."""
    down, across = np.gradient(np.maximum(z, _DEEPEST), pixel)
    normals = np.stack([-across, down, np.ones_like(z)], axis=2)
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    return normals


def _visible(z: FloatArray, lamp: FloatArray, pixel: float) -> FloatArray:
    """How much of the lamp each place sees, 0 to 1: walk towards it and look whether anything stands higher."""
    level = float(np.hypot(lamp[0], lamp[1]))
    if level < 1e-6:
        return np.ones_like(z)
    toward, climb = (lamp[0] / level, -lamp[1] / level), float(lamp[2]) / level * pixel
    blocked = np.full_like(z, -np.inf)
    for step in range(2, max(z.shape)):
        right, down = round(step * toward[0]), round(step * toward[1])
        if abs(right) >= z.shape[1] or abs(down) >= z.shape[0] or step * climb > 3.0:
            break
        here = _window(z.shape, down, right)
        there = _window(z.shape, -down, -right)
        excess = (z[there] - z[here] - step * climb) / (step * pixel)
        np.maximum(blocked[here], excess, out=blocked[here])
    return np.clip(0.5 - blocked / _PENUMBRA, 0.0, 1.0)


def _window(shape: tuple[int, ...], down: int, right: int) -> tuple[slice, slice]:
    """Select the places that stay inside when moved by (down, right)."""
    rows = slice(max(0, -down), shape[0] - max(0, down))
    return rows, slice(max(0, -right), shape[1] - max(0, right))
