"""Rational kernels that lie above a partial sum of an exponential series, for cases.

    u sum_{k <= m} x^k / k! A^k + rest,   u = 1 / sum_{k <= m + 1} x^k / k! >= exp(-x)

u > exp(-x) for x > 0, so that balls decide what is compared with exp(-x).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from flint import fmpq, fmpq_mat

__all__ = ["above_series", "flipped", "terms"]

Row = tuple[Fraction, ...]
Kernel = tuple[Row, ...]


def terms(x: Fraction, last: int) -> list[Fraction]:
    """x^k / k! for k = 0, ..., last."""
    found = [Fraction(1)]
    while len(found) <= last:
        found.append(found[-1] * x / len(found))
    return found


def above_series(x: Fraction, last: int, kernel: Kernel, rest: Kernel) -> Kernel:
    """A kernel above exp(-x) sum_{k <= last} x^k / k! A^k; what is left of each row is read as ``rest`` reads."""
    *weights, spare = _exact(terms(x, last + 1))
    n = len(kernel)
    step, power = _matrix(kernel), fmpq_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])
    found = _matrix(rest) * spare
    for weight in weights:
        found += power * weight
        power = step * power
    found /= sum(weights, spare)
    return tuple(tuple(Fraction(int(y.p), int(y.q)) for y in row) for row in found.tolist())


def _exact(values: Iterable[Fraction]) -> list[fmpq]:
    return [fmpq(v.numerator, v.denominator) for v in values]


def _matrix(rows: Kernel) -> fmpq_mat:
    return fmpq_mat(len(rows), len(rows), _exact(v for row in rows for v in map(Fraction, row)))


def flipped(kernel: Kernel) -> Kernel:
    """The kernel with the positions in reverse: what read the past reads the future."""
    return tuple(row[::-1] for row in kernel[::-1])
