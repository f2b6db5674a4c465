"""The chance that at least two layers attend, for coefficients in [0, 1]; K_s is the number of those up to layer s.

    lambda_r lambda_t  <=  P(K_T >= 2)  <=  sum_{t <= T} sum_{r < t} lambda_r lambda_t          for layers r < t <= T

So it is positive exactly if lambda_t > 0 for two layers.  Another layer that attends with chance lambda adds
lambda P(K = 1) to it, and lambda P(K = 0) to P(K >= 1).
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.lemmas.prefix_power_steps import OF_HOPS, lam, law
from proofs.notation import every, layers, mixing
from proofs.steps import Both, Chain, Generalise, Induction, Item, Nonnegative, Step, Use, item, use
from proofs.term import Formula, Implies, Index, Relation, Term, as_index, as_term, index, total

__all__ = ["at_least_two", "chance", "hop_bounds", "no_chance", "no_one", "pairs"]

k, r, s, t, u, T = (index(name) for name in ("k", "r", "s", "t", "u", "T"))
ZERO, ONE = as_term(0), as_term(1)


def _at_least(count: int, depth: Index | int) -> Term:
    return total("k", count, depth, law(depth, "k"))


def at_least_two(depth: Index | int | str) -> Term:
    """P(K_s >= 2)."""
    return _at_least(2, as_index(depth))


def pairs(depth: Index | int | str) -> Term:
    """sum_{t <= s} sum_{r < t} lambda_r lambda_t."""
    return total("t", 1, depth, total("r", 1, t - 1, lam("r") * lam("t")))


def chance(depth: Index | str, count: Index | int) -> Use:
    """P(K_s = count) >= 0."""
    return use("chances >= 0", depth, count, given=("mixing",))


def no_chance(side: str, times: Term, depth: Index = s) -> Item:
    """P(K_s = -1) = 0 or P(K_s = s + 1) = 0."""
    return item(use("C1", depth, 0, parts=f"support/{side}", fns=OF_HOPS), times=times)


def no_one(times: Term) -> Item:
    """[s = 0] P(K_s = 1) = 0, for sums over 1 <= k <= s that are empty then."""
    return item(use("C1", s, k - s - 1, parts="support/above", fns=OF_HOPS), times=times, over=(("k", s + 1, 1),))


def _of_mixing(label: str, formula: Formula, *steps: Step) -> Step:
    return Step(label, Implies(mixing(lam, "T"), formula), Generalise(("mixing",), steps))


def _chances() -> Step:
    """C1 at every depth up to T."""
    low, high = layers(1, s, Relation("<=", ZERO, lam("t"))), layers(1, s, Relation("<=", lam("t"), ONE))
    counts = every("k", 0, None, Relation("<=", ZERO, law("s", "k")))
    whole = every("s", 0, T, counts)
    return _of_mixing("chances >= 0", whole, Step("each depth", whole, Generalise(("s",), (
        Step("at least 0 there", low, Nonnegative((item(use("mixing", "t", parts="nonnegative")),))),
        Step("at most 1 there", high, Nonnegative((item(use("mixing", "t", parts="at most one")),))),
        Step("mixing there", mixing(lam, s), Both(("at least 0 there", "at most 1 there"))),
        Step("counts", counts, Chain((
            use("C1", s, "k", parts="nonnegative", fns=OF_HOPS, given=("mixing there",)),
        ))),
    ))))  # fmt: skip


# --- from below: the layer t + 1 and those after it -------------------------------------------------


def _from_layer(label: str, value: Term, count: int, products: tuple[Item, ...], modulo: tuple[Item, ...]) -> Step:
    """value <= P(K_s >= count) from the layer t + 1 on, by P(K = count - 1) >= 0; at that layer by the items."""
    start, here, after = (Relation("<=", value, _at_least(count, depth)) for depth in (t + 1, s, s + 1))
    more = item(use("mixing", s + 1, parts="nonnegative"), chance(s, count - 1))
    span: Formula = every("s", t + 1, T, here)
    lower_layer = ("r",) if count == 2 else ()
    for name in lower_layer:
        span = every(name, 1, t, span)
    return _of_mixing(label, every("t", 0, T - 1, span), Step("each layer", every("t", 0, T - 1, span), Generalise(
        ("t", *lower_layer), (Step("and more", every("s", t + 1, T, here), Induction(
            "so far",
            (Step("the layer", start, Nonnegative(products, modulo)),),
            (Step("one more", after, Nonnegative(
                (item(use("so far")), more), (no_chance("above", -(ONE - lam(s + 1))),)
            )),),
        )),),
    )))  # fmt: skip


def _lower() -> tuple[Step, ...]:
    rests, positive = use("mixing", t + 1, parts="at most one"), use("mixing", t + 1, parts="nonnegative")
    beyond = no_chance("above", -(ONE - lam(t + 1)), t)
    return (
        _from_layer(
            "a layer attends", lam(t + 1), 1,
            (item(rests, chance(t, k), over=(("k", 1, t),)),),
            (beyond, item(use("C1", t, 0, parts="mass", fns=OF_HOPS), times=-lam(t + 1))),
        ),
        _from_layer(
            "two layers attend", lam("r") * lam(t + 1), 2,
            (
                item(rests, chance(t, k), over=(("k", 2, t),)),
                item(positive, use("a layer attends", r - 1, t, given=("mixing",))),
            ),
            (beyond,),
        ),
    )  # fmt: skip


# --- from above -------------------------------------------------------------------------------------


def _upper() -> tuple[Step, ...]:
    attends, rests = lam(s + 1), ONE - lam(s + 1)
    positive = use("mixing", s + 1, parts="nonnegative")
    return (
        _by_depth(
            "one layer attends, at most", lambda depth: Relation("<=", law(depth, 1), total("t", 1, depth, lam("t"))),
            (
                item(use("so far")), item(positive, chance(s, 1)),
                item(positive, chance(s, k), over=(("k", 1, s),)),
            ),
            (item(use("C1", s, 0, parts="mass", fns=OF_HOPS), times=attends),),
        ),
        _by_depth(
            "two layers attend, at most", lambda depth: Relation("<=", at_least_two(depth), pairs(depth)),
            (item(use("so far")), item(positive, use("one layer attends, at most", s, given=("mixing",)))),
            (no_chance("above", rests), no_one(-ONE)),
        ),
    )  # fmt: skip


def _by_depth(
    label: str, stated: Callable[[Index | int], Relation], products: tuple[Item, ...], modulo: tuple[Item, ...]
) -> Step:
    whole = every("s", 0, T, stated(s))
    return _of_mixing(label, whole, Step("every depth", whole, Induction(
        "so far",
        (Step("no layer", stated(0), Nonnegative(())),),
        (Step("one more layer", stated(s + 1), Nonnegative(products, modulo)),),
    )))  # fmt: skip


def hop_bounds() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved."""
    return (_chances(), *_lower(), *_upper())
