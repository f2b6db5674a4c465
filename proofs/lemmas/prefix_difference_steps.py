"""Steps on one prefix kernel in all layers: each layer, and so the rollout, is a divided difference up to scale.

    R_il c(j, l) = c(j, i) q(l, i),   P^(s)_ij = c(j, i) g[z_j, ..., z_i],   c(j, i) = prod_{k=j+1}^i (-W_{k-1} / w_k)

with the nodes z_k = W_k / w_k and q the divided difference of one factor 1 - lambda_t + lambda_t / z of g.
"""

from __future__ import annotations

from proofs.lemmas.difference_steps import factor, scaled, scaled_entries
from proofs.lemmas.prefix_steps import inverse
from proofs.notation import (
    cumulative,
    divided_difference,
    every,
    layer,
    layers,
    n,
    positive,
    prefix,
    product_between,
    rollout,
    sign,
    transition,
    zero_one,
)
from proofs.steps import Generalise, Identity, Induction, Invert, Item, Nonnegative, Step, item, use
from proofs.substitute import apply
from proofs.term import (
    Formula,
    Implies,
    Index,
    Lambda,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
)

__all__ = ["DIFFERENCE", "ROLLOUT", "lam", "products_between", "ratios", "rollout_at_every_depth", "w"]

w, lam = Symbol("w", 1), Symbol("lambda", 1)  # those of the claim
i, j, k, l, r, s, t, T = (index(name) for name in "ijklrstT")  # noqa: E741 - the letters of the formulas
W = cumulative(w)
nodes = Lambda(("k",), W("k") * Reciprocal(w("k")))
ratios = Lambda(("k",), W(k - 1) * Reciprocal(w("k")))
ROLLOUT = rollout(transition(lam, Lambda(("t", "i", "j"), prefix(w)("i", "j"))))
DIFFERENCE = divided_difference(lam, nodes)


def weight(low: Index | str, high: Index | str) -> Term:
    """c(low, high) = prod_{k = low + 1}^{high} (-W_{k-1} / w_k)."""
    return product_between(Lambda(("k",), -ratios.body), as_index(low) + 1, high)


def between(low: Index | str, high: Index | str) -> Term:
    """1 / (z_low ... z_high)."""
    return product_between(Lambda(("k",), Reciprocal(nodes.body)), low, high)


def node(at: Index | str) -> Term:
    """z_at."""
    return apply(nodes, (as_index(at),))


def entry(at: Index) -> Relation:
    """w_l / W_i = c(l, i) (-1)^{i-l} / (z_l ... z_i)."""
    return Relation("=", w("l") * inverse(w, at), weight("l", at) * sign(at - l) * between("l", at))


def split(high: Index) -> Relation:
    """c(j, i) = c(j, l) c(l, i)."""
    return Relation("=", weight("j", high), weight("j", "l") * weight("l", high))


def rolled(depth: Index) -> Formula:
    """P^(s)_ij = [j <= i] c(j, i) g[z_j, ..., z_i]."""
    return scaled_entries(layer(ROLLOUT, depth), Lambda(("j", "i"), weight("j", "i")), layer(DIFFERENCE, depth))


def read(layer: Index) -> Lambda:
    """R_il = (1 - lambda_t) [i = l] + lambda_t w_l / W_i for l <= i."""
    return Lambda(("i", "l"), (as_term(1) - lam(layer)) * zero_one("i", "l") + lam(layer) * w("l") * inverse(w, "i"))


def signed(high: Index) -> Relation:
    """c(j, i) = (-1)^{i-j} prod W_{k-1} / w_k."""
    return Relation("=", weight("j", high), sign(high - j) * product_between(ratios, j + 1, high))


def above_zero(name: str, value: Term, *items: Item) -> Step:
    """0 < x_r, a sum of what is positive."""
    return Step(f"{name} > 0", every("r", 1, n, Relation("<", as_term(0), value)), Nonnegative(items))


def quotient(name: str, value: Term, fact: str) -> Step:
    """x_r / x_r = 1, from x_r > 0."""
    goal = every("r", 1, n, Relation("=", value * Reciprocal(value), as_term(1)))
    return Step(f"{name} / {name}", goal, Invert(use(fact, "r")))


