"""numeric.infinite_product: Π (1 − x λ_t) against closed values, exact products, and values it must not be."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb

from numeric.ball import precision
from numeric.ball_kernel import Ball, to_ball
from numeric.endless import endless
from numeric.infinite_product import infinite_product
from numeric.schedule import Power, read_schedule

NARROW = 2.0**-90


def product(text: str, x: object = 1, layers: int | None = None) -> Ball:
    return infinite_product(endless(read_schedule(text)), x, layers)


@pytest.mark.parametrize("c", [Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(99, 100), Fraction(1, 10**9)])
def test_the_sine_product(c: Fraction) -> None:
    """Π_{t≥1} (1 − c/t²) = sin(π √c) / (π √c)."""
    with precision(128):
        found = infinite_product(endless(Power(c, 2)), 1, None)
        root = to_ball(c).sqrt()
        assert found.overlaps((arb.pi() * root).sin() / (arb.pi() * root))
        assert found.rad() < NARROW
        wrong = infinite_product(endless(Power(c, Fraction(2001, 1000))), 1, None)
        assert c == 1 or not wrong.overlaps(found)  # c = 1: both are 0 by the first factor


def test_a_telescoping_product() -> None:
    """Π_{t≥2} (1 − 1/t²) = ½, and Π_{t≥2} (1 − 1/(4t²)) = (2/π) / (3/4)."""
    with precision(128):
        assert product("0 then power:1,2").contains(0.5)
        assert product("0 then power:1,2", Fraction(1, 4)).overlaps(8 / (3 * arb.pi()))
        assert not product("0 then power:1,2", Fraction(1, 4)).contains(0.5)


def test_the_cubic_product() -> None:
    """Π_{t≥2} (1 − 1/t³) = cosh(π √3 / 2) / (3π)."""
    with precision(128):
        expected = (arb.pi() * arb(3).sqrt() / 2).cosh() / (3 * arb.pi())
        assert product("0 then power:1,3").overlaps(expected)


def test_the_pentagonal_numbers() -> None:
    """Π_{t≥1} (1 − q^t) = Σ_k (−1)^k q^{k(3k−1)/2}, here q = 1/3, over all integers k (Euler)."""
    q = Fraction(1, 3)
    partial = sum((-1) ** abs(k) * q ** (k * (3 * k - 1) // 2) for k in range(-9, 10))
    with precision(128):
        found = product("geometric:1/3,1/3")
        # the next pair of terms, k = ±10, is below q^145
        assert abs(found - to_ball(partial)) <= to_ball(q**140) + NARROW
        assert not found.overlaps(product("geometric:1/3,1/2"))


@pytest.mark.parametrize("text", ["power:1/2,1", "power:1,2", "geometric:1/2,9/10", "1/3", "1,1/2 then power:1,1", "1"])
@pytest.mark.parametrize("x", [Fraction(1), Fraction(1, 3)])
@pytest.mark.parametrize("layers", [0, 1, 2, 30])
def test_finite_products_are_exact_products(text: str, x: Fraction, layers: int) -> None:
    exact = Fraction(1)
    for share in read_schedule(text).exact(layers):
        exact *= 1 - x * share
    with precision(128):
        found = product(text, x, layers)
        assert abs(found - to_ball(exact)) < NARROW


def test_the_sums_agree_with_the_factors() -> None:
    """Behind the layers that are multiplied one by one, against the same product with all of them listed."""
    with precision(128):
        for text, deep in (("power:1/2,1", 5000), ("power:1/2,3/2", 5000), ("geometric:9/10,99/100", 2000)):
            lam = endless(read_schedule(text))
            shares = lam.shares(1, deep)
            factors = to_ball(1)
            for share in shares:
                factors *= 1 - share
            found = infinite_product(lam, 1, deep)
            assert deep > lam.explicit
            assert found.overlaps(factors) and found.rad() < NARROW
            assert not found.overlaps(factors / (1 - shares[-1]))


def test_ten_to_the_fifteen_layers_of_the_harmonic_rule() -> None:
    """Π_{t≤T} (1 − 1/(2t)) = Γ(T + ½) / (Γ(½) T!)."""
    T = 10**15
    with precision(256):
        expected = (
            to_ball(Fraction(2 * T + 1, 2)).lgamma() - to_ball(Fraction(1, 2)).lgamma() - to_ball(T + 1).lgamma()
        ).exp()
        assert product("power:1/2,1", 1, T).overlaps(expected)


@pytest.mark.parametrize("text", ["1/2", "1e-300", "power:1/2,1", "geometric:1/2,1", "1,0 then power:1/9,1/9"])
def test_divergent_sums_give_zero(text: str) -> None:
    with precision(128):
        assert product(text).is_zero()
        assert product(text, 0) == 1


def test_a_vanishing_factor_gives_zero() -> None:
    with precision(128):
        assert product("1 then power:1,2").is_zero()
        assert product("1 then power:1,2", Fraction(1, 2)) > 0


def test_edges_stay_within_the_unit_interval() -> None:
    with precision(128):
        near = ("power:0.5,1." + "0" * 300 + "1", "geometric:0.5,0." + "9" * 300, "geometric:1,0.999999999")
        for text in (*near, "power:1/2,1e300", "power:1/2,1.000000000001", "geometric:0.5,1e-300", "0.5,0.5"):
            found = product(text)
            assert found.is_finite()
            assert found.lower() >= -1e-8 and found.upper() <= 1 + 1e-8
