"""The whole row by one sweep: against every entry by itself, the recursion in rationals, and twins."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from math import factorial
from typing import Any

import flint
import mpmath
import pytest

from numeric import decimal_form, row_form
from numeric.decimal_form import ball_entry, decimals, digits_of
from numeric.entry_law import Depth, Law, Layers
from numeric.exact_form import exact_entry
from numeric.mpmath_form import depth_terms
from numeric.prefix_form import AlibiRows, LazyRows, Nodes, PrefixRows
from numeric.refuse import InputError
from numeric.row_form import ball_row, exact_row, exact_row_seconds, row_digits, row_seconds
from numeric.schedule import Constant, Continued, Geometric, Listed, Power

THIRD = Fraction(1, 3)
KERNELS: dict[str, LazyRows] = {
    "uniform": PrefixRows(),
    "prefix": PrefixRows((3, 1, Fraction(7, 2), 1, 2)),
    "content": PrefixRows(None, Fraction(5, 3)),
    "content and weights": PrefixRows((1, 2, 4, 8, 3), Fraction(1, 7)),
    "alibi": AlibiRows(Fraction(3, 4)),
    "alibi, steep": AlibiRows(30),
    "alibi, backward": AlibiRows(-2),
}
LAWS: dict[str, Law] = {
    "constant": Layers(Constant(THIRD), 7),
    "listed": Layers(Listed([1, 0, Fraction(1, 5)]), 3),
    "power": Layers(Power(Fraction(1, 2), Fraction(1, 2)), 7),
    "continued": Layers(Continued(Listed([0, THIRD]), Power(Fraction(1, 2), Fraction(1, 2))), 5),
    "long": Layers(Geometric(Fraction(1, 2), Fraction(2, 3)), 1200),
    "depth": Depth(Fraction(7, 3)),
    "small depth": Depth(Fraction(1, 10**400)),
}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("law", [name for name in LAWS if name != "long"])
def test_every_entry_by_itself(kernel: str, law: str) -> None:
    of = (KERNELS[kernel], LAWS[law])
    alone = tuple(digits_of(*of, n=5, j=j, digits=23) for j in range(1, 6))
    assert row_digits(*of, n=5, digits=23) == alone


def test_rationals_are_every_entry_by_itself() -> None:
    rng = random.Random(3)
    for name in ("uniform", "prefix", "content", "content and weights"):
        lam = [Fraction(rng.randint(0, 4), 4) for _ in range(rng.randint(0, 5))]
        found = exact_row(KERNELS[name], lam, n=5)
        assert found == tuple(exact_entry(KERNELS[name], lam, n=5, j=j) for j in range(1, 6))
    assert exact_row(PrefixRows(), [THIRD], n=1) == (Fraction(1),)
    assert exact_row(PrefixRows(), [], n=3) == (Fraction(0), Fraction(0), Fraction(1))


def test_a_ball_too_wide_to_decide_leaves_it_to_rationals(monkeypatch: pytest.MonkeyPatch) -> None:
    # p = (1/8, 7/8): half way between two digits, no ball of 1/3 decides it
    law = Layers(Constant(THIRD), 1)
    assert row_digits(PrefixRows((3, 5)), law, n=2, digits=2) == ("0.12", "0.88")
    monkeypatch.setattr(row_form, "_EXACT_SECONDS", 0.0)
    with pytest.raises(InputError, match=r"'digits' must be digits that balls of 284 bits decide, not 2 \(entry 1\)"):
        row_digits(PrefixRows((3, 5)), law, n=2, digits=2)
    # 0.9999…: one more try with more bits
    assert row_digits(PrefixRows((10**30, 1)), law, n=2, digits=2)[1] == digits_of(
        PrefixRows((10**30, 1)), law, n=2, j=2, digits=2
    )


def test_balls_of_few_bits_hold_the_row() -> None:
    exact = exact_row(PrefixRows(), [THIRD] * 9, n=6)
    for bits in (8, 20):
        row = ball_row(PrefixRows(), Layers(Constant(THIRD), 9), n=6, prec=bits)
        assert all(ball.contains(flint.fmpq(*x.as_integer_ratio())) for ball, x in zip(row, exact, strict=True))
    wide, sharp = (ball_row(AlibiRows(1), Depth(Fraction(9)), n=6, prec=bits) for bits in (10, 300))
    assert all(a.overlaps(b) for a, b in zip(wide, sharp, strict=True))


def test_what_is_cut_off_is_in_the_balls(monkeypatch: pytest.MonkeyPatch) -> None:
    law = Depth(Fraction(9))
    sharp = ball_row(PrefixRows(), law, n=6, prec=200)
    for module in (row_form, decimal_form):
        monkeypatch.setattr(module, "depth_terms", lambda *_: 14)
    cut = ball_row(PrefixRows(), law, n=6, prec=200)
    alone = [ball_entry(PrefixRows(), law, n=6, j=j, prec=200) for j in range(1, 6)]
    assert all(a.contains(b) for a, b in zip(cut, sharp, strict=True))
    assert all(a.contains(b) for a, b in zip(alone, sharp, strict=False))
    assert cut[0].rel_accuracy_bits() < 30


def test_mixing_close_to_one() -> None:
    # 1 − λ = 10^−50 weighs as much as θ = 10^−50: p_2 = A_32 (2 λ (1 − λ) + λ² (θ_2 + θ_3)) = 4 · 10^−100, about
    small = Fraction(1, 10**50)
    kernel, law = PrefixRows((10**50, 1, 1)), Layers(Constant(1 - small), 2)
    exact = exact_entry(kernel, [1 - small] * 2, n=3, j=2)
    assert abs(exact / (4 * small**2) - 1) < 10 * small
    assert digits_of(kernel, law, n=3, j=2, digits=20) == decimals(exact, 20)
    assert row_digits(kernel, law, n=3, digits=20)[1] == decimals(exact, 20)


def test_poisson_reaches_the_least_entry() -> None:
    # y_k(1) grows like binomials: terms with P(K = k) far below 2^−bits carry p_1. In rationals:
    # P(K > M) ≤ P(K = M+1) / (1 − S/(M+2)), beside P(K = 1) A_nj, both without e^−S
    for S, reach in ((Fraction(1), "1e-9000"), (Fraction(9, 2), "0.5"), (Fraction(1, 10**400), "1e-30")):
        for bits in (64, 1000):
            M = depth_terms(Depth(S), bits, flint.arb(reach))
            rest = S ** (M + 1) / factorial(M + 1) / (1 - S / (M + 2))
            assert rest <= S * Fraction(reach) / 2**bits
    kernel, law = KERNELS["alibi, steep"], Depth(Fraction(1))
    assert row_digits(kernel, law, n=30, digits=40)[0] == digits_of(kernel, law, n=30, j=1, digits=40)


def test_mpmath_that_contradicts_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = row_form._mpmath_row

    def wrong(*arguments: Any) -> list[Any]:
        *rest, last = real(*arguments)
        return [*rest, last * (1 + mpmath.mpf(10) ** -30)]

    monkeypatch.setattr(row_form, "_mpmath_row", wrong)
    for law in ("constant", "depth"):
        with pytest.raises(ArithmeticError, match="disagree on entry 5"):
            row_digits(PrefixRows(), LAWS[law], n=5, digits=20)


def test_a_wrong_step_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_the_last(nodes: Nodes, s: Sequence[Any]) -> list[Any]:
        return [*real(nodes, s)[:-1], nodes.own[-1] * 0]

    real = row_form._step
    right = row_digits(PrefixRows(), LAWS["constant"], n=5, digits=5)
    monkeypatch.setattr(row_form, "_step", without_the_last)
    assert row_digits(PrefixRows(), LAWS["constant"], n=5, digits=5) != right


def test_edges() -> None:
    for law in (Layers(Constant(0), 3), Layers(Constant(THIRD), 0), Depth(Fraction(0))):
        assert row_digits(PrefixRows(), law, n=3, digits=7) == ("0", "0", "1")
    assert row_digits(AlibiRows(1), LAWS["constant"], n=1, digits=7) == ("1",)
    assert all(x == 0 for x in ball_row(PrefixRows(), Depth(Fraction(0)), n=3, prec=64)[:2])
    with pytest.raises(InputError, match=r"'digits' must lie in \[1, 10000\]"):
        row_digits(PrefixRows(), LAWS["constant"], n=3, digits=10_001)


def test_long_powers_are_no_rationals() -> None:
    law = LAWS["long"]
    assert isinstance(law, Layers)
    assert law.shares() is None
    # (2/3)^1200 < 10^−211: what the layers behind the 300th do is below the digits
    short = Layers(Geometric(Fraction(1, 2), Fraction(2, 3)), 300)
    assert short.shares() is not None
    assert row_digits(PrefixRows(), law, n=2, digits=30) == row_digits(PrefixRows(), short, n=2, digits=30)


def test_precision_is_put_back() -> None:
    before = (mpmath.mp.prec, flint.ctx.prec)
    row_digits(AlibiRows(THIRD), LAWS["power"], n=5, digits=100)
    assert (mpmath.mp.prec, flint.ctx.prec) == before


def test_time_grows_with_the_work() -> None:
    for law in (LAWS["constant"], LAWS["depth"]):
        assert 0 < row_seconds(PrefixRows(), law, n=5, digits=9) < row_seconds(PrefixRows(), law, n=50, digits=9) < 1
    short, long = (exact_row_seconds(PrefixRows(), [THIRD] * T, n=n) for n, T in ((9, 3), (999, 70)))
    assert 0 < short < 1 < long
