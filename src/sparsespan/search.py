"""The front door: from columns to the sparsest vector of their span."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .arrays import FloatArray
from .certificates import certify
from .chance import Null
from .checks import generator
from .denoise import denoise, is_uneven
from .methods import Method, as_method, explore
from .result import Certificate, Run, SparseVector, Status
from .rounding import Vertex
from .subspace import Subspace
from .watch import Progress, Watch

__all__ = ["explore", "generator", "present", "sparsest"]


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
    shelf = explore(chosen, subspace, generator(seed), watch)
    return present(subspace, shelf.ranked()[0], shelf.runs(), chosen, watch, tried=tuple(shelf.tried))


def present(
    subspace: Subspace,
    vertex: Vertex,
    runs: tuple[Run, ...],
    method: Method,
    watch: Watch,
    frame: FloatArray | None = None,
    tried: tuple[str, ...] = (),
) -> SparseVector:
    """
    Make the result of a vertex: sign fixed, certificate worked out.

    What is not certified is looked at for a sparse vector behind noise.

    Where the subspace is the restriction of another one to the columns of ``frame`` (n×m), the certificate is about
    the restriction and the point is given in the coordinates of the other.
    """
    certificate = certify(subspace, vertex)
    sign = -1.0 if vertex.vector[np.argmax(np.abs(vertex.vector))] < 0 else 1.0
    explained = certificate.holds or is_uneven(subspace, vertex.vector)
    estimate = None if explained else denoise(subspace, sign * vertex.vector)
    if estimate is not None:
        certificate = replace(certificate, noise=estimate.residual)
    return SparseVector(
        vector=sign * vertex.vector + 0.0,  # no negative zeros
        point=sign * (vertex.point if frame is None else frame @ vertex.point),
        certificate=certificate,
        status=_status(subspace, vertex, certificate, watch),
        runs=runs,
        method=repr(method),
        rank=str(subspace.rank),
        seconds=watch.seconds,
        estimate=estimate,
        tried=tried,
        recipe=Null(method, subspace.size, subspace.dim),
    )


def _status(subspace: Subspace, best: Vertex, certificate: Certificate, watch: Watch) -> Status:
    if certificate.forced:
        return Status.FORCED
    if certificate.holds:
        return Status.FOUND if certificate.sparse else Status.WHOLE
    if watch.stopped:
        return Status.INTERRUPTED
    if watch.late:
        return Status.DEADLINE
    if certificate.sparse and certificate.unique:
        return Status.UNCLEAR
    if certificate.noise is not None:
        return Status.NOISY
    return Status.GENERIC if best.zeros >= subspace.dim - 1 else Status.INEXACT
