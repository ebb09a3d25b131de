"""Ways to take several sparse vectors out of one subspace: one a file."""

from __future__ import annotations

from .base import Extraction
from .deflation import deflate
from .independent import extend
from .joint import optimise_jointly

__all__ = ["Extraction", "deflate", "extend", "optimise_jointly"]
