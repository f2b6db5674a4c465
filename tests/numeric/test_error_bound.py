"""numeric.error_bound: the bounds hold against balls and rationals, are sharp, and are as good without long doubles."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numeric import error_bound
from numeric.ball import ball_profile
from numeric.ball_kernel import proportions
from numeric.error_bound import bounded_profile
from numeric.exact import ExactAverage, ExactPrefix, exact_profile
from numeric.experiment import load_experiment
from numeric.extended import extended_bits
from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
from numeric.prefix_lm import PrefixLM
from numeric.profile import profile
from numeric.published import find
from numeric.refuse import InputError
from numeric.schedule import Mixing
from numeric.within_bound import mean_position_within
from tests.numeric.balls import fraction
from tests.numeric.test_extended import exact
from tests.numeric.test_extended_row import CASES, N

Ends = list[tuple[Fraction, Fraction]]
LAM = [0.5, 1, 0.25, 0, 0.7]
EPS = Fraction(1, 10**13)


@pytest.fixture(params=["long double", "balls"])
def route(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to a bound: the second is that of platforms without a wider long double."""
    if request.param == "balls":
        monkeypatch.setattr(error_bound, "extended_bits", lambda: None)
    elif extended_bits() is None:
        pytest.skip("long doubles are no wider than float64 here")
    return str(request.param)


def enclosed(kernels: list[Kernel], lam: Any, n: int) -> Ends:
    """Proven ends of every entry, from balls of 300 bits."""
    balls = ball_profile(kernels, lam, n=n, prec=300)
    return [(fraction(x.mid()) - fraction(x.rad()), fraction(x.mid()) + fraction(x.rad())) for x in balls]


def errors(p: Any, ends: Ends) -> list[Fraction]:
    """At least |p_j − exact_j|."""
    return [max(Fraction(x) - low, high - Fraction(x)) for x, (low, high) in zip(p.tolist(), ends, strict=True)]


