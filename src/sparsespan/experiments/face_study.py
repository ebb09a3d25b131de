"""From pictures to a subspace to its sparse directions: what the face experiments and the command share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basis import sparse_basis
from ..errors import InvalidInput
from ..methods import Method, as_method
from ..report.portraits import ratios
from ..starts import Rows
from ..subspace import Subspace
from ..subspace.robust import robust_pca
from ..watch import Progress

if TYPE_CHECKING:
    from ..arrays import FloatArray
    from ..result import SparseBasis
    from .images import ImageSet

__all__ = ["WAYS", "FaceSpace", "Way", "face_space", "figures", "later"]

_LIT = 0.1  # share of the progress that making the pictures low-rank takes
_WEIGHT = 5e-3 * float(np.sqrt(192 * 168))  # the paper's weight of the sparse part, as a multiple of 1/√p


@dataclass(frozen=True, slots=True, eq=False)
class FaceSpace:
    """
    A subspace of pictures.

    Attributes
    ----------
    images : ImageSet
    subspace : Subspace
        Its vectors have one entry a pixel, row by row.
    told : mapping of str to str
        How it came about, in words.
    rank : int
        Rank before the leading directions were chosen; that of the low-rank part, where there is one.
    low_rank, sparse : ndarray, shape (count, H, W), or None
        The two parts of robust PCA.
    """

    images: ImageSet
    subspace: Subspace
    told: Mapping[str, str]
    rank: int
    low_rank: FloatArray | None = None
    sparse: FloatArray | None = None


def face_space(
    images: ImageSet,
    *,
    robust: bool = False,
    rank: int | None = None,
    centred: bool = False,
    progress: Progress | None = None,
) -> FaceSpace:
    """
    Make the subspace that pictures span.

    Parameters
    ----------
    images : ImageSet
    robust : bool
        Take away first, by robust PCA, what does not fit into few dimensions: shadows, glints, a hand in front.
    rank : int or None
        Leading directions to keep; None: ten after robust PCA, as in the paper, else all.
    centred : bool
        Take away first the mean picture.
    progress : callable, optional
        Called with the share done and a word on what is being done.
    """
    if rank is not None and rank < 1:
        msg = f"`rank` must be at least 1; got {rank}. Leave it out for the default."
        raise InvalidInput(msg)
    mean = images.images.mean(axis=0) if centred else np.zeros(images.shape)
    pictures = images.images - mean
    told = {"pictures": f"{len(images.names)} of {images.shape[1]}×{images.shape[0]} pixels"}
    told["mean picture"] = "taken away" if centred else "kept"
    columns = pictures.reshape(len(pictures), -1).T
    if not robust:
        return _plain(images, columns, rank, told)
    return _robust(images, columns, 10 if rank is None else rank, told, progress)


def _plain(images: ImageSet, columns: FloatArray, rank: int | None, told: dict[str, str]) -> FaceSpace:
    whole = Subspace.span(columns)
    subspace = whole if rank is None or rank >= whole.dim else Subspace.low_rank(columns, rank=rank)
    told["subspace"] = f"dimension {subspace.dim}; {subspace.rank}"
    return FaceSpace(images, subspace, told, whole.dim)


def _robust(
    images: ImageSet, columns: FloatArray, rank: int, told: dict[str, str], progress: Progress | None
) -> FaceSpace:
    tol = 1e-7

    def tell(step: int, residual: float) -> None:
        if progress is not None:
            progress(min(1.0, np.log(residual + tol**2) / np.log(tol)) * _LIT, f"robust PCA, step {step}")

    split = robust_pca(columns, _WEIGHT / float(np.sqrt(len(columns))), tol, progress=tell)
    if split.rank == 0:
        msg = f"the pictures must have a low-rank part; got rank 0 of {len(images.names)}. Search without robust PCA."
        raise InvalidInput(msg)
    subspace = Subspace.span(split.U[:, :rank])
    told["robust PCA"] = f"rank {split.rank}, {split.status}, weight {split.weight:.2e}"
    told["subspace"] = f"the {subspace.dim} leading directions of the low-rank part"
    parts = (part.T.reshape(images.images.shape) for part in (split.low_rank, split.sparse))
    return FaceSpace(images, subspace, told, split.rank, *parts)


def later(progress: Progress | None) -> Progress | None:
    """Report the progress of a search, as the part of the whole that comes after the making of its subspace."""
    return None if progress is None else lambda share, doing: progress(_LIT + (1.0 - _LIT) * share, doing)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to take several sparse vectors out of a subspace, and what to call it in a table and above pictures."""

    name: str
    title: str
    method: Callable[[], Method]
    says: str
    orthogonal: bool = True
    joint: bool = False

    def search(self, subspace: Subspace, count: int, **options: Any) -> SparseBasis:
        """Search; options as for `sparse_basis`."""
        made = self.method()
        return sparse_basis(subspace, count, made, orthogonal=self.orthogonal, joint=self.joint, **options)


WAYS: Mapping[str, Way] = {
    "adm": Way(
        "paper's protocol",
        "The paper's protocol",
        lambda: as_method("paper", {"starts": Rows(share=0.1)}),
        "Alternating directions from a tenth of the rows, a linear program at each limit, the smallest ℓ¹ norm, then "
        "the same on what is orthogonal to it.",
    ),
    "spectral": Way(
        "spectral",
        "The spectral method under the same protocol",
        lambda: as_method("spectral", {"ends": "upper"}),
        "The top eigenvector of Σ(‖y_i‖² − n/p) y_i y_iᵀ and one linear program, on the same basis.",
    ),
    "greedy": Way(
        "greedy",
        "Greedy deflation, each vector finished exactly",
        lambda: as_method("adm", {}),
        "256 rows and 64 random starts; the best limits are followed down to a strict local minimum of the ℓ¹ norm. "
        "Each vector is the best of what those before it left.",
    ),
    "joint": Way(
        "all at once",
        "All at once, orthogonal",
        lambda: as_method("adm", {}),
        "The sum of the ℓ¹ norms over orthonormal frames: a worse first vector may leave better ones for the others.",
        joint=True,
    ),
    "independent": Way(
        "independent",
        "Independent, not orthogonal",
        lambda: as_method("adm", {}),
        "Each vector is the best one found outside the span of those before it.",
        orthogonal=False,
    ),
}


def figures(basis: SparseBasis) -> dict[str, Any]:
    """What is told of the vectors: both ratios of each, and whether it is proved to be a strict local minimum."""
    both = [ratios(item.vector) for item in basis]
    return {
        "l1": [first for first, _ in both],
        "l4": [fourth for _, fourth in both],
        "minima": [bool(item.certificate.locally_optimal) for item in basis],
        "status": basis.status.value,
    }
