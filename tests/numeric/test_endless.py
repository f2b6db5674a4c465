"""numeric.endless: λ without an end, whether its sum is finite, and the sums of its powers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from numeric.ball import precision
from numeric.ball_kernel import to_ball
from numeric.endless import Endless, ball_power, endless, share_range
from numeric.refuse import InputError
from numeric.schedule import Constant, Geometric, Listed, Power, read_schedule

SUMMABLE = {
    "0": True,
    "1e-300": False,
    "power:1,1": False,
    "power:1/2,1/2": False,
    "power:1/2,0": False,
    "power:0,1/2": True,
    "power:1,1001/1000": True,
    "geometric:1,1/2": True,
    "geometric:1e-9,1": False,
    "geometric:0,1": True,
    "geometric:1,0": True,
    "0.5,0.5": None,
    "1,1 then 0": True,
    "0,0 then 1e-9": False,
    "1 then power:1,2": True,
}


@pytest.mark.parametrize("text", SUMMABLE)
def test_whether_the_sum_is_finite(text: str) -> None:
    assert endless(read_schedule(text)).summable is SUMMABLE[text]


@pytest.mark.parametrize(
    ("text", "ones"),
    [("1/2", 0), ("power:1,1", 1), ("power:1/2,1", 0), ("geometric:1,1/2", 1), ("1,1 then 1/2", 2), ("1 then 0", 1),
     ("1/2 then power:1,2", 0), ("1/2 then geometric:1,1/2", 0), ("geometric:1,0", 1)],
)  # fmt: skip
def test_how_many_are_one(text: str, ones: int) -> None:
    assert endless(read_schedule(text)).ones == ones


def test_equal_rules_become_one() -> None:
    assert (
        endless(Geometric(Fraction(1, 3), 1)) == endless(Constant(Fraction(1, 3))) == endless(Power(Fraction(1, 3), 0))
    )
    assert endless(Geometric(1, 0)) == endless(read_schedule("1 then 0"))


@pytest.mark.parametrize("text", ["power:1/2,-1", "1/2 then power:1/2,-1e-9", "power:0,-1"])
def test_growing_rules_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="'lam' must have beta at least 0, not -"):
        endless(read_schedule(text))


RULES = ("power:1/2,1", "power:1,2", "power:1/3,1/2", "power:0.9,1/3", "geometric:9/10,3/4", "1/7")


@pytest.mark.parametrize("text", RULES)
@pytest.mark.parametrize("i", [1, 2, 3, 7])
@pytest.mark.parametrize(("first", "last"), [(2, 2), (2, 40), (17, 90)])
def test_a_sum_of_powers_is_the_sum(text: str, i: int, first: int, last: int) -> None:
    """Both are enclosures of one number, narrow ones; the sum with one layer less is certainly another number."""
    lam = endless(read_schedule(text))
    with precision(128):
        closed = lam.power_sum(i, first, last)
        terms = [ball_power(share, i) for share in share_range(read_schedule(text), first, last)]
        assert closed.overlaps(sum(terms, to_ball(0)))
        assert closed.rad() < to_ball(2) ** -90
        assert not closed.overlaps(sum(terms[1:], to_ball(0)))


@pytest.mark.parametrize("text", ["power:1,2", "power:1/2,3/2", "power:1,40", "geometric:9/10,3/4"])
def test_an_infinite_sum_is_approached(text: str) -> None:
    lam = endless(read_schedule(text))
    with precision(128):
        whole, part, more = (lam.power_sum(1, 5, last) for last in (None, 10**6, 10**9))
        assert part <= more or part.overlaps(more)
        assert abs(whole - more) < abs(whole - part) + to_ball(2) ** -100
        assert whole >= more or whole.overlaps(more)


def test_the_sum_of_an_immense_power_is_a_bound() -> None:
    lam = endless(read_schedule("power:1/2,1e300"))
    with precision(128):
        value = lam.power_sum(1, 4, None)
        assert value.is_finite() and value.contains(0) and value.abs_upper() < to_ball(2) ** -1000


def test_a_power_of_a_ball_that_holds_zero() -> None:
    with precision(64):
        ball = to_ball(0).union(to_ball(Fraction(1, 2)))
        assert ball_power(ball, 3).contains(Fraction(1, 8).numerator / 8)
        assert ball_power(ball, 0) == 1


def test_what_a_list_says_nothing_of() -> None:
    lam = endless(Listed([Fraction(1, 2)]))
    assert (lam.rule, lam.explicit) == (None, 1)
    with precision(64), pytest.raises(InputError, match="'rule' must be known"):
        lam.power_sum(1, 2, 3)


@pytest.mark.parametrize("rule", [Power(Fraction(1, 2), Fraction(5, 4)), Geometric(Fraction(3, 4), Fraction(15, 16))])
def test_layers_that_are_kept_are_those_asked_for(rule: Power | Geometric) -> None:
    """Whatever was asked for before, at whatever precision, and on either side of where a block ends."""
    lam = Endless((Fraction(1, 3),), rule)
    for prec in (53, 90, 53):
        with precision(prec):
            for first, last in ((2, 2), (2, 64), (3, 65), (64, 64), (65, 65), (60, 200), (128, 129)):
                found, expected = lam.shares(first, last), share_range(rule, first, last)
                assert [(x.mid(), x.rad()) for x in found] == [(x.mid(), x.rad()) for x in expected]
    assert lam.shares(1, 2)[0].contains(Fraction(1, 3).numerator / to_ball(3))
    assert lam.shares(5, 4) == []
