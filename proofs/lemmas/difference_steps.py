"""Steps on divided differences of g(z) = prod_{t <= T} (1 - lambda_t + lambda_t / z), for all positive nodes.

What makes f(j, i) a divided difference with respect to nodes z is the recursion (z_i - z_j) f(j, i) = f(j + 1, i) -
f(j, i - 1): one factor obeys it, and so does what the Leibniz rule makes of two functions that do.
"""

from __future__ import annotations

from proofs.notation import (
    accumulated,
    divided_difference,
    every,
    layer,
    layers,
    n,
    positive,
    product_between,
    sign,
    up_to_diagonal,
    zero_one,
)
from proofs.steps import Generalise, Identity, Induction, Invert, Step, item, use
from proofs.substitute import apply
from proofs.term import (
    Fn,
    ForAllFn,
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
    total,
)

__all__ = ["factor", "one_node", "recursion", "recursion_at_every_depth", "values_at_one_node"]

i, j, l, s, t = (index(name) for name in "ijlst")  # noqa: E741 - the letters of the formulas
x = Symbol("x*", 1)  # starred, so that no claim uses the names
f, g, c, p, r = (Symbol(f"{name}*", 2) for name in "fgcpr")


def reciprocal(nodes: Fn) -> Lambda:
    """k -> 1 / z_k."""
    return Lambda(("k",), Reciprocal(nodes("k")))


def factor(lam: Fn, nodes: Fn, t: Index) -> Lambda:
    """(1 - lambda_t) [l = i] + lambda_t (-1)^{i-l} / (z_l ... z_i), the divided difference of one factor."""
    kept = (as_term(1) - lam(t)) * zero_one("l", "i")
    return Lambda(("l", "i"), kept + lam(t) * sign(i - l) * product_between(reciprocal(nodes), l, i))


def factor_at(lam: Fn, nodes: Fn, t: Index | str, at: Index | str) -> Term:
    """1 - lambda_t + lambda_t / z_at."""
    return as_term(1) - lam(t) + lam(t) * Reciprocal(nodes(at))


def recursion(difference: Fn, nodes: Fn) -> Formula:
    """(z_i - z_j) f(j, i) = f(j + 1, i) - f(j, i - 1) for j < i."""
    whole, later, earlier = (apply(difference, ends) for ends in ((j, i), (j + 1, i), (j, i - 1)))
    return every("j", 1, n, every("i", j + 1, n, Relation("=", (nodes("i") - nodes("j")) * whole, later - earlier)))


# --- one node -------------------------------------------------------------------------------------

_met = Relation("=", zero_one("l", "i") * x(i - l), zero_one("l", "i") * x(0))
equal_ends = Step("where l = i", ForAllFn(x, every("l", 1, n, every("i", 1, n, _met))), Generalise(("x*",), (
    Step("[l = i] x(i - l)", every("l", 1, n, every("i", 1, n, _met)), Identity()),
)))  # fmt: skip


def values_at_one_node(lam: Fn, nodes: Fn) -> Step:
    """g[z_i] = g(z_i) at every depth up to T: with one node left the Leibniz rule has one term."""
    ahead = Lambda(("m",), sign("m") * product_between(reciprocal(nodes), l, l + index("m")))
    return Step("one node, every depth", every("s", 0, index("T"), one_node(lam, nodes, s)), Induction(
        "so far",
        base=(Step("no factor", one_node(lam, nodes, as_index(0)), Identity()),),
        step=(Step("one more factor", one_node(lam, nodes, s + 1), Identity((
            item(
                use("where l = i", "l", "i", fns=(ahead,)),
                times=lam(s + 1) * divided_difference(lam, nodes)("s", "i", "l"), over=(("l", i, i),),
            ),
            item(use("so far", "i"), times=factor_at(lam, nodes, s + 1, "i")),
        ))),),
    ))  # fmt: skip


def one_node(lam: Fn, nodes: Fn, depth: Index) -> Formula:
    """g[z_i] = prod_{t <= T} (1 - lambda_t + lambda_t / z_i)."""
    values = Lambda(("t",), factor_at(lam, nodes, "t", "i"))
    return every("i", 1, n, Relation(
        "=", divided_difference(lam, nodes)(depth, "i", "i"), accumulated(values)(depth)
    ))  # fmt: skip


# --- several nodes --------------------------------------------------------------------------------


def _leibniz(first: Fn, second: Fn) -> Lambda:
    """sum_{l=j}^i f(j, l) g(l, i)."""
    return Lambda(("j", "i"), total("l", "j", "i", first("j", "l") * second("l", "i")))


def _leibniz_rule(nodes: Fn) -> Step:
    """If f and g are divided differences, so is what the Leibniz rule makes of them."""
    known = (recursion(f, nodes), recursion(g, nodes))
    goal = recursion(_leibniz(f, g), nodes)
    return Step(
        "Leibniz rule",
        ForAllFn(f, ForAllFn(g, Implies(known[0], Implies(known[1], goal)))),
        Generalise(("f*", "g*", "of f", "of g"), (
            Step("of the product", goal, Identity((
                item(use("of f", "j", "l"), times=g("l", "i"), over=(("l", j + 1, i),)),
                item(use("of g", "l", "i"), times=f("j", "l"), over=(("l", j, i - 1),)),
            ))),
        )),
    )  # fmt: skip


