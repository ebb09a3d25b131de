"""The analysis of the paper as functions: closed forms, gaps, regions and bounds under the planted model.

After Q. Qu, J. Sun and J. Wright, *Finding a sparse vector in a subspace: linear sparsity using alternating
directions*, IEEE Transactions on Information Theory 62 (2016). What is not the paper's says "derived here".
"""

from __future__ import annotations

from .barrier import hardest_share, overlap_potential, search_barrier
from .bounds import (
    far_cosine,
    gap_bound,
    gap_region,
    rounding_basin,
    safe_cosine,
    stable_threshold,
    start_bound,
    uniform_gap_bound,
)
from .dynamics import cosine_path, steps_to
from .gaussian import active_probability, excess_energy, shrunk_mean
from .l1 import l1_line, least_l1
from .population import (
    expected_gap,
    expected_huber,
    expected_q1,
    expected_q2,
    expected_step,
    gap_curvature,
)
from .sample import gap, planted_rows, update_map

__all__ = [
    "active_probability",
    "cosine_path",
    "excess_energy",
    "expected_gap",
    "expected_huber",
    "expected_q1",
    "expected_q2",
    "expected_step",
    "far_cosine",
    "gap",
    "gap_bound",
    "gap_curvature",
    "gap_region",
    "hardest_share",
    "l1_line",
    "least_l1",
    "overlap_potential",
    "planted_rows",
    "rounding_basin",
    "safe_cosine",
    "search_barrier",
    "shrunk_mean",
    "stable_threshold",
    "start_bound",
    "steps_to",
    "uniform_gap_bound",
    "update_map",
]
