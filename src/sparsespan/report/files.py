"""Writing a file whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import InvalidInput

__all__ = ["write_bytes", "write_text"]


def write_text(path: str | Path, content: str) -> Path:
    """Write UTF-8 text as `write_bytes` does."""
    return write_bytes(path, content.encode("utf-8"))


def write_bytes(path: str | Path, content: bytes) -> Path:
    """Write through a temporary neighbour, so that a reader never meets half a file."""
    path = Path(path)
    if not path.parent.is_dir():
        msg = f"`path` must lie in a folder that exists; got {str(path)!r}. Create {str(path.parent)!r} first."
        raise InvalidInput(msg)
    if path.is_dir():
        msg = f"`path` must name a file; got the folder {str(path)!r}. Add a file name."
        raise InvalidInput(msg)
    neighbour = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with neighbour.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        neighbour.replace(path)
    finally:
        neighbour.unlink(missing_ok=True)
    return path
