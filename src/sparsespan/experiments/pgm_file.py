"""PGM files, plain (P2) and binary (P5), 8 and 16 bits: read and written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InvalidInput
from .png_file import BadImage

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import ArrayLike

    from ..arrays import FloatArray

__all__ = ["read_pgm", "write_pgm"]

_SPACE = b" \t\n\r\v\f"
_MOST_DIGITS = 9


def read_pgm(data: bytes) -> FloatArray:
    """Grey values of a PGM scaled to [0, 1]: (H, W)."""
    (width, height, white), place = _header(data)
    if not (width > 0 and height > 0 and 0 < white < 65536):
        msg = f"its header is not valid ({width}×{height}, white at {white})"
        raise BadImage(msg)
    count = width * height
    values = _plain(data[place:], count) if data[:2] == b"P2" else _binary(data[place:], count, white)
    if values.size < count:
        msg = f"it holds {values.size} of the {count} pixels announced"
        raise BadImage(msg)
    if values.min() < 0 or values.max() > white:
        worst = values.min() if values.min() < 0 else values.max()
        msg = f"it holds a value of {worst:.0f} outside 0…{white}"
        raise BadImage(msg)
    return (values / white).reshape(height, width)


def _header(data: bytes) -> tuple[tuple[int, int, int], int]:
    """Width, height and white level, and where the pixels begin: one white space after the third number."""
    numbers: list[int] = []
    place = 2
    while len(numbers) < 3:
        while place < len(data) and (data[place] in _SPACE or data[place : place + 1] == b"#"):
            comment = data[place : place + 1] == b"#"
            place = _end_of_line(data, place) if comment else place + 1
        start = place
        while place < len(data) and data[place : place + 1].isdigit():
            place += 1
        if not 0 < place - start <= _MOST_DIGITS:
            msg = "its header does not give width, height and white level"
            raise BadImage(msg)
        numbers.append(int(data[start:place]))
    return (numbers[0], numbers[1], numbers[2]), place + 1


def _end_of_line(data: bytes, place: int) -> int:
    end = data.find(b"\n", place)
    return len(data) if end < 0 else end


def _plain(body: bytes, count: int) -> FloatArray:
    try:
        return np.array([int(word) for word in body.split(maxsplit=count)[:count]], dtype=np.float64)
    except (ValueError, OverflowError) as error:
        msg = f"its pixels are not all numbers ({error})"
        raise BadImage(msg) from error


def _binary(body: bytes, count: int, white: int) -> FloatArray:
    kind = np.dtype(">u2" if white > 255 else np.uint8)
    usable = min(count, len(body) // kind.itemsize)
    return np.frombuffer(body, dtype=kind, count=usable).astype(np.float64)


def write_pgm(path: Path, image: ArrayLike, *, bits: int = 8) -> None:
    """Write a grey image (H, W) with values in [0, 1] as binary PGM of 8 or 16 bits; what lies outside is clipped."""
    grey = np.asarray(image, dtype=np.float64)
    if grey.ndim != 2 or grey.size == 0 or not np.isfinite(grey).all():
        msg = f"`image` must be a finite (H, W) array; got shape {grey.shape}."
        raise InvalidInput(msg)
    if bits not in (8, 16):
        msg = f"`bits` must be 8 or 16; got {bits}."
        raise InvalidInput(msg)
    white = 2**bits - 1
    levels = np.rint(np.clip(grey, 0.0, 1.0) * white).astype(">u2" if bits == 16 else np.uint8)
    height, width = grey.shape
    path.write_bytes(f"P5\n{width} {height}\n{white}\n".encode() + levels.tobytes())
