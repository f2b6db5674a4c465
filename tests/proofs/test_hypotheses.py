"""Every hypothesis of every part: without it the derivation of that part is refused, with it accepted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from proofs.checker import Refused, check
from proofs.ledger import LEDGER, earlier_claims
from proofs.statement import Claim
from proofs.steps import Generalise, Step
from proofs.term import Formula
from proofs.twins import drop_hypothesis

GIVEN = [
    (name, part.name, label)
    for name, statement in LEDGER.items()
    for part in statement.claim.parts
    for label in part.given
]
PARTS = list(dict.fromkeys((name, part) for name, part, _ in GIVEN))


@cache
def before(name: str, part: str) -> tuple[Mapping[str, Formula], Step]:
    """What the step that states a part may cite, and the step."""
    known = dict(earlier_claims(name))
    for step in LEDGER[name].derivation:
        if step.label == part:
            return known, step
        known[step.label] = step.formula
    raise AssertionError(f"{name} does not derive {part}")


def accepted(claim: Claim, step: Step, known: Mapping[str, Formula]) -> bool:
    try:
        check((step,), claim.close(step.formula), claim.fix, known)
    except Refused:
        return False
    return True


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_a_part_is_accepted_where_it_stands(name: str, part: str) -> None:
    """So that what follows is not refused for another reason."""
    known, step = before(name, part)
    assert isinstance(step.reason, Generalise)
    assert accepted(LEDGER[name].claim, step, known)


@pytest.mark.parametrize(("name", "part", "label"), GIVEN)
def test_without_a_hypothesis_the_derivation_of_its_part_is_refused(name: str, part: str, label: str) -> None:
    known, step = before(name, part)
    weaker = LEDGER[name].claim.only(part).without(label)
    last = replace(LEDGER[name].derivation[-1], formula=weaker.conclusion)
    changed, _ = drop_hypothesis((step, last), weaker, label)
    assert changed.formula == weaker.conclusion.parts[0][1] != step.formula
    assert not accepted(LEDGER[name].claim, changed, known)
