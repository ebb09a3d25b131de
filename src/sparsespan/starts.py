"""Initial points on the sphere: rows of the basis, random directions, the mean, spectral ends, subsets, given ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, cast

import numpy as np

from .arrays import FloatArray, as_float64, as_matrix
from .checks import at_least, is_number
from .errors import InvalidInput
from .subspace import Subspace

__all__ = [
    "Cloud",
    "Given",
    "Mean",
    "Mix",
    "Points",
    "Random",
    "Rows",
    "Spectral",
    "StartLike",
    "Starts",
    "Subsets",
    "as_starts",
]


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """
    Starting points with their names.

    Attributes
    ----------
    points : ndarray, shape (n, R)
        Unit columns.
    labels : list of str
        R names, for the report of a run.
    """

    points: FloatArray
    labels: list[str]

    def __len__(self) -> int:
        return len(self.labels)

    def pick(self, columns: Sequence[int]) -> Points:
        """Select some of the points."""
        return Points(np.ascontiguousarray(self.points[:, columns]), [self.labels[i] for i in columns])


def _unit(points: FloatArray, labels: list[str]) -> Points:
    """Normalise columns; those that vanish are left out."""
    lengths = np.linalg.norm(points, axis=0)
    kept = lengths > 0
    if kept.all():
        return Points(points / lengths, labels)
    return Points(points[:, kept] / lengths[kept], [label for label, keep in zip(labels, kept, strict=True) if keep])


class Starts(Protocol):
    """A way to choose initial points; a frozen value."""

    def points(self, subspace: Subspace, rng: np.random.Generator) -> Points:
        """Choose the points, drawing from ``rng`` only."""
        ...


@dataclass(frozen=True, slots=True)
class Rows:
    """
    Normalised rows of the basis, the paper's initialisation.

    Attributes
    ----------
    share : float
        Part of the rows to take, drawn without replacement; 1 takes every row in order.
    most : int or None
        Upper limit of their number.
    """

    share: float = 1.0
    most: int | None = None

    def __post_init__(self) -> None:
        if not (is_number(self.share) and 0 < self.share <= 1):
            msg = f"`share` must lie in (0, 1]; got {self.share!r}. Use 0.1 for a tenth of the rows."
            raise InvalidInput(msg)
        if self.most is not None:
            at_least("most", self.most, 1, "Use None for no limit.")

    def points(self, subspace: Subspace, rng: np.random.Generator) -> Points:
        """Choose rows that are not zero."""
        live = np.flatnonzero(~subspace.null_rows)
        count = math.ceil(self.share * live.size)
        count = count if self.most is None else min(count, self.most)
        chosen = live if count == live.size else np.sort(rng.choice(live, count, replace=False))
        rows = subspace.take(chosen).T
        return _unit(np.ascontiguousarray(rows), [f"row {i}" for i in chosen])


@dataclass(frozen=True, slots=True)
class Random:
    """Uniform random points: ``count`` of them."""

    count: int = 64

    def __post_init__(self) -> None:
        at_least("count", self.count, 1, "Use a few dozen.")

    def points(self, subspace: Subspace, rng: np.random.Generator) -> Points:
        """Draw them."""
        return _unit(rng.standard_normal((subspace.dim, self.count)), [f"random {i}" for i in range(self.count)])


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of the rows, Yᵀ1: close to a sparse vector whose entries have one sign."""

    def points(self, subspace: Subspace, rng: np.random.Generator) -> Points:
        """Compute it; no point where the rows sum to zero."""
        ones = np.ones((subspace.size, 1))
        total = subspace.adjoint(ones)
        if np.linalg.norm(total) <= subspace.resolution * math.sqrt(subspace.size):
            return Points(np.zeros((subspace.dim, 0)), [])
        return _unit(total, ["mean"])


@dataclass(frozen=True, slots=True)
class Spectral:
    """
    Both ends of the spectrum of Σ(‖y_i‖² − (n−1)/p) y_i y_iᵀ − (3/p) I.

    A planted vector with heavy-tailed entries pulls out the upper end (Hopkins et al.), one with entries flatter
    than Gaussian the lower (Mao and Wein); blind where the fourth moment is the Gaussian's.
    """

    def points(self, subspace: Subspace, rng: np.random.Generator) -> Points:
        """Compute the eigenvectors, that of the larger |eigenvalue| first."""
        n = subspace.dim
        values, vectors = subspace.tail_spectrum
        if n == 1:
            return Points(vectors, ["spectral"])
        ends = [n - 1, 0] if abs(values[-1]) >= abs(values[0]) else [0, n - 1]
        names = {n - 1: "spectral upper", 0: "spectral lower"}
        return Points(np.ascontiguousarray(vectors[:, ends]), [names[i] for i in ends])


