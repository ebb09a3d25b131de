"""The page for sparse directions of a folder of pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .blocks import Card, Cards, Mark, Picture, Pictures, Prose, Section
from .numbers import counted, number, seconds
from .page import Footer, Page
from .portraits import portrait, portraits, ratios
from .table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..result import SparseBasis, SparseVector
    from .blocks import Block, Cell

__all__ = ["faces_page"]

_COLUMNS = ("vector", "ℓ¹/ℓ²", "ℓ⁴/ℓ²", "exact zeros", "of dimension", "strict local minimum", "certificate")


def faces_page(
    basis: SparseBasis,
    shape: tuple[int, int],
    *,
    title: str,
    told: Mapping[str, str],
    inputs: Sequence[Sequence[Picture]] = (),
    command: str = "",
) -> Page:
    """Lay out the page: key figures, the directions as pictures, what is proved of each, what went in.

    Parameters
    ----------
    basis : what `sparse_basis` returned, perhaps empty.
    shape : (H, W) of the pictures, whose pixels the entries are, row by row.
    told : how the subspace came about, by name, in the order to show it.
    inputs : some of the pictures that went in, one row of them for each kind.
    command : what repeats the search.
    """
    blocks: list[Block] = [_cards(basis), *([_directions(basis, shape)] if len(basis) else []), _proved(basis)]
    blocks += [Section("What went in", [Pictures(row) for row in inputs])] if inputs else []
    blocks += [_parameters(basis, told)]
    return Page(title, _lead(basis), blocks, Footer(command))


def _lead(basis: SparseBasis) -> str:
    if not len(basis):
        return "No direction of these pictures is sparse beyond chance."
    found = f"{counted(len(basis), 'direction')} of the subspace that the pictures span, "
    return found + "each with few bright pixels: zero is black."


def _cards(basis: SparseBasis) -> Cards:
    minima = sum(item.certificate.locally_optimal for item in basis)
    return Cards(
        [
            Card("directions", f"{len(basis)} of {basis.asked}", f"{basis.kind}"),
            Card("sum of ℓ¹/ℓ²", number(basis.l1, 5), "small is sparse"),
            Card("strict local minima", f"{minima} of {len(basis)}", "proved of the ℓ¹ norm"),
            Card("time", seconds(basis.seconds), "without the reading"),
        ]
    )


def _directions(basis: SparseBasis, shape: tuple[int, int]) -> Section:
    both = [ratios(item.vector) for item in basis]
    pixels = [portrait(item.vector.reshape(shape)) for item in basis]
    return Section("Sparse directions", [portraits(pixels, [one for one, _ in both], [four for _, four in both])])


def _proved(basis: SparseBasis) -> Section:
    told = f"The run ended so: {basis.status.meaning}."
    told += f"\n\n{basis.status.advice}" if basis.status.advice else ""
    rows = [_row(index, item) for index, item in enumerate(basis, 1)]
    return Section("What is proved", [Prose(told), *([Table(_COLUMNS, rows, align="lrrrrll")] if rows else [])])


def _row(index: int, item: SparseVector) -> list[Cell]:
    proof = item.certificate
    l1, l4 = ratios(item.vector)
    minimum = Mark(f"κ = {number(proof.kappa)}", "good") if proof.locally_optimal else Mark("not proved")
    holds = Mark("holds", "good") if item.certified else Mark("does not hold")
    return [f"vector {index}", number(l1, 5), number(l4, 4), proof.zeros, proof.dim, minimum, holds]


def _parameters(basis: SparseBasis, told: Mapping[str, str]) -> Section:
    method = {"method": basis[0].method} if len(basis) else {}
    return Section("Parameters", [Table(("parameter", "value"), [*told.items(), *method.items()], align="ll")])
