"""A function on the sphere S²: seen from outside as a shaded ball, or from above as a disc."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...errors import InvalidInput
from ..markup import Markup, coordinate, data_uri, join, tag, text
from ..numbers import number
from .chart import NARROW, Chart
from .palette import colours
from .parts import Key, colour_bar, legend

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Field = Callable[[NDArray[np.float64]], NDArray[np.float64]]

__all__ = ["CriticalPoint", "disc", "sphere"]

_PIXELS, _LEVELS = 420, 14
_LIGHT = np.array([-0.35, 0.45, 0.82])  # direction of the light in the viewer's frame: right, up, towards
_SHAPES = {
    "minimum": "M-6 0A6 6 0 1 0 6 0A6 6 0 1 0-6 0Z",
    "maximum": "M0-7L6.5 5L-6.5 5Z",
    "saddle": "M-6-3L-3-6L0-3L3-6L6-3L3 0L6 3L3 6L0 3L-3 6L-6 3L-3 0Z",
}


@dataclass(frozen=True)
class CriticalPoint:
    """A direction in R³ where the field is stationary, and what it is: minimum, maximum or saddle."""

    point: tuple[float, float, float]
    kind: str

    def __post_init__(self) -> None:
        if self.kind not in _SHAPES:
            msg = f"`kind` must be one of {', '.join(_SHAPES)}; got {self.kind!r}. Choose one of them."
            raise InvalidInput(msg)
        _unit("point", self.point)


def sphere(
    field: Field,
    critical_points: Sequence[CriticalPoint] = (),
    *,
    view: tuple[float, float, float] = (1.0, 0.62, 0.72),
    label: str = "value",
    title: str = "On the sphere",
) -> Chart:
    """Draw a function on S² as a shaded ball with level lines.

    Parameters
    ----------
    field : from unit vectors, shape (m, 3), to their values, shape (m,).
    critical_points : marked where they lie on the near side.
    view : the direction from which the ball is seen, not straight up or down.
    """
    towards = _unit("view", view)
    if np.hypot(*towards[:2]) < 1e-6:
        msg = f"`view` must not be straight up or down; got {view!r}. Tilt it, or draw a `disc`."
        raise InvalidInput(msg)
    right = _unit("view", np.cross([0.0, 0.0, 1.0], towards))
    frame = np.stack([right, np.cross(towards, right), towards])
    return _chart(field, critical_points, frame, label, title, ball=True)


def disc(
    field: Field,
    critical_points: Sequence[CriticalPoint] = (),
    *,
    label: str = "value",
    title: str = "From above, q₁ to the right, q₂ up",
) -> Chart:
    """Draw an even function on S² by its upper half, projected on the plane of q₁ and q₂.

    `field` is as in `sphere`, with field(q) = field(−q); of a critical point, the one of ±q with q₃ ≥ 0 is
    marked.
    """
    return _chart(field, critical_points, np.eye(3), label, title, ball=False)


def _unit(name: str, values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    vector = np.array(values, dtype=np.float64)
    if vector.shape != (3,) or not np.isfinite(vector).all() or not vector.any():
        msg = f"`{name}` must be three finite numbers, not all zero; got {values!r}. Pass a direction in R³."
        raise InvalidInput(msg)
    return np.asarray(vector / np.linalg.norm(vector))


def _chart(
    field: Field,
    points: Sequence[CriticalPoint],
    frame: NDArray[np.float64],
    label: str,
    title: str,
    *,
    ball: bool,
) -> Chart:
    """Sample the field in a frame whose rows are the viewer's right, up and towards."""
    values = np.asarray(field(_hemisphere().reshape(-1, 3) @ frame), dtype=np.float64)
    if values.shape != (_PIXELS**2,):
        msg = f"`field` must return a number for each of {_PIXELS**2} points; got shape {values.shape}."
        raise InvalidInput(msg + " Sum over axis 1.")
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (np.nan, np.nan)
    name = f"{label}, {number(low)} to {number(high)}"
    kinds = (f"{kind} {sum(one.kind == kind for one in points)}" for kind in _SHAPES)
    image = data_uri(_picture(values.reshape(_PIXELS, _PIXELS), low, high, ball=ball))
    marks = [mark for one in points for mark in _mark(one, frame, even=not ball)]
    drawing = partial(_draw, image, marks, _keys(points, name))
    return Chart(title, f"{name}; critical points: {', '.join(kinds)}.", drawing, widths=(NARROW,))


