"""One null space from matrix to checked numbers: fields are tried until a basis passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..checks import generator
from ..errors import RoundingFailed
from ..watch import Watch
from .basis import Basis, find_basis
from .circuits import elementary
from .directed import directed
from .directions import Cone, oriented
from .effort import Effort
from .family import Family
from .fields import PRIMES, Field, Prime, Real
from .intake import Matrix
from .summary import NullSpaceReport
from .values import LARGEST, MODEST, Valued, exact_values, real_values, residuals

__all__ = ["Answer", "Task", "columns_in", "fields_of", "reported", "solve"]

_RESIDUAL = 1e-10  # relative residual above which a rank is taken to be wrong and decided anew
_STRICTER = (1.0, 1e-2, 1e-4)  # factors on the tolerance, tried in turn


@dataclass(frozen=True)
class Task:
    """
    What is asked.

    Attributes
    ----------
    matrix : Matrix
    signs : array of int8, shape (p,), or None
    effort : Effort
    integer : bool or None
        None leaves the choice to the entries.
    watch : Watch
    """

    matrix: Matrix
    signs: NDArray[np.int8] | None
    effort: Effort
    integer: bool | None
    watch: Watch


@dataclass(frozen=True)
class Answer:
    """
    A checked basis.

    Attributes
    ----------
    family : Family
        float64 vectors, sparsest first.
    exact : array of bool, shape (nullity,)
    field : Prime or Real
        Where it was found.
    bound : int
        No basis has fewer nonzeros.
    """

    family: Family
    exact: NDArray[np.bool_]
    field: Field
    bound: int


def solve(task: Task, tol: float, seed: int | None) -> Answer:
    """Try other primes, or stricter tolerances, until the vectors found are null vectors."""
    worst = 0.0
    for field in fields_of(task.matrix, tol):
        answer = _attempt(task, field, generator(seed))
        worst = float(residuals(task.matrix.floats, answer.family).max(initial=0.0))
        if worst <= _RESIDUAL:
            return answer
    msg = (
        f"the null vectors of `A` must have a relative residual below {_RESIDUAL}; got {worst:.1e}. The rank of `A` is "
        "not well determined in floating point: change `tol`, or pass `A` with at most nine digits."
    )
    raise RoundingFailed(msg)


def fields_of(matrix: Matrix, tol: float) -> Iterator[Field]:
    """The fields in which to compute with a matrix, to be tried in turn."""
    yield from map(Prime, PRIMES[:3]) if matrix.exact else (Real(tol * factor) for factor in _STRICTER)


def columns_in(matrix: Matrix, field: Field) -> tuple[Family, NDArray[np.float64]]:
    """The columns in a field, and for each coordinate the factor that undoes its scaling."""
    if isinstance(field, Prime):
        return matrix.residues(field), np.ones(matrix.shape[1])
    return matrix.scaled()


def _attempt(task: Task, field: Field, rng: np.random.Generator) -> Answer:
    columns, scale = columns_in(task.matrix, field)
    rows = task.matrix.shape[0]
    if task.signs is None:
        basis = find_basis(field, columns, rows, task.effort, rng, task.watch)
    else:
        basis = _directed(task, field, columns, scale, rng)
    valued = _valued(task, field, basis, scale)
    family = valued.family if task.signs is None else oriented(valued.family, task.signs)
    order = np.lexsort((family.starts[:-1], family.lengths))
    return Answer(family.take(order), valued.exact[order], field, basis.bound)


def _directed(task: Task, field: Field, columns: Family, scale: NDArray[np.float64], rng: np.random.Generator) -> Basis:
    """A basis within the cone of the signs, from one in which the coordinates that the signs block are zero."""
    assert task.signs is not None
    cone, rows = Cone.of(task.matrix, task.signs), task.matrix.shape[0]
    forced = cone.blocked()
    undirected = find_basis(field, columns.with_units(forced, rows), rows + forced.size, task.effort, rng, task.watch)
    numbers = _valued(task, field, undirected, scale).family
    return directed(field, columns, rows, undirected, numbers, cone, rng)


def _valued(task: Task, field: Field, basis: Basis, scale: NDArray[np.float64]) -> Valued:
    vectors = basis.vectors
    if isinstance(field, Real):
        return real_values(task.matrix, replace(vectors, value=vectors.value * scale[vectors.at]))
    if task.integer is False:
        return exact_values(task.matrix, vectors, field, largest=0)
    valued = exact_values(task.matrix, vectors, field, LARGEST if task.matrix.integral or task.integer else MODEST)
    if task.integer and not valued.exact.all():
        k = int(np.argmin(valued.exact))
        msg = (
            "`integer=True` must find integers below 2**53 for every vector; got none for a vector with "
            f"{int(valued.family.lengths[k])} nonzeros. Leave `integer` at 'auto' to have it as a unit vector."
        )
        raise RoundingFailed(msg)
    return valued


def reported(task: Task, answer: Answer) -> NullSpaceReport:
    """Examine a basis: what its vectors are, and what is proved."""
    family, matrix = answer.family, task.matrix
    columns, _ = columns_in(matrix, answer.field)
    return NullSpaceReport(
        shape=matrix.shape,
        nullity=len(family),
        rule=_rule(answer.field),
        proved=matrix.exact and bool(answer.exact.all()),
        nnz=family.at.size,
        lower_bound=answer.bound,
        counts=family.lengths,
        elementary=elementary(answer.field, columns, matrix.shape[0], family),
        exact=answer.exact,
        residual=float(residuals(matrix.floats, family).max(initial=0.0)),
        effort=task.effort.name,
        seconds=task.watch.seconds,
    )


def _rule(field: Field) -> str:
    if isinstance(field, Prime):
        return f"exact elimination modulo {field.parameter}"
    return f"elimination of the scaled matrix, sums that cancel to {field.parameter:g} of their terms being zero"