def holds(p: Any, bound: Any, ends: Ends) -> bool:
    return all(error <= Fraction(b) for error, b in zip(errors(p, ends), bound.tolist(), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_the_bound_holds_and_is_sharp(name: str, route: str) -> None:
    p, bound = profile([CASES[name]] * 5, LAM, n=N, bound=True)
    ends = enclosed([CASES[name]] * 5, LAM, N)
    assert p.dtype == bound.dtype == np.float64 and p.shape == bound.shape == (N,)
    assert holds(p, bound, ends)
    if name == "window of one":  # the identity: nothing rounds, which the count of roundings does not see
        assert bound.max() < 2.0**-53
        return
    assert Fraction(bound.max()) <= 10 * max(errors(p, ends))
    # the check can fail: a bound below the largest error does not hold
    assert not holds(p, bound * float(max(errors(p, ends))) / bound.max() * 0.5, ends)


@pytest.mark.parametrize("name", CASES)
def test_the_plain_route_is_near(name: str, route: str) -> None:
    p, _ = profile([CASES[name]] * 5, LAM, n=N, bound=True)
    # five layers, each within a thousand roundings
    assert (np.abs(profile([CASES[name]] * 5, LAM, n=N) - p) <= 5000 * 2.0**-53 * p + 1e-100).all()


def test_the_bound_is_sharp_for_an_entry_of_any_size(route: str) -> None:
    # from 1 down to below the least float64: relatively at most 2^−53 and a little, or half the least float64
    p, bound = profile([Alibi(7.0)] * 3, 0.75, n=131, bound=True)
    assert p[0] < 1e-300 < p[-1] and (bound <= 1.001 * 2.0**-53 * p + 2.0**-1073).all()
    assert holds(p, bound, enclosed([Alibi(7.0)] * 3, 0.75, 131))


@settings(max_examples=40)
@given(st.lists(st.floats(0.01, 50), min_size=7, max_size=7), st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_the_bound_holds_in_rationals(weights: list[float], lam: list[float]) -> None:
    alpha = [0.1, 0.3, 0.6]
    stack: list[Kernel] = [Prefix(weights), HeadAverage([Uniform(), Prefix(weights), Alibi(0.0)], alpha), Uniform()]
    flat, w = ExactPrefix((1,) * 7), ExactPrefix(tuple(weights))
    true = exact_profile([w, ExactAverage([flat, w, flat], proportions(alpha)), flat], lam, n=7)
    p, bound = bounded_profile(stack, lam, n=7)
    assert holds(p, bound, [(x, x) for x in true])


def test_300_layers_of_130_positions_in_rationals(route: str) -> None:
    # sizes past which small integer types overflow; w_j/W_i and λ are powers of two, which keeps the rationals short
    weights = [1, *(2**j for j in range(129))]
    true = exact_profile([ExactPrefix(tuple(weights))] * 300, Fraction(1, 128), n=130)
    p, bound = profile([Prefix(np.array(weights, dtype=object))] * 300, 1 / 128, n=130, bound=True)
    assert holds(p, bound, [(x, x) for x in true]) and bound.max() < 2.0**-53 * p.max() * 8


def test_300_uniform_layers_of_130_positions(route: str) -> None:
    # I7: E[position] − 1 = (n − 1) Π (1 − λ_t/2), exactly
    p, bound = profile([Uniform()] * 300, 1 / 128, n=130, bound=True)
    found = mean_position_within(p, bound)
    assert Fraction(found.lo) <= 129 * Fraction(255, 256) ** 300 <= Fraction(found.hi) < Fraction(found.lo) * (1 + EPS)


def test_rows_whose_sums_miss_1_are_not_renormalised(route: str) -> None:
    kernel = Dense([[0.75, 0.0], [0.5, 0.625]], tolerance=0.25)
    p, bound = profile([kernel] * 2, 1, n=2, bound=True)
    # (½, ⅝) A = (½ · ¾ + ⅝ · ½, ⅝ · ⅝), in binary fractions
    assert p.tolist() == [0.6875, 0.390625] and (bound < 1e-17).all()


def test_without_rounding_the_bound_is_0(route: str) -> None:
    for kernels, lam in (([], 0.5), ([Uniform()] * 3, 0)):
        p, bound = profile(kernels, lam, n=5, bound=True)
        assert p.tolist() == [0, 0, 0, 0, 1] and bound.tolist() == [0] * 5
    p, bound = profile([Uniform()] * 3, 0.3, n=1, bound=True)
    assert p.tolist() == [1] and bound[0] < 2.0**-52


def test_bloom_176b(data_dir: Path) -> None:
    """The bar: at most 100 times the observed error. Measured at n = 4096, T = 70: 20 times, 2.8e−17 at most."""
    model, n, layers = find("bloom-176b"), 101, 7
    file = "authors-configs/alibi/all_content/fineweb-edu/bloom.yaml"
    rows = load_experiment(data_dir / file).content[:layers]
    kernels: list[Kernel] = [Alibi(model.slopes("paper"), row) for row in rows]
    lam = model.lam()[:layers].tolist()
    p, bound = profile(kernels, lam, n=n, bound=True)
    ends = enclosed(kernels, lam, n)
    assert holds(p, bound, ends) and bound.max() <= 100 * float(max(errors(p, ends)))


HUGE = Dense([[2.0]], tolerance=1)
REFUSED: list[tuple[Callable[[], object], Callable[[], object], str]] = [
    (lambda: profile([], 1, n=3, bound=1), lambda: profile([], 1, n=3, bound=True), "'bound' must be True or False"),  # type: ignore[call-overload]
    (
        lambda: profile([Uniform(), PrefixLM(2, 1)], 0, n=3, bound=True),
        lambda: profile([Uniform(), PrefixLM(1, 1).heads], 0, n=3, bound=True),
        r"not PrefixLM \(layer 2\)",
    ),
    (
        lambda: profile([HUGE] * 1001, 1, n=1, bound=True),
        lambda: profile([HUGE] * 999, 1, n=1, bound=True),
        r"multiply to at most 2\^1000, not to about 2\^1001",
    ),
    (lambda: profile([Uniform()], 1.5, n=3, bound=True), lambda: profile([Uniform()], 1, n=3, bound=True), "'lam'"),
    (lambda: profile([Uniform()], 1, n=0, bound=True), lambda: profile([Uniform()], 1, n=1, bound=True), "'n'"),
]


@pytest.mark.parametrize(("refused", "accepted", "message"), REFUSED)
def test_bad_input_is_refused(refused: Callable[[], object], accepted: Callable[[], object], message: str) -> None:
    accepted()
    with pytest.raises(InputError, match=message):
        refused()


@given(st.lists(st.floats(0, 1), min_size=5, max_size=5), st.integers(1, 10**6))
def test_the_formula_is_rounded_up(values: list[float], count: int) -> None:
    # entries of every size, with bits that float64 does not hold
    v = np.array(values, dtype=np.longdouble) / 3 * np.array([1, 1e-9, 1e-290, 1e-300, 5e-324], dtype=np.longdouble)
    relative = Fraction(count, 2**64 - 2 * count)
    p, bound = error_bound._rounded(v, relative)
    for x, y, b in zip(v, p.tolist(), bound.tolist(), strict=True):
        least = abs(Fraction(y) - exact(x)) + relative * exact(x) + Fraction(1, 2**1075)
        assert least <= Fraction(b) <= least * (1 + Fraction(1, 2**51)) + Fraction(1, 2**1073)


def test_lambda_is_the_float_that_a_schedule_gives(route: str) -> None:
    third: Mixing = Fraction(1, 3)
    p, bound = profile([Uniform()], third, n=2, bound=True)
    assert holds(p, bound, [(x, x) for x in (Fraction(1 / 3) / 2, 1 - Fraction(1 / 3) / 2)])
