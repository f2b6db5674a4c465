"""Shapes that several derivations share."""

from __future__ import annotations

from collections.abc import Iterator

from proofs.notation import (
    below,
    blend,
    causal,
    every,
    layer,
    layers,
    mixing,
    monotone,
    n,
    nondecreasing,
    product,
    rollout,
    tail,
    transition,
    zero_one,
)
from proofs.steps import (
    Both,
    Chain,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Item,
    Nonnegative,
    Reason,
    Step,
    Use,
    cited_facts,
    item,
    nested,
    use,
)
from proofs.term import Fn, Formula, Index, Lambda, Relation, as_term, index, total

__all__ = [
    "NOTHING",
    "causal_kernel",
    "causal_rollout",
    "causal_transitions",
    "constant_mixing",
    "jump",
    "mixed_order",
    "monotone_product",
    "monotone_rollouts",
    "monotone_transitions",
    "under_product",
    "used_only",
]

NOTHING = Lambda(("x",), as_term(0))  # where a symbol of a cited statement plays no part


jump: Item = item(times=zero_one("k", index("i") + 1))  # F_I(i + 1, k) - F_I(i, k) = [k = i + 1]


def causal_kernel(kernel: Fn, nonnegative: Reason, mask: Identity, rows: Reason) -> tuple[Step, ...]:
    """ "This is a causal kernel", from a reason for each part; entries are those at (i, j)."""
    i = index("i")
    return (
        Step(
            "nonnegative", every("i", 1, n, every("j", 1, n, Relation("<=", as_term(0), kernel("i", "j")))), nonnegative
        ),
        Step("mask", every("i", 1, n, every("j", i + 1, n, Relation("=", kernel("i", "j"), as_term(0)))), mask),
        Step("rows", every("i", 1, n, Relation("=", total("j", 1, n, kernel("i", "j")), as_term(1))), rows),
        Step("causal", causal(kernel), Both(("nonnegative", "mask", "rows"))),
    )


def monotone_product(
    label: str, goal: Formula, upper: Fn, lower: Fn, kernel_fact: Use, upper_fact: Use, lower_fact: Use
) -> Step:
    """``goal``, that upper * lower is monotone: S3, applied to the tails of lower as functions of the row."""
    i = index("i")
    tails = Lambda(("j",), tail(lower)("j", "k"))
    both = tail(product(upper, lower))
    preserved = use("S3", "i", parts="preserves", fns=(upper, tails), given=(kernel_fact, upper_fact, "tails rise"))
    return Step(label, goal, Generalise(("i", "k"), (
        Step("tails rise", nondecreasing(tails), Chain((lower_fact,))),
        Step("image rises", Relation("<=", both("i", "k"), both(i + 1, "k")), Instantiate(preserved)),
    )))  # fmt: skip


def monotone_rollouts(label: str, family: Fn, top: Index, kernel_fact: str, monotone_fact: str) -> Step:
    """P^(r) is monotone for 0 <= r <= top, if the layers up to ``top`` are monotone causal kernels."""
    r = index("r")

    def rollout_monotone(at: Index | int | str) -> Formula:
        return monotone(layer(rollout(family), at))

    return Step(label, every("r", 0, top, rollout_monotone("r")), Induction(
        "so far",
        base=(Step("no layer", rollout_monotone(0), Nonnegative((jump,))),),
        step=(monotone_product(
            "one more layer", rollout_monotone(r + 1), layer(family, r + 1), layer(rollout(family), "r"),
            use(kernel_fact, r + 1), use(monotone_fact, r + 1), use("so far", "l", "k"),
        ),),
    ))  # fmt: skip


def causal_rollout(label: str, family: Fn, depth: Index | str, kernel_fact: str) -> Step:
    """P^(depth) of a family of causal kernels is a causal kernel: S1."""
    source = use("S1", depth, depth, parts="rollouts", fns=(NOTHING, family, family, NOTHING), given=(kernel_fact,))
    return Step(label, causal(layer(rollout(family), depth)), Instantiate(source))


