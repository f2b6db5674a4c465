"""Bounds on the layers needed: how far a kernel reads, and what they add to what comparisons leave open."""

from __future__ import annotations

from fractions import Fraction

import pytest

from numeric.endless import endless
from numeric.first_token import Search
from numeric.guarantee import Guarantee, guarantees, narrowed
from numeric.shared_kernel import RationalKernel, SoftmaxKernel
from numeric.shared_window import WindowKernel

HALF = Fraction(1, 2)
TINY = Fraction(1, 10**400)  # no float


def enough(search: Search) -> Guarantee:
    return Guarantee("I7", "enough", 0.5, search)


def least(search: Search) -> Guarantee:
    return Guarantee("I8", "at least", 0.5, search)


OPEN = Search(None, "undecided", 3, 20)


@pytest.mark.parametrize(
    ("search", "bounds", "expected"),
    [
        (OPEN, [], OPEN),
        (OPEN, [enough(Search(9, "found", 8, 9))], Search(None, "undecided", 3, 9)),
        (OPEN, [least(Search(7, "found", 6, 7))], Search(None, "undecided", 6, 20)),
        (OPEN, [least(Search(9, "found", 8, 9)), enough(Search(9, "found", 8, 9))], Search(9, "found", 8, 9)),
        (OPEN, [enough(Search(None, "beyond", 50))], OPEN),
        (OPEN, [enough(Search(None, "undecided", 5, 11))], Search(None, "undecided", 3, 11)),
        (Search(None, "beyond", 3), [least(Search(None, "beyond", 8))], Search(None, "beyond", 8)),
        (Search(None, "undecided", 3), [enough(Search(4, "found", 3, 4))], Search(4, "found", 3, 4)),
        (Search(5, "found", 4, 5), [enough(Search(9, "found", 8, 9))], Search(5, "found", 4, 5)),
        (Search(None, "never", 10**15), [], Search(None, "never", 10**15)),
    ],
)
def test_what_is_left_open_lies_between_the_bounds(search: Search, bounds: list[Guarantee], expected: Search) -> None:
    assert narrowed(search, bounds) == expected


def test_a_weight_that_no_float_has_is_read_all_the_same() -> None:
    """A walk that is said to take two hops may arrive at the first: with the bound of a window nothing is proven."""
    rows: list[list[Fraction]] = [[Fraction(1)], [HALF, HALF], [TINY, HALF, HALF - TINY]]
    kernel = RationalKernel([[*row, *[Fraction(0)] * (3 - len(row))] for row in rows])
    for shared, bounds in ((kernel, 1), (SoftmaxKernel((700,), 3), 1), (WindowKernel(2, 0, 3), 2)):
        found = guarantees(endless(HALF), shared, Fraction(1, 100))
        assert sum(g.side == "at least" for g in found) == bounds
