"""U8 at lengths that the drawn cases do not reach, against the exact profile; without the claim's own terms."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb, factorial

import pytest

from numeric.exact import ExactPrefix, exact_profile
from numeric.hops import poisson_binomial

MIXING = (Fraction(1, 3), Fraction(1), Fraction(1, 2), Fraction(3, 4), Fraction(1, 5))
DECAYS = (Fraction(1, 3), Fraction(1, 2), Fraction(4, 5))
FAR = 12


def profile(decay: Fraction, mixing: tuple[Fraction, ...], n: int) -> list[Fraction]:
    """The profile by distance from the end: p_n, p_{n-1}, ..., p_1."""
    return list(exact_profile([ExactPrefix([decay**-j for j in range(n)])] * len(mixing), mixing, n=n))[::-1]


def law(hops: list[Fraction], decay: Fraction, last: int = FAR) -> list[Fraction]:
    """A negative binomial mixture: hop by hop, each of length e with chance (1 - rho) rho^e, e >= 0."""

    def at(count: int, d: int) -> Fraction:
        return Fraction(d == 0) if count == 0 else comb(count - 1 + d, d) * (1 - decay) ** count * decay**d

    return [sum((x * at(count, d) for count, x in enumerate(hops)), Fraction(0)) for d in range(last + 1)]


def thinned(decay: Fraction, mixing: tuple[Fraction, ...]) -> list[Fraction]:
    """c_0, c_1, c_2, ..., at least three."""
    return [*poisson_binomial([decay * x for x in mixing], Fraction(0)), Fraction(0), Fraction(0)]


@pytest.mark.parametrize("decay", DECAYS)
@pytest.mark.parametrize("n", [13, 29])
def test_the_profile_lies_between_the_bounds(decay: Fraction, n: int) -> None:
    hops = list(poisson_binomial(MIXING, Fraction(0)))
    for d, (p, least) in enumerate(zip(profile(decay, MIXING, n), law(hops, decay), strict=False)):
        assert least < p < least + decay ** (n - d) * sum(MIXING)


def test_the_bound_is_attained_by_one_layer_in_the_first_row() -> None:
    decay, share = Fraction(1, 2), Fraction(2, 3)
    (p,) = profile(decay, (share,), 1)
    assert p == law([1 - share, share], decay)[0] + decay * share


@pytest.mark.parametrize("decay", DECAYS)
def test_from_distance_1_the_law_is_log_concave_and_the_spike_is_apart(decay: Fraction) -> None:
    found = law(list(poisson_binomial(MIXING, Fraction(0))), decay)
    assert all(a * c < b * b for a, b, c in zip(found[1:], found[2:], found[3:], strict=False))
    c_0, c_1, c_2 = thinned(decay, MIXING)[:3]
    assert (found[0], found[1]) == (c_0, (1 - decay) * c_1)
    assert found[2] - found[1] == (1 - decay) ** 2 * (c_2 - c_1)


def test_log_concavity_fails_at_the_spike() -> None:
    found = law(list(poisson_binomial((Fraction(1, 10),), Fraction(0))), Fraction(1, 2))
    assert found[0] * found[2] > found[1] ** 2  # 19/20 * 1/80 > 1/1600


@pytest.mark.parametrize(("layers", "hump"), [(3, False), (5, True)])
def test_a_hump_in_a_long_profile_is_told_by_two_chances(layers: int, hump: bool) -> None:
    decay, mixing = Fraction(1, 2), (Fraction(1),) * layers  # c = Binomial(T, 1/2): c_2 = c_1 for T = 3
    c_1, c_2 = thinned(decay, mixing)[1:3]
    assert (c_2 > c_1) == hump
    shape = law([Fraction(0)] * layers + [Fraction(1)], decay)
    assert any(a < b for a, b in pairwise(shape[1:])) == hump
    long = profile(decay, mixing, 40)[1:FAR]
    assert any(a + decay**20 < b for a, b in pairwise(long)) == hump


def test_the_spike_may_tie_with_its_neighbour() -> None:
    shape = law([Fraction(0), Fraction(0), Fraction(1)], Fraction(1, 2))  # two layers, lambda = 1
    assert shape[0] == shape[1] == Fraction(1, 4)


@pytest.mark.parametrize("depth", [Fraction(3), Fraction(4), Fraction(5)])
def test_continuous_depth_has_a_hump_beyond_two_hops(depth: Fraction) -> None:
    decay, spent = Fraction(1, 2), depth / 2
    terms = [spent**k / factorial(k) for k in range(FAR + 1)]

    def at(d: int) -> Fraction:
        return (1 - decay) * sum(
            comb(d - 1, k) * (1 - decay) ** k * decay ** (d - 1 - k) * terms[k + 1] for k in range(d)
        )

    shape = [at(d) for d in range(1, FAR)]
    assert any(a < b for a, b in pairwise(shape)) == (spent > 2)
    assert (shape[0] <= 1) == ((1 - decay) * spent <= 1)
