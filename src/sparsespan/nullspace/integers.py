"""From residues back to integers: rational reconstruction, by one prime or by several put together.

A null vector with one-dimensional support (a circuit) is known up to a factor, so its entries divided by the first one
are rationals n/d. Modulo a prime P they are found by Euclid's algorithm while |n|, d ≤ √(P/2); several primes multiply
their range. Nothing here is trusted: every vector is verified against the integer matrix afterwards.
"""

from __future__ import annotations

from math import gcd, isqrt, lcm

import numpy as np
from numpy.typing import NDArray

from .engine import loops
from .family import Family
from .fields import PRIMES, Prime

__all__ = ["many_primes", "one_prime", "vanishes"]


def one_prime(vectors: Family, field: Prime) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """
    Return the entries of each vector as coprime integers, and which vectors could be so read.

    Parameters
    ----------
    vectors : Family
        Residues modulo the prime of ``field``; no vector is empty.
    """
    owner = vectors.owner
    first = _inverses(vectors.value[vectors.starts[:-1]], field.parameter)
    ratio = (vectors.value * first[owner] % np.uint64(field.parameter)).astype(np.int64)
    top, bottom = _euclid(ratio, field.parameter)
    common = _common(bottom, vectors.starts)
    good = (common > 0) & (np.minimum.reduceat(np.abs(top), vectors.starts[:-1]) > 0)
    entries = top * (np.maximum(common, 1)[owner] // np.maximum(bottom, 1))
    entries = entries // np.maximum(np.gcd.reduceat(entries, vectors.starts[:-1]), 1)[owner]
    return entries, good


def _inverses(value: NDArray[np.uint64], prime: int) -> NDArray[np.uint64]:
    """a^(prime−2) by repeated squaring."""
    out, base, exponent, modulus = np.ones_like(value), value.copy(), prime - 2, np.uint64(prime)
    while exponent:
        if exponent & 1:
            out = out * base % modulus
        base = base * base % modulus
        exponent >>= 1
    return out


def _euclid(ratio: NDArray[np.int64], prime: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Numerators and positive denominators of the residues, both at most √(prime/2); 0/0 where there are none."""
    bound = isqrt(prime // 2)
    r0, r1 = np.full_like(ratio, prime), ratio.copy()
    t0, t1 = np.zeros_like(ratio), np.ones_like(ratio)
    while (going := r1 > bound).any():
        quotient = np.where(going, r0 // np.maximum(r1, 1), 0)
        r0, r1 = np.where(going, r1, r0), np.where(going, r0 - quotient * r1, r1)
        t0, t1 = np.where(going, t1, t0), np.where(going, t0 - quotient * t1, t1)
    small = np.abs(t1) <= bound
    return np.where(small, np.sign(t1) * r1, 0), np.where(small, np.abs(t1), 0)


def _common(bottom: NDArray[np.int64], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Common denominator of each vector, 0 where one is missing or it grows too large."""
    begin, end = starts[:-1].tolist(), starts[1:].tolist()
    flat = bottom.tolist()
    plain = np.maximum.reduceat(bottom, starts[:-1]) == 1
    out = np.minimum.reduceat(bottom, starts[:-1])  # 0 spoils a vector, 1 is right for the plain ones
    for k in np.flatnonzero((out > 0) & ~plain).tolist():
        common = lcm(*flat[begin[k] : end[k]])
        out[k] = common if common < 2**31 else 0
    return out


def many_primes(columns: list[dict[int, int]], primes: int) -> list[int] | None:
    """
    Return the null vector of columns that form a circuit as coprime integers, or None if ``primes`` do not suffice.

    Parameters
    ----------
    columns : list of dict
        {row: integer} for each column, rows numbered from 0.
    """
    rows = 1 + max(r for c in columns for r in c)
    modulus, combined = 1, [0] * len(columns)
    for prime in PRIMES[:primes]:
        residues = _ratios(columns, rows, prime)
        if residues is None:
            continue
        lift = pow(modulus, -1, prime)
        combined = [c + modulus * ((r - c) * lift % prime) for c, r in zip(combined, residues, strict=True)]
        modulus *= prime
        found = _rationals(combined, modulus)
        if found is not None and vanishes(columns, found):
            return found
    return None


def _ratios(columns: list[dict[int, int]], rows: int, prime: int) -> list[int] | None:
    """The null vector modulo a prime, first entry 1; None if the prime is a bad one."""
    residues = Family.of(({r: v % prime for r, v in c.items() if v % prime} for c in columns), np.uint64)
    _, _, circuits = loops.eliminate(Prime(prime), residues, rows, np.arange(len(columns)))
    if len(circuits) != 1 or circuits.at.size != len(columns):
        return None
    values: list[int] = circuits.value.tolist()
    inverse = pow(values[0], -1, prime)
    return [v * inverse % prime for v in values]


def _rationals(residues: list[int], modulus: int) -> list[int] | None:
    bound = isqrt(modulus // 2)
    common, tops, bottoms = 1, [], []
    for residue in residues:
        r0, r1, t0, t1 = modulus, residue, 0, 1
        while r1 > bound:
            quotient = r0 // r1
            r0, r1, t0, t1 = r1, r0 - quotient * r1, t1, t0 - quotient * t1
        if abs(t1) > bound or r1 == 0:
            return None
        tops.append(r1 if t1 > 0 else -r1)
        bottoms.append(abs(t1))
        common = lcm(common, abs(t1))
    entries = [n * (common // d) for n, d in zip(tops, bottoms, strict=True)]
    divisor = gcd(*entries)
    return [e // divisor for e in entries]


def vanishes(columns: list[dict[int, int]], entries: list[int]) -> bool:
    """Whether the integer combination of the columns {row: integer} is zero."""
    sums: dict[int, int] = {}
    for column, entry in zip(columns, entries, strict=True):
        for r, v in column.items():
            sums[r] = sums.get(r, 0) + v * entry
    return not any(sums.values())
