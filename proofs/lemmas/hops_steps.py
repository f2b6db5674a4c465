"""A lemma on the number K of successes of independent trials: few successes are as unlikely as a union bound says.

    P(K_T <= T - d)  <=  C(T, d) (1 - b)^d,   if b <= x_t <= 1 and 0 <= x_t for every chance x_t:

at least d of the T trials fail, and there are C(T, d) ways to choose them.
"""

from __future__ import annotations

from proofs.notation import IDENTITY, accumulated, binomial, every, hops, layers, mixing, zero_one
from proofs.steps import Chain, Generalise, Induction, Nonnegative, Step, Use, item, use
from proofs.term import (
    Bracket,
    Fn,
    ForAllFn,
    Formula,
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

__all__ = ["few_successes", "none_below", "powers_of_failure", "union_bound"]

x, b = Symbol("x*", 1), Symbol("b*", 0)  # starred, so that no claim uses the names
s, d, T = index("s"), index("d"), index("T")


def powers_of_failure(least: Term) -> Fn:
    """d -> (1 - b)^d."""
    return accumulated(Lambda(("t",), as_term(1) - least))


def few_successes(chances: Fn, least: Term, depth: Index | int, count: Index | int) -> Relation:
    """P(K_depth <= depth - count) <= C(depth, count) (1 - b)^count."""
    left = total("k", 0, as_index(depth) - count, hops(chances)(depth, "k"))
    return Relation("<=", left, binomial(depth, count) * powers_of_failure(least)(count))


def none_below(chances: Fn, depth: Index, side: str = "below") -> Use:
    """P(K_depth = -1) = 0, or P(K_depth = depth + 1) = 0 ("above"): C1."""
    return use("C1", depth, 0, parts=f"support/{side}", fns=(chances, IDENTITY))


def _nonnegative_binomial(depth: Index | int) -> Formula:
    """C(depth, k) >= 0, also for some k < 0."""
    return every("k", as_index(depth) - T - 1, None, Relation("<=", as_term(0), binomial(depth, "k")))


def _bound(depth: Index | int) -> Formula:
    """The bound for every number of failures."""
    return every("d", 0, None, few_successes(x, b(), depth, d))


def _power(count: Index | int) -> Relation:
    """(1 - b)^count >= 0."""
    return Relation("<=", as_term(0), powers_of_failure(b())(count))


_binomials = Step("binomials", every("s", 0, T, _nonnegative_binomial(s)), Induction(
    "so far",
    base=(Step("no trial", _nonnegative_binomial(0), Nonnegative((item(times=zero_one("k", 0)),))),),
    step=(Step("Pascal", _nonnegative_binomial(s + 1), Nonnegative((
        item(use("so far", "k")), item(use("so far", index("k") - 1)),
    ))),),
))  # fmt: skip

_powers = Step("powers", layers(1, "T", every("d", 0, None, _power(d))), Generalise(("t",), (
    Step("one trial", Relation("<=", as_term(0), as_term(1) - b()), Nonnegative((
        item(use("chances", "t", parts="at most one")), item(use("at least b", "t")),
    ))),
    Step("several", every("d", 0, None, _power(d)), Induction(
        "so far",
        base=(Step("none", _power(0), Nonnegative((item(),))),),
        step=(Step("one more", _power(d + 1), Nonnegative((item(use("one trial"), use("so far")),))),),
    )),
)))  # fmt: skip

_succeeds, _fails = (use("chances", s + 1, parts=part) for part in ("nonnegative", "at most one"))
_by_trial = Step("every depth", every("s", 0, T, _bound(s)), Induction(
    "so far",
    base=(Step("no trial", _bound(0), Induction(
        "fewer",
        base=(Step("none fails", few_successes(x, b(), 0, 0), Nonnegative(())),),
        step=(Step("some fail", few_successes(x, b(), 0, d + 1), Nonnegative(())),),
    )),),
    step=(Step("one more trial", _bound(s + 1), Induction(
        "fewer",
        base=(Step("none fails", few_successes(x, b(), s + 1, 0), Nonnegative(
            (item(use("so far", 0)), item(use("binomials", "s", -1))),
            (
                item(none_below(x, s, "above"), times=as_term(1) - x(s + 1)),
                item(none_below(x, s), times=x(s + 1)),
            ),
        )),),
        step=(Step("some fail", few_successes(x, b(), s + 1, d + 1), Nonnegative(
            (
                item(_fails, use("so far", d)),
                item(_succeeds, use("so far", d + 1)),
                item(use("at least b", s + 1), use("binomials", "s", d), use("powers", s + 1, d)),
                item(_fails, use("binomials", "s", d + 1), use("powers", s + 1, d + 1)),
            ),
            (item(none_below(x, s), times=x(s + 1) * Bracket(((d, s),))),),
        )),),
    )),),
))  # fmt: skip

_at_least = layers(1, "T", Relation("<=", b(), x("t")))
union_bound = Step(
    "union bound",
    ForAllFn(x, ForAllFn(b, Implies(mixing(x, "T"), Implies(_at_least, _bound(T))))),
    Generalise(("x*", "b*", "chances", "at least b"), (
        _binomials,
        _powers,
        _by_trial,
        Step("depth T", _bound(T), Chain((use("every depth", T, "d"),))),
    )),
)  # fmt: skip