def _hemisphere() -> NDArray[np.float64]:
    """Points seen in the pixels, shape (_PIXELS, _PIXELS, 3); outside the disc they are pulled to its rim."""
    side = (np.arange(_PIXELS) + 0.5) / _PIXELS * 2 - 1
    right, up = np.meshgrid(side, -side)
    outside = np.maximum(np.hypot(right, up), 1.0)
    right, up = right / outside, up / outside
    return np.stack([right, up, np.sqrt(np.maximum(0, 1 - right**2 - up**2))], axis=-1)


def _picture(values: NDArray[np.float64], low: float, high: float, *, ball: bool) -> NDArray[np.uint8]:
    """Colour the values; darken the level lines, a pixel wide at any slope, and a ball's far side."""
    part = (values - low) / (high - low) if high > low else np.where(np.isfinite(values), 0.5, np.nan)
    slope = np.maximum(np.hypot(*np.gradient(part * _LEVELS)), 1e-9)
    distance = np.abs(part * _LEVELS - np.round(part * _LEVELS)) / slope
    light = 1 - 0.35 * np.clip(np.nan_to_num(1.3 - distance), 0, 1) * (slope < 0.6)
    if ball:
        light = light * (0.66 + 0.36 * np.clip(_hemisphere() @ _LIGHT, 0, 1))
    pixels = np.clip(colours(part) * light[..., None], 0, 255).astype(np.uint8)
    return np.asarray(pixels & 0xFC)  # the two lowest bits are never seen, and half of the file


def _mark(one: CriticalPoint, frame: NDArray[np.float64], *, even: bool) -> list[Markup]:
    """Mark a point in a picture of 2×2 around 0, if it is on the near side; an even field flips it there."""
    right, up, towards = frame @ _unit("point", one.point)
    if towards < -1e-12 and even:
        right, up, towards = -right, -up, -towards
    if towards < -1e-12:
        return []
    half = (NARROW - 20) / 2
    place = f"translate({coordinate(half * (1 + right))} {coordinate(half * (1 - up))})"
    told = f"{one.kind} at ({', '.join(number(v) for v in one.point)})"
    return [tag("g", tag("title", text(told)), _shape(one.kind), transform=place)]


def _shape(kind: str) -> Markup:
    return tag("path", d=_SHAPES[kind], class_=f"critical {kind}")


def _keys(points: Sequence[CriticalPoint], name: str) -> list[Key]:
    kinds = [kind for kind in _SHAPES if any(one.kind == kind for one in points)]
    shapes = [Key(tag("g", _shape(kind), transform="translate(11 6)"), kind) for kind in kinds]
    return [Key(colour_bar(), name, 64.0), *shapes]


def _draw(image: str, marks: list[Markup], keys: list[Key], width: int) -> tuple[float, Markup]:
    """Lay the picture down and cover its corners, so that the rim is smooth in both themes."""
    used, key = legend(keys, 10.0, width - 10.0, 0.0)
    size = NARROW - 20
    r = size // 2
    cover = f"M-1-1H{size + 1}V{size + 1}H-1ZM0 {r}a{r} {r} 0 1 0 {size} 0a{r} {r} 0 1 0 {-size} 0Z"
    ball = [
        tag("image", href=image, width=float(size), height=float(size)),
        tag("path", d=cover, fill_rule="evenodd", class_="card-fill"),
    ]
    place = f"translate({coordinate((width - size) / 2)} {coordinate(used + 12)})"
    return used + size + 24, join([key, tag("g", *ball, *marks, transform=place)])
