"""U7 at lengths that the drawn cases do not reach, and in continuous depth, which they pass over.

The exact profile of uniform layers, and exp(S (A - I)) in ball arithmetic, against what the statement says of them;
without the claim's own terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import prod

import pytest
from flint import arb, arb_mat, fmpq

from numeric.exact import ExactPrefix, exact_profile
from numeric.hops import poisson_binomial

MIXING = (Fraction(1, 3), Fraction(5, 6), Fraction(1, 2), Fraction(3, 4), Fraction(1, 5))
LENGTHS = (3, 7, 13, 29)


def profile(n: int, lam: Sequence[Fraction] = MIXING) -> list[Fraction]:
    """p_j, j = 1..n."""
    return [Fraction(p) for p in exact_profile([ExactPrefix((1,) * n)] * len(lam), lam, n=n)]


def h(m: int, lam: Sequence[Fraction] = MIXING) -> Fraction:
    """m prod_t (1 - lambda_t + lambda_t / m)."""
    return m * prod((1 - x + x / m for x in lam), start=Fraction(1))


def is_u(p: Sequence[Fraction]) -> bool:
    """Down to some valley, then up, both strictly somewhere."""
    steps = [b - a for a, b in pairwise(p)]
    rises = [k for k, step in enumerate(steps) if step > 0]
    return bool(rises) and min(steps) < 0 and all(step >= 0 for step in steps[rises[0] :])


@pytest.mark.parametrize("n", LENGTHS)
def test_the_envelope_is_completely_monotone(n: int) -> None:
    row = profile(n)
    row[-1] -= prod(1 - x for x in MIXING)
    while row:
        assert min(row) >= 0
        row = [a - b for a, b in pairwise(row)]


def test_with_its_spike_the_profile_is_convex_and_no_more() -> None:
    falls = [a - b for a, b in pairwise(profile(29))]
    assert min(a - b for a, b in pairwise(falls)) >= 0
    assert min(falls) < 0


def test_a_u_from_the_length_on_where_h_grows() -> None:
    shapes = [is_u(profile(n)) for n in range(3, 16)]
    assert shapes == [h(n) > h(n - 1) for n in range(3, 16)]
    assert shapes == sorted(shapes)
    assert shapes[0] != shapes[-1]


def test_enough_positions_suffice_and_the_sharper_sum_nearly_decides() -> None:
    first = next(m for m in range(1, 40) if h(m + 1) > h(m))
    assert sum(x / (1 - x) for x in MIXING) > first  # theory's condition asks for more positions than it takes
    sums = [sum(x / (x + m * (1 - x)) for x in MIXING) for m in (first - 1, first)]
    assert sums[0] >= 1
    assert sums[1] < 1 + Fraction(1, first)


@pytest.mark.parametrize("n", LENGTHS)
def test_the_last_entry_but_one_counts_one_attending_layer(n: int) -> None:
    law = poisson_binomial(MIXING, Fraction(0))
    scaled = n * profile(n)[-2]
    assert law[1] < scaled < law[1] + Fraction(2, n - 1) * sum(law[2:])


@pytest.mark.parametrize("lam", [(Fraction(1), Fraction(1, 2)), (Fraction(1, 2), Fraction(0)), (Fraction(0),)])
def test_no_u_with_a_coefficient_of_one_or_a_single_attending_layer(lam: tuple[Fraction, ...]) -> None:
    assert not any(is_u(profile(n, lam)) for n in range(3, 12))


# --- continuous depth ---------------------------------------------------------------------------------


def continuous_row(n: int, S: arb) -> list[arb]:
    """The last row of exp(S (A - I))."""
    entries = [S * (arb(fmpq(int(j <= i), i + 1)) - int(i == j)) for i in range(n) for j in range(n)]
    limit = arb_mat(n, n, entries).exp()
    return [limit[n - 1, j] for j in range(n)]


@pytest.mark.parametrize("n", [3, 5, 8])
def test_in_continuous_depth_a_u_below_the_threshold_alone(n: int) -> None:
    threshold = n * (n - 1) * (arb(n) / (n - 1)).log()
    for share in (Fraction(1, 50), Fraction(1, 2), Fraction(99, 100)):
        p = continuous_row(n, threshold * arb(fmpq(share.numerator, share.denominator)))
        assert all(a > b for a, b in pairwise(p[:-1]))
        assert p[-1] > p[-2]
    assert all(a > b for a, b in pairwise(continuous_row(n, threshold * arb(fmpq(101, 100)))))


def test_without_time_there_is_no_u_and_before_it_entries_are_negative() -> None:
    assert [float(p) for p in continuous_row(3, arb(0))] == [0, 0, 1]
    first, lowest, last = continuous_row(3, arb(fmpq(-1, 8)))  # a valley at S < 0, of an entry below 0
    assert first > lowest < last
    assert lowest < 0
