"""A family of sparse vectors, stored by columns: the one shape in which vectors travel through this package."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

__all__ = ["Family"]


@dataclass(frozen=True)
class Family:
    """
    Sparse vectors: the k-th has ``value[s:t]`` at the increasing coordinates ``at[s:t]``, s, t = starts[k:k+2].

    Attributes
    ----------
    starts : array of int64, shape (count + 1,)
    at : array of int32, shape (nnz,)
    value : array, shape (nnz,)
        uint64 residues or float64 numbers, by the field; none is zero.
    """

    starts: NDArray[np.int64]
    at: NDArray[np.int32]
    value: NDArray[Any]

    def __len__(self) -> int:
        return self.starts.size - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of nonzeros of each vector, shape (count,)."""
        return np.diff(self.starts)

    @property
    def owner(self) -> NDArray[np.int64]:
        """Number of the vector to which each entry belongs, shape (nnz,)."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def weights(self, weight: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the weight of each vector: the sum of ``weight`` over its coordinates, shape (count,)."""
        sums = np.concatenate([[0], np.cumsum(weight[self.at], dtype=np.int64)])
        return np.asarray(sums[self.starts[1:]] - sums[self.starts[:-1]])

    def take(self, chosen: NDArray[np.integer[Any]] | Sequence[int]) -> Family:
        """Return the vectors with the given numbers, in that order."""
        index = np.asarray(chosen, dtype=np.intp)
        lengths = self.lengths[index]
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        where = np.repeat(self.starts[:-1][index] - starts[:-1], lengths) + np.arange(starts[-1])
        return Family(starts, self.at[where], self.value[where])

    def renumbered(self, numbers: NDArray[np.int32]) -> Family:
        """Return the same vectors with coordinate j called ``numbers[j]``; the numbers increase."""
        return Family(self.starts, numbers[self.at], self.value)

    def nonzero(self) -> Family:
        """Return the same vectors without entries that are zero."""
        keep = self.value != 0
        kept = np.concatenate([[0], np.cumsum(keep)])
        return Family(kept[self.starts].astype(np.int64), self.at[keep], self.value[keep])

    def seen_at(self, coordinates: NDArray[np.intp], size: int) -> Family:
        """Return the vectors restricted to some coordinates, given in increasing order and numbered anew."""
        new = np.full(size, -1, dtype=np.int32)
        new[coordinates] = np.arange(coordinates.size, dtype=np.int32)
        keep = new[self.at] >= 0
        kept = np.concatenate([[0], np.cumsum(keep)])
        return Family(kept[self.starts].astype(np.int64), new[self.at[keep]], self.value[keep])

    def with_units(self, chosen: NDArray[np.int32], size: int) -> Family:
        """Return the vectors, the k-th chosen one longer by an entry 1 at the new coordinate ``size + k``."""
        insert = self.starts[chosen.astype(np.intp) + 1]
        at = np.insert(self.at, insert, size + np.arange(chosen.size, dtype=np.int32))
        starts = self.starts + np.searchsorted(chosen, np.arange(self.starts.size))
        return Family(starts.astype(np.int64), at, np.insert(self.value, insert, 1))

    def transposed(self, size: int) -> Family:
        """Return the rows of the matrix whose columns are these vectors of length ``size``."""
        order = np.argsort(self.at, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(self.at, minlength=size))]).astype(np.int64)
        return Family(starts, self.owner[order].astype(np.int32), self.value[order])

    def dicts(self) -> list[dict[int, Any]]:
        """Return each vector as a dictionary {coordinate: value}."""
        at, value, starts = self.at.tolist(), self.value.tolist(), self.starts.tolist()
        return [dict(zip(at[s:t], value[s:t], strict=True)) for s, t in pairwise(starts)]

    @staticmethod
    def of(vectors: Iterable[dict[int, Any]], dtype: type[Any]) -> Family:
        """Build a family from dictionaries {coordinate: value}."""
        pairs = [sorted(v.items()) for v in vectors]
        starts = np.concatenate([[0], np.cumsum([len(v) for v in pairs], dtype=np.int64)]).astype(np.int64)
        at = np.array([j for v in pairs for j, _ in v], dtype=np.int32)
        return Family(starts, at, np.array([x for v in pairs for _, x in v], dtype=dtype))

    @staticmethod
    def joined(families: Sequence[Family]) -> Family:
        """Return all vectors of several families (at least one), one family after the other."""
        lengths = np.concatenate([f.lengths for f in families])
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        at = np.concatenate([f.at for f in families])
        return Family(starts, at, np.concatenate([f.value for f in families]))
