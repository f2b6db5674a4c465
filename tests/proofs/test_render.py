"""Small objects against the text they must print as, in Unicode and in ASCII; every kind of object prints."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq

from proofs.case import Case, Table
from proofs.failure import Failure
from proofs.laws import term_of_series
from proofs.ledger import LEDGER
from proofs.notation import (
    DEFINITIONS,
    IDENTITY,
    PROPERTIES,
    accumulated,
    average,
    below,
    binomial,
    blend,
    complete,
    divided_difference,
    divided_product,
    every,
    hops,
    image,
    layer,
    mixing,
    monotone,
    n,
    number,
    power,
    product,
    product_between,
    rollout,
    row_recursion,
    sign,
    tail,
    transition,
    zero_one,
)  # fmt: skip
from proofs.render_formula import kind
from proofs.render_parts import abbreviations
from proofs.steps import (
    Both,
    Cases,
    Chain,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Invert,
    Nonnegative,
    Step,
    item,
    use,
)
from proofs.term import (
    And,
    Apply,
    Bracket,
    Fn,
    ForAllFn,
    Formula,
    Holds,
    Implies,
    Index,
    Lambda,
    Num,
    Op,
    Plus,
    Range,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    Times,
    as_index,
    as_term,
    index,
    total,
)  # fmt: skip
from proofs.text import text, text_case, text_failure

A, B, R = Symbol("A", 2), Symbol("B", 2), Symbol("R", 3)
f, x, lam = Symbol("f", 1), Symbol("x", 1), Symbol("lambda", 1)
i, j, k = index("i"), index("j"), index("k")
a, b = A("i", "j"), B("i", "j")
half = Fraction(1, 2)
P = layer(rollout(R), "s")

TERMS: list[tuple[Term | Fn | Index | Range, str, str]] = [
    (a - b, "A[i, j] - B[i, j]", "A[i, j] - B[i, j]"),
    (a - (b + 1), "A[i, j] - (B[i, j] + 1)", "A[i, j] - (B[i, j] + 1)"),
    (a + (b + 1), "A[i, j] + B[i, j] + 1", "A[i, j] + B[i, j] + 1"),
    (-(a + b), "-(A[i, j] + B[i, j])", "-(A[i, j] + B[i, j])"),
    (-a - b, "-A[i, j] - B[i, j]", "-A[i, j] - B[i, j]"),
    (a * (b + 1), "A[i, j] (B[i, j] + 1)", "A[i, j] (B[i, j] + 1)"),
    (a * as_term(-2), "A[i, j] (-2)", "A[i, j] (-2)"),
    (as_term(-2) * a, "-2 A[i, j]", "-2 A[i, j]"),
    (-as_term(-2), "2", "2"),
    (as_term(2) * 3, "2 * 3", "2 * 3"),
    (as_term(1) * a, "A[i, j]", "A[i, j]"),
    (as_term(half) * a, "(1/2) A[i, j]", "(1/2) A[i, j]"),
    (as_term(-half), "-(1/2)", "-(1/2)"),
    (Plus(()), "0", "0"),
    (Times(()), "1", "1"),
    (total("j", "k", n, a + b), "Σ_{j=k..n} (A[i, j] + B[i, j])", "sum_{j=k..n} (A[i, j] + B[i, j])"),
    (total("j", "k", n, a) * b, "(Σ_{j=k..n} A[i, j]) B[i, j]", "(sum_{j=k..n} A[i, j]) B[i, j]"),
    (b * total("j", "k", n, a), "B[i, j] Σ_{j=k..n} A[i, j]", "B[i, j] sum_{j=k..n} A[i, j]"),
    (total("j", "k", n, a) - b, "Σ_{j=k..n} A[i, j] - B[i, j]", "sum_{j=k..n} A[i, j] - B[i, j]"),
    (zero_one("i", "j"), "[i = j]", "[i = j]"),
    (Bracket(((i, j), (j, k + 1))), "[i ≤ j, j ≤ k + 1]", "[i <= j, j <= k + 1]"),
    (Bracket(((i, j), (j, i + 1))), "[i ≤ j, j ≤ i + 1]", "[i <= j, j <= i + 1]"),
    (lam(index("t") + 1), "λ_{t + 1}", "lambda_{t + 1}"),
    (Symbol("lambda'", 1)("t"), "λ'_t", "lambda'_t"),
    (R("t", "i", "j"), "R_t[i, j]", "R_t[i, j]"),
    (P("i", "j"), "R^(s)[i, j]", "R^(s)[i, j]"),
    (tail(product(A, B))("i", "k"), "F_{A B}(i, k)", "F_{A B}(i, k)"),
    (tail(A)(i + 1, "k"), "F_A(i + 1, k)", "F_A(i + 1, k)"),
    (product(A, B)("i", "j"), "(A B)[i, j]", "(A B)[i, j]"),
    (product(A, product(B, A)), "A B A", "A B A"),
    (product(product(A, B), A), "(A B) A", "(A B) A"),
    (image(A, f)("i"), "(A f)[i]", "(A f)[i]"),
    (layer(R, "t"), "R_t", "R_t"),
    (layer(average(f, R), "H"), "<f, R>^(H)", "<f, R>^(H)"),
    (transition(lam, R)("t", "i", "j"), "R(λ, R)_t[i, j]", "R(lambda, R)_t[i, j]"),
    (blend(f, R, R)("t", "i", "j"), "blend(f, R, R)_t[i, j]", "blend(f, R, R)_t[i, j]"),
    (row_recursion(f, R)("T", "j"), "row(f, R)^(T)[j]", "row(f, R)^(T)[j]"),
    (accumulated(x)("T"), "Π_{t=1..T} x_t", "prod_{t=1..T} x_t"),
    (accumulated(Lambda(("r",), x("t")))("k"), "x_t^k", "x_t^k"),
    (accumulated(Lambda(("r",), 1 + x("t")))("k"), "(1 + x_t)^k", "(1 + x_t)^k"),
    (term_of_series(x("t"))(k + 1), "x_t^{k + 1}/(k + 1)!", "x_t^{k + 1}/(k + 1)!"),
    (term_of_series(x("t"))("k") * x("s"), "(x_t^k/k!) x_s", "(x_t^k/k!) x_s"),
    (accumulated(Lambda(("t",), 1 - x("t")))("s"), "Π_{t=1..s} (1 - x_t)", "prod_{t=1..s} (1 - x_t)"),
    (accumulated(Lambda(("t",), f("i")))(k + 1), "f_i^{k + 1}", "f_i^{k + 1}"),
    (accumulated(Lambda(("t",), 1 - f("i")))("k"), "(1 - f_i)^k", "(1 - f_i)^k"),
    (power(A)("k", "i", "j"), "A^k[i, j]", "A^k[i, j]"),
    (power(A)(k + 1, "i", "j"), "A^{k + 1}[i, j]", "A^{k + 1}[i, j]"),
    (number("k") * number(k + 1), "k (k + 1)", "k (k + 1)"),
    (a - number(k - 1), "A[i, j] - (k - 1)", "A[i, j] - (k - 1)"),
    (sign(k + 1) * binomial("k", 2), "(-1)^{k + 1} C(k, 2)", "(-1)^{k + 1} C(k, 2)"),
    (hops(lam)("T", "k"), "P_λ(K_T = k)", "P_lambda(K_T = k)"),
    (complete(f)("k", 1, "i"), "h_k(f_1, ..., f_i)", "h_k(f_1, ..., f_i)"),
    (divided_difference(lam, f)(k + 1, "j", n), "g_λ^(k + 1)[f_j, ..., f_n]", "g_lambda^(k + 1)[f_j, ..., f_n]"),
    (product_between(f, k + 1, "i"), "Π_{r=k + 1..i} f_r", "prod_{r=k + 1..i} f_r"),
    (product_between(Lambda(("k",), A(k, k - 1)), "j", "i"), "Π_{r=j..i} A[r, r - 1]", "prod_{r=j..i} A[r, r - 1]"),
    (accumulated(Lambda(("r",), A(k + index("r"), "r")))("i"), "Π_{r=1..i} A[k + r, r]", "prod_{r=1..i} A[k + r, r]"),
    (accumulated(Lambda(("r",), f(index("r") + 2)))("i"), "Π_{r=1..i} f_{r + 2}", "prod_{r=1..i} f_{r + 2}"),
    (
        divided_product(f, x, lam)("k", 1, "i"),
        "[f_1, ..., f_i] Π_{r=1..k} (x_r + λ_r z)",
        "[f_1, ..., f_i] prod_{r=1..k} (x_r + lambda_r z)",
    ),
    (IDENTITY("i", "j"), "I[i, j]", "I[i, j]"),
    (Lambda(("j",), tail(A)("j", "k")), "F_A(·, k)", "F_A(., k)"),
    (Lambda(("j",), Bracket(((k, j),))), "(j ↦ [k ≤ j])", "(j -> [k <= j])"),
    (Apply(Lambda(("j",), f("j") + 1), (k,)), "(j ↦ f_j + 1)(k)", "(j -> f_j + 1)(k)"),
    (Lambda(("i", "j"), A("j", "i")), "((i, j) ↦ A[j, i])", "((i, j) -> A[j, i])"),
    (Reciprocal(f("i")), "1/f_i", "1/f_i"),
    (a * Reciprocal(f("i") + 1), "A[i, j]/(f_i + 1)", "A[i, j]/(f_i + 1)"),
    (Reciprocal(f("i")) * a, "(1/f_i) A[i, j]", "(1/f_i) A[i, j]"),
    (Index((("i", -1), ("n", 2)), -3), "2 n - i - 3", "2 n - i - 3"),
    (-i, "-i", "-i"),
    (Range("s", as_index(0), None), "s ≥ 0", "s >= 0"),
]

FORMULAS: list[tuple[Formula, str, str]] = [
    (
        every("i", 1, n, every("k", 1, n, Relation("<=", tail(product(A, P))("i", "k"), tail(P)("i", "k")))),
        "F_{A R^(s)}(i, k) ≤ F_{R^(s)}(i, k) for 1 ≤ i, k ≤ n",
        "F_{A R^(s)}(i, k) <= F_{R^(s)}(i, k) for 1 <= i, k <= n",
    ),
    (
        every("i", 1, n, every("j", i + 1, n, Relation("=", a, as_term(0)))),
        "A[i, j] = 0 for 1 ≤ i ≤ n, i + 1 ≤ j ≤ n",
        "A[i, j] = 0 for 1 <= i <= n, i + 1 <= j <= n",
    ),
    (Relation("<", as_term(0), a), "0 < A[i, j]", "0 < A[i, j]"),
    (below(A, B), "A ≼ B", "A precedes B"),
    (mixing(lam, "T"), "0 ≤ λ_t ≤ 1 for 1 ≤ t ≤ T", "0 <= lambda_t <= 1 for 1 <= t <= T"),
    (
        Implies(monotone(A), Implies(monotone(B), monotone(product(A, B)))),
        "if A is stochastically monotone and B is stochastically monotone, then A B is stochastically monotone",
        "if A is stochastically monotone and B is stochastically monotone, then A B is stochastically monotone",
    ),
    (
        ForAllFn(Symbol("c", 0), Relation("<=", Symbol("c", 0)(), as_term(0))),
        "for every real number c: c ≤ 0",
        "for every real number c: c <= 0",
    ),
    (
        ForAllFn(f, And((("one", Relation("=", f(1), f(2))), ("two", Relation("<=", f(1), as_term(0)))))),
        "for every sequence f: f_1 = f_2; and f_1 ≤ 0",
        "for every sequence f: f_1 = f_2; and f_1 <= 0",
    ),
]


@pytest.mark.parametrize(
    ("node", "unicode", "plain"), [*TERMS, *FORMULAS], ids=lambda x: x if isinstance(x, str) else ""
)
def test_text_of_small_objects(node: Term | Fn | Formula | Index | Range, unicode: str, plain: str) -> None:
    assert text(node) == unicode
    assert text(node, greek=False) == plain


def test_text_of_every_statement_is_one_line_and_ascii_without_greek() -> None:
    for statement in LEDGER.values():
        shown_all = [text(statement.claim.closed(), greek=False)]
        shown_all += [text(step, greek=False) for step in statement.derivation]
        for shown in shown_all:
            assert shown.isascii() and "\n" not in shown and shown.isprintable()
        for needed in statement.needed:
            assert text_case(needed.case, greek=False).isascii()


def test_text_of_every_definition_and_property() -> None:
    for definition in DEFINITIONS.values():
        assert text(Op(definition.name, definition.fns)("i", "j", "k"), greek=False)
        assert text(definition.body)
    for meaning in PROPERTIES.values():
        assert text(Holds(meaning.name, meaning.fns, tuple(index(p) for p in meaning.params)))


def test_an_operator_or_property_without_notation_prints_by_its_name() -> None:
    assert text(Op("new thing", (A, f))) == "new_thing(A, f)"
    assert text(Holds("odd", (A,))) == "odd A"


def test_abbreviations_avoid_names_in_use() -> None:
    family = transition(lam, Symbol("A", 3))
    assert abbreviations(family("t", "i", "j")) == {family: "R"}
    assert abbreviations((family("t", "i", "j"), R)) == {family: "S"}
    assert abbreviations((family("t", "i", "j"), R, Symbol("S", 1))) == {family: "R'"}
    assert text(family("t", "i", "j"), names={family: "R"}) == "R_t[i, j]"


fact = use("rows", "i", parts="causal/rows", fns=(A,), given=("other",))
REASONS = [
    (Identity(), "both sides expand to the same sum"),
    (Identity((item(use("x"), times=f("i")),)), "right - left = (f_i) <x>"),
    (
        Nonnegative((item(use("x", "j"), over=(("j", 1, n),)),), (item(use("y")),)),
        "right - left = sum_{j=1..n} <x at j>; every product is >= 0, up to <y> = 0",
    ),
    (Invert(use("x")), "a divisor that is positive by <x>"),
    (Chain((use("x"), use("y"))), "chain of <x>, <y>"),
    (Instantiate(fact), "instance of <rows/causal/rows with A at i given <other>>"),
    (Both(("x", "y")), "by <x>, <y>"),
    (
        Generalise(("i",), (Step("s", below(A, B), Both(("x",))),)),
        "fix i: (s: A precedes B; by <x>)",
    ),
    (Cases(i, j, (), ()), "if i <= j: (); if i > j: ()"),
    (Induction("h", (), ()), "induction, base: (); step, assuming <h>: ()"),
]


@pytest.mark.parametrize(("reason", "expected"), REASONS, ids=lambda x: type(x).__name__)
def test_text_of_reasons(reason: Identity, expected: str) -> None:
    assert text(reason, greek=False) == expected


def test_text_of_a_case() -> None:
    case = Case.of(
        2, {"T": 1}, lambda_=[half], A=[((1, 0), (half, half))], f=Table((0, 1, -2), (0,)), c=3,
    )  # fmt: skip
    assert text_case(case) == "n = 2, T = 1\nA_1 = (1 | 1/2 1/2)\nc = 3\nf = (0, 1, -2) from f_0 on\nλ = (1/2)"
    assert "lambda = (1/2)" in text_case(case, greek=False)


def test_text_of_a_failure() -> None:
    failure = Failure("top row", (("i", 2), ("lambda", 1)), fmpq(55, 126), "<=", fmpq(-3, 7))
    assert text_failure(failure) == "top row at i = 2, λ = 1: the left side 55/126 is not ≤ the right side -3/7"
    assert text_failure(Failure("", (), fmpq(1), "=", fmpq(2)), greek=False) == (
        "the left side 1 is not = the right side 2"
    )


def test_a_number_is_told_from_another() -> None:
    shown = {text(Num(Fraction(p, q))) for p in range(-3, 4) for q in (1, 5, 7)}
    assert len(shown) == len({Fraction(p, q) for p in range(-3, 4) for q in (1, 5, 7)})


def test_functions_of_many_indices_have_names() -> None:
    assert [kind(arity) for arity in range(8)] == [
        "real number", "sequence", "matrix", "family of matrices", "double family of matrices",
        "triple family of matrices", "fourfold family of matrices", "5-fold family of matrices",
    ]  # fmt: skip
