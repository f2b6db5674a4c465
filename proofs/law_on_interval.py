"""A law on [0, 1] as a claim can speak of it, which knows functions of indices only: by what its moments say of E f(X).

x_1, x_2, ...       points of [0, 1]; f_q = f(x_q), a function by its values there
f continuous        for every eta > 0 some delta > 0:  f_q - f_r <= eta  where  |x_q - x_r| <= delta
f near polynomials  for every eta > 0 some degree N and a_0, ..., a_N:  |f_q - sum_k a_k x_q^k| <= eta  for every q
mu between          a polynomial that is at least f at every point has an expectation sum_k a_k M_k >= mu, and one
                    that is at most f has one <= mu

If X has a law on [0, 1] with the moments E X^k = M_k and the points are dense, then a polynomial that is at least a
continuous f at the points is at least f throughout; so mu = E f(X) is between, since expectation is monotone.
Continuous is uniformly so on the points: whatever these are, such an f extends to a continuous function on [0, 1], and
every continuous function on [0, 1] is such an f.
"""

from __future__ import annotations

from proofs.notation import accumulated, every, some
from proofs.substitute import apply
from proofs.term import (
    And,
    ExistsFn,
    Fn,
    ForAllFn,
    Formula,
    Implies,
    Lambda,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
    total,
)

__all__ = ["approximation", "between", "continuous", "expectation", "in_interval", "near_polynomials", "polynomial"]

ZERO, k = as_term(0), index("k")
a, eta, delta = Symbol("a", 1), Symbol("eta", 0), Symbol("delta", 0)
x, f = Symbol("x", 1), Symbol("f", 1)


def polynomial(coefficients: Fn, points: Fn) -> Term:
    """sum_{k <= N} a_k x_q^k."""
    power = accumulated(Lambda(("r",), points("q")))
    return total("k", 0, "N", apply(coefficients, (k,)) * power("k"))


def expectation(coefficients: Fn, moments: Fn) -> Term:
    """sum_{k <= N} a_k M_k."""
    return total("k", 0, "N", apply(coefficients, (k,)) * apply(moments, (k,)))


def in_interval(points: Fn) -> Formula:
    """0 <= x_q <= 1."""
    return every("q", 1, None, And((
        ("low", Relation("<=", ZERO, points("q"))), ("high", Relation("<=", points("q"), as_term(1))),
    )))  # fmt: skip


def continuous(function: Fn, points: Fn) -> Formula:
    """f is continuous on the points, uniformly."""
    apart = points("q") - points("r")
    close = And(
        (("right", Relation("<=", apart, delta())), ("left", Relation("<=", points("r") - points("q"), delta())))
    )
    steady = every("q", 1, None, every("r", 1, None, Implies(close, Relation(
        "<=", function("q") - function("r"), eta()
    ))))  # fmt: skip
    some_delta = ExistsFn(delta, And((("positive", Relation("<", ZERO, delta())), ("steady", steady))))
    return ForAllFn(eta, Implies(Relation("<", ZERO, eta()), some_delta))


def near_polynomials(function: Fn, points: Fn) -> Formula:
    """Some polynomial is within eta of f at every point, whatever eta > 0."""
    value = polynomial(a, points)
    near = every("q", 1, None, And((
        ("above", Relation("<=", function("q"), value + eta())),
        ("below", Relation("<=", value - eta(), function("q"))),
    )))  # fmt: skip
    return ForAllFn(eta, Implies(Relation("<", ZERO, eta()), some("N", 0, ExistsFn(a, near))))


def between(value: Term, function: Fn, points: Fn, moments: Fn) -> Formula:
    """Polynomials above f have an expectation of at least ``value``, those below f one of at most ``value``."""
    shown, mean = polynomial(a, points), expectation(a, moments)
    return every("N", 0, None, ForAllFn(a, And((
        ("above", Implies(every("q", 1, None, Relation("<=", function("q"), shown)), Relation("<=", value, mean))),
        ("below", Implies(every("q", 1, None, Relation("<=", shown, function("q"))), Relation("<=", mean, value))),
    ))))  # fmt: skip


approximation = ForAllFn(x, ForAllFn(f, Implies(in_interval(x), Implies(continuous(f, x), near_polynomials(f, x)))))
