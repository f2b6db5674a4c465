"""Averages of prefix-kernel heads in every layer, mixed with the residual stream: from heads to rollouts (D3 (c))."""

from __future__ import annotations

from functools import reduce
from typing import cast

from proofs.lemmas.comparison_steps import value
from proofs.lemmas.prefix_steps import cross_powers, cross_ratio, positive_powers, powers
from proofs.notation import (
    below,
    causal,
    every,
    layer,
    layers,
    mixing,
    monotone,
    positive,
    prefix_heads,
    rollout,
    transition,
)
from proofs.outline import causal_kernel, mixed_order
from proofs.steps import Chain, Generalise, Identity, Nonnegative, Step, Use, item, use
from proofs.term import (
    And,
    Fn,
    ForAllFn,
    Formula,
    Implies,
    Lambda,
    Relation,
    Symbol,
    as_term,
    index,
    total,
)

__all__ = [
    "causal_heads", "each_head", "family", "head_powers", "head_shares", "monotone_heads", "of_head", "ordered_powers",
    "rollouts_of_heads",
]  # fmt: skip

i, H, T = index("i"), index("H"), index("T")
HEADS = (("h", 1, H),)
f, g = Symbol("f*", 3), Symbol("g*", 3)  # starred, so that no claim uses the names


def each_head(body: Formula) -> Formula:
    """For every layer t and head h."""
    return layers(1, "T", every("h", 1, H, body))


def head_shares(alpha: Fn) -> And:
    """In every layer the weights of the heads are nonnegative and sum to 1."""
    return And((
        ("nonnegative", each_head(Relation("<=", as_term(0), alpha("t", "h")))),
        ("sum to 1", layers(1, "T", Relation("=", total("h", 1, H, alpha("t", "h")), as_term(1)))),
    ))  # fmt: skip


def head_powers(slopes: Symbol) -> Lambda:
    """The weights of ALiBi in head h of layer t: the powers of its e^m."""
    return Lambda(("t", "h", "j"), powers(value(slopes("t", "h")))("j"))


def family(alpha: Fn, weights: Fn) -> Lambda:
    """The averaged heads of every layer, as a family of kernels."""
    return Lambda(("t", "i", "j"), prefix_heads(alpha, weights)("H", "t", "i", "j"))


def of_head(weights: Fn) -> Lambda:
    """The weights of head h of layer t."""
    return Lambda(("j",), weights("t", "h", "j"))


def lemma(name: str, weights: Symbol, *at: object, parts: str = "") -> Use:
    """A lemma on prefix kernels, for the weights of head h of layer t."""
    positive = use(f"{weights.name} positive", "t", "h")
    return use(name, *at, parts=parts, fns=(of_head(weights),), given=(positive,))  # type: ignore[arg-type]


def causal_heads(alpha: Fn, weights: Symbol) -> Step:
    """An average of causal kernels is a causal kernel."""
    name, kernels = "prefix kernels are causal", family(alpha, weights)
    share = use("head weights", "t", "h", parts="nonnegative")
    goal = layers(1, "T", causal(layer(kernels, "t")))
    return Step(f"heads {weights.name} causal", goal, Generalise(("t",), causal_kernel(
        layer(kernels, "t"),
        Nonnegative((item(
            share, lemma(name, weights, "i", "j", parts="nonnegative"), over=HEADS
        ),)),
        Identity((item(lemma(name, weights, "i", "j", parts="mask"), times=alpha("t", "h"), over=HEADS),)),
        Identity((
            item(lemma(name, weights, "i", parts="rows"), times=alpha("t", "h"), over=HEADS),
            item(use("head weights", "t", parts="sum to 1")),
        )),
    )))  # fmt: skip


def monotone_heads(alpha: Fn, weights: Symbol) -> Step:
    """An average of monotone kernels is monotone."""
    rise = lemma("prefix kernels are monotone", weights, "i", "k")
    return Step(
        f"heads {weights.name} monotone",
        layers(1, "T", monotone(layer(family(alpha, weights), "t"))),
        Nonnegative((item(use("head weights", "t", "h", parts="nonnegative"), rise, over=HEADS),)),
    )


