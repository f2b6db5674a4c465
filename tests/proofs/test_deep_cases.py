"""Stacks of 400 layers: what they hold, and that a false claim is refused at them."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import strategies as st

from proofs import LEDGER
from proofs.case import Case
from proofs.cases.deep_cases import DEPTH, deep_kernels, room_for_depth
from proofs.evaluate import evaluate_claim
from proofs.random_evidence import random_and_control
from proofs.statement import Claim
from proofs.twins import scale, turn, twin_claim

DEEP = [name for name, statement in LEDGER.items() if statement.deep]


def stacks(name: str) -> tuple[Case, ...]:
    deep = LEDGER[name].deep
    assert deep is not None
    return deep(7)


def holds(claim: Claim, case: Case) -> bool:
    with room_for_depth():
        return evaluate_claim(claim, case).holds


def test_which_statements_draw_them() -> None:
    assert DEEP == ["I2", "I5"]


def test_kernels_are_causal_and_give_enough_away() -> None:
    kernels = deep_kernels(4, 2, Random(3))
    assert len(kernels) == DEPTH == 400
    for rows in kernels:
        assert isinstance(rows, list)
        for i, row in enumerate(rows):
            assert isinstance(row, list)
            assert sum(row) == 1
            assert min(row) >= 0
            assert all(x == 0 for x in row[i + 1 :])
            assert i == 0 or row[i] <= Fraction(1, 2)


@pytest.mark.parametrize("name", DEEP)
def test_another_seed_draws_other_layers(name: str) -> None:
    deep = LEDGER[name].deep
    assert deep is not None
    assert deep(1) == deep(1) != deep(2)


@pytest.mark.parametrize(
    ("name", "twin"),
    [("I2", turn("bound")), ("I2", scale("upper", Fraction(1, 2))), ("I5", turn("rate"))],
)
def test_a_false_claim_is_refused_there(name: str, twin: object) -> None:
    false = twin_claim(LEDGER[name].claim, twin)  # type: ignore[arg-type]
    assert not all(holds(false, case) for case in stacks(name))
    assert all(holds(LEDGER[name].claim, case) for case in stacks(name))


def test_a_failure_there_refutes() -> None:
    """Without layers both sides of the rate are 1, so it may be turned; after 400 layers not."""
    no_layers = Case.of(2, {"T": 0, "r": 2}, epsilon=0, c=0, lambda_=[], A=[])
    false = twin_claim(LEDGER["I5"].claim, turn("rate"))
    statement = replace(LEDGER["I5"], claim=false, twins=(), cases=lambda: st.just(no_layers))
    found = [random_and_control(statement, {}, count=1, seed_value=0, deep=deep)[0] for deep in (False, True)]
    assert [random.verdict for random in found] == ["held", "refuted"]
    assert "400 layers" in found[1].detail


def test_the_limit_of_recursion_is_put_back() -> None:
    before = sys.getrecursionlimit()
    with room_for_depth():
        assert sys.getrecursionlimit() > before
    assert sys.getrecursionlimit() == before
