"""Several methods on one subspace, side by side: time, ℓ¹ norm, zeros, certificate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ..errors import InvalidInput, SparsespanError
from ..methods import Method, as_method, available
from ..models import planted
from ..result import SparseVector
from ..search import sparsest
from ..subspace import Subspace
from ..watch import Progress

__all__ = ["Comparison", "Entry", "compare"]


@dataclass(frozen=True, slots=True)
class Entry:
    """
    What one method reached; without a vector only ``method``, ``reference`` and ``error`` say something.

    Attributes
    ----------
    method : str
        Its name.
    options : str
        The method with its options.
    reference : str
    seconds : float or None
        Wall time.
    l1 : float or None
        ‖x‖₁ of the unit vector.
    nonzeros, zeros : int or None
        Of the vector; zero rows of the basis are not counted as zeros.
    certified : bool
    status : str
        Why the run ended.
    error : str
        Why there is no vector: a missing extra, or input that the method refuses.
    notes : mapping of str to float
        What else the method found out, such as the value of a relaxation.
    """

    method: str
    options: str
    reference: str
    seconds: float | None = None
    l1: float | None = None
    nonzeros: int | None = None
    zeros: int | None = None
    certified: bool = False
    status: str = ""
    error: str = ""
    notes: Mapping[str, float] = field(default_factory=dict, hash=False)

    @classmethod
    def of(cls, method: Method, found: SparseVector) -> Entry:
        """Take the figures from a result."""
        return cls(
            method=method.name,
            options=repr(method),
            reference=method.reference,
            seconds=found.seconds,
            l1=found.l1,
            nonzeros=int(found.support.size),
            zeros=found.certificate.zeros,
            certified=found.certified,
            status=found.status.value,
            notes=found.runs[0].notes,
        )

    @property
    def rank(self) -> tuple[bool, int, float, float]:
        """Order of entries: certified first, the fewest nonzeros, the smallest ℓ¹ norm, the shortest time."""
        if self.seconds is None or self.l1 is None or self.nonzeros is None:
            return True, 1 << 62, 0.0, 0.0
        return not self.certified, self.nonzeros if self.certified else 1 << 61, round(self.l1, 9), self.seconds


@dataclass(frozen=True, slots=True)
class Comparison:
    """
    The entries of a comparison, best first.

    Attributes
    ----------
    size, dim : int
        p and n.
    subspace : str
        How the dimension was decided.
    entries : tuple of Entry
    """

    size: int
    dim: int
    subspace: str
    entries: tuple[Entry, ...]

    def summary(self) -> dict[str, Any]:
        """Plain values (for JSON and for the report)."""
        entries = [asdict(entry) for entry in self.entries]
        return {"size": self.size, "dim": self.dim, "subspace": self.subspace, "entries": entries}


def compare(
    columns: object,
    methods: Sequence[str | Method] | None = None,
    *,
    seed: int | None = 0,
    deadline: float | None = None,
    progress: Progress | None = None,
    interrupted: Callable[[], bool] | None = None,
) -> Comparison:
    """
    Run methods one after another on the same subspace.

    Parameters
    ----------
    columns : array_like, shape (p, m), or Subspace
    methods : sequence of str or Method, optional
        All registered ones by default.
    seed : int or None
        Every method gets the same.
    deadline : float or None
        Seconds for each method.
    progress, interrupted : callable, optional
        As for `sparsest`; an interruption ends the comparison with the methods run so far.

    Returns
    -------
    Comparison
    """
    chosen = [as_method(method, {}) for method in (available() if methods is None else methods)]
    if not chosen:
        msg = f"`methods` must name at least one method; got {methods!r}. Use None for all."
        raise InvalidInput(msg)
    subspace = Subspace.of(columns)
    sparsest(planted(60, 4, 12, seed=0).columns, "paper")  # the first linear program also loads SciPy
    entries = []
    for index, method in enumerate(chosen):
        if interrupted is not None and interrupted():
            break
        told = None if progress is None else _within(progress, index, len(chosen), method.name)
        try:
            found = sparsest(subspace, method, seed=seed, deadline=deadline, progress=told, interrupted=interrupted)
            entries.append(Entry.of(method, found))
        except SparsespanError as error:
            entries.append(Entry(method.name, repr(method), method.reference, error=str(error)))
    entries.sort(key=lambda entry: entry.rank)
    return Comparison(subspace.size, subspace.dim, str(subspace.rank), tuple(entries))


def _within(progress: Progress, index: int, count: int, name: str) -> Progress:
    """Progress of one method as a part of the whole."""

    def tell(share: float, doing: str) -> None:
        progress((index + share) / count, f"{name}: {doing}")

    return tell
