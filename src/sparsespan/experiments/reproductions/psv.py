"""Fig. 2: the planted model; (a) nonzeros against rows at p = 5n log n, (b) rows against dimensions at k = p/5."""

from __future__ import annotations

from scipy.optimize import brentq

from ...models import Values
from ...theory import l1_line
from ..planted import EFFORT, run_planted
from .base import Scale
from .phase import OPTIMAL, Cell, Grid, Panel, Phase, exact, posted, published, register_phase, rows_for

__all__ = ["PSV_K", "PSV_N"]

_SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
_WIDE = (100, 200, 400, 1000)  # dimensions at the large scale, ten times the published ones
_LAW = (100, 200, 400, 700, 1000)  # dimensions at the large scale of (b)
_FLAT = 0.1  # share of nonzeros there
_RATIOS = (2, 4, 5, 6, 7, 8, 10, 12)  # p/(nθ)² there
_MOST = 100_000  # rows: at n = 1000 three arrays of 800 MB
_PANELS = (
    Panel("paper", "paper, rounded and exact", "paper", exact),
    Panel("auto", "auto, exact", "auto", exact),
    Panel("posted", "paper, posted test", "paper", posted),
    OPTIMAL,
)
_NOTES = {
    "paper": "λ = 1/√p from every row, until a step is below 1e-5 or 5000 steps are done",
    "posted test": "1 − |cos| ≤ 1e-4 before rounding",
    "exact": "distance of unit vectors ≤ 1e-6 after rounding",
    "auto": f"effort {EFFORT:g}",
    "ℓ¹-optimal": "the truth is a strict local minimum of the 1-norm (its certificate); the line is where half are",
    "dashed line": "the truth's 1-norm is that of the best random direction (`theory.l1_line`, an asymptotic bound)",
}


def _dense(cell: Cell) -> bool:
    return cell["n"] > 200


def _tenfold() -> list[Cell]:
    return [
        {"p": rows_for(n), "n": n, "k": round(theta * rows_for(n)), "theta": theta} for n in _WIDE for theta in _SHARES
    ]


def _alike(x: float, values: Values) -> float:
    """Nonzeros at which the dashed line runs, at p = 5n log n."""
    dim = next(n for n in range(2, 2000) if rows_for(n) >= x)
    return x * l1_line((dim - 1) / x, values)


def _alike_share(x: float, values: Values) -> float:
    return l1_line((x - 1) / rows_for(round(x)), values)


def _nonzeros(dim: float, theta: float) -> float:
    return theta * rows_for(round(dim))


PSV_K = register_phase(
    Phase(
        "psv-k",
        "Fig. 2(a)",
        "Planted model: nonzeros k against rows p = 5n log n",
        run_planted,
        {
            "small": Grid(published(range(6, 22, 5), range(1, 200, 40)), "p", "k", False, 2, bound=_alike),
            "paper": Grid(published(range(6, 100, 5), range(1, 600, 20)), "p", "k", False, 10, bound=_alike),
            "large": Grid(
                _tenfold(),
                "n",
                "theta",
                False,
                2,
                {"paper": _dense},
                _nonzeros,
                _alike_share,
                "`paper` for n > 200: all p rows to the end of 5000 steps would take days",
            ),
        },
        _PANELS,
        _NOTES,
    )
)


def _fifth(dims: range, sizes: range) -> list[Cell]:
    return [{"p": p, "n": n, "k": round(p / 5)} for n in dims for p in sizes if 1.5 * n <= p <= _MOST]


def _law() -> list[Cell]:
    """Cells along which the law p ∝ (nθ)² is a horizontal line."""
    made = [(n, ratio, round(ratio * (n * _FLAT) ** 2)) for n in _LAW for ratio in _RATIOS]
    return [{"p": p, "n": n, "k": round(_FLAT * p), "ratio": ratio} for n, ratio, p in made if 1.5 * n <= p <= _MOST]


def _rows_alike(share: float, values: Values) -> float:
    """Rows for each dimension but one at which the dashed line runs."""
    return 1.0 / float(brentq(lambda ratio: l1_line(ratio, values) - share, 0.0, 1.0))


def _alike_rows(x: float, values: Values) -> float:
    return (x - 1) * _rows_alike(0.2, values)


def _alike_ratio(x: float, values: Values) -> float:
    return (x - 1) * _rows_alike(_FLAT, values) / (x * _FLAT) ** 2


def _rows(dim: float, ratio: float) -> float:
    return ratio * (dim * _FLAT) ** 2


_GRIDS_N: dict[Scale, Grid] = {
    "small": Grid(_fifth(range(6, 22, 5), range(25, 200, 50)), "n", "p", True, 2, bound=_alike_rows),
    "paper": Grid(_fifth(range(6, 100, 5), range(50, 1551, 100)), "n", "p", True, 10, bound=_alike_rows),
    "large": Grid(
        _law(),
        "n",
        "ratio",
        True,
        3,
        {"paper": lambda _: True, "auto": _dense, "optimal": _dense},
        _rows,
        _alike_ratio,
        "`paper` (p starts are not a fixed number); `auto` and ℓ¹-optimality for n > 200; p above 100,000",
    ),
}

PSV_N = register_phase(
    Phase(
        "psv-n",
        "Fig. 2(b)",
        "Planted model: rows p against dimensions n",
        run_planted,
        _GRIDS_N,
        (*_PANELS, Panel("spectral", "spectral, one start, exact", "spectral", exact)),
        _NOTES
        | {
            "small, paper": "k = p/5",
            "large": f"k = {_FLAT:g} p, and y is the ratio p/(nθ)²: along the law p ∝ (nθ)² it is constant",
        },
    )
)
