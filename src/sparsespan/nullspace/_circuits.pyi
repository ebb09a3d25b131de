from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

_Parts: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any]]

# A parameter that is an int takes uint64 values, modulo that prime; a float takes float64 values.
def eliminate(
    parameter: float,
    starts: NDArray[np.int64],
    at: NDArray[np.int32],
    value: NDArray[Any],
    rows: int,
    order: NDArray[np.int32],
    circuits: bool,
) -> tuple[NDArray[np.int32], NDArray[np.int32], _Parts]: ...
def nullities(
    parameter: float,
    starts: NDArray[np.int64],
    at: NDArray[np.int32],
    value: NDArray[Any],
    rows: int,
    set_starts: NDArray[np.int64],
    sets: NDArray[np.int32],
) -> NDArray[np.int32]: ...
def windows(
    parameter: float,
    starts: NDArray[np.int64],
    at: NDArray[np.int32],
    value: NDArray[Any],
    rows: int,
    weight: NDArray[np.int64],
    roots: NDArray[np.int32],
    width: int,
    heaviest: int,
    stop: Callable[[], bool],
) -> _Parts: ...
def lightest(
    parameter: float,
    starts: NDArray[np.int64],
    at: NDArray[np.int32],
    value: NDArray[Any],
    rows: int,
    weight: NDArray[np.int64],
    free: NDArray[np.int32],
    budget: int,
    stop: Callable[[], bool],
) -> tuple[_Parts, int]: ...
def exchange(
    parameter: float,
    starts: NDArray[np.int64],
    at: NDArray[np.int32],
    value: NDArray[Any],
    weight: NDArray[np.int64],
    budget: int,
    stop: Callable[[], bool],
) -> _Parts: ...
