"""Attempts to prove what is false: each bends one rule of the language, and each must be refused."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from proofs.checker import Refused, check
from proofs.notation import every, n, rollout, zero_one
from proofs.steps import Chain, Generalise, Identity, Induction, Instantiate, Nonnegative, Step, item, use
from proofs.term import (
    Apply,
    Exp,
    ForAllFn,
    Formula,
    Holds,
    Implies,
    Index,
    Lambda,
    Num,
    Op,
    Range,
    Reciprocal,
    Relation,
    Sum,
    Symbol,
    Term,
    Times,
    as_index,
    as_term,
    index,
    total,
)

f, g = Symbol("f", 1), Symbol("g", 1)
ZERO, ONE = as_term(0), as_term(1)
FALSE = Relation("=", ZERO, ONE)
PLAIN = Identity()


def equal(left: Term, right: Term) -> Relation:
    return Relation("=", left, right)


def refusal(goal: Formula, fix: tuple[str, ...], *steps: Step, earlier: Mapping[str, Formula] | None = None) -> str:
    """Why the checker refuses; fails the test if it accepts."""
    with pytest.raises(Refused) as caught:
        check(steps, goal, fix, earlier or {})
    return str(caught.value)


# --- what stands where -----------------------------------------------------------------------------


def test_a_function_of_no_number_of_indices_is_no_function() -> None:
    """Were "no number" allowed, a name would stand for an index in no range: a fact at i = 1 was cited at i = 2."""
    S, at_one = Symbol("i", None), equal(zero_one("i", 1), ONE)  # type: ignore[arg-type]
    lemma = every("i", 1, 1, ForAllFn(S, at_one))
    inner = Generalise(("i", "q"), (Step("itself", at_one, PLAIN),))
    goal = every("i", 2, 2, FALSE)
    cited = Step("cited", at_one, Instantiate(use("lemma", 1, fns=(S,))))
    steps = (Step("lemma", lemma, inner), Step("bad", goal, Generalise(("i",), (cited,))))
    assert "is not a function of so many indices" in refusal(goal, (), *steps)
    for wrong in (True, 1.0, "1", -1, (1,)):
        symbol = Symbol("f", wrong)  # type: ignore[arg-type]
        assert "so many indices" in refusal(ForAllFn(symbol, FALSE), ("f",), Step("false", FALSE, PLAIN))


@pytest.mark.parametrize("body", [Exp(index("j")), Reciprocal(index("j")), Exp(f), Times((index("j"),))])  # type: ignore[arg-type]
def test_an_index_is_no_value(body: Term) -> None:
    """Were it one, the j of a sum would be no part of its terms, and e^1 = e^2."""
    goal = ForAllFn(f, equal(total("j", 1, 1, body), total("j", 2, 2, body)))
    assert "stands where a Term belongs" in refusal(goal, ("f",), Step("same", goal.body, PLAIN))


@pytest.mark.parametrize("wrong", [ONE, f, index("i")])
def test_only_formulas_are_claimed(wrong: Formula) -> None:
    goal = ForAllFn(f, every("i", 1, 1, Implies(FALSE, wrong)))
    assert "stands where a Formula belongs" in refusal(goal, ("f", "i", "no"), Step("absurd", wrong, PLAIN))


# --- names ----------------------------------------------------------------------------------------


def test_a_name_in_use_cannot_be_fixed_again_to_make_a_range_look_empty() -> None:
    """i lies in 1..1; were the second index also called i, its range 2..2 would contradict the first."""
    goal = every("i", 1, 1, every("j", 2, 2, FALSE))
    assert "'i' is already in use" in refusal(goal, ("i", "i"))
    assert "not differ" in refusal(goal, ("i", "j"), Step("false", FALSE, PLAIN))


def test_a_certificate_cannot_bind_a_name_twice_to_make_a_range_look_empty() -> None:
    goal = every("i", 1, 1, every("i", 2, 2, FALSE))
    assert "'i' is already in use" in refusal(goal, (), Step("false", goal, PLAIN))


def test_an_item_cannot_bind_a_name_in_use_to_make_a_sum_look_empty() -> None:
    goal = ForAllFn(f, every("i", 1, 1, equal(f("i"), ZERO)))
    step = Step("false", goal.body, Nonnegative((), (item(use("nothing"), over=(("i", 2, 2),)),)))
    assert "'i' is already in use" in refusal(goal, ("f",), step)


def test_induction_cannot_take_a_variable_in_use() -> None:
    inner = every("i", 3, n, equal(f("i"), f("i")))
    goal = ForAllFn(f, every("i", 1, 2, inner))
    base = Step("base", equal(f(3), f(3)), PLAIN)
    why = refusal(goal, ("f", "i"), Step("inner", inner, Induction("so far", (base,), ())))
    assert "'i' is already in use" in why


@pytest.mark.parametrize("name", ["n", "", "#0", "?0", "?count0"])
def test_reserved_names_cannot_be_fixed(name: str) -> None:
    """n is the number of positions, # and ? begin the names that the normal form makes for itself."""
    goal = ForAllFn(f, every("i", 1, n, equal(f("i"), total("j", 1, n, f("j")))))
    wanted = equal(f(index(name)), total("j", 1, n, f("j")))
    assert "already in use" in refusal(goal, ("f", name), Step("equal", wanted, PLAIN))
    assert "already in use" in refusal(goal, (name,), Step("equal", wanted, PLAIN))


