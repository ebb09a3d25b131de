"""The rounding program by an interior point on its dual: n equations, boxed columns (Frisch–Newton)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray

__all__ = ["InteriorSolution", "frisch_newton", "interior_solutions"]

_MAX_ITER = 60
_DAMPING = 0.99995


@dataclass(frozen=True, slots=True, eq=False)
class InteriorSolution:
    """
    Near-optimal pair of min ‖Yq‖₁ s.t. ⟨r, q⟩ = 1 and max t s.t. Yᵀu = t·r, |u| ≤ 1.

    Attributes
    ----------
    point : ndarray, shape (n,)
        Primal solution.
    dual : ndarray, shape (p,)
        u, strictly inside the box.
    gap : float
        Difference of the two objectives relative to the primal one.
    iterations : int
    """

    point: FloatArray
    dual: FloatArray
    gap: float
    iterations: int


@dataclass(slots=True)
class _State:
    """Boxed form: min bᵀa s.t. Mᵀa = Mᵀ1/2, 0 ≤ a ≤ 1, with u = 1 − 2a; residual b − My = z − w."""

    a: FloatArray
    s: FloatArray
    z: FloatArray
    w: FloatArray
    y: FloatArray

    @classmethod
    def start(cls, offset: FloatArray, width: int) -> _State:
        """The centre of the box, with positive and negative parts of the residual bounded away from zero."""
        half, margin = np.full(len(offset), 0.5), 0.1 * (float(np.abs(offset).mean()) or 1.0)
        upper, lower = np.maximum(offset, 0.0) + margin, np.maximum(-offset, 0.0) + margin
        return cls(half, half.copy(), upper, lower, np.zeros(width))

    def complementarity(self) -> float:
        return float(self.z @ self.a + self.w @ self.s)


def _reflect(basis: FloatArray, anchor: FloatArray) -> tuple[FloatArray, FloatArray]:
    """
    Y·H for the Householder reflection H with H e₁ = ±r/‖r‖, and the reflector v.

    The first column is the offset b of the residuals, the others their design M: ⟨r, q⟩ is fixed by the first
    coordinate of Hq.
    """
    reflector = anchor / np.linalg.norm(anchor)
    sign = 1.0 if reflector[0] >= 0 else -1.0
    reflector[0] += sign
    reflector *= np.sqrt(2.0) / np.linalg.norm(reflector)
    return basis - np.outer(basis @ reflector, reflector), reflector


def _longest(*pairs: tuple[FloatArray, FloatArray]) -> float:
    """Longest step in [0, 1] that keeps every value positive, damped."""
    shortest = 1.0 / _DAMPING
    for values, changes in pairs:
        rate = float((-changes / values).max(initial=0.0))
        if rate > 0:
            shortest = min(shortest, 1.0 / rate)
    return min(1.0, _DAMPING * shortest)


def _iterate(design: FloatArray, state: _State) -> None:
    """One Mehrotra predictor–corrector step, in place."""
    from scipy.linalg.lapack import dpotrf, dpotrs

    a, s, z, w = state.a, state.s, state.z, state.w
    scale = 1.0 / (z / a + w / s)
    residual = z - w
    half = design * np.sqrt(scale)[:, None]
    factor, info = dpotrf(half.T @ half, lower=0)
    if info:
        msg = "the weighted normal equations are singular"
        raise np.linalg.LinAlgError(msg)

    def direction(target: FloatArray) -> tuple[FloatArray, FloatArray]:
        change_y, _ = dpotrs(factor, design.T @ (scale * target))
        return change_y, scale * (design @ change_y - target)

    _, da = direction(residual)
    dz, dw = -z * (da / a + 1.0), w * (da / s - 1.0)
    primal, dual = _longest((a, da), (s, -da)), _longest((z, dz), (w, dw))
    before = state.complementarity()
    after = float((z + dual * dz) @ (a + primal * da) + (w + dual * dw) @ (s - primal * da))
    centre = before * (after / before) ** 3 / (2 * len(a))
    # Second order: the products the predictor neglected, and the centring term.
    bend_z, bend_w = da * dz / a, -da * dw / s
    pull = centre * (1.0 / a - 1.0 / s)
    dy, da = direction(residual - pull + bend_z - bend_w)
    dz = centre / a - z - z * da / a - bend_z
    dw = centre / s - w + w * da / s - bend_w
    primal, dual = _longest((a, da), (s, -da)), _longest((z, dz), (w, dw))
    state.a, state.s = a + primal * da, s - primal * da
    state.z, state.w, state.y = z + dual * dz, w + dual * dw, state.y + dual * dy


def _solution(reflector: FloatArray, anchor: FloatArray, state: _State, gap: float, count: int) -> InteriorSolution:
    coordinates = np.concatenate([[1.0], -state.y])
    point = coordinates - reflector * float(reflector @ coordinates)
    along = float(anchor @ point)  # its sign is that of the reflection
    return InteriorSolution(point / along, np.copysign(1.0, along) * (1.0 - 2.0 * state.a), gap, count)


def interior_solutions(
    basis: FloatArray, anchor: FloatArray, tolerances: tuple[float, ...]
) -> Iterator[InteriorSolution]:
    """
    Solve min ‖Yq‖₁ s.t. ⟨r, q⟩ = 1 to one relative gap after the other, going on where the last one ended.

    Parameters
    ----------
    basis : ndarray, shape (p, n)
        Orthonormal columns.
    anchor : ndarray, shape (n,)
        r, not zero.
    tolerances : tuple of float
        Falling. The vertex behind a loose solution is often recognised already; the polish makes it exact.

    Raises
    ------
    numpy.linalg.LinAlgError
        Where the normal equations break down, or a gap is not reached.
    """
    if len(anchor) == 1:  # nothing to choose
        yield InteriorSolution(1.0 / anchor, np.sign(basis[:, 0] * anchor), 0.0, 0)
        return
    reflected, reflector = _reflect(basis, anchor)
    offset, design = np.ascontiguousarray(reflected[:, 0]), np.ascontiguousarray(reflected[:, 1:])
    state = _State.start(offset, design.shape[1])
    wanted = iter(tolerances)
    tolerance = next(wanted)
    for iteration in range(1, _MAX_ITER + 1):
        _iterate(design, state)
        objective = float(np.abs(offset - design @ state.y).sum())
        gap = state.complementarity() / objective if objective else 0.0
        while gap <= tolerance:
            yield _solution(reflector, anchor, state, gap, iteration)
            try:
                tolerance = next(wanted)
            except StopIteration:
                return
    msg = f"the relative gap is still {gap:.1e} after {_MAX_ITER} iterations"
    raise np.linalg.LinAlgError(msg)


def frisch_newton(basis: FloatArray, anchor: FloatArray, tol: float = 1e-9) -> InteriorSolution:
    """Solve the program to one relative gap; see `interior_solutions`."""
    return next(interior_solutions(basis, anchor, (tol,)))
