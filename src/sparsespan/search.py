"""The front door: from columns to the sparsest vector of their span."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .certificates import certify
from .checks import generator
from .errors import NotConverged
from .methods import Method, Problem, as_method
from .result import Certificate, SparseVector, Status
from .rounding import Vertex
from .selection import Shelf
from .subspace import Subspace
from .watch import Progress, Watch

__all__ = ["sparsest"]


def sparsest(
    columns: object,
    method: str | Method = "auto",
    *,
    seed: int | None = 0,
    deadline: float | None = None,
    progress: Progress | None = None,
    interrupted: Callable[[], bool] | None = None,
    **options: object,
) -> SparseVector:
    """
    Find the sparsest vector of a subspace.

    Parameters
    ----------
    columns : array_like, shape (p, m), or Subspace
        Columns that span the subspace: any basis, dependent columns allowed. See `Subspace` for null spaces, row
        spans, low-rank parts and files.
    method : str or Method
        ``"auto"``, ``"paper"``, … (see `methods`).
    seed : int or None
        One seed, one answer.
    deadline : float or None
        Seconds after which the best vector so far is returned.
    progress : callable, optional
        Called with the share done and a word on what is being done.
    interrupted : callable, optional
        When it returns true the best vector so far is returned.
    **options
        Fields of the method.

    Returns
    -------
    SparseVector
        With its certificate; ``status`` says why the run ended.

    Examples
    --------
    >>> import sparsespan as ss
    >>> hidden = ss.models.planted(300, 20, 60, "gaussian", seed=1)
    >>> found = ss.sparsest(hidden.columns)
    >>> found.certified, found.support.size
    (True, 60)
    """
    watch = Watch(deadline, progress, interrupted)
    chosen = as_method(method, options)
    subspace = Subspace.of(columns)
    shelf = Shelf(subspace)
    for vertex in chosen.search(Problem(subspace, generator(seed), watch, shelf)):
        shelf.add(vertex)
        if watch.expired:
            break
    best = shelf.best
    if best is None:
        msg = (
            f"method {chosen.name!r} must reach at least one point; got none in {watch.seconds:.3g} s. "
            "Raise `deadline`."
        )
        raise NotConverged(msg)
    certificate = certify(subspace, best)
    sign = -1.0 if best.vector[np.argmax(np.abs(best.vector))] < 0 else 1.0
    return SparseVector(
        vector=sign * best.vector,
        point=sign * best.point,
        certificate=certificate,
        status=_status(subspace, best, certificate, watch),
        runs=shelf.runs(),
        method=repr(chosen),
        rank=str(subspace.rank),
        seconds=watch.seconds,
    )


def _status(subspace: Subspace, best: Vertex, certificate: Certificate, watch: Watch) -> Status:
    if certificate.forced:
        return Status.FORCED
    if certificate.holds:
        return Status.FOUND
    if watch.stopped:
        return Status.INTERRUPTED
    if watch.late:
        return Status.DEADLINE
    return Status.GENERIC if best.zeros >= subspace.dim - 1 else Status.INEXACT
