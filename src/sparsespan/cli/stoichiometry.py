"""Metabolic models, read by cobrapy: the stoichiometric matrix with its names and directions."""

from __future__ import annotations

import logging
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput
from ..extras import need

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["Model", "is_model", "read_model"]

_READERS = {".xml": "read_sbml_model", ".sbml": "read_sbml_model", ".json": "load_json_model"}


@dataclass(frozen=True)
class Model:
    """
    A metabolic model as a matrix.

    Attributes
    ----------
    matrix : csc_array, shape (metabolites, reactions)
        Stoichiometric coefficients.
    reactions : list of str
        Name of each column.
    signs : array of int8, shape (reactions,)
        1 where the flux cannot be negative, −1 where it cannot be positive, 0 elsewhere.
    """

    matrix: sparse.csc_array
    reactions: list[str]
    signs: NDArray[np.int8]


def is_model(path: Path) -> bool:
    """Whether the name is that of a model file: .xml, .sbml, .json, also compressed (.xml.gz)."""
    return _kind(path) in _READERS


def _kind(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    return suffixes[-2] if suffixes[-1:] in ([".gz"], [".bz2"]) and len(suffixes) > 1 else "".join(suffixes[-1:])


def read_model(path: Path, *, internal: bool, directions: bool) -> Model:
    """
    Read a model.

    Parameters
    ----------
    path : Path
        SBML (.xml, .sbml) or cobrapy's JSON.
    internal : bool
        Leave out exchange, demand and sink reactions.
    directions : bool
        Leave out reactions whose bounds are both zero: no sign says that they stand still.
    """
    cobra = need("cobra", "metabolic", "reading a metabolic model")
    if not path.is_file():
        raise FileNotFoundError(2, "No such file", str(path))
    level = logging.root.manager.disable
    logging.disable(logging.ERROR)  # cobrapy logs what it repairs
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = getattr(cobra.io, _READERS[_kind(path)])(str(path))
    except Exception as error:  # a model can be broken in more ways than its readers have exceptions
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        msg = f"{path} must be a readable metabolic model; got: {reason}"
        raise InvalidInput(msg) from error
    finally:
        logging.disable(level)
    blocked = {reaction for reaction in model.reactions if directions and reaction.bounds == (0, 0)}
    kept = [r for r in model.reactions if r not in blocked and not (internal and r.boundary)]
    return _as_matrix(model, kept)


def _as_matrix(model: Any, reactions: list[Any]) -> Model:
    from scipy import sparse

    row = {metabolite.id: i for i, metabolite in enumerate(model.metabolites)}
    entries = [
        (row[metabolite.id], j, float(coefficient))
        for j, reaction in enumerate(reactions)
        for metabolite, coefficient in reaction.metabolites.items()
    ]
    rows, columns, values = zip(*entries, strict=True) if entries else ((), (), ())
    shape = (len(row), len(reactions))
    matrix = sparse.csc_array(
        (np.array(values, dtype=float), (np.array(rows, int), np.array(columns, int))), shape=shape
    )
    signs = np.array(
        [int(r.lower_bound >= 0) - int(r.lower_bound < 0 and r.upper_bound <= 0) for r in reactions], np.int8
    )
    return Model(matrix, [reaction.id for reaction in reactions], signs)
