"""`null_space`: a sparse basis of the null space of a matrix, checked before it is returned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from ..checks import fraction
from ..errors import InvalidInput
from ..watch import Progress, Watch
from .directions import as_signs
from .effort import as_effort
from .intake import Matrix, read
from .solve import Task, reported, solve
from .summary import NullSpaceReport
from .values import as_matrix

__all__ = ["null_space"]


class Options(TypedDict, total=False):
    """Keywords of `null_space` other than ``report``."""

    effort: str
    signs: ArrayLike | None
    integer: bool | Literal["auto"]
    seed: int | None
    tol: float
    deadline: float | None
    progress: Progress | None
    interrupted: Callable[[], bool] | None


@overload
def null_space(A: object, *, report: Literal[False] = ..., **options: Unpack[Options]) -> sparse.csc_array: ...
@overload
def null_space(
    A: object, *, report: Literal[True], **options: Unpack[Options]
) -> tuple[sparse.csc_array, NullSpaceReport]: ...
def null_space(
    A: object,
    *,
    effort: str = "default",
    signs: ArrayLike | None = None,
    integer: bool | Literal["auto"] = "auto",
    seed: int | None = 0,
    tol: float = 1e-10,
    report: bool = False,
    deadline: float | None = None,
    progress: Progress | None = None,
    interrupted: Callable[[], bool] | None = None,
) -> sparse.csc_array | tuple[sparse.csc_array, NullSpaceReport]:
    """
    Compute a sparse basis of the null space of a matrix.

    Parameters
    ----------
    A : array_like or scipy.sparse array or matrix, shape (m, p)
        Of any rank; never made dense where it is sparse. Integers, decimals of at most nine digits and fractions with
        denominators up to 1000 are computed with exactly; other floats numerically.
    effort : {"fast", "default", "max"}
        How much work may be spent. One effort and one seed give one answer.
    signs : array_like, shape (p,), optional
        1 where a coordinate must not be negative, −1 where it must not be positive, 0 where it is free. The basis then
        spans the vectors that obey the signs, and each of its vectors obeys them.
    integer : "auto", True or False
        "auto": vectors of an exact matrix are coprime integers where those are moderate, unit vectors elsewhere.
        True: integers for all vectors, or an error. False: unit vectors.
    seed : int or None
    tol : float
        For matrices that are not exact: relative size to which a sum must cancel to count as zero.
    report : bool
        Return a `NullSpaceReport` as well.
    deadline : float, optional
        Seconds after which the search takes what it has; the answer is a checked basis all the same.
    progress : callable, optional
        Called with the share done and a word on what is being done.
    interrupted : callable, optional
        When it returns true the search ends as at the deadline.

    Returns
    -------
    N : csc_array, shape (p, nullity)
        Null vectors as columns, sparsest first.
    report : NullSpaceReport
        Only with ``report=True``.

    Examples
    --------
    >>> import sparsespan as ss
    >>> N = ss.null_space([[1, 1, -1, 0], [0, 0, 1, -1]])
    >>> N.toarray().astype(int).T.tolist()
    [[1, -1, 0, 0], [0, 1, 1, 1]]
    """
    watch = Watch(deadline, progress, interrupted)
    matrix = read(A)
    task = Task(matrix, as_signs(signs, matrix.shape[1]), as_effort(effort), _as_integer(integer, matrix), watch)
    answer = solve(task, fraction("tol", tol), seed)
    N = as_matrix(answer.family, matrix.shape[1])
    return (N, reported(task, answer)) if report else N


def _as_integer(integer: object, matrix: Matrix) -> bool | None:
    """True, False, or None for "auto"."""
    if not (integer is True or integer is False or (isinstance(integer, str) and integer == "auto")):
        msg = f"`integer` must be 'auto', True or False; got {integer!r}."
        raise InvalidInput(msg)
    if integer is True and not matrix.exact:
        msg = (
            f"`integer=True` needs integers, decimals of at most nine digits or small fractions in `A`; got "
            f"{matrix.given.data[np.argmax(matrix.given.data != np.rint(matrix.given.data))]!r} among them. "
            "Round `A`, or leave `integer` at 'auto'."
        )
        raise InvalidInput(msg)
    return None if integer == "auto" else bool(integer)