def compared_heads(alpha: Fn, lower: Symbol, upper: Symbol) -> Step:
    """An average of larger kernels is larger."""
    fns = (of_head(lower), of_head(upper))
    positive = tuple(use(f"{x.name} positive", "t", "h") for x in (lower, upper))
    rises = use(f"{upper.name} / {lower.name} rises", "t", "h")
    ratio = use("ratio of weights suffices", fns=fns, given=(*positive, rises))
    compared = use("prefix kernels compare", "i", "k", fns=fns, given=(*positive, ratio))
    return Step(
        "heads compared",
        layers(1, "T", below(layer(family(alpha, lower), "t"), layer(family(alpha, upper), "t"))),
        Nonnegative((item(use("head weights", "t", "h", parts="nonnegative"), compared, over=HEADS),)),
    )


def ordered_heads(goal: Formula, lam: Fn, alpha: Fn, weights: tuple[Symbol, Symbol]) -> tuple[Step, ...]:
    """``goal``: the rollouts of the two families are ordered, by S5 with the lower transitions monotone."""
    lower, upper = weights
    families = family(alpha, lower), family(alpha, upper)
    return (
        causal_heads(alpha, lower),
        causal_heads(alpha, upper),
        monotone_heads(alpha, lower),
        compared_heads(alpha, lower, upper),
        *mixed_order(
            goal, lam, families, (f"heads {lower.name} causal", f"heads {upper.name} causal"), "heads compared",
            f"heads {lower.name} monotone",
        ),
    )  # fmt: skip


def rollouts_of_heads(lam: Fn, alpha: Fn) -> Step:
    """For all head weights f and g with g / f rising in every head: the rollouts are ordered."""
    lower, upper = (layer(rollout(transition(lam, family(alpha, x))), "T") for x in (f, g))
    goal = below(lower, upper)
    premises = (
        mixing(lam, "T"), head_shares(alpha), each_head(positive(of_head(f))), each_head(positive(of_head(g))),
        each_head(cross_ratio(of_head(f), of_head(g))),
    )  # fmt: skip
    closed = reduce(lambda inner, premise: Implies(premise, inner), reversed(premises), cast(Formula, goal))
    names = ("f*", "g*", "mixing", "head weights", "f* positive", "g* positive", "g* / f* rises")
    steps = ordered_heads(goal, lam, alpha, (f, g))
    return Step("rollouts of heads", ForAllFn(f, ForAllFn(g, closed)), Generalise(names, steps))


def ordered_powers(lower: Symbol, upper: Symbol) -> tuple[Step, ...]:
    """The powers of every head are positive and their ratio rises; from "slopes" and "steeper slopes"."""
    q, r = value(lower("t", "h")), value(upper("t", "h"))
    of_q, of_r = of_head(head_powers(lower)), of_head(head_powers(upper))
    facts = (
        Step("slope", Relation("<", as_term(0), q()), Chain((use("slopes", "t", "h"),))),
        Step("steeper", Relation("<=", q(), r()), Chain((use("steeper slopes", "t", "h"),))),
        Step("steeper slope", Relation("<", as_term(0), r()), Chain((use("slope"), use("steeper")))),
    )
    first, second = positive_powers("powers", q, "slope"), positive_powers("steeper powers", r, "steeper slope")
    ratio = cross_powers("ratio", q, r, ("slope", "steeper", "powers", "steeper powers"))
    return (
        Step("powers positive", each_head(positive(of_q)), Generalise(("t", "h"), (facts[0], *first))),
        Step("steeper powers positive", each_head(positive(of_r)), Generalise(("t", "h"), (*facts, *second))),
        Step("ratio rises", each_head(cross_ratio(of_q, of_r)), Generalise(("t", "h"), (
            *facts, *first, *second, ratio
        ))),
    )  # fmt: skip
