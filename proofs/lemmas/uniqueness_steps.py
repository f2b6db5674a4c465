"""Moments determine a law on [0, 1]: at most one number is between the expectations of polynomials below and above f.

Let mu and rho be such numbers, rho < mu.  Weierstrass: some polynomial p is within eta = (mu - rho) / 4 of f, so that
p - eta <= f <= p + eta and mu - eta <= E p <= rho + eta, against mu - rho = 4 eta.  Needs M_0 = 1 of the moments.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.law_on_interval import approximation, between, continuous, in_interval, polynomial
from proofs.notation import accumulated, every, zero_one
from proofs.steps import Antisymmetry, Either, Generalise, Instantiate, Nonnegative, Obtain, Outside, Step, item, use
from proofs.term import Fn, ForAllFn, Formula, Implies, Lambda, Relation, Symbol, Term, as_term, index

__all__ = ["at_most_one", "one_expectation"]

x, f, a = Symbol("x", 1), Symbol("f", 1), Symbol("a", 1)
mu, rho = Symbol("mu", 0), Symbol("rho", 0)
N = index("N")
QUARTER = as_term(Fraction(1, 4))


def at_most_one(moments: Fn) -> Formula:
    """Whatever the points and the continuous f: mu = rho, if both are between."""
    return ForAllFn(x, ForAllFn(f, Implies(in_interval(x), Implies(continuous(f, x), _pairs(moments, "=")))))


def _pairs(moments: Fn, op: str) -> Formula:
    known = (between(value(), f, x, moments) for value in (mu, rho))
    first, second = known
    return ForAllFn(mu, ForAllFn(rho, Implies(first, Implies(second, Relation(op, mu(), rho())))))


def _moved(by: Term) -> Lambda:
    """The coefficients of the polynomial p + by."""
    return Lambda(("k",), a("k") + zero_one("k", 0) * by)


def one_expectation(label: str, moments: Fn) -> Step:
    """The step that states `at_most_one`, from the lemma "start apart" and the fact "whole mass" that M_0 = 1."""
    eta = QUARTER * (mu() - rho())
    power = accumulated(Lambda(("r",), x("q")))
    constant = use("start apart", N, fns=(Lambda(("k",), zero_one("k", 0) * power("k")),))  # they sum to 1
    above, below = polynomial(_moved(eta), x), polynomial(_moved(-eta), x)
    goal = Relation("<=", mu(), rho())
    compared = (
        Step("above", every("q", 1, None, Relation("<=", f("q"), above)), Nonnegative((
            item(use("near", "q", parts="above")),
        ), (item(constant, times=-eta),))),
        Step("below", every("q", 1, None, Relation("<=", below, f("q"))), Nonnegative((
            item(use("near", "q", parts="below")),
        ), (item(constant, times=-eta),))),
        Step("no gap", goal, Nonnegative(
            (
                item(use("first", N, fns=(_moved(eta),), parts="above", given=("above",)), times=2),
                item(use("second", N, fns=(_moved(-eta),), parts="below", given=("below",)), times=2),
            ),
            (item(use("whole mass"), times=mu() - rho()),),
        )),
    )  # fmt: skip
    near = use(
        "approximable",
        fns=(
            x,
            f,
            Lambda((), eta),
        ),
        given=("points", "continuous", "positive"),
    )
    otherwise = (
        Step("positive", Relation("<", as_term(0), eta), Nonnegative((item(use("compared"), times=QUARTER),))),
        Step("some degree", goal, Obtain(near, "N", "degree", (
            Step("some coefficients", goal, Obtain(use("degree"), "a", "near", compared)),
        ))),
    )  # fmt: skip
    return Step(label, at_most_one(moments), Generalise(("x", "f", "points", "continuous"), (
        Step("approximable", approximation, Outside("Weierstrass")),
        Step("at most", _pairs(moments, "<="), Generalise(("mu", "rho", "first", "second"), (
            Step("so", goal, Either(
                goal, "compared", (Step("itself", goal, Instantiate(use("compared"))),), otherwise
            )),
        ))),
        Step("equal", _pairs(moments, "="), Generalise(("mu", "rho", "first", "second"), (
            Step("same", Relation("=", mu(), rho()), Antisymmetry(
                use("at most", fns=(mu, rho), given=("first", "second")),
                use("at most", fns=(rho, mu), given=("second", "first")),
            )),
        ))),
    )))  # fmt: skip
