"""Averages of prefix-kernel heads, mixed with the residual stream: from the order of two heads to that of layers (D7).

Products are linear in both factors, and what I contributes cancels: R_t R_s - R_s R_t = lambda_t lambda_s sum_{h, g}
alpha_{t,g} alpha_{s,h} (A_{t,g} A_{s,h} - A_{s,h} A_{t,g}).
"""

from __future__ import annotations

from proofs.lemmas.comparison_steps import value
from proofs.lemmas.moved_layer_steps import EITHER, Order, e, for_all, implied
from proofs.lemmas.permutation_steps import arranged, permutation
from proofs.lemmas.swap_steps import criterion
from proofs.notation import every, layer, layers, mixing, positive, rollout, transition
from proofs.outline import causal_transitions, monotone_transitions
from proofs.prefix_heads import (
    causal_heads,
    each_head,
    family,
    head_powers,
    head_shares,
    monotone_heads,
    of_head,
)
from proofs.steps import Generalise, Instantiate, Nonnegative, Step, item, use
from proofs.term import Fn, ForAll, Formula, Lambda, Relation, Symbol, index

__all__ = ["arranged_heads", "arranged_slopes", "heads_swap", "mixed_swap", "slopes_between", "weights_between"]

f, M = Symbol("f*", 3), Symbol("M*", 2)  # starred, so that no claim uses the names
H, T, t = index("H"), index("T"), index("t")
BOTH = (("h", 1, H), ("g", 1, H))


def _earlier(body: Formula) -> ForAll:
    """For layers s < t, head h of s and head g of t."""
    return layers(1, "T", every("s", 1, t - 1, every("h", 1, H, every("g", 1, H, body))))


def _two(weights: Fn, order: Order) -> tuple[Fn, Fn]:
    """The weights of heads (s, h) and (t, g), those of the less local one first."""
    pair = Lambda(("j",), weights("s", "h", "j")), Lambda(("j",), weights("t", "g", "j"))
    return pair if order.up else pair[::-1]


def weights_between(weights: Fn, order: Order) -> ForAll:
    """Every head of a later layer is more local (or less) than every head of an earlier one."""
    return _earlier(criterion(*_two(weights, order)))


def slopes_between(slopes: Fn, order: Order) -> ForAll:
    """Every slope of a later layer is at least (or at most) every slope of an earlier one."""
    pair = slopes("s", "h"), slopes("t", "g")
    return _earlier(Relation("<=", *(pair if order.up else pair[::-1])))


def heads_swap(label: str, alpha: Fn, weights: Fn, order: Order, facts: tuple[str, str, str]) -> Step:
    """A_s A_t ≼ A_t A_s for averages of heads, from the shares, the signs of weights and the order of any two."""
    shares, signs, between = facts
    positive_weights = use(signs, "s", "h"), use(signs, "t", "g")
    compared = use(
        "order of prefix kernels", "i", "k", fns=_two(weights, order),
        given=(*(positive_weights if order.up else positive_weights[::-1]), use(between, "t", "s", "h", "g")),
    )  # fmt: skip
    both = use(shares, "s", "h", parts="nonnegative"), use(shares, "t", "g", parts="nonnegative")
    return Step(label, order.pairs(family(alpha, weights), "T"), Nonnegative((item(*both, compared, over=BOTH),)))


def mixed_swap(label: str, lam: Fn, kernels: Fn, order: Order, coefficients: str, swap: str) -> Step:
    """R_s R_t ≼ R_t R_s, from A_s A_t ≼ A_t A_s: the difference is lambda_s lambda_t times the same one."""
    weights = use(coefficients, "s", parts="nonnegative"), use(coefficients, "t", parts="nonnegative")
    return Step(label, order.pairs(transition(lam, kernels), "T"), Nonnegative((
        item(*weights, use(swap, "t", "s", "i", "k")),
    )))  # fmt: skip


def arranged_heads(lam: Fn, alpha: Fn) -> Step:
    """For all weights of heads whose averages are ordered, and for all arrangements of the layers."""
    mixed = transition(lam, family(alpha, f))
    goal = EITHER(layer(rollout(arranged(M, mixed, "T")), "T"), layer(rollout(mixed), "T"))
    premises = (
        mixing(lam, "T"), head_shares(alpha), each_head(positive(of_head(f))), EITHER.pairs(family(alpha, f), "T"),
        permutation(M, "T"),
    )  # fmt: skip
    names = ("e*", "f*", "M*", "mixing", "head weights", "f* positive", "heads ordered", "permutation")
    return Step("arranged heads", for_all((e, f, M), implied(premises, goal)), Generalise(names, (
        causal_heads(alpha, f), monotone_heads(alpha, f),
        causal_transitions("transitions", lam, family(alpha, f), "T", "mixing", "heads f* causal"),
        monotone_transitions("transitions monotone", mixed, T - 1, "mixing", "heads f* monotone"),
        mixed_swap("transitions swap", lam, family(alpha, f), EITHER, "mixing", "heads ordered"),
        Step("arranged", goal, Instantiate(use(
            "arrangements", "T", fns=(e, mixed, M),
            given=("transitions", "transitions monotone", "transitions swap", "permutation"),
        ))),
    )))  # fmt: skip


def arranged_slopes(lam: Fn, alpha: Fn, slopes: Symbol, order: Order, facts: tuple[str, ...]) -> tuple[Step, ...]:
    """The same for ALiBi, from the facts: mixing, shares, slopes, their order, permutation; the matrix is that of the
    claim.
    """
    mixing_fact, shares, signs, between, permuted = facts
    weights, matrix = head_powers(slopes), Symbol("M", 2)
    places = (("s", "h"), ("t", "g")) if order.up else (("t", "g"), ("s", "h"))
    one, other = (value(slopes(*at)) for at in places)
    mixed = transition(lam, family(alpha, weights))
    goal = order(layer(rollout(arranged(matrix, mixed, "T")), "T"), layer(rollout(mixed), "T"))
    two = criterion(*_two(weights, order))
    return (
        Step("powers positive", each_head(positive(of_head(weights))), Generalise(("t", "h"), (
            Step("powers", positive(of_head(weights)), Instantiate(use(
                "powers are positive", fns=(value(slopes("t", "h")),), given=(use(signs, "t", "h"),)
            ))),
        ))),
        Step("powers ordered", weights_between(weights, order), Generalise(("t", "s", "h", "g"), (
            Step("steeper", two, Instantiate(use(
                "slopes suffice", fns=(one, other), given=(use(signs, *places[0]), use(between, "t", "s", "h", "g"))
            ))),
        ))),
        heads_swap("heads ordered", alpha, weights, order, (shares, "powers positive", "powers ordered")),
        Step("arranged", goal, Instantiate(use(
            "arranged heads", fns=(order.sign, weights, matrix),
            given=(mixing_fact, shares, "powers positive", "heads ordered", permuted),
        ))),
    )  # fmt: skip
