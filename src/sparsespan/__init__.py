"""sparsespan: the sparse vectors hidden in a linear subspace, exactly and with a certificate.

Every public name is loaded on first use, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

# Public name -> the module that holds it (None: the name is itself a module).
_HOMES: dict[str, str | None] = {
    "InvalidInput": "errors",
    "MissingExtra": "errors",
    "NotConverged": "errors",
    "RoundingFailed": "errors",
    "SparsespanError": "errors",
    "Certificate": "result",
    "Run": "result",
    "SparseBasis": "result",
    "SparseVector": "result",
    "Status": "result",
    "load": "result",
    "Rank": "subspace",
    "Subspace": "subspace",
    "Vertex": "rounding",
    "round_to_vertex": "rounding",
    "in_basin": "certificates",
    "Significance": "evidence",
    "significance": "chance",
    "SparsityBound": "bounds",
    "sparsity_lower_bound": "bounds",
    "Method": "methods",
    "methods": None,
    "NullSpaceReport": "nullspace",
    "null_space": "nullspace",
    "sparsify": "nullspace",
    "sparse_basis": "basis",
    "sparsest": "search",
    "RobustPCA": "estimators.robust_pca",
    "RobustPCAResult": "subspace.robust",
    "robust_pca": "subspace.robust",
    "models": None,
    "starts": None,
    "theory": None,
}

# An estimator needs scikit-learn, an extra: it is there by name, but a star import does without it.
__all__ = ["__version__", *sorted(name for name, home in _HOMES.items() if not str(home).startswith("estimators"))]

if TYPE_CHECKING:
    from . import methods, models, starts, theory
    from .basis import sparse_basis
    from .bounds import SparsityBound, sparsity_lower_bound
    from .certificates import in_basin
    from .chance import significance
    from .errors import InvalidInput, MissingExtra, NotConverged, RoundingFailed, SparsespanError
    from .estimators.robust_pca import RobustPCA
    from .evidence import Significance
    from .methods import Method
    from .nullspace import NullSpaceReport, null_space, sparsify
    from .result import Certificate, Run, SparseBasis, SparseVector, Status, load
    from .rounding import Vertex, round_to_vertex
    from .search import sparsest
    from .subspace import Rank, Subspace
    from .subspace.robust import RobustPCAResult, robust_pca


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        msg = f"module 'sparsespan' has no attribute {name!r}"
        raise AttributeError(msg)
    home = _HOMES[name]
    if home is None:
        return import_module(f".{name}", __name__)
    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *_HOMES})
