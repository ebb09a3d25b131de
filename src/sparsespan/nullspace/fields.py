"""The two fields in which null vectors are computed: residues modulo a prime, and reals with a tolerance.

Zero is decided here and nowhere else. Modulo a prime below 2**31 a nonzero rational vanishes with probability about
5e-10, and what is found is verified afterwards; over the reals a sum counts as zero when it cancels to ``tol`` of its
larger term.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

__all__ = ["PRIMES", "Field", "Prime", "Real"]

# The largest primes below 2**31. The first decides; the others serve where integers have to be put together again.
PRIMES = (2147483629, 2147483587, 2147483579, 2147483563, 2147483549, 2147483543, 2147483497, 2147483489)


@dataclass(frozen=True)
class Prime:
    """The integers modulo ``parameter``, a prime below 2**31."""

    parameter: int = PRIMES[0]
    dtype: ClassVar[type[Any]] = np.uint64
    zero: ClassVar[int] = 0
    one: ClassVar[int] = 1

    def multiply(self, a: int, b: int) -> int:
        """Return a·b."""
        return a * b % self.parameter

    def negate(self, a: int) -> int:
        """Return −a."""
        return -a % self.parameter

    def combine(self, a: int, t: int, b: int) -> int:
        """Return a + t·b."""
        return (a + t * b) % self.parameter

    def invert(self, a: int) -> int:
        """Return 1/a."""
        return pow(a, -1, self.parameter)

    def size(self, a: int) -> float:
        """Return 0 or 1: residues have no magnitude."""
        return 1.0 if a else 0.0

    def same(self, a: int, b: int) -> bool:
        """Say whether two ratios are one number."""
        return a == b

    def floor(self, _scale: float, /) -> float:
        """Return the size up to which a number counts as zero beside any other."""
        return 0.5

    def stable(self, _size: float, _largest: float, /) -> bool:
        """Say whether a number may serve as a pivot beside the largest one."""
        return True


@dataclass(frozen=True)
class Real:
    """Floating-point numbers, where ``parameter`` is the relative size of what counts as zero."""

    parameter: float = 1e-10
    dtype: ClassVar[type[Any]] = np.float64
    zero: ClassVar[float] = 0.0
    one: ClassVar[float] = 1.0

    def multiply(self, a: float, b: float) -> float:
        """Return a·b."""
        return a * b

    def negate(self, a: float) -> float:
        """Return −a."""
        return -a

    def combine(self, a: float, t: float, b: float) -> float:
        """Return a + t·b, or zero where that cancels."""
        c = t * b
        s = a + c
        return 0.0 if abs(s) <= self.parameter * max(abs(a), abs(c)) else s

    def invert(self, a: float) -> float:
        """Return 1/a."""
        return 1.0 / a

    def size(self, a: float) -> float:
        """Return |a|."""
        return abs(a)

    def same(self, a: float, b: float) -> bool:
        """Say whether two ratios are one number."""
        return abs(a - b) <= self.parameter * max(abs(a), abs(b))

    def floor(self, scale: float, /) -> float:
        """Return the size up to which a number counts as zero beside others of size ``scale``."""
        return self.parameter * scale

    def stable(self, size: float, largest: float, /) -> bool:
        """Say whether a number may serve as a pivot beside the largest one."""
        return size >= 0.1 * largest


Field = Prime | Real
