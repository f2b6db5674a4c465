"""Rules for what exists, for opposites, for exp and ln, for natural numbers beyond a value: valid and misused."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from proofs.notation import every, n, number, some, unbounded, vanishing
from proofs.outside import OUTSIDE, ClassicalFact
from proofs.steps import (
    Absurd,
    Archimedes,
    Chain,
    Either,
    Exponential,
    Generalise,
    Identity,
    Instantiate,
    Item,
    Nonnegative,
    Obtain,
    Outside,
    Reason,
    Step,
    Use,
    Witness,
    item,
    use,
)
from proofs.term import (
    And,
    Exists,
    ExistsFn,
    Exp,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Log,
    Range,
    Relation,
    Symbol,
    Term,
    as_index,
    index,
    total,
)
from tests.proofs.deriving import FALSE, ONE, ZERO, equal, most, verdict

f, g = Symbol("f", 1), Symbol("g", 1)
eta, x, y = Symbol("eta", 0), Symbol("x", 0), Symbol("y", 0)
S = index("S")


def less(left: Term, right: Term) -> Relation:
    return Relation("<", left, right)


def refusal(formula: Formula, reason: Reason, hypotheses: Mapping[str, Formula], *before: Step) -> str:
    """Why the step is refused for all f, g, x, y under the hypotheses, after other steps; nothing if accepted."""
    goal = formula
    for hypothesis in reversed(list(hypotheses.values())):
        goal = Implies(hypothesis, goal)
    for symbol in (y, x, g, f):
        goal = ForAllFn(symbol, goal)
    return verdict(goal, ("f", "g", "x", "y", *hypotheses), *before, Step("step", formula, reason))


# --- a proof with limits --------------------------------------------------------------------------

BELOW = every("T", 0, None, most(f("T"), g("T")))
END = every("T", S, None, most(f("T"), eta()))


def squeezed(witness: Index, source: str = "small") -> Generalise:
    """f tends to 0 because g does and f <= g."""
    goal = some("S", 0, every("T", S, None, most(f("T"), eta())))
    there = use("g tends to 0", fns=(Lambda((), eta()),), given=("positive",))
    return Generalise(("eta", "positive"), (
        Step("there is", goal, Obtain(there, "S", "small", (
            Step("still", END, Chain((use("f below g", "T"), use(source, "T")))),
            Step("so", goal, Witness(witness, "still")),
        ))),
    ))  # fmt: skip


LIMIT = {"f below g": BELOW, "g tends to 0": vanishing(g)}


def test_what_is_below_a_vanishing_sequence_vanishes() -> None:
    assert refusal(vanishing(f), squeezed(S), LIMIT) == ""


@pytest.mark.parametrize(
    ("reason", "hypotheses", "why"),
    [
        (squeezed(S + 1), LIMIT, "does not say this of the witness"),
        (squeezed(S - 1), LIMIT, "not known to lie in the range"),
        (squeezed(S), {"f below g": BELOW, "g tends to 0": vanishing(f)}, "do not differ"),
        (squeezed(S), {"g tends to 0": vanishing(g), "f below g": every("T", 0, 7, most(f("T"), g("T")))}, "range"),
    ],
    ids=["another witness", "before the start", "another sequence", "below only to 7"],
)
def test_limits_are_not_for_free(reason: Reason, hypotheses: Mapping[str, Formula], why: str) -> None:
    assert why in refusal(vanishing(f), reason, hypotheses)


# --- witnesses ------------------------------------------------------------------------------------

AT_1 = {"at 1": most(f(1), ZERO)}


@pytest.mark.parametrize(
    ("formula", "at", "label", "why"),
    [
        (some("j", 0, most(f("j"), ZERO)), as_index(1), "at 1", ""),
        (Exists(Range("j", as_index(1), as_index(1)), most(f("j"), ZERO)), as_index(1), "at 1", ""),
        (some("j", 2, most(f("j"), ZERO)), as_index(1), "at 1", "not known to lie in the range"),
        (some("j", 0, most(f("j"), ZERO)), as_index(0), "at 1", "does not say this"),
        (some("j", 0, most(f("j"), ZERO)), as_index(1), "nobody", "does not say this"),
        (some("j", 0, most(ZERO, f("j"))), as_index(1), "at 1", "does not say this"),
        (some("j", 0, most(f("j"), ZERO)), Lambda((), f(1)), "at 1", "nothing of this kind"),
        (ExistsFn(eta, most(eta(), ZERO)), Lambda((), f(1)), "at 1", ""),
        (ExistsFn(eta, most(eta(), ZERO)), Lambda((), f(2)), "at 1", "does not say this"),
        (ExistsFn(eta, most(eta(), ZERO)), f, "at 1", "nothing of this kind"),
        (ExistsFn(eta, most(eta(), ZERO)), as_index(1), "at 1", "nothing of this kind"),
        (every("j", 1, n, most(f("j"), ZERO)), as_index(1), "at 1", "nothing of this kind"),
        (some("j", 0, most(f("j"), ZERO)), index("q"), "at 1", "nothing is known of q"),
    ],
)
def test_witness(formula: Formula, at: Index | Lambda | Symbol, label: str, why: str) -> None:
    found = refusal(formula, Witness(at, label), AT_1)
    assert why in found
    assert bool(why) == bool(found)


# --- what there is --------------------------------------------------------------------------------

SOME = {"some": some("j", 1, most(f("j"), ZERO)), "value": ExistsFn(eta, And((("low", less(eta(), ZERO)),)))}
POINT = Step("known", most(f("r"), ZERO), Instantiate(use("known of r")))


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        (Obtain(use("some"), "r", "known of r", (Step("again", SOME["some"], Witness(index("r"), "known of r")),)), ""),
        (Obtain(use("some"), "f", "known of r", ()), "already in use"),
        (Obtain(use("some"), "n", "known of r", ()), "already in use"),
        (Obtain(use("some"), "r", "value", ()), "already in use"),
        (Obtain(use("some"), "r", "known of r", (POINT,)), "the last step does not state"),
        (Obtain(use("some"), "r", "known of r", ()), "no steps"),
        (Obtain(use("nobody"), "r", "known of r", (POINT,)), "not known here"),
    ],
)
def test_obtain(reason: Reason, why: str) -> None:
    found = refusal(SOME["some"], reason, SOME)
    assert why in found
    assert bool(why) == bool(found)


def test_what_is_obtained_cannot_leave_its_proof() -> None:
    """f_r <= 0 is known of that r alone: it is no statement outside, nor one for every index."""
    inside = Obtain(use("some"), "r", "known of r", (POINT,))
    assert "nothing is known of r" in refusal(most(f("r"), ZERO), inside, SOME)
    assert "not state" in refusal(most(f(1), ZERO), inside, SOME)
    each = every("r", 1, n, most(f("r"), ZERO))
    assert refusal(
        each, Obtain(use("some"), "r", "known of r", (Step("each", each, Generalise(("r",), (POINT,))),)), SOME
    )


def test_only_what_exists_is_obtained() -> None:
    assert "does not say that something exists" in refusal(
        FALSE, Obtain(use("each"), "r", "known", ()), {"each": every("j", 1, n, most(f("j"), ZERO))}
    )


def test_quantifiers_are_not_exchanged() -> None:
    """For every i some j with f_i <= g_j does not give one j for all i."""
    each = every("i", 1, n, some("j", 1, most(f("i"), g("j"))))
    one = some("j", 1, every("i", 1, n, most(f("i"), g("j"))))
    inner = Step("some", one, Witness(index("r"), "known"))
    assert "nothing is known of i" in refusal(one, Obtain(use("each", "i"), "r", "known", (inner,)), {"each": each})
    assert "does not say this" in refusal(one, Obtain(use("each", 1), "r", "known", (inner,)), {"each": each})


# --- either or ------------------------------------------------------------------------------------

LOW, HIGH = most(f(1), ZERO), less(ZERO, f(1))


def parted(claim: Formula, if_true: str = "case", if_false: str = "case") -> Either:
    goal = ExistsFn(eta, most(eta(), ZERO))
    negative = Step("negative", most(-f(1), ZERO), Nonnegative((item(use(if_false)),)))
    return Either(
        claim, "case",
        (Step("itself", goal, Witness(Lambda((), f(1)), if_true)),),
        (negative, Step("opposite", goal, Witness(Lambda((), -f(1)), "negative"))),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        (parted(LOW), ""),
        (parted(HIGH), "does not say this"),
        (parted(LOW, if_true="other"), "does not say this"),
        (parted(And((("low", LOW),))), "not a claim with an opposite"),
        (parted(Implies(LOW, LOW)), "not a claim with an opposite"),
        (parted(equal(f(1), ZERO)), "not a claim with an opposite"),
        (Either(LOW, "taken", (), ()), "already in use"),
        (parted(most(f("q"), ZERO)), "nothing is known of q"),
    ],
)
def test_either(reason: Either, why: str) -> None:
    found = refusal(ExistsFn(eta, most(eta(), ZERO)), reason, {"taken": LOW})
    assert why in found
    assert bool(why) == bool(found)


def test_the_opposite_of_for_all_is_for_some() -> None:
    goal = some("j", 0, less(ZERO, f("j")))
    claim = every("j", 0, None, most(f("j"), ZERO))
    positive = {"at 3": less(ZERO, f(3))}
    absurd = (Step("absurd", goal, Witness(as_index(3), "at 3")),)
    whole = Either(claim, "case", absurd, (Step("is", goal, Instantiate(use("case"))),))
    assert refusal(goal, whole, positive) == ""
    turned = Either(claim, "case", (Step("is", goal, Instantiate(use("case"))),), absurd)
    assert "something else" in refusal(goal, turned, positive)
    values = Either(ForAllFn(eta, most(eta(), ZERO)), "case", absurd, absurd)
    assert refusal(goal, values, positive) == ""


# --- natural numbers ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        (some("k", 0, most(f(1), number("k"))), ""),
        (some("k", 1, most(f(1), number("k"))), "not that some natural"),
        (some("k", 0, most(f("k"), number("k"))), "not that some natural"),
        (some("k", 0, most(number("k"), f(1))), "not that some natural"),
        (some("k", 0, most(f(1), number("k") - 1)), "not that some natural"),
        (Exists(Range("k", as_index(0), n), most(f(1), number("k"))), "not that some natural"),
        (every("k", 0, None, most(f(1), number("k"))), "not that some natural"),
    ],
)
def test_archimedes(formula: Formula, why: str) -> None:
    found = refusal(formula, Archimedes(), {})
    assert why in found
    assert bool(why) == bool(found)


def test_a_constant_sum_is_unbounded() -> None:
    """M <= 1 + ... + 1 for some number of terms."""
    ones = Lambda(("t",), ONE)
    M = Symbol("M", 0)
    counted = every("s", 0, None, equal(total("t", 1, "s", ones("t")), number("s")))
    goal = some("T", 0, most(M(), total("t", 1, "T", ones("t"))))
    bound = Step(
        "bound",
        most(M(), total("t", 1, "r", ones("t"))),
        Nonnegative((item(use("large")),), (item(use("counted", "r"), times=-1),)),
    )
    steps = (
        Step("beyond", some("k", 0, most(M(), number("k"))), Archimedes()),
        Step(
            "goal", goal, Obtain(use("beyond"), "r", "large", (bound, Step("so", goal, Witness(index("r"), "bound"))))
        ),
    )
    assert refusal(unbounded(ones), Generalise(("M",), steps), {"counted": counted}) == ""


# --- exp and ln -----------------------------------------------------------------------------------

X, Y = x(), y()
KNOWN = {"x = y": equal(X, Y), "x > 0": less(ZERO, X), "y >= 0": most(ZERO, Y)}


@pytest.mark.parametrize(
    ("formula", "modulo", "positive", "why"),
    [
        (less(ZERO, Exp(X)), (), None, ""),
        (less(ONE, Exp(X)), (), None, "not a property"),
        (equal(Exp(X - X), ONE), (), None, ""),
        (equal(Exp(X), ONE), (), None, "do not differ"),
        (equal(Exp(X - Y), ONE), (item(use("x = y"), times=-1),), None, ""),
        (equal(Exp(X - Y), ONE), (item(use("x = y")),), None, "do not differ"),
        (equal(Exp(X) * Exp(Y), Exp(Y + X)), (), None, ""),
        (equal(Exp(X) * Exp(Y), Exp(X * Y)), (), None, "do not differ"),
        (equal(Exp(X) * Exp(Y), Exp(X - Y)), (), None, "do not differ"),
        (equal(Exp(X) * Exp(-X), ONE), (), None, "not a property"),
        (equal(Exp(X + X), Exp(2 * X)), (), None, ""),
        (equal(Exp(X), Exp(Y)), (item(use("x = y")),), None, ""),
        (equal(Exp(X), Exp(Y)), (item(use("y >= 0")),), None, "cites no equation"),
        (most(1 + X, Exp(X)), (), None, ""),
        (most(2 + X, Exp(X)), (), None, "do not differ"),
        (most(1 - X, Exp(-X)), (), None, ""),
        (less(1 + X, Exp(X)), (), None, "not a property"),
        (most(Exp(X), 1 + X), (), None, "not a property"),
        (equal(Exp(Log(X)), X), (), use("x > 0"), ""),
        (equal(Exp(Log(X)), Y), (item(use("x = y")),), use("x > 0"), ""),
        (equal(Exp(Log(X)), Y), (), use("x > 0"), "do not differ"),
        (equal(Exp(Log(X)), X), (), None, "not a property"),
        (equal(Exp(Log(Y)), Y), (), use("x > 0"), "does not say that the argument"),
        (equal(Exp(Log(Y)), Y), (), use("y >= 0"), "does not say that the argument"),
        (equal(Log(Exp(X)), X), (), None, "not a property"),
    ],
)
def test_exponential(formula: Formula, modulo: tuple[Item, ...], positive: Use | None, why: str) -> None:
    found = refusal(formula, Exponential(modulo, positive), KNOWN)
    assert why in found
    assert bool(why) == bool(found)


def test_exponentials_are_the_same_only_for_the_same_exponent() -> None:
    assert "not differ" in refusal(equal(Exp(X), Exp(Y)), Identity(), KNOWN)
    assert "not differ" in refusal(equal(Exp(X), Log(X)), Identity(), KNOWN)
    assert refusal(equal(Exp(f(1)) * X, X * Exp(f(1))), Identity(), KNOWN) == ""
    assert "not differ" in refusal(equal(Exp(f(1)), Exp(f(2))), Identity(), KNOWN)


# --- what is taken from outside -------------------------------------------------------------------


def test_a_classical_fact_is_taken_under_its_name_only(monkeypatch: pytest.MonkeyPatch) -> None:
    fact = ForAllFn(f, most(f(1) - f(1), ZERO))
    monkeypatch.setitem(OUTSIDE, "trivial", ClassicalFact(fact, "anywhere"))
    assert refusal(fact, Outside("trivial"), {}) == ""
    assert "no classical fact" in refusal(fact, Outside("another"), {})
    assert "no classical fact" in refusal(ForAllFn(f, most(f(1), ZERO)), Outside("trivial"), {})


def test_absurdity_needs_a_false_fact() -> None:
    assert "not absurd" in refusal(FALSE, Absurd(use("x > 0"), Fraction(0)), KNOWN)
