"""What a search returns: the vector, what is proved about it, why the run ended; frozen, saved and loaded."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, overload
from zipfile import BadZipFile

import numpy as np

from .arrays import FloatArray, IntArray, frozen
from .errors import InvalidInput
from .status import Status

__all__ = ["ACCIDENT", "Certificate", "Run", "SparseBasis", "SparseVector", "Status", "load"]

ACCIDENT = 1e-6  # probability from which zeros may be accidents
_MARGIN = 1e-9  # a minimum with κ = 1 is not strict, and κ is known up to rounding


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
    stage : str
        The part of a portfolio that found it first; empty for a method without parts.
    """

    start: str
    l1: float
    zeros: int
    steps: int
    multiplicity: int
    notes: Mapping[str, float] = field(default_factory=dict, hash=False)
    stage: str = ""


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
    chance : float
        Bound on the probability that a generic subspace shows as many zeros, n − 1 or more and each at most
        ``residual``, by accident. It matters for coarse data: among p = 100,000 random numbers one is below 1e-5.
    levels : int
        L where all entries of x are whole multiples −L … L of one number beyond chance; else 0.
    noise : float or None
        Where x is not exact but many entries are small: the ℓ² norm of those entries, of 1.
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
    chance: float = 1.0
    levels: int = 0
    noise: float | None = None

    @property
    def locally_optimal(self) -> bool:
        """Q is a strict local minimum of ‖Yq‖₁ on the sphere."""
        return self.unique and self.kappa < 1.0 - max(_MARGIN, self.resolution) and self.gap < 1e-8

    @property
    def unique(self) -> bool:
        """X is, up to scale, the only vector of S that vanishes where it does."""
        return self.rank == self.dim - 1

    @property
    def sparse(self) -> bool:
        """X has at least n zeros that are no accident: a generic subspace of dimension n has no such vector."""
        return self.zeros >= self.dim and self.chance <= ACCIDENT

    @property
    def whole(self) -> bool:
        """All entries of x are small whole multiples of one number, which no generic subspace allows."""
        return self.levels > 0

    @property
    def holds(self) -> bool:
        """X is exactly sparse and alone on its support, or of whole-number ratios, or nothing can be sparser."""
        structured = (self.sparse and self.unique) or self.whole
        return self.forced or (structured and self.residual <= self.resolution)

    def __str__(self) -> str:
        return "\n".join(f"{'yes' if proved else 'no ':3}  {text}" for proved, text in self.statements())

    def statements(self) -> list[tuple[bool, str]]:
        """Each thing a certificate may prove: whether it does, and the figures."""
        return [
            (
                self.sparse or self.forced,
                f"sparse: {self.zeros} exact zeros; a generic subspace of dimension {self.dim} allows {self.dim - 1} "
                f"(as many by accident: probability <= {self.chance:.1e})",
            ),
            (
                self.unique,
                f"unique: rank {self.rank} of the zero rows, {self.dim - 1} make it the only vector on its support",
            ),
            self._exactness(),
            (
                self.locally_optimal,
                f"strict local minimum of the 1-norm: kappa = {self.kappa:.3g} (must be < 1), "
                f"sharpness >= {self.sharpness:.3g}, duality gap {self.gap:.1e}",
            ),
            *self._multiples(),
        ]

    def _exactness(self) -> tuple[bool, str]:
        if self.noise is not None:
            return False, f"not exact: residual {self.noise:.2e}, the norm of the entries that noise would explain"
        allowed = f"at most {self.residual:.1e}, rounding allows {self.resolution:.1e}"
        return self.residual <= self.resolution, f"exact: entries called zero are {allowed}"

    def _multiples(self) -> list[tuple[bool, str]]:
        if not self.whole:
            return []
        return [(True, f"whole: every entry is one of 0, ±1 … ±{self.levels} times one number, beyond chance")]


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
        """Everything but the arrays, as plain values (for JSON, which has no infinity: None stands for it)."""
        proved = {"unique": self.certificate.unique, "locally_optimal": self.certificate.locally_optimal}
        meta = self._meta()
        return meta | {
            "size": int(self.vector.size),
            "dim": int(self.point.size),
            "nonzeros": int(self.support.size),
            "l1": self.l1,
            "certified": self.certified,
            "meaning": self.status.meaning,
            "advice": self.status.advice,
            "certificate": _plain(meta["certificate"]) | proved,
        }

    def save(self, path: str | Path) -> None:
        """Write to an ``.npz`` file that `load` reads back."""
        _write(path, self.vector, self.point, {"kind": "SparseVector", **self._meta()})

    def _meta(self) -> dict[str, Any]:
        return {
            "certificate": asdict(self.certificate),
            "status": self.status.value,
            "runs": [asdict(run) for run in self.runs],
            "method": self.method,
            "rank": self.rank,
            "seconds": self.seconds,
        }


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value if math.isfinite(value) else None for name, value in fields.items()}


