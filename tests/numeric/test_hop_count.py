"""numeric.hop_count: the law of K against exact convolution, at depths where sums replace factors, and at ∞."""

from __future__ import annotations

from fractions import Fraction

import pytest

from numeric.ball import precision
from numeric.ball_kernel import Ball, to_ball
from numeric.endless import endless
from numeric.hop_count import HopCount, quantile
from numeric.schedule import read_schedule

NARROW = 2.0**-80


def convolved(shares: list[Fraction], terms: int) -> list[Fraction]:
    law = [Fraction(1)] + [Fraction(0)] * (terms - 1)
    for y in shares:
        law = [a * (1 - y) + b * y for a, b in zip(law, [Fraction(0), *law[:-1]], strict=True)]
    return law


RULES = ("power:1/2,1", "power:1,2", "geometric:9/10,2/3", "3/10", "1", "1/2,1 then power:1,1", "1/5,1/10 then 0")


@pytest.mark.parametrize("text", RULES)
@pytest.mark.parametrize("rate", [Fraction(1), Fraction(1, 3)])
@pytest.mark.parametrize("layers", [0, 1, 2, 19])
def test_the_law_is_the_convolution(text: str, rate: Fraction, layers: int) -> None:
    expected = convolved([rate * share for share in read_schedule(text).exact(layers)], 6)
    with precision(128):
        law, lost = HopCount(endless(read_schedule(text)), rate).law(layers, 6, 64)
        assert all(abs(p - to_ball(q)) < NARROW for p, q in zip(law, expected, strict=True))
        assert lost == 0


@pytest.mark.parametrize("text", ["power:1/2,1", "power:1,2", "power:1/2,1/2", "geometric:9/10,99/100"])
@pytest.mark.parametrize("rate", [Fraction(1), Fraction(1, 3)])
def test_the_sums_agree_with_the_factors(text: str, rate: Fraction) -> None:
    lam, deep, terms = endless(read_schedule(text)), 4600, 200
    count = HopCount(lam, rate)
    with precision(128):
        summed, lost = count.law(deep, terms, 100)
        multiplied = list(count._head(deep, terms).coeffs())
        assert deep > lam.explicit
        assert lost <= 2.0**-60
        for p, q in zip(summed, multiplied, strict=False):
            assert p <= q + NARROW and q <= p + lost + NARROW
        other, _ = count.law(deep + 1, terms, 100)
        assert text.startswith("geometric") or not all(p.overlaps(q) for p, q in zip(summed, other, strict=True))


@pytest.mark.parametrize("layers", [10**5, 10**15, None])
def test_mass_is_one_and_the_mean_is_the_mean(layers: int | None) -> None:
    lam = endless(read_schedule("power:1,3/2"))
    with precision(128):
        law, lost = HopCount(lam, Fraction(1)).law(layers, 256, 100)
        assert lost < 2.0**-60
        assert abs(1 - sum(law, to_ball(0))) < lost + 2.0**-70
        mean: Ball = lam.power_sum(1, 2, layers) + lam.head[0].numerator
        assert abs(sum((k * p for k, p in enumerate(law)), to_ball(0)) - mean) < 2.0**-60


def test_depths_that_cannot_be_reached_are_known_as_such() -> None:
    def count(text: str) -> HopCount:
        return HopCount(endless(read_schedule(text)), Fraction(1))

    with precision(128):
        assert count("1/2").reach(10**15) and not count("1/2").reach(None)
        assert count("power:1/2,1").reach(10**15) and not count("power:1/2,1").reach(None)
        assert count("power:1/2,2").reach(None)
        assert count("0.1,0.2").reach(2) and not count("0.1,0.2").reach(3)
        assert not count("power:1,1/100").reach(10**15)  # λ_t is above ¼ for too long


def test_chernoff() -> None:
    """P(K ≥ J) ≤ 2^−64 for K binomial, exactly."""
    for n, y in ((40, Fraction(1, 2)), (200, Fraction(1, 10))):
        j = quantile(float(n * y), 64)
        law = convolved([y] * n, n + 1)
        assert sum(law[j:], Fraction(0)) <= Fraction(1, 2**64)
