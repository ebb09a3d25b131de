"""The batched step Yᵀ S_λ(Y Q): its definition, a blocked NumPy version, and a fused compiled one."""

from __future__ import annotations

from .blocked import shrink_blocked
from .dispatch import KernelInfo, active_kernel, shrink
from .reference import shrink_reference
from .sums import FloatArray, ShrinkSums
from .threads import usable_threads

__all__ = [
    "FloatArray",
    "KernelInfo",
    "ShrinkSums",
    "active_kernel",
    "shrink",
    "shrink_blocked",
    "shrink_reference",
    "usable_threads",
]
