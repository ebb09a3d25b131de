"""Matrices that are the incidence matrix of a graph up to scaling: their sparsest null basis is a minimum cycle basis.

A matrix whose columns have at most two entries is one when its rows can be scaled so that every column with two entries
reads (τ, −τ); a column with one entry leads to the ground, one more node. The null vectors of least support are then
the cycles of the graph, and the sparsest basis is found exactly (Horton 1987; isometric candidates after Amaldi,
Iuliano, Jurkiewicz, Mehlhorn and Rizzi 2009), independence being tested over the field of the matrix, not modulo 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import dijkstra

from .engine import select
from .family import Family
from .fields import Field

__all__ = ["Network", "minimum_cycle_basis", "recognise"]

_LARGEST = 20_000_000  # pairs (root, edge) up to which the exact search is tried
_CHUNK = 4_000_000  # of them held in memory at once


@dataclass(frozen=True)
class Network:
    """
    A weighted graph whose cycles are the circuits of a matrix.

    Attributes
    ----------
    tail, head : arrays of int64, shape (edges,)
    flow : array of field values, shape (edges,)
        Value of a null vector on an edge that its cycle passes from tail to head.
    nodes : int
    weight : array of int64, shape (edges,)
    """

    tail: NDArray[np.int64]
    head: NDArray[np.int64]
    flow: NDArray[Any]
    nodes: int
    weight: NDArray[np.int64]

    @property
    def small_enough(self) -> bool:
        """Whether the exact search is within reach."""
        return self.nodes * self.tail.size <= _LARGEST


def recognise(field: Field, columns: Family, rows: int, weight: NDArray[np.int64]) -> Network | None:
    """Return the graph of a connected matrix without zero columns, or None if it is not one up to scaling."""
    if columns.lengths.max(initial=0) > 2:
        return None
    f: Any = field
    ends = [sorted(c.items()) for c in columns.dicts()]
    scale = _potentials(f, ends, rows)
    tail, head, flow = [], [], []
    for end in ends:
        (i, a), (j, b) = end[0], (end[1] if len(end) == 2 else (rows, f.zero))
        through = f.multiply(scale[i], a)
        if len(end) == 2 and not f.same(through, f.negate(f.multiply(scale[j], b))):
            return None
        tail.append(i)
        head.append(j)
        flow.append(f.invert(through))
    value = np.array(flow, dtype=f.dtype)
    return Network(np.array(tail), np.array(head), value, max(rows, 1 + max(head)), weight)


def _potentials(f: Any, ends: list[list[tuple[int, Any]]], rows: int) -> list[Any]:
    """Row scales along a spanning forest that make its columns read (τ, −τ)."""
    meeting: list[list[int]] = [[] for _ in range(rows)]
    for k, end in enumerate(ends):
        if len(end) == 2:
            meeting[end[0][0]].append(k)
            meeting[end[1][0]].append(k)
    scale: list[Any] = [None] * rows
    for root in range(rows):
        if scale[root] is not None:
            continue
        scale[root] = f.one
        stack = [root]
        while stack:
            i = stack.pop()
            for k in meeting[i]:
                (x, a), (y, b) = ends[k] if ends[k][0][0] == i else ends[k][::-1]
                if scale[y] is None:
                    scale[y] = f.negate(f.multiply(f.multiply(scale[x], a), f.invert(b)))
                    stack.append(y)
    return scale


def minimum_cycle_basis(
    field: Field, network: Network, coordinates: NDArray[np.integer[Any]], rng: np.random.Generator
) -> Family:
    """
    Return the null vectors {edge: value} of a minimum cycle basis of a connected network.

    ``coordinates`` are the edges outside a spanning tree: a cycle is determined by its part there.
    """
    trees = _ShortestPaths(network, _lengths(network, rng), rng)
    pool = Family.of((_vector(field, network, cycle) for cycle in trees.isometric_cycles()), field.dtype)
    # the cycles come by perturbed length, which refines the weight; `select` sorts stably
    return pool.take(select(field, pool, network.weight, coordinates))


def _lengths(network: Network, rng: np.random.Generator) -> NDArray[np.float64]:
    """Edge lengths, integers whose sums along paths are exact: ordered by weight first, ties broken at random."""
    longest = min(network.nodes, network.tail.size) + 1
    unit = np.floor(2.0**51 / (longest * int(network.weight.max(initial=1))))
    noise = max(1, int(unit / longest))
    return np.asarray(network.weight * unit + rng.integers(0, noise, network.weight.size))


def _vector(field: Field, network: Network, cycle: list[tuple[int, bool]]) -> dict[int, Any]:
    f: Any = field
    flow = network.flow
    return {k: flow[k].item() if forward else f.negate(flow[k].item()) for k, forward in cycle}


class _ShortestPaths:
    """
    Shortest path trees from every node, and the cycles that they close.

    With ties broken every pair of nodes has one shortest path, and a cycle is isometric (no path between two of its
    nodes is shorter than along it) exactly if it arises from each of its nodes: from as many roots as it has edges.
    """

    def __init__(self, network: Network, length: NDArray[np.float64], rng: np.random.Generator) -> None:
        n, m = network.nodes, network.tail.size
        self.network, self.length = network, length
        self.mark = rng.integers(0, 2**63, m, dtype=np.int64).view(np.uint64)
        pair = np.minimum(network.tail, network.head) * n + np.maximum(network.tail, network.head)
        order = np.lexsort((length, pair))
        self.pairs, first = np.unique(pair[order], return_index=True)
        self.lightest = order[first]
        tail, head = network.tail[self.lightest], network.head[self.lightest]
        graph = sparse.csr_array((length[self.lightest], (tail, head)), shape=(n, n))
        self.distance, parent = dijkstra(graph, directed=False, return_predecessors=True)
        nodes = np.arange(n)
        self.parent = np.where(parent < 0, nodes[:, None], parent).astype(np.int64)  # roots lead to themselves
        self.up = self._edge_to_parent(nodes)

    def _edge_to_parent(self, nodes: NDArray[np.intp]) -> NDArray[np.int64]:
        low, high = np.minimum(self.parent, nodes), np.maximum(self.parent, nodes)
        pair = low * nodes.size + high
        at = np.minimum(np.searchsorted(self.pairs, pair), self.pairs.size - 1)
        return np.where(self.pairs[at] == pair, self.lightest[at], -1)

    def isometric_cycles(self) -> list[list[tuple[int, bool]]]:
        """Return each cycle as its edges, with whether they are passed from tail to head; shortest first."""
        keys, lengths, edges, origins = [np.concatenate(part) for part in zip(*self._candidates(), strict=True)]
        _, first, count = np.unique(keys, return_index=True, return_counts=True)
        found = first[count == edges[first]]
        found = found[np.argsort(lengths[found], kind="stable")]
        m = self.network.tail.size
        return [self._trace(int(o // m), int(o % m)) for o in origins[found]]

    def _candidates(self) -> list[tuple[NDArray[Any], ...]]:
        step = max(1, _CHUNK // max(1, self.network.tail.size))
        return [self._closed_by(slice(r, r + step)) for r in range(0, self.network.nodes, step)]

    def _closed_by(self, roots: slice) -> tuple[NDArray[Any], ...]:
        """Cycles from some roots along two branches of a tree: key, length, number of edges, root·m + edge."""
        tail, head = self.network.tail, self.network.head
        m, first = tail.size, roots.start
        mark, depth, branch = self._along(roots)
        closing = (self.up[roots][:, tail] != np.arange(m)) & (self.up[roots][:, head] != np.arange(m))
        row, edge = np.nonzero(closing & (branch[:, tail] != branch[:, head]))
        x, y = tail[edge], head[edge]
        key = mark[row, x] + mark[row, y] + self.mark[edge]
        distance = self.distance[roots]
        length = distance[row, x] + distance[row, y] + self.length[edge]
        return key, length, depth[row, x] + depth[row, y] + 1, (row + first) * m + edge

    def _along(self, roots: slice) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
        """Sum of marks, number of edges and first node of the path from each root to each node, by doubling."""
        parent, up = self.parent[roots], self.up[roots]
        mark = np.where(up >= 0, self.mark[up], np.uint64(0))
        depth = (up >= 0).astype(np.int64)
        root = np.arange(roots.start, roots.start + parent.shape[0])[:, None]
        nodes = np.arange(self.network.nodes)
        branch = np.where(parent == root, nodes, parent)
        jump = parent
        while np.any(jump != root):
            mark = mark + np.take_along_axis(mark, jump, axis=1)
            depth = depth + np.take_along_axis(depth, jump, axis=1)
            branch = np.take_along_axis(branch, branch, axis=1)
            jump = np.take_along_axis(jump, jump, axis=1)
        return mark, depth, np.take_along_axis(branch, branch, axis=1)

    def _trace(self, root: int, edge: int) -> list[tuple[int, bool]]:
        tail, head = self.network.tail, self.network.head
        down = self._climb(root, int(tail[edge]))
        back = self._climb(root, int(head[edge]))
        return [(k, not up) for k, up in down] + [(edge, True)] + back

    def _climb(self, root: int, node: int) -> list[tuple[int, bool]]:
        path = []
        while node != root:
            k = int(self.up[root, node])
            path.append((k, int(self.network.tail[k]) == node))
            node = int(self.parent[root, node])
        return path
