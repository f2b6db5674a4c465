"""numeric.ball_box: bounds over boxes contain the exact values at every point tried, and no sign is lost."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import flint
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from numeric.ball import ball_profile, ball_tails, precision
from numeric.ball_box import (
    Range,
    _Box,
    _Corner,
    alibi_content_drift,
    alibi_drift,
    alibi_increments,
    alibi_row,
    alibi_slope_drift,
    alibi_tails,
)
from numeric.ball_kernel import BallAlibi, to_ball
from numeric.refuse import InputError

F = Fraction
Ranges = tuple[Range, ...]
BOX: dict[str, Any] = {"slope": (0, 4), "content": (-20, 20)}
STEP = F(1, 2**60)
FUNCTIONS: list[Callable[..., Ranges]] = [
    alibi_tails,
    alibi_row,
    alibi_increments,
    alibi_slope_drift,
    alibi_content_drift,
]


def weights(i: int, m: Fraction, d: Fraction) -> list[Any]:
    """e^{−m (i−j) + d [i = j]}, j = 0 … i."""
    return [(to_ball(-m * (i - j)) + (to_ball(d) if i == j else 0)).exp() for j in range(i + 1)]


def plain_row(i: int, m: Fraction, d: Fraction) -> list[Any]:
    w = weights(i, m, d)
    return [x / sum(w, arb(0)) for x in w]


def plain_tails(i: int, m: Fraction, d: Fraction) -> list[Any]:
    row = plain_row(i, m, d)
    return [sum(row[k:], arb(0)) for k in range(i + 1)]


def plain(function: Callable[..., Ranges], i: int, m: Fraction, d: Fraction) -> list[Any]:
    """The definitions; derivatives as difference quotients, whose error is below 10^−15 here."""
    if function is alibi_row:
        return plain_row(i, m, d)
    below = plain_tails(i, m, d)
    if function is alibi_tails:
        return below
    if function is alibi_increments:
        return [a - b for a, b in zip(plain_tails(i + 1, m, d), [*below, arb(0)], strict=True)]
    moved = plain_tails(i, m + STEP, d) if function is alibi_slope_drift else plain_tails(i, m, d + STEP)
    return [(a - b) / to_ball(STEP) for a, b in zip(moved, below, strict=True)]


def within(value: Any, bounds: Range) -> bool:
    """Not certainly outside, up to the error of the difference quotients."""
    slack = arb(2) ** -50
    return not (value < bounds.low - slack or value > bounds.high + slack)


SIDES = st.tuples(st.fractions(0, 1, max_denominator=64), st.fractions(0, 1, max_denominator=64))


@settings(max_examples=30)
@given(st.sampled_from(FUNCTIONS), st.integers(0, 6), SIDES, SIDES, SIDES)
def test_every_value_in_the_box_is_within(function: Any, i: int, m: Any, d: Any, at: Any) -> None:
    slope, content = sorted(4 * x for x in m), sorted(40 * x - 20 for x in d)
    inside = [low + x * (high - low) for (low, high), x in zip((slope, content), at, strict=True)]
    bounds = function(i, tuple(slope), tuple(content))
    with precision(256):
        exact = plain(function, i, *inside)
        assert len(exact) == len(bounds)
        assert all(within(x, b) for x, b in zip(exact, bounds, strict=True))


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("slope", "content"), [((0, 4), (1, 1)), ((0, 0), (-3, 3)), ((2, 2), (-3, 3)), ((0, 1), (-3, 3))]
)
def test_boxes_along_each_axis(function: Any, slope: tuple[int, int], content: tuple[int, int]) -> None:
    # wide in one parameter only: a factor taken at the wrong corner shows
    for i in (1, 2, 4):
        bounds = function(i, slope, content)
        with precision(256):
            for x, y in product([F(k, 8) for k in range(9)], repeat=2):
                inside = [low + z * (high - low) for (low, high), z in zip((slope, content), (x, y), strict=True)]
                exact = plain(function, i, *inside)
                assert all(within(z, b) for z, b in zip(exact, bounds, strict=True))


@pytest.mark.parametrize("factor", ["near_share", "far_share", "step", "near_gap", "far_gap"])
def test_each_factor_lies_between_its_two_corners(factor: str) -> None:
    slope, content, i = (0, 3), (-2, 2), 4
    with precision(128):
        box = _Box(i, slope, content)
        for c, x, y in product(range(i), range(7), range(5)):
            value = getattr(_Corner(i, to_ball(F(x, 2)), to_ball(y - 2)), factor)(c)
            low, high = getattr(box, factor.removesuffix("_share"))(c)
            assert not value < low and not value > high


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("i", [0, 1, 2, 7])
def test_at_a_point_the_bounds_are_the_value(function: Callable[..., Ranges], i: int) -> None:
    m, d = F(3, 7), F(-5, 3)
    bounds = function(i, m, d)
    with precision(256):
        for x, (low, high) in zip(plain(function, i, m, d), bounds, strict=True):
            assert abs(x - low) < 2.0**-50 and abs(x - high) < 2.0**-50
            assert low.rad() < 2.0**-110 and high.rad() < 2.0**-110


@pytest.mark.parametrize("function", [alibi_tails, alibi_increments, alibi_slope_drift, alibi_content_drift])
def test_another_value_is_outside(function: Callable[..., Ranges]) -> None:
    # the control: a value beyond the box's own corners, by a thousandth of it, is refused
    bounds = function(5, (F(1, 2), F(3, 5)), (F(1), F(6, 5)))
    with precision(256):
        for low, high in bounds[1:]:
            assert not within(999 * low / 1000, Range(low, high))
            assert not within(1001 * high / 1000, Range(low, high))


def test_tails_attain_both_bounds() -> None:
    # F grows in m and in d: the least and the largest value are at two corners, with nothing lost between
    bounds = alibi_tails(5, (F(1, 4), 2), (-3, F(7, 2)))
    with precision(200):
        for k, (low, high) in enumerate(bounds):
            assert low.overlaps(plain_tails(5, F(1, 4), F(-3))[k]) and high.overlaps(plain_tails(5, F(2), F(7, 2))[k])


def test_small_boxes_are_tight() -> None:
    side = F(1, 1000)
    for function in FUNCTIONS:
        for low, high in function(6, (F(1, 2), F(1, 2) + side), (1, 1 + side)):
            assert high - low < 0.02


@pytest.mark.parametrize("i", [1, 2, 5, 12])
def test_one_box_decides_the_signs_for_all_slopes_and_contents(i: int) -> None:
    # D3, D4 for one row, over m ∈ [0, 4], d ∈ [−20, 20] without a subdivision
    for function in (alibi_increments, alibi_slope_drift, alibi_content_drift):
        first, *rest = function(i, **BOX)
        assert first.low == 0 == first.high and all(low > 0 for low, _ in rest)


def test_a_ball_around_a_range_would_lose_the_sign() -> None:
    low, high = alibi_content_drift(5, **BOX)[3]
    assert low > 0 and not low.union(high) > 0


def test_content_over_1_needs_a_slope_that_is_not_negative() -> None:
    # m = −1, d = 3: row i + 1 reads less of the tail than row i; such slopes are refused, not answered
    with precision(128):
        rows = [plain_tails(i, F(-1), F(3)) for i in (2, 3)]
        assert rows[1][1] < rows[0][1]
    with pytest.raises(InputError, match="'slope' must be at least 0"):
        alibi_increments(2, (-1, 0), 3)


@pytest.mark.parametrize("by", ["slope", "content"])
def test_the_drift_of_a_profile_is_its_derivative(by: Any) -> None:
    n, lam = 5, [F(1, 2), F(1), F(1, 4)]
    m, d = [F(1, 3), F(2), F(1, 2)], [F(-1), F(1, 2), F(3)]
    box = alibi_drift(lam, 3, n=n, slope=(F(1, 3), 2), content=(-1, 3), by=by)
    assert len(box) == 3 and all(len(row) == n for row in box)

    def tails(step: Fraction, t: int) -> Any:
        moved = [[x + (step if s == t else 0) for s, x in enumerate(values)] for values in (m, d)]
        slopes, contents = (moved[0], d) if by == "slope" else (m, moved[1])
        kernels = [BallAlibi(a, b) for a, b in zip(slopes, contents, strict=True)]
        return ball_tails(ball_profile(kernels, lam, n=n, prec=256), prec=256)

    for t in range(3):
        with precision(256):
            for a, b, bounds in zip(tails(STEP, t), tails(F(0), t), box[t], strict=True):
                assert within((a - b) / to_ball(STEP), bounds)


@pytest.mark.parametrize("by", ["slope", "content"])
def test_the_drift_at_a_point_is_tight(by: Any) -> None:
    n, lam, m, d = 4, F(2, 3), F(1, 2), F(1)
    found = alibi_drift(lam, 2, n=n, slope=m, content=d, by=by)
    with precision(256):
        plus = [BallAlibi(m + STEP, d), BallAlibi(m, d)] if by == "slope" else [BallAlibi(m, d + STEP), BallAlibi(m, d)]
        before = ball_tails(ball_profile([BallAlibi(m, d)] * 2, lam, n=n, prec=256), prec=256)
        for t, kernels in enumerate((plus, plus[::-1])):
            after = ball_tails(ball_profile(kernels, lam, n=n, prec=256), prec=256)
            for a, b, (low, high) in zip(after, before, found[t], strict=True):
                quotient = (a - b) / to_ball(STEP)
                assert abs(quotient - low) < 2.0**-50 and abs(quotient - high) < 2.0**-50


@pytest.mark.parametrize("by", ["slope", "content"])
def test_d3_and_d4_over_the_whole_box(by: Any) -> None:
    for n, layers, lam in ((3, 2, F(1, 2)), (5, 3, F(1)), (6, 3, F(1, 3))):
        for row in alibi_drift(lam, layers, n=n, by=by, slope=(0, 4), content=(-20, 20)):
            assert row[0].high == 0
            assert all(low > 0 for low, _ in row[1:])
    # a layer that is not mixed in moves nothing
    idle = alibi_drift([F(0), F(1, 2)], 2, n=4, by=by, slope=(0, 4), content=(-20, 20))
    assert all(low == 0 == high for low, high in idle[0]) and all(low > 0 for low, _ in idle[1][1:])


def test_conventions() -> None:
    assert alibi_tails(0, 1, 1) == ((1, 1),) == alibi_row(0, 1, 1)
    assert alibi_slope_drift(0, 1, 1) == ((0, 0),) == alibi_content_drift(0, 1, 1)
    assert alibi_drift(1, 0, n=3, slope=1, content=1, by="slope") == ()
    assert alibi_drift(1, 1, n=1, slope=1, content=1, by="slope") == (((0, 0),),)


def test_precision_is_put_back() -> None:
    flint.ctx.prec = 77
    alibi_drift(1, 1, n=3, slope=1, content=1, by="slope", prec=200)
    with pytest.raises(InputError):
        alibi_tails(2, (1, 0), 1)
    assert flint.ctx.prec == 77


def test_a_ball_is_taken_by_its_ends() -> None:
    box = to_ball(F(1, 2)).union(to_ball(F(3, 4)))
    wide, exact = alibi_tails(3, box, 1), alibi_tails(3, (F(1, 2), F(3, 4)), 1)
    with precision(128):
        assert all(a.low <= b.low + 2.0**-30 and b.high <= a.high + 2.0**-30 for a, b in zip(wide, exact, strict=True))


REFUSED: list[tuple[Callable[[], object], Callable[[], object], str]] = [
    (lambda: alibi_tails(-1, 0, 0), lambda: alibi_tails(0, 0, 0), "'i'"),
    (lambda: alibi_tails(1, -STEP, 0), lambda: alibi_tails(1, STEP, 0), "slope"),
    (lambda: alibi_tails(1, (1, 0), 0), lambda: alibi_tails(1, (0, 1), 0), "slope"),
    (lambda: alibi_tails(1, (0, 1, 2), 0), lambda: alibi_tails(1, (0, 1), 0), "slope"),
    (lambda: alibi_tails(1, arb(1, 2), 0), lambda: alibi_tails(1, arb(2, 1), 0), "slope"),
    (lambda: alibi_tails(1, 0, float("nan")), lambda: alibi_tails(1, 0, 1e3), "content"),
    (lambda: alibi_drift(1, 1, n=2, slope=0, content=0, by="both"),  # type: ignore[arg-type]
     lambda: alibi_drift(1, 1, n=2, slope=0, content=0, by="slope"), "'by'"),
    (lambda: alibi_drift([1], 2, n=2, slope=0, content=0, by="slope"),
     lambda: alibi_drift([1], 1, n=2, slope=0, content=0, by="slope"), "one value per layer"),
]  # fmt: skip


@pytest.mark.parametrize(("refused", "accepted", "message"), REFUSED)
def test_bad_input_is_refused_beside_its_neighbour(
    refused: Callable[[], object], accepted: Callable[[], object], message: str
) -> None:
    accepted()
    with pytest.raises(InputError, match=message):
        refused()
