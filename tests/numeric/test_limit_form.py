"""The limit of the uniform kernel in decimals: against floats, more digits, and mpmath that is wrong."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint
import mpmath
import numpy as np
import pytest

from numeric import limit_form
from numeric.continuum import bessel_density, hop_density
from numeric.entry_law import Depth, Layers
from numeric.hop_laws import Binomial
from numeric.limit_form import atom_digits, density_ball, density_digits
from numeric.refuse import InputError
from numeric.schedule import Constant, Listed, Power

THIRD = Fraction(1, 3)


@pytest.mark.parametrize("x", [Fraction(1, 1000), Fraction(1, 2), Fraction(99, 100)])
def test_floats_agree(x: Fraction) -> None:
    # floats of numeric.continuum: a few hundred roundings and ive, at most 1e−12
    for S in (Fraction(1, 8), Fraction(5), Fraction(200)):
        found = float(density_digits(Depth(S), x, digits=20))
        np.testing.assert_allclose(found, bessel_density(float(S), [float(x)])[0], rtol=1e-12)
    found = float(density_digits(Layers(Constant(0.25), 30), x, digits=20))
    np.testing.assert_allclose(found, hop_density(Binomial(30, 0.25), [float(x)])[0], rtol=1e-12)


def test_one_layer_and_none_are_rational() -> None:
    # f = P(K = 1) for one attending layer: 1/8 is a half at two digits
    assert density_digits(Layers(Listed([0, Fraction(1, 8)]), 2), THIRD, digits=2) == "0.12"
    for law in (Layers(Constant(0), 3), Layers(Constant(1), 0), Depth(Fraction(0))):
        assert density_digits(law, THIRD, digits=5) == "0"
        assert atom_digits(law, digits=5) == "1"
    assert atom_digits(Layers(Constant(1), 2), digits=5) == "0"


def test_digits_are_a_prefix_of_more_digits() -> None:
    for law in (Depth(Fraction(7, 3)), Layers(Power(THIRD, Fraction(1, 2)), 9)):
        long = density_digits(law, THIRD, digits=300)
        for digits in (5, 40, 123):
            short = density_digits(law, THIRD, digits=digits)
            assert abs(Fraction(short) - Fraction(long)) <= Fraction(6, 10) * Fraction(1, 10**digits)
        assert abs(Fraction(atom_digits(law, digits=30)) - Fraction(atom_digits(law, digits=60))) < Fraction(1, 10**30)


def test_the_rest_of_the_series_is_in_the_ball() -> None:
    for bits in (10, 20, 53):
        wide, sharp = (density_ball(Depth(Fraction(9)), THIRD, prec=p) for p in (bits, 300))
        assert wide.overlaps(sharp)


def test_close_to_the_end() -> None:
    # f(x) = S e^−S (1 + S L/2 + …) and, of two layers that always attend, L itself, L = ε + ε²/2 + …
    for power in (26, 100):
        x = 1 - Fraction(1, 10**power)
        assert density_digits(Depth(Fraction(2)), x, digits=8) == "0.27067057"
        assert density_digits(Layers(Constant(1), 2), x, digits=8) == f"1.0000000e-{power}"


def test_a_wrong_bessel_function_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mpmath, "besseli", lambda order, z: mpmath.mp.besseli(order + 1, z))
    with pytest.raises(ArithmeticError, match="disagree on the density"):
        density_digits(Depth(Fraction(2)), THIRD, digits=10)


def test_a_wrong_sum_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = limit_form._layer_sum
    monkeypatch.setattr(limit_form, "_layer_sum", lambda law, L: real(law, L * (1 + 2**-20 * isinstance(L, flint.arb))))
    with pytest.raises(ArithmeticError, match="disagree on the density"):
        density_digits(Layers(Constant(THIRD), 4), THIRD, digits=10)


@pytest.mark.parametrize(
    ("x", "digits", "message"),
    [
        (Fraction(0), 5, r"'x' must lie in \(0, 1\), not 0"),
        (Fraction(1), 5, r"'x' must lie in \(0, 1\), not 1"),
        (THIRD, 0, "'digits' must be at least 1, not 0"),
        (THIRD, 10_001, r"'digits' must lie in \[1, 10000\]"),
    ],
)
def test_refusals(x: Any, digits: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        density_digits(Depth(Fraction(1)), x, digits=digits)
