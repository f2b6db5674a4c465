"""U6 for one entry: rationals by two routes against the row recursion, decimals against rationals, and twins."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from typing import Any

import flint
import mpmath
import pytest

from numeric import decimal_form, exact_form, mpmath_form
from numeric.ball import ball_profile, precision
from numeric.ball_kernel import BallAlibi, to_ball
from numeric.decimal_form import ball_entry, decimals, digits_of
from numeric.entry_law import Depth, Layers
from numeric.exact import ExactPrefix, exact_profile
from numeric.exact_form import by_levels, exact_entry, exact_size
from numeric.prefix_form import AlibiRows, Nodes, PrefixRows, entry_of
from numeric.refuse import InputError
from numeric.schedule import Constant, Continued, Listed, Power

THIRD = Fraction(1, 3)


def cases(seed: int, times: int) -> list[tuple[list[Fraction], Fraction, list[Fraction]]]:
    rng = random.Random(seed)
    drawn = []
    for _ in range(times):
        weights = [Fraction(rng.randint(1, 7), rng.randint(1, 4)) for _ in range(rng.randint(1, 6))]
        e = rng.choice([Fraction(1), Fraction(rng.randint(1, 9), rng.randint(1, 5))])
        drawn.append((weights, e, [Fraction(rng.randint(0, 4), 4) for _ in range(rng.randint(0, 4))]))
    return drawn


# --- rationals ------------------------------------------------------------------------------------------------------


def test_both_routes_are_the_recursion() -> None:
    for weights, e, lam in cases(1, 60):
        n, kernel = len(weights), PrefixRows(weights, e)
        expected = exact_profile([ExactPrefix(weights, e)] * len(lam), lam, n=n)
        assert tuple(exact_entry(kernel, lam, n=n, j=j) for j in range(1, n + 1)) == expected
        attending = [x for x in lam if x]
        if attending:
            for j in range(1, n):
                assert by_levels(kernel.nodes(j, n, Fraction, NotImplemented), attending) == expected[j - 1]


def test_coincident_nodes() -> None:
    # W_k / w_k = 1, 2, 2: the divided difference would divide by 0
    lam = [THIRD, Fraction(1, 2), Fraction(1)]
    assert tuple(exact_entry(PrefixRows((1, 1, 2)), lam, n=3, j=j) for j in (1, 2, 3)) == exact_profile(
        [ExactPrefix((1, 1, 2))] * 3, lam, n=3
    )


def test_three_by_hand() -> None:
    # w = (1, 2, 4), λ = (1, 1): U4, (47, 52, 48)/147
    found = [exact_entry(PrefixRows((1, 2, 4)), [Fraction(1)] * 2, n=3, j=j) for j in (1, 2, 3)]
    assert found == [Fraction(x, 147) for x in (47, 52, 48)]


def test_a_changed_node_is_noticed() -> None:
    nodes = PrefixRows().nodes(1, 3, Fraction, NotImplemented)
    law = [2 * THIRD * (1 - THIRD), THIRD**2]
    right = exact_entry(PrefixRows(), [THIRD] * 2, n=3, j=1)
    assert entry_of(nodes, law) == right
    for k in range(3):
        own = tuple(x + (at == k) for at, x in enumerate(nodes.own))
        assert entry_of(Nodes(own, own, nodes.reach), law) != right


def test_the_size_is_an_upper_bound() -> None:
    for kernel, n, T in ((PrefixRows(), 30, 20), (PrefixRows((1, 1, 2, 7)), 4, 9), (PrefixRows(None, THIRD), 12, 7)):
        for j in (1, n - 1, n):
            digits, seconds = exact_size(kernel, [THIRD] * T, n=n, j=j)
            assert 10**digits > exact_entry(kernel, [THIRD] * T, n=n, j=j).denominator
            assert 0 < seconds < 1


# --- decimals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [1, 2, 17, 50, 400])
def test_digits_are_those_of_the_rational(digits: int) -> None:
    for weights, e, lam in cases(2, 12):
        n, kernel = len(weights), PrefixRows(weights, e)
        law = Layers(Listed(lam) if lam else Constant(0), len(lam))
        for j in range(1, n + 1):
            assert digits_of(kernel, law, n=n, j=j, digits=digits) == decimals(
                exact_entry(kernel, lam, n=n, j=j), digits
            )


def test_an_exact_half_is_rounded_as_the_rational_it_is() -> None:
    # p_1 = 3/8 · 1/3 = 0.125, whose factors no ball holds exactly; half to even
    law = Layers(Constant(THIRD), 1)
    kernel = PrefixRows((3, 5))
    assert exact_entry(kernel, [THIRD], n=2, j=1) == Fraction(1, 8)
    assert digits_of(kernel, law, n=2, j=1, digits=2) == "0.12"
    assert digits_of(kernel, law, n=2, j=1, digits=3) == "0.125"
    # 0.375 by the same weights the other way round, λ = 3/5
    assert digits_of(PrefixRows((5, 3)), Layers(Constant(Fraction(3, 5)), 1), n=2, j=1, digits=2) == "0.38"


def test_decimals_against_pythons_own() -> None:
    for value in (
        Fraction(1, 7),
        Fraction(99_995, 100_000),
        Fraction(1, 3 * 10**9),
        Fraction(2, 3),
        Fraction(5, 10**9),
    ):
        for digits in (1, 3, 12):
            found = Decimal(decimals(value, digits))
            assert len(found.as_tuple().digits) == digits
            half = Fraction(1, 2) * Fraction(10) ** (found.adjusted() - digits + 1)
            assert abs(Fraction(found) - value) <= half
    assert (decimals(Fraction(0), 5), decimals(Fraction(1), 5)) == ("0", "1")


def test_alibi_is_the_ball_recursion() -> None:
    slope = Fraction(1, 4)
    p = ball_profile([BallAlibi(slope)] * 5, Power(Fraction(1, 2), Fraction(1, 2)), n=7, prec=256)
    law = Layers(Power(Fraction(1, 2), Fraction(1, 2)), 5)
    for j in range(1, 8):
        shown = digits_of(AlibiRows(slope), law, n=7, j=j, digits=40)
        with precision(256):
            assert abs(p[j - 1] - to_ball(Fraction(shown))) < to_ball(Fraction(1, 10**40))


def test_depth_is_the_exponential() -> None:
    # e^{S(A − I)} of mpmath, which multiplies matrices
    S, weights = Fraction(7, 3), (1, 3, 2, 5)
    with mpmath.mp.workdps(60):
        A = mpmath.matrix(4, 4)
        for i in range(4):
            for k in range(i + 1):
                A[i, k] = mpmath.mpf(weights[k]) / sum(weights[: i + 1])
        P = mpmath.expm((A - mpmath.eye(4)) * S.numerator / S.denominator)
        for j in range(1, 5):
            shown = digits_of(PrefixRows(weights), Depth(S), n=4, j=j, digits=40)
            assert abs(P[3, j - 1] - mpmath.mpf(shown)) < mpmath.mpf(10) ** -40


def test_edges() -> None:
    for law in (Layers(Constant(0), 3), Layers(Constant(THIRD), 0), Depth(Fraction(0))):
        assert [digits_of(PrefixRows(), law, n=3, j=j, digits=7) for j in (1, 2, 3)] == ["0", "0", "1"]
    for law in (Layers(Constant(THIRD), 9), Depth(Fraction(5))):
        assert digits_of(AlibiRows(1), law, n=1, j=1, digits=7) == "1"
    assert digits_of(PrefixRows(), Layers(Constant(1), 3), n=2, j=2, digits=3) == "0.125"
    late = Continued(Listed([0, THIRD]), Power(Fraction(1, 2), Fraction(1, 2)))
    assert Layers(late, 4).shares() is None
    assert digits_of(PrefixRows(), Layers(late, 4), n=2, j=2, digits=10)  # mpmath agrees


def test_precision_is_put_back() -> None:
    before = (mpmath.mp.prec, flint.ctx.prec)
    digits_of(AlibiRows(THIRD), Layers(Constant(THIRD), 3), n=5, j=2, digits=100)
    assert (mpmath.mp.prec, flint.ctx.prec) == before


def test_mpmath_that_contradicts_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = mpmath_form.mpmath_entry

    def wrong(*arguments: Any) -> Fraction:
        return real(*arguments) * (1 + Fraction(1, 10**30))

    monkeypatch.setattr(mpmath_form, "mpmath_entry", wrong)
    with pytest.raises(ArithmeticError, match="disagree on entry 1"):
        digits_of(PrefixRows(), Layers(Constant(THIRD), 3), n=5, j=1, digits=20)


def test_what_neither_decides_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decimal_form, "_EXACT_SECONDS", 0.0)
    with pytest.raises(InputError, match="'digits' must be digits that balls of 284 bits decide, not 2"):
        digits_of(PrefixRows((3, 5)), Layers(Constant(THIRD), 1), n=2, j=1, digits=2)


def test_a_wide_ball_holds_the_number() -> None:
    ball = ball_entry(PrefixRows(), Layers(Constant(THIRD), 9), n=6, j=2, prec=20)
    exact = exact_entry(PrefixRows(), [THIRD] * 9, n=6, j=2)
    assert ball.contains(flint.fmpq(*exact.as_integer_ratio()))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PrefixRows(()), "'weights' must have at least one entry"),
        (lambda: PrefixRows((1, -1)), r"'weights' must be positive, not -1 \(entry 2, counted from 1\)"),
        (lambda: PrefixRows(None, 0), "'e' must be positive, not 0"),
        (lambda: Depth(Fraction(-1)), r"'depth' must lie in \[0, 10000\], not -1"),
        (lambda: digits_of(PrefixRows(), Depth(Fraction(1)), n=2, j=3, digits=1), "'entry' must lie in 1..2, not 3"),
        (lambda: digits_of(PrefixRows(), Depth(Fraction(1)), n=2, j=1, digits=0), "'digits' must be at least 1, not 0"),
        (
            lambda: digits_of(PrefixRows(), Depth(Fraction(1)), n=2, j=1, digits=10**6),
            r"'digits' must lie in \[1, 1000",
        ),
    ],
)
def test_refusals(make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_the_exact_route_does_not_hide_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> Fraction:
        raise AssertionError

    monkeypatch.setattr(exact_form, "by_differences", never)
    assert exact_entry(PrefixRows((1, 1, 2)), [THIRD], n=3, j=1) == THIRD / 4
