"""Every statement of the ledger with every kind of evidence it carries: ``pytest -k D1`` tries those of D1."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from numeric.refuse import InputError
from proofs import LEDGER, verify, verify_all
from proofs.case import Case, Table
from proofs.evidence import Checked, derivation, needed
from proofs.ledger import earlier_claims, statements_before
from proofs.random_evidence import random_and_control
from proofs.statement import Evidence, Report
from proofs.steps import Step, count_steps
from proofs.term import And, ForAll, ForAllFn, Formula, Holds, Implies, Relation
from proofs.twins import lose, turn, twin_claim

CASES = 300  # what a full check draws
LAYERS = {"T", "s", "u"}  # the indices that count layers


DERIVED: dict[str, Checked] = {}


@cache
def report(name: str) -> Report:
    """The report on a statement, made once; so is the check of every derivation that it rests on."""
    (found,) = verify_all([name], known=DERIVED)
    return found


def evidence(name: str, kind: str) -> Evidence:
    return next(e for e in report(name).evidence if e.kind == kind)


def ids(kind: str) -> list[object]:
    return [pytest.param(name, id=f"{name}-{kind}") for name in LEDGER]


@pytest.mark.parametrize("name", ids("derivation"))
def test_derivation(name: str) -> None:
    found = evidence(name, "derivation")
    assert (found.verdict, found.detail) == ("proved", "general n and T")
    assert found.size == count_steps(LEDGER[name].derivation) > 1


@pytest.mark.parametrize("name", ids("random"))
def test_random(name: str) -> None:
    """At least 300 cases, each part met; large and strict ones among them where the statement has such."""
    statement, found = LEDGER[name], evidence(name, "random")
    assert found.verdict == "held"
    assert found.size >= CASES
    said = r"(\d+) with n >= 4(?: and T >= 2)?(?:, (\d+) strict)?, each part in at least (\d+)"
    counted = re.search(said, found.detail)
    assert counted is not None
    large, strict, least = (int(group or 0) for group in counted.groups())
    assert ("T >= 2" in found.detail) == bool(LAYERS & {rng.var for rng in statement.claim.indices})
    assert large >= found.size // 2
    if any(_has_inequality(part.asserts) for part in statement.claim.parts):
        assert strict >= found.size // 4
    assert least >= found.size // 4


def _has_inequality(formula: Formula) -> bool:
    match formula:
        case Relation(op):
            return op != "="
        case ForAll(_, body) | ForAllFn(_, body) | Implies(_, body):
            return _has_inequality(body)
        case And(parts):
            return any(_has_inequality(part) for _, part in parts)
        case Holds(name):
            return name != "mask"
    return False


@pytest.mark.parametrize("name", ids("needed"))
def test_needed(name: str) -> None:
    """Every hypothesis has a counterexample to the claim without it."""
    statement, found = LEDGER[name], evidence(name, "needed")
    assert found.verdict == "held", found.detail
    assert {item.hypothesis for item in statement.needed} == {label for label, _ in statement.claim.hypotheses}
    assert found.size == len(statement.needed)


@pytest.mark.parametrize("name", ids("control"))
def test_control(name: str) -> None:
    """At least two false twins, each refused by the derivation and by a case."""
    found = evidence(name, "control")
    assert found.verdict == "held", found.detail
    assert found.size == len(LEDGER[name].twins) >= 2


@pytest.mark.parametrize("name", ids("exhaustive"))
def test_exhaustive(name: str) -> None:
    """Where a statement has it: every vertex was tried, and the scope is stated."""
    found = [e for e in report(name).evidence if e.kind == "exhaustive"]
    if not found:
        pytest.skip(f"{name} carries no exhaustive evidence")
    assert found[0].verdict == "proved_for"
    assert found[0].size > CASES
    assert "n <=" in report(name).scope


@pytest.mark.parametrize("name", ids("verdict"))
def test_verdict(name: str) -> None:
    assert report(name).verdict == "proved"
    assert not report(name).failed
    assert report(name).id == name == LEDGER[name].id


# --- what evidence is worth -----------------------------------------------------------------------


def refuted() -> Evidence:
    """What random cases say of S2 with a term lost."""
    true = LEDGER["S2"]
    false = replace(true, claim=twin_claim(true.claim, lose("by parts")), twins=())
    random, _ = random_and_control(false, earlier_claims("S2"), count=CASES, seed_value=0)
    assert derivation(false, statements_before("S2")).verdict == "undecided"
    return random


def test_a_statement_is_not_proved_if_one_that_it_cites_is_not() -> None:
    """S4 cites S3: with S3's derivation broken, S4's own steps are accepted and prove nothing."""
    before = statements_before("S4")
    broken = tuple(replace(s, derivation=s.derivation[1:]) if s.id == "S3" else s for s in before)
    assert derivation(LEDGER["S4"], before).verdict == "proved"
    refused = derivation(LEDGER["S4"], broken)
    assert refused.verdict == "undecided"
    assert "it cites S3" in refused.detail


def test_a_false_claim_is_refuted_with_a_case_and_a_derivation_does_not_save_it() -> None:
    """Without its first term the right side is 0 at n = 1: the smallest case there is, a_1 f_1 = 1 against 0."""
    found = refuted()
    assert found.verdict == "refuted"
    assert "by parts" in found.detail
    assert "n = 1" in found.detail
    judged = Report("S2", "", (Evidence("derivation", "proved", 1, 0.0, ""), found))
    assert (judged.verdict, judged.failed) == ("refuted", True)


def test_a_hypothesis_that_is_not_needed_fails() -> None:
    """A case at which the claim holds without the hypothesis is no counterexample."""
    statement = LEDGER["S2"]
    item = statement.needed[0]
    assert isinstance(item.case, Case)
    harmless = replace(item, case=replace(item.case, tables=(("a", _zero(1, 1)), ("f", _zero(0, 2)))))
    found = needed(replace(statement, needed=(harmless,)), {})
    assert found.verdict == "failed"
    assert "the claim holds at the case without it" in found.detail
    unknown = needed(replace(statement, needed=(replace(item, hypothesis="no such"),)), {})
    assert unknown.verdict == "failed"


def _zero(start: int, size: int) -> Table:
    return Table((0,) * size, (start,))


def test_a_statement_without_twins_fails_its_control() -> None:
    _, control = random_and_control(replace(LEDGER["S2"], twins=()), {}, count=5, seed_value=0)
    assert (control.verdict, control.size) == ("failed", 0)


@pytest.mark.parametrize(
    ("verdicts", "expected", "failed"),
    [
        ({"derivation": "proved", "random": "held"}, "proved", False),
        ({"derivation": "proved", "random": "refuted"}, "refuted", True),
        ({"derivation": "undecided", "random": "held"}, "held", False),
        ({"exhaustive": "proved_for", "random": "held"}, "proved_for", False),
        ({"derivation": "undecided"}, "undecided", True),
        ({"needed": "held", "control": "held"}, "undecided", True),
        ({"derivation": "proved", "needed": "failed"}, "proved", True),
        ({"derivation": "proved", "control": "failed"}, "proved", True),
        ({}, "undecided", True),
    ],
)
def test_the_verdict_is_the_strongest_and_refuted_whenever_any_is(
    verdicts: dict[str, str], expected: str, failed: bool
) -> None:
    judged = Report("X", "", tuple(Evidence(kind, verdict, 1, 0.0, "") for kind, verdict in verdicts.items()))
    assert (judged.verdict, judged.failed) == (expected, failed)


def test_the_same_seed_draws_the_same_cases() -> None:
    details = [
        [e.detail for e in random_and_control(LEDGER["S3"], earlier_claims("S3"), count=20, seed_value=seed)]
        for seed in (7, 7, 8)
    ]
    assert details[0] == details[1]


def test_an_unknown_statement_is_refused_with_the_nearest_names() -> None:
    with pytest.raises(InputError, match=r"Argument 'ID' must be a statement of the ledger, not 'd1' \(nearest: D1\)"):
        verify("d1")


def test_no_leftovers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checking writes nothing where it runs: no .hypothesis folder, no notes, not even when a claim is refuted."""
    monkeypatch.chdir(tmp_path)
    verify("S2", quick=True)
    refuted()
    assert os.listdir(tmp_path) == []


def test_labels_are_those_of_the_reading_order() -> None:
    assert all(LEDGER[name].id == name for name in LEDGER)
    assert list(earlier_claims("D1")) == list(LEDGER)[: list(LEDGER).index("D1")]
    with pytest.raises(KeyError):
        earlier_claims("Z9")
    assert isinstance(LEDGER["D1"].derivation[0], Step)


@pytest.mark.parametrize("seed", range(4))
def test_a_false_claim_is_refuted_by_few_cases(seed: int) -> None:
    """Shrinking a failure passes more cases than were wanted; the failure is reported all the same."""
    statement = LEDGER["I8"]
    false = replace(statement, claim=twin_claim(statement.claim, turn("sink")), twins=())
    random, _ = random_and_control(false, earlier_claims("I8"), count=12, seed_value=seed)
    assert random.verdict == "refuted"
    assert " at " in random.detail
