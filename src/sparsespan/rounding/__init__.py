"""Rounding: from a point near a sparse vector to the vertex with its exact zeros."""

from __future__ import annotations

from .finish import approach, complete, finish, is_finished, land
from .program import multipliers, round_to_vertex
from .subgradient import descend
from .trim import trim
from .vertex import Vertex, settle

__all__ = [
    "Vertex",
    "approach",
    "complete",
    "descend",
    "finish",
    "is_finished",
    "land",
    "multipliers",
    "round_to_vertex",
    "settle",
    "trim",
]
