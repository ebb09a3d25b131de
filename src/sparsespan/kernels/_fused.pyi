import numpy as np
from numpy.typing import NDArray

from .sums import FloatArray

def isas() -> tuple[str, ...]: ...
def add_shrunk(
    isa: int,
    rows: FloatArray,
    points: FloatArray,
    level: float,
    adjoint: FloatArray,
    mass: NDArray[np.float64],
    active: NDArray[np.int64],
    /,
) -> None: ...
def add_attracted(
    isa: int,
    rows: FloatArray,
    points: FloatArray,
    level: float,
    adjoint: FloatArray,
    mass: NDArray[np.float64],
    active: NDArray[np.int64],
    /,
) -> None: ...
