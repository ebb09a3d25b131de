"""Arrays as text, so that the outcome of a trial holds them and the store stays the only file."""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["pack", "unpack"]


def pack(array: NDArray[Any]) -> dict[str, Any]:
    """Turn a numeric array into plain values that JSON can hold; `unpack` gives it back bit by bit."""
    little = np.asarray(array, array.dtype.newbyteorder("<"), order="C")
    return {
        "dtype": little.dtype.str,
        "shape": list(little.shape),
        "data": b64encode(zlib.compress(little.tobytes(), 6)).decode("ascii"),
    }


def unpack(packed: dict[str, Any]) -> NDArray[Any]:
    """Give back the array."""
    flat = np.frombuffer(zlib.decompress(b64decode(packed["data"])), dtype=packed["dtype"])
    return flat.reshape(packed["shape"])
