"""The shape and the skin of an invented face: ellipsoids and caps of a relief, and how much light each place returns.

Lengths are in half picture heights: x to the right, y up from −1 to 1, z towards the camera.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from ..arrays import FloatArray

__all__ = ["BACKGROUND", "Face", "draw_face", "reflectance", "relief"]

BACKGROUND = -9.0  # z where there is no face
_SIDES = (-1.0, 1.0)
Triple: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Face:
    """What makes one person: each measure is a factor near 1, or an offset near 0, on an average face."""

    width: float = 1.0
    length: float = 1.0
    jaw: float = 1.0
    muzzle: float = 1.0
    cheek: float = 0.0
    brow: float = 0.0
    eye_apart: float = 1.0
    eye_up: float = 0.0
    eye_size: float = 1.0
    nose_long: float = 1.0
    nose_wide: float = 1.0
    nose_high: float = 1.0
    mouth_wide: float = 1.0
    mouth_up: float = 0.0
    lips: float = 1.0
    chin: float = 0.0
    skin: float = 0.72
    hair: float = 0.12
    hair_line: float = 0.82
    eyebrow: float = 0.8
    beard: float = 0.0
    blotch: int = 0


_SPREAD = {  # of each measure, to either side, over people
    "width": 0.07, "length": 0.05, "jaw": 0.12, "muzzle": 0.10, "cheek": 0.035, "brow": 0.04,
    "eye_apart": 0.08, "eye_up": 0.04, "eye_size": 0.12, "nose_long": 0.14, "nose_wide": 0.2,
    "nose_high": 0.18, "mouth_wide": 0.15, "mouth_up": 0.035, "lips": 0.3, "chin": 0.05,
    "skin": 0.14, "hair": 0.1, "hair_line": 0.1, "eyebrow": 0.15,
}  # fmt: skip


def draw_face(rng: np.random.Generator) -> Face:
    """Draw a person."""
    average = Face()
    measures = {
        name: getattr(average, name) + spread * float(rng.uniform(-1.0, 1.0)) for name, spread in _SPREAD.items()
    }
    beard = max(0.0, float(rng.uniform(-0.35, 0.35)))
    return Face(**measures, beard=beard, blotch=int(rng.integers(2**31)))


def _ellipsoid(x: FloatArray, y: FloatArray, centre: Triple, radii: Triple) -> FloatArray:
    left = 1.0 - ((x - centre[0]) / radii[0]) ** 2 - ((y - centre[1]) / radii[1]) ** 2
    return np.where(left > 0, centre[2] + radii[2] * np.sqrt(np.maximum(left, 0.0)), BACKGROUND)


def _cap(x: FloatArray, y: FloatArray, top: Triple, radii: Triple) -> FloatArray:
    """The top of an ellipsoid, going on without an edge where the ellipsoid would turn away."""
    out = ((x - top[0]) / radii[0]) ** 2 + ((y - top[1]) / radii[1]) ** 2
    return top[2] - 0.5 * radii[2] * (out + out * out)


def _blend(one: FloatArray, other: FloatArray, width: float) -> FloatArray:
    """The higher of two surfaces, rounded where they are closer than `width`."""
    near = np.maximum(width - np.abs(one - other), 0.0) / width
    return np.maximum(one, other) + 0.25 * width * near * near


def _spot(x: FloatArray, y: FloatArray, centre: tuple[float, float], radii: tuple[float, float]) -> FloatArray:
    return np.exp(-(((x - centre[0]) / radii[0]) ** 2) - ((y - centre[1]) / radii[1]) ** 2)


def relief(face: Face, x: FloatArray, y: FloatArray) -> FloatArray:
    """Height z of a face over points of the picture plane (any one shape); `BACKGROUND` beside it."""
    skull = _ellipsoid(x, y, (0.0, 0.15, -0.60), (0.82 * face.width, 1.15 * face.length, 1.0))
    jaw = _ellipsoid(x, y, (0.0, -0.42, -0.45), (0.60 * face.width * face.jaw, 0.80 * face.length, 0.82))
    z = _blend(skull, jaw, 0.30)
    for side in _SIDES:
        ear = _ellipsoid(x, y, (side * 0.84 * face.width, 0.05, -0.55), (0.10, 0.24, 0.30))
        z = _blend(z, ear, 0.05)
    behind = z < 0.5 * BACKGROUND
    for part in (_cheeks, _eyes, _nose, _mouth):
        z = part(face, x, y, z)
    return np.where(behind, BACKGROUND, z)


def _cheeks(face: Face, x: FloatArray, y: FloatArray, z: FloatArray) -> FloatArray:
    z = _blend(z, _cap(x, y, (0.0, -0.48, 0.38 * face.muzzle), (0.42, 0.42, 0.55)), 0.25)
    for side in _SIDES:
        z = _blend(z, _cap(x, y, (side * 0.36, -0.10, 0.30 + face.cheek), (0.40, 0.36, 0.46)), 0.22)
        z = _blend(z, _cap(x, y, (side * 0.27, 0.40, 0.40 + face.brow), (0.34, 0.15, 0.42)), 0.16)
    return _blend(z, _cap(x, y, (0.0, -0.86, 0.31 + face.chin), (0.30, 0.26, 0.42)), 0.2)


def _eyes(face: Face, x: FloatArray, y: FloatArray, z: FloatArray) -> FloatArray:
    size, up = face.eye_size, 0.18 + face.eye_up
    for side in _SIDES:
        place = side * 0.31 * face.eye_apart
        z = z - 0.15 * _spot(x, y, (place, up + 0.02), (0.17, 0.10))
        ball = _ellipsoid(x, y, (place, up, 0.10), (0.14 * size, 0.10 * size, 0.17))
        z = _blend(z, ball, 0.05)
    return z


def _nose(face: Face, x: FloatArray, y: FloatArray, z: FloatArray) -> FloatArray:
    low, wide, high = 0.10 - 0.25 * face.nose_long, face.nose_wide, 0.30 * face.nose_high
    bridge = _cap(x, y, (0.0, 0.10, 0.13 + high), (0.13, 0.36 * face.nose_long, 0.34)) - 0.16 * (y - 0.10)
    z = _blend(z, bridge, 0.16)
    z = _blend(z, _cap(x, y, (0.0, low, 0.30 + 0.9 * high), (0.12 * wide, 0.12, 0.24)), 0.16)
    for side in _SIDES:
        wing = _ellipsoid(x, y, (side * 0.11 * wide, low - 0.04, 0.28), (0.085 * wide, 0.08, 0.17))
        z = _blend(z, wing, 0.09)
    return z - 0.03 * _spot(x, y, (0.0, low - 0.19), (0.04, 0.08))


def _mouth(face: Face, x: FloatArray, y: FloatArray, z: FloatArray) -> FloatArray:
    line, wide, full = -0.515 + face.mouth_up, face.mouth_wide, face.lips
    for side in _SIDES:
        z = z - 0.03 * _spot(x, y, (side * 0.30, line + 0.15), (0.05, 0.16))
    upper = _ellipsoid(x, y, (0.0, line + 0.055, 0.20), (0.25 * wide, 0.07 * full, 0.22))
    lower = _ellipsoid(x, y, (0.0, line - 0.060, 0.19), (0.21 * wide, 0.075 * full, 0.22))
    z = _blend(_blend(z, upper, 0.07), lower, 0.07)
    z = z - 0.05 * _spot(x, y, (0.0, line), (0.22 * wide, 0.018))
    return z - 0.05 * _spot(x, y, (0.0, line - 0.175), (0.20, 0.05))


def reflectance(face: Face, x: FloatArray, y: FloatArray) -> FloatArray:
    """Share of the light that the skin, the eyes, the lips and the hair return, in (0, 1)."""
    skin = face.skin * (1.0 + _blotches(face.blotch, x, y))
    skin = skin * (1.0 - face.beard * _step(0.45 - np.hypot(x / 1.3, y + 0.78), 0.08))
    skin = _with_eyes(face, x, y, skin)
    line = -0.515 + face.mouth_up
    lips = (x / (0.235 * face.mouth_wide)) ** 2 + ((y - line) / (0.105 * face.lips)) ** 2
    skin = skin * (1.0 - 0.3 * _step(1.0 - lips, 0.12))
    skin = skin * (1.0 - 0.5 * _spot(x, y, (0.0, line), (0.20 * face.mouth_wide, 0.012)))
    scalp = _step(y - face.hair_line + 0.55 * np.maximum(np.abs(x) - 0.45, 0.0), 0.03)
    return np.clip(skin * (1.0 - scalp) + face.hair * scalp, 0.02, 0.98)


def _with_eyes(face: Face, x: FloatArray, y: FloatArray, skin: FloatArray) -> FloatArray:
    up, size, low = 0.19 + face.eye_up, face.eye_size, 0.10 - 0.25 * face.nose_long
    for side in _SIDES:
        place = side * 0.31 * face.eye_apart
        skin = skin * (1.0 - face.eyebrow * _spot(x, y, (place, up + 0.19), (0.20, 0.045)))
        slit = ((x - place) / (0.115 * size)) ** 2 + ((y - up) / (0.055 * size)) ** 2
        iris = ((x - place) ** 2 + (y - up) ** 2) / (0.05 * size) ** 2
        eye = np.where(iris < 1.0, 0.16, 0.80)
        skin = np.where(slit < 1.0, eye, skin * (1.0 - 0.5 * np.exp(-(((slit - 1.0) / 0.25) ** 2))))
        skin = skin * (1.0 - 0.6 * _spot(x, y, (side * 0.07 * face.nose_wide, low - 0.085), (0.04, 0.025)))
    return skin


def _step(value: FloatArray, width: float) -> FloatArray:
    return 0.5 * (1.0 + np.tanh(value / width))


def _blotches(seed: int, x: FloatArray, y: FloatArray) -> FloatArray:
    """Uneven skin: a dozen waves of a few per cent."""
    rng = np.random.default_rng(seed)
    waves = rng.normal(0.0, 9.0, (12, 2))
    phases = rng.uniform(0.0, 2.0 * np.pi, 12)
    total = np.zeros_like(x)
    for (along, across), phase in zip(waves, phases, strict=True):
        total += np.sin(along * x + across * y + phase)
    return 0.012 * total