def _taken_out(nodes: Fn) -> Step:
    """1 / (z_l ... z_i) = 1 / z_l times 1 / (z_{l+1} ... z_i)."""

    def split(high: Index) -> Relation:
        whole, rest = (product_between(reciprocal(nodes), low, high) for low in (l, l + 1))
        return Relation("=", whole, Reciprocal(nodes("l")) * rest)

    return Step("one node taken out", every("l", 1, n, every("i", l, n, split(i))), Generalise(("l",), (
        Step("every end", every("i", l, n, split(i)), Induction(
            "so far",
            base=(Step("a node alone", split(l), Identity()),),
            step=(Step("one more node", split(i + 1), Identity((
                item(use("so far"), times=Reciprocal(nodes(i + 1))),
            ))),),
        )),
    )))  # fmt: skip


def _one_factor(lam: Fn, nodes: Fn) -> tuple[Step, ...]:
    """One factor obeys the recursion."""
    q = factor(lam, nodes, t)
    ahead = Relation(
        "=", (nodes(i + 1) - nodes("l")) * apply(q, (l, i + 1)), apply(q, (l + 1, i + 1)) - apply(q, (l, i))
    )
    signed = lam("t") * sign(i - l)

    def between(low: Index) -> Term:
        return product_between(reciprocal(nodes), low, i)

    return (
        Step("one factor, next node", layers(1, "T", every("l", 1, n, every("i", l, n - 1, ahead))), Identity((
            item(use("z / z", i + 1), times=-signed * between(l)),
            item(use("one node taken out", "l", "i"), times=signed * nodes("l") * Reciprocal(nodes(i + 1))),
            item(use("z / z", "l"), times=signed * Reciprocal(nodes(i + 1)) * between(l + 1)),
        ))),
        Step("one factor", layers(1, "T", recursion(q, nodes)), Identity((
            item(use("one factor, next node", "t", "j", i - 1)),
        ))),
    )  # fmt: skip


def recursion_at_every_depth(label: str, lam: Fn, nodes: Fn) -> Step:
    """For z > 0, (z_i - z_j) g[z_j, ..., z_i] = g[z_{j+1}, ..., z_i] - g[z_j, ..., z_{i-1}] at every depth up to T."""
    at = [recursion(layer(divided_difference(lam, nodes), depth), nodes) for depth in (s, as_index(0), s + 1)]
    known = ("so far", use("one factor", s + 1))
    of = (layer(divided_difference(lam, nodes), s), factor(lam, nodes, s + 1))
    quotient = Relation("=", nodes("r") * Reciprocal(nodes("r")), as_term(1))
    goal = every("s", 0, index("T"), at[0])
    return Step(label, Implies(positive(nodes), goal), Generalise(("z > 0",), (
        Step("z / z", every("r", 1, n, quotient), Invert(use("z > 0", "r"))),
        _taken_out(nodes),
        *_one_factor(lam, nodes),
        _leibniz_rule(nodes),
        Step("every depth", goal, Induction(
            "so far",
            base=(Step("no factor", at[1], Identity()),),
            step=(Step("one more factor", at[2], Identity((
                item(use("Leibniz rule", "j", "i", fns=of, given=known)),
            ))),),
        )),
    )))  # fmt: skip


# --- kernels --------------------------------------------------------------------------------------


def scaled_entries(kernel: Fn, scale: Fn, difference: Fn) -> Formula:
    """P_ij = [j <= i] c(j, i) f(j, i)."""
    value = up_to_diagonal("i", "j") * apply(scale, (j, i)) * apply(difference, (j, i))
    return every("i", 1, n, every("j", 1, n, Relation("=", apply(kernel, (i, j)), value)))


def scaled(kernel: Fn, scale: Fn, difference: Fn) -> Formula:
    """R_il c(j, l) = c(j, i) g(l, i) for j <= l <= i."""
    sides = (apply(kernel, (i, l)) * apply(scale, (j, l)), apply(scale, (j, i)) * apply(difference, (l, i)))
    return every("j", 1, n, every("l", j, n, every("i", l, n, Relation("=", *sides))))


def scaled_rollout() -> Step:
    """A layer on top of kernels given by divided differences: the Leibniz rule once more."""
    below, above = scaled_entries(p, c, f), scaled(r, c, g)
    product = Lambda(("i", "j"), total("l", 1, "i", r("i", "l") * p("l", "j")))
    goal = scaled_entries(product, c, _leibniz(f, g))
    statement: Formula = Implies(above, Implies(below, goal))
    for symbol in (f, p, g, c, r):
        statement = ForAllFn(symbol, statement)
    return Step("one layer on top", statement, Generalise(("r*", "c*", "g*", "p*", "f*", "of R", "of P"), (
        Step("entries of the product", goal, Identity((
            item(use("of P", "l", "j"), times=r("i", "l"), over=(("l", 1, i),)),
            item(use("of R", "j", "l", "i"), times=f("j", "l"), over=(("l", j, i),)),
        ))),
    )))  # fmt: skip
