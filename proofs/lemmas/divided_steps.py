"""Divided differences of products of linear factors x_r + y_r z.

The operator of operators.py, which grows a product by one factor (the Leibniz rule), is the divided difference: it has
the recursion (theta_i - theta_j) f[theta_j, ..., theta_i] = f[theta_{j+1}, ..., theta_i] - f[theta_j, ...,
theta_{i-1}] and the values f[theta_j] = f(theta_j); it says what it is where nodes coincide, too.  The Leibniz rule
gives that of a product of two.  Two products matter: of the factors 1 - lambda_t + lambda_t z of the layers, and of
those z - eta_l of the nodes between two.
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.notation import accumulated, divided_product, every, n, zero_one
from proofs.steps import Generalise, Identity, Induction, Step, item, use
from proofs.substitute import apply
from proofs.term import (
    And,
    Bracket,
    Fn,
    ForAllFn,
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
    "at",
    "divided_lemmas",
    "layer_factors",
    "leibniz",
    "node_factors",
    "of_layers",
    "of_nodes",
    "recursion",
    "spans",
    "value",
    "with_factors",
]

i, j, l, m, r, s = (index(v) for v in ("i", "j", "l", "m", "r", "s"))  # noqa: E741 - the letters of the formulas
x, y, theta = (Symbol(f"{v}*", 1) for v in ("x", "y", "theta"))  # starred, so that no claim uses the names


def at(fn: Fn, place: Index) -> Term:
    """The value of a sequence, an abstraction applied at once."""
    return apply(fn, (place,))


def spans(first: int, body: Formula) -> Formula:
    """For all j and i >= j + first."""
    return every("j", 1, n, every("i", j + first, n, body))


# --- divided differences --------------------------------------------------------------------------


def recursion(nodes: Fn, difference: Callable[[Index, Index], Term]) -> Formula:
    """(theta_i - theta_j) f[theta_j, ..., theta_i] = f[theta_{j+1}, ..., theta_i] - f[theta_j, ..., theta_{i-1}]."""
    left = (at(nodes, i) - at(nodes, j)) * difference(j, i)
    return spans(1, Relation("=", left, difference(j + 1, i) - difference(j, i - 1)))


def value(nodes: Fn, constants: Fn, slopes: Fn, count: Index | int, place: Index) -> Term:
    """f(theta_place), f the product of ``count`` factors."""
    return accumulated(Lambda(("r",), at(constants, r) + at(slopes, r) * at(nodes, place)))(count)


D = divided_product(theta, x, y)


def _recursion(count: Index | int) -> Formula:
    return recursion(theta, lambda first, last: D(count, first, last))


def _values(count: Index | int) -> Formula:
    return every("j", 1, n, Relation("=", D(count, "j", "j"), value(theta, x, y, count, j)))


def _degree(count: Index | int) -> Formula:
    """More nodes than the degree and one: 0."""
    last = j + m + 1 + count
    return every("m", 0, None, every("j", 1, n - m - 1 - count, Relation("=", D(count, "j", last), as_term(0))))


def _by_factor(label: str, stated: Callable[[Index | int], Formula], step: Identity) -> Step:
    """What holds of every number s of factors, for all factors and nodes."""
    every_count = every("s", 0, None, stated(s))
    return Step(label, ForAllFn(x, ForAllFn(y, ForAllFn(theta, every_count))), Generalise(("x*", "y*", "theta*"), (
        Step("every number of factors", every_count, Induction(
            "so far",
            base=(Step("no factor", stated(0), Identity()),),
            step=(Step("one more factor", stated(s + 1), step),),
        )),
    )))  # fmt: skip


def divided_lemmas() -> tuple[Step, ...]:
    """The recursion, the values at single nodes, and 0 beyond the degree."""
    return (
        _by_factor("recursion of divided differences", _recursion, Identity((
            item(use("so far", "j", "i"), times=x(s + 1) + y(s + 1) * theta("i")),
            item(use("so far", "j", "l"), times=y(s + 1) * zero_one(l, i - 1), over=(("l", j + 1, i - 1),)),
        ))),
        _by_factor("values", _values, Identity((item(use("so far", "j"), times=x(s + 1) + y(s + 1) * theta("j")),))),
        _by_factor("beyond the degree", _degree, Identity((
            item(use("so far", m + 1, "j"), times=x(s + 1) + y(s + 1) * theta(j + m + s + 2)),
            item(use("so far", "m", "j"), times=y(s + 1)),
        ))),
    )  # fmt: skip


def leibniz(first: Fn, second: Fn, start: Index, last: Index) -> Term:
    """sum_l f[theta_l, ..., theta_last] g[theta_start, ..., theta_l], the divided difference of f g.

    ``first`` and ``second`` are those of f and g, as functions of the first and the last node.
    """
    return total("l", start, last, apply(first, (l, last)) * apply(second, (start, l)))


# --- the factors of layers and of nodes ------------------------------------------------------------


def with_factors(fn: Fn, count: Index) -> Lambda:
    """The divided differences of so many factors, as a function of the first and the last node."""
    return Lambda(("a", "b"), apply(fn, (count, index("a"), index("b"))))


def layer_factors(nodes: Fn, lam: Fn) -> Lambda:
    """[theta_j, ..., theta_i] prod_{t <= s} (1 - lambda_t + lambda_t z), indices (s, j, i)."""
    of_layers = divided_product(nodes, Lambda(("t",), as_term(1) - at(lam, index("t"))), lam)
    return Lambda(("s", "j", "i"), of_layers("s", "j", "i"))


def node_factors(nodes: Fn, etas: Fn) -> Lambda:
    """[theta_j, ..., theta_i] prod_{j < l <= r} (z - eta_l), indices (r, j, i)."""
    of_nodes = divided_product(nodes, Lambda(("r",), -at(etas, j + r)), Lambda(("r",), as_term(1)))
    return Lambda(("r", "j", "i"), of_nodes(r - j, "j", "i"))


def of_layers(nodes: Fn, lam: Fn, f: Fn) -> Formula:
    """What is used of the divided differences f(s, j, i) of the layers' factors."""
    rest, go = as_term(1) - at(lam, s + 1), at(lam, s + 1)
    lower = Bracket(((j + 1, i),)) * apply(f, (s, j, i - 1))
    more = (rest + go * at(nodes, i)) * apply(f, (s, j, i)) + go * lower
    return And((
        ("start", spans(0, Relation("=", apply(f, (as_index(0), j, i)), zero_one(i, j)))),
        ("layer", every("s", 0, None, spans(0, Relation("=", apply(f, (s + 1, j, i)), more)))),
        ("recursion", every("s", 0, None, recursion(nodes, lambda first, last: apply(f, (s, first, last))))),
    ))  # fmt: skip


def of_nodes(nodes: Fn, etas: Fn, g: Fn) -> Formula:
    """What is used of the divided differences g(r, j, l) of the factors of the nodes after j, up to r."""
    lower = Bracket(((j + 1, l),)) * apply(g, (r, j, l - 1))
    more = (at(nodes, l) - at(etas, r + 1)) * apply(g, (r, j, l)) + lower
    return every("j", 1, n, And((
        ("start", every("l", j, n, Relation("=", apply(g, (j, j, l)), zero_one(l, j)))),
        ("node", every("r", j, n, every("l", j, n, Relation("=", apply(g, (r + 1, j, l)), more)))),
        ("degree", every("l", j + 1, n, Relation("=", apply(g, (l - 1, j, l)), as_term(0)))),
    )))  # fmt: skip
