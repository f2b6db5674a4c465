"""numeric.depth: the smallest depth and the bounds, against matrix products in exact rationals."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest

from numeric.ball import ball_profile, precision
from numeric.ball_kernel import Ball, BallAlibi, to_ball
from numeric.depth import Interval, depth
from numeric.endless import endless
from numeric.first_token import DEEPEST, Mass, Staircase, smallest_depth
from numeric.refuse import InputError
from numeric.schedule import Continued, Power, read_schedule
from numeric.shared_kernel import RationalKernel, SoftmaxKernel

HALF = Fraction(1, 2)
Rows = Sequence[Sequence[Fraction]]
DEEP = 10
TIGHT = 1e-14


def first_tokens(layers: Sequence[Rows], lam: Sequence[Fraction]) -> list[Fraction]:
    """P^(T)_{n1} for T = 0, 1, …, by multiplying matrices from below."""
    n = len(layers[0])
    product = [[Fraction(i == j) for j in range(n)] for i in range(n)]
    out = [product[-1][0]]
    for rows, share in zip(layers, lam, strict=True):
        blend = [[(1 - share) * (i == j) + share * rows[i][j] for j in range(n)] for i in range(n)]
        product = [
            [sum((a * product[k][j] for k, a in enumerate(row)), Fraction(0)) for j in range(n)] for row in blend
        ]
        out.append(product[-1][0])
    return out


def diagonal(layers: Sequence[Rows], lam: Sequence[Fraction]) -> Fraction:
    value = Fraction(1)
    for rows, share in zip(layers, lam, strict=True):
        value *= 1 - share * (1 - rows[-1][-1])
    return value


def drawn_kernel(rng: random.Random, n: int) -> list[list[Fraction]]:
    rows = []
    for i in range(n):
        weights = [rng.randint(0, 3) for _ in range(i + 1)]
        weights[0] += not any(weights)
        rows.append([Fraction(w, sum(weights)) for w in weights] + [Fraction(0)] * (n - 1 - i))
    return rows


RULES = (
    "1", "1/2", "1/3", "power:1,1", "power:1/2,1", "power:1,2", "geometric:1,1/2", "geometric:3/4,9/10",
    "0,1,1/2 then 1/3", "1/2,1 then power:1,1", "1,1,1 then 0", "1/2 then geometric:1,1/2",
)  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
def test_the_smallest_depth_is_that_of_brute_force(rule: str) -> None:
    """Among them goals that are met with equality: entries and 1 − η have small denominators."""
    rng, found = random.Random(rule), 0
    lam = read_schedule(rule)
    for _ in range(6):
        rows = drawn_kernel(rng, rng.randint(1, 4))
        values = first_tokens([rows] * DEEP, lam.exact(DEEP))
        reached = [value for value in values if 0 < value < 1]
        eta = 1 - rng.choice(reached) if reached else Fraction(1, 7)
        answer = depth(lam, n=len(rows), kernel=RationalKernel(rows), eta=eta, layers=DEEP)
        assert answer.first_token.lo <= values[DEEP] <= answer.first_token.hi
        assert answer.first_token.hi - answer.first_token.lo < TIGHT
        expected = next((T for T, value in enumerate(values) if value >= 1 - eta), None)
        assert answer.needed is not None
        if expected is None:
            assert answer.needed.outcome == "never" or (answer.needed.layers or 0) > DEEP
        else:
            found += 1
            assert (answer.needed.layers, answer.needed.outcome) == (expected, "found")
    assert found >= 3


@pytest.mark.parametrize("slope", [Fraction(0), HALF, Fraction(3)])
@pytest.mark.parametrize("rule", ["3/10", "power:1,1/2"])
def test_softmax_kernels_step_by_step(slope: Fraction, rule: str) -> None:
    """Row by row in balls, layer by layer: another way than by the number of hops."""
    answer = depth(read_schedule(rule), n=6, kernel=SoftmaxKernel((slope,), 6), eta=Fraction(1, 10))
    assert answer.needed is not None and answer.needed.layers is not None
    lam, T = read_schedule(rule), answer.needed.layers
    at, before = (ball_profile([BallAlibi(slope)] * t, lam, n=6)[0] for t in (T, T - 1))
    assert at > 0.9 > before


@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("epsilon", [Fraction(1), HALF, Fraction(1, 10)])
@pytest.mark.parametrize("rule", ["1/2", "power:1,1/1", "geometric:1,9/10"])
def test_the_bound_of_i5_is_sharp(n: int, epsilon: Fraction, rule: str) -> None:
    """For A_{k,k−1} = ε, A_kk = 1 − ε the bound is the value: brute force gives both the bound and the depth."""
    rows = [[Fraction(1)] + [Fraction(0)] * (n - 1)]
    rows += [
        [epsilon if j == i - 1 else (1 - epsilon if j == i else Fraction(0)) for j in range(n)] for i in range(1, n)
    ]
    lam = read_schedule(rule).exact(30)
    values = first_tokens([rows] * 30, lam)
    eta = Fraction(1, 3)
    answer = depth(read_schedule(rule), n=n, epsilon=epsilon, layers=30, eta=eta)
    assert abs(answer.first_token.lo - float(values[30])) < TIGHT
    assert Fraction(answer.first_token.lo) <= values[30]
    expected = next((T for T, value in enumerate(values) if value >= 1 - eta), None)
    assert answer.by == "I5" and answer.needed is not None
    if expected is None:
        assert answer.needed.layers is None or answer.needed.layers > 30
        assert answer.needed.above >= 30 or answer.needed.outcome == "never"
    else:
        assert answer.needed.layers == expected


@pytest.mark.parametrize("epsilon", [None, HALF])
def test_bounds_hold_for_kernels_that_change_with_the_layer(epsilon: Fraction | None) -> None:
    rng = random.Random(7)
    lam = read_schedule("geometric:3/4,2/3")
    for _ in range(20):
        n, layers = rng.randint(1, 4), []
        for _ in range(DEEP):
            rows = drawn_kernel(rng, n)
            for i in range(1, n if epsilon is not None else 0):  # half of every row goes to the first token
                rows[i] = [(1 - HALF) * x for x in rows[i]]
                rows[i][0] += HALF
            layers.append(rows)
        answer = depth(lam, n=n, epsilon=epsilon, layers=DEEP)
        assert answer.first_token.lo <= first_tokens(layers, lam.exact(DEEP))[DEEP] <= answer.first_token.hi
        longer = diagonal(layers, lam.exact(DEEP))
        assert answer.diagonal.lo <= longer  # the diagonal falls with depth
        stay = [[[Fraction(i == j) for j in range(n)] for i in range(n)]] * DEEP
        assert epsilon is not None or answer.first_token.lo <= first_tokens(stay, lam.exact(DEEP))[DEEP]


def test_the_diagonal_limit_of_a_kernel() -> None:
    """λ_t = 1/(t+1)² shifted by a list, δ_2 = 1: Π_{t≥2} (1 − 1/t²) = ½, and with δ_2 = ½ it is another number."""
    rule = Continued([0], Power(1, 2))
    one, other = RationalKernel(((1, 0), (1, 0))), RationalKernel(((1, 0), (HALF, HALF)))
    assert depth(rule, n=2, kernel=one).diagonal.lo <= 0.5 <= depth(rule, n=2, kernel=one).diagonal.hi
    assert depth(rule, n=2, kernel=one).diagonal.hi - 0.5 < TIGHT
    assert depth(rule, n=2, kernel=other).diagonal.lo > 0.69
    assert depth(rule, n=2, kernel=one).first_token.lo == pytest.approx(0.5, abs=TIGHT)


def test_the_limit_is_approached_from_below() -> None:
    rule, kernel = read_schedule("power:1/2,3/2"), SoftmaxKernel((HALF,), 12)
    limit = depth(rule, n=12, kernel=kernel).first_token
    values = [depth(rule, n=12, kernel=kernel, layers=T).first_token for T in (1, 50, 5000, 10**6, DEEPEST)]
    assert all(a.hi <= b.lo for a, b in zip(values[:-1], [*values[1:-1], limit], strict=True))
    assert limit.hi - limit.lo < TIGHT
    assert limit.hi - values[3].lo < 1e-2


def test_a_still_row_keeps_some_mass() -> None:
    rows = ((1, 0, 0), (0, 1, 0), (HALF, Fraction(1, 4), Fraction(1, 4)))
    answer = depth(1, n=3, kernel=RationalKernel(rows), eta=Fraction(1, 4))
    assert answer.dichotomy.verdict == "no collapse"
    assert answer.first_token.lo <= Fraction(2, 3) <= answer.first_token.hi
    assert answer.diagonal == Interval(0.0, 0.0)
    assert answer.needed is not None and answer.needed.outcome == "never"
    assert depth(1, n=2, kernel=RationalKernel(((1, 0), (0, 1)))).diagonal == Interval(1.0, 1.0)


def test_a_goal_that_is_the_limit_is_never_met_in_silence() -> None:
    """h_3 = 2/3 is approached and never reached: neither found nor, since balls cannot tell, called impossible."""
    rows = ((1, 0, 0), (0, 1, 0), (HALF, Fraction(1, 4), Fraction(1, 4)))
    answer = depth(1, n=3, kernel=RationalKernel(rows), eta=Fraction(1, 3))
    assert answer.needed is not None
    assert (answer.needed.layers, answer.needed.outcome) == (None, "undecided")


def test_a_deep_search_in_the_harmonic_rule() -> None:
    """n = 2 and ε = 1 leave Π (1 − λ_t) = Γ(T + ½) / (Γ(½) T!): below η at the depth found, not one layer before."""
    found = smallest_depth(Mass(endless(Power(HALF, 1)), Staircase(2), Fraction(1)), 1 - Fraction(1, 10**6))
    assert found.layers is not None and found.layers > 10**11

    def left(T: int) -> Ball:
        return (to_ball(T + HALF).lgamma() - to_ball(HALF).lgamma() - to_ball(T + 1).lgamma()).exp()

    with precision(256):
        assert left(found.layers) <= to_ball(Fraction(1, 10**6)) < left(found.layers - 1)


@pytest.mark.parametrize("lam", [Fraction(1, 3), Fraction(1, 10**6)])
def test_a_deep_search_in_the_constant_rule(lam: Fraction) -> None:
    """P[Bin(T, y) ≤ n − 2] is the regularised incomplete beta function I_{1−y}(T − n + 2, n − 1)."""
    n, y = 8, lam / 2
    found = smallest_depth(Mass(endless(lam), Staircase(n), HALF), Fraction(99, 100))
    assert found.layers is not None
    with precision(256):
        for T, enough in ((found.layers, True), (found.layers - 1, False)):
            left = to_ball(1 - y).beta_lower(to_ball(T - n + 2), to_ball(n - 1), regularized=True)
            assert (left <= to_ball(Fraction(1, 100))) is enough


def test_searches_end() -> None:
    harmonic = depth(read_schedule("power:1/2,1"), n=64, epsilon=HALF).needed
    assert harmonic is not None and (harmonic.outcome, harmonic.above) == ("beyond", DEEPEST)
    steep = depth(HALF, n=8, kernel=SoftmaxKernel((60,), 8)).needed
    assert steep is not None and steep.outcome == "undecided" and steep.layers is None and steep.above > 0


def test_a_list_alone_is_bounded_by_what_may_follow() -> None:
    kernel = SoftmaxKernel((0,), 4)
    answer = depth([HALF, HALF], n=4, kernel=kernel)
    assert answer.dichotomy.verdict == "undecided"
    at_two = depth([HALF, HALF], n=4, kernel=kernel, layers=2).first_token
    assert (answer.first_token.lo, answer.first_token.hi) == (at_two.lo, 1.0)
    assert answer.diagonal.lo == 0 and answer.diagonal.hi == pytest.approx((5 / 8) ** 2)
    assert depth([HALF], n=4).first_token == Interval(0.0, 1.0)


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: depth(HALF, n=0), "'n' must be at least 1"),
    (lambda: depth(HALF, n=10**12, epsilon=HALF), "'n' must be at most 10000000, not"),
    (lambda: depth(HALF, n=3, epsilon=0), r"'epsilon' must lie in \(0, 1\], not 0"),
    (lambda: depth(HALF, n=3, epsilon=1.5), "'epsilon'"),
    (lambda: depth(HALF, n=3, epsilon=float("nan")), "'epsilon' must be a finite number"),
    (lambda: depth(HALF, n=3, eta=0), r"'eta' must lie in \(0, 1\), not 0"),
    (lambda: depth(HALF, n=3, eta=1), "'eta'"),
    (lambda: depth(HALF, n=3, layers=-1), "'layers' must be at least 0"),
    (lambda: depth(HALF, n=3, layers=DEEPEST + 1), "'layers' must be at most"),
    (lambda: depth([HALF], n=3, layers=2), "'layers' must be at most 1, the layers that the list gives"),
    (lambda: depth(HALF, n=3, kernel=SoftmaxKernel((0,), 4)), "'n' must be 4"),
    (lambda: depth(HALF, n=4, kernel=SoftmaxKernel((0,), 4), epsilon=HALF), "'epsilon' must be left out beside a"),
    (lambda: depth(Power(HALF, -1), n=3), "'lam' must have beta at least 0"),
    (lambda: depth(1.5, n=3), "'lam'"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_refused(call: Callable[[], object], message: str) -> None:
    depth(HALF, n=3, epsilon=1, eta=HALF, layers=0)
    with pytest.raises(InputError, match=message):
        call()
