"""A mean over the number K of layers that attend, Poisson-binomial with the chances lambda_t, for x >= 0:

E K (1 + x)^{K-1}  <=  (sum_t lambda_t) prod_t (1 + lambda_t x),        E (1 + x)^K = prod_t (1 + lambda_t x)
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.lemmas.product_steps import at_least_0, by_degree, grown
from proofs.notation import IDENTITY, accumulated, every, hops, mixing, number, zero_one
from proofs.steps import Generalise, Identity, Induction, Nonnegative, Reason, Step, item, use
from proofs.term import (
    Bracket,
    Fn,
    ForAllFn,
    Implies,
    Index,
    Lambda,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)

__all__ = ["hop_lemmas", "product_of_layers"]

x = Symbol("x*", 0)  # starred, so that no claim uses the name
X, q = x(), grown
k, m, s, T = (index(name) for name in ("k", "m", "s", "T"))
ONE = as_term(1)


def product_of_layers(coefficients: Fn, argument: Term) -> Fn:
    """T -> prod_t (1 + lambda_t x)."""
    return accumulated(Lambda(("t",), ONE + coefficients("t") * argument))


_previous = Bracket(((as_index(1), m),))
_split_power = Relation("=", q(X)("m"), zero_one("m", 0) + _previous * ((ONE + X) * q(X)(m - 1)))
_split_multiple = Relation("=", number("m") * q(X)("m"), _previous * (number(m - 1) + ONE) * ((ONE + X) * q(X)(m - 1)))


def _split(label: str, stated: Relation) -> Step:
    return by_degree(label, (x,), {}, stated, Identity(), Identity())


def _mean_power(coefficients: Fn, depth: Index | int) -> Relation:
    """E (1 + x)^K = prod_t (1 + lambda_t x)."""
    mean = total("k", 0, depth, hops(coefficients)(depth, "k") * q(X)("k"))
    return Relation("=", mean, product_of_layers(coefficients, X)(depth))


def _mean_slope(coefficients: Fn, depth: Index | int) -> Relation:
    """E K (1 + x)^{K-1} <= (sum_t lambda_t) prod_t (1 + lambda_t x)."""
    mean = total("k", 0, as_index(depth) - 1, hops(coefficients)(depth, k + 1) * number(k + 1) * q(X)("k"))
    right = total("t", 1, depth, coefficients("t")) * product_of_layers(coefficients, X)(depth)
    return Relation("<=", mean, right)


def _by_depth(label: str, stated: Callable[[Index | int], Relation], start: Reason, step: Reason) -> Step:
    return Step(label, every("s", 0, T, stated(s)), Induction(
        "so far", (Step("no layer", stated(0), start),), (Step("one more layer", stated(s + 1), step),)
    ))  # fmt: skip


def _hop_lemma(lam: Fn) -> Step:
    law, product = hops(lam), product_of_layers(lam, X)
    attends, rests = lam(s + 1), ONE - lam(s + 1)
    below, beyond = (use("C1", s, 0, parts=f"support/{side}", fns=(lam, IDENTITY)) for side in ("below", "above"))
    positive, growth = use("mixing", s + 1, parts="nonnegative"), use("x >= 0")
    claim = Implies(mixing(lam, "T"), Implies(at_least_0(X), every("s", 0, T, _mean_slope(lam, s))))
    return Step("mean slope", ForAllFn(x, claim), Generalise(("x*", "mixing", "x >= 0"), (
        _by_depth(
            "products of layers", lambda depth: at_least_0(product(depth)),
            Nonnegative((item(),)), Nonnegative((item(use("so far")), item(positive, growth, use("so far")))),
        ),
        _by_depth(
            "mean power", lambda depth: _mean_power(lam, depth),
            Identity((item(use("(1 + x)^m, apart", k, fns=(x,)), over=(("k", 0, 0),)),)),
            Identity((
                item(use("so far"), times=ONE + attends * X),
                item(use("(1 + x)^m, apart", k, fns=(x,)), times=attends * law(s, k - 1), over=(("k", 0, s + 1),)),
                item(below, times=attends),
                item(beyond, times=rests * q(X)("m"), over=(("m", s + 1, s + 1),)),
            )),
        ),
        _by_depth(
            "every depth", lambda depth: _mean_slope(lam, depth), Nonnegative(()),
            Nonnegative(
                (
                    item(use("so far")), item(positive, growth, use("so far")),
                    item(positive, positive, growth, use("products of layers", s)),
                ),
                (
                    item(use("mean power", s), times=attends),
                    item(use("m (1 + x)^m, apart", k, fns=(x,)), times=attends * law(s, k), over=(("k", 0, s),)),
                    item(beyond, times=rests * number(s + 1) * q(X)(s)),
                ),
            ),
        ),
    )))  # fmt: skip


def hop_lemmas(lam: Fn) -> tuple[Step, ...]:
    """E K (1 + x)^{K-1} <= (sum_t lambda_t) prod_t (1 + lambda_t x) for x >= 0, at every depth up to T."""
    return (
        _split("(1 + x)^m, apart", _split_power),
        _split("m (1 + x)^m, apart", _split_multiple),
        _hop_lemma(lam),
    )