def test_a_coordinate_of_the_normal_form_is_no_index_of_a_certificate() -> None:
    """f(#0) would be the sum of f over every value of coordinate 0."""
    goal = every("#0", 1, n, equal(f("#0"), total("j", 1, n, f("j"))))
    assert "'#0' is reserved" in refusal(ForAllFn(f, goal), ("f",), Step("equal", goal, PLAIN))


def test_an_index_cannot_hide_under_a_function_of_the_same_name() -> None:
    """From g(f) = 0 at one unfixed f nothing follows for the sum over all."""
    wanted = equal(total("k", 1, n, g("k")), ZERO)
    goal = ForAllFn(g, ForAllFn(f, Implies(equal(g("f"), ZERO), wanted)))
    step = Step("sum", wanted, Identity((item(use("at f"), over=(("f", 1, n),)),)))
    assert "f is a function, not an index" in refusal(goal, ("g", "h", "at f"), step)


def test_a_function_cannot_hide_under_an_index_of_the_same_name() -> None:
    goal = ForAllFn(f, Implies(every("f", 1, n, equal(f("f"), ZERO)), equal(f(1), ZERO)))
    step = Step("first", equal(f(1), ZERO), Chain((use("all", 1),)))
    assert "f is not a function of 1 indices here" in refusal(goal, ("f", "all"), step)


def test_one_name_cannot_have_two_arities() -> None:
    two = Symbol("f", 2)
    goal = ForAllFn(f, equal(two(1, 2), two(1, 2)))
    assert "f is not a function of 2 indices" in refusal(goal, ("f",), Step("same", goal.body, PLAIN))


def test_the_name_n_cannot_be_a_function() -> None:
    goal = ForAllFn(Symbol("n", 1), equal(Symbol("n", 1)(1), Symbol("n", 1)(1)))
    assert "'n' is reserved" in refusal(goal, ("h",), Step("same", goal.body, PLAIN))


@pytest.mark.parametrize(
    "formula",
    [
        equal(g(1), g(1)),
        equal(f("i"), f("i")),
        equal(total("j", "i", n, f("j")), ZERO),
        every("i", index("i"), n, equal(f("i"), f("i"))),
    ],
    ids=["function", "index", "bound of a sum", "bound of a range by itself"],
)
def test_a_name_that_nothing_fixes_is_unknown(formula: Formula) -> None:
    assert "nothing is known of" in refusal(ForAllFn(f, formula), ("f",), Step("step", formula, PLAIN))


# --- the language ---------------------------------------------------------------------------------


def test_a_function_cannot_be_read_at_another_number_of_indices() -> None:
    """Else a(1, 2) b() and a(1) b(2) have the same coordinates, and so f(1) g(2) = g(1) f(2)."""
    a, b = Symbol("a", 1), Symbol("b", 1)
    goal = ForAllFn(a, ForAllFn(b, equal(Apply(a, (as_index(1), as_index(2))) * Apply(b, ()), a(1) * b(2))))
    assert "read at 2" in refusal(goal, ("a", "b"), Step("same", equal(a(1) * b(2), a(1) * b(2)), PLAIN))


