"""Two rollouts that share one draw v_t for each layer, compared path by path (S6): their maps are ordered (S5)."""

from __future__ import annotations

from proofs.lemmas.comparison_steps import value
from proofs.lemmas.level_steps import cut_is_kernel, ends
from proofs.notation import below, blend, causal, every, layer, monotone, rollout, tail, threshold_maps
from proofs.outline import constant_mixing
from proofs.steps import Both, Chain, Generalise, Instantiate, Nonnegative, Step, Use, item, use
from proofs.term import Fn, Formula, Lambda, Relation, Symbol, Term, as_term, index

__all__ = ["paths_compared", "risen", "shared_maps"]

i, r, T = index("i"), index("r"), index("T")


def shared_maps(v: Symbol, family: Symbol) -> Lambda:
    """The map of every layer at its draw: [v_t <= F(i, j)] - [v_t <= F(i, j + 1)]."""
    return Lambda(("t", "i", "j"), threshold_maps(v, layer(family, "t"))("t", "i", "j"))


def risen(u: Fn, lower: Term, upper: Term, fact: Use) -> Use:
    """[u_r <= lower] <= [u_r <= upper], from lower <= upper."""
    return use("comparison rises", fns=(value(u("r")), value(lower), value(upper)), given=(fact,))


def _draws(v: Symbol) -> tuple[Step, ...]:
    """0 < v_r <= 1, under the names that the lemmas on levels cite."""
    low, high = Relation("<", as_term(0), v("r")), Relation("<=", v("r"), as_term(1))
    return (
        Step("level > 0", every("r", 1, T, low), Chain((use("draws", "r", parts="positive"),))),
        Step("level <= 1", every("r", 1, T, high), Chain((use("draws", "r", parts="at most one"),))),
    )


def _maps_are_kernels(label: str, v: Symbol, family: Symbol, fact: str) -> Step:
    maps, this = shared_maps(v, family), layer(family, "r")
    return Step(label, every("r", 1, T, causal(layer(maps, "r"))), Generalise(("r",), (
        Step("this kernel", causal(this), Instantiate(use(fact, "r"))),
        *cut_is_kernel(v, this, "this kernel"),
    )))  # fmt: skip


def paths_compared(
    goal: Formula, v: Symbol, families: tuple[Symbol, Symbol], facts: tuple[str, str, str, str]
) -> tuple[Step, ...]:
    """``goal``: the maps of the lower family are kernels, and the products of maps of both families are ordered.

    Cites "draws" and ``facts``: that the lower and the upper layers are causal, ordered, and the lower ones monotone.
    """
    lower, upper = families
    lower_fact, upper_fact, ordered, monotone_fact = facts
    M, N = (shared_maps(v, family) for family in families)
    F, G = (tail(layer(family, "r")) for family in families)
    zero = Lambda(("t",), as_term(0))
    return (
        *_draws(v),
        *ends(v, layer(lower, "r"), "lower end", T),
        *ends(v, layer(upper, "r"), "upper end", T),
        _maps_are_kernels("lower maps", v, lower, lower_fact),
        _maps_are_kernels("upper maps", v, upper, upper_fact),
        Step("maps ordered", every("r", 1, T, below(layer(M, "r"), layer(N, "r"))), Nonnegative(
            (item(risen(v, F("i", "k"), G("i", "k"), use(ordered, "r", "i", "k"))),),
            (item(use("upper end", "r", "i")), item(use("lower end", "r", "i"), times=-1)),
        )),
        *constant_mixing("weight zero", 0, "T"),
        Step("maps monotone", every("r", 1, T - 1, monotone(layer(blend(zero, M, N), "r"))), Nonnegative(
            (item(risen(v, F("i", "k"), F(i + 1, "k"), use(monotone_fact, "r", "i", "k"))),),
            (item(use("lower end", "r", i + 1)), item(use("lower end", "r", "i"), times=-1)),
        )),
        Step("compared", below(layer(rollout(M), "T"), layer(rollout(N), "T")), Instantiate(use(
            "S5", "T", parts="rollouts", fns=(M, N, zero),
            given=("lower maps", "upper maps", "maps ordered", "weight zero", "maps monotone"),
        ))),
        Step("paths", goal, Both(("lower maps", "compared"))),
    )  # fmt: skip
