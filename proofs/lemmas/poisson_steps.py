"""Lemmas on exp and on the terms x^k / k! = prod_{r <= k} x / r of its series, from exp(x + y) = exp x exp y and 1 + x
<= exp x alone.

    (1 + x) exp(-x) <= 1        exp(-x) <= 1 for x >= 0        0 <= x^k / k! for x >= 0
    x^{k+1} / (k+1)! + y x^k / k! <= (x + y)^{k+1} / (k+1)! for x, y >= 0

The last, with exp(-x - y), says that Poisson(x + y) has at least the mass that Poisson(x) moves to k + 1 if it stays
with chance exp(-y) and goes one up with chance y exp(-y).
"""

from __future__ import annotations

from proofs.laws import term_of_series
from proofs.lemmas.comparison_steps import value
from proofs.notation import every, number
from proofs.steps import Exponential, Generalise, Induction, Invert, Nonnegative, Step, item, use
from proofs.term import (
    Exp,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
)

__all__ = ["at_least_0", "exp_lemmas", "for_reals", "term_lemmas"]

x, y, z = Symbol("x*", 0), Symbol("y*", 0), Symbol("z*", 0)
X, Y, Z = x(), y(), z()
k = index("k")
_inverse = Reciprocal(number(k + 1))


def for_reals(body: Formula, *symbols: Symbol) -> Formula:
    for symbol in reversed(symbols):
        body = ForAllFn(symbol, body)
    return body


def at_least_0(term: Term) -> Relation:
    return Relation("<=", as_term(0), term)


# --- exp ------------------------------------------------------------------------------------------


def exp_lemmas() -> tuple[Step, ...]:
    """exp x > 0, 1 - x <= exp(-x), (1 + x) exp(-x) <= 1 and, for x >= 0, exp(-x) <= 1."""
    two_terms = Relation("<=", Exp(-X) + X * Exp(-X), as_term(1))
    decay = Relation("<=", Exp(-X), as_term(1))
    there_and_back = Relation("=", Exp(X) * Exp(-X), Exp(X - X))
    return (
        Step("exp positive", ForAllFn(x, Relation("<", as_term(0), Exp(X))), Generalise(("x*",), (
            Step("positive", Relation("<", as_term(0), Exp(X)), Exponential()),
        ))),
        Step("exp below", ForAllFn(x, Relation("<=", as_term(1) - X, Exp(-X))), Generalise(("x*",), (
            Step("tangent", Relation("<=", as_term(1) - X, Exp(-X)), Exponential()),
        ))),
        Step("two terms", ForAllFn(x, two_terms), Generalise(("x*",), (
            Step("tangent", Relation("<=", as_term(1) + X, Exp(X)), Exponential()),
            Step("there and back", there_and_back, Exponential()),
            Step("nowhere", Relation("=", Exp(X - X), as_term(1)), Exponential()),
            Step("divided", two_terms, Nonnegative(
                (item(use("exp positive", fns=(value(-X),)), use("tangent")),),
                (item(use("there and back")), item(use("nowhere"))),
            )),
        ))),
        Step("decay", ForAllFn(x, Implies(at_least_0(X), decay)), Generalise(("x*", "not negative"), (
            Step("one term", decay, Nonnegative((
                item(use("two terms", fns=(x,))),
                item(use("not negative"), use("exp positive", fns=(value(-X),))),
            ))),
        ))),
    )  # fmt: skip


# --- the terms of the series ----------------------------------------------------------------------


def _terms_not_negative() -> Step:
    q = term_of_series(X)
    return Step("terms", ForAllFn(x, Implies(at_least_0(X), every("k", 0, None, at_least_0(q("k"))))), Generalise(
        ("x*", "not negative"),
        (Step("every term", every("k", 0, None, at_least_0(q("k"))), Induction(
            "so far",
            base=(Step("none", at_least_0(q(0)), Nonnegative((item(),))),),
            step=(Step("one more", at_least_0(q(k + 1)), Nonnegative((
                item(use("so far"), use("not negative"), use("inverse positive", "k")),
            ))),),
        )),),
    ))  # fmt: skip


def _terms_grow() -> Step:
    """By induction, q_k(x) = x^k / k! and z = x + y: (k + 2) q_{k+2}(z) = z q_{k+1}(z) >= z (q_{k+1}(x) + y q_k(x))."""
    q, p = term_of_series(X), term_of_series(Z)

    def grows(at: Index | int) -> Relation:
        return Relation("<=", q(at + 1) + Y * q(at), p(at + 1))

    last = Reciprocal(number(k + 2))
    sum_of = use("sum")
    claim: Formula = Implies(at_least_0(X), Implies(at_least_0(Y), Implies(
        Relation("=", Z, X + Y), every("k", 0, None, grows(k))
    )))  # fmt: skip
    fixed = ("x*", "y*", "z*", "x at least 0", "y at least 0", "sum")
    return Step("terms grow", for_reals(claim, x, y, z), Generalise(fixed, (
        Step("every term", every("k", 0, None, grows(k)), Induction(
            "so far",
            base=(Step("linear term", grows(0), Nonnegative((), (
                item(sum_of, times=-Reciprocal(number(1))), item(use("inverse", 0), times=-Y),
            ))),),
            step=(Step("one more", grows(k + 1), Nonnegative(
                (
                    item(use("so far"), use("x at least 0"), use("inverse positive", k + 1)),
                    item(use("so far"), use("y at least 0"), use("inverse positive", k + 1)),
                    item(
                        use("y at least 0"), use("y at least 0"), use("inverse positive", k + 1),
                        use("terms", "k", fns=(x,), given=("x at least 0",)),
                    ),
                ),
                (
                    item(sum_of, times=-last * p(k + 1)),
                    item(use("inverse", "k"), times=last * X * Y * q("k")),
                    item(use("inverse", k + 1), times=-Y * q(k + 1)),
                ),
            )),),
        )),
    )))  # fmt: skip


def term_lemmas() -> tuple[Step, ...]:
    """x^k / k! is nonnegative, and what one more y does to it."""
    return (
        Step("numbers", every("k", 0, None, at_least_0(number("k"))), Induction(
            "so far",
            base=(Step("none", at_least_0(number(0)), Nonnegative(())),),
            step=(Step("one more", at_least_0(number(k + 1)), Nonnegative((item(use("so far")), item()))),),
        )),
        Step("numbers positive", every("k", 0, None, Relation("<", as_term(0), number(k + 1))), Nonnegative(
            (item(), item(use("numbers", "k")))
        )),
        Step("inverse", every("k", 0, None, Relation("=", number(k + 1) * _inverse, as_term(1))), Invert(
            use("numbers positive", "k")
        )),
        Step("inverse positive", every("k", 0, None, Relation("<", as_term(0), _inverse)), Invert(
            use("numbers positive", "k")
        )),
        _terms_not_negative(),
        _terms_grow(),
    )  # fmt: skip
