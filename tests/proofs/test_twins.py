"""False twins: an operator changes what it says and no more; a derivation told to end elsewhere says so throughout."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs.ledger import LEDGER
from proofs.notation import every, image, monotone, n, nondecreasing, tail
from proofs.statement import Claim, Part
from proofs.steps import Both, Chain, Generalise, Identity, Induction, Step, nested, use
from proofs.term import And, Formula, Implies, Relation, Symbol, as_term, index, total
from proofs.twins import Twin, add, drop_hypothesis, lose, restate, scale, shift, turn, twin_claim

A, f = Symbol("A", 2), Symbol("f", 1)
t = index("t")
SUM = Relation("<=", f(1), total("j", 1, n, f("j")) * f(2))
CLAIM = Claim(
    (A, f), (), (("rising", nondecreasing(f)), ("monotone", monotone(A))),
    (
        Part("sum", ("rising",), every("i", 1, n, SUM)),
        Part("two", ("rising", "monotone"), And((("first", SUM), ("tails", monotone(A))))),
    ),
)  # fmt: skip


def changed(twin: Twin, part: str = "sum") -> Formula:
    return twin_claim(CLAIM, twin).part(part).asserts


@pytest.mark.parametrize(
    ("twin", "expected"),
    [
        (turn("sum"), Relation("<=", SUM.right, SUM.left)),
        (scale("sum"), Relation("<=", SUM.left, as_term(2) * SUM.right)),
        (scale("sum", Fraction(1, 2)), Relation("<=", SUM.left, as_term(Fraction(1, 2)) * SUM.right)),
        (add("sum"), Relation("<=", SUM.left, SUM.right + 1)),
        (lose("sum"), Relation("<=", SUM.left, total("j", 2, n, f("j")) * f(2))),
        (shift("sum", "f", 0, 1), Relation("<=", SUM.left, total("j", 1, n, f(index("j") + 1)) * f(3))),
    ],
    ids=["turn", "scale", "scale by half", "add", "lose", "shift"],
)
def test_an_operator_changes_the_relation_inside_the_quantifiers(twin: Twin, expected: Relation) -> None:
    assert changed(twin) == every("i", 1, n, expected)


def test_a_path_leads_into_a_conjunction_and_a_property() -> None:
    inside = changed(turn("two/first"), "two")
    assert isinstance(inside, And)
    assert dict(inside.parts)["first"] == Relation("<=", SUM.right, SUM.left)
    assert dict(inside.parts)["tails"] == monotone(A)
    tails = changed(turn("two/tails"), "two")
    F, i = tail(A), index("i")
    assert isinstance(tails, And)
    turned = Relation("<=", F(i + 1, "k"), F("i", "k"))
    assert dict(tails.parts)["tails"] == every("i", 1, n - 1, every("k", 1, n, turned))


def test_the_other_parts_and_all_hypotheses_stay() -> None:
    twin = twin_claim(CLAIM, turn("sum"))
    assert twin.hypotheses == CLAIM.hypotheses
    assert twin.part("two") == CLAIM.part("two")


@pytest.mark.parametrize(
    ("twin", "why"),
    [
        (shift("sum", "g", 0, 1), "must change the claim"),
        (shift("sum", "f", 0, 0), "must change the claim"),
        (turn("two/third"), "must name a part"),
    ],
    ids=["no such function", "by nothing", "no such part"],
)
def test_a_twin_that_is_none_is_refused(twin: Twin, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        twin_claim(CLAIM, twin)


def test_a_twin_is_named_for_what_it_does() -> None:
    assert [x.name for x in (turn("a/b"), scale("a", 3), add("a", -1), lose("a"), shift("a", "f", 0, -1))] == [
        "turn at a/b", "scale by 3 at a", "add -1 at a", "lose a term at a", "shift f by -1 at a",
    ]  # fmt: skip


# --- the same derivation, told to end elsewhere ---------------------------------------------------

UP = every("t", 1, n, Relation("<=", f(1), f("t")))
DERIVATION = (
    Step("part", Implies(nondecreasing(f), UP), Generalise(("rising",), (
        Step("all", UP, Induction(
            "so far",
            (Step("base", Relation("<=", f(1), f(1)), Identity()),),
            (Step("next", Relation("<=", f(1), f(t + 1)), Chain((use("so far"), use("rising", t)))),),
        )),
    ))),
    Step("end", And((("part", Implies(nondecreasing(f), UP)),)), Both(("part",))),
)  # fmt: skip


def test_restating_changes_the_end_and_all_that_states_it() -> None:
    higher = every("t", 1, n, Relation("<=", f(1), f("t") - 1))
    goal = And((("part", Implies(nondecreasing(f), higher)),))
    part, end = restate(DERIVATION, goal)
    assert end.formula == goal
    assert part.formula == Implies(nondecreasing(f), higher)
    ((whole,),) = nested(part)
    assert whole.formula == higher
    (base,), (following,) = nested(whole)
    assert base.formula == Relation("<=", f(1), f(1) - 1)
    assert following.formula == Relation("<=", f(1), f(t + 1) - 1)
    assert following.reason == Chain((use("so far"), use("rising", t)))


def test_restating_the_same_end_changes_nothing() -> None:
    assert restate(DERIVATION, DERIVATION[-1].formula) == DERIVATION


@pytest.mark.parametrize("name", LEDGER)
def test_restating_every_claim_of_the_ledger_changes_nothing(name: str) -> None:
    statement = LEDGER[name]
    assert restate(statement.derivation, statement.claim.conclusion) == statement.derivation


def test_a_dropped_hypothesis_is_assumed_nowhere() -> None:
    claim = Claim((f,), (), (("rising", nondecreasing(f)),), (Part("part", ("rising",), UP),))
    weaker = claim.without("rising")
    part, end = drop_hypothesis(DERIVATION, weaker, "rising")
    assert part.formula == UP
    assert isinstance(part.reason, Generalise)
    assert part.reason.fix == ()
    assert end.formula == weaker.conclusion


def test_an_image_is_no_sum_to_lose_a_term_of() -> None:
    """A defined operator is not unfolded: the twin would not be one."""
    claim = Claim((A, f), (), (), (Part("image", (), every("i", 1, n, Relation("=", f("i"), image(A, f)("i")))),))
    with pytest.raises(ValueError, match="must change the claim"):
        twin_claim(claim, lose("image"))
