"""C3 where its claim cannot speak: the integrals of the density itself, enclosed in balls."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from flint import acb, arb, fmpq

END = 160  # of the range of L = -ln x
TIMES = [Fraction(1, 4), Fraction(1), Fraction(7, 2)]
RADIUS = 1e-12


def ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def integral(density: Callable[[acb], acb], order: int) -> arb:
    """int_0^END e^{-(m+1) L} density(L) dL, which is the integral of x^m density(-ln x) over e^{-END} <= x <= 1."""
    rate = order + 1
    return acb.integral(lambda L, analytic: (-rate * L).exp() * density(L), 0, END, rel_tol=arb(2) ** -60).real


def density(time: arb) -> Callable[[acb], acb]:
    """e^{-S} sum_{k >= 1} S^k / k! L^{k-1} / (k - 1)! = S e^{-S} 0F1(; 2; S L)."""
    return lambda L: time * (-time).exp() * (L * time).hypgeom_0f1(acb(2))


def rest(time: arb, order: int) -> arb:
    """What lies beyond END: 0F1(; 2; z) <= e^{2 sqrt z} and 2 sqrt(S L) <= 2 S + L / 2."""
    rate = order + arb(1) / 2
    most = time * time.exp() * (-rate * END).exp() / rate
    return most.union(arb(0))


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("order", range(5))
def test_the_moments_of_the_density(time: Fraction, order: int) -> None:
    """With the atom e^{-S} they are e^{-S m / (m + 1)}, and not those of the orders beside."""
    S = ball(time)
    moment = integral(density(S), order) + rest(S, order) + (-S).exp()
    assert float(moment.rad()) < RADIUS
    assert moment.contains((-S * order / (order + 1)).exp())
    assert not moment.contains((-S * (order + 1) / (order + 2)).exp())


@pytest.mark.parametrize("order", range(4))
@pytest.mark.parametrize("count", range(1, 5))
def test_the_gamma_integrals(order: int, count: int) -> None:
    """int_0^1 x^m L^{k-1} / (k - 1)! dx = (m + 1)^{-k}, the hypothesis of the part "density"."""
    found = integral(lambda L: L ** (count - 1) / acb(count).gamma(), order)
    tail = arb(END) ** count * (-arb(order + 1) * END).exp()  # L^{k-1} e^{-(m+1) L} falls beyond END > k
    value = found + (tail * END).union(arb(0))
    assert float(value.rad()) < RADIUS
    assert value.contains(arb(1) / (order + 1) ** count)
    assert not value.contains(arb(1) / (order + 2) ** count)


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("at", [Fraction(1, 9), Fraction(2), Fraction(30)])
def test_the_density_is_the_bessel_function(time: Fraction, at: Fraction) -> None:
    S, L = ball(time), ball(at)
    written = (-S).exp() * (S / L).sqrt() * (2 * (S * L).sqrt()).bessel_i(arb(1))
    series = density(S)(acb(L)).real
    assert written.overlaps(series) and series > 0
    assert float((written - series).rad()) < RADIUS * float(series.mid()) + RADIUS
    assert not (written * 1.000001).overlaps(series)
