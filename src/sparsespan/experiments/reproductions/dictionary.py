"""Fig. 3: the complete dictionary model; (a) nonzeros against rows at p = 5n log n, (b) rows against dimensions."""

from __future__ import annotations

from collections.abc import Callable

from ..dictionaries import DICTIONARY_EFFORT, run_dictionary
from ..trial import Row
from .base import Scale
from .phase import OPTIMAL, Cell, Grid, Panel, Phase, exact, posted, published, register_phase

__all__ = ["DL_K", "DL_N"]


def _share(name: str) -> Callable[[Row], float]:
    """Of the n rows, how many are found."""

    def counted(row: Row) -> float:
        return float(row.outcome.get(name, 0)) / float(row["n"])

    return counted


_PANELS = (
    Panel("paper", "paper, exact, one row", "paper", exact),
    Panel("auto", "auto, exact, one row", "auto", exact),
    Panel("paper-rows", "paper, exact, share of the rows", "paper", _share("rows")),
    Panel("auto-rows", "auto, exact, share of the rows", "auto", _share("rows")),
    Panel("posted", "paper, posted test, one row", "paper", posted),
    OPTIMAL,
)
_NOTES = {
    "model": "n sparse rows, each entry nonzero with probability k/p (the posted code fixes the number instead)",
    "paper": "λ = 1/√p from every row, until a step is below 1e-5 or 5000 steps are done",
    "posted test": "squared distance of unit vectors ≤ 1e-3 before rounding",
    "exact": "distance of unit vectors ≤ 1e-6 after rounding",
    "auto": f"effort {DICTIONARY_EFFORT:g}; one vector after the other, until the first is no row, or two are none",
    "ℓ¹-optimal": "some row is a strict local minimum of the 1-norm",
    "ones": "from θ = 1/2 on the difference of two rows is as sparse as a row: what is found need not be one",
}


def _fifth(dims: range, sizes: range) -> list[Cell]:
    return [{"p": p, "n": n, "k": round(p / 5)} for n in dims for p in sizes if p > n]


_GRIDS_K: dict[Scale, Grid] = {
    "small": Grid(published(range(6, 22, 5), range(5, 200, 40)), "p", "k", False, 2),
    "paper": Grid(published(range(6, 100, 5), range(5, 600, 20)), "p", "k", False, 10),
    "large": Grid(
        published((100, 150, 200), range(5, 600, 60)), "p", "k", False, 2, told="n > 200: a trial takes an hour"
    ),
}
_GRIDS_N: dict[Scale, Grid] = {
    "small": Grid(_fifth(range(6, 22, 5), range(25, 200, 50)), "n", "p", True, 2),
    "paper": Grid(_fifth(range(6, 100, 5), range(50, 1551, 100)), "n", "p", True, 10),
    "large": Grid(
        _fifth(range(100, 201, 50), range(200, 3001, 400)), "n", "p", True, 2, told="n > 200: a trial takes an hour"
    ),
}
_TITLE = "Complete dictionaries: "
DL_K = register_phase(
    Phase("dl-k", "Fig. 3(a)", _TITLE + "nonzeros k against rows p", run_dictionary, _GRIDS_K, _PANELS, _NOTES)
)
DL_N = register_phase(
    Phase("dl-n", "Fig. 3(b)", _TITLE + "rows p against dimensions n", run_dictionary, _GRIDS_N, _PANELS, _NOTES)
)
