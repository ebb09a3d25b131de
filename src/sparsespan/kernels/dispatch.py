"""Choose the fastest kernel that is present, and share a pass between threads."""

from __future__ import annotations

from dataclasses import dataclass

from .blocked import shrink_blocked
from .sums import FloatArray, ShrinkSums

__all__ = ["KernelInfo", "active_kernel", "shrink"]


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
        Why the kernel is not the fused one; "" where it is.
    """

    name: str
    isa: str
    reason: str


def active_kernel() -> KernelInfo:
    """Say which kernel `shrink` uses, and why it is not the fused one where it is not."""
    return KernelInfo("blocked NumPy", "", "the compiled kernel is not part of this installation")


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
        How many threads share the pass. The result does not depend on it, to the last bit.

    Returns
    -------
    ShrinkSums
        Fresh arrays.
    """
    return shrink_blocked(rows, points, threshold)
