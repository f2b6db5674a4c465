"""Reasons for inequalities between real values: antisymmetry, absurdity, comparison, cases; valid and misused."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from proofs.notation import every, n
from proofs.steps import (
    Absurd,
    Antisymmetry,
    Compared,
    Identity,
    Instantiate,
    Nonnegative,
    Reason,
    Step,
    Use,
    item,
    real_cases,
    use,
)
from proofs.term import Compare, ForAllFn, Formula, Implies, Relation, Symbol, Term, as_term
from tests.proofs.deriving import FALSE, ONE, ZERO, equal, most, verdict

f, g = Symbol("f", 1), Symbol("g", 1)


def less(left: Term, right: Term) -> Relation:
    return Relation("<", left, right)


def refusal(formula: Formula, reason: Reason, hypotheses: Mapping[str, Formula]) -> str:
    """Why one step is refused for all f and g under the hypotheses; nothing if it is accepted."""
    goal = formula
    for hypothesis in reversed(list(hypotheses.values())):
        goal = Implies(hypothesis, goal)
    return verdict(ForAllFn(f, ForAllFn(g, goal)), ("f", "g", *hypotheses), Step("step", formula, reason))


EACH = {
    "up": every("j", 1, n, most(f("j"), g("j"))),
    "down": every("j", 1, n, most(g("j"), f("j"))),
    "at 1": equal(f(1), ONE),
}
UP, DOWN = use("up", 1), use("down", 1)
AT = "does not bound the difference"


@pytest.mark.parametrize(
    ("formula", "upper", "lower", "why"),
    [
        (equal(f(1), g(1)), UP, DOWN, ""),
        (most(f(1), g(1)), UP, DOWN, ""),
        (every("i", 1, n, equal(f("i"), g("i"))), use("up", "i"), use("down", "i"), ""),
        (less(f(1), g(1)), UP, DOWN, "not a strict"),
        (equal(f(1), g(1)), UP, UP, AT),
        (equal(f(1), g(1)), DOWN, UP, AT),
        (equal(f(1), g(n)), UP, DOWN, AT),
        (equal(f(0), g(0)), use("up", 0), use("down", 0), "not known to lie in the range"),
    ],
    ids=[
        "equal",
        "at most",
        "for all",
        "strict",
        "one side",
        "turned",
        "elsewhere",
        "out of range",
    ],
)
def test_antisymmetry(formula: Formula, upper: Use, lower: Use, why: str) -> None:
    found = refusal(formula, Antisymmetry(upper, lower), EACH)
    assert why in found
    assert bool(why) == bool(found)


ABSURD = {
    "above": most(ONE, ZERO), "strict": less(f(1), f(1)), "weak": most(f(1), f(1)), "true": less(ZERO, ONE),
    "equation": equal(ONE, ZERO), "open": most(f(1), g(1)),
}  # fmt: skip


@pytest.mark.parametrize(
    ("fact", "gap", "accepted"),
    [
        ("above", -1, True),
        ("strict", 0, True),
        ("above", -2, False),
        ("above", 0, False),
        ("above", 1, False),
        ("weak", 0, False),
        ("true", 1, False),
        ("true", -1, False),
        ("equation", -1, False),
        ("open", -1, False),
    ],
)
def test_anything_follows_from_what_is_absurd_and_from_nothing_else(fact: str, gap: int, accepted: bool) -> None:
    found = refusal(FALSE, Absurd(use(fact), Fraction(gap)), ABSURD)
    assert (found == "") == accepted
    assert accepted or "is not absurd" in found


def test_a_gap_is_an_exact_number() -> None:
    assert "is not an exact rational" in refusal(FALSE, Absurd(use("above"), -1.0), ABSURD)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("formula", "source", "why"),
    [
        (equal(Compare(f(1), g(1)), ONE), use("weak", 1), ""),
        (equal(Compare(f(1), ONE), ONE), use("at 1"), ""),
        (equal(Compare(g(1), f(1)), ZERO), use("strict"), ""),
        (equal(Compare(f(1), g(1)), ONE), use("strict"), ""),
        (equal(Compare(g(1), f(1)), ZERO), use("weak", 1), "a comparison is 1 by"),
        (equal(Compare(f(1), g(1)), ZERO), use("strict"), "does not compare"),
        (equal(Compare(g(1), f(1)), ONE), use("weak", 1), "does not compare"),
        (equal(Compare(f(1), g(n)), ONE), use("weak", 1), "does not compare"),
        (equal(Compare(f(1), g(1)), as_term(2)), use("weak", 1), "a comparison is 1 by"),
        (most(Compare(f(1), g(1)), ONE), use("weak", 1), "a comparison is 1 by"),
        (less(Compare(f(1), g(1)), ONE), use("weak", 1), "a comparison is 1 by"),
    ],
    ids=[
        "weak", "equation", "strict the other way", "strict", "zero by weak", "zero by the same way", "turned",
        "elsewhere", "two", "at most", "below",
    ],
)  # fmt: skip
def test_comparison(formula: Formula, source: Use, why: str) -> None:
    facts = {"weak": every("j", 1, n, most(f("j"), g("j"))), "strict": less(f(1), g(1)), "at 1": equal(f(1), ONE)}
    found = refusal(formula, Compared(source), facts)
    assert why in found
    assert bool(why) == bool(found)


# --- cases of real values -------------------------------------------------------------------------

ORDER = most(ZERO, Compare(f(1), g(1)) * (g(1) - f(1)))
LOW = Nonnegative((item(use("case"), times=Compare(f(1), g(1))),))


def cased(if_at_most: tuple[Step, ...], if_greater: tuple[Step, ...], label: str = "case") -> str:
    return refusal(ORDER, real_cases(f(1), g(1), label, if_at_most, if_greater), {"taken": most(ZERO, ZERO)})


def test_cases_of_real_values() -> None:
    """[f <= g] (g - f) >= 0: where f <= g because it is a product, where g < f because the bracket is 0."""
    low = (Step("low", ORDER, LOW),)
    zero = Step("zero", equal(Compare(f(1), g(1)), ZERO), Compared(use("case")))
    high = (zero, Step("high", ORDER, Nonnegative((), (item(use("zero"), times=-(g(1) - f(1))),))))
    assert cased(low, high) == ""
    assert "not known to be nonnegative" in cased(low, low) or "do not differ" in cased(low, low)
    assert "a comparison is 1 by" in cased(high, high)
    assert cased((), high) == "step: no steps"
    assert cased(low, ()) == "step: no steps"
    assert "the label 'taken' is already in use" in cased(low, high, "taken")


def test_a_case_is_not_known_outside() -> None:
    low = (Step("low", ORDER, LOW),)
    zero = Step("zero", equal(Compare(f(1), g(1)), ZERO), Compared(use("case")))
    high = (zero, Step("high", ORDER, Nonnegative((), (item(use("zero"), times=-(g(1) - f(1))),))))
    whole = Step("whole", ORDER, real_cases(f(1), g(1), "case", low, high))
    leak = Step("leak", most(f(1), g(1)), Instantiate(use("case")))
    goal = ForAllFn(f, ForAllFn(g, ORDER))
    assert verdict(goal, ("f", "g"), whole) == ""
    assert "'case' is not known here" in verdict(goal, ("f", "g"), whole, leak)


def test_cases_of_unknown_values_are_refused() -> None:
    reason = real_cases(f("m"), g(1), "case", (), ())
    assert "nothing is known of m" in refusal(ORDER, reason, {})


def test_a_comparison_of_other_values_is_another_value() -> None:
    assert "do not differ" in refusal(equal(Compare(f(1), g(1)), Compare(g(1), f(1))), Identity(), {})
    assert refusal(equal(2 * Compare(f(1), g(1)), Compare(f(1), g(1)) + Compare(f(1), g(1))), Identity(), {}) == ""
