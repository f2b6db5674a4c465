"""Lemmas on averages over the earlier tokens: M_ij = s_ij / E_i for j < i, E_i = s_i1 + ... + s_{i,i-1} (D5)."""

from __future__ import annotations

from collections.abc import Callable

from proofs.lemmas.product_steps import for_all
from proofs.notation import (
    causal,
    n,
    positive,
    scores,
    up_to_diagonal,
    zero_one,
)
from proofs.outline import causal_kernel, used_only
from proofs.steps import (
    Cases,
    Compared,
    Generalise,
    Identity,
    Invert,
    Item,
    Nonnegative,
    Step,
    Use,
    item,
    real_cases,
    use,
)
from proofs.substitute import apply
from proofs.term import (
    Bracket,
    Compare,
    Fn,
    Index,
    Lambda,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)

__all__ = ["average_lemmas", "earlier", "moved", "score_average", "spread", "weight_average", "with_or_without"]

s, w = Symbol("s*", 2), Symbol("w*", 1)  # starred, so that no claim uses the names
i, j = index("i"), index("j")


def earlier(values: Fn, at: Index | str) -> Term:
    """E_i = s_i1 + ... + s_{i,i-1}."""
    return total("l", 1, as_index(at) - 1, apply(values, (as_index(at), index("l"))))


def spread(values: Fn) -> Term:
    """s_ij / E_i for j < i."""
    return up_to_diagonal(i - 1, "j") * apply(values, (i, j)) * Reciprocal(earlier(values, "i"))


def weight_average(weights: Fn) -> Lambda:
    """The kernel that averages over the earlier tokens, w_j / W_{i-1} for j < i; the first token reads itself."""
    first = zero_one("i", "j") * Bracket(((i, as_index(1)),))
    return Lambda(("i", "j"), first + spread(Lambda(("i", "j"), weights("j"))))


def score_average(values: Fn) -> Lambda:
    """The average over the earlier tokens, s_ij / E_i; where E_i = 0 the token reads itself."""
    none = Compare(earlier(values, "i"), as_term(0))
    return Lambda(("i", "j"), none * zero_one("i", "j") + (as_term(1) - none) * spread(values))


def inverse(fact: Use, value: Term) -> tuple[Step, ...]:
    """E_i (1 / E_i) = 1 and 0 < 1 / E_i, from 0 < E_i."""
    return (
        Step("E / E", Relation("=", value * Reciprocal(value), as_term(1)), Invert(fact)),
        Step("1 / E > 0", Relation("<", as_term(0), Reciprocal(value)), Invert(fact)),
    )


def _causal(
    kernel: Fn, entry: Callable[[Relation], tuple[Step, ...]], row: Callable[[Relation], tuple[Step, ...]]
) -> tuple[Step, ...]:
    """The average is a causal kernel, from the proofs of 0 <= M_ij and of sum_j M_ij = 1."""
    at = Relation("<=", as_term(0), kernel("i", "j"))
    whole = Relation("=", total("j", 1, n, kernel("i", "j")), as_term(1))
    return causal_kernel(kernel, Generalise(("i", "j"), entry(at)), Identity(), Generalise(("i",), row(whole)))


def _where_before(goal: Relation, score: Use, modulo: tuple[Item, ...] = ()) -> Step:
    """0 <= s_ij / E_i for j < i, and nothing is read from i on."""
    read = Nonnegative((item(score, use("1 / E > 0")),), modulo)
    return Step("entry", goal, Cases(
        i, j, (Step("not before", goal, Nonnegative((item(times=0),), modulo)),), (Step("before", goal, read),)
    ))  # fmt: skip


def _weight_average() -> Step:
    W = total("l", 1, i - 1, w("l"))
    positive_sum = Step("E > 0", Relation("<", as_term(0), W), Nonnegative(
        (item(use("weights", 1)), item(use("weights", "l"), over=(("l", 2, i - 1),)))
    ))  # fmt: skip
    cancels, above_zero = inverse(use("E > 0"), W)

    def entry(goal: Relation) -> tuple[Step, ...]:
        itself = Step("first", goal, Nonnegative((item(times=zero_one("i", "j")),)))
        reads = _where_before(goal, use("weights", "j"))
        return (Step("token", goal, Cases(i, as_index(1), (itself,), (positive_sum, above_zero, reads))),)

    def row(goal: Relation) -> tuple[Step, ...]:
        itself = Step("first", goal, Identity())
        return (Step("row", goal, Cases(i, as_index(1), (itself,), (positive_sum, cancels))),)

    return Step(
        "average of weights is causal",
        for_all((w,), positive(w), causal(weight_average(w))),
        Generalise(("w*", "weights"), _causal(weight_average(w), entry, row)),
    )


def with_or_without(label: str, goal: Relation, without: tuple[Step, ...], some: tuple[Step, ...]) -> Step:
    """By cases: E_i = 0, known as [E_i <= 0] = 1 ("none"), or E_i > 0 and [E_i <= 0] = 0."""
    E = earlier(s, "i")
    none = Compare(E, as_term(0))
    later = (Step("none", Relation("=", none, as_term(0)), Compared(use("case"))), *inverse(use("case"), E), *some)
    return Step(label, goal, real_cases(
        E, as_term(0), "case",
        (Step("none", Relation("=", none, as_term(1)), Compared(use("case"))), *without),
        used_only(later),
    ))  # fmt: skip


# the average where some earlier score is positive, less the diagonal: what [E_i <= 0] switches between
moved = spread(s) - zero_one("i", "j")


def _score_average() -> Step:
    none = (item(use("none"), times=moved),)
    whole = (item(use("none"), times=-moved, over=(("j", 1, n),)),)

    def entry(goal: Relation) -> tuple[Step, ...]:
        stays = Step("stays", goal, Nonnegative((item(times=zero_one("i", "j")),), none))
        reads = _where_before(goal, use("scores", "i", "j", parts="nonnegative"), none)
        return (with_or_without("token", goal, (stays,), (reads,)),)

    def row(goal: Relation) -> tuple[Step, ...]:
        stays = Step("stays", goal, Identity(whole))
        reads = Step("reads", goal, Identity((*whole, item(use("E / E")))))
        return (with_or_without("row", goal, (stays,), (reads,)),)

    return Step(
        "average of scores is causal",
        for_all((s,), scores(s), causal(score_average(s))),
        Generalise(("s*", "scores"), _causal(score_average(s), entry, row)),
    )


def average_lemmas() -> tuple[Step, ...]:
    """The averages by positive weights, and by scores, are causal kernels."""
    return _weight_average(), _score_average()
