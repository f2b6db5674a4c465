"""numeric.extended: long doubles from balls, recurrences against exact sums, roundings by counting them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb

from numeric import extended
from numeric.ball import precision
from numeric.ball_kernel import to_ball
from numeric.extended import backward_sums, extended_bits, from_balls, levels, pairings, powers_before, sums_before
from tests.numeric.balls import fraction
from tests.numeric.counted import counted, of

LENGTHS = (2, 3, 5, 8, 9, 16, 17, 31)


def exact(x: Any) -> Fraction:
    """A long double as the rational it is: two float64 numbers hold its bits, three those of binary128."""
    rest, exponent = np.frexp(x)
    total = Fraction(0)
    for _ in range(3):
        total, rest = total + Fraction(float(rest)), rest - np.longdouble(float(rest))
    assert rest == 0
    return total * Fraction(2) ** int(exponent)


def test_the_format_is_found_by_trying(monkeypatch: pytest.MonkeyPatch) -> None:
    extended_bits.cache_clear()
    assert extended_bits() in (64, 113, None)
    # a processor that rounds to 53 bits, whatever the format could hold
    monkeypatch.setattr(np, "longdouble", np.float64)
    assert not extended._rounds_to_nearest(64)
    extended_bits.cache_clear()
    assert extended_bits() is None
    extended_bits.cache_clear()


@pytest.mark.parametrize("value", ["-0.1", "1", "-700", "400", "-0.000001", "-3000.7"])
def test_a_ball_becomes_the_nearest_long_double(value: str, bits: int) -> None:
    def ball() -> Any:
        return to_ball(Fraction(value)).exp()

    (found,) = from_balls(lambda: [ball()], bits)
    with precision(400):
        error = abs(arb(fraction_ball(exact(found))) - ball()) / ball()
        assert error < arb(2) ** -bits * (1 + arb(2) ** -7)


def fraction_ball(value: Fraction) -> Any:
    from numeric.exact import to_flint

    return arb(to_flint(value))


def test_more_bits_are_taken_until_they_are_enough(bits: int) -> None:
    # the difference is 2^−300 beside 1: 128 bits know nothing of it
    asked: list[int] = []

    def values() -> list[Any]:
        import flint

        asked.append(flint.ctx.prec)
        return [to_ball(1 + Fraction(1, 2**300)) - to_ball(1)]

    (found,) = from_balls(values, bits)
    assert exact(found) == Fraction(1, 2**300)
    assert asked == [2 * bits * 2**k for k in range(len(asked))] and len(asked) > 1


def test_what_is_far_below_any_float_is_0(bits: int) -> None:
    found = from_balls(lambda: [to_ball(-12000).exp(), to_ball(-11000).exp(), to_ball(-(10**300)).exp()], bits)
    assert found[0] == found[2] == 0 < found[1] < 1e-300  # e^−12000 < 2^−16000 < e^−11000


def test_mantissas_of_113_bits() -> None:
    with precision(226):
        part = extended._mantissa(to_ball(Fraction(1, 3)), 113)
    assert part is not None
    m, e = part
    assert m.bit_length() == 113 and abs(Fraction(m) * Fraction(2) ** e * 3 - 1) <= Fraction(1, 2**113)


@pytest.mark.parametrize("n", LENGTHS)
def test_recurrences_are_the_sums_they_say(n: int, bits: int) -> None:
    # small integers: nothing rounds, so the sums are exact
    x, q = np.arange(1, n + 1, dtype=np.longdouble), 2
    powers = [np.array([[float(q ** (2**k))]], dtype=np.longdouble) for k in range(levels(n))]
    u = backward_sums(x[None], powers)[0]
    assert [exact(y) for y in u] == [sum(q ** (i - j - 1) * (i + 1) for i in range(j + 1, n)) for j in range(n)]
    assert [exact(y) for y in powers_before(powers, n)[0]] == [2**i - 1 for i in range(n)]
    assert sums_before(x).tolist() == [k * (k + 1) / 2 for k in range(n)]


@pytest.mark.parametrize("n", LENGTHS)
def test_roundings_of_the_recurrences(n: int) -> None:
    size, paired, powers = levels(n), pairings(n), [counted((1, 1), 2) for _ in range(levels(n))]
    worst = [
        max(map(of, backward_sums(counted((1, n), 0), powers)[0])),
        max(map(of, powers_before(powers, n)[0])),
        max(map(of, sums_before(counted((n,), 0)))),
    ]
    pairs = list(zip(worst, (8 * paired, 4 * size, 2 * paired), strict=True))
    assert all(found <= stated for found, stated in pairs)
    if n in (8, 16, 31):  # attained, or nearly
        assert all(found >= stated - 4 for found, stated in pairs)


def test_levels() -> None:
    sizes = (1, 2, 3, 4, 5, 8, 9, 2**20, 2**20 + 1)
    assert [levels(n) for n in sizes] == [0, 1, 2, 2, 3, 3, 4, 20, 21]
    assert [pairings(n) for n in sizes] == [0, 0, 1, 1, 2, 2, 3, 19, 20]


def test_a_sum_without_rounding() -> None:
    assert extended.exact_sum([1.0, 2.0**-80]) == 1 + Fraction(1, 2**80)
    assert fraction(arb(1)) == 1
