"""Averages of prefix-kernel heads in every layer, mixed with the residual stream: from heads to rollouts (D3 (c))."""

from __future__ import annotations

from proofs.notation import below, causal, layer, layers, monotone, prefix_heads
from proofs.outline import causal_kernel, mixed_order
from proofs.steps import Generalise, Identity, Nonnegative, Step, Use, item, use
from proofs.term import Fn, Formula, Lambda, Symbol, index

__all__ = ["ordered_heads"]

i, H, T = index("i"), index("H"), index("T")
HEADS = (("h", 1, H),)


def family(alpha: Symbol, weights: Symbol) -> Lambda:
    """The averaged heads of every layer, as a family of kernels."""
    return Lambda(("t", "i", "j"), prefix_heads(alpha, weights)("H", "t", "i", "j"))


def of_head(weights: Symbol) -> Lambda:
    """The weights of head h of layer t."""
    return Lambda(("j",), weights("t", "h", "j"))


def lemma(name: str, weights: Symbol, *at: object, parts: str = "") -> Use:
    """A lemma on prefix kernels, for the weights of head h of layer t."""
    positive = use(f"{weights.name} positive", "t", "h")
    return use(name, *at, parts=parts, fns=(of_head(weights),), given=(positive,))  # type: ignore[arg-type]


def causal_heads(alpha: Symbol, weights: Symbol) -> Step:
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


def monotone_heads(alpha: Symbol, weights: Symbol) -> Step:
    """An average of monotone kernels is monotone."""
    rise = lemma("prefix kernels are monotone", weights, "i", "k")
    return Step(
        f"heads {weights.name} monotone",
        layers(1, "T", monotone(layer(family(alpha, weights), "t"))),
        Nonnegative((item(use("head weights", "t", "h", parts="nonnegative"), rise, over=HEADS),)),
    )


def compared_heads(alpha: Symbol, lower: Symbol, upper: Symbol) -> Step:
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


def ordered_heads(goal: Formula, lam: Fn, alpha: Symbol, weights: tuple[Symbol, Symbol]) -> tuple[Step, ...]:
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
