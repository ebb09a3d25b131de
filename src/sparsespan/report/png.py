"""Pixels to PNG bytes, with nothing but zlib."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InvalidInput

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["png_bytes"]

_COLOUR_TYPES = {1: 0, 3: 2}  # channels -> PNG colour type (greyscale, RGB)


def png_bytes(pixels: NDArray[np.uint8]) -> bytes:
    """Encode an image as PNG.

    Parameters
    ----------
    pixels : uint8 array, shape (height, width) for grey or (height, width, 3) for RGB.
    """
    planes = pixels[..., None] if pixels.ndim == 2 else pixels
    if planes.ndim != 3 or planes.shape[2] not in _COLOUR_TYPES or pixels.dtype != np.uint8 or not pixels.size:
        msg = (
            "`pixels` must be a non-empty uint8 array of shape (H, W) or (H, W, 3); "
            f"got shape {pixels.shape}, dtype {pixels.dtype}. Scale to 0…255 and use .astype('uint8')."
        )
        raise InvalidInput(msg)
    height, width, channels = planes.shape
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOUR_TYPES[channels], 0, 0, 0)
    rows = np.zeros((height, 1 + width * channels), dtype=np.uint8)  # each row starts with filter type 0
    rows[:, 1:] = planes.reshape(height, -1)
    body = zlib.compress(rows.tobytes(), 9)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
