"""What a search returns: the vector, what is proved about it, why the run ended; frozen, saved and loaded."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar, overload

import numpy as np

from .arrays import FloatArray, IntArray, frozen
from .checks import as_path, fields_of, is_finite, plain
from .errors import InvalidInput
from .evidence import ACCIDENT, CLEAR, Certificate, Estimate, Significance
from .status import Status

__all__ = [
    "ACCIDENT",
    "CLEAR",
    "Certificate",
    "Estimate",
    "Run",
    "Significance",
    "SparseBasis",
    "SparseVector",
    "Status",
    "load",
]

_UNIT = 1e-6  # how far the norm of a vector read from a file may be from 1
_T = TypeVar("_T", Certificate, Estimate, "Run")


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


class Recipe(Protocol):
    """How a vector was found: it can repeat the search on random subspaces."""

    def significance(
        self, found: SparseVector, trials: int, seed: int | None, deadline: float | None
    ) -> Significance: ...


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
    estimate : Estimate or None
        The sparse vector behind x with its support, where x is sparse but for noise.
    tried : tuple of str
        What the parts of a portfolio came to.
    recipe : Recipe or None
        The method itself, for `significance`; None for a result read from a file.
    """

    vector: FloatArray
    point: FloatArray
    certificate: Certificate
    status: Status
    runs: tuple[Run, ...]
    method: str
    rank: str
    seconds: float
    estimate: Estimate | None = None
    tried: tuple[str, ...] = ()
    recipe: Recipe | None = field(default=None, repr=False)
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

    def significance(self, *, trials: int = 99, seed: int | None = 0, deadline: float | None = None) -> Significance:
        """
        Compare the vector with what the same search finds in random subspaces of the same size and dimension.

        Certified vectors come before all others, these by ‖x‖₁. The random subspaces are kept: asking again, or for
        another vector of that size, costs nothing. A search that has a cheap first part is compared by that part.

        Parameters
        ----------
        trials : int
            Random subspaces: the smallest p-value is 1/(trials + 1).
        seed : int or None
            Of the random subspaces.
        deadline : float or None
            Seconds after which the trials made so far must do; NotConverged where there is none.
        """
        if self.recipe is None:
            msg = (
                "`recipe` must say how the vector was found; got None, as in a result read from a file. "
                "Repeat the search, or use `sparsespan.significance`."
            )
            raise InvalidInput(msg)
        return self.recipe.significance(self, trials, seed, deadline)

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
        meta = {"kind": "SparseVector", **self._meta()}
        if self.estimate is None:
            _write(path, meta, vector=self.vector, point=self.point)
        else:
            _write(path, meta, vector=self.vector, point=self.point, estimate=self.estimate.vector)

    def _meta(self) -> dict[str, Any]:
        return {
            "certificate": asdict(self.certificate),
            "status": self.status.value,
            "runs": [asdict(run) for run in self.runs],
            "method": self.method,
            "rank": self.rank,
            "seconds": self.seconds,
            "tried": list(self.tried),
            "noise": None if self.estimate is None else self.estimate.figures(),
        }


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value if value is not None and math.isfinite(value) else None for name, value in fields.items()}


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
        How many were asked for; fewer are there when time ran out, or when what was left was not significant.
    status : Status
        Why the search ended.
    seconds : float
        Wall time.
    size, dim : int
        p and n of the subspace.
    """

    items: tuple[SparseVector, ...]
    kind: str
    asked: int
    status: Status
    seconds: float
    size: int
    dim: int

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
        return frozen(np.array([item.vector for item in self.items]).reshape(len(self), self.size).T)

    @property
    def points(self) -> FloatArray:
        """Their coordinates as columns, shape (n, count), read-only."""
        return frozen(np.array([item.point for item in self.items]).reshape(len(self), self.dim).T)

    @property
    def l1(self) -> float:
        """Sum of the ℓ¹ norms."""
        return sum(item.l1 for item in self.items)

    @property
    def certified(self) -> bool:
        """Whether all that was asked for, or all that is significant, is there and certified."""
        complete = len(self) == self.asked or (len(self) > 0 and self.status is Status.EXHAUSTED)
        return complete and all(item.certified for item in self.items)

    def __repr__(self) -> str:
        norms = ", ".join(f"{item.l1:.6g}" for item in self.items)
        return (
            f"SparseBasis({len(self)} of {self.asked} vectors, {self.kind}, l1=[{norms}], status={self.status.value!r})"
        )

    def save(self, path: str | Path) -> None:
        """Write to an ``.npz`` file that `load` reads back."""
        meta = {"kind": "SparseBasis", "way": self.kind, "asked": self.asked, "status": self.status.value}
        items = [item._meta() for item in self.items]
        _write(path, meta | {"seconds": self.seconds, "items": items}, vector=self.vectors, point=self.points)


def _write(path: str | Path, meta: dict[str, Any], **arrays: FloatArray) -> None:
    with as_path(path).open("wb") as file:
        np.savez_compressed(file, meta=np.array(json.dumps(meta)), **arrays)  # type: ignore[arg-type]  # stubs take a keyword for allow_pickle


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
            vector, point, estimate = archive["vector"], archive["point"], archive.get("estimate")
        if meta["kind"] == "SparseVector":
            return _vector(vector, point, meta, estimate)
        items = tuple(_vector(x, q, own) for x, q, own in zip(vector.T, point.T, meta["items"], strict=True))
        shape = len(vector), len(point)
        return SparseBasis(items, meta["way"], meta["asked"], Status(meta["status"]), meta["seconds"], *shape)
    except Exception as error:  # a file can be broken in more ways than its readers have exceptions
        msg = f"`path` must name a result written by `save`; got {path} ({error})."
        raise InvalidInput(msg) from error


def _vector(
    vector: FloatArray, point: FloatArray, meta: dict[str, Any], estimate: FloatArray | None = None
) -> SparseVector:
    """Put a result together; ValueError or TypeError where the parts are not those of one."""
    certificate = _typed(Certificate(**meta["certificate"]))
    for array, name in ((vector, "vector"), (point, "point"), (vector if estimate is None else estimate, "estimate")):
        _expect(array.dtype == np.float64 and array.ndim == 1, f"{name} of {array.ndim} dimensions, {array.dtype}")
        _expect(abs(float(np.linalg.norm(array)) - 1.0) < _UNIT, f"{name} that is no unit vector")  # nor is NaN
    _expect(estimate is None or estimate.shape == vector.shape, "estimate of another length")
    _expect(_fits(certificate, vector, point), f"certificate that does not fit {vector.size} entries: {certificate}")
    _expect(is_finite(meta["seconds"]), f"seconds {meta['seconds']!r}")
    tried = meta.get("tried", ())
    _expect(all(isinstance(text, str) for text in (meta["method"], meta["rank"], *tried)), "words that are none")
    return SparseVector(
        vector,
        point,
        certificate,
        Status(meta["status"]),
        tuple(_typed(Run(**run)) for run in meta["runs"]),
        meta["method"],
        meta["rank"],
        meta["seconds"],
        None if estimate is None else _typed(Estimate(estimate, **meta["noise"])),
        tuple(tried),
    )


def _fits(certificate: Certificate, vector: FloatArray, point: FloatArray) -> bool:
    """Whether the figures can be those of the vector; in a deflated basis n is less than the length of the point."""
    return (
        1 <= certificate.dim <= point.size <= vector.size
        and 0 <= certificate.zeros <= vector.size - int(np.count_nonzero(vector))
        and 0 <= certificate.rank < certificate.dim
    )


def _typed(made: _T) -> _T:
    """Refuse a record whose plain fields are not of the types declared."""
    cls: type = type(made)
    for name, kinds in fields_of(cls).items():
        _expect(plain(getattr(made, name), kinds), f"{cls.__name__} of {name} {getattr(made, name)!r}")
    return made


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        msg = f"it holds a {otherwise}"
        raise ValueError(msg)
