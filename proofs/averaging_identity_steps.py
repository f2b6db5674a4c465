"""The exact gap between the mean of a product of random layers and the product of the means, for layers of any kind.

    P^(T) - Pbar^(T)    =  sum_s R_T ... R_{s+1} D_s Pbar^(s-1)                              outcome by outcome
    E P^(T) - Pbar^(T)  =  sum_t Rbar_T ... Rbar_{t+1} E[D_t P^(t-1)]                        by covariances
                        =  sum_t Rbar_T ... Rbar_{t+1} E[D_t (P^(t-1) - Pbar^(t-1))]         of second order

Everything is a function of the mean layers N, so that a derivation can speak of any N of which it knows N = E R.
"""

from __future__ import annotations

from proofs.averaging_steps import M, R, at_layer, entries, expected, member, p, unrolled_sum
from proofs.notation import every, layers, n, product, rollout, zero_one
from proofs.steps import Generalise, Identity, Instantiate, Item, Step, item, use
from proofs.substitute import apply, substitute
from proofs.term import (
    Fn,
    ForAllFn,
    Formula,
    Implies,
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

__all__ = ["by_covariances", "covariances", "gap", "identities", "mass", "of_second_order", "outcome"]

N = Symbol("N*", 3)
i, j, l, s, t, T = (index(name) for name in ("i", "j", "l", "s", "t", "T"))  # noqa: E741
P = rollout(member())
mass = Relation("=", total("omega", 1, M, p("omega")), as_term(1))


def deviations(means: Fn, t: Index) -> Lambda:
    """D_t = R_t - Rbar_t of the outcome omega."""
    return Lambda(("i", "j"), at_layer(member(), t).body - at_layer(means, t).body)


def gap(means: Fn, depth: Index | int | str) -> Term:
    """(E P^(depth) - Pbar^(depth))_ij."""
    return expected(P(depth, "i", "j")) - rollout(means)(depth, "i", "j")


def _family(var: str, body: Term) -> Lambda:
    """A matrix for each layer, from its entry at i, j."""
    return Lambda((var, "i", "j"), body)


def covariances(means: Fn) -> Lambda:
    """E[D_t P^(t-1)]."""
    return _family("t", expected(product(deviations(means, t), at_layer(P, t - 1))("i", "j")))


def _moved(means: Fn) -> Lambda:
    """D_s Pbar^(s-1)."""
    return _family("s", product(deviations(means, s), at_layer(rollout(means), s - 1))("i", "j"))


def _twice(means: Fn) -> Lambda:
    """E[D_t sum_{s < t} R_{t-1} ... R_{s+1} D_s Pbar^(s-1)]."""
    moves = Lambda(("i", "j"), unrolled_sum(member(), _moved(means), t - 1, "s"))
    return _family("t", expected(product(deviations(means, t), moves)("i", "j")))


def outcome(means: Fn, depth: Index | int | str) -> Formula:
    """P^(depth) - Pbar^(depth) = sum_s R_depth ... R_{s+1} D_s Pbar^(s-1), for one outcome."""
    difference = P(depth, "i", "j") - rollout(means)(depth, "i", "j")
    return entries(Relation("=", difference, unrolled_sum(member(), _moved(means), depth, "s")))


def by_covariances(means: Fn) -> Formula:
    """The gap at depth T as a sum over one layer."""
    return entries(Relation("=", gap(means, "T"), unrolled_sum(means, covariances(means), "T")))


def of_second_order(means: Fn) -> Formula:
    """The gap at depth T as a sum over two layers."""
    return entries(Relation("=", gap(means, "T"), unrolled_sum(means, _twice(means), "T")))


# --- derivation -----------------------------------------------------------------------------------


def _solved(
    goal: Formula, layers_of: Fn, found: Fn, added: Fn, depth: str, start: tuple[Item, ...], step: tuple[Item, ...]
) -> tuple[Step, ...]:
    """``goal``: Z_depth = sum_t F_depth ... F_{t+1} C_t, since Z_0 = 0 and Z_{s+1} = F_{s+1} Z_s + C_{s+1}."""
    first, here, after = (apply(found, (at, i, j)) for at in (as_index(0), s, s + 1))
    further = total("l", 1, n, apply(layers_of, (s + 1, i, l)) * substitute(here, {"i": l}, {}))
    next_one = Relation("=", after, further + apply(added, (s + 1, i, j)))
    source = use("unrolled", depth, fns=(layers_of, found, added), given=("no layer", "next layer"))
    return (
        Step("no layer", entries(Relation("=", first, as_term(0))), Identity(start)),
        Step("next layer", every("s", 0, T - 1, entries(next_one)), Identity(step)),
        Step("depth", goal, Instantiate(source)),
    )


def _are_means(means: Fn) -> Formula:
    """N_t = E R_t."""
    entry = expected(R("omega", "t", "i", "j"))
    return layers(1, "T", entries(Relation("=", apply(means, (t, i, j)), entry)))


def identities(means: Fn) -> tuple[Step, ...]:
    """The three identities for the mean layers ``means``; they cite "unrolled"."""
    gaps = _family("v", gap(N, "v"))
    differences = _family("v", P("v", "i", "j") - rollout(N)("v", "i", "j"))
    every_outcome = every("omega", 1, M, every("v", 0, T, outcome(N, "v")))
    unit_mass = item(use("mass"), times=zero_one("i", "j"))

    def for_means(label: str, claim: Formula, step: tuple[Item, ...], added: Fn) -> Step:
        steps = _solved(claim, N, gaps, added, "T", (unit_mass,), step)
        closed = ForAllFn(N, Implies(mass, Implies(_are_means(N), claim)))
        return Step(label, closed, Generalise(("N*", "mass", "means"), steps))

    return (
        Step("outcomes", ForAllFn(N, every_outcome), Generalise(
            ("N*", "omega", "v"), _solved(outcome(N, "v"), member(), differences, _moved(N), "v", (), ())
        )),
        for_means("by covariances", by_covariances(N), (), covariances(N)),
        # E D_{s+1} P^(s) = E D_{s+1} (P^(s) - Pbar^(s)), since E D_{s+1} = 0
        for_means("of second order", of_second_order(N), (
            item(
                use("outcomes", "omega", s, "l", "j", fns=(N,)),
                times=p("omega") * apply(deviations(N, s + 1), (i, l)), over=(("omega", 1, M), ("l", 1, n)),
            ),
            item(use("mass"), times=-(N(s + 1, "i", "l") * rollout(N)(s, "l", "j")), over=(("l", 1, n),)),
            item(use("means", s + 1, "i", "l"), times=-rollout(N)(s, "l", "j"), over=(("l", 1, n),)),
        ), _twice(N)),
        Step("means", _are_means(means), Identity()),
    )  # fmt: skip
