"""The front door for several vectors: orthogonal one by one or all at once, or merely independent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from .chance import Null
from .checks import at_least, fraction
from .errors import InvalidInput
from .extraction import Extraction, deflate, extend, optimise_jointly
from .methods import Method, as_method
from .result import SparseBasis, SparseVector
from .search import generator
from .status import Status
from .subspace import Subspace
from .watch import Progress, Watch

__all__ = ["sparse_basis"]

_WAYS = {"deflation": deflate, "joint": optimise_jointly, "independent": extend}


def sparse_basis(
    columns: object,
    count: int = 4,
    method: str | Method = "auto",
    *,
    orthogonal: bool = True,
    joint: bool = False,
    significant: float | None = None,
    seed: int | None = 0,
    deadline: float | None = None,
    progress: Progress | None = None,
    interrupted: Callable[[], bool] | None = None,
    **options: object,
) -> SparseBasis:
    """
    Find several sparse vectors of a subspace.

    Parameters
    ----------
    columns : array_like, shape (p, m), or Subspace
        See `sparsest`.
    count : int
        How many vectors, at most the dimension n.
    method : str or Method
        The method that finds one vector.
    orthogonal : bool
        Orthogonal vectors, as in the paper's experiments with faces. False: a sparse basis, each vector the sparsest
        one found outside the span of those before it, which is optimal if each search is (Gottlieb and Neylon 2010).
    joint : bool
        Lower the sum of the ℓ¹ norms over all orthogonal vectors at once. Without, each takes the best of what those
        before it left, and the later ones pay for it.
    significant : float or None
        Stop before the first vector that is not significant at this level, such as 0.05. Of what the vectors before
        it leave of the subspace, its search is compared with the same search in ⌈1/level⌉ − 1 random subspaces of
        that size and dimension; one of them that does as well is enough to stop. A certified vector needs no
        comparison: no random subspace has one. Whatever `count` is, the basis may then be empty.
    seed, deadline, progress, interrupted, **options
        See `sparsest`. When time runs out the vectors found so far are returned.

    Returns
    -------
    SparseBasis

    Examples
    --------
    >>> import sparsespan as ss
    >>> hidden = ss.models.dictionary(400, 5, 60, seed=1)
    >>> found = ss.sparse_basis(hidden.columns, 5, orthogonal=False)
    >>> max(hidden.error(x.vector) for x in found) < 1e-7
    True
    """
    watch = Watch(deadline, progress, interrupted)
    chosen = as_method(method, options)
    subspace = Subspace.of(columns)
    kind = _kind(count, subspace.dim, orthogonal, joint)
    vectors = _WAYS[kind](Extraction(subspace, chosen, count, generator(seed), watch))
    if significant is None:
        found = tuple(vectors)
    else:
        found = tuple(_standing_out(vectors, count, _level(significant, joint), seed, watch))
    status = _status(found, count, watch)
    return SparseBasis(found, kind, count, status, watch.seconds, subspace.size, subspace.dim)


def _standing_out(
    vectors: Iterable[SparseVector], count: int, level: float, seed: int | None, watch: Watch
) -> Iterator[SparseVector]:
    """
    The vectors before the first that chance would hold as well.

    The best are taken out already, so that a random subspace with as many taken out would do worse than the random
    subspaces it is compared with: the test errs on the side of stopping.
    """
    for index, vector in enumerate(vectors):
        null = vector.recipe
        assert isinstance(null, Null)  # every search here leaves one
        if not null.rejected(vector, level, seed, watch.part(index, count)):
            return
        yield vector


def _level(significant: float, joint: bool) -> float:
    if joint:
        msg = f"`significant` must go with vectors found one after another; got {significant!r} with joint=True."
        raise InvalidInput(f"{msg} Drop one of them.")
    return fraction("significant", significant)


def _kind(count: int, dim: int, orthogonal: bool, joint: bool) -> str:
    at_least("count", count, 1)
    if count > dim:
        msg = f"`count` must be at most the dimension of the subspace, {dim}; got {count}."
        raise InvalidInput(msg)
    if joint and not orthogonal:
        msg = f"`joint` must go with `orthogonal=True`; got joint={joint}, orthogonal={orthogonal}. Drop one of them."
        raise InvalidInput(msg)
    return "joint" if joint else "deflation" if orthogonal else "independent"


def _status(found: tuple[SparseVector, ...], count: int, watch: Watch) -> Status:
    if len(found) < count:
        return Status.INTERRUPTED if watch.stopped else Status.DEADLINE if watch.late else Status.EXHAUSTED
    return next((vector.status for vector in found if not vector.certified), Status.FOUND)
