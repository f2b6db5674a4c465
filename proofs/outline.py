"""Shapes that several derivations share."""

from __future__ import annotations

from proofs.notation import causal, every, layer, monotone, n, nondecreasing, product, rollout, tail, zero_one
from proofs.steps import (
    Both,
    Chain,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Item,
    Nonnegative,
    Step,
    Use,
    item,
    use,
)
from proofs.term import Fn, Formula, Index, Lambda, Relation, as_term, index, total

__all__ = ["causal_kernel", "jump", "monotone_product", "monotone_rollouts"]

jump: Item = item(times=zero_one("k", index("i") + 1))  # F_I(i + 1, k) - F_I(i, k) = [k = i + 1]


def causal_kernel(kernel: Fn, nonnegative: Nonnegative, mask: Identity, rows: Identity) -> tuple[Step, ...]:
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
