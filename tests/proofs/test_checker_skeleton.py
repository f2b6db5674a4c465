"""The logical skeleton: instantiate, both, generalise, and what is known where."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proofs.notation import every, monotone, n, nondecreasing, tail, zero_one
from proofs.steps import (
    Both,
    Chain,
    Generalise,
    Identity,
    Instantiate,
    Nonnegative,
    Step,
    Use,
    item,
    use,
)
from proofs.term import (
    And,
    Bracket,
    ForAllFn,
    Formula,
    Implies,
    Lambda,
    Symbol,
    as_index,
    index,
)
from tests.proofs.deriving import FALSE, ONE, ZERO, equal, most, verdict

f, g, A = Symbol("f", 1), Symbol("g", 1), Symbol("A", 2)
i, k, t = index("i"), index("k"), index("t")
PLAIN = Identity()
END = "the last step does not state what was to be proved"


# --- order and labels -----------------------------------------------------------------------------

ONES = equal(f(1), ONE)
LEMMA = ForAllFn(f, Implies(ONES, equal(f(1) * f(1), ONE)))
FIRST = Step("first", ONES, Chain((use("given"),)))
LAST = Step("last", LEMMA.body.body if isinstance(LEMMA.body, Implies) else FALSE, Identity((
    item(use("first"), times=f(1)), item(use("first")),
)))  # fmt: skip


def test_a_derivation_in_order_is_accepted() -> None:
    assert verdict(LEMMA, ("f", "given"), FIRST, LAST) == ""


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ((), "no steps"),
        ((FIRST,), END),
        ((LAST, FIRST), "'first' is not known here"),
        ((FIRST, FIRST, LAST), "the label 'first' is already in use"),
        ((replace(FIRST, label="given"), LAST), "the label 'given' is already in use"),
        ((replace(FIRST, reason=Chain((use("first"),))), LAST), "'first' is not known here"),
        ((replace(FIRST, reason=Chain((use("last"),))), LAST), "'last' is not known here"),
        ((FIRST, LAST, FIRST), "the label 'first' is already in use"),
        ((FIRST, LAST, Step("more", ONES, Chain((use("first"),)))), END),
        ((Step("first", FALSE, PLAIN), LAST), "do not differ"),
    ],
    ids=[
        "nothing", "not the end", "order", "label twice", "label of a hypothesis", "itself", "forward",
        "again at the end", "another end", "false",
    ],
)  # fmt: skip
def test_a_derivation_out_of_order_is_refused(steps: tuple[Step, ...], why: str) -> None:
    assert why in verdict(LEMMA, ("f", "given"), *steps)


@pytest.mark.parametrize(
    ("fix", "why"),
    [
        (("f",), "'given' is not known here"),
        (("f", "known"), "'given' is not known here"),
        (("f", "given", "more"), "nothing to fix or assume as 'more'"),
        ((), "nothing is known of f"),
        (("given", "f"), "nothing is known of f"),
    ],
    ids=["not assumed", "another label", "too much", "not fixed", "in another order"],
)
def test_only_what_is_fixed_and_assumed_is_known(fix: tuple[str, ...], why: str) -> None:
    assert why in verdict(LEMMA, fix, FIRST, LAST)


def test_a_step_or_hypothesis_inside_another_is_not_known_after_it() -> None:
    square = Step("square", LEMMA, Generalise(("f", "given"), (FIRST, LAST)))
    assert verdict(LEMMA, (), square) == ""
    assert verdict(LEMMA, (), square, Step("again", LEMMA, Instantiate(use("square")))) == ""
    for label in ("first", "given"):
        leak = Step("leak", ForAllFn(f, ONES), Generalise(("f",), (Step("x", ONES, Instantiate(use(label))),)))
        assert f"'{label}' is not known here" in verdict(ForAllFn(f, ONES), (), square, leak)


def test_earlier_statements_may_be_cited_and_their_labels_not_used_again() -> None:
    step = Step("cited", LEMMA, Instantiate(use("E1")))
    assert verdict(LEMMA, (), step, earlier={"E1": LEMMA}) == ""
    assert "'E1' is not known here" in verdict(LEMMA, (), step)
    assert "the label 'E1' is already in use" in verdict(LEMMA, (), replace(step, label="E1"), earlier={"E1": LEMMA})


# --- instantiate ----------------------------------------------------------------------------------

RISING = ForAllFn(f, Implies(nondecreasing(f), every("i", 1, n, most(f(1), f("i")))))
THRESHOLD = Lambda(("j",), Bracket(((k, index("j")),)))
RISES = Step("threshold rises", nondecreasing(THRESHOLD), Nonnegative((item(times=zero_one("k", index("l") + 1)),)))
WANTED = most(Bracket(((k, as_index(1)),)), Bracket(((k, n),)))


def cited(source: Use, wanted: Formula = WANTED) -> str:
    goal = every("k", 1, n, wanted)
    return verdict(goal, ("k",), RISES, Step("wanted", wanted, Instantiate(source)), earlier={"E1": RISING})


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (use("E1", n, fns=(THRESHOLD,), given=("threshold rises",)), ""),
        (use("E1", 1, fns=(THRESHOLD,), given=("threshold rises",)), "says something else"),
        (use("E1", n, fns=(THRESHOLD,)), "cannot be specialised"),
        (use("E1", n, fns=(THRESHOLD,), given=("E1",)), "a hypothesis of 'E1' is not discharged"),
        (use("E1", n, fns=(THRESHOLD,), given=("threshold",)), "'threshold' is not known here"),
        (use("E1", n, given=("threshold rises",)), "cannot be specialised"),
        (use("E1", n + 1, fns=(THRESHOLD,), given=("threshold rises",)), "not known to lie in the range"),
        (use("E1", 0, fns=(THRESHOLD,), given=("threshold rises",)), "not known to lie in the range"),
        (use("E1", n, n, fns=(THRESHOLD,), given=("threshold rises",)), "cannot be specialised"),
        (use("E1", n, fns=(THRESHOLD, f), given=("threshold rises",)), "nothing is known of f"),
        (use("E1", n, fns=(tail(Lambda(("i", "j"), ONE)),), given=("threshold rises",)), "takes 1 indices"),
        (use("E1", n, fns=(Lambda(("j",), -THRESHOLD("j")),), given=("threshold rises",)), "not discharged"),
        (use("E1", n, parts="x", fns=(THRESHOLD,), given=("threshold rises",)), "cannot be specialised"),
        (use("E1", n, fns=(THRESHOLD,), given=("threshold rises", "threshold rises")), "cannot be specialised"),
    ],
    ids=[
        "valid", "another index", "hypothesis not given", "another hypothesis", "unknown hypothesis", "no function",
        "beyond n", "index 0", "index too many", "unknown function", "wrong arity", "another function", "no such part",
        "hypothesis too many",
    ],
)  # fmt: skip
def test_instantiation(source: Use, why: str) -> None:
    found = cited(source)
    assert why in found
    assert bool(why) == bool(found)


def test_a_hypothesis_may_be_discharged_by_an_instance() -> None:
    fact = ForAllFn(f, every("t", 1, 2, Implies(equal(f("t"), ZERO), equal(f("t") * f(3), ZERO))))
    goal = ForAllFn(g, Implies(every("t", 1, 5, equal(g("t"), ZERO)), equal(g(2) * g(3), ZERO)))

    def step(at: int) -> Step:
        return Step("x", equal(g(2) * g(3), ZERO), Instantiate(use("E", 2, fns=(g,), given=(use("zero", at),))))

    assert verdict(goal, ("g", "zero"), step(2), earlier={"E": fact}) == ""
    assert "not discharged" in verdict(goal, ("g", "zero"), step(1), earlier={"E": fact})
    assert "range" in verdict(goal, ("g", "zero"), step(6), earlier={"E": fact})


def test_a_monotone_kernel_is_not_monotone_by_name() -> None:
    """Two properties are the same if what they mean is."""
    goal = ForAllFn(A, Implies(monotone(A), monotone(Lambda(("x", "y"), A("x", "y")))))
    assert (
        verdict(goal, ("A", "m"), Step("same", monotone(Lambda(("x", "y"), A("x", "y"))), Instantiate(use("m")))) == ""
    )
    flipped = monotone(Lambda(("x", "y"), A("y", "x")))
    refused = verdict(ForAllFn(A, Implies(monotone(A), flipped)), ("A", "m"), Step("x", flipped, Instantiate(use("m"))))
    assert "says something else" in refused


# --- both -----------------------------------------------------------------------------------------

PAIR = And((("one", equal(f(1), f(1))), ("two", most(f(2), f(2)))))
PARTS = (Step("a", equal(f(1), f(1)), PLAIN), Step("b", most(f(2), f(2)), PLAIN))


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        (("a", "b"), ""),
        (("b", "a"), "part 'one' is not what 'b' states"),
        (("a",), "not a conjunction of so many parts"),
        (("a", "b", "b"), "not a conjunction of so many parts"),
        (("a", "c"), "part 'two' is not what 'c' states"),
        (("a", "both"), "part 'two' is not what 'both' states"),
    ],
)
def test_both(labels: tuple[str, ...], why: str) -> None:
    found = verdict(ForAllFn(f, PAIR), ("f",), *PARTS, Step("both", PAIR, Both(labels)))
    assert why in found
    assert bool(why) == bool(found)


def test_both_needs_a_conjunction() -> None:
    assert "not a conjunction" in verdict(ForAllFn(f, ONES), ("f",), Step("both", ONES, Both(())))


# --- generalise -----------------------------------------------------------------------------------


def test_a_quantifier_over_an_empty_range_asks_nothing() -> None:
    assert verdict(every("i", 2, 1, FALSE), ("i",)) == ""
    assert verdict(every("i", n + 1, n, FALSE), ("i",)) == ""
    assert verdict(every("i", n, n, FALSE), ("i",)) == "no steps"
    assert "no steps" in verdict(every("i", 1, n, FALSE), ("i",))


def test_a_fixed_index_is_known_to_lie_in_its_range() -> None:
    goal = every("i", 1, n, every("k", i, n, equal(Bracket(((i, k),)), ONE)))
    step = Step("ordered", equal(Bracket(((i, k),)), ONE), PLAIN)
    assert verdict(goal, ("i", "k"), step) == ""
    turned = Step("ordered", equal(Bracket(((k, i),)), ONE), PLAIN)
    assert "do not differ" in verdict(every("i", 1, n, every("k", i, n, turned.formula)), ("i", "k"), turned)