@dataclass(frozen=True, slots=True)
class Cloud:
    """
    Random points inside the leading eigenspaces of the matrix of `Spectral`: ``count`` of them.

    Where no single eigenvector is near the planted one, the heaviest-tailed few still hold more than their share of
    it. Each point draws how many it mixes, from 3 up to all n, uniformly in the logarithm.
    """

    count: int = 256

    def __post_init__(self) -> None:
        if self.count < 1:
            msg = f"`count` must be at least 1; got {self.count}. Use a few hundred."
            raise InvalidInput(msg)

    def points(self, subspace: Subspace, rng: np.random.Generator) -> Points:
        """Draw them."""
        n = subspace.dim
        widths = np.exp(rng.uniform(math.log(min(3, n)), math.log(n + 1), self.count)).astype(np.intp)
        mixture = rng.standard_normal((n, self.count)) * (np.arange(n)[::-1, None] < widths)
        return _unit(subspace.tail_spectrum[1] @ mixture, [f"cloud {i}" for i in range(self.count)])


@dataclass(frozen=True, slots=True)
class Subsets:
    """The vectors that vanish on n − 1 random rows, as in RANSAC: ``count`` of them."""

    count: int = 64

    def __post_init__(self) -> None:
        if self.count < 1:
            msg = f"`count` must be at least 1; got {self.count}. Use a few dozen."
            raise InvalidInput(msg)

    def points(self, subspace: Subspace, rng: np.random.Generator) -> Points:
        """Draw them; rows that are dependent leave a choice, of which the singular value decomposition takes one."""
        live = np.flatnonzero(~subspace.null_rows)
        size = min(subspace.dim - 1, live.size)
        points = np.empty((subspace.dim, self.count))
        for index in range(self.count):
            rows = subspace.take(np.sort(rng.choice(live, size, replace=False)))
            points[:, index] = np.linalg.svd(rows)[2][-1]
        return _unit(points, [f"subset {i}" for i in range(self.count)])


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """Points of one's own, as columns of an (n, R) array; they are normalised."""

    columns: FloatArray = field(repr=False)

    def points(self, subspace: Subspace, rng: np.random.Generator) -> Points:
        """Check and normalise them."""
        matrix = as_float64(as_matrix(self.columns, "starts"), "starts")
        if matrix.shape[0] != subspace.dim or not (np.abs(matrix).max(axis=0) > 0).all():
            msg = (
                f"`starts` must hold nonzero columns of {subspace.dim} coordinates each; got shape {matrix.shape}. "
                "Coordinates of a vector x are `subspace.basis.T @ x`."
            )
            raise InvalidInput(msg)
        matrix = matrix / np.abs(matrix).max(axis=0)
        return _unit(matrix, [f"given {i}" for i in range(matrix.shape[1])])


@dataclass(frozen=True, slots=True)
class Mix:
    """Several kinds of starts, one after another."""

    parts: tuple[Starts, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.parts, (list, tuple)) or not self.parts:
            msg = f"`parts` must be a sequence of starts, at least one; got {self.parts!r}. Use (Rows(), Random())."
            raise InvalidInput(msg)
        object.__setattr__(self, "parts", tuple(as_starts(part) for part in self.parts))

    def points(self, subspace: Subspace, rng: np.random.Generator) -> Points:
        """Choose the points of every part; each part draws from a generator of its own."""
        groups = [part.points(subspace, r) for part, r in zip(self.parts, rng.spawn(len(self.parts)), strict=True)]
        return Points(np.hstack([g.points for g in groups]), [label for g in groups for label in g.labels])


StartLike: TypeAlias = "Starts | str | FloatArray | Sequence[Starts | str]"
_NAMED: dict[str, Starts] = {
    "cloud": Cloud(),
    "mean": Mean(),
    "random": Random(),
    "rows": Rows(),
    "spectral": Spectral(),
    "subsets": Subsets(),
}


def as_starts(value: object) -> Starts:
    """Turn a name, an array of points, a value, or a sequence of names and values into one `Starts` value."""
    if isinstance(value, str):
        if value not in _NAMED:
            msg = f"`starts` must be one of {', '.join(sorted(_NAMED))}; got {value!r}."
            raise InvalidInput(msg)
        return _NAMED[value]
    if isinstance(value, (list, tuple)) and any(isinstance(v, str) or _is_starts(v) for v in value):
        return Mix(tuple(value))
    if isinstance(value, Points):
        return Given(value.points)
    if _is_starts(value):
        return cast(Starts, value)
    return Given(as_float64(as_matrix(value, "starts"), "starts"))


def _is_starts(value: object) -> bool:
    return not isinstance(value, type) and callable(getattr(value, "points", None))
