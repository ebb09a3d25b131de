"""A linear subspace of Rᵖ in coordinates: an orthonormal basis whose rows are passed over, wherever they lie."""

from __future__ import annotations

from .orthonormal import Rank
from .space import Subspace

__all__ = ["Rank", "Subspace"]
