"""The recursions of second moments in exact rationals, for cases of Q2, Q3 and Q5."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from flint import fmpq, fmpq_mat
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["Matrix", "Row", "after_attention", "after_mlp", "few_sizes", "first_moments", "sizes_of", "uncorrelated"]

Row = Sequence[Fraction | int]
Matrix = Sequence[Row]


def few_sizes() -> SearchStrategy[tuple[int, int, int]]:
    """n, T and H: small ones, since a step takes n^4 H^2 products."""
    small = ((1, 1, 1), (2, 1, 2), (2, 2, 1), (2, 3, 1), (3, 2, 1))
    return st.sampled_from(((4, 2, 1), *small, *((4, 2, 1),) * 5, (4, 2, 2), (4, 2, 2)))


def numbers(count: int) -> SearchStrategy[tuple[Fraction, ...]]:
    """Small rationals of either sign, in one draw however many."""

    def rationals(drawn: bytes) -> tuple[Fraction, ...]:
        return tuple(_CHOICES[drawn[0] % 3][x % 13] for x in drawn[1:])

    return st.binary(min_size=count + 1, max_size=count + 1).map(rationals)


# 0, 1, -1, 2, ..., -6 over 1, 2 or 3
_CHOICES = [[Fraction((x + 1) // 2 * (1 if x % 2 else -1), d) for x in range(13)] for d in (1, 2, 3)]


def first_moments(size: int) -> list[list[Fraction]]:
    """e_n e_n^T."""
    return [[Fraction(i == j == size - 1) for j in range(size)] for i in range(size)]


def uncorrelated(moments: Row) -> list[list[Fraction]]:
    """The moments of maps that are not correlated.

    >>> uncorrelated([2, 3]) == [[2, 0], [0, 3]]
    True
    """
    return [[Fraction(x) if h == r else Fraction(0) for r in range(len(moments))] for h, x in enumerate(moments)]


def after_mlp(met: Matrix, factors: Matrix) -> list[list[Fraction]]:
    """What an MLP leaves of second moments, entry by entry."""
    return [[Fraction(x) * f for x, f in zip(*rows, strict=True)] for rows in zip(met, factors, strict=True)]


def after_attention(met: Matrix, kernels: Sequence[Matrix], moments: Matrix) -> list[list[Fraction]]:
    """G + sum_{h,r} C(h, r) A_h^T G A_r.

    >>> after_attention(first_moments(2), [((1, 0), (1, 2))], [[3]]) == [[3, 6], [6, 13]]
    True
    """
    found = reached = exact_matrix(met)
    for (h, left), (r, right) in product(enumerate(map(exact_matrix, kernels)), repeat=2):
        if moments[h][r]:
            found = found + left.transpose() * reached * right * exact_number(moments[h][r])
    return fractions_of(found)


def fractions_of(matrix: fmpq_mat) -> list[list[Fraction]]:
    """The entries, as a case holds them."""
    return [[Fraction(int(x.p), int(x.q)) for x in row] for row in matrix.tolist()]


def exact_number(x: Fraction | int) -> fmpq:
    """The same, as a rational that is fast."""
    return fmpq(x.numerator, x.denominator)


def exact_matrix(rows: Matrix) -> fmpq_mat:
    """The same in rationals that are fast; one row and column at least."""
    return fmpq_mat([[exact_number(x) for x in row] for row in rows])


def sizes_of(values: Row) -> list[Fraction]:
    """The values without their signs."""
    return [abs(Fraction(x)) for x in values]
