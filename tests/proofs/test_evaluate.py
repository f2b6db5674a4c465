"""Formulas decided at cases, against results by hand, and every operator against plain arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from proofs.case import Case, OutsideTable, Table, kernel, prefix
from proofs.compiled import Environment, compiled, index_value
from proofs.evaluate import evaluate, evaluate_claim
from proofs.notation import (
    DEFINITIONS,
    causal,
    every,
    image,
    last_position,
    layer,
    mixing,
    monotone,
    n,
    nondecreasing,
    rollout,
    row_recursion,
    stochastic,
    tail,
    transition,
    zero_one,
)
from proofs.statement import Claim, Part
from proofs.term import (
    And,
    Bracket,
    Exists,
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Implies,
    Lambda,
    Op,
    Range,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)
from tests.proofs.plain import Function
from tests.proofs.plain import value as plain

f, g, A, R, lam = Symbol("f", 1), Symbol("g", 1), Symbol("A", 2), Symbol("R", 3), Symbol("lambda", 1)
i, j, k = index("i"), index("j"), index("k")
ZERO, ONE = as_term(0), as_term(1)
HALF = Fraction(1, 2)
DIP = kernel([1], [0, 1], [1, 0, 0])  # row 3 forgets token 2, so it is not monotone
CASE = Case.of(3, {"T": 2}, A=DIP, f=[1, 2, 4], g=[3, 1, 2], R=[prefix(1, 1, 1), prefix(1, 2, 3)], lambda_=[HALF, 1])


def of(term: Term, case: Case = CASE) -> Any:
    return compiled(term)(Environment.of(case))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (total("j", 1, n, f("j")), 7),
        (total("j", 3, 2, f("j")), 0),
        (total("j", 1, 2, f("j") * g("j")), 5),
        (total("i", 1, 3, total("j", i, 3, f("j"))), 1 + 2 * 2 + 3 * 4),
        (total("j", 1, n, total("j", 1, j, f("j"))), 1 + 3 + 7),
        (f(2) - f(1), 1),
        (Bracket(((as_index(1), n), (n, as_index(3)))), 1),
        (Bracket(((n, as_index(2)),)), 0),
        (zero_one(2, 2) + zero_one(2, 3), 1),
        (Reciprocal(f(3)), Fraction(1, 4)),
        (Reciprocal(f(2) - f(2)), 0),
        (tail(A)(3, 2), 0),
        (image(A, f)(3), 1),
        (Lambda(("x", "y"), f("x") * g("y"))(1, 2), 1),
        (Lambda(("x",), total("j", 1, "x", f("j")))(2), 3),
        (transition(lam, R)(1, 2, 2), Fraction(3, 4)),
        (rollout(R)(0, 2, 2), 1),
        (rollout(R)(2, 3, 1), Fraction(1, 6) + Fraction(2, 6) / 2 + HALF / 3),
        (row_recursion(last_position, R)(2, 1), HALF),
    ],
)
def test_values_by_hand(term: Term, expected: Fraction | int) -> None:
    assert of(term) == fmpq(Fraction(expected).numerator, Fraction(expected).denominator)


def test_a_sum_puts_back_the_index_it_hides() -> None:
    ints = Environment.of(CASE)
    ints.ints["j"] = 3
    assert compiled(total("j", 1, 2, f("j")) + f("j"))(ints) == 7
    assert ints.ints["j"] == 3


def test_indices_are_linear_forms() -> None:
    assert index_value(i + i - j + 1)({"i": 2, "j": 5}) == 0
    assert index_value(as_index(7))({}) == 7


# --- operators ------------------------------------------------------------------------------------


def _family(seed: int, takes: int, size: int = 3, low: int = 0) -> Table:
    """A table of distinct rationals, defined from ``low`` to ``size``."""

    def cells(depth: int, at: int) -> Fraction | list[object]:
        if not depth:
            return Fraction(seed + at * at, 3 + at)
        return [cells(depth - 1, 5 * at + v + 1) for v in range(low, size + 1)]

    return Table(cells(takes, 0), (low,) * takes)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", DEFINITIONS)
@pytest.mark.parametrize("free", [False, True], ids=["symbols", "free index"])
def test_operators_agree_with_plain_arithmetic(name: str, free: bool) -> None:
    """Every operator at every argument, its functions given as tables or as abstractions that read a free index."""
    meaning = DEFINITIONS[name]
    fns: list[Fn] = [Symbol(f"h{p}", s.arity) for p, s in enumerate(meaning.fns)]
    tables = {f"h{p}": _family(p, s.arity) for p, s in enumerate(meaning.fns)}
    if free and fns:
        params = tuple(f"x{a}" for a in range(meaning.fns[0].arity))
        fns[0] = Lambda(params, Symbol("h0", len(params))(*params) + Symbol("c", 1)("j"))
    case = Case(3, (("j", 2),), tuple({**tables, "c": Table((5, 7, 11))}.items()))
    functions = {key: _read(table) for key, table in case.tables}
    env = Environment.of(case)
    for at in range(3 ** len(meaning.params)):
        args = [1 + (at // 3**p) % 3 for p in range(len(meaning.params))]
        if meaning.base is not None:
            args[0] -= 1
        for j_value in (2, 3):
            env.ints["j"] = j_value
            term = Op(name, tuple(fns))(*args)
            found = compiled(term)(env)
            assert isinstance(found, fmpq)
            assert _fraction(found) == plain(term, {"n": 3, "j": j_value}, functions)


def _read(table: Table) -> Function:
    values = dict(table.cells())
    return lambda *at: values[at]


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))


# --- formulas -------------------------------------------------------------------------------------


def somewhere(body: Formula) -> Exists:
    return Exists(Range("i", as_index(1), n), body)


@pytest.mark.parametrize(
    ("formula", "holds", "strict"),
    [
        (Relation("=", f(1), ONE), True, False),
        (Relation("=", f(2), ONE), False, False),
        (Relation("<=", f(1), f(2)), True, True),
        (Relation("<=", f(1), ONE), True, False),
        (Relation("<=", f(2), f(1)), False, False),
        (Relation("<", f(1), f(2)), True, True),
        (Relation("<", f(1), ONE), False, False),
        (every("i", 1, n - 1, Relation("<=", f("i"), f(i + 1))), True, True),
        (every("i", 1, n - 1, Relation("<=", g("i"), g(i + 1))), False, False),
        (every("i", 2, 1, Relation("=", ZERO, ONE)), True, False),
        (nondecreasing(f), True, True),
        (nondecreasing(g), False, False),
        (causal(A), True, True),
        (stochastic(A), True, True),
        (monotone(A), False, True),
        (causal(Lambda(("i", "j"), A("j", "i"))), False, True),
        (mixing(lam, 2), True, True),
        (Implies(nondecreasing(g), Relation("=", ZERO, ONE)), True, False),
        (Implies(nondecreasing(f), Relation("=", ZERO, ONE)), False, False),
        (Implies(nondecreasing(f), Relation("=", ONE, ONE)), True, False),
        (And((("a", Relation("=", ONE, ONE)), ("b", Relation("=", ZERO, ONE)))), False, False),
        (somewhere(Relation("=", f("i"), as_term(2))), True, False),
        (somewhere(Relation("=", f("i"), as_term(3))), False, False),
        (somewhere(Relation("<", f("i"), g("i"))), True, True),
        # strict at 1, which is none; at 2 nothing is strict
        (somewhere(And((("a", Relation("<=", ONE, g("i"))), ("b", Relation("=", f("i"), as_term(2)))))), True, False),
        (Exists(Range("i", as_index(3), as_index(2)), Relation("=", ZERO, ZERO)), False, False),
    ],
)
def test_formulas_by_hand(formula: Formula, holds: bool, strict: bool) -> None:
    """``strict`` says whether an inequality that is asserted, not one that is assumed, was strict."""
    outcome = evaluate(formula, CASE)
    assert (outcome.holds, outcome.strict) == (holds, strict)


def test_a_failure_tells_where_and_what() -> None:
    failure = evaluate(And((("rising", nondecreasing(g)),)), CASE).failure
    assert failure is not None
    assert (failure.part, failure.at) == ("rising", (("l", 1),))
    assert (failure.left, failure.op, failure.right) == (fmpq(3), "<=", fmpq(1))


def test_what_does_not_exist_is_said_in_words() -> None:
    nowhere = every("j", 2, 3, somewhere(Relation("=", f("i") + f("j"), as_term(5))))
    failure = evaluate(And((("sum", nowhere),)), CASE).failure
    assert failure is not None
    assert (failure.part, failure.at, failure.words) == ("sum", (("j", 2),), "there is no such i")


def test_a_quantifier_puts_back_the_index_it_hides() -> None:
    inner = every("i", 2, 3, Relation("<=", f("i"), as_term(4)))
    both = every("i", 1, 1, And((("inner", inner), ("outer", Relation("=", f("i"), ONE)))))
    assert evaluate(both, CASE).holds
    given = Case.of(3, {"T": 2}, f=[1, 2, 4])
    hides = And((("first", every("T", 1, 1, Relation("=", f("T"), ONE))), ("then", Relation("=", f("T"), as_term(2)))))
    assert evaluate(hides, given).holds


@pytest.mark.parametrize(
    "formula",
    [
        Relation("=", f(0), ZERO),
        Relation("=", f(4), ZERO),
        Relation("=", Symbol("unknown", 1)(1), ZERO),
        Relation("=", rollout(R)(3, 1, 1), ZERO),
        Relation("=", rollout(R)(-1, 1, 1), ZERO),
        ForAll(Range("t", as_index(1), None), Relation("=", ZERO, ZERO)),
        Exists(Range("t", as_index(1), None), Relation("=", ZERO, ZERO)),
        ForAllFn(f, Relation("=", f(1), f(1))),
        And((("all", ForAllFn(f, Relation("=", f(1), f(1)))),)),
    ],
    ids=[
        "below",
        "beyond",
        "unknown",
        "too deep",
        "negative depth",
        "endless",
        "endless existence",
        "all functions",
        "all functions inside",
    ],
)
def test_what_a_case_does_not_give_is_not_decided(formula: Formula) -> None:
    with pytest.raises(OutsideTable):
        evaluate(formula, CASE)


def test_a_product_with_a_bracket_that_is_0_reads_no_further() -> None:
    assert of(total("j", 0, 3, Bracket(((as_index(1), j),)) * f("j"))) == 7
    with pytest.raises(OutsideTable):
        of(total("j", 0, 3, f("j") * Bracket(((as_index(1), j),))))


# --- claims ---------------------------------------------------------------------------------------

ORDER_PRESERVING = ForAllFn(g, Implies(nondecreasing(g), nondecreasing(image(A, g))))
CLAIM = Claim(
    (A, f), (), (("all functions", ORDER_PRESERVING), ("rising", nondecreasing(f))),
    (Part("monotone", ("all functions",), monotone(A)), Part("image", ("rising",), nondecreasing(image(A, f)))),
)  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "values", "met", "holds"),
    [
        (DIP, [1, 2, 4], {"image"}, False),
        (DIP, [2, 1, 4], set(), True),
        (prefix(1, 1, 1), [1, 2, 4], {"monotone", "image"}, True),
        (prefix(1, 1, 1), [4, 2, 1], {"monotone"}, True),
    ],
    ids=["not monotone", "no hypothesis met", "both", "f falls"],
)
def test_a_part_is_asked_only_under_its_hypotheses(
    rows: tuple[tuple[Fraction, ...], ...], values: list[int], met: set[str], holds: bool
) -> None:
    """ "For every g" in a hypothesis is tried at the thresholds [j >= l]; those decide that A is monotone."""
    outcome = evaluate_claim(CLAIM, Case.of(3, {}, A=rows, f=values))
    assert (outcome.met, outcome.holds) == (met, holds)


def test_thresholds_leave_the_case_alone() -> None:
    """g of the hypothesis is not g of the case, and remembered values of A g do not outlive their g."""
    claim = Claim(
        (A, g), (), (("all functions", ORDER_PRESERVING),),
        (Part("value", ("all functions",), Relation("=", image(A, g)(3), as_term(6))),),
    )  # fmt: skip
    assert evaluate_claim(claim, Case.of(3, {}, A=kernel([1], [0, 1], [0, 0, 1]), g=[2, 4, 6])).holds


def test_the_layer_of_a_family_is_a_kernel() -> None:
    assert evaluate(causal(layer(R, 2)), CASE).holds
    assert evaluate(every("k", 1, 3, Relation("=", tail(layer(R, 1))(k, 1), ONE)), CASE).holds
