"""The laws of K: floats against balls and SciPy, what a law says of its end and growth, refusals."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from numeric.ball import precision
from numeric.hop_laws import Binomial, Hops, Poisson
from numeric.refuse import InputError


@pytest.mark.parametrize("law", [Binomial(7, 0.3), Binomial(7, 1.0), Binomial(7, 0.0), Poisson(3.0), Poisson(0.0)])
def test_laws_in_floats_and_in_balls_agree(law: Hops) -> None:
    with precision(128):
        balls = [float(x.mid()) for x in law.balls(12)]
    assert law.floats(12) == pytest.approx(balls, rel=1e-13, abs=0)
    assert sum(balls) == pytest.approx(1, abs=1e-3)


def test_laws_are_those_of_scipy() -> None:
    k = np.arange(41)
    assert Binomial(40, 0.2).floats(40) == pytest.approx(stats.binom.pmf(k, 40, 0.2), rel=1e-11)
    assert Poisson(11.0).floats(40) == pytest.approx(stats.poisson.pmf(k, 11), rel=1e-11)


def test_the_end_and_the_growth_of_a_law() -> None:
    assert (Binomial(5, 0.5).most, Binomial(5, 0.0).most, Poisson(2.0).most, Poisson(0.0).most) == (5, 0, None, 0)
    law = Poisson(3.5)
    table = law.floats(9)
    assert [law.growth(k) for k in range(9)] == pytest.approx((table[1:] / table[:-1]).tolist())


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: Binomial(0, 0.5), "Argument 'layers' must be at least 1, not 0."),
    (lambda: Binomial(3, 1.5), "Argument 'lam' must lie in [0, 1], not 1.5."),
    (lambda: Poisson(-1), "Argument 'depth' must lie in [0, 600], not -1."),
    (lambda: Poisson(601), "Argument 'depth' must lie in [0, 600], not 601."),
]


@pytest.mark.parametrize(("call", "said"), REFUSED)
def test_refused(call: Callable[[], object], said: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(said)}$"):
        call()
