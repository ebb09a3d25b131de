"""Sparse bases of null spaces, and matrices made sparse by column operations."""

from __future__ import annotations

from .null import null_space
from .sparser import sparsify
from .summary import NullSpaceReport

__all__ = ["NullSpaceReport", "null_space", "sparsify"]
