"""numeric.within_bound: signs and intervals against every corner of the bounds, in rationals."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numeric.within_bound import mean_position_within, sign_within, wasserstein_within

F = Fraction
MASSES = st.lists(st.floats(0.125, 1), min_size=3, max_size=3)
BOUNDS = st.lists(st.sampled_from([0.0, 1e-17, 1e-3, 0.0625]), min_size=3, max_size=3)


def corners(p: list[float], bound: list[float]) -> list[tuple[Fraction, ...]]:
    return list(product(*((F(x) - F(b), F(x) + F(b)) for x, b in zip(p, bound, strict=True))))


def mean(x: tuple[Fraction, ...]) -> Fraction:
    return sum((j * y for j, y in enumerate(x)), F(0)) / sum(x)


def distance(x: tuple[Fraction, ...], q: list[float]) -> Fraction:
    y = [F(z) for z in q]
    return sum((abs(sum(x[k:], F(0)) / sum(x) - sum(y[k:], F(0)) / sum(y)) for k in range(1, len(y))), F(0))


@given(MASSES, BOUNDS, MASSES)
def test_intervals_hold_whatever_lies_within_the_bounds(p: list[float], bound: list[float], q: list[float]) -> None:
    a, b = np.array(p), np.array(bound)
    middle, far = mean_position_within(a, b), wasserstein_within(a, b, np.array(q))
    near = wasserstein_within(a, b, np.array(q), relative=True)
    for x in corners(p, bound):
        assert F(middle.lo) <= mean(x) <= F(middle.hi)
        assert F(far.lo) <= distance(x, q) <= F(far.hi)
        assert F(near.lo) <= distance(x, q) / 2 <= F(near.hi)
    if max(bound) < 1e-10:  # and they are narrow
        assert max(middle.hi - middle.lo, far.hi - far.lo) < 1e-14


@given(MASSES, BOUNDS)
def test_a_sign_is_told_exactly_where_the_bounds_tell_it(p: list[float], bound: list[float]) -> None:
    sign = sign_within(np.array(p), np.array(bound))
    for i, j in product(range(3), repeat=2):
        largest = [max(F(b) for x, b in zip(p, bound, strict=True) if x == y) for y in (p[i], p[j])]
        gap = F(p[i]) - F(p[j])
        if sign(p[i], p[j]) is None:
            assert abs(gap) <= sum(largest) * (1 + F(1, 2**50)) and sum(largest) > 0
        else:
            assert sign(p[i], p[j]) == (gap > 0) - (gap < 0) and (abs(gap) > sum(largest) or sum(largest) == 0)


@pytest.mark.parametrize(("gap", "answer"), [(3.0, None), (3.0 + 2.0**-50, 1)])
def test_a_difference_equal_to_the_bounds_decides_nothing(gap: float, answer: Any) -> None:
    sign = sign_within(np.array([gap, 0.0]), np.array([1.0, 2.0]))
    assert sign(gap, 0.0) == answer and sign(0.0, gap) == (None if answer is None else -1)
