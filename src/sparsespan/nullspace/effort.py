"""How much work a search may spend: counts of work, not seconds, so that one seed gives one answer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..errors import InvalidInput

__all__ = ["Effort", "as_effort"]


@dataclass(frozen=True)
class Effort:
    """
    Limits of the search on one connected part of the matrix.

    Attributes
    ----------
    name : str
    coverage : int
        In how many windows a column lies on average (0: no windows).
    width : int
        Columns in a window.
    rounds : int
        Rounds of a new basis, improved and merged.
    patience : int
        Rounds in a row without a gain worth the work, after which the search ends.
    small : int
        The same for null spaces of dimension ten or less, where a round costs next to nothing; between, in proportion.
    least_gain : float
        Share of the weight that a round has to save to be worth the work.
    exchanges : int
        Work of one run of exchanges, in entries looked at.
    nodes : int
        Nodes of the exhaustive listing of the lightest circuits.
    programs : int
        Linear programs on cosets, where a matrix is made sparse.
    """

    name: str
    coverage: int
    width: int
    rounds: int
    patience: int
    small: int
    least_gain: float
    exchanges: int
    nodes: int
    programs: int

    def patient(self, nullity: int) -> Effort:
        """Return the effort for a part of that nullity: more rounds where they are cheap."""
        patience = max(self.patience, min(self.small, 10 * self.small // max(1, nullity)))
        return replace(self, patience=patience, rounds=self.rounds * patience // self.patience)


_EFFORTS = {
    "fast": Effort(
        "fast", 0, 0, rounds=1, patience=1, small=1, least_gain=0.0, exchanges=5_000_000, nodes=0, programs=0
    ),
    "default": Effort(
        "default",
        coverage=16,
        width=200,
        rounds=12,
        patience=3,
        small=60,
        least_gain=5e-4,
        exchanges=10_000_000,
        nodes=100_000,
        programs=400,
    ),
    "max": Effort(
        "max",
        coverage=400,
        width=800,
        rounds=400,
        patience=60,
        small=60,
        least_gain=0.0,
        exchanges=2_000_000_000,
        nodes=10_000_000,
        programs=4000,
    ),
}


def as_effort(effort: str) -> Effort:
    """Return the effort of that name."""
    if effort not in _EFFORTS:
        msg = f"`effort` must be one of {', '.join(map(repr, _EFFORTS))}; got {effort!r}."
        raise InvalidInput(msg)
    return _EFFORTS[effort]
