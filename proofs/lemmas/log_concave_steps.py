"""Lemmas on log-concave sequences, c_l c_{k+1} <= c_{l+1} c_k for 0 <= l <= k: the ratio of neighbours falls.

number of successes     P(K = k) is log-concave in k, for independent trials (Newton's inequalities)
Poisson law             so is x^k / k!, for x >= 0
two neighbours          with c, so is k -> p c_k + q c_{k+1}, for p, q >= 0
falls on                if c >= 0 and c_0 > 0, then c_{k+1} <= c_k implies c_{k+2} <= c_{k+1}: c is unimodal
"""

from __future__ import annotations

from fractions import Fraction

from proofs.laws import term_of_series
from proofs.lemmas.poisson_steps import at_least_0, for_reals
from proofs.notation import every, hops, mixing, number, zero_one
from proofs.steps import Absurd, Cases, Chain, Generalise, Induction, Nonnegative, Step, item, real_cases, use
from proofs.substitute import apply
from proofs.term import (
    Fn,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
)

__all__ = ["falls_on", "log_concave", "log_concave_lemmas", "log_concave_series", "not_negative"]

x, y, p, q = Symbol("x*", 1), Symbol("y*", 0), Symbol("p*", 0), Symbol("q*", 0)  # starred: no claim uses the names
c = Symbol("c*", 1)
b, k, l, r, s, T = (index(name) for name in ("b", "k", "l", "r", "s", "T"))  # noqa: E741 - the letters of the formulas


def _crossed(sequence: Fn, low: Index, high: Index) -> Relation:
    """c_low c_{high+1} <= c_{low+1} c_high."""
    at = [apply(sequence, (place,)) for place in (low, high + 1, low + 1, high)]
    return Relation("<=", at[0] * at[1], at[2] * at[3])


def log_concave(sequence: Fn, low: Index | int = 0) -> Formula:
    """c_l c_{k+1} <= c_{l+1} c_k for low <= l <= k."""
    return every("l", low, None, every("k", l, None, _crossed(sequence, l, k)))


def not_negative(sequence: Fn) -> Formula:
    """c_k >= 0 for k >= 0."""
    return every("k", 0, None, at_least_0(apply(sequence, (k,))))


def falls_on(sequence: Fn) -> Formula:
    """For k >= 0: c_{k+1} <= c_k implies c_{k+2} <= c_{k+1}."""
    at = [apply(sequence, (k + step,)) for step in range(3)]
    return every("k", 0, None, Implies(Relation("<=", at[1], at[0]), Relation("<=", at[2], at[1])))


# --- the terms of the exponential series ------------------------------------------------------------

_terms = term_of_series(y())


def _over(at: Index) -> Term:
    """1 / (k + 1)."""
    return Reciprocal(number(at + 1))


log_concave_series = Step(
    "log-concave series",
    for_reals(Implies(at_least_0(y()), log_concave(_terms)), y),
    Generalise(("y*", "not negative"), (
        Step("next inverse", every("r", 0, None, Relation("<=", _over(r + 1), _over(r))), Nonnegative(
            (item(use("inverse positive", r), use("inverse positive", r + 1)),),
            (item(use("inverse", r), times=-_over(r + 1)), item(use("inverse", r + 1), times=_over(r))),
        )),
        Step("inverses fall", every("l", 0, None, every("k", l, None, Relation("<=", _over(k), _over(l)))), Nonnegative(
            (item(use("next inverse", r), over=(("r", l, k - 1),)),)
        )),
        Step("crossed", log_concave(_terms), Nonnegative((item(
            use("not negative"), use("inverses fall", l, k),
            use("terms", l, fns=(y,), given=("not negative",)), use("terms", k, fns=(y,), given=("not negative",)),
        ),))),
    )),
)  # fmt: skip

# --- neighbours -------------------------------------------------------------------------------------


