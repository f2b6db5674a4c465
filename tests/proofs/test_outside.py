"""What is taken from outside: true at cases, named in the reports of all that rests on it, and of nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from proofs.case import Case
from proofs.cli import main
from proofs.evaluate import evaluate
from proofs.evidence import assumed
from proofs.ledger import LEDGER, statements_before
from proofs.outside import OUTSIDE
from proofs.steps import Both, Instantiate, Outside, Step, nested, use
from proofs.term import And, ForAll, ForAllFn, Formula, Implies, Relation
from proofs.verification import verify

RESTING = {"C2": ("Barbour-Hall",), "C3": ("Weierstrass",)}


@pytest.mark.parametrize("name", LEDGER)
def test_a_report_names_what_its_derivation_takes(name: str) -> None:
    assert assumed(LEDGER[name], statements_before(name)) == RESTING.get(name, ())


def test_what_rests_on_a_statement_rests_on_what_it_takes() -> None:
    """A statement that cites another assumes what that assumes."""
    renamed = replace(LEDGER["C2"], id="C0")  # which C3 cites
    assert assumed(LEDGER["C3"], (renamed,)) == ("Barbour-Hall", "Weierstrass")
    assert assumed(LEDGER["C3"], (LEDGER["C2"],)) == ("Weierstrass",)


def test_a_conjunction_hides_nothing() -> None:
    """What is cited only as a part of a conjunction is cited."""
    cited = LEDGER["C2"].claim.closed()
    steps = (
        Step("wrapped", And((("it", cited),)), Both(("C2",))),
        Step("it", cited, Instantiate(use("wrapped", parts="it"))),
    )
    wrapping = replace(LEDGER["L1"], derivation=steps)
    assert assumed(wrapping, (LEDGER["C2"],)) == ("Barbour-Hall",)


def test_every_fact_is_used_and_has_a_source() -> None:
    def taken(steps: tuple[Step, ...]) -> set[str]:
        inner = {name for step in steps for block in nested(step) for name in taken(block)}
        return inner | {step.reason.name for step in steps if isinstance(step.reason, Outside)}

    assert set().union(*(taken(statement.derivation) for statement in LEDGER.values())) == set(OUTSIDE)
    assert all(any(year in fact.source for year in ("19", "20")) for fact in OUTSIDE.values())


def core(formula: Formula) -> Relation:
    while isinstance(formula, ForAll | ForAllFn | Implies):
        formula = formula.body
    assert isinstance(formula, Relation)
    return formula


@pytest.mark.parametrize(
    "lam", [(), (0,), (1,), (Fraction(1, 3),), (1, 1), (Fraction(1, 9), 1, 0), (Fraction(1, 5),) * 6, (1,) * 5]
)
def test_barbour_and_hall_at_cases(lam: tuple[Fraction | int, ...]) -> None:
    """S d_TV <= sum lambda_t^2; at five layers that all attend it would not bear a factor 2."""
    case = Case.of(1, {"T": len(lam)}, lambda_=lam)
    bound = core(OUTSIDE["Barbour-Hall"].formula)
    assert evaluate(bound, case).holds
    if lam == (1,) * 5:
        wrong = Relation("<=", 2 * bound.left, bound.right)
        assert not evaluate(wrong, case).holds


def test_text_json_and_report_say_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify("C2", quick=True).assumes == ("Barbour-Hall",)
    assert main(["verify", "C2", "C0", "--quick"]) == 0
    out = capsys.readouterr().out
    assert "C2 assumes: Barbour-Hall" in out and "C0 assumes" not in out
    assert main(["verify", "C2", "C0", "--quick", "--json"]) == 0
    found = {s["id"]: s["assumes"] for s in json.loads(capsys.readouterr().out)["statements"]}
    assert found == {"C2": ["Barbour-Hall"], "C0": []}
