"""What no vector of a subspace can fall below: a lower bound on nonzeros and ℓ¹ norm of all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .arrays import FloatArray
from .errors import InvalidInput
from .subspace import Subspace

__all__ = ["SparsityBound", "sparsity_lower_bound"]

_LARGEST = 128  # dimension from which the matrix of order n(n+1)/2 takes more than half a gigabyte
_BLOCK_VALUES = 1 << 20
_BISECTIONS = 100
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True)
class SparsityBound:
    """
    What holds for every unit vector x of a subspace.

    Attributes
    ----------
    nonzeros : int
        No x has fewer.
    l1 : float
        No ‖x‖₁ is smaller.
    fourth : float
        u: no ‖x‖₄⁴ is larger. ``nonzeros`` is 1/u rounded up, ``l1`` is 1/√u.
    size, dim : int
        p and n.
    """

    nonzeros: int
    l1: float
    fourth: float
    size: int
    dim: int

    def __str__(self) -> str:
        share = f"{100.0 * self.nonzeros / self.size:.1f} % of {self.size}"
        return (
            f"every vector has at least {self.nonzeros} nonzero{'s' * (self.nonzeros > 1)} ({share}) "
            f"and a 1-norm of at least {self.l1:.6g}"
        )


def sparsity_lower_bound(subspace: object) -> SparsityBound:
    """
    Bound the nonzeros and the ℓ¹ norm of all unit vectors of a subspace from below.

    With P_i = svec(y_i y_iᵀ) the sum ‖Yq‖₄⁴ is the quadratic form of M = Σ P_i P_iᵀ at svec(qqᵀ), a unit vector whose
    product with e = svec(I) is 1. So for every c it is at most λ_max(M − c eeᵀ) + c; the best c is taken, and what
    rounding may have cost is added. Hölder's inequality gives ‖x‖₀ ≥ 1/u and ‖x‖₁ ≥ 1/√u (Barak, Kelner, Steurer 2014
    use the same relaxation).

    Parameters
    ----------
    subspace : Subspace or array_like, shape (p, m)
        Of dimension n ≤ 128. It takes p n⁴/2 operations; the bound is of use from p of the order of n².

    Returns
    -------
    SparsityBound

    Examples
    --------
    >>> import numpy as np, sparsespan as ss
    >>> print(ss.sparsity_lower_bound(np.eye(4)[:, :2]))
    every vector has at least 1 nonzero (25.0 % of 4) and a 1-norm of at least 1
    """
    space = Subspace.of(subspace)
    if space.dim > _LARGEST:
        msg = (
            f"`subspace` must have a dimension of at most {_LARGEST}; got {space.dim}. "
            "The matrix of order n(n+1)/2 would not fit into reasonable memory: restrict the subspace."
        )
        raise InvalidInput(msg)
    moments, trace = _fourth_moments(space), _svec(np.eye(space.dim)[None])[0]
    shift = _best_shift(moments, trace)
    relaxed = _largest(moments - shift * np.outer(trace, trace)) + shift + _rounding(space, moments, shift)
    fourth = min(1.0, _of_unit_vectors(space, relaxed))
    # A bound of 3 that a division made 3.0000000000000004 must not become 4; all else is in the margins of u.
    nonzeros = max(1, math.ceil((1.0 - 4.0 * _EPS) / fourth))
    return SparsityBound(nonzeros, 1.0 / math.sqrt(fourth), fourth, space.size, space.dim)


def _height(order: int) -> int:
    """Rows of a block."""
    return max(1, _BLOCK_VALUES // order)


def _summed(space: Subspace, order: int) -> float:
    """Relative error of a sum over the rows, by blocks: one ε for each addition a term goes through."""
    height = _height(order)
    return (min(height, space.size) + math.ceil(space.size / height) + 8) * _EPS


def _rounding(space: Subspace, moments: FloatArray, shift: float) -> float:
    """What rounding may have taken from λ_max + c: of the sums, whose terms have ‖P_i‖² = tr M in all, and of eigh."""
    order = len(moments)
    decomposed = 8.0 * order * _EPS * (float(np.abs(moments).sum(axis=0).max()) + abs(shift) * space.dim)
    return _summed(space, order) * float(np.trace(moments)) + decomposed


def _of_unit_vectors(space: Subspace, relaxed: float) -> float:
    """
    From ‖Yq‖₄⁴ ≤ u for unit q to all unit vectors that lie in the subspace up to its resolution.

    With δ = ‖YᵀY − I‖ a unit vector is Yq with ‖q‖² ≤ 1/(1 − δ). Entry i may be off by the resolution times ‖y_i‖.
    """
    gram = space.weighted_gram(np.ones(space.size))
    defect = float(np.linalg.norm(gram - np.eye(space.dim))) + (space.size + 8) * _EPS * space.dim
    blur = space.resolution * float((space.row_norms**4).sum()) ** 0.25
    length = math.sqrt(max(0.0, 1.0 - defect)) - space.resolution * math.sqrt(space.dim)
    return ((relaxed**0.25 + blur) / length) ** 4 if length > 0 else math.inf


def _svec(matrices: FloatArray) -> FloatArray:
    """Upper triangles of symmetric matrices (k, n, n) as vectors (k, n(n+1)/2) with the same inner products."""
    above, across = np.triu_indices(matrices.shape[1])
    packed: FloatArray = matrices[:, above, across] * np.where(above == across, 1.0, math.sqrt(2.0))
    return packed


def _fourth_moments(space: Subspace) -> FloatArray:
    """M = Σ P_i P_iᵀ, by blocks of rows."""
    order = space.dim * (space.dim + 1) // 2
    total, height = np.zeros((order, order)), _height(order)
    for start in range(0, space.size, height):
        rows = space.take(np.arange(start, min(start + height, space.size)))
        packed = _svec(rows[:, :, None] * rows[:, None, :])
        total += packed.T @ packed
    return total


def _largest(matrix: FloatArray) -> float:
    from scipy.linalg import eigh

    order = len(matrix)
    return float(eigh(matrix, eigvals_only=True, subset_by_index=[order - 1, order - 1])[0])


def _best_shift(moments: FloatArray, trace: FloatArray) -> float:
    """
    The c that minimises λ_max(M − c eeᵀ) + c.

    In the eigenvectors of M, with w the coordinates of e, λ_max = μ solves 1 = c Σ w_i²/(λ_i − μ), so that c is a
    function of μ below the largest eigenvalue on which e lies and above the next. The slope of μ + c(μ) changes sign
    where Σ w_i²/(λ_i − μ)² = (Σ w_i²/(λ_i − μ))². Whatever c comes out, its bound holds.
    """
    values, vectors = np.linalg.eigh(moments)
    weights = (vectors.T @ trace) ** 2
    top = len(values) - 1
    while top > 0 and weights[top] <= 1e-14 * weights.sum():
        top -= 1
    if top == 0:
        return 0.0
    low, high = float(values[top - 1]), float(values[top])
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        first, second = (float((weights / (values - middle) ** power).sum()) for power in (1, 2))
        if first <= 0 or second > first * first:
            low = middle  # no c belongs to so small a μ, or the sum still falls
        else:
            high = middle
    rate = float((weights / (values - high)).sum()) if high < values[top] else math.inf
    return 1.0 / rate if rate > 0 else 0.0