Z, y = Reciprocal(node("r")), inverse(w, "r")
ratio = W("i") * Reciprocal(w(i + 1))
c = Lambda(("j", "i"), weight("j", "i"))
from_j = Lambda(("m",), weight(j, j + index("m")))
on_top = (read(s + 1), c, factor(lam, nodes, s + 1), layer(ROLLOUT, s), layer(DIFFERENCE, s))


def products_between() -> tuple[Step, ...]:
    """Products over ranges split, and their signs are taken out."""
    return (
        Step("split product", every("j", 1, n, every("l", j, n, every("i", l, n, split(i)))), Generalise(("j", "l"), (
            Step("every end", every("i", l, n, split(i)), Induction(
                "so far",
                base=(Step("nothing beyond l", split(l), Identity()),),
                step=(Step("one more factor", split(i + 1), Identity((item(use("so far"), times=-ratio),))),),
            )),
        ))),
        Step("signs", every("j", 1, n, every("i", j, n, signed(i))), Generalise(("j",), (
            Step("every end", every("i", j, n, signed(i)), Induction(
                "so far",
                base=(Step("no factor", signed(j), Identity()),),
                step=(Step("one more factor", signed(i + 1), Identity((item(use("so far"), times=-ratio),))),),
            )),
        ))),
    )  # fmt: skip


def _layers_scaled() -> tuple[Step, ...]:
    """R_il c(j, l) = c(j, i) q(l, i) in every layer, from w > 0."""
    return (
        above_zero("W", W("r"), item(use("w positive", "r")), item(use("w positive", "l"), over=(("l", 1, r - 1),))),
        quotient("W", W("r"), "W > 0"),
        Step("1 / w > 0", every("r", 1, n, Relation("<", as_term(0), Reciprocal(w("r")))), Invert(
            use("w positive", "r")
        )),
        quotient("w", w("r"), "w positive"),
        above_zero("z", node("r"), item(use("W > 0", "r"), use("1 / w > 0", "r"))),
        quotient("z", node("r"), "z > 0"),
        Step("1 / z", every("r", 1, n, Relation("=", Z, w("r") * y)), Identity((
            item(use("z / z", "r"), times=w("r") * y),
            item(use("w / w", "r"), times=-(Z * W("r") * y)),
            item(use("W / W", "r"), times=-Z),
        ))),
        Step("entries", every("l", 1, n, every("i", l, n, entry(i))), Generalise(("l",), (
            Step("every row", every("i", l, n, entry(i)), Induction(
                "so far",
                base=(Step("the diagonal", entry(l), Identity((item(use("1 / z", "l"), times=-1),))),),
                step=(Step("one more row", entry(i + 1), Identity((
                    item(use("so far"), times=ratio * Reciprocal(node(i + 1))),
                    item(use("1 / z", i + 1), times=-(ratio * w("l") * inverse(w, i))),
                    item(use("w / w", i + 1), times=-(W("i") * inverse(w, i) * w("l") * inverse(w, i + 1))),
                    item(use("W / W", "i"), times=-(w("l") * inverse(w, i + 1))),
                ))),),
            )),
        ))),
        Step("a layer", layers(1, "T", scaled(read(t), c, factor(lam, nodes, t))), Identity((
            item(use("entries", "l", "i"), times=lam("t") * weight("j", "l")),
            item(use("split product", "j", "l", "i"), times=-(lam("t") * sign(i - l) * between("l", "i"))),
        ))),
    )  # fmt: skip


def rollout_at_every_depth() -> Step:
    """For w > 0, P^(s)_ij = [j <= i] c(j, i) g[z_j, ..., z_i] at every depth up to T."""
    return Step(
        "rollout, every depth",
        Implies(positive(w), every("s", 0, T, rolled(s))),
        Generalise(("w positive",), (
            *_layers_scaled(),
            Step("every depth", every("s", 0, T, rolled(s)), Induction(
                "so far",
                base=(Step("no layer", rolled(as_index(0)), Identity((
                    item(use("where l = i", "j", "i", fns=(from_j,)), times=-1),
                ))),),
                step=(Step("one more layer", rolled(s + 1), Identity((
                    item(use("one layer on top", "i", "j", fns=on_top, given=(use("a layer", s + 1), "so far"))),
                ))),),
            )),
        )),
    )  # fmt: skip
