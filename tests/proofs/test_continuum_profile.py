"""U5 at lengths that the drawn cases do not reach, against the exact profile; without the claim's own terms."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from flint import arb, fmpq

from numeric.exact import ExactPrefix, exact_profile
from numeric.hops import poisson_binomial

MIXING = (Fraction(1, 3), Fraction(1), Fraction(1, 2), Fraction(3, 4), Fraction(1, 5))
LENGTHS = (30, 60, 120)


def ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def profile(n: int) -> list[arb]:
    """n p_j, j = 1..n."""
    return [n * ball(p) for p in exact_profile([ExactPrefix((1,) * n)] * len(MIXING), MIXING, n=n)]


def mixture(log: arb, by: arb) -> arb:
    """sum_k P(K = k) prod_{r<k} (L / r + by)."""
    total, product = arb(0), arb(1)
    for k, chance in enumerate(poisson_binomial(MIXING, Fraction(0))[1:], start=1):
        total += ball(chance) * product
        product *= log / k + by
    return total


def margin(log: arb) -> arb:
    """S prod_t (1 + lambda_t L)."""
    product = ball(sum(MIXING, Fraction(0)))
    for share in MIXING:
        product *= 1 + ball(share) * log
    return product


@pytest.mark.parametrize("n", LENGTHS)
def test_every_position_lies_between_the_bounds(n: int) -> None:
    for j, p in enumerate(profile(n)[:-1], start=1):
        log, step = arb(n).log() - arb(j).log(), 1 / arb(j)
        density = mixture(log, arb(0))
        assert density < p < mixture(log, step) < density + step * margin(log)


@pytest.mark.parametrize("n", LENGTHS)
def test_the_density_alone_is_no_upper_bound_and_a_larger_step_no_lower_one(n: int) -> None:
    p, j = profile(n), n // 2
    log = arb(n).log() - arb(j).log()
    assert not p[j - 1] <= mixture(log, arb(0)) + margin(log) / (1000 * arb(n))
    assert not mixture(log, 1 / arb(j)) <= p[j - 1]


def test_the_profile_at_one_half_tends_to_its_density() -> None:
    errors = [profile(n)[n // 2 - 1] - mixture(arb(2).log(), arb(0)) for n in LENGTHS]
    assert all(later < ball(Fraction(11, 20)) * earlier for earlier, later in pairwise(errors))


def test_the_last_position_tends_to_the_atom() -> None:
    shares = [share if share < 1 else Fraction(1, 2) for share in MIXING]
    none, one = poisson_binomial(shares, Fraction(0))[:2]
    for n in LENGTHS:
        last = exact_profile([ExactPrefix((1,) * n)] * len(shares), shares, n=n)[-1]
        assert none < last < none + (1 - none) / n
        assert not last <= none + one / n
