"""The statements of the paper's analysis, looked at on one random instance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InvalidInput
from ..rounding import round_to_vertex
from ..subspace import Subspace
from ..theory import (
    expected_gap,
    far_cosine,
    gap,
    gap_region,
    planted_rows,
    rounding_basin,
    safe_cosine,
    start_bound,
    steps_to,
    uniform_gap_bound,
    update_map,
)

if TYPE_CHECKING:
    from ..arrays import FloatArray
    from ..models import Values

__all__ = ["TheoryCheck", "check_theory"]

_STILL = 1e-14  # a step this short is a fixed point
_EXACT = 1e-8  # distance from the planted direction that rounding to machine precision stays below


@dataclass(frozen=True, slots=True)
class TheoryCheck:
    """
    What the analysis says and what one instance does. Gaps are told as p·G.

    Attributes
    ----------
    size, dim, theta, values, seed
        The instance: p, n, share and law of the nonzeros.
    start_bound, start_best, start_share : float
        1/(10√(θn)); the largest |q₁| of a normalised row; the share of rows at or above the bound.
    gap_bound, gap_least, gap_kept, gap_positive : float
        1/(10⁴θ²n); the smallest gap at the points drawn from Γ; the shares of those points where the gap keeps
        the bound, and where it is positive.
    gap_deviation : float
        Largest distance of the gap at those points from its closed-form mean.
    safe_cosine, safe_least : float
        2√θ; the smallest |q₁| after a step from the points drawn with |q₁| ≥ 3√θ.
    far_cosine, steps, mean_steps
        3√θ; the steps in which the best row gets there, and those of the mean map from the same |q₁|. None
        where it does not, and where 3√θ ≥ 1 (θ ≥ 1/9): the sphere ends before.
    basin_edge, rounded_above, rounded_below : float
        Asymptotic edge of exact rounding in |r₁|; the shares of directions 20 % above and below it from which
        rounding returns the planted vector.
    """

    size: int
    dim: int
    theta: float
    values: Values
    seed: int
    start_bound: float
    start_best: float
    start_share: float
    gap_bound: float
    gap_least: float
    gap_kept: float
    gap_positive: float
    gap_deviation: float
    safe_cosine: float
    safe_least: float
    far_cosine: float
    steps: int | None
    mean_steps: int | None
    basin_edge: float
    rounded_above: float
    rounded_below: float


def check_theory(
    size: int,
    dim: int,
    theta: float,
    values: Values = "ones",
    *,
    seed: int = 0,
    draws: int = 1000,
    roundings: int = 8,
    max_iter: int = 2000,
) -> TheoryCheck:
    """
    Draw one instance of the planted model, orthonormalise it and hold it against the analysis.

    Parameters
    ----------
    size, dim, theta, values, seed
        p, n ≥ 2, share and law of the nonzeros.
    draws : int
        Points drawn from Γ, and from the safe region.
    roundings : int
        Linear programs on either side of the basin's edge.
    max_iter : int
        Steps allowed on the way to 3√θ.

    Returns
    -------
    TheoryCheck
    """
    if not 2 <= dim <= size:
        msg = f"`dim` must lie between 2 and `size` = {size}; got {dim}."
        raise InvalidInput(msg)
    basis = _orthonormal(planted_rows(size, dim, theta, values, seed=seed))
    rng = np.random.default_rng([seed, 1])
    cosines = np.abs(basis[:, 0]) / np.linalg.norm(basis, axis=1)
    low, far = gap_region(theta, dim)
    within = _points(np.exp(rng.uniform(np.log(low), np.log(far * (1 - 1e-9)), draws)), dim, rng)
    gaps, bound = gap(basis, within), uniform_gap_bound(theta, dim)
    beyond = update_map(basis, _points(rng.uniform(far, 1.0, draws), dim, rng))
    best, edge = int(np.argmax(cosines)), rounding_basin(theta, values)
    return TheoryCheck(
        size=size,
        dim=dim,
        theta=theta,
        values=values,
        seed=seed,
        start_bound=start_bound(theta, dim),
        start_best=float(cosines[best]),
        start_share=float(np.mean(cosines >= start_bound(theta, dim))),
        gap_bound=bound,
        gap_least=float(gaps.min()),
        gap_kept=float(np.mean(gaps >= bound)),
        gap_positive=float(np.mean(gaps > 0)),
        gap_deviation=float(np.abs(gaps - expected_gap(within[0], theta, values)).max()),
        safe_cosine=safe_cosine(theta),
        safe_least=float((np.abs(beyond[0]) / np.linalg.norm(beyond, axis=0)).min()),
        far_cosine=far_cosine(theta),
        steps=_steps(basis, basis[best], far, max_iter),
        mean_steps=None if far == 1 else steps_to(far, float(cosines[best]), theta, values, max_iter=max_iter),
        basin_edge=edge,
        rounded_above=_rounded(basis, min(1.0, 1.2 * edge), roundings, rng),
        rounded_below=_rounded(basis, 0.8 * edge, roundings, rng),
    )


def _orthonormal(rows: FloatArray) -> FloatArray:
    """Basis of the span whose first column is the planted vector; a vector without nonzeros is refused."""
    if not rows[:, 0].any():
        msg = f"`theta` must leave at least one nonzero; got none among {len(rows)} entries. Raise it, or `size`."
        raise InvalidInput(msg)
    basis, triangle = np.linalg.qr(rows)
    upright: FloatArray = basis * np.sign(np.diagonal(triangle))
    return upright


def _points(cosines: FloatArray, dim: int, rng: np.random.Generator) -> FloatArray:
    """Unit columns with the planted coordinates given, otherwise uniform."""
    rest = rng.standard_normal((dim - 1, cosines.size))
    rest *= np.sqrt((1.0 - cosines) * (1.0 + cosines)) / np.linalg.norm(rest, axis=0)
    return np.vstack([cosines, rest])


def _steps(basis: FloatArray, row: FloatArray, target: float, max_iter: int) -> int | None:
    """ADM steps from a normalised row until |q₁| ≥ target < 1."""
    point = row[:, None] / np.linalg.norm(row)
    for step in range(max_iter + 1 if target < 1 else 0):
        if abs(point[0, 0]) >= target:
            return step
        mapped = update_map(basis, point)
        length = float(np.linalg.norm(mapped))
        if length == 0.0 or np.linalg.norm(mapped / length - point) < _STILL:
            return None
        point = mapped / length
    return None


def _rounded(basis: FloatArray, cosine: float, count: int, rng: np.random.Generator) -> float:
    """Share of random directions with |r₁| = cosine that round to the planted vector."""
    subspace = Subspace.span(basis)
    planted, hits = basis[:, 0], 0
    for direction in _points(np.full(count, cosine), basis.shape[1], rng).T:
        vector = round_to_vertex(subspace, subspace.adjoint(basis @ direction)).vector
        hits += bool(min(np.linalg.norm(vector - planted), np.linalg.norm(vector + planted)) < _EXACT)
    return hits / count
