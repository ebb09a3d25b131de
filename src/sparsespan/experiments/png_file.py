"""PNG files to pixel arrays with zlib and NumPy: grey, RGB, palette, with and without alpha, 1 to 16 bits."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..arrays import FloatArray

    Bytes = NDArray[np.uint8]

__all__ = ["SIGNATURE", "BadImage", "read_png"]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by colour type: grey, RGB, palette, grey + alpha, RGB + alpha
_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_PALETTE = 3
_MOST_PIXELS = 1 << 28


class BadImage(Exception):
    """What is wrong with the bytes of one image; the reader of files makes it part of its InvalidInput."""


@dataclass(frozen=True, slots=True)
class _Header:
    width: int
    height: int
    depth: int
    colour: int

    @property
    def channels(self) -> int:
        return _CHANNELS[self.colour]

    @property
    def row_bytes(self) -> int:
        return (self.width * self.channels * self.depth + 7) // 8

    @property
    def pixel_bytes(self) -> int:
        """Distance of a byte from its left neighbour, as the filters see it."""
        return max(1, self.channels * self.depth // 8)


def read_png(data: bytes) -> FloatArray:
    """Samples of a PNG scaled to [0, 1]: (H, W, C), C = 1 grey, 2 grey + alpha, 3 RGB, 4 RGB + alpha."""
    chunks = _chunks(data)
    header = _header(chunks)
    packed = _inflated(b"".join(body for kind, body in chunks if kind == b"IDAT"), header)
    rows = _unfiltered(packed[:, 1:], packed[:, 0], header.pixel_bytes)
    samples = _samples(rows, header)
    if header.colour == _PALETTE:
        return _looked_up(samples[..., 0], chunks) / 255.0
    scaled: FloatArray = samples / float(2**header.depth - 1)
    return scaled


def _chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    found, place = [], len(SIGNATURE)
    while place + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        body = data[place + 8 : place + 8 + length]
        tail = data[place + 8 + length : place + 12 + length]
        if len(tail) < 4 or struct.unpack(">I", tail)[0] != zlib.crc32(kind + body):
            msg = f"its {kind.decode('latin-1')} chunk is cut off or damaged"
            raise BadImage(msg)
        found.append((kind, body))
        place += 12 + length
        if kind == b"IEND":
            return found
    msg = "the file ends early"
    raise BadImage(msg)


def _header(chunks: list[tuple[bytes, bytes]]) -> _Header:
    if not chunks or chunks[0][0] != b"IHDR" or len(chunks[0][1]) != 13:
        msg = "it does not begin with a header"
        raise BadImage(msg)
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[0][1])
    if depth not in _DEPTHS.get(colour, ()) or width == 0 or height == 0:
        msg = f"its header is not valid (colour type {colour}, {depth} bits, {width}×{height})"
        raise BadImage(msg)
    if width * height > _MOST_PIXELS:
        msg = f"it announces {width}×{height} pixels, more than the {_MOST_PIXELS} read here"
        raise BadImage(msg)
    if interlaced:
        msg = "it is interlaced, which is not read here; save it without interlacing"
        raise BadImage(msg)
    return _Header(width, height, depth, colour)


def _inflated(packed: bytes, header: _Header) -> Bytes:
    size = header.height * (1 + header.row_bytes)
    try:
        raw = zlib.decompressobj().decompress(packed, size + 1)  # never more than the header announces
    except zlib.error as error:
        msg = f"its pixels cannot be decompressed ({error})"
        raise BadImage(msg) from error
    if len(raw) != size:
        msg = f"it holds {len(raw)} bytes of pixels where {size} are announced"
        raise BadImage(msg)
    rows = np.frombuffer(raw, dtype=np.uint8).reshape(header.height, -1)
    if (rows[:, 0] > 4).any():
        msg = f"it names an unknown filter, {rows[:, 0].max()}"
        raise BadImage(msg)
    return rows


def _unfiltered(filtered: Bytes, filters: Bytes, step: int) -> Bytes:
    """
    Undo the prediction of each byte from its left, upper and upper left neighbours.

    A pixel needs those three only, so all pixels of an anti-diagonal are done at once.
    """
    height, width = len(filtered), filtered.shape[1] // step
    coded = filtered.reshape(height, width, step)
    plain = np.zeros((height + 1, width + 1, step), dtype=np.uint8)  # a border of zeros above and to the left
    for diagonal in range(height + width - 1):
        row = np.arange(max(0, diagonal - width + 1), min(height, diagonal + 1))
        column = diagonal - row
        left = plain[row + 1, column].astype(np.int16)
        above = plain[row, column + 1].astype(np.int16)
        corner = plain[row, column].astype(np.int16)
        guess = _predicted(left, above, corner, filters[row][:, None])
        plain[row + 1, column + 1] = coded[row, column] + guess.astype(np.uint8)
    return plain[1:, 1:].reshape(height, -1)


def _predicted(
    left: NDArray[np.int16], above: NDArray[np.int16], corner: NDArray[np.int16], kind: Bytes
) -> NDArray[np.int16]:
    """The five filters of PNG: none, left, above, their mean, and the nearest of three to left + above − corner."""
    to_left, to_above, to_corner = np.abs(above - corner), np.abs(left - corner), np.abs(left + above - 2 * corner)
    nearest = np.where(to_above <= to_corner, above, corner)
    nearest = np.where((to_left <= to_above) & (to_left <= to_corner), left, nearest)
    return np.choose(kind, [np.zeros_like(left), left, above, (left + above) >> 1, nearest])


def _samples(rows: Bytes, header: _Header) -> NDArray[np.uint16]:
    if header.depth == 16:
        samples = rows.view(">u2").astype(np.uint16)
    elif header.depth == 8:
        samples = rows.astype(np.uint16)
    else:
        bits = np.unpackbits(rows, axis=1).reshape(header.height, -1, header.depth)
        places = 1 << np.arange(header.depth - 1, -1, -1, dtype=np.uint16)
        samples = (bits * places).sum(axis=2, dtype=np.uint16)
    count = header.width * header.channels
    return samples[:, :count].reshape(header.height, header.width, header.channels)


def _looked_up(indices: NDArray[np.uint16], chunks: list[tuple[bytes, bytes]]) -> Bytes:
    body = next((body for kind, body in chunks if kind == b"PLTE"), b"")
    palette = np.frombuffer(body[: len(body) // 3 * 3], dtype=np.uint8).reshape(-1, 3)
    if indices.max() >= len(palette):
        msg = f"it uses colour {indices.max()} of a palette of {len(palette)}"
        raise BadImage(msg)
    return palette[indices]
