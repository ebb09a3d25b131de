"""Pairwise exchange: a vector u becomes u + t·v, v another of the basis, while that is lighter (definition in Python).

The span and the independence of the vectors are kept: each step is an elementary column operation.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from .stops import Stop, never

if TYPE_CHECKING:
    from .fields import Field

__all__ = ["Exchange"]

Vector = dict[int, Any]


class Exchange:
    """Local search over a basis whose vectors are {coordinate: value}; ``budget`` limits the work.

    A partner v can only help u if more than half of v's weight lies on u, so the weights of the overlaps, which are
    cheap, choose the few pairs whose ratios have to be compared.
    """

    def __init__(self, field: Field, basis: list[Vector], weight: list[int], budget: int, stop: Stop = never) -> None:
        self.field, self.basis, self.weight, self.budget, self.stop = field, basis, weight, budget, stop
        self.total = [sum(weight[j] for j in v) for v in basis]
        self.holders: list[set[int]] = [set() for _ in weight]
        for k, v in enumerate(basis):
            for j in v:
                self.holders[j].add(k)
        self.todo = deque(sorted(range(len(basis)), key=lambda k: -self.total[k]))
        self.queued = set(self.todo)

    def run(self) -> None:
        """Improve until nothing improves or the budget is spent."""
        while self.todo and self.budget > 0 and not self.stop():
            u = self.todo.popleft()
            self.queued.discard(u)
            while self._step(u):
                pass

    def _overlaps(self, u: int) -> dict[int, int]:
        shared: dict[int, int] = {}
        for j in self.basis[u]:
            for k in self.holders[j]:
                shared[k] = shared.get(k, 0) + self.weight[j]
        shared.pop(u, None)
        self.budget -= len(shared)
        return shared

    def _step(self, u: int) -> bool:
        gain, partner, factor = 0, -1, self.field.zero
        for v, shared in sorted(self._overlaps(u).items()):
            most = 2 * shared - self.total[v]
            if most <= gain:
                continue
            agreed, t = self._agree(u, v)
            if shared + agreed - self.total[v] > gain:
                gain, partner, factor = shared + agreed - self.total[v], v, t
        if partner < 0:
            return False
        self._replace(u, factor, partner)
        return True

    def admits(self, _u: int, _t: Any, _v: int, /) -> bool:
        """Say whether u may become u + t·v; searches under further conditions refine it."""
        return True

    def _agree(self, u: int, v: int) -> tuple[int, Any]:
        """Return the heaviest set of common coordinates on which −u/v is one number: its weight and that number."""
        best, t = 0, self.field.zero
        for weight, ratio in self._ratios(u, v):
            if weight > best and self.admits(u, ratio, v):
                best, t = weight, ratio
        return best, t

    def _ratios(self, u: int, v: int) -> list[tuple[int, Any]]:
        """The numbers that −u/v takes on common coordinates, in increasing order, each with the weight of its set."""
        f: Any = self.field
        a, b = self.basis[u], self.basis[v]
        self.budget -= len(b)
        pairs = [(f.negate(f.multiply(a[j], f.invert(x))), self.weight[j]) for j, x in b.items() if j in a]
        out: list[tuple[int, Any]] = []
        for ratio, w in sorted(pairs):
            if out and f.same(out[-1][1], ratio):
                out[-1] = (out[-1][0] + w, out[-1][1])
            else:
                out.append((w, ratio))
        return out

    def sum(self, u: int, t: Any, v: int) -> Vector:
        """Return u + t·v."""
        f: Any = self.field
        new = dict(self.basis[u])
        for j, x in self.basis[v].items():
            y = f.combine(new[j], t, x) if j in new else f.multiply(t, x)
            new[j] = y
            if f.size(y) == 0:
                del new[j]
        return new

    def _replace(self, u: int, t: Any, v: int) -> None:
        new = self.sum(u, t, v)
        for j in self.basis[u]:
            self.holders[j].discard(u)
        for j in new:
            self.holders[j].add(u)
        self.basis[u], self.total[u] = new, sum(self.weight[j] for j in new)
        for k, shared in sorted(self._overlaps(u).items()):
            if 2 * shared > self.total[u] and k not in self.queued:
                self.queued.add(k)
                self.todo.append(k)
