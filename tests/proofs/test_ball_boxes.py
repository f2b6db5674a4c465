"""Parts on whole boxes of coefficients and times: what is true is decided, what is false is refuted or undecided."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from flint import arb, fmpq

from proofs.ball_boxes import ball_enclosure
from proofs.ball_plans import BALL_PLANS, BallPlan, Region
from proofs.compiled import Environment, compiled
from proofs.evaluate import evaluate_in
from proofs.ledger import LEDGER
from proofs.term import Compare, Symbol
from proofs.twins import scale, twin_claim

NAMES = list(BALL_PLANS)
x, y = Symbol("x", 0), Symbol("y", 0)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("quick", [False, True])
def test_every_part_of_the_plan_is_decided(name: str, quick: bool) -> None:
    found = ball_enclosure(LEDGER[name], quick=quick)
    assert found is not None
    evidence, scope = found
    assert (evidence.kind, evidence.verdict, evidence.detail) == ("enclosure", "proved_for", scope)
    assert evidence.size > 20
    plan = BALL_PLANS[name]
    parts = {region.part for region in (plan.quick if quick else plan.regions)}
    assert all(part.split("/")[-1] in scope or part.split("/")[0] in scope for part in parts)


@pytest.mark.parametrize(("name", "part"), [(n, r.part) for n in NAMES for r in BALL_PLANS[n].quick])
def test_a_false_part_is_found(name: str, part: str) -> None:
    """A twentieth of the right side is too small somewhere in the box."""
    claim = twin_claim(LEDGER[name].claim, scale(part, Fraction(1, 20)))
    found = ball_enclosure(LEDGER[name], quick=True, claim=claim)
    assert found is not None
    evidence, scope = found
    assert (evidence.verdict, scope) == ("refuted", "")
    assert "false at every point of [" in evidence.detail


def test_the_laws_of_distances_are_those_that_are_given() -> None:
    """U8 supposes a recursion for L and a sum for M: at a point, in rationals, as they stand in the claim."""
    rho, mixing, last = Fraction(2, 3), (Fraction(3, 4), Fraction(1, 2), Fraction(1)), 2
    region = next(r for r in BALL_PLANS["U8"].regions if dict(r.ints) == {"n": 1, "T": 3, "D": last})
    tables = region.tables([arb(fmpq(x.numerator, x.denominator)) for x in (rho, *mixing)])
    law: dict[tuple[int, ...], Fraction] = {(0, d): Fraction(d == 0) for d in range(last + 1)}
    for s, x in enumerate(mixing):
        for d in range(last + 1):
            drawn = sum((1 - rho) * rho ** (d - e) * law[s, e] for e in range(d + 1))
            law[s + 1, d] = (1 - x) * law[s, d] + x * drawn
    spent = rho * sum(mixing)
    poisson = [Fraction(1), (1 - rho) * spent, (1 - rho) * (rho * spent + (1 - rho) * spent**2 / 2)]
    exact: dict[str, dict[tuple[int, ...], Fraction]] = {
        "L": {**law},
        "M": {(d,): value for d, value in enumerate(poisson)},
    }
    for name, values in exact.items():
        assert tables[name].keys() == values.keys()
        for at, value in values.items():
            assert tables[name][at].contains(fmpq(value.numerator, value.denominator))
            assert tables[name][at].rad() < 2**-40  # of the 53 bits that a ball has here


def test_what_the_cap_leaves_open_is_undecided() -> None:
    found = ball_enclosure(LEDGER["C2"], quick=True, cap=1)
    assert found is not None
    assert (found[0].verdict, found[1]) == ("undecided", "")
    assert "not decided on [" in found[0].detail


def test_at_zero_nothing_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides are 0 there: the boxes do not come to an end."""
    region = Region("squares", (("n", 1), ("T", 1)), ((Fraction(0), Fraction(1)),), BALL_PLANS["C2"].quick[0].tables)
    monkeypatch.setitem(BALL_PLANS, "C2", BallPlan((region,), (region,), "all", "all"))
    found = ball_enclosure(LEDGER["C2"], cap=200)
    assert found is not None
    assert (found[0].verdict, found[0].size) == ("undecided", 200)


def test_a_part_that_holds_when_turned_is_worth_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = BALL_PLANS["C0"]
    point = replace(plan.quick[0], sides=((Fraction(0), Fraction(0)),))  # exp(0) = 1: equality
    monkeypatch.setitem(BALL_PLANS, "C0", BallPlan((point,), (point,), "all", "all"))
    found = ball_enclosure(LEDGER["C0"])
    assert found is not None
    assert found[0].verdict == "undecided"
    assert "the boxes accept it turned" in found[0].detail


def test_other_statements_have_no_plan() -> None:
    assert ball_enclosure(LEDGER["I1"]) is None


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(arb(1), arb(2), {1}), (arb(2), arb(1), {0}), (arb(1, 2), arb(2), {0, 1}), (arb(2), arb(2), {1})],
)
def test_a_comparison_of_balls_holds_what_it_may_be(low: arb, high: arb, expected: set[int]) -> None:
    value = compiled(Compare(x(), y()))(Environment({}, {"x": {(): low}, "y": {(): high}}))
    assert {bit for bit in (0, 1) if arb(value).contains(arb(bit))} == expected


def test_the_family_of_exponentials_is_one_of_kernels() -> None:
    """Rows of exp(lambda (A - I)) contain the sum 1, and every entry is at least that of its first two terms."""
    region = next(r for r in BALL_PLANS["C2"].regions if r.part == "layers" and dict(r.ints) == {"n": 3, "T": 2})
    tables = region.tables([arb(1) / 3, arb(1)])
    for t, lam in ((1, arb(1) / 3), (2, arb(1))):
        for i in range(1, 4):
            assert sum((tables["E"][t, i, j] for j in range(1, 4)), arb(0)).contains(arb(1))
            for j in range(1, i + 1):
                first = (-lam).exp() * ((i == j) + lam * tables["A"][t, i, j])
                assert first < tables["E"][t, i, j]
    hypothesis = dict(LEDGER["C2"].claim.hypotheses)["mixing"]
    assert evaluate_in(hypothesis, Environment({"n": 3, "T": 2}, {"lambda": {(1,): arb(1) / 3, (2,): arb(1)}})) is None
