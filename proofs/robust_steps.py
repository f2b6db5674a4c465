"""Rollouts of nearly monotone layers: their defects, and how far they may drift the wrong way (D8).

Cited by name: "mixing" (0 <= lambda_t <= 1) and "kernels" (every A_t is a kernel), and the lemmas of defect_steps.py.
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.comparison_steps import value
from proofs.defect_steps import defect
from proofs.notation import every, layer, layers, n, rollout, stochastic, tail, transition, zero_one
from proofs.series_steps import left
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
from proofs.term import (
    Bracket,
    Fn,
    ForAll,
    Formula,
    Index,
    Lambda,
    Relation,
    Term,
    as_index,
    as_term,
    index,
    total,
)

__all__ = [
    "drift",
    "kept",
    "layers_below",
    "more_mixing",
    "own_layer",
    "rises_by",
    "sharper_rollout_defects",
    "stochastic_layers",
    "transition_defects",
    "weighted",
]

i, k, m, r, t, T = (index(v) for v in ("i", "k", "m", "r", "t", "T"))
ZERO, ONE = as_term(0), as_term(1)


def stochastic_layers(family: Fn, fact: str) -> Step:
    """Causal kernels are kernels."""
    kernel = layer(family, "t")
    entry = every("i", 1, n, every("j", 1, n, Relation("<=", ZERO, kernel("i", "j"))))
    row = every("i", 1, n, Relation("=", total("j", 1, n, kernel("i", "j")), ONE))
    return Step("kernels", layers(1, T, stochastic(kernel)), Generalise(("t",), (
        Step("nonnegative", entry, Instantiate(use(fact, "t", parts="nonnegative"))),
        Step("rows", row, Instantiate(use(fact, "t", parts="rows"))),
        Step("kernel", stochastic(kernel), Both(("nonnegative", "rows"))),
    )))  # fmt: skip


def stochastic_transitions(lam: Fn, family: Fn, top: Index) -> Step:
    """R_t = (1 - lambda_t) I + lambda_t A_t is a kernel, from "mixing" and "kernels"."""
    kernel = layer(transition(lam, family), "t")
    entry = every("i", 1, n, every("j", 1, n, Relation("<=", ZERO, kernel("i", "j"))))
    row = every("i", 1, n, Relation("=", total("j", 1, n, kernel("i", "j")), ONE))
    return Step("transitions", layers(1, top, stochastic(kernel)), Generalise(("t",), (
        Step("nonnegative", entry, Nonnegative((
            item(use("mixing", "t", parts="at most one"), times=zero_one("i", "j")),
            item(use("mixing", "t", parts="nonnegative"), use("kernels", "t", "i", "j", parts="nonnegative")),
        ))),
        Step("rows", row, Identity((item(use("kernels", "t", "i", parts="rows"), times=lam("t")),))),
        Step("kernel", stochastic(kernel), Both(("nonnegative", "rows"))),
    )))  # fmt: skip


def stochastic_rollouts(family: Fn, top: Index) -> Step:
    """R_r ... R_1 is a kernel for r <= top, from "transitions"."""

    def kernel(depth: Index | int, first: Item, cited: tuple[Item, ...]) -> tuple[Step, ...]:
        P_ = layer(rollout(family), depth)
        entry = every("i", 1, n, every("j", 1, n, Relation("<=", ZERO, P_("i", "j"))))
        row = every("i", 1, n, Relation("=", total("j", 1, n, P_("i", "j")), ONE))
        return (
            Step("nonnegative", entry, Nonnegative((first,))),
            Step("rows", row, Identity(cited)),
            Step("kernel", stochastic(P_), Both(("nonnegative", "rows"))),
        )

    reads = use("transitions", r + 1, "i", "l", parts="nonnegative")
    more = item(reads, use("so far", "l", "j", parts="nonnegative"), over=(("l", 1, n),))
    rows = (
        item(use("so far", "l", parts="rows"), times=family(r + 1, "i", "l"), over=(("l", 1, n),)),
        item(use("transitions", r + 1, "i", parts="rows")),
    )
    return Step("rollouts", every("r", 0, top, stochastic(layer(rollout(family), "r"))), Induction(
        "so far", kernel(0, item(times=zero_one("i", "j")), ()), kernel(r + 1, more, rows)
    ))  # fmt: skip


def transition_defects(lam: Fn, family: Fn, defects: Fn, top: Index | str, fact: str) -> Step:
    """(1 - lambda) I + lambda A has lambda times the defect of A, cited as ``fact``: the identity has none."""
    diagonal = Bracket(((i + 1, k), (k, m)))
    kernel = layer(transition(lam, family), "t")
    return Step("transition defects", layers(1, top, defect(kernel, lam("t") * defects("t"))), Nonnegative((
        item(use("mixing", "t", parts="at most one"), times=diagonal),
        item(use("mixing", "t", parts="nonnegative"), use(fact, "t", "i", "m", "k")),
    )))  # fmt: skip


def weighted(lam: Fn, defects: Fn, depth: Index | int | str) -> Term:
    """lambda_1 e_1 + ... + lambda_depth e_depth."""
    return total("t", 1, depth, lam("t") * defects("t"))


def kept(lam: Fn, defects: Fn, depth: Index | int | str) -> Term:
    """(1 - lambda_1 e_1) ... (1 - lambda_depth e_depth)."""
    return left(Lambda(("t",), lam("t") * defects("t")), depth)


def _by_layer(
    label: str,
    family: Fn,
    top: Index,
    bound: Callable[[Index | int | str], Term],
    cap: Callable[[Index], Term],
    enough: tuple[Step, Step],
    one: Fn,
) -> Step:
    """The defect of R_r ... R_1 is at most ``bound(r)``: a layer more makes e into e + (1 - cap) ..."""

    def stated(depth: Index | int | str) -> Formula:
        return defect(layer(rollout(family), depth), bound(depth))

    source = use(
        "defect of a product", "i", "m", "k",
        fns=(layer(family, r + 1), layer(rollout(family), "r"), one, value(bound("r")), value(cap(r))),
        given=(
            use("transitions", r + 1), use("rollouts", "r"), use("transition defects", r + 1), "so far",
            *(step.label for step in enough),
        ),
    )  # fmt: skip
    base = Step("no layer", stated(0), Nonnegative((item(times=Bracket(((i + 1, k), (k, m)))),)))
    return Step(label, every("r", 0, top, stated("r")), Induction(
        "so far", (base,), (*enough, Step("one more layer", stated(r + 1), Chain((source,))))
    ))  # fmt: skip


def rollout_defects(lam: Fn, family: Fn, defects: Fn, top: Index) -> Step:
    """The defect of P^(r) is at most lambda_1 e_1 + ... + lambda_r e_r."""
    enough = (
        Step("cap", Relation("<=", ZERO, ONE), Nonnegative((item(times=1),))),
        Step("enough", Relation("<=", ONE, ONE + weighted(lam, defects, "r")), Nonnegative((
            item(use("so far", 1, 1, 1)),
        ))),
    )  # fmt: skip
    return _by_layer(
        "rollout defects", transition(lam, family), top, lambda depth: weighted(lam, defects, depth), lambda _: ONE,
        enough, value(lam(r + 1) * defects(r + 1)),
    )  # fmt: skip


def sharper_rollout_defects(lam: Fn, family: Fn, defects: Fn, top: Index, at_most_one: str) -> tuple[Step, Step]:
    """The defect of P^(r) is at most 1 - (1 - lambda_1 e_1) ... (1 - lambda_r e_r), where every e_t <= 1."""

    def left_over(depth: Index | int | str) -> Term:
        return kept(lam, defects, depth)

    def nonnegative(depth: Index | int | str) -> Relation:
        return Relation("<=", ZERO, left_over(depth))

    products = Step("products", every("r", 0, top, nonnegative("r")), Induction(
        "so far",
        (Step("no factor", nonnegative(0), Nonnegative((item(times=1),))),),
        (Step("one more factor", nonnegative(r + 1), Nonnegative((
            item(use("mixing", r + 1, parts="at most one"), use("so far")),
            item(use("mixing", r + 1, parts="nonnegative"), use(at_most_one, r + 1), use("so far")),
        ))),),
    ))  # fmt: skip
    enough = (
        Step("cap", Relation("<=", ZERO, left_over("r")), Chain((use("products", "r"),))),
        Step("enough", Relation("<=", ONE, left_over("r") + (ONE - left_over("r"))), Nonnegative(())),
    )
    return products, _by_layer(
        "rollout defects", transition(lam, family), top, lambda depth: ONE - left_over(depth), left_over, enough,
        value(lam(r + 1) * defects(r + 1)),
    )  # fmt: skip


def layers_below(lam: Fn, family: Fn, defects: Fn, top: Index, fact: str) -> tuple[Step, ...]:
    """P^(r) is a kernel for r <= top, and its defect is at most lambda_1 e_1 + ... + lambda_r e_r."""
    return (
        stochastic_transitions(lam, family, top),
        stochastic_rollouts(transition(lam, family), top),
        transition_defects(lam, family, defects, top, fact),
        rollout_defects(lam, family, defects, top),
    )


# --- drift ----------------------------------------------------------------------------------------


def rises_by(higher: Fn, lower: Fn, bound: Term) -> ForAll:
    """Every tail of every row is higher by at most ``bound``."""
    gap = tail(higher)("i", "k") - tail(lower)("i", "k")
    return every("i", 1, n, every("k", 1, n, Relation("<=", gap, bound)))


def own_layer(lam: Fn, family: Fn, defects: Fn, depth: Index | str, causal_fact: Use) -> Use:
    """A_{depth+1} on top of P^(depth) raises the tails of row i by at most (1 - A_ii) times the defect below."""
    below = layer(rollout(transition(lam, family)), depth)
    return use(
        "causal layer", "i", "k",
        fns=(layer(family, as_index(depth) + 1), below, value(weighted(lam, defects, depth))),
        given=(causal_fact, use("rollout defects", depth)),
    )  # fmt: skip


def drift(lam: Fn, mu: Fn, defects: Fn, spreads: Fn, depth: Index | int | str) -> Term:
    """sum_{t <= depth} (mu_t - lambda_t) delta_t sum_{s < t} lambda_s e_s."""
    below = total("s", 1, t - 1, lam("s") * defects("s"))
    return total("t", 1, depth, (mu("t") - lam("t")) * spreads("t") * below)


def more_mixing(lam: Fn, mu: Fn, family: Fn, defects: Fn, spreads: Fn) -> Step:
    """P(mu) is above P(lambda) by at most that, layer by layer from the bottom."""
    C, D = transition(lam, family), transition(mu, family)

    def stated(depth: Index | int | str) -> ForAll:
        bound = drift(lam, mu, defects, spreads, depth)
        return rises_by(layer(rollout(D), depth), layer(rollout(C), depth), bound)

    reads = use("causal kernels", r + 1, "i", "l", parts="nonnegative")
    step = Nonnegative(
        (
            item(use("ordered", r + 1), own_layer(lam, family, defects, "r", use("causal kernels", r + 1))),
            item(use("ordered", r + 1), use("off the diagonal", r + 1, "i"), use("rollout defects", "r", 1, 1, 1)),
            item(use("more mixing", r + 1, parts="at most one"), use("so far", "i", "k")),
            item(
                use("more mixing", r + 1, parts="nonnegative"), reads, use("so far", "l", "k"), over=(("l", 1, n),)
            ),
        ),
        (item(
            use("causal kernels", r + 1, "i", parts="rows"),
            times=mu(r + 1) * drift(lam, mu, defects, spreads, "r"),
        ),),
    )  # fmt: skip
    return Step("every depth", every("r", 0, T, stated("r")), Induction(
        "so far", (Step("no layer", stated(0), Nonnegative(())),), (Step("one more layer", stated(r + 1), step),)
    ))  # fmt: skip