def smoothed(sequence: Fn) -> Lambda:
    """k -> p c_k + q c_{k+1}."""
    return Lambda(("k",), p() * apply(sequence, (k,)) + q() * apply(sequence, (k + 1,)))


_smooth = _crossed(smoothed(c), l, k)
_pure = (
    item(use("p >= 0"), use("p >= 0"), use("log-concave", l, k)),
    item(use("q >= 0"), use("q >= 0"), use("log-concave", l + 1, k + 1)),
)
_neighbours = Step(
    "two neighbours",
    ForAllFn(c, for_reals(Implies(at_least_0(p()), Implies(at_least_0(q()), Implies(
        log_concave(c), log_concave(smoothed(c))
    ))), p, q)),
    Generalise(("c*", "p*", "q*", "p >= 0", "q >= 0", "log-concave", "l", "k"), (
        Step("crossed", _smooth, Cases(
            l + 1, k,
            (Step("apart", _smooth, Nonnegative((
                *_pure,
                item(use("p >= 0"), use("q >= 0"), use("log-concave", l, k + 1)),
                item(use("p >= 0"), use("q >= 0"), use("log-concave", l + 1, k)),
            ))),),
            (Step("equal", _smooth, Nonnegative(_pure)),),
        )),
    )),
)  # fmt: skip

# --- unimodal ---------------------------------------------------------------------------------------

_falling = Relation("<=", c(k + 2), c(k + 1))
_false = Relation("<", as_term(0), as_term(0))
_falls_on = Step(
    "falls on",
    ForAllFn(c, Implies(not_negative(c), Implies(Relation("<", as_term(0), c(0)), Implies(
        log_concave(c), falls_on(c)
    )))),
    Generalise(("c*", "not negative", "starts", "log-concave", "k", "falls"), (
        Step("next", _falling, real_cases(
            c(k + 2), c(k + 1), "either", (Step("so it is", _falling, Chain((use("either"),))),),
            (
                Step("false", _false, Nonnegative((
                    item(use("starts"), use("either"), use("either")),
                    item(use("starts"), use("either"), use("not negative", k + 1)),
                    item(use("either"), use("log-concave", 0, k + 1)),
                    item(use("not negative", 1), use("log-concave", k, k + 1)),
                    item(use("not negative", 1), use("not negative", k + 2), use("falls")),
                ))),
                Step("never", _falling, Absurd(use("false"), Fraction(0))),
            ),
        )),
    )),
)  # fmt: skip

# --- the number of successes ------------------------------------------------------------------------


def _successes(depth: Index | int) -> Formula:
    """The law of the number of successes, from any count on, below 0 as well."""
    return every("b", 0, None, log_concave(Lambda(("k",), hops(x)(depth, k - b))))


_trial = (Lambda(("k",), hops(x)(s, k - b - 1)), Lambda((), x(s + 1)), Lambda((), as_term(1) - x(s + 1)))
_law = log_concave(Lambda(("k",), hops(x)("T", "k")))
_of_hops = Step("log-concave successes", ForAllFn(x, Implies(mixing(x, "T"), _law)), Generalise(("x*", "trials"), (
    Step("every depth", every("s", 0, T, _successes(s)), Induction(
        "so far",
        base=(Step("no trial", _successes(0), Nonnegative((
            item(times=zero_one(l + 1 - b, 0) * zero_one(k - b, 0)),
        ))),),
        step=(Step("one more trial", _successes(s + 1), Chain((use("two neighbours", l, k, fns=_trial, given=(
            use("trials", s + 1, parts="nonnegative"), use("trials", s + 1, parts="at most one"), use("so far", b + 1),
        )),))),),
    )),
    Step("depth T", _law, Chain((use("every depth", T, 0, "l", "k"),))),
)))  # fmt: skip


def log_concave_lemmas() -> tuple[Step, ...]:
    """Two neighbours, the number of successes, and falling on."""
    return _neighbours, _of_hops, _falls_on