def causal_transitions(
    label: str, lam: Fn, kernels: Fn, depth: Index | str, mixing_fact: str, kernel_fact: str
) -> Step:
    """R_t = (1 - lambda_t) I + lambda_t A_t is a causal kernel for 1 <= t <= depth: S1."""
    source = use(
        "S1", depth, parts="transitions", fns=(lam, kernels, kernels, NOTHING), given=(mixing_fact, kernel_fact)
    )
    return Step(label, layers(1, depth, causal(layer(transition(lam, kernels), "t"))), Instantiate(source))


def monotone_transitions(label: str, family: Fn, depth: Index | str, mixing_fact: str, monotone_fact: str) -> Step:
    """Every R_t of ``family`` is monotone, as a mixture of I and a monotone A_t."""
    return Step(label, layers(1, depth, monotone(layer(family, "t"))), Nonnegative((
        item(use(mixing_fact, "t", parts="at most one"), times=jump.times),
        item(use(mixing_fact, "t", parts="nonnegative"), use(monotone_fact, "t", "i", "k")),
    )))  # fmt: skip


def under_product(label: str, formula: Formula, product_fact: str, fact: str) -> Step:
    """``formula``, that U X ≼ U Y, from X ≼ Y cited as ``fact``: F_UX(i, k) = sum_j U_ij F_X(j, k)."""
    weight = use(product_fact, "i", "j", parts="nonnegative")
    return Step(label, formula, Nonnegative((item(weight, use(fact, "j", "k"), over=(("j", 1, n),)),)))


def constant_mixing(label: str, value: int, depth: Index | str) -> tuple[Step, ...]:
    """The coefficients that are all 0, or all 1, lie in [0, 1]."""
    number = as_term(value)
    low = layers(1, depth, Relation("<=", as_term(0), number))
    high = layers(1, depth, Relation("<=", number, as_term(1)))
    return (
        Step(f"{label}: at least 0", low, Nonnegative((item(times=value),))),
        Step(f"{label}: at most 1", high, Nonnegative((item(times=1 - value),))),
        Step(label, mixing(Lambda(("t",), number), depth), Both((f"{label}: at least 0", f"{label}: at most 1"))),
    )


def mixed_order(
    goal: Formula, lam: Fn, families: tuple[Fn, Fn], kernel_facts: tuple[str, str], compared: str, monotone_fact: str
) -> tuple[Step, ...]:
    """``goal``: ordered kernels, mixed with the residual stream, give ordered rollouts: S5, the lower layers monotone.

    Cites that the kernels of both families are causal, compared row by row, and that the lower ones are monotone below
    the top.
    """
    T = index("T")
    lower, upper = (transition(lam, family) for family in families)
    zero = Lambda(("t",), as_term(0))
    return (
        causal_transitions("lower transitions", lam, families[0], "T", "mixing", kernel_facts[0]),
        causal_transitions("upper transitions", lam, families[1], "T", "mixing", kernel_facts[1]),
        Step("transitions compared", layers(1, "T", below(layer(lower, "t"), layer(upper, "t"))), Nonnegative((
            item(use("mixing", "t", parts="nonnegative"), use(compared, "t", "i", "k")),
        ))),
        *constant_mixing("weight zero", 0, "T"),
        Step(
            "lower transitions monotone",
            layers(1, T - 1, monotone(layer(blend(zero, lower, upper), "t"))),
            Nonnegative((
                item(use("mixing", "t", parts="at most one"), times=jump.times),
                item(use("mixing", "t", parts="nonnegative"), use(monotone_fact, "t", "i", "k")),
            )),
        ),
        Step("rollouts", goal, Instantiate(use(
            "S5", "T", parts="rollouts", fns=(lower, upper, zero),
            given=(
                "lower transitions", "upper transitions", "transitions compared", "weight zero",
                "lower transitions monotone",
            ),
        ))),
    )  # fmt: skip


def used_only(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps without the lemmas that neither the last step nor what it rests on cites."""
    kept, wanted = [steps[-1]], set(_labels(steps[-1:]))
    for step in reversed(steps[:-1]):
        if step.label in wanted:
            kept.append(step)
            wanted |= set(_labels((step,)))
    return tuple(reversed(kept))


def _labels(steps: tuple[Step, ...]) -> Iterator[str]:
    yield from cited_facts(steps)
    for step in steps:
        yield from step.reason.labels if isinstance(step.reason, Both) else ()
        for inner in nested(step):
            yield from _labels(inner)
