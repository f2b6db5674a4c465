"""Rollouts of nearly monotone layers: their defects, and how far they may drift the wrong way (D8).

Cited by name: "mixing" (0 <= lambda_t <= 1) and "kernels" (every A_t is a kernel), and the lemmas of defect_steps.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from proofs.lemmas.comparison_steps import value
from proofs.lemmas.defect_steps import defect
from proofs.lemmas.product_steps import for_all
from proofs.lemmas.series_steps import left
from proofs.notation import every, layer, layers, n, rollout, stochastic, tail, transition, zero_one
from proofs.steps import (
    Both,
    Chain,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Nonnegative,
    Reason,
    Step,
    Use,
    item,
    use,
)
from proofs.substitute import apply
from proofs.term import (
    Bracket,
    Fn,
    ForAll,
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

__all__ = [
    "combined",
    "drift",
    "kept",
    "layers_below",
    "more_mixing",
    "own_layer",
    "rises_by",
    "rollout_lemmas",
    "shares",
    "stochastic_layers",
    "transition_defects",
    "weighted",
]

i, k, m, p, r, t, T = (index(v) for v in ("i", "k", "m", "p", "r", "t", "T"))
ZERO, ONE = as_term(0), as_term(1)


def _stochastic(kernel: Fn, nonnegative: Reason, rows: Reason) -> tuple[Step, ...]:
    """ "This is a kernel", from a reason for each part; entries are those at (i, j)."""
    entry = every("i", 1, n, every("j", 1, n, Relation("<=", ZERO, kernel("i", "j"))))
    row = every("i", 1, n, Relation("=", total("j", 1, n, kernel("i", "j")), ONE))
    return (
        Step("nonnegative", entry, nonnegative),
        Step("rows", row, rows),
        Step("kernel", stochastic(kernel), Both(("nonnegative", "rows"))),
    )


def stochastic_layers(family: Fn, fact: str) -> Step:
    """Causal kernels are kernels."""
    kernel = layer(family, "t")
    return Step("kernels", layers(1, T, stochastic(kernel)), Generalise(("t",), _stochastic(
        kernel, Instantiate(use(fact, "t", parts="nonnegative")), Instantiate(use(fact, "t", parts="rows"))
    )))  # fmt: skip


def stochastic_transitions(lam: Fn, family: Fn, top: Index) -> Step:
    """R_t = (1 - lambda_t) I + lambda_t A_t is a kernel, from "mixing" and "kernels"."""
    kernel = layer(transition(lam, family), "t")
    return Step("transitions", layers(1, top, stochastic(kernel)), Generalise(("t",), _stochastic(
        kernel,
        Nonnegative((
            item(use("mixing", "t", parts="at most one"), times=zero_one("i", "j")),
            item(use("mixing", "t", parts="nonnegative"), use("kernels", "t", "i", "j", parts="nonnegative")),
        )),
        Identity((item(use("kernels", "t", "i", parts="rows"), times=lam("t")),)),
    )))  # fmt: skip


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


def kept(defects: Fn, depth: Index | int | str) -> Term:
    """(1 - e_1) ... (1 - e_depth)."""
    return left(defects, depth)


# --- layers of any kind ---------------------------------------------------------------------------

R, e = Symbol("R*", 3), Symbol("e*", 1)  # starred, so that no claim uses the names
_kernels = layers(1, "p", stochastic(layer(R, "t")))
_defects = layers(1, "p", defect(layer(R, "t"), e("t")))


def _deep(depth: Index | int | str) -> Fn:
    return layer(rollout(R), depth)


def _for_layers(
    label: str, symbols: tuple[Symbol, ...], premises: Mapping[str, Formula], goal: Formula, *steps: Step
) -> Step:
    """For all such functions and every depth p (-1 for no layers): the premises, by their names, imply the goal."""
    body = every("p", -1, None, for_all((), *premises.values(), goal))
    return Step(label, for_all(symbols, body), Generalise((*(s.name for s in symbols), "p", *premises), steps))


def _rollouts_are_kernels() -> Step:
    reads = use("kernels", r + 1, "i", "l", parts="nonnegative")
    base = _stochastic(_deep(0), Nonnegative((item(times=zero_one("i", "j")),)), Identity())
    step = _stochastic(
        _deep(r + 1),
        Nonnegative((item(reads, use("so far", "l", "j", parts="nonnegative"), over=(("l", 1, n),)),)),
        Identity((
            item(use("so far", "l", parts="rows"), times=R(r + 1, "i", "l"), over=(("l", 1, n),)),
            item(use("kernels", r + 1, "i", parts="rows")),
        )),
    )  # fmt: skip
    goal = every("r", 0, p, stochastic(_deep("r")))
    by_depth = Step("every depth", goal, Induction("so far", base, step))
    return _for_layers("rollouts are kernels", (R,), {"kernels": _kernels}, goal, by_depth)


def _by_layer(bound: Callable[[Index | int | str], Term], cap: Term, enough: tuple[Step, Step]) -> tuple[Step, ...]:
    """The defect of R_r ... R_1 is at most ``bound(r)``: one more layer adds ``cap`` times its own."""

    def stated(depth: Index | int | str) -> Formula:
        return defect(_deep(depth), bound(depth))

    source = use(
        "defect of a product", "i", "m", "k",
        fns=(layer(R, r + 1), _deep("r"), value(e(r + 1)), value(bound("r")), value(cap)),
        given=(
            use("kernels", r + 1), use("rollouts are kernels", "p", "r", fns=(R,), given=("kernels",)),
            use("defects", r + 1), "so far", *(step.label for step in enough),
        ),
    )  # fmt: skip
    base = Step("no layer", stated(0), Nonnegative((item(times=Bracket(((i + 1, k), (k, m)))),)))
    return (Step("every depth", every("r", 0, p, stated("r")), Induction(
        "so far", (base,), (*enough, Step("one more layer", stated(r + 1), Chain((source,))))
    )),)  # fmt: skip


def _defects_add() -> Step:
    """The defect of R_r ... R_1 is at most e_1 + ... + e_r."""

    def bound(depth: Index | int | str) -> Term:
        return total("t", 1, depth, e("t"))

    enough = (
        Step("cap", Relation("<=", ZERO, ONE), Nonnegative((item(times=1),))),
        Step("enough", Relation("<=", ONE, ONE + bound("r")), Nonnegative((item(use("so far", 1, 1, 1)),))),
    )
    goal = every("r", 0, p, defect(_deep("r"), bound("r")))
    premises: Mapping[str, Formula] = {"kernels": _kernels, "defects": _defects}
    return _for_layers("defects add", (R, e), premises, goal, *_by_layer(bound, ONE, enough))


def _defects_combine() -> Step:
    """The defect of R_r ... R_1 is at most 1 - (1 - e_1) ... (1 - e_r), where every e_t <= 1."""

    def left_over(depth: Index | int | str) -> Relation:
        return Relation("<=", ZERO, kept(e, depth))

    products = Step("products", every("r", 0, p, left_over("r")), Induction(
        "so far",
        (Step("no factor", left_over(0), Nonnegative((item(times=1),))),),
        (Step("one more factor", left_over(r + 1), Nonnegative((item(use("at most one", r + 1), use("so far")),))),),
    ))  # fmt: skip
    enough = (
        Step("cap", left_over("r"), Chain((use("products", "r"),))),
        Step("enough", Relation("<=", ONE, kept(e, "r") + (ONE - kept(e, "r"))), Nonnegative(())),
    )
    goal = every("r", 0, p, defect(_deep("r"), ONE - kept(e, "r")))
    premises = {
        "kernels": _kernels, "defects": _defects, "at most one": layers(1, "p", Relation("<=", e("t"), ONE)),
    }  # fmt: skip
    return _for_layers(
        "defects combine", (R, e), premises, goal, products,
        *_by_layer(lambda depth: ONE - kept(e, depth), kept(e, "r"), enough),
    )  # fmt: skip


def rollout_lemmas() -> tuple[Step, ...]:
    """For layers that are kernels, at every depth: so are the rollouts, and their defects add, or combine."""
    return _rollouts_are_kernels(), _defects_add(), _defects_combine()


# --- layers with a residual stream ----------------------------------------------------------------


def shares(lam: Fn, defects: Fn) -> Lambda:
    """lambda_t e_t."""
    return Lambda(("t",), lam("t") * defects("t"))


def layers_below(lam: Fn, family: Fn, defects: Fn, top: Index, fact: str) -> tuple[Step, ...]:
    """The defect of P^(r) is at most lambda_1 e_1 + ... + lambda_r e_r for r <= top."""
    C = transition(lam, family)
    bounded = every("r", 0, top, defect(layer(rollout(C), "r"), weighted(lam, defects, "r")))
    return (
        stochastic_transitions(lam, family, top),
        transition_defects(lam, family, defects, top, fact),
        Step("rollout defects", bounded, Instantiate(use(
            "defects add", top, fns=(C, shares(lam, defects)), given=("transitions", "transition defects")
        ))),
    )  # fmt: skip


def combined(lam: Fn, family: Fn, defects: Fn, fact: str, at_most_one: str) -> tuple[Step, ...]:
    """The defect of P^(T) is at most 1 - (1 - lambda_1 e_1) ... (1 - lambda_T e_T)."""
    C, own = transition(lam, family), shares(lam, defects)
    return (
        stochastic_transitions(lam, family, T),
        transition_defects(lam, family, defects, T, fact),
        Step("shares at most 1", layers(1, T, Relation("<=", apply(own, (t,)), ONE)), Nonnegative((
            item(use("mixing", "t", parts="at most one")),
            item(use("mixing", "t", parts="nonnegative"), use(at_most_one, "t")),
        ))),
        Step("this depth", defect(layer(rollout(C), T), ONE - kept(own, T)), Instantiate(use(
            "defects combine", T, T, fns=(C, own), given=("transitions", "transition defects", "shares at most 1")
        ))),
    )  # fmt: skip


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
