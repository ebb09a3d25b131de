"""Robust PCA as a scikit-learn transformer."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ..errors import InvalidInput, MissingExtra
from ..subspace.robust import robust_pca

if TYPE_CHECKING:
    from ..arrays import FloatArray

try:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.utils.validation import check_is_fitted, check_random_state, validate_data
except ImportError as error:
    msg = '`RobustPCA` needs scikit-learn, which is not installed. Get it: pip install "sparsespan[learn]".'
    raise MissingExtra(msg) from error

__all__ = ["RobustPCA"]


class RobustPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]  # sklearn has no types
    """Principal components of data (n_samples×n_features) of which some entries are grossly wrong.

    Splits X into a low-rank and a sparse matrix, ‖L‖_* + weight·‖S‖₁ least subject to L + S = X, and keeps
    the leading right singular vectors of L. X is not centred: subtract a mean yourself if you want one.

    Parameters
    ----------
    n_components : components kept; None keeps the rank found. Fewer are kept where the rank is smaller
    weight : positive weight of the sparse part; None is 1/√max(n_samples, n_features)
    tol : where to stop, as ‖X − L − S‖_F / ‖X‖_F
    max_iter : most steps; reaching it gives a ConvergenceWarning
    growth : at least 1, factor of the penalty from step to step; nearer to 1 is slower and more exact
    random_state : seeds the random directions that large matrices of low rank start from

    Attributes
    ----------
    components_ : (n_components_, n_features) orthonormal rows
    singular_values_ : (n_components_,) of the low-rank part, falling
    low_rank_, sparse_ : (n_samples, n_features) the two parts of the training data
    n_components_, rank_ : components kept; rank of the low-rank part
    n_iter_, residual_, weight_ : steps taken, the last residual, the weight used
    n_features_in_, feature_names_in_ : as everywhere in scikit-learn

    Examples
    --------
    >>> import numpy as np
    >>> from sparsespan.estimators.robust_pca import RobustPCA
    >>> X = np.outer(np.arange(1.0, 41.0), np.ones(30))
    >>> X[3, 5] = 1000
    >>> model = RobustPCA().fit(X)
    >>> model.rank_, int(np.argmax(abs(model.sparse_)))
    (1, 95)
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        weight: float | None = None,
        tol: float = 1e-7,
        max_iter: int = 1000,
        growth: float = 1.5,
        random_state: Any = 0,
    ) -> None:
        self.n_components = n_components
        self.weight = weight
        self.tol = tol
        self.max_iter = max_iter
        self.growth = growth
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Split `X` (n_samples, n_features) and keep the leading components; `y` is ignored."""
        data = validate_data(self, X, dtype=np.float64)
        wanted = self._checked_components()
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        split = robust_pca(data, self.weight, self.tol, self.max_iter, self.growth, seed)
        if not split.converged:
            warnings.warn(split.status, ConvergenceWarning, stacklevel=2)
        kept = split.rank if wanted is None else min(wanted, split.rank)
        self.components_, self.singular_values_ = split.Vt[:kept], split.s[:kept]
        self.low_rank_, self.sparse_ = split.low_rank, split.sparse
        self.n_components_, self.rank_, self.n_iter_ = kept, split.rank, split.iterations
        self.residual_, self.weight_ = split.residual, split.weight
        return self

    def transform(self, X: Any) -> FloatArray:
        """Coordinates of the rows of `X` (n_samples, n_features) along the components."""
        check_is_fitted(self)
        coordinates: FloatArray = validate_data(self, X, dtype=np.float64, reset=False) @ self.components_.T
        return coordinates

    def inverse_transform(self, X: Any) -> FloatArray:
        """Rows (n_samples, n_features) that have the coordinates `X` (n_samples, n_components_)."""
        check_is_fitted(self)
        rows: FloatArray = np.asarray(X, dtype=np.float64) @ self.components_
        return rows

    def _checked_components(self) -> int | None:
        wanted: object = self.n_components
        if wanted is None:
            return None
        if isinstance(wanted, (int, np.integer)) and wanted > 0:
            return int(wanted)
        msg = f"`n_components` must be a positive whole number or None; got {wanted!r}."
        raise InvalidInput(msg)

    @property
    def _n_features_out(self) -> int:
        return int(self.n_components_)
