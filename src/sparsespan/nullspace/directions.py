"""Signs of coordinates, as in flux models with irreversible reactions: what they are, block, and allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.optimize import linprog

from ..errors import InvalidInput, RoundingFailed
from .family import Family
from .intake import Matrix
from .values import as_matrix

__all__ = ["Cone", "as_signs", "obeys", "oriented"]


def as_signs(signs: ArrayLike | None, size: int) -> NDArray[np.int8] | None:
    """Check the signs; None where no coordinate is restricted."""
    if signs is None:
        return None
    values = np.asarray(signs)
    if values.shape != (size,):
        msg = f"`signs` must have one entry for each of the {size} columns of `A`; got shape {values.shape}."
        raise InvalidInput(msg)
    numbers = values.dtype.kind in "iuf"
    if not numbers or not np.isin(values, (-1, 0, 1)).all():
        got = values[~np.isin(values, (-1, 0, 1))][0] if numbers else values.dtype
        msg = (
            f"`signs` must hold 1 (not negative), -1 (not positive) or 0 (free); got {got}. For a mask of reversible "
            "coordinates pass `np.where(reversible, 0, 1)`."
        )
        raise InvalidInput(msg)
    return values.astype(np.int8) if values.any() else None


def obeys(family: Family, signs: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Say for each float vector whether it, or its negative, obeys the signs; shape (count,)."""
    return np.equal(np.minimum(_against(family, signs), _against(family, -signs)), 0)


def oriented(family: Family, signs: NDArray[np.int8]) -> Family:
    """Turn round the vectors whose negative obeys the signs."""
    turn = np.where(_against(family, signs) > 0, -1.0, 1.0)
    return Family(family.starts, family.at, family.value * turn[family.owner])


def _against(family: Family, signs: NDArray[np.int8]) -> NDArray[np.int64]:
    wrong = family.value * signs[family.at] < 0
    return np.bincount(family.owner[wrong], minlength=len(family))


@dataclass(frozen=True)
class Cone:
    """
    The vectors {x: A x = 0, signs·x ≥ 0}, searched by linear programs over the scaled matrix.

    Attributes
    ----------
    scaled : csc_array, shape (m, p)
        A with rows and columns scaled by positive numbers, which keeps supports and signs.
    scale : array of float64, shape (p,)
        A coordinate is so many times its scaled one.
    signs : array of int8, shape (p,)
    """

    scaled: sparse.csc_array
    scale: NDArray[np.float64]
    signs: NDArray[np.int8]

    @staticmethod
    def of(matrix: Matrix, signs: NDArray[np.int8]) -> Cone:
        """Build the cone of a matrix."""
        columns, scale = matrix.scaled()
        return Cone(as_matrix(columns, matrix.shape[0]), scale, signs)

    def blocked(self) -> NDArray[np.int32]:
        """
        Return the restricted coordinates that are zero in the whole cone, in increasing order.

        max Σz s.t. A x = 0, s x = z + y on restricted coordinates, 0 ≤ z ≤ 1, y ≥ 0. A cone makes each z 0 or 1.
        """
        held = np.flatnonzero(self.signs)
        one_way = sparse.csc_array(self.scaled[:, held] * self.signs[held])
        loose = self.scaled[:, np.flatnonzero(self.signs == 0)]
        parts = (held.size, held.size, loose.shape[1])
        low, high = np.repeat([0.0, 0.0, -np.inf], parts), np.repeat([1.0, np.inf, np.inf], parts)
        cost = np.repeat([-1.0, 0.0, 0.0], parts)
        rows = sparse.hstack([one_way, one_way, loose])
        z = self._solve(cost, rows, np.zeros(self.scaled.shape[0]), np.column_stack([low, high]))
        assert z is not None  # x = 0 obeys everything
        return held[z[: held.size] < 0.5].astype(np.int32)

    def lightest_along(self, functional: NDArray[np.float64], cost: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Return a vertex of min Σ cost·|x| over the cone with ⟨functional, x⟩ = 1, or None if there is none."""
        held, free = self.signs != 0, np.flatnonzero(self.signs == 0)
        turn = np.where(held, self.signs, 1).astype(np.float64)
        rows = sparse.csc_array(sparse.vstack([self.scaled, sparse.csc_array((functional * self.scale)[None, :])]))
        split = sparse.hstack([sparse.csc_array(rows * turn), -rows[:, free]])
        target = np.append(np.zeros(self.scaled.shape[0]), 1.0)
        bounds = np.tile([0.0, np.inf], (cost.size + free.size, 1))
        u = self._solve(np.append(cost, cost[free]), split, target, bounds)
        if u is None:
            return None
        x = turn * u[: cost.size]
        x[free] -= u[cost.size :]
        return x * self.scale

    @staticmethod
    def _solve(
        cost: NDArray[np.float64],
        rows: Any,  # sparse; the stubs of SciPy know dense ones only
        target: NDArray[np.float64],
        bounds: NDArray[np.float64],
    ) -> NDArray[np.float64] | None:
        pairs = [(low, high) for low, high in bounds.tolist()]
        answer = linprog(cost, A_eq=rows, b_eq=target, bounds=pairs, method="highs-ds")
        if answer.status in (2, 4) or answer.x is None:  # infeasible
            return None
        if answer.status != 0:
            msg = f"the linear program over the cone of `signs` must be solvable; got: {answer.message}"
            raise RoundingFailed(msg)
        return np.asarray(answer.x)
