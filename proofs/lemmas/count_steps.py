"""The number K of attending layers against a Poisson number of the same mean S, by coupling layer by layer.

    sum_k g_k (P(K = k) - exp(-S) S^k / k!) <= sum_t lambda_t (1 - exp(-lambda_t))   for every 0 <= g <= 1

One more layer moves the test to a (g_k + lambda g_{k+1}), a = exp(-lambda), again between 0 and 1: at least so much the
Poisson law keeps of it (poisson_steps), and the law of K gains (1 - lambda - a) g_k + lambda (1 - a) g_{k+1}, at most
lambda (1 - a).  Assumed under "mixing": 0 <= lambda_t <= 1 up to layer T.
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.laws import effective_depth, gap, poisson, term_of_series
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.variation_steps import tests, unit
from proofs.notation import IDENTITY, every, hops, zero_one
from proofs.steps import (
    Both,
    Chain,
    Exponential,
    Generalise,
    Identity,
    Induction,
    Item,
    Nonnegative,
    Reason,
    Step,
    item,
    use,
)
from proofs.term import (
    Exp,
    Fn,
    ForAllFn,
    Formula,
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

__all__ = ["by_depth", "hop_lemmas", "law_against_poisson"]

g = Symbol("g*", 1)
i, j, k, m, s, T = (index(v) for v in ("i", "j", "k", "m", "s", "T"))


def by_depth(label: str, stated: tuple[Formula, Formula, Formula], base: Reason, step: Reason) -> Step:
    """What is stated at depth 0, s and s + 1, for every depth up to T."""
    start, here, after = stated
    return Step(label, every("s", 0, T, here), Induction(
        "so far", base=(Step("no layer", start, base),), step=(Step("one more layer", after, step),)
    ))  # fmt: skip


# --- the law of K ---------------------------------------------------------------------------------


def hop_lemmas(lam: Fn) -> tuple[Step, ...]:
    """P(K = k) is 0 beyond the depth and below 0, and sums to 1: C1."""
    law = hops(lam)

    def cited(part: str, *at: Index | int) -> tuple[Item, ...]:
        return (item(use("C1", *at, parts=part, fns=(lam, IDENTITY))),)

    above, below = (every("m", 0, None, Relation("=", law(s, at), as_term(0))) for at in (s + m + 1, -m - 1))
    whole = Relation("=", total("k", 0, s, law(s, "k")), as_term(1))
    return (
        Step("none above", every("s", 0, T, above), Identity(cited("support/above", s, m))),
        Step("none below", every("s", 0, T, below), Identity(cited("support/below", s, m))),
        Step("mass", every("s", 0, T, whole), Identity(cited("mass", s, as_index(0)))),
    )


def chances_not_negative(lam: Fn) -> Step:
    """P(K = k) >= 0 for coefficients in [0, 1]."""
    law = hops(lam)

    def stated(depth: Index | int) -> Formula:
        return every("k", 0, None, Relation("<=", as_term(0), law(depth, "k")))

    return by_depth(
        "chances", (stated(0), stated(s), stated(s + 1)), Nonnegative((item(times=zero_one("k", 0)),)),
        Nonnegative(
            (
                item(use("mixing", s + 1, parts="at most one"), use("so far", "k")),
                item(
                    use("mixing", s + 1, parts="nonnegative"), use("so far", "m"), times=zero_one("m", k - 1),
                    over=(("m", 0, k - 1),),
                ),
            ),
            (item(use("none below", "s", 0), times=-lam(s + 1) * zero_one("k", 0)),),
        ),
    )  # fmt: skip


# --- against the Poisson law ----------------------------------------------------------------------


def law_against_poisson(lam: Fn) -> tuple[Step, ...]:
    """The bound for every test, at every depth up to T."""
    law, none = hops(lam), poisson(effective_depth(lam, 0))

    def difference(depth: Index | int) -> Term:
        here = poisson(effective_depth(lam, depth))
        return total("k", 0, depth, g("k") * (law(depth, "k") - here("k")))

    def stated(depth: Index | int) -> ForAllFn:
        return tests(gap(lam, depth), difference(depth), 0, None)

    return (
        chances_not_negative(lam),
        Step("depths", every("s", 0, T, Relation("<=", as_term(0), effective_depth(lam, "s"))), Nonnegative((
            item(use("mixing", "t", parts="nonnegative"), over=(("t", 1, s),)),
        ))),
        Step("law tested", every("s", 0, T, stated(s)), Induction(
            "so far",
            base=(
                Step("no time", Relation("=", Exp(-effective_depth(lam, 0)), as_term(1)), Exponential()),
                Step("no layer", stated(0), Generalise(("g*", "test"), (
                    Step("same law", Relation("<=", difference(0), gap(lam, 0)), Nonnegative(
                        (),
                        (
                            item(use("only term", fns=(Lambda(("k",), g("k") * none("k")),)), times=-1),
                            item(use("no time"), times=-g(0)),
                        ),
                    )),
                ))),
            ),
            step=(Step("one more layer", stated(s + 1), Generalise(("g*", "test"), _one_more(lam, difference))),),
        )),
    )  # fmt: skip


def _one_more(lam: Fn, difference: Callable[[Index | int], Term]) -> tuple[Step, ...]:
    attends, law = lam(s + 1), hops(lam)
    a, here, after = Exp(-attends), effective_depth(lam, s), effective_depth(lam, s + 1)
    moved = Lambda(("k",), a * (g("k") + attends * g(k + 1)))
    low, high = (part for _, part in unit(moved, 0, None).parts)
    least, stays = use("mixing", s + 1, parts="nonnegative"), use("exp positive", fns=(value(-attends),))
    here_law, after_law = poisson(here), poisson(after)
    before, then = use("test", "k", parts="at most one"), use("test", k + 1, parts="at most one")
    kept = total("k", 0, s, moved("k") * law("s", "k"))
    return (
        Step("moved: at least 0", low, Nonnegative((
            item(stays, use("test", "k", parts="nonnegative")),
            item(stays, least, use("test", k + 1, parts="nonnegative")),
        ))),
        Step("moved: at most 1", high, Nonnegative((
            item(use("two terms", fns=(value(attends),))), item(stays, before), item(stays, least, then),
        ))),
        Step("moved", unit(moved, 0, None), Both(("moved: at least 0", "moved: at most 1"))),
        Step("law moved", Relation(
            "<=", total("k", 0, s + 1, g("k") * law(s + 1, "k")), attends * (as_term(1) - a) + kept
        ), Nonnegative(
            (
                item(
                    use("chances", "s", "k"), least, use("decay", fns=(value(attends),), given=(least,)), then,
                    over=(("k", 0, s),),
                ),
                item(
                    use("chances", "s", "k"), use("exp below", fns=(value(attends),)),
                    use("test", "k", parts="nonnegative"), over=(("k", 0, s),),
                ),
            ),
            (
                item(use("mass", "s"), times=attends * (as_term(1) - a)),
                item(use("none above", "s", 0), times=(as_term(1) - attends) * g(s + 1)),
                item(use("none below", "s", 0), times=attends * g(0)),
            ),
        )),
        Step("longer", Relation("=", Exp(-here) * a, Exp(-after)), Exponential()),
        Step("one more term", Relation("=", after, here + attends), Identity()),
        Step("Poisson moved", Relation(
            "<=", total("k", 0, s, moved("k") * here_law("k")),
            total("k", 0, s + 1, g("k") * after_law("k")),
        ), Nonnegative(
            (
                item(
                    use("exp positive", fns=(value(-here),)), stays, use("test", k + 1, parts="nonnegative"),
                    use(
                        "terms grow", "k", fns=(value(here), value(attends), value(after)),
                        given=(use("depths", "s"), least, "one more term"),
                    ),
                    over=(("k", 0, s),),
                ),
                item(
                    use("exp positive", fns=(value(-here),)), stays, use("test", s + 1, parts="nonnegative"),
                    use("terms", s + 1, fns=(value(here),), given=(use("depths", "s"),)),
                ),
            ),
            (
                item(use("first apart", "s", fns=(Lambda(("k",), g("k") * after_law("k")),)), times=-1),
                item(use("both ends apart", "s", fns=(Lambda(("k",), a * g("k") * here_law("k")),))),
                item(use("longer"), times=g(0)),
                item(use("longer"), times=g(k + 1) * term_of_series(after)(k + 1), over=(("k", 0, s),)),
            ),
        )),
        Step("one more layer", Relation("<=", difference(s + 1), gap(lam, s + 1)), Chain((
            use("so far", fns=(moved,), given=("moved",)), use("law moved"), use("Poisson moved"),
        ))),
    )  # fmt: skip
