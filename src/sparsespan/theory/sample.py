"""The update map and its gap on given rows, split into the planted coordinate and the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..arrays import as_matrix
from ..errors import InvalidInput
from .checks import checked_dim, checked_share, is_gaussian

if TYPE_CHECKING:
    from ..arrays import FloatArray
    from ..models import Values

__all__ = ["gap", "planted_rows", "update_map"]


def update_map(rows: object, points: object, threshold: float | None = None) -> FloatArray:
    """Q(q) = (1/p) Σ yᵢ S_λ(yᵢᵀq), the paper's update map before normalisation, times p: (n, R).

    Parameters
    ----------
    rows : (p, n) array whose first column is the planted vector: [x₀ | G], or an orthonormal basis
    points : (n, R) array of unit columns
    threshold : λ√p, 1 if left out (λ = 1/√p)
    """
    matrix, columns = _checked(rows, points)
    size = matrix.shape[0]
    level = (1.0 if threshold is None else threshold) / np.sqrt(size)
    products = matrix @ columns
    result: FloatArray = matrix.T @ (products - np.clip(products, -level, level))
    return result


def gap(rows: object, points: object, threshold: float | None = None) -> FloatArray:
    """p·G(q) of the paper, G(q) = Q₁/q₁ − ‖Q₂‖/‖q₂‖, for each of R points: (R,).

    Parameters as in `update_map`; q₁ and q₂ must not vanish.
    """
    mapped = update_map(rows, points, threshold)
    columns = np.asarray(points, dtype=np.float64)
    rest = np.linalg.norm(columns[1:], axis=0)
    if not (columns[0].all() and rest.all()):
        column = int(np.argmax((columns[0] == 0) | (rest == 0)))
        msg = f"`points` must have nonzero planted and other coordinates; got a zero in column {column}."
        raise InvalidInput(msg)
    difference: FloatArray = mapped[0] / columns[0] - np.linalg.norm(mapped[1:], axis=0) / rest
    return difference


def _checked(rows: object, points: object) -> tuple[FloatArray, FloatArray]:
    matrix, columns = (
        as_matrix(rows, "rows").astype(np.float64),
        as_matrix(points, "points").astype(np.float64),
    )
    if matrix.shape[1] != columns.shape[0]:
        msg = f"`points` must have a row per column of `rows`; got {columns.shape[0]} and {matrix.shape[1]}."
        raise InvalidInput(msg)
    lengths = np.linalg.norm(columns, axis=0)
    if not np.allclose(lengths, 1.0, rtol=0, atol=1e-6):
        worst = lengths[np.argmax(np.abs(lengths - 1.0))]
        msg = f"`points` must be unit columns; got one of length {worst}. Divide them by their norms."
        raise InvalidInput(msg)
    return matrix, columns


def planted_rows(size: int, dim: int, theta: float, values: Values = "ones", *, seed: int | None = None) -> FloatArray:
    """Draw the paper's Ȳ = [x₀ | G] (p×n): x₀ nonzero with probability θ and of mean square 1/p, G N(0, 1/p).

    Neither orthonormal nor rotated, unlike the instances of `planted`: the planted direction is e₁.
    """
    share, gaussian = checked_share(theta), is_gaussian(values)
    if min(size, checked_dim(dim)) < 1:
        msg = f"`size` must be at least 1; got {size}."
        raise InvalidInput(msg)
    rng = np.random.default_rng(seed)
    rows: FloatArray = rng.standard_normal((size, dim))
    nonzero = rng.random(size) < share
    if not gaussian:
        rows[:, 0] = np.sign(rows[:, 0]) if values == "signs" else 1.0
    rows[:, 0] *= nonzero / np.sqrt(share)
    rows /= np.sqrt(size)
    return rows
