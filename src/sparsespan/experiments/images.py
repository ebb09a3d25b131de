"""A folder of pictures as one array: PNG, JPEG and PGM files of one size, in grey."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import frozen
from ..errors import InvalidInput, MissingExtra
from .pgm_file import read_pgm
from .png_file import SIGNATURE, BadImage, read_png

if TYPE_CHECKING:
    from ..arrays import FloatArray

__all__ = ["ImageSet", "read_folder", "read_image"]

_SUFFIXES = (".png", ".jpg", ".jpeg", ".pgm")
_LUMA = np.array([0.299, 0.587, 0.114])  # of red, green and blue in what the eye calls bright (Rec. 601)


@dataclass(frozen=True, slots=True, eq=False)
class ImageSet:
    """
    Grey images of one size.

    Attributes
    ----------
    images : ndarray, shape (count, H, W)
        Values in [0, 1], read-only.
    names : tuple of str
        One a picture.
    """

    images: FloatArray
    names: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """(H, W) of each picture."""
        return self.images.shape[1], self.images.shape[2]

    @property
    def columns(self) -> FloatArray:
        """The pictures as columns, (H·W, count), pixels row by row."""
        return self.images.reshape(len(self.images), -1).T

    def picture(self, vector: FloatArray) -> FloatArray:
        """A vector of H·W pixels as an (H, W) picture."""
        return vector.reshape(self.shape)


def read_folder(folder: str | Path) -> ImageSet:
    """
    Read all PNG, JPEG and PGM files of a folder (not of its subfolders), in the order of their names.

    Colour becomes grey, and what is transparent, black. Other files are left alone. JPEG needs Pillow, the
    extra `images`.

    Parameters
    ----------
    folder : str or Path

    Returns
    -------
    ImageSet
    """
    place = Path(folder)
    if not place.is_dir():
        msg = f"`folder` must be an existing folder; got {str(place)!r}."
        raise InvalidInput(msg)
    paths = sorted(path for path in place.iterdir() if _is_picture(path))
    if not paths:
        others = sum(1 for _ in place.iterdir())
        msg = f"`folder` must hold PNG, JPEG or PGM files; got {others} other entries in {str(place)!r}."
        raise InvalidInput(msg)
    pictures = [read_image(path) for path in paths]
    _check_sizes(paths, pictures)
    return ImageSet(frozen(np.stack(pictures)), tuple(path.name for path in paths))


def read_image(path: str | Path) -> FloatArray:
    """Read a PNG, JPEG or PGM file, whatever its name says, as grey values (H, W) in [0, 1]."""
    place = Path(path)
    try:
        data = place.read_bytes()
        return _grey(_decoded(data))
    except (OSError, BadImage) as error:
        msg = f"`path` must be a readable PNG, JPEG or PGM file; got {str(place)!r}: {error}."
        raise InvalidInput(msg) from error


def _is_picture(path: Path) -> bool:
    return path.suffix.lower() in _SUFFIXES and not path.name.startswith(".") and path.is_file()


def _decoded(data: bytes) -> FloatArray:
    """Samples in [0, 1], (H, W) or (H, W, C), by what the first bytes say."""
    if data.startswith(SIGNATURE):
        return read_png(data)
    if data[:2] in (b"P2", b"P5"):
        return read_pgm(data)
    if data.startswith(b"\xff\xd8"):
        return _read_jpeg(data)
    msg = f"it begins like none of the three ({data[:4]!r})" if data else "it is empty"
    raise BadImage(msg)


def _read_jpeg(data: bytes) -> FloatArray:
    try:
        from PIL import Image, ImageOps
    except ImportError as error:
        msg = 'Reading JPEG needs Pillow, which is not installed. Get it: pip install "sparsespan[images]".'
        raise MissingExtra(msg) from error
    try:
        with Image.open(io.BytesIO(data), formats=["JPEG"]) as picture:
            grey = ImageOps.exif_transpose(picture).convert("L")  # a phone stores how it was held
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        msg = f"Pillow cannot decode it ({error})"
        raise BadImage(msg) from error
    return np.asarray(grey, dtype=np.float64) / 255.0


def _grey(samples: FloatArray) -> FloatArray:
    if samples.ndim == 2:
        return samples
    channels = samples.shape[2]
    light: FloatArray = samples[..., :3] @ _LUMA if channels >= 3 else samples[..., 0]
    return light * samples[..., -1] if channels in (2, 4) else light


def _check_sizes(paths: list[Path], pictures: list[FloatArray]) -> None:
    first = pictures[0].shape
    for path, picture in zip(paths, pictures, strict=True):
        if picture.shape != first:
            ours, theirs = f"{first[1]}×{first[0]}", f"{picture.shape[1]}×{picture.shape[0]}"
            msg = (
                f"`folder` must hold images of one size; got {paths[0].name} of {ours} and {path.name} of {theirs} "
                "pixels. Crop or scale them alike, or move the odd ones away."
            )
            raise InvalidInput(msg)
