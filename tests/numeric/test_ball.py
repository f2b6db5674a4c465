"""numeric.ball, numeric.ball_kernel: every ball contains the exact value."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from numeric.ball import ball_profile, ball_tails, decide_precedes, precedes_ball, precision
from numeric.ball_kernel import (
    BallAlibi,
    BallAverage,
    BallDistance,
    BallKernel,
    BallLogDistance,
    BallPrefix,
    as_ball,
    to_ball,
)
from numeric.distance import Distance, LogDistance, Window, distance_rows
from numeric.exact import ExactAverage, ExactDense, ExactKernel, ExactPrefix, exact_profile, to_flint
from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
from numeric.profile import profile
from numeric.refuse import InputError
from numeric.schedule import Geometric, Power
from numeric.strategies import causal_kernels, content_factors, distance_weights, mixing, prefix_weights
from tests.numeric.balls import contains

F = Fraction
Row = tuple[Fraction, ...]
Matrix = tuple[Row, ...]
THIRD = F(1, 3)

CASES: dict[str, Kernel] = {
    "uniform": Uniform(0.5),
    "prefix": Prefix(np.arange(1, 12), -1.5),
    "alibi": Alibi([0.5, 0.1, 3], [0, -2, 40]),
    "alibi, extreme": Alibi([0, 1e-9, 700], [400, -400, 3], [0.5, 0.25, 0.25]),
    "distance": Distance([0, -3, -math.inf, 2, 1, -math.inf, 0, 5, -700, 1, 0], 1),
    "log-distance": LogDistance(1.5, -3),
    "window": Window(4, 0.25, 2),
    "wide window": Window(40),
    "average": HeadAverage([Uniform(), Window(2), Prefix(np.ones(11), 2)], [0.25, 0.5, 0.25]),
    "dense": Dense(Prefix(np.ones(11), -3).matrix(11)),
}


def test_containment_is_decided_exactly() -> None:
    assert contains(arb(0.5), F(1, 2)) and not contains(arb(0.5), F(1, 2) + F(1, 10**300))
    assert arb(0.5).contains(to_flint(F(1, 2))) and not contains(to_ball(F(1, 3)).mid(), THIRD)


@settings(max_examples=50)
@given(prefix_weights(5), content_factors(), causal_kernels(5), distance_weights(5, nonincreasing=False), mixing(4))
def test_balls_contain_the_exact_profile(w: Row, e: Fraction, rows: Matrix, a: Row, lam: Row) -> None:
    average = ExactAverage([ExactPrefix(w, e), ExactDense(rows)], (F(1, 3), F(2, 3)))
    kernels: list[ExactKernel | Matrix] = [rows, ExactPrefix(w, e), average, distance_rows(a, e, n=5)]
    exact, balls = exact_profile(kernels, lam, n=5), ball_profile(kernels, lam, n=5)
    assert all(contains(ball, x) for ball, x in zip(balls, exact, strict=True))
    # 128 bits less a few for some hundred operations
    assert all(ball.rad() < 2.0**-110 for ball in balls)


@pytest.mark.parametrize("name", CASES)
def test_balls_agree_with_the_float_route(name: str) -> None:
    kernels = [CASES[name]] * 3
    p, balls = profile(kernels, [0.5, 1, 0.25], n=11), ball_profile(kernels, [0.5, 1, 0.25], n=11)
    # three rows, each within the (n + 760) roundings of the least accurate kernel
    assert max(abs(x - float(b)) for x, b in zip(p, balls, strict=True)) <= 3 * 800 * 2.0**-53
    assert all(ball.rad() < 2.0**-100 for ball in balls)


@pytest.mark.parametrize("name", CASES)
def test_more_precision_lies_inside_less(name: str) -> None:
    rough, fine = (ball_profile([CASES[name]] * 3, 0.7, n=11, prec=bits) for bits in (53, 300))
    for a, b in zip(rough, fine, strict=True):
        assert a.contains(b) and b.rad() < 2.0**-250
    assert any(not b.contains(a) for a, b in zip(rough, fine, strict=True))


def test_real_slopes_against_another_library() -> None:
    # softmax rows in mpmath at 60 digits, the matrices multiplied; slope and content are the floats 0.3 and −1.7
    with mpmath.workdps(60):
        m, d, n = mpmath.mpf(0.3), mpmath.mpf(-1.7), 7
        a = mpmath.zeros(n)
        for i in range(n):
            weights = [mpmath.exp(-m * (i - j) + (d if i == j else 0)) for j in range(i + 1)]
            for j in range(i + 1):
                a[i, j] = weights[j] / sum(weights)
        r = (mpmath.eye(n) + a) / 2
        last = (r**3)[n - 1, :]
        exact = [F(int(x.man)) * F(2) ** int(x.exp) for x in last]
    for kernel in (Alibi(0.3, -1.7), BallAlibi(0.3, -1.7), BallDistance([-F(0.3) * d for d in range(7)], -1.7)):
        balls = ball_profile([kernel] * 3, F(1, 2), n=7)
        assert all(contains(ball, x) for ball, x in zip(balls, exact, strict=True))
        assert not any(contains(ball, x + F(1, 10**30)) for ball, x in zip(balls, exact, strict=True))


def test_exact_parameters_stay_exact() -> None:
    # ⅓ as a rational and as a float differ by 2^−54 or so: more than the balls allow
    rational, rounded = (ball_profile([BallAlibi(x)] * 2, 0.5, n=5) for x in (THIRD, 1 / 3))
    assert not any(a.overlaps(b) for a, b in zip(rational, rounded, strict=True))
    # three equal heads are exact thirds, though three floats 1/3 sum to less than 1
    heads = ball_profile([Alibi([0.5] * 3)] * 2, 0.5, n=5)
    assert all(a.overlaps(b) for a, b in zip(heads, ball_profile([Alibi(0.5)] * 2, 0.5, n=5), strict=True))


def test_log_distance_with_an_integer_strength_is_rational() -> None:
    exact = exact_profile([distance_rows([F(1, (1 + d) ** 2) for d in range(7)], n=7)] * 2, F(1, 3), n=7)
    balls = ball_profile([BallLogDistance(2)] * 2, F(1, 3), n=7)
    assert all(contains(ball, x) for ball, x in zip(balls, exact, strict=True))


@given(st.fractions(0, 1), st.fractions(-1, 1))
def test_a_ball_parameter_stands_for_every_value_in_it(x: Fraction, y: Fraction) -> None:
    slope, content = F(1, 2) + x / 100, y / 50
    box = BallAlibi(to_ball(F(1, 2)).union(to_ball(F(51, 100))), arb(0, 0.02))
    wide, inside = ball_profile([box] * 2, 0.5, n=5), ball_profile([BallAlibi(slope, content)] * 2, 0.5, n=5)
    assert all(a.contains(b) for a, b in zip(wide, inside, strict=True))
    outside = ball_profile([BallAlibi(2)] * 2, 0.5, n=5)
    assert not all(a.contains(b) for a, b in zip(wide, outside, strict=True))


def test_schedules() -> None:
    # I7: E[pos] − 1 = (n − 1) Π (1 − λ_t/2) for the uniform kernel; λ_t = ½ t^−½ is irrational at t = 2, 3
    p = ball_profile([Uniform()] * 3, Power(0.5, 0.5), n=5)
    with precision(128):
        mean = sum((j * x for j, x in enumerate(p)), arb(0))
        assert mean.overlaps(4 * math.prod((1 - 1 / (4 * arb(t).sqrt()) for t in (1, 2, 3)), start=arb(1)))
    for rule in (Power(1, 2), Geometric(1, THIRD)):
        exact = exact_profile([ExactPrefix((1,) * 5)] * 3, rule, n=5)
        assert all(map(contains, ball_profile([Uniform()] * 3, rule, n=5), exact))
    # t^½ is above 1 from t = 2 on, where the rule says min(1, ·)
    capped, full = (ball_profile([Uniform()] * 2, rule, n=3) for rule in (Power(1, -0.5), 1))
    assert all(a.overlaps(b) for a, b in zip(capped, full, strict=True))


def test_conventions() -> None:
    assert ball_profile([], [], n=3) == (0, 0, 1)
    assert ball_profile([Uniform()] * 2, 0, n=2) == (0, 1)
    for kernel in (Uniform(3), Window(2, 1, -5), LogDistance(2, 3), BallDistance([-7], 2), BallPrefix([THIRD], 9)):
        assert ball_profile([kernel], 1, n=1) == (1,)
    assert ball_profile([Prefix([5.0], 3)], 1, n=1) == (1,)


@pytest.mark.parametrize("name", CASES)
def test_the_first_token_reads_itself_exactly(name: str) -> None:
    # averages of heads with weights that are no dyadic numbers enclose 1, the others are 1
    row = as_ball(CASES[name], 11).row([arb(1), *[arb(0)] * 10])
    assert row[0] == 1 or (name == "alibi" and contains(row[0], F(1)))
    assert all(x == 0 for x in row[1:])


def test_tails_are_added_at_the_precision_asked_for() -> None:
    p = ball_profile([Uniform()] * 3, THIRD, n=7, prec=200)
    assert all(f.rad() < 2.0**-190 for f in ball_tails(p, prec=200))
    assert ball_tails([THIRD, THIRD, THIRD])[0].contains(1) and len(ball_tails([1])) == 1


def test_precision_is_put_back() -> None:
    flint.ctx.prec = 77
    ball_profile([Uniform()], 0.5, n=3, prec=200)
    decide_precedes(([Uniform()], 1), ([Uniform()], 1), n=3, cap=128)
    assert flint.ctx.prec == 77
    with pytest.raises(InputError):
        ball_profile([Uniform(), Prefix([1])], 0.5, n=3)
    with pytest.raises(ZeroDivisionError), precision(99):
        assert flint.ctx.prec == 99
        raise ZeroDivisionError
    assert flint.ctx.prec == 77


@pytest.mark.parametrize("outside", [2, 10, 4000])
def test_the_callers_precision_changes_nothing(outside: int) -> None:
    expected = [x.str(60, more=True) for x in ball_profile(list(CASES.values()), 0.3, n=11)]
    flint.ctx.prec = outside
    found = ball_profile(list(CASES.values()), 0.3, n=11)
    flint.ctx.prec = 53
    assert [x.str(60, more=True) for x in found] == expected


WIDE = arb(0, 1)
REFUSED: list[tuple[Callable[[], object], Callable[[], object], str]] = [
    (lambda: to_ball(math.nan, "slope"), lambda: to_ball(0.5, "slope"), "slope"),
    (lambda: to_ball(arb("nan"), "slope"), lambda: to_ball(arb(1), "slope"), "finite ball"),
    (lambda: BallAlibi("1"), lambda: BallAlibi(1), "slope"),
    (lambda: BallAlibi(1, math.inf), lambda: BallAlibi(1, -1e9), "content"),
    (lambda: BallPrefix([]), lambda: BallPrefix([1]), "weights"),
    (lambda: BallPrefix([1, 0]), lambda: BallPrefix([1, F(1, 10**400)]), "entry 2"),
    (lambda: BallPrefix([1, WIDE]), lambda: BallPrefix([1, WIDE + 2]), "entry 2"),
    (lambda: BallPrefix([1], 0, 0), lambda: BallPrefix([1], 0, THIRD), "'e' must be positive"),
    (lambda: BallDistance([]), lambda: BallDistance([0]), "bias"),
    (lambda: BallDistance([None, 0]), lambda: BallDistance([0, None]), "bias"),
    (lambda: BallDistance([0, math.inf]), lambda: BallDistance([0, -math.inf]), "entry 2"),
    (lambda: BallLogDistance(math.nan), lambda: BallLogDistance(-1), "strength"),
    (lambda: BallAverage([]), lambda: BallAverage([BallAlibi(0)]), "kernels"),
    (lambda: BallAverage([Uniform()]), lambda: BallAverage([as_ball(Uniform(), 2)]), "ball kernel"),  # type: ignore[list-item]
    (lambda: BallAverage([BallAlibi(0)], [0.9]), lambda: BallAverage([BallAlibi(0)], [1]), "sum 1"),
    (lambda: BallAverage([BallAlibi(0)], [1, 0]), lambda: BallAverage([BallAlibi(0)] * 2, [1, 0]), "per head"),
    (
        lambda: BallAverage([BallPrefix([1]), BallPrefix([1, 1])]),
        lambda: BallAverage([BallPrefix([1]), BallAlibi(1)]),
        "common n",
    ),
    (lambda: ball_profile(Uniform(), 1, n=2), lambda: ball_profile([Uniform()], 1, n=2), "kernels"),  # type: ignore[arg-type]
    (lambda: ball_profile([Uniform()], 1.5, n=2), lambda: ball_profile([Uniform()], 1, n=2), "'lam'"),
    (lambda: ball_profile([Uniform()], 1, n=0), lambda: ball_profile([Uniform()], 1, n=1), "'n'"),
    (lambda: ball_profile([Uniform()], 1, n=2, prec=1), lambda: ball_profile([Uniform()], 1, n=2, prec=2), "prec"),
    (lambda: ball_profile([((1, 0), (THIRD, THIRD))], 1, n=2),
     lambda: ball_profile([((1, 0), (THIRD, 1 - THIRD))], 1, n=2), "sum to 1"),
    (lambda: ball_profile([BallPrefix([1, 1])], 1, n=3), lambda: ball_profile([BallPrefix([1, 1])], 1, n=2), "'n'"),
    (lambda: ball_profile([0], 1, n=1), lambda: ball_profile([((1,),)], 1, n=1), "kernels"),  # type: ignore[list-item]
    (lambda: precedes_ball([1], [0.5, 0.5]), lambda: precedes_ball([0, 1], [0.5, 0.5]), "length 1"),
    (lambda: ball_tails([]), lambda: ball_tails([1]), "'p'"),
    (lambda: decide_precedes(([], 0), ([], 0), n=1, start=99, cap=98),
     lambda: decide_precedes(([], 0), ([], 0), n=1, start=99, cap=99), "cap"),
]  # fmt: skip


@pytest.mark.parametrize(("refused", "accepted", "message"), REFUSED)
def test_bad_input_is_refused_beside_its_neighbour(
    refused: Callable[[], object], accepted: Callable[[], object], message: str
) -> None:
    accepted()
    with pytest.raises(InputError, match=message) as caught:
        refused()
    assert "\n" not in str(caught.value)


def test_a_kernel_unknown_to_ball_arithmetic_is_refused() -> None:
    class Odd(Kernel):
        def _row(self, v: np.ndarray) -> np.ndarray:
            return v

        def _dense(self, n: int) -> np.ndarray:
            return np.eye(n)

    with pytest.raises(InputError, match="known to ball arithmetic"):
        as_ball(Odd(), 3)
    assert isinstance(as_ball(Uniform(), 3), BallKernel)
