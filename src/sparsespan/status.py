"""Why a run ended, in words, and what to do about it."""

from __future__ import annotations

from enum import Enum

__all__ = ["Status"]


class Status(Enum):
    """Why a run ended; ``meaning`` says it in words, ``advice`` what to do about it."""

    FOUND = "found"
    WHOLE = "whole"
    NOISY = "noisy"
    FORCED = "forced"
    UNCLEAR = "unclear"
    GENERIC = "generic"
    INEXACT = "inexact"
    DEADLINE = "deadline"
    INTERRUPTED = "interrupted"
    EXHAUSTED = "exhausted"

    @property
    def meaning(self) -> str:
        """One sentence."""
        return _MEANINGS[self][0]

    @property
    def advice(self) -> str:
        """What to do next; empty where there is nothing to do."""
        return _MEANINGS[self][1]


_MEANINGS = {
    Status.FOUND: ("a vector with more zeros than any generic subspace allows was found and certified", ""),
    Status.WHOLE: (
        "a vector of which every entry is a small whole multiple of one number was found and certified",
        "It has no more zeros than every subspace of this dimension allows: other vectors may have as many.",
    ),
    Status.NOISY: (
        "the best vector is sparse up to noise: many entries are small, but no more than n - 1 vanish",
        "`estimate` holds the vector without what noise explains, its support and the noise level.",
    ),
    Status.UNCLEAR: (
        "the best vector has more small entries than chance allows, but no gap between those that are zero and those "
        "that are not",
        "Which entries vanish is open at this precision. Pass columns that are less rounded or better conditioned, and "
        "look at the sorted magnitudes of the vector.",
    ),
    Status.FORCED: ("the dimension leaves no choice: this is the sparsest vector", ""),
    Status.GENERIC: (
        "every start was followed; the best vector has no more zeros than every subspace of this dimension allows, or "
        "than accidents of coarse data explain",
        "Nothing here says that the subspace hides a sparse vector. Try other starts or another method, and see "
        "whether the value is significant; with noisy data, look at the sorted magnitudes of the vector.",
    ),
    Status.INEXACT: (
        "the best point found has fewer exact zeros than a vertex must have",
        "The basis may be badly conditioned or the iteration cut short. Check `subspace.rank`, raise `max_iter`.",
    ),
    Status.DEADLINE: (
        "the deadline passed; this is the best so far",
        "Raise `deadline`, or take fewer starts.",
    ),
    Status.EXHAUSTED: (
        "the best vector of what is left of the subspace is not significant: chance would do as well",
        "To see it nevertheless, search without `significant`, or raise it.",
    ),
    Status.INTERRUPTED: ("the run was interrupted; this is the best so far", "Run it again to the end."),
}
