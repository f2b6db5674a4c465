"""prod_t (1 - lambda_t m / (m + 1)) is within sum_t lambda_t^2 of exp(-S m / (m + 1)), S = lambda_1 + ... + lambda_T.

With x = lambda m / (m + 1), 0 <= x <= lambda, one more factor is 1 - x <= exp(-x) <= 1 - x + x^2; the errors add up, as
both products are between 0 and 1.  Assumed: 0 <= lambda_t <= 1 ("mixing"), and the lemmas of poisson_steps.
"""

from __future__ import annotations

from proofs.laws import effective_depth, square_sum
from proofs.lemmas.comparison_steps import value
from proofs.notation import accumulated, every, number
from proofs.steps import Both, Exponential, Induction, Nonnegative, Step, item, use
from proofs.term import And, Exp, Fn, Formula, Index, Lambda, Reciprocal, Relation, Term, as_term, index

__all__ = ["close_to_exponential", "elapsed", "kept_moment", "share"]

m, s, T = index("m"), index("s"), index("T")
ONE, ZERO = as_term(1), as_term(0)
share = Reciprocal(number(m + 1))
_part = number(m) * share


def kept_moment(lam: Fn) -> Lambda:
    """t -> 1 - lambda_t + lambda_t / (m + 1)."""
    return Lambda(("t",), ONE - lam("t") + lam("t") * share)


def elapsed(lam: Fn, depth: Index | int | str) -> Term:
    """exp(-S m / (m + 1)), S = lambda_1 + ... + lambda_T."""
    return Exp(-(effective_depth(lam, depth) * number(m) * share))


def close_to_exponential(lam: Fn, goals: And) -> tuple[Step, ...]:
    """The product is at most the exponential, which is at most the product and sum_t lambda_t^2."""
    product, here = accumulated(kept_moment(lam)), effective_depth(lam, s) * number(m) * share
    attends = lam(s + 1)
    spent = attends * number(m) * share
    least, most = (use("mixing", s + 1, parts=part) for part in ("nonnegative", "at most one"))
    kept, passed = use("exp positive", fns=(value(-here),)), use("exp positive", fns=(value(-spent),))
    slow, split = use("exp below", fns=(value(spent),)), use("inverse", m)
    positive, small, large = use("inverse positive", m), use("part: at least 0"), use("part: at most 1")
    square = attends * attends

    def low(depth: Index | int | str) -> Relation:
        return Relation("<=", product(depth), elapsed(lam, depth))

    def high(depth: Index | int | str) -> Relation:
        return Relation("<=", elapsed(lam, depth), product(depth) + square_sum(lam, depth))

    def by_depth(label: str, stated: tuple[Formula, Formula, Formula], base: Nonnegative, step: Nonnegative) -> Step:
        return Step(label, every("s", 0, T, stated[1]), Induction(
            "so far", (Step("no layer", stated[0], base),), (Step("one more layer", stated[2], step),)
        ))  # fmt: skip

    def signs(depth: Index | int | str) -> Relation:
        return Relation("<=", ZERO, product(depth))

    at_start = (item(use("no time")),)
    return (
        Step("part: at least 0", Relation("<=", ZERO, _part), Nonnegative((item(use("numbers", m), positive),))),
        Step("part: at most 1", Relation("<=", _part, ONE), Nonnegative((item(positive),), (item(split),))),
        Step("no time", Relation("=", elapsed(lam, 0), ONE), Exponential()),
        Step("more time", every("s", 0, T - 1, Relation(
            "=", elapsed(lam, s) * Exp(-spent), elapsed(lam, s + 1)
        )), Exponential()),
        Step("spent", every("s", 0, T, Relation("<=", ZERO, here)), Nonnegative((
            item(use("mixing", "t", parts="nonnegative"), small, over=(("t", 1, s),)),
        ))),
        by_depth("products", (signs(0), signs(s), signs(s + 1)), Nonnegative((item(),)), Nonnegative((
            item(most, use("so far")), item(least, positive, use("so far")),
        ))),
        by_depth(
            "product below", (low(0), low(s), low(s + 1)),
            Nonnegative((), (item(use("no time"), times=-1),)),
            Nonnegative(
                (item(passed, use("so far")), item(slow, use("products", s))),
                (item(use("more time", s)), item(split, times=attends * product(s))),
            ),
        ),
        by_depth(
            "product above", (high(0), high(s), high(s + 1)), Nonnegative((), at_start),
            Nonnegative(
                (
                    item(most, use("so far")),
                    item(least, positive, use("so far")),
                    item(least, small, times=square_sum(lam, s)),
                    item(large, times=square),
                    item(large, small, times=square),
                    item(use("decay", fns=(value(here),), given=(use("spent", s),)), times=spent * spent),
                    item(kept, use("two terms", fns=(value(spent),))),
                    item(kept, least, small, slow),
                ),
                (
                    item(use("more time", s), times=-1),
                    item(split, times=attends * (square_sum(lam, s) - elapsed(lam, s))),
                ),
            ),
        ),
        Step("below", dict(goals.parts)["below"], Nonnegative((item(use("product below", T)),))),
        Step("above", dict(goals.parts)["above"], Nonnegative((item(use("product above", T)),))),
        Step("both", goals, Both(("below", "above"))),
    )  # fmt: skip
