"""The compiled kernels, where this installation has them: one for each instruction set that runs here."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache, partial
from typing import Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .sums import FloatArray

__all__ = ["AddRows", "Function", "fused_kernels", "why_not_fused"]

Function: TypeAlias = Literal["shrink", "attract"]


class AddRows(Protocol):
    """Adds the sums of one pass over checked arguments to `adjoint` (n, R), `mass` and `active` (R,)."""

    def __call__(
        self,
        rows: FloatArray,
        points: FloatArray,
        level: float,
        adjoint: FloatArray,
        mass: NDArray[np.float64],
        active: NDArray[np.int64],
        /,
    ) -> None:
        """Add; the three arrays are float64, float64 and int64, and each line of them is contiguous."""


@cache
def _load() -> tuple[dict[Function, dict[str, AddRows]], str]:
    """Import the extension once; the reason why it is missing goes to the log once, never to the user's output."""
    try:
        from ._fused import add_attracted, add_shrunk, isas
    except ModuleNotFoundError:
        reason = "this installation holds no compiled kernel; install it again with a C++ compiler (GCC or Clang)"
    except ImportError as error:
        reason = f"the compiled kernel cannot be loaded ({error}); install the package again"
    else:
        each: dict[Function, Callable[..., None]] = {"shrink": add_shrunk, "attract": add_attracted}
        return {
            function: {name: partial(add, number) for number, name in enumerate(isas())}
            for function, add in each.items()
        }, ""
    logging.getLogger(__name__).info("The batched step runs in NumPy: %s.", reason)
    return {"shrink": {}, "attract": {}}, reason


def fused_kernels(function: Function = "shrink") -> dict[str, AddRows]:
    """The kernels of a function by the name of their instruction set, best first; empty where nothing was compiled."""
    return _load()[0][function]


def why_not_fused() -> str:
    """Why there is no compiled kernel; empty where there is one."""
    return _load()[1]
