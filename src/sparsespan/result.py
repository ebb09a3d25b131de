"""What a search returns: the vector, what is proved about it, why the run ended; frozen, saved and loaded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from .arrays import FloatArray, IntArray, frozen
from .errors import InvalidInput

__all__ = ["Certificate", "Run", "SparseVector", "Status", "load"]


class Status(Enum):
    """Why a run ended; ``meaning`` says it in words, ``advice`` what to do about it."""

    FOUND = "found"
    FORCED = "forced"
    GENERIC = "generic"
    INEXACT = "inexact"
    DEADLINE = "deadline"
    INTERRUPTED = "interrupted"

    @property
    def meaning(self) -> str:
        """One sentence."""
        return _MEANINGS[self][0]

    @property
    def advice(self) -> str:
        """What to do next; empty where there is nothing to do."""
        return _MEANINGS[self][1]


_MEANINGS = {
    Status.FOUND: ("a vector with more zeros than any generic subspace allows was found and certified", ""),
    Status.FORCED: ("the dimension leaves no choice: this is the sparsest vector", ""),
    Status.GENERIC: (
        "every start was followed; the best vector has no more zeros than every subspace of this dimension allows",
        "Nothing here says that the subspace hides a sparse vector. Try other starts or another method, and see "
        "whether the value is significant; with noisy data, look at the sorted magnitudes of the vector.",
    ),
    Status.INEXACT: (
        "the best point found has fewer exact zeros than a vertex must have",
        "The basis may be badly conditioned or the iteration cut short. Check `subspace.rank`, raise `max_iter`.",
    ),
    Status.DEADLINE: (
        "the deadline passed; this is the best so far",
        "Raise `deadline`, or take fewer starts.",
    ),
    Status.INTERRUPTED: ("the run was interrupted; this is the best so far", "Run it again to the end."),
}


@dataclass(frozen=True, slots=True)
class Run:
    """
    What became of one start, or of several that led to the same vector.

    Attributes
    ----------
    start : str
        Name of the (first) start.
    l1 : float
        ‖x‖₁ of the unit vector reached.
    zeros : int
        Its exact zeros, rows of the basis that vanish altogether not counted.
    steps : int
        Iterations of the first start.
    multiplicity : int
        How many starts led there.
    notes : mapping of str to float
        What else the method found out, such as the value of a relaxation.
    """

    start: str
    l1: float
    zeros: int
    steps: int
    multiplicity: int
    notes: Mapping[str, float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Certificate:
    """
    What is proved about the vector x = Yq.

    Attributes
    ----------
    dim : int
        n.
    zeros : int
        Exact zeros of x on rows of Y that are not zero.
    rank : int
        Rank of those rows: x is the only vector of S within its support exactly when it is n − 1.
    residual : float
        Largest |y_iᵀq|/‖y_i‖ among the entries called zero.
    resolution : float
        Size below which such an entry cannot be told from zero, from the precision and condition of the input.
    kappa : float
        ‖v‖_∞ of the multipliers on the zero rows; below 1 it proves a strict local minimum of ‖Yq‖₁ on the sphere.
    sharpness : float
        Lower bound on the slope of ‖Yq‖₁ away from q (per radian); 0 where none is proved.
    gap : float
        Relative duality gap of the rounding program anchored at q.
    forced : bool
        The dimension alone, or a single nonzero, proves that nothing in S is sparser.
    """

    dim: int
    zeros: int
    rank: int
    residual: float
    resolution: float
    kappa: float
    sharpness: float
    gap: float
    forced: bool = False

    @property
    def locally_optimal(self) -> bool:
        """Q is a strict local minimum of ‖Yq‖₁ on the sphere."""
        return self.unique and self.kappa < 1.0 and self.gap < 1e-8

    @property
    def unique(self) -> bool:
        """X is, up to scale, the only vector of S that vanishes where it does."""
        return self.rank == self.dim - 1

    @property
    def sparse(self) -> bool:
        """X has at least n zeros: a generic subspace of dimension n has no such vector."""
        return self.zeros >= self.dim

    @property
    def holds(self) -> bool:
        """X is exactly sparse and alone on its support, or nothing can be sparser."""
        return self.forced or (self.sparse and self.unique and self.residual <= self.resolution)

    def __str__(self) -> str:
        return "\n".join(f"{'yes' if proved else 'no ':3}  {text}" for proved, text in self.statements())

    def statements(self) -> list[tuple[bool, str]]:
        """Each thing a certificate may prove: whether it does, and the figures."""
        return [
            (
                self.sparse or self.forced,
                f"sparse: {self.zeros} exact zeros; a generic subspace of dimension {self.dim} allows {self.dim - 1}",
            ),
            (
                self.unique,
                f"unique: rank {self.rank} of the zero rows, {self.dim - 1} make it the only vector on its support",
            ),
            (
                self.residual <= self.resolution,
                f"exact: entries called zero are at most {self.residual:.1e}, rounding allows {self.resolution:.1e}",
            ),
            (
                self.locally_optimal,
                f"strict local minimum of the 1-norm: kappa = {self.kappa:.3g} (must be < 1), "
                f"sharpness >= {self.sharpness:.3g}, duality gap {self.gap:.1e}",
            ),
        ]


@dataclass(frozen=True, slots=True, eq=False)
class SparseVector:
    """
    A sparse vector of a subspace.

    Attributes
    ----------
    vector : ndarray, shape (p,)
        x: unit ℓ² norm, exact zeros, largest entry positive.
    point : ndarray, shape (n,)
        q, its coordinates in the subspace's orthonormal basis.
    support : ndarray of int
        Indices of the nonzeros, ascending.
    l1 : float
        ‖x‖₁, the objective.
    certificate : Certificate
    status : Status
        Why the run ended and what to do about it.
    runs : tuple of Run
        What each start did, best first.
    method : str
        The method, with its options.
    rank : str
        How the dimension of the subspace was decided.
    seconds : float
        Wall time.
    """

    vector: FloatArray
    point: FloatArray
    certificate: Certificate
    status: Status
    runs: tuple[Run, ...]
    method: str
    rank: str
    seconds: float
    support: IntArray = field(init=False)
    l1: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "vector", frozen(self.vector))
        object.__setattr__(self, "point", frozen(self.point))
        object.__setattr__(self, "support", frozen(np.flatnonzero(self.vector)))
        object.__setattr__(self, "l1", float(np.abs(self.vector).sum()))

    @property
    def certified(self) -> bool:
        """Whether the certificate holds."""
        return self.certificate.holds

    def __repr__(self) -> str:
        claim = "certified" if self.certified else "not certified"
        return (
            f"SparseVector(size={self.vector.size}, nonzeros={self.support.size}, l1={self.l1:.6g}, "
            f"{claim}, status={self.status.value!r}, method={self.method!r})"
        )

    def summary(self) -> dict[str, Any]:
        """Everything but the arrays, as plain values (for JSON)."""
        return {
            "size": int(self.vector.size),
            "dim": int(self.point.size),
            "nonzeros": int(self.support.size),
            "l1": self.l1,
            "certified": self.certified,
            "status": self.status.value,
            "meaning": self.status.meaning,
            "advice": self.status.advice,
            "certificate": asdict(self.certificate)
            | {"unique": self.certificate.unique, "locally_optimal": self.certificate.locally_optimal},
            "runs": [asdict(run) for run in self.runs],
            "method": self.method,
            "rank": self.rank,
            "seconds": self.seconds,
        }

    def save(self, path: str | Path) -> None:
        """Write to an ``.npz`` file that `load` reads back."""
        meta = {
            "kind": "SparseVector",
            "certificate": asdict(self.certificate),
            "status": self.status.value,
            "runs": [asdict(run) for run in self.runs],
            "method": self.method,
            "rank": self.rank,
            "seconds": self.seconds,
        }
        with Path(path).open("wb") as file:
            np.savez_compressed(file, vector=self.vector, point=self.point, meta=np.array(json.dumps(meta)))


def load(path: str | Path) -> SparseVector:
    """
    Read back what `SparseVector.save` wrote.

    Parameters
    ----------
    path : str or Path

    Raises
    ------
    InvalidInput
        Where the file is not one of ours.
    """
    try:
        with np.load(Path(path), allow_pickle=False) as archive:
            meta = json.loads(str(archive["meta"]))
            vector, point = archive["vector"], archive["point"]
        return SparseVector(
            vector,
            point,
            Certificate(**meta["certificate"]),
            Status(meta["status"]),
            tuple(Run(**run) for run in meta["runs"]),
            meta["method"],
            meta["rank"],
            meta["seconds"],
        )
    except (OSError, ValueError, KeyError, TypeError, EOFError, AttributeError) as error:
        msg = f"`path` must name a result written by `save`; got {path} ({error})."
        raise InvalidInput(msg) from error
