"""The recursions of second moments in exact rationals, for cases of Q2, Q3 and Q5."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from flint import fmpq, fmpq_mat

__all__ = ["Matrix", "Row", "attended", "diagonal", "gated", "sizes_of", "start"]

Row = Sequence[Fraction | int]
Matrix = Sequence[Row]


def start(size: int) -> list[list[Fraction]]:
    """e_n e_n^T."""
    return [[Fraction(i == j == size - 1) for j in range(size)] for i in range(size)]


def diagonal(moments: Row) -> list[list[Fraction]]:
    """The moments of maps that are not correlated.

    >>> diagonal([2, 3]) == [[2, 0], [0, 3]]
    True
    """
    return [[Fraction(x) if h == r else Fraction(0) for r in range(len(moments))] for h, x in enumerate(moments)]


def gated(met: Matrix, factors: Matrix) -> list[list[Fraction]]:
    """What an MLP leaves of second moments, entry by entry."""
    return [[Fraction(x) * f for x, f in zip(*rows, strict=True)] for rows in zip(met, factors, strict=True)]


def attended(met: Matrix, kernels: Sequence[Matrix], moments: Matrix) -> list[list[Fraction]]:
    """G + sum_{h,r} C(h, r) A_h^T G A_r.

    >>> attended(start(2), [((1, 0), (1, 2))], [[3]]) == [[3, 6], [6, 13]]
    True
    """
    found = reached = _exact(met)
    exact = [_exact(rows) for rows in kernels]
    for (h, left), (r, right) in product(enumerate(exact), repeat=2):
        if moments[h][r]:
            found += left.transpose() * reached * right * _number(moments[h][r])
    return [[Fraction(int(x.p), int(x.q)) for x in row] for row in found.tolist()]


def _number(x: Fraction | int) -> fmpq:
    return fmpq(x.numerator, x.denominator)


def _exact(rows: Matrix) -> fmpq_mat:
    """The same in rationals that are fast."""
    return fmpq_mat([[_number(x) for x in row] for row in rows])


def sizes_of(values: Row) -> list[Fraction]:
    """The values without their signs."""
    return [abs(Fraction(x)) for x in values]
