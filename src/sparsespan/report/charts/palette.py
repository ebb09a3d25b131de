"""One sequential palette, dark to light, with lightness that grows evenly (built in OKLab)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["colours", "hex_colour", "luminance"]

# Lightness, chroma and hue (degrees) of the anchors; even steps in lightness make even steps for the eye.
_ANCHORS = np.array([[0.24, 0.07, 285], [0.42, 0.11, 262], [0.60, 0.105, 205], [0.78, 0.125, 150], [0.95, 0.09, 105]])
_LAB_TO_LMS = np.array(
    [[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.2914855480]]
)
_LMS_TO_RGB = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)


@cache
def _table() -> NDArray[np.uint8]:
    at, anchors = np.linspace(0, 1, 256), np.linspace(0, 1, len(_ANCHORS))
    lightness, chroma, hue = _ANCHORS[:, 0], _ANCHORS[:, 1], np.deg2rad(_ANCHORS[:, 2])
    lab = [np.interp(at, anchors, part) for part in (lightness, chroma * np.cos(hue), chroma * np.sin(hue))]
    linear = np.clip((np.stack(lab, axis=1) @ _LAB_TO_LMS.T) ** 3 @ _LMS_TO_RGB.T, 0, 1)
    gamma = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.asarray(np.round(255 * gamma), dtype=np.uint8)


def colours(shares: ArrayLike) -> NDArray[np.uint8]:
    """Colours of values between 0 and 1 (clipped): uint8, with a last axis of 3 added; NaN is grey."""
    values = np.asarray(shares, dtype=np.float64)
    missing = np.isnan(values)
    table = _table()[np.round(255 * np.clip(np.where(missing, 0, values), 0, 1)).astype(np.intp)]
    return np.asarray(np.where(missing[..., None], np.uint8(128), table))


def hex_colour(value: float) -> str:
    """Colour of one value between 0 and 1, as #rrggbb."""
    return "#" + bytes(colours(value).tolist()).hex()


def luminance(rgb: ArrayLike) -> NDArray[np.float64]:
    """Relative luminance (0 to 1) of uint8 colours, last axis 3, as contrast rules count it."""
    gamma = np.asarray(rgb, dtype=np.float64) / 255
    linear = np.where(gamma <= 0.04045, gamma / 12.92, ((gamma + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))
