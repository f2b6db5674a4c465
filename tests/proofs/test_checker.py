"""Certificates: identity, nonnegative, chain, inversion, each with valid uses and the nearest invalid ones."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from proofs.notation import causal, every, n, product, tail, zero_one
from proofs.steps import Chain, Identity, Invert, Item, Nonnegative, Reason, Step, Use, item, use
from proofs.term import (
    Bracket,
    ForAllFn,
    Formula,
    Implies,
    Reciprocal,
    Relation,
    Symbol,
    as_index,
    as_term,
    index,
    total,
)
from tests.proofs.deriving import ONE, ZERO, equal, most, verdict

f, g, A = Symbol("f", 1), Symbol("g", 1), Symbol("A", 2)
i, j, k = (index(v) for v in "ijk")


def closed(formula: Formula, hypotheses: Mapping[str, Formula], fns: tuple[Symbol, ...]) -> Formula:
    for hypothesis in reversed(list(hypotheses.values())):
        formula = Implies(hypothesis, formula)
    for fn in reversed(fns):
        formula = ForAllFn(fn, formula)
    return formula


def refusal(formula: Formula, reason: Reason, hypotheses: Mapping[str, Formula] | None = None) -> str:
    """Why one step is refused for all f, g, A under the hypotheses; nothing if it is accepted."""
    known = hypotheses or {}
    return verdict(closed(formula, known, (f, g, A)), ("f", "g", "A", *known), Step("step", formula, reason))


POSITIVE = {"f >= 0": every("j", 1, n, most(ZERO, f("j"))), "g >= 0": every("j", 1, n, most(ZERO, g("j")))}
ROWS = {"kernel": causal(A)}
STRICT = {"f > 0": every("j", 1, n, Relation("<", ZERO, f("j"))), "g >= 0": every("j", 1, n, most(ZERO, g("j")))}
DIFFER = "do not differ by the cited terms"
RANGE = "not known to lie in the range"


# --- identity -------------------------------------------------------------------------------------

ROW = use("kernel", "i", parts="rows")
SUMS = every("i", 1, n, equal(total("j", 1, n, A("i", "j") * f(1)), f(1)))


@pytest.mark.parametrize(
    ("formula", "modulo"),
    [
        (equal(total("j", 1, n, f("j")), f(1) + total("j", 2, n, f("j"))), ()),
        (
            every("i", 1, n, equal(total("j", 1, n, f("j")), total("j", 1, i, f("j")) + total("j", i + 1, n, f("j")))),
            (),
        ),
        (equal(total("j", 1, n, f("j") - f(j - 1)), f(n) - f(0)), ()),
        (equal(total("j", 1, n, f(j + 1)), total("j", 2, n + 1, f("j"))), ()),
        (most(f(1), f(1)), ()),
        (SUMS, (item(ROW, times=f(1)),)),
        (every("i", 1, n, equal(tail(A)("i", 1), ONE)), (item(ROW),)),
        (
            every("i", 1, n, equal(total("j", 1, i, A("i", "j")), ONE)),
            (item(ROW), item(use("kernel", "i", "j", parts="mask"), times=-1, over=(("j", i + 1, n),))),
        ),
    ],
    ids=["first term", "range split", "telescoping", "shift", "at most itself", "rows", "whole tail", "row and mask"],
)
def test_identities_are_accepted(formula: Formula, modulo: tuple[Item, ...]) -> None:
    assert refusal(formula, Identity(modulo), ROWS) == ""


@pytest.mark.parametrize(
    ("formula", "modulo", "why"),
    [
        (equal(total("j", 1, n, f("j")), total("j", 2, n, f("j"))), (), DIFFER),
        (equal(total("j", 1, n, f("j") - f(j - 1)), f(n)), (), DIFFER),
        (SUMS, (), DIFFER),
        (SUMS, (item(ROW, times=-f(1)),), DIFFER),
        (SUMS, (item(ROW, times=f(1)), item(ROW, times=f(1))), DIFFER),
        (SUMS, (item(use("kernel", "i", parts="mask"), times=f(1)),), "without all its indices"),
        (SUMS, (item(use("kernel", "i", parts="columns"), times=f(1)),), "cannot be specialised"),
        (SUMS, (item(use("kernel", i + 1, parts="rows"), times=f(1)),), RANGE),
        (SUMS, (item(use("kernel", 0, parts="rows"), times=f(1)),), RANGE),
        (SUMS, (item(use("kernel", parts="rows"), times=f(1)),), "without all its indices"),
        (SUMS, (item(use("kernel", "i", "j", parts="rows"), times=f(1)),), "nothing is known of j"),
        (SUMS, (item(use("kernel", "i", 1, parts="rows"), times=f(1)),), "cannot be specialised"),
        (SUMS, (item(use("kernels", "i", parts="rows"), times=f(1)),), "'kernels' is not known here"),
        (SUMS, (item(times=f(1)),), "cites no equation"),
        (SUMS, (item(ROW, times=f("m")),), "nothing is known of m"),
        (SUMS, (item(ROW, times=f(1), over=(("i", 1, n),)),), "'i' is already in use"),
        (SUMS, (item(ROW, times=f(1), over=(("j", 1, "m"),)),), "nothing is known of m"),
        (SUMS, (item(ROW, times=f(1), over=(("j", index("j"), n),)),), "nothing is known of j"),
        (
            every("i", 1, n, equal(A("i", "i"), ZERO)),
            (item(use("kernel", "i", "i", parts="nonnegative"), times=-1),),
            "cites no equation",
        ),
        (Implies(equal(f(1), ZERO), equal(f(1), ZERO)), (), "for an equation or an inequality"),
    ],
    ids=[
        "a term lost", "an end lost", "no reason", "turned", "twice", "another part", "no part", "out of range",
        "index 0", "index missing", "unknown index", "index too many", "unknown fact", "no fact",
        "unknown in a multiplier", "index in use", "unknown end", "an end by itself",
        "an inequality as an equation", "an implication",
    ],
)  # fmt: skip
def test_near_misses_of_identities_are_refused(formula: Formula, modulo: tuple[Item, ...], why: str) -> None:
    assert why in refusal(formula, Identity(modulo), ROWS)


# --- nonnegative ----------------------------------------------------------------------------------

BOTH = item(use("f >= 0", "i"), use("g >= 0", "i"))
PRODUCT = every("i", 1, n, most(ZERO, f("i") * g("i")))
WEIGHTED = most(ZERO, total("j", 1, n, f("j")))


@pytest.mark.parametrize(
    ("formula", "products"),
    [
        (PRODUCT, (BOTH,)),
        (WEIGHTED, (item(use("f >= 0", "j"), over=(("j", 1, n),)),)),
        (most(ZERO, f(1) * f(1)), (item(times=f(1) * f(1)),)),
        (most(ZERO, 3 * f(1)), (item(use("f >= 0", 1), times=3),)),
        (every("i", 1, n, most(f(1), f(1) + Bracket(((i, n),)) * f("i"))), (item(use("f >= 0", "i")),)),
        (every("i", 1, n, most(ZERO, zero_one("i", 1))), (item(times=zero_one("i", 1)),)),
        (every("i", 1, 0, most(ONE, ZERO)), ()),
        (most(ZERO, ZERO), ()),
    ],
    ids=["product", "sum", "square", "multiple", "trivial bracket", "bracket", "empty range", "zero"],
)
def test_nonnegative_values_are_accepted(formula: Formula, products: tuple[Item, ...]) -> None:
    assert refusal(formula, Nonnegative(products), POSITIVE) == ""


@pytest.mark.parametrize(
    ("formula", "products", "why"),
    [
        (PRODUCT, (), DIFFER),
        (PRODUCT, (item(use("f >= 0", "i")),), DIFFER),
        (PRODUCT, (BOTH, BOTH), DIFFER),
        (PRODUCT, (item(use("f >= 0", "i"), times=g("i")),), "not known to be nonnegative"),
        (WEIGHTED, (item(use("f >= 0", "j"), over=(("j", 0, n),)),), RANGE),
        (WEIGHTED, (item(use("f >= 0", "j"), over=(("j", 2, n),)),), DIFFER),
        (most(ZERO, -f(1)), (item(use("f >= 0", 1), times=-1),), "not known to be nonnegative"),
        (most(ZERO, f(1)), (item(times=f(1)),), "not known to be nonnegative"),
        (most(ZERO, f(1) * g(1)), (item(times=f(1) * g(1)),), "not known to be nonnegative"),
        (most(ZERO, f(1) * f(1) * f(1)), (item(times=f(1) * f(1) * f(1)),), "not known to be nonnegative"),
        (equal(ZERO, f(1)), (item(use("f >= 0", 1)),), "cites no equation"),
        (Relation("<", ZERO, f(1)), (item(use("f >= 0", 1)),), "nothing cited is positive"),
        (every("i", 1, 1, most(ONE, ZERO)), (), DIFFER),
    ],
    ids=[
        "no reason", "half of it", "twice", "a multiplier of either sign", "out of range", "a term lost",
        "negative multiplier", "of either sign", "product of either sign", "cube", "an equation from an inequality",
        "strict from weak", "range of one",
    ],
)  # fmt: skip
def test_near_misses_of_nonnegative_values_are_refused(formula: Formula, products: tuple[Item, ...], why: str) -> None:
    assert why in refusal(formula, Nonnegative(products), POSITIVE)


def test_a_zero_item_needs_an_equation_in_an_inequality_too() -> None:
    assert "cites no equation" in refusal(most(ZERO, -f(1)), Nonnegative((), (item(use("f >= 0", 1)),)), POSITIVE)


def test_an_item_over_an_empty_range_is_zero() -> None:
    """Its citation is never read, so it may be of anything; it adds nothing either."""
    nothing = item(use("f >= 0", 5), times=-1, over=(("j", 2, 1),))
    assert refusal(most(ZERO, f(1)), Nonnegative((item(use("f >= 0", 1)), nothing)), POSITIVE) == ""
    assert DIFFER in refusal(most(ZERO, f(1)), Nonnegative((nothing,)), POSITIVE)


def test_a_sum_in_a_certificate_has_two_ends() -> None:
    endless = item(use("f >= 0", "j"), over=(("j", 1, n),)).over[0]
    cheat = Item((use("f >= 0", "j"),), ONE, (type(endless)("j", as_index(1), None),))
    assert "two ends" in refusal(WEIGHTED, Nonnegative((cheat,)), POSITIVE)


# --- strict inequalities and reciprocals ----------------------------------------------------------

ABOVE = Relation("<", ZERO, f(1) + g(1))


@pytest.mark.parametrize(
    ("products", "why"),
    [
        ((item(use("f > 0", 1)), item(use("g >= 0", 1))), ""),
        ((item(use("g >= 0", 1)), item(use("f > 0", 1))), ""),
        ((item(use("f > 0", 1), times=zero_one(1, 1)), item(use("g >= 0", 1))), "nothing cited is positive"),
        ((item(use("f > 0", 1), over=(("j", 1, 1),)), item(use("g >= 0", 1))), "nothing cited is positive"),
        ((item(use("f > 0", 1), use("g >= 0", 1)),), "nothing cited is positive"),
        ((item(use("f > 0", 1)),), DIFFER),
    ],
    ids=["positive first", "positive last", "bracket", "over a range", "times a weak one", "half of it"],
)
def test_a_strict_inequality_needs_a_positive_product(products: tuple[Item, ...], why: str) -> None:
    found = refusal(ABOVE, Nonnegative(products), STRICT)
    assert why in found
    assert bool(why) == bool(found)


@pytest.mark.parametrize(
    ("formula", "positive", "why"),
    [
        (equal(f(1) * Reciprocal(f(1)), ONE), use("f > 0", 1), ""),
        (Relation("<", ZERO, Reciprocal(f(1))), use("f > 0", 1), ""),
        (every("i", 1, n, equal(f("i") * Reciprocal(f("i")), ONE)), use("f > 0", "i"), ""),
        (equal(f(1) * Reciprocal(f(1)), ONE), use("f > 0", n), "does not say"),
        (equal(g(1) * Reciprocal(g(1)), ONE), use("g >= 0", 1), "does not say"),
        (equal(f(1) * Reciprocal(f(2)), ONE), use("f > 0", 1), "inversion states"),
        (equal(f(1) * Reciprocal(f(1)), as_term(2)), use("f > 0", 1), "inversion states"),
        (Relation("<", ONE, Reciprocal(f(1))), use("f > 0", 1), "inversion states"),
        (Relation("<", Reciprocal(f(1)), ZERO), use("f > 0", 1), "inversion states"),
        (equal(f(0) * Reciprocal(f(0)), ONE), use("f > 0", 0), RANGE),
    ],
    ids=[
        "product", "positive", "for all", "another value", "weak", "another divisor", "two", "above one", "turned",
        "out of range",
    ],
)  # fmt: skip
def test_inversion(formula: Formula, positive: Use, why: str) -> None:
    found = refusal(formula, Invert(positive), STRICT)
    assert why in found
    assert bool(why) == bool(found)


# --- chain ----------------------------------------------------------------------------------------

ORDER = {
    "f below g": every("j", 1, n, most(f("j"), g("j"))),
    "g is A": every("j", 1, n, equal(g("j"), A("j", 1))),
    "A below 1": Relation("<", A(1, 1), ONE),
}
LINKS = (use("f below g", 1), use("g is A", 1))


@pytest.mark.parametrize(
    ("formula", "links", "why"),
    [
        (most(f(1), A(1, 1)), LINKS, ""),
        (most(f(1), A(1, 1)), LINKS[::-1], ""),
        (equal(g(1), A(1, 1)), (use("g is A", 1),), ""),
        (Relation("<", f(1), ONE), (*LINKS, use("A below 1")), ""),
        (most(f(1), ONE), (*LINKS, use("A below 1")), ""),
        (most(f(1), A(1, 1)), LINKS[:1], DIFFER),
        (most(A(1, 1), f(1)), LINKS, DIFFER),
        (most(f(1), A(1, 1)), (*LINKS, *LINKS), DIFFER),
        (equal(f(1), A(1, 1)), LINKS, "cites no equation"),
        (Relation("<", f(1), A(1, 1)), LINKS, "nothing cited is positive"),
        (most(f(n + 1), A(n + 1, 1)), (use("f below g", n + 1), use("g is A", n + 1)), RANGE),
    ],
    ids=[
        "two links", "any order", "equation", "strict", "weak from strict", "link missing", "turned", "twice",
        "an equation from an inequality", "strict from weak", "out of range",
    ],
)  # fmt: skip
def test_chain(formula: Formula, links: tuple[Use, ...], why: str) -> None:
    found = refusal(formula, Chain(links), ORDER)
    assert why in found
    assert bool(why) == bool(found)


def test_a_definition_is_unfolded_where_it_is_needed() -> None:
    """(A A)_ik is the sum of products of entries, for kernels of which nothing is known."""
    formula = every("i", 1, n, equal(product(A, A)("i", "i"), total("k", 1, n, A("i", "k") * A("k", "i"))))
    assert refusal(formula, Identity()) == ""
