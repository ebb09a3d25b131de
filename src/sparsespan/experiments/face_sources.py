"""Where faces come from: real collections in a data folder, or else the synthetic set, which everybody has."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from ..arrays import frozen
from ..errors import InvalidInput
from .images import ImageSet
from .lambertian import FaceSet, lambertian_people, lambertian_person

if TYPE_CHECKING:
    from ..arrays import FloatArray

__all__ = ["Source", "authors_basis", "data_folder", "data_from", "one_person", "source_of", "ten_persons"]

Source: TypeAlias = Literal["real", "synthetic"]

VARIABLE = "SPARSESPAN_DATA"
LIGHTS = (
    "faces/yaleb_cropped_core.npz"  # Extended Yale B, cropped: person 1 under all lights, all under the frontal one
)
PERSONS = "paper_faces/data_persons.mat"  # the authors' ten persons under normal light
BASIS = "paper_faces/data.mat"  # the authors' basis for person 1
_SHAPE = (192, 168)
_PERSON = 1


def data_folder() -> Path | None:
    """
    The folder of real data: what the environment variable SPARSESPAN_DATA names, else ../shared/data.

    None where there is none; a folder that is named but absent is an error.
    """
    named = os.environ.get(VARIABLE)
    place = Path(named or "../shared/data")
    if place.is_dir():
        return place
    if named:
        msg = f"`{VARIABLE}` must name an existing folder; got {named!r}. Unset it to use the synthetic faces."
        raise InvalidInput(msg)
    return None


@contextmanager
def data_from(folder: Path | None) -> Iterator[None]:
    """Take real data from another folder for a while, in this process and those that it starts; None: no change."""
    before = os.environ.get(VARIABLE)
    if folder is not None:
        os.environ[VARIABLE] = str(folder.resolve())
    try:
        yield
    finally:
        os.environ.pop(VARIABLE, None)
        os.environ.update({} if before is None else {VARIABLE: before})


def source_of(file: str) -> Source:
    """Whether the data folder holds a file, or the synthetic set must do."""
    folder = data_folder()
    return "real" if folder is not None and (folder / file).is_file() else "synthetic"


def one_person(source: Source, step: int = 1) -> ImageSet:
    """
    One person under 64 lamps, without the picture in ambient light.

    Parameters
    ----------
    source : {"real", "synthetic"}
    step : int
        Every so many-th pixel each way: 1 gives 192×168 pixels.
    """
    if source == "synthetic":
        return _rendered(lambertian_person(0, _coarse(step)))
    stored = _arrays(LIGHTS)
    lit = (stored["person"] == _PERSON) & np.isfinite(stored["azimuth"])
    lamps = zip(stored["azimuth"][lit], stored["elevation"][lit], strict=True)
    pixels = stored["images"][lit][:, ::step, ::step] / 255.0
    return ImageSet(frozen(pixels), tuple(_lamp(azimuth, elevation) for azimuth, elevation in lamps))


def ten_persons(source: Source, step: int = 1) -> ImageSet:
    """Ten persons under frontal light; parameters as for `one_person`."""
    if source == "synthetic":
        return _rendered(lambertian_people(10, _coarse(step)))
    pixels = _upright(_arrays(PERSONS)["Y"])[:, ::step, ::step] / 255.0
    return ImageSet(frozen(pixels), tuple(f"person {number}" for number in range(1, len(pixels) + 1)))


def authors_basis() -> FloatArray:
    """The basis (32256×10) that the paper's authors worked on for person 1, pixels row by row."""
    pictures = _upright(_arrays(BASIS)["Y"])
    return np.ascontiguousarray(pictures.reshape(len(pictures), -1).T)


def _rendered(faces: FaceSet) -> ImageSet:
    lamps = zip(faces.person, faces.azimuth, faces.elevation, strict=True)
    names = (f"person {person}, {_lamp(azimuth, elevation)}" for person, azimuth, elevation in lamps)
    return ImageSet(faces.images, tuple(names))


def _lamp(azimuth: float, elevation: float) -> str:
    return f"lamp at {azimuth:+.0f}°, {elevation:+.0f}°"


def _coarse(step: int) -> tuple[int, int]:
    return -(-_SHAPE[0] // step), -(-_SHAPE[1] // step)


def _upright(columns: FloatArray) -> FloatArray:
    """Columns of pixels counted downwards, as the authors store them, to pictures (count, H, W)."""
    return columns.T.reshape(-1, _SHAPE[1], _SHAPE[0]).transpose(0, 2, 1)


def _arrays(file: str) -> dict[str, Any]:
    folder = data_folder()
    path = (folder or Path()) / file
    try:
        return _read(path)
    except Exception as error:  # a file can be broken in more ways than its readers have exceptions
        msg = f"{path} must be a readable file of faces; got: {error}. Without it the synthetic faces are used."
        raise InvalidInput(msg) from error


def _read(path: Path) -> dict[str, Any]:
    if path.suffix == ".mat":
        from scipy.io import loadmat

        return dict(loadmat(path))
    with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
        return {name: stored[name] for name in ("images", "person", "azimuth", "elevation")}
