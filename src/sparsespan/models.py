"""Random instances with known answers: one planted sparse vector, or a complete dictionary of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from .arrays import FloatArray, frozen
from .checks import at_least, generator, is_number
from .errors import InvalidInput

__all__ = ["Dictionary", "Planted", "Values", "dictionary", "planted"]

Values = Literal["ones", "signs", "gaussian"]


@dataclass(frozen=True, slots=True, eq=False)
class Planted:
    """
    A subspace that hides one sparse vector.

    Attributes
    ----------
    columns : ndarray, shape (p, n)
        Basis of the subspace, rotated by a random orthogonal matrix.
    truth : ndarray, shape (p,)
        The sparse vector, of unit norm, its largest entry positive.
    """

    columns: FloatArray
    truth: FloatArray

    def error(self, vector: FloatArray) -> float:
        """Distance of a unit vector from the truth, up to sign."""
        return float(min(np.linalg.norm(vector - self.truth), np.linalg.norm(vector + self.truth)))


@dataclass(frozen=True, slots=True, eq=False)
class Dictionary:
    """
    A subspace of which n independent vectors are sparse.

    Attributes
    ----------
    columns : ndarray, shape (p, n)
        Basis of the subspace: the sparse vectors, mixed by a random orthogonal matrix.
    truth : ndarray, shape (p, n)
        The sparse vectors, each of unit norm, its largest entry positive.
    """

    columns: FloatArray
    truth: FloatArray

    def error(self, vector: FloatArray) -> float:
        """Distance of a unit vector from the nearest of the sparse ones, up to sign."""
        return float(np.sqrt(np.maximum(0.0, 2.0 - 2.0 * np.abs(self.truth.T @ vector).max())))


def _check(size: int, dim: int, nonzeros: float, values: str) -> None:
    if at_least("dim", dim, 1) > at_least("size", size, 1):
        msg = f"`dim` must lie between 1 and `size` = {size}; got {dim}."
        raise InvalidInput(msg)
    if not (is_number(nonzeros) and 1 <= nonzeros <= size):
        msg = f"`nonzeros` must lie between 1 and `size` = {size}; got {nonzeros!r}."
        raise InvalidInput(msg)
    if values not in ("ones", "signs", "gaussian"):
        msg = f"`values` must be 'ones', 'signs' or 'gaussian'; got {values!r}."
        raise InvalidInput(msg)


def _fill(count: int, values: Values, rng: np.random.Generator) -> FloatArray:
    if values == "ones":
        return np.ones(count)
    if values == "signs":
        return rng.choice(np.array([-1.0, 1.0]), count)
    return rng.standard_normal(count)


def _normal(vectors: FloatArray) -> FloatArray:
    """Unit columns with their largest entry positive."""
    vectors = vectors / np.linalg.norm(vectors, axis=0)
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=0)[None], axis=0)
    return vectors * np.where(largest < 0, -1.0, 1.0)


def _rotation(dim: int, rng: np.random.Generator) -> FloatArray:
    """Haar-distributed orthogonal matrix, shape (n, n)."""
    rotation, triangle = np.linalg.qr(rng.standard_normal((dim, dim)))
    return np.asarray(rotation * np.sign(np.diagonal(triangle)))


def planted(size: int, dim: int, nonzeros: int, values: Values = "ones", *, seed: int | None = None) -> Planted:
    """
    Planted sparse vector: the span of one k-sparse vector and n − 1 Gaussian ones.

    Parameters
    ----------
    size, dim : int
        p and n.
    nonzeros : int
        k, the number of nonzeros, at uniformly random places.
    values : {"ones", "signs", "gaussian"}
        Nonzero entries before normalisation.
    seed : int or None

    Returns
    -------
    Planted
    """
    _check(size, dim, at_least("nonzeros", nonzeros, 1), values)
    rng = generator(seed)
    vector = np.zeros((size, 1))
    vector[rng.choice(size, nonzeros, replace=False), 0] = _fill(nonzeros, values, rng)
    truth = _normal(vector)
    columns = np.hstack([truth, rng.standard_normal((size, dim - 1)) / np.sqrt(size)])
    return Planted(frozen(columns @ _rotation(dim, rng)), frozen(truth[:, 0]))


def dictionary(
    size: int, dim: int, nonzeros: float, values: Values = "gaussian", *, seed: int | None = None
) -> Dictionary:
    """
    Complete dictionary: the span of n Bernoulli vectors, each entry nonzero with probability k/p.

    Parameters
    ----------
    size, dim : int
        p and n.
    nonzeros : float
        k, the expected number of nonzeros of each vector; every vector has at least one.
    values : {"ones", "signs", "gaussian"}
        Nonzero entries before normalisation.
    seed : int or None

    Returns
    -------
    Dictionary
    """
    _check(size, dim, nonzeros, values)
    rng = generator(seed)
    places = rng.random((size, dim)) < nonzeros / size
    empty = np.flatnonzero(~places.any(axis=0))
    places[rng.integers(size, size=empty.size), empty] = True
    vectors = np.zeros((size, dim))
    vectors[places] = _fill(int(places.sum()), values, rng)
    truth = _normal(vectors)
    return Dictionary(frozen(truth @ _rotation(dim, rng)), frozen(truth))
