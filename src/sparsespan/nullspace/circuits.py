"""Is a null vector elementary, that is, does no other null vector live within its support? A rank decides."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .engine import loops
from .family import Family
from .fields import Field

__all__ = ["elementary", "within"]


def elementary(field: Field, columns: Family, rows: int, vectors: Family) -> NDArray[np.bool_]:
    """
    Say for each vector whether the columns of its support have nullity one, shape (count,).

    Parameters
    ----------
    field : Prime or Real
    columns : Family
        The columns of the matrix, over ``rows`` rows.
    vectors : Family
        Null vectors; only their supports are used.
    """
    return np.equal(loops.nullities(field, columns, rows, vectors), 1)


def within(field: Field, columns: Family, rows: int, vectors: Family) -> Family:
    """Return elementary null vectors that live within the supports of the given ones and span them."""
    found = [vectors.take([])]
    for start, end in zip(vectors.starts[:-1].tolist(), vectors.starts[1:].tolist(), strict=True):
        _, _, circuits = loops.eliminate(field, columns, rows, vectors.at[start:end])
        found.append(circuits)
    return Family.joined(found)
