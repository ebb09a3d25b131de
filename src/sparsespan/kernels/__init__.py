"""The batched step Yᵀ g(Y Q), g a threshold or a pull to zero: its definition, blocked NumPy, fused and compiled."""

from __future__ import annotations

from .blocked import shrink_blocked
from .dispatch import KernelInfo, active_kernel, attract, shrink
from .reference import attract_reference, shrink_reference
from .sums import FloatArray, PullSums, ShrinkSums
from .threads import usable_threads

__all__ = [
    "FloatArray",
    "KernelInfo",
    "PullSums",
    "ShrinkSums",
    "active_kernel",
    "attract",
    "attract_reference",
    "shrink",
    "shrink_blocked",
    "shrink_reference",
    "usable_threads",
]