@pytest.mark.parametrize(
    ("term", "why"),
    [
        (Num(1e16) + Num(1.0) - Num(1e16), "not an exact rational"),  # type: ignore[arg-type]
        (Sum(Range("i", as_index(1), None), f("i")), "a sum needs an upper end"),
        (Op("no such operator", ())(1), "no operator"),
        (Op("tail", (f,))(1, 1), "functions of another kind"),
        (Op("tail", ())(1, 1), "functions of another kind"),
        (rollout(Symbol("f", 1))("n", 1, 1), "functions of another kind"),
        (Lambda(("x",), f("x"))(1, 2), "read at 2"),
        (f(Index((("n", 1), ("n", 1)))), "each named once"),
        (f(Index((("n", 0),))), "each named once"),
        (f(Index((), 0.5)), "integer combination"),  # type: ignore[arg-type]
        (f(Index((("n", 0.5),))), "integer combination"),  # type: ignore[arg-type]
        ("f(1)", "stands where a Term belongs"),
    ],
    ids=[
        "floats", "endless sum", "unknown operator", "wrong kind", "too few functions", "wrong arity in an operator",
        "too many arguments", "variable twice", "zero coefficient", "half", "half a variable", "text",
    ],
)  # fmt: skip
def test_what_is_not_well_formed_is_refused(term: Term, why: str) -> None:
    formula = Relation("=", term, ZERO)
    assert why in refusal(ForAllFn(f, formula), ("f",), Step("step", formula, PLAIN))


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        (Holds("no such property", ()), "no property"),
        (Holds("monotone", (f,)), "functions of another kind"),
        (Holds("nondecreasing", (f,), (as_index(1),)), "takes 0 indices"),
        (Holds("mixing", (f,)), "takes 1 indices"),
    ],
    ids=["unknown property", "wrong kind", "too many arguments", "too few arguments"],
)
def test_properties_are_refused_where_they_make_no_sense(formula: Formula, why: str) -> None:
    assert why in refusal(ForAllFn(f, formula), ("f",), Step("step", formula, PLAIN))


def test_an_abstraction_has_different_parameters() -> None:
    """(i, i) -> R(i, i) is not R, though it looks like R with its arguments in order."""
    with pytest.raises(ValueError, match="different names"):
        Lambda(("i", "i"), Symbol("R", 2)("i", "i"))


def test_names_that_imitate_other_names_are_other_functions() -> None:
    """Inside a rollout functions are compared by a printed key; one function must not print like a product of two."""
    F, G, X = Symbol("F", 3), Symbol("G", 3), Symbol("F/3(1*b3+0,1*b2+0,1*b1+0),G", 3)

    def depth_of(body: Term) -> Term:
        return rollout(Lambda(("t", "i", "j"), body))("T", 1, 1)

    at = ("t", "i", "j")
    step = Step("equal", equal(depth_of(Times((F(*at), G(*at)))), depth_of(Times((X(*at),)))), PLAIN)
    goal = ForAllFn(F, ForAllFn(G, ForAllFn(X, every("T", 0, None, step.formula))))
    assert "not differ" in refusal(goal, ("F", "G", X.name, "T"), step)


# --- substitution cannot capture ------------------------------------------------------------------


def test_a_cited_function_keeps_its_free_index() -> None:
    """j -> g(i), put for f into "for all i: f(i) = f(1)", says g(i) = g(i) for each i' and nothing of g(i')."""
    constant = every("i", 1, n, equal(f("i"), f(1)))
    lemma = ForAllFn(f, Implies(constant, constant))
    goal = ForAllFn(g, every("i", 1, n, equal(g("i"), g(1))))
    trivial = Step("trivial", every("k", 1, n, equal(g("i"), g("i"))), PLAIN)
    cited = Instantiate(use("itself", fns=(Lambda(("j",), g("i")),), given=("trivial",)))

    def derivation(last: Formula) -> tuple[Step, ...]:
        return (
            Step("itself", lemma, Generalise(("f", "all"), (Step("again", constant, Chain((use("all", "i"),))),))),
            Step("use", every("i", 1, n, last), Generalise(("i",), (trivial, Step("cited", last, cited)))),
        )

    true = every("m", 1, n, equal(g("i"), g("i")))
    check(derivation(true), ForAllFn(g, every("i", 1, n, true)), ("g",), {})
    captured = every("m", 1, n, equal(g("m"), g(1)))
    assert "says something else" in refusal(goal, ("g",), *derivation(captured))


def test_no_derivation_needs_a_float_to_be_exact() -> None:
    third = Num(Fraction(1, 3))
    check((Step("thirds", equal(third + third + third, ONE), PLAIN),), equal(third + third + third, ONE), (), {})
    assert "not differ" in refusal(equal(zero_one(1, 2), ONE), (), Step("false", equal(zero_one(1, 2), ONE), PLAIN))
