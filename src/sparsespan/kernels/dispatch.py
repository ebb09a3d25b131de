"""Choose the fastest kernel that is present, and share a pass between threads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ..errors import InvalidInput
from .blocked import add_attracted_blocked, add_blocked
from .fused import AddRows, Function, fused_kernels, why_not_fused
from .sums import FloatArray, PullSums, ShrinkSums, check_arguments
from .tasks import add_in_tasks

__all__ = ["KernelInfo", "active_kernel", "attract", "attract_by", "shrink", "shrink_by"]

_FALLBACK: dict[Function, AddRows] = {"shrink": add_blocked, "attract": add_attracted_blocked}


@dataclass(frozen=True, slots=True)
class KernelInfo:
    """Which kernel `shrink` uses.

    Attributes
    ----------
    name : str
        "fused AVX-512", "fused AVX2", "fused baseline" or "blocked NumPy".
    isa : str
        The instruction set of the fused kernel, "" for the fallback.
    reason : str
        Why the kernel is not a fused one; "" where it is.
    """

    name: str
    isa: str
    reason: str


def active_kernel() -> KernelInfo:
    """Say which kernel `shrink` uses, and why it is not a fused one where it is not."""
    for isa in fused_kernels():
        return KernelInfo(f"fused {isa}", isa, "")
    return KernelInfo("blocked NumPy", "", why_not_fused())


@cache
def _fastest(function: Function) -> AddRows:
    return next(iter(fused_kernels(function).values()), _FALLBACK[function])


def shrink(rows: FloatArray, points: FloatArray, threshold: float, threads: int = 1) -> ShrinkSums:
    """Compute Yᵀ S_λ(Y Q) and the per-column sums with the fastest kernel present.

    Parameters
    ----------
    rows : (p, n) array, float32 or float64, C-contiguous
        The rows of Y.
    points : (n, R) array of the same dtype
        The columns of Q.
    threshold : float
        λ ≥ 0.
    threads : int
        How many threads share the pass. The sums do not depend on it, to the last bit. The fused kernels gain
        nearly the full factor; keep the BLAS library at one thread beside them.

    Returns
    -------
    ShrinkSums
        Fresh arrays. Sums over many rows are carried in float64 also where the rows are float32.
    """
    return shrink_by(_fastest("shrink"), rows, points, threshold, threads)


def shrink_by(add: AddRows, rows: FloatArray, points: FloatArray, threshold: float, threads: int = 1) -> ShrinkSums:
    """As `shrink`, by the kernel given: a value of `fused_kernels()` or `add_blocked`."""
    return _pass(add, rows, points, check_arguments(rows, points, threshold), threads)


def attract(rows: FloatArray, points: FloatArray, rate: float, threads: int = 1) -> PullSums:
    """Compute Σ_i z_i (1 + c·z_i²)⁻⁴ y_i and Σ_i (1 + c·z_i²)⁻³, z = Yq, with the fastest kernel present.

    Parameters
    ----------
    rows, points, threads
        See `shrink`.
    rate : float
        c ≥ 0.
    """
    return attract_by(_fastest("attract"), rows, points, rate, threads)


def attract_by(add: AddRows, rows: FloatArray, points: FloatArray, rate: float, threads: int = 1) -> PullSums:
    """As `attract`, by the kernel given: a value of `fused_kernels("attract")` or `add_attracted_blocked`."""
    sums = _pass(add, rows, points, check_arguments(rows, points, rate, "rate"), threads)
    return PullSums(sums.adjoint, sums.mass)


def _pass(add: AddRows, rows: FloatArray, points: FloatArray, level: float, threads: int) -> ShrinkSums:
    if threads < 1:
        msg = f"`threads` must be at least 1; got {threads}. Pass 1 to stay in the calling thread."
        raise InvalidInput(msg)
    sums = ShrinkSums.zeros(points.shape)
    add_in_tasks(add, rows, points, level, sums, threads)
    return sums.in_dtype_of(rows)
