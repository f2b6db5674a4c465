"""Labels of mixtures over the number of hops: against rationals, balls and the matrix exponential; ties; refusals."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
import scipy.linalg

from numeric import hop_mixture
from numeric.ball import precision
from numeric.ball_kernel import to_ball
from numeric.description import describe
from numeric.exact import ExactPrefix, exact_profile, to_flint
from numeric.hop_laws import Binomial, Hops, Poisson
from numeric.hop_mixture import decide_labels
from numeric.kernel import Alibi, Uniform
from numeric.phase import u_mixing
from numeric.recurrence import alibi_factors
from numeric.refuse import InputError
from numeric.shape import exact_sign, label_of, shape

LENGTHS = (1, 2, 3, 5, 11)
LAYERS = (1, 2, 3, 5, 13)


@pytest.mark.parametrize("n", LENGTHS)
def test_labels_of_the_uniform_kernel_are_those_of_rationals(n: int) -> None:
    laws = [Binomial(t, eighths / 8) for t in LAYERS for eighths in range(9)]
    found = decide_labels(0.0, laws, n=n)
    for law, answer in zip(laws, found, strict=True):
        p = exact_profile([ExactPrefix((1,) * n)] * law.layers, Fraction(law.lam), n=n)
        assert answer.label == label_of([to_flint(x) for x in p], exact_sign), law
    assert {answer.label for answer in found} >= ({"flat"} if n == 1 else {"flat", "recency", "primacy"})


@pytest.mark.parametrize("slope", [0.0, 1e-12, 0.01, 0.2, 0.7, 1.5, 3.0])
def test_labels_of_alibi_are_those_of_balls(slope: float) -> None:
    laws = [Binomial(t, lam) for t in (1, 2, 7, 19) for lam in (0.0, 0.03, 0.3, 0.7, 1.0)]
    for law, answer in zip(laws, decide_labels(slope, laws, n=23), strict=True):
        expected = describe([Alibi(slope)] * law.layers, law.lam, n=23, bits=256).shape.label
        if expected != "undecided":  # at slope 0 some balls cannot tell what is equal
            assert answer.label == expected, law
        assert answer.label != "undecided"


@pytest.mark.parametrize("slope", [0.0, 0.1, 0.8])
def test_labels_at_continuous_depth_are_those_of_the_exponential(slope: float) -> None:
    a = Alibi(slope).matrix(17)
    laws = [Poisson(s) for s in (0.1, 0.9, 2.5, 7.0, 30.0)]
    found = decide_labels(slope, laws, n=17)
    for law, answer in zip(laws, found, strict=True):
        p = scipy.linalg.expm(law.depth * (a - np.eye(17)))[-1]
        assert (np.abs(np.diff(p)) > 1e-13).all()  # so that the labels below are no matter of rounding
        assert answer == (shape(p).label, "floats"), law
    assert len({answer.label for answer in found}) >= 2


def test_long_and_steep_profiles_are_decided_in_floats() -> None:
    """p_1 is about e^−3000 here, below every float: neighbours are compared without it."""
    found = decide_labels(3.0, [Binomial(24, 1.0), Binomial(24, 1 / 24), Poisson(20.0)], n=1000)
    assert [answer.by for answer in found] == ["floats"] * 3
    assert [answer.label for answer in found] == ["other", "recency", "recency"]


# --- errors that are counted ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", [Binomial(24, 0.25), Binomial(200, 0.9), Poisson(0.5), Poisson(90.0)], ids=str)
@pytest.mark.parametrize("slope", [0.0, 0.03, 1.5])
def test_float_sums_err_by_no_more_than_is_counted(law: Hops, slope: float) -> None:
    n = 61
    u = alibi_factors(np.array([[slope]]), np.zeros((1, 1)), n)[0][0]
    (sums,) = hop_mixture._float_sums(u, [law])
    assert sums.sound
    with precision(256):
        exact, _ = hop_mixture._ball_sums(hop_mixture._BallLevels(slope, n), law, 256)
        errors = [float((abs(to_ball(x) - y) / y).upper()) for x, y in zip(sums.g.tolist(), exact, strict=True)]
    counted = 2.0**-52 * (sums.terms * (n + 25) + 48)
    assert max(errors) <= counted
    assert counted < 1e-11 * sums.terms


@pytest.mark.parametrize("slope", [0.0, 0.4])
def test_what_is_left_out_is_less_than_its_bound(slope: float) -> None:
    n, law = 31, Poisson(9.0)
    u = alibi_factors(np.array([[slope]]), np.zeros((1, 1)), n)[0][0]
    levels = [np.ones(n)]
    for _ in range(400):
        levels.append(np.cumsum((u * levels[-1])[::-1])[::-1])
    whole = law.floats(401)[1:] @ np.array(levels)
    for terms in (60, 80, 100):
        used = np.array(levels[:terms])
        g = law.floats(terms)[1:] @ used
        rest = float((law.floats(401)[terms + 1 :] @ np.array(levels[terms:]) / g).max())
        bound = hop_mixture._left_out(law, float(law.floats(terms)[-1]), used, g)
        assert rest <= bound < 4 * rest + 1e-30
    assert np.isfinite(whole).all()


@pytest.mark.parametrize("slope", [0.0, 0.02, 0.3, 1.1])
def test_balls_alone_give_the_labels_of_floats(slope: float) -> None:
    """The way that cells near a boundary take, taken by all: other sums, other laws, the same labels."""
    laws: list[Hops] = [
        Binomial(9, 0.1),
        Binomial(9, 0.5),
        Binomial(9, 0.95),
        Poisson(0.7),
        Poisson(3.0),
        Poisson(40.0),
    ]
    levels = hop_mixture._BallLevels(slope, 29)
    floats = decide_labels(slope, laws, n=29)
    assert {answer.by for answer in floats} == {"floats"}
    assert [hop_mixture._in_balls(levels, law, 128) for law in laws] == [(a.label, "balls") for a in floats]
    assert len({answer.label for answer in floats}) > 1


def test_steps_that_are_left_open_count_each() -> None:
    """One such step between a fall and a rise is no matter; two of them may rise and fall."""
    label = hop_mixture._label_of_steps
    assert label([1, 1, None, -1, -1]) == "U"
    assert label([1, None, None, -1]) == "undecided"
    assert label([-1, None, 1]) == "other"
    assert (label([]), label([1, 0, 1]), label([0, 0])) == ("flat", "primacy", "flat")


# --- ties and near ties ---------------------------------------------------------------------------------------------


def test_exact_ties_are_decided_in_balls() -> None:
    assert decide_labels(0.0, [Binomial(1, 1.0)], n=9) == [("flat", "balls")]
    assert decide_labels(0.0, [Binomial(1, 0.375), Poisson(0.0)], n=9) == [("recency", "balls")] * 2
    assert decide_labels(2.0, [Binomial(5, 0.0)], n=9) == [("recency", "balls")]


def test_a_cell_beside_the_boundary_needs_balls_and_without_enough_bits_is_undecided() -> None:
    """The float nearest to U7's boundary: p_{n−1} and p_n agree to about as many digits as a float has."""
    n, layers = 7, 3
    lam = u_mixing(n, layers)
    laws = [Binomial(layers, x) for x in (np.nextafter(lam, 0), lam, np.nextafter(lam, 1))]
    found = decide_labels(0.0, laws, n=n)
    assert [answer.by for answer in found] == ["balls"] * 3
    exact = [exact_profile([ExactPrefix((1,) * n)] * layers, Fraction(law.lam), n=n) for law in laws]
    assert [answer.label for answer in found] == [label_of([to_flint(x) for x in p], exact_sign) for p in exact]
    assert {answer.label for answer in found} == {"U", "primacy"}
    assert decide_labels(0.0, laws, n=n, bits=24) == [("undecided", "nothing")] * 3


def test_a_wrong_kernel_is_not_decided_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: with the weights of half the slope in the comparison, labels change."""
    laws = [Binomial(12, s / 12) for s in (0.5, 1.0, 2.0, 4.0, 8.0)]
    right = decide_labels(0.5, laws, n=64)
    monkeypatch.setattr(math, "exp", lambda x, exp=math.exp: exp(x / 2))
    assert decide_labels(0.5, laws, n=64) != right


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: decide_labels(-0.5, [], n=3), "Argument 'slope' must lie in [0, 700], not -0.5."),
    (lambda: decide_labels(0.5, [], n=0), "Argument 'n' must be at least 1, not 0."),
    (lambda: decide_labels(0.5, [], n=3, bits=1), "Argument 'bits' must be at least 2, not 1."),
]


@pytest.mark.parametrize(("call", "said"), REFUSED)
def test_refused(call: Callable[[], object], said: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(said)}$"):
        call()


def test_uniform_is_slope_zero() -> None:
    p = describe([Uniform()] * 4, 0.5, n=12).shape.label
    assert decide_labels(0.0, [Binomial(4, 0.5)], n=12)[0].label == p
