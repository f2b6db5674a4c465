"""Bounds at infinite depth: the verdicts of `numeric.depth`, and intervals that hold its proven ones."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from numeric.depth import Depth, depth
from numeric.kernel import Alibi
from numeric.order import monotonicity_defect
from numeric.profile import profile_dense
from numeric.schedule import Geometric, Listed
from numeric.shared_kernel import SoftmaxKernel
from tests.proofs.report.expected import SHARE, layers_of, rule_of
from tests.proofs.report.states import GIVEN

Evaluate = Callable[..., Any]
Json = dict[str, Any]

SCHEDULES: list[Json] = [
    {"kind": "constant", "c": 0.25}, {"kind": "constant", "c": 0.0}, {"kind": "constant", "c": 1.0},
    {"kind": "power", "c": 0.5, "beta": 1.0}, {"kind": "power", "c": 0.5, "beta": 1.25},
    {"kind": "power", "c": 1.0, "beta": 2.0}, {"kind": "power", "c": 0.5, "beta": 30.0},
    {"kind": "power", "c": 0.0, "beta": 2.0}, {"kind": "power", "c": 0.5, "beta": 0.0},
    {"kind": "geometric", "c": 0.5, "r": 0.75}, {"kind": "geometric", "c": 1.0, "r": 0.5},
    {"kind": "geometric", "c": 0.5, "r": 1.0}, {"kind": "geometric", "c": 0.5, "r": 0.0},
    {"kind": "geometric", "c": 0.0005, "r": 0.9999},
]  # fmt: skip


def _state(schedule: Json, slope: float, length: int = 13, layers: int = 5) -> Json:
    return {
        "length": length, "layers": layers, "schedule": schedule, "slopes": {"kind": "one", "slope": slope},
        "content": {"kind": "number", "d": 0},
    }  # fmt: skip


def _limit(evaluate: Evaluate, state: Json) -> Json:
    found: Json = evaluate("return posbias.compute(x).dichotomy.limit", state)
    return found


def _ours(schedule: Json, slope: float, length: int) -> Depth:
    rule = rule_of(schedule)
    assert rule is not None
    return depth(rule, n=length, kernel=SoftmaxKernel([Fraction(slope)], length))


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
@pytest.mark.parametrize("slope", [0.0, 0.5])
def test_rules(evaluate: Evaluate, schedule: Json, slope: float) -> None:
    page, ours = _limit(evaluate, _state(schedule, slope)), _ours(schedule, slope, 13)
    assert (page["verdict"], tuple(page["statements"])) == (ours.dichotomy.verdict, ours.dichotomy.statements)
    for name, interval in (("diagonal", ours.diagonal), ("firstToken", ours.first_token)):
        low, high = page[name]
        assert low - SHARE <= interval.lo <= interval.hi <= high + SHARE, name
    # between the two integrals lies at most λ at layer 4101, c 4101^(−1.25) < 2e−5, in the exponent
    assert page["diagonal"][1] - page["diagonal"][0] < 2e-5


def test_one_position(evaluate: Evaluate) -> None:
    page = _limit(evaluate, _state(SCHEDULES[0], 0.5, length=1))
    assert (page["verdict"], page["diagonal"], page["firstToken"]) == ("collapse", [1, 1], [1, 1])


def test_a_list_says_nothing_of_later_layers(evaluate: Evaluate) -> None:
    evaluate("posbias.given = x; return true", GIVEN)
    page = _limit(evaluate, _state({"kind": "given", "scale": 1}, 0.5, layers=3))
    ours = depth(Listed(GIVEN["lam"]), n=13, kernel=SoftmaxKernel([Fraction(1, 2)], 13))
    assert page["verdict"] == ours.dichotomy.verdict == "undecided"
    assert abs(page["diagonal"][1] - ours.diagonal.hi) <= SHARE
    assert page["diagonal"][0] == ours.diagonal.lo == 0
    assert page["firstToken"][0] - SHARE <= ours.first_token.lo and page["firstToken"][1] == 1


def test_a_rising_rule_collapses(evaluate: Evaluate) -> None:
    """`numeric.depth` refuses β < 0; the sum is infinite all the same."""
    page = _limit(evaluate, _state({"kind": "power", "c": 0.5, "beta": -0.5}, 0.5))
    assert (page["verdict"], page["diagonal"], page["firstToken"]) == ("collapse", [0, 0], [1, 1])


@pytest.mark.parametrize("c", [0.5, 1.0])
def test_kernels_that_differ_leave_more_open(evaluate: Evaluate, c: float) -> None:
    """Of later kernels nothing is known: P_nn keeps at least Π (1 − λ_t) of itself, and P_n1 does not fall."""
    evaluate("posbias.given = x; return true", GIVEN)
    rule = {"kind": "geometric", "c": c, "r": 0.5}
    state = {**_state(rule, 0.0, layers=3), "slopes": {"kind": "given"}}
    page, (stack, lam) = _limit(evaluate, state), layers_of(state, GIVEN)
    p = profile_dense(stack, lam, n=13)
    rest = depth(Geometric(c / 8, 0.5), n=13).diagonal.lo  # Π over t > 3
    assert (page["verdict"], page["statements"]) == ("no collapse", ["I2"])
    assert page["diagonal"] == pytest.approx([p[-1] * rest, p[-1]], abs=SHARE)
    assert page["firstToken"] == pytest.approx([p[0], 1 - p[-1] * rest], abs=SHARE)


def test_kernels_that_differ_and_an_infinite_sum_are_undecided(evaluate: Evaluate) -> None:
    evaluate("posbias.given = x; return true", GIVEN)
    state = {**_state(SCHEDULES[0], 0.0, layers=3), "slopes": {"kind": "given"}}
    page = _limit(evaluate, state)
    assert (page["verdict"], page["diagonal"][0], page["firstToken"][1]) == ("undecided", 0, 1)
    assert page["needed"] == "one kernel for all layers"


def test_monotone_kernels_do_not_let_the_first_token_fall() -> None:
    """What the bound on the first token rests on: ALiBi heads with any content are monotone (D4), so D1 applies."""
    # a tail is a sum of at most 9 entries, each within 8 roundings of 2^−53
    for slope in (0.0, 0.5, 3.0):
        for content in (-3.0, 0.0, 3.0):
            assert monotonicity_defect(Alibi(slope, content).matrix(9))[0] <= 2 * 9 * 8 * 2.0**-53
