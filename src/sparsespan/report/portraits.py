"""Pictures and vectors of pixels as bytes to look at, a vector with the two ratios that the paper prints below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .blocks import Picture, Pictures
from .numbers import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ..arrays import FloatArray

__all__ = ["grey", "portrait", "portraits", "ratios", "strip"]

_WHITE = 0.995  # quantile of the magnitudes that is shown white: a few glints would leave the rest dark
_GAP = 4  # pixels between the pictures of a strip


def grey(picture: FloatArray) -> NDArray[np.uint8]:
    """Grey values (…, H, W), 0 black and 1 white; the sign does not matter, and what is above 1 is white."""
    return np.asarray(np.rint(255.0 * np.minimum(np.abs(picture), 1.0)), dtype=np.uint8)


def portrait(picture: FloatArray) -> NDArray[np.uint8]:
    """Magnitudes of a signed picture (H, W), zero black: what is sparse is dark."""
    sizes = np.abs(picture)
    white = float(np.quantile(sizes, _WHITE)) or float(sizes.max()) or 1.0
    return grey(sizes / white)


def ratios(vector: FloatArray) -> tuple[float, float]:
    """‖x‖₁/‖x‖₂, small where x is sparse, and ‖x‖₄/‖x‖₂, large where it is spiky."""
    length = float(np.linalg.norm(vector))
    return float(np.abs(vector).sum()) / length, float(np.sum((vector / length) ** 4) ** 0.25)


def portraits(pixels: Sequence[NDArray[np.uint8]], l1: Sequence[float], l4: Sequence[float]) -> Pictures:
    """Pictures side by side, each with its ratios."""
    return Pictures(
        [
            Picture(grey, f"vector {index}", f"ℓ¹/ℓ² {first:.1f}, ℓ⁴/ℓ² {number(fourth, 3)}")
            for index, (grey, first, fourth) in enumerate(zip(pixels, l1, l4, strict=True), 1)
        ]
    )


def strip(pixels: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """Pictures of one size as one wide picture."""
    gap = np.full((len(pixels[0]), _GAP), 255, dtype=np.uint8)
    parts = [part for picture in pixels for part in (gap, picture)]
    return np.hstack(parts[1:])