@dataclass(frozen=True, slots=True, eq=False)
class SparseBasis(Sequence[SparseVector]):
    """
    Several sparse vectors of a subspace, in the order in which they were found.

    Attributes
    ----------
    items : tuple of SparseVector
        Orthogonal vectors are certified within what the others leave of the subspace: their certificates speak of
        that smaller dimension.
    kind : {"deflation", "joint", "independent"}
        Orthogonal and one after another, orthogonal and all at once, or merely independent.
    asked : int
        How many were asked for; fewer are there when time ran out.
    status : Status
        Why the search ended.
    seconds : float
        Wall time.
    """

    items: tuple[SparseVector, ...]
    kind: str
    asked: int
    status: Status
    seconds: float

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> SparseVector: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[SparseVector, ...]: ...
    def __getitem__(self, index: int | slice) -> SparseVector | tuple[SparseVector, ...]:
        return self.items[index]

    @property
    def vectors(self) -> FloatArray:
        """The vectors as columns, shape (p, count), read-only."""
        return frozen(np.stack([item.vector for item in self.items], axis=1))

    @property
    def points(self) -> FloatArray:
        """Their coordinates as columns, shape (n, count), read-only."""
        return frozen(np.stack([item.point for item in self.items], axis=1))

    @property
    def l1(self) -> float:
        """Sum of the ℓ¹ norms."""
        return sum(item.l1 for item in self.items)

    @property
    def certified(self) -> bool:
        """Whether all that was asked for is there and certified."""
        return len(self) == self.asked and all(item.certified for item in self.items)

    def __repr__(self) -> str:
        norms = ", ".join(f"{item.l1:.6g}" for item in self.items)
        return (
            f"SparseBasis({len(self)} of {self.asked} vectors, {self.kind}, l1=[{norms}], status={self.status.value!r})"
        )

    def save(self, path: str | Path) -> None:
        """Write to an ``.npz`` file that `load` reads back."""
        meta = {"kind": "SparseBasis", "way": self.kind, "asked": self.asked, "status": self.status.value}
        items = [item._meta() for item in self.items]
        _write(path, self.vectors, self.points, meta | {"seconds": self.seconds, "items": items})


def _write(path: str | Path, vector: FloatArray, point: FloatArray, meta: dict[str, Any]) -> None:
    with Path(path).open("wb") as file:
        np.savez_compressed(file, vector=vector, point=point, meta=np.array(json.dumps(meta)))


def load(path: str | Path) -> SparseVector | SparseBasis:
    """
    Read back what `SparseVector.save` or `SparseBasis.save` wrote.

    Parameters
    ----------
    path : str or Path

    Raises
    ------
    InvalidInput
        Where the file is not one of ours.
    """
    try:
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as archive:
            meta = json.loads(str(archive["meta"]))
            vector, point = archive["vector"], archive["point"]
        if meta["kind"] == "SparseVector":
            return _vector(vector, point, meta)
        items = tuple(_vector(x, q, own) for x, q, own in zip(vector.T, point.T, meta["items"], strict=True))
        return SparseBasis(items, meta["way"], meta["asked"], Status(meta["status"]), meta["seconds"])
    except (OSError, ValueError, KeyError, TypeError, EOFError, AttributeError, BadZipFile, zlib.error) as error:
        msg = f"`path` must name a result written by `save`; got {path} ({error})."
        raise InvalidInput(msg) from error


def _vector(vector: FloatArray, point: FloatArray, meta: dict[str, Any]) -> SparseVector:
    proof, runs = Certificate(**meta["certificate"]), tuple(Run(**run) for run in meta["runs"])
    return SparseVector(
        vector, point, proof, Status(meta["status"]), runs, meta["method"], meta["rank"], meta["seconds"]
    )
