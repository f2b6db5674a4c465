"""The recursions of second moments in exact rationals, for cases of Q2, Q3 and Q5."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

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
    places = range(len(met))
    found = [[Fraction(x) for x in row] for row in met]
    for (h, left), (r, right) in product(enumerate(kernels), repeat=2):
        if moments[h][r]:
            through = [[sum((met[k][m] * right[m][j] for m in places), Fraction(0)) for j in places] for k in places]
            for i, j in product(places, repeat=2):
                found[i][j] += moments[h][r] * sum(left[k][i] * through[k][j] for k in places)
    return found


def sizes_of(values: Row) -> list[Fraction]:
    """The values without their signs."""
    return [abs(Fraction(x)) for x in values]
