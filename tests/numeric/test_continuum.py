"""The limits of n p_j: U5 against C3 and quadrature, profiles that come closer as n grows, refusals."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from numeric.continuum import bessel_density, continuum, hop_density
from numeric.hop_laws import Binomial, Poisson
from numeric.kernel import Uniform
from numeric.profile import profile
from numeric.refuse import InputError

X = np.array([1e-6, 0.01, 0.3, 0.9, 1.0])


@pytest.mark.parametrize("depth", [0.5, 4.0])
def test_many_layers_have_the_density_of_continuous_depth(depth: float) -> None:
    """U5's sum for Binomial(T, S/T) nears C3's closed form as 1/T, from either side."""
    gaps = [np.abs(hop_density(Binomial(t, depth / t), X) / bessel_density(depth, X) - 1).max() for t in (400, 800)]
    assert gaps[1] == pytest.approx(gaps[0] / 2, rel=0.1)
    assert gaps[1] < 0.05


@pytest.mark.parametrize("depth", [0.5, 4.0, 17.0, 90.0])
def test_c3_is_u5_for_a_poisson_law(depth: float) -> None:
    """Two formulas for one density: the Bessel function, and the sum over the number of hops."""
    law = Poisson(depth).floats(400)[1:]
    for x, found in zip(X, bessel_density(depth, X), strict=True):
        factors = np.cumprod(np.append(1.0, -np.log(x) / np.arange(1, 400)))
        assert found == pytest.approx(float(law @ factors), rel=1e-12)


def test_a_density_and_its_atom_have_the_mass_of_all_tokens() -> None:
    mass, _ = quad(lambda x: float(hop_density(Binomial(5, 0.3), [x])[0]), 0, 1, limit=200)
    assert mass + 0.7**5 == pytest.approx(1, abs=1e-7)
    mass, _ = quad(lambda x: float(bessel_density(3.0, [x])[0]), 0, 1, limit=200)
    assert mass + np.exp(-3) == pytest.approx(1, abs=1e-7)


@pytest.mark.parametrize("layers", [24, None])
def test_profiles_come_closer_to_the_limit_as_n_grows(layers: int | None) -> None:
    """U5's error is of order 1/n: twice the length, about half the gap."""
    gaps = [[c.gap[0] for c in continuum([1.0, 4.0, 12.0], n=n, layers=layers)] for n in (128, 256, 512)]
    for coarse, fine in pairwise(gaps):
        assert all(0.4 < f / c < 0.65 for c, f in zip(coarse, fine, strict=True))


def test_the_profile_is_the_one_of_the_row_recursion() -> None:
    (found,) = continuum([3.0], n=40, layers=6)
    assert found.scaled / 40 == pytest.approx(profile([Uniform()] * 6, 0.5, n=40), rel=1e-12)
    assert found.atom == 0.5**6
    assert found.gap[1] in range(3, 36)


def test_a_wrong_limit_is_seen() -> None:
    """Control: the density at another depth is no limit of the profile."""
    (found,) = continuum([4.0], n=512, layers=None)
    wrong = bessel_density(4.4, np.arange(1, 513) / 512)
    assert np.abs(found.scaled / wrong - 1)[51:460].max() > 5 * found.gap[0]


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: continuum([1.0], n=1, layers=3), "Argument 'n' must lie in [2, 2048], not 1."),
    (lambda: continuum([0.0], n=5, layers=3), "Argument 'depths' must be positive, not 0.0."),
    (lambda: continuum([4], n=5, layers=3),
     "Argument 'depths' must lie in [0, 3], not 4.0 (entry 1, counted from 1)."),
    (lambda: bessel_density(1.0, [0.5, 0.0]), "Argument 'x' must lie in (0, 1], not 0.0 (entry 2, counted from 1)."),
    (lambda: hop_density(Poisson(1.0), [0.5]),
     "Argument 'law' must have a largest number of hops, not Poisson(depth=1.0)."),
]  # fmt: skip


@pytest.mark.parametrize(("call", "said"), REFUSED)
def test_refused(call: Callable[[], object], said: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(said)}$"):
        call()
