"""Proof by cases and by induction: what each branch has to prove, what it may assume, and that nothing leaks out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proofs.notation import every, n
from proofs.steps import Cases, Chain, Generalise, Identity, Induction, Nonnegative, Step, item, use
from proofs.term import Bracket, ForAllFn, Formula, Implies, Index, Symbol, index, total
from tests.proofs.deriving import ONE, ZERO, equal, most, verdict

f = Symbol("f", 1)
i, k, t = index("i"), index("k"), index("t")
PLAIN = Identity()
END = "the last step does not state what was to be proved"


# --- cases ----------------------------------------------------------------------------------------

UP_TO = Step("up to", equal(Bracket(((i, k),)) + Bracket(((k + 1, i),)), ONE), PLAIN)
DIAGONAL = every("i", 1, n, every("k", 1, n, equal(Bracket(((i, k),)) + Bracket(((k + 1, i),)), ONE)))


def cased(left: Index, right: Index, if_at_most: tuple[Step, ...], if_greater: tuple[Step, ...]) -> str:
    reason = Cases(left, right, if_at_most, if_greater)
    return verdict(DIAGONAL, ("i", "k"), Step("cases", UP_TO.formula, reason))


def test_cases() -> None:
    one = (Step("one", equal(Bracket(((i, k),)), ONE), PLAIN), UP_TO)
    none = (Step("none", equal(Bracket(((i, k),)), ZERO), PLAIN), UP_TO)
    assert cased(i, k, one, none) == ""
    assert "one: the two sides do not differ" in cased(k, i, one, none)
    assert "none: the two sides do not differ" in cased(i, k, none, one)
    assert "one: the two sides do not differ" in cased(i, k + 1, one, none)
    assert cased(i, k, (), none) == "cases: no steps"
    assert cased(i, k, one, ()) == "cases: no steps"
    assert "nothing is known of m" in cased(index("m"), k, one, none)


def test_an_impossible_case_asks_nothing() -> None:
    assert cased(i, n, (UP_TO,), ()) == ""
    assert cased(n + 1, i, (), (UP_TO,)) == ""


def test_a_step_of_one_case_is_not_known_in_the_other_nor_after() -> None:
    one = Step("one", equal(Bracket(((i, k),)), ONE), PLAIN)
    cites = Step("cites", UP_TO.formula, Identity((item(use("one"), times=0),)))
    assert cased(i, k, (one, cites), (UP_TO,)) == ""
    assert "'one' is not known here" in cased(i, k, (one, UP_TO), (cites,))
    split = Step("cases", UP_TO.formula, Cases(i, k, (one, UP_TO), (UP_TO,)))
    assert "'one' is not known here" in verdict(DIAGONAL, ("i", "k"), split, cites)


# --- induction ------------------------------------------------------------------------------------

RULE = every("t", 1, n - 1, most(f("t"), f(t + 1)))
GROWS = every("t", 1, n, most(f(1), f("t")))
BASE = Step("base", most(f(1), f(1)), PLAIN)
NEXT = Step("next", most(f(1), f(t + 1)), Chain((use("so far"), use("rule", t))))


def induced(base: tuple[Step, ...], step: tuple[Step, ...], goal: Formula = GROWS, hypothesis: str = "so far") -> str:
    whole = ForAllFn(f, Implies(RULE, goal))
    return verdict(whole, ("f", "rule"), Step("all", goal, Induction(hypothesis, base, step)))


@pytest.mark.parametrize(
    ("base", "step", "why"),
    [
        ((BASE,), (NEXT,), ""),
        ((), (NEXT,), "no steps"),
        ((BASE,), (), "no steps"),
        ((Step("base", most(f(1), f(1) + 1), Nonnegative((item(),))),), (NEXT,), f"base: {END}"),
        ((NEXT,), (NEXT,), "nothing is known of t"),
        ((Step("base", most(f(1), f(1)), Chain((use("so far", 1),))),), (NEXT,), "'so far' is not known here"),
        ((BASE,), (BASE,), f"base: {END}"),
        ((BASE,), (Step("next", most(f(1), f("t")), Chain((use("so far"),))),), END),
        ((BASE,), (replace(NEXT, reason=Chain((use("rule", t),))),), "do not differ"),
        ((BASE,), (replace(NEXT, reason=Chain((use("so far"),))),), "do not differ"),
        ((BASE,), (replace(NEXT, reason=Chain((use("so far", t + 1),))),), "cannot be specialised"),
        ((BASE,), (replace(NEXT, reason=Chain((use("so far"), use("rule", t + 1)))),), "range"),
        ((BASE,), (replace(NEXT, reason=Chain((use("all", t + 1),))),), "'all' is not known here"),
        ((BASE,), (replace(NEXT, reason=Chain((use("base"), use("rule", t)))),), "'base' is not known here"),
    ],
    ids=[
        "valid", "no base", "no step", "another base", "the step as base", "base by hypothesis", "the base as step",
        "the hypothesis as step", "without hypothesis", "hypothesis alone", "hypothesis at t + 1", "rule beyond n",
        "by what is to be proved", "base in the step",
    ],
)  # fmt: skip
def test_induction(base: tuple[Step, ...], step: tuple[Step, ...], why: str) -> None:
    found = induced(base, step)
    assert why in found
    assert bool(why) == bool(found)


def test_a_weaker_induction_hypothesis_is_refused() -> None:
    """f_1 <= f_t + 1 does not carry from t to t + 1 by f_t <= f_{t+1} and f_1 <= f_t, which is not assumed."""
    weak = every("t", 1, n, most(f(1), f("t") + 1))
    base = (Step("base", most(f(1), f(1) + 1), Nonnegative((item(),))),)
    assert induced(base, (replace(NEXT, formula=most(f(1), f(t + 1) + 1)),), weak) == ""
    strong = (Step("strong", most(f(1), f("t")), Chain((use("so far"),))), NEXT)
    assert "strong: the two sides do not differ" in induced(base, strong, weak)


def test_the_induction_hypothesis_stays_inside() -> None:
    whole = ForAllFn(f, Implies(RULE, GROWS))
    done = Step("all", GROWS, Induction("so far", (BASE,), (NEXT,)))
    leak = Step("leak", GROWS, Generalise(("t",), (Step("x", most(f(1), f("t")), Chain((use("so far"),))),)))
    assert verdict(whole, ("f", "rule"), done) == ""
    assert "'so far' is not known here" in verdict(whole, ("f", "rule"), done, leak)
    assert "the label 'rule' is already in use" in induced((BASE,), (NEXT,), hypothesis="rule")


def test_induction_over_what_is_no_range_is_refused() -> None:
    assert "induction needs a statement for every integer" in induced((BASE,), (NEXT,), most(f(1), f(n)))


def test_induction_over_an_empty_range_asks_nothing_and_over_one_point_only_the_base() -> None:
    assert induced((), (), every("t", 2, 1, most(f(1), f("t")))) == ""
    assert induced((BASE,), (), every("t", 1, 1, most(f(1), f("t")))) == ""
    assert induced((), (), every("t", 1, 1, most(f(1), f("t")))) == "all: no steps"


def test_induction_without_an_upper_end() -> None:
    goal = every("t", 0, None, equal(total("i", 1, t, ONE) * f(1), total("i", 1, t, ONE) * f(1)))
    whole = ForAllFn(f, goal)
    base = (Step("base", equal(ZERO, ZERO), PLAIN),)
    same = equal(total("i", 1, t + 1, ONE) * f(1), total("i", 1, t + 1, ONE) * f(1))
    assert verdict(whole, ("f",), Step("all", goal, Induction("h", base, (Step("next", same, PLAIN),)))) == ""
