"""numeric.ball: no order of profiles is answered by rounding."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given, settings

from numeric.ball import Architecture, Decision, ball_profile, ball_tails, decide_precedes, precedes_ball
from numeric.ball_kernel import BallAlibi, BallDistance
from numeric.exact import ExactPrefix, exact_profile
from numeric.kernel import Alibi, Uniform
from numeric.order import precedes
from numeric.strategies import mixing, prefix_weights
from tests.numeric.balls import contains

F = Fraction
Row = tuple[Fraction, ...]
AnyKernels = list[Any]
THIRD = F(1, 3)


@settings(max_examples=50)
@given(prefix_weights(4), prefix_weights(4), mixing(2))
def test_an_answer_is_the_exact_answer(w: Row, other: Row, lam: Row) -> None:
    first, second = ([ExactPrefix(x)] * 2 for x in (w, other))
    p, q = exact_profile(first, lam, n=4), exact_profile(second, lam, n=4)
    found = precedes_ball(ball_profile(first, lam, n=4), ball_profile(second, lam, n=4))
    assert found is None or found is precedes(p, q)
    # what is not decided has a tail in common: distinct rationals of this size part at 128 bits
    assert found is not None or any(sum(p[k:]) == sum(q[k:]) for k in range(1, 4))


def test_order_of_balls() -> None:
    half, third = [F(1, 2), F(1, 2)], [THIRD, 1 - THIRD]
    assert precedes_ball(half, third) is True and precedes_ball(third, half) is False
    # equal and dyadic: single numbers, so decided; equal and not dyadic: never
    assert precedes_ball(half, half) is True and precedes_ball(half, half, strict=True) is False
    assert precedes_ball(third, third) is None and precedes_ball(third, third, strict=True) is None
    assert precedes_ball([1], [1]) is True and precedes_ball([1], [1], strict=True) is False
    # one tail larger decides, whatever is undecided beside it
    assert precedes_ball([THIRD, 0, 1 - THIRD], [THIRD, 1 - THIRD, 0]) is False
    assert precedes_ball([THIRD, 1 - THIRD, 0], [THIRD, 0, 1 - THIRD]) is None
    assert precedes_ball([0.5, 0.5, 0], [0.5, 0, 0.5], strict=True) is True


def architectures(one: AnyKernels, two: AnyKernels) -> tuple[Architecture, Architecture]:
    return (one, F(1, 2)), (two, F(1, 2))


def test_the_precision_is_raised_until_it_decides() -> None:
    near = F(1, 2) + F(1, 2**200)
    pair = architectures([BallAlibi(F(1, 2))] * 3, [BallAlibi(near)] * 3)
    assert decide_precedes(*pair, n=5) == Decision("yes", 256)
    assert decide_precedes(*pair[::-1], n=5) == Decision("no", 256)
    assert decide_precedes(*pair, n=5, cap=200) == Decision("undecided", 200)
    assert decide_precedes(*pair, n=5, strict=True, start=300) == Decision("yes", 300)


def test_equal_profiles_are_undecided() -> None:
    pair = architectures([Alibi(0.5)] * 3, [BallDistance([-F(d, 2) for d in range(5)])] * 3)
    for strict in (False, True):
        assert decide_precedes(*pair, n=5, strict=strict, cap=500) == Decision("undecided", 500)
    assert decide_precedes(([], 0), ([Uniform()], 0), n=5, cap=64) == Decision("yes", 64)
    assert decide_precedes(([], 0), ([Uniform()], 0), n=5, strict=True) == Decision("no", 64)


def test_the_forces_and_their_false_twins() -> None:
    base: Architecture = ([Alibi(0.3, 1)] * 4, 0.5)
    moved: dict[str, tuple[Architecture, bool]] = {
        "D1": (([Alibi(0.3, 1)] * 5, 0.5), False),
        "D2": (([Alibi(0.3, 1)] * 4, [0.5, 0.6, 0.5, 0.5]), False),
        "D3": (([Alibi(0.3 + 1e-12, 1)] * 4, 0.5), True),
        "D4": (([Alibi(0.3, 1 + 1e-12)] * 4, 0.5), True),
    }
    for changed, up in moved.values():
        lower, upper = (base, changed) if up else (changed, base)
        assert decide_precedes(lower, upper, n=9, strict=True).answer == "yes"
        assert decide_precedes(upper, lower, n=9).answer == "no"


def test_theory_d4_needs_monotone_layers() -> None:
    # layer 1 = A_{w,e}, w = (1, ½, ⅛), e = 2; top prefix (1, 7, 1) with e from 1 to 2: 55/126 → 61/140, down
    below = ExactPrefix((1, F(1, 2), F(1, 8)), 2)
    plain: Architecture = ([below, ExactPrefix((1, 7, 1))], 1)
    content: Architecture = ([below, ExactPrefix((1, 7, 1), 2)], 1)
    assert decide_precedes(plain, content, n=3) == Decision("no", 64)
    assert contains(ball_tails(ball_profile(*content, n=3))[1], F(61, 140))
    assert contains(ball_tails(ball_profile(*plain, n=3))[1], F(55, 126))
