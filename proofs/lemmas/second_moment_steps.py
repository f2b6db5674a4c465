"""The second-moment rollout: what one step does to G(i, j) = E <g_i, g_j>, and what is positive about it.

    G_t(i, j) = G_{t-1}(i, j) + sum_{h,r} C_t(h, r) sum_{k,l} alpha_t(h, k, i) alpha_t(r, l, j) G_{t-1}(k, l)

Steps are counted as a gradient meets them, from the output down.  Map h of a step sends alpha_t(h, k, i) g_k from k to
i, and C_t(h, r) is the second moment of maps h and r: for attention the maps are heads, C_t = diag(s^2) and alpha_t(h,
k, i) = A_h(k, i) / sigma_i; for an MLP there is one map for each position, alpha_t(h, k, i) = [h = k = i] and C_t(h, r)
= m_h m_r kappa(h, r).
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.lemmas.comparison_steps import value
from proofs.notation import every, layers, n, power, zero_one
from proofs.steps import Generalise, Identity, Induction, Nonnegative, Step, Use, item, use
from proofs.substitute import apply
from proofs.term import (
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
    "C",
    "G",
    "H",
    "T",
    "alpha",
    "at_least_0",
    "behind",
    "entries",
    "gained",
    "moments_at",
    "next_moments",
    "spread",
    "square_of",
    "squared",
    "start",
    "steps_recur",
    "through_head",
    "up_to",
    "zero",
]

alpha, C, G = Symbol("alpha", 4), Symbol("C", 3), Symbol("G", 3)
h, i, j, k, l, r, s, t, H, T = (index(name) for name in ("h", "i", "j", "k", "l", "r", "s", "t", "H", "T"))  # noqa: E741
zero = as_term(0)


def entries(relation: Formula) -> Formula:
    """For all positions i and j."""
    return every("i", 1, n, every("j", 1, n, relation))


def at_least_0(value: Term) -> Relation:
    """0 <= x."""
    return Relation("<=", zero, value)


def up_to(depth: Index | int | str, body: Formula) -> Formula:
    """For every number of steps s from 0 on."""
    return every("s", 0, as_index(depth), body)


def spread(before: Fn, left: Fn, right: Fn) -> Term:
    """sum_{k,l} a_k b_l G(k, l), for the weights a and b with which two positions are reached."""
    return total("k", 1, n, apply(left, (k,)) * total("l", 1, n, apply(right, (l,)) * apply(before, (k, l))))


def reached_by(weights: Fn, step: Index | int | str, head: str, position: str) -> Lambda:
    """The weights with which map ``head`` of a step sends every k to ``position``."""
    return Lambda(("k",), weights(step, head, "k", position))


def gained(before: Fn, step: Index | int | str) -> Term:
    """What a step adds to G(i, j)."""
    weights = (reached_by(alpha, step, name, at) for name, at in (("h", "i"), ("r", "j")))
    pair = C(step, "h", "r") * spread(before, *weights)
    return total("h", 1, H, total("r", 1, H, pair))


def through_head(before: Fn, kernel: Fn) -> Term:
    """(A^T G A)_ij = sum_{k,l} A_ki A_lj G(k, l)."""
    return spread(before, *(Lambda(("k",), apply(kernel, (k, index(at)))) for at in "ij"))


def moments_at(depth: Index | int | str) -> Lambda:
    """G after so many steps."""
    return Lambda(("i", "j"), G(depth, "i", "j"))


def next_moments(step: Index | int | str) -> Formula:
    """What the step does to G, entry by entry."""
    before = as_index(step) - 1
    return entries(Relation("=", G(step, "i", "j"), G(before, "i", "j") + gained(moments_at(before), step)))


def steps_recur() -> Formula:
    """The recursion in every step."""
    return layers(1, "T", next_moments("t"))


def start() -> Formula:
    """The gradient starts from the last position: G_0 = e_n e_n^T."""
    return entries(Relation("=", G(0, "i", "j"), zero_one("i", n) * zero_one("j", n)))


# --- squares --------------------------------------------------------------------------------------

X, Y = Symbol("x*", 0), Symbol("y*", 0)  # starred, so that no claim uses the names


def squared() -> Step:
    """x x >= 0."""
    goal = at_least_0(X() * X())
    return Step("a square is nonnegative", ForAllFn(X, goal), Generalise(("x*",), (
        Step("square", goal, Nonnegative((item(times=X() * X()),))),
    )))  # fmt: skip


def square_of(term: Term) -> Use:
    """The square of a value is not negative."""
    return use("a square is nonnegative", fns=(value(term),))


# --- powers ---------------------------------------------------------------------------------------


def behind(kernel: Fn) -> tuple[Step, ...]:
    """A^0 = I, with an index m that is 0; A^m = A A^{m-1} and A^m = A^{m-1} A, for m >= 1."""
    powers, m = power(kernel), index("m")

    def factor(first: Fn, second: Fn, count: Index | int) -> Formula:
        together = total("l", 1, n, apply(first, (i, l)) * apply(second, (l, j)))
        return entries(Relation("=", together, powers(count, "i", "j")))

    def one_less(count: Index | int) -> Lambda:
        return Lambda(("i", "j"), powers(as_index(count) - 1, "i", "j"))

    def by_count(label: str, goal: Callable[[Index | int], Formula], step: Identity) -> Step:
        return Step(label, every("m", 1, None, goal(m)), Induction(
            "so far",
            base=(Step("one factor", goal(1), Identity()),),
            step=(Step("one more", goal(m + 1), step),),
        ))  # fmt: skip

    def none(count: Index | int) -> Formula:
        unit = zero_one(count, 0)
        return entries(Relation("=", unit * powers(count, "i", "j"), unit * zero_one("i", "j")))

    return (
        Step("no factor", every("m", 0, None, none(m)), Induction(
            "so far",
            base=(Step("none", none(0), Identity()),),
            step=(Step("one more", none(m + 1), Identity()),),
        )),
        by_count("factor in front", lambda count: factor(kernel, one_less(count), count), Identity()),
        by_count("factor behind", lambda count: factor(one_less(count), kernel, count), Identity((
            item(use("factor in front", "m", "i", "l"), times=-kernel("l", "j"), over=(("l", 1, n),)),
            item(use("so far", "l", "j"), times=kernel("i", "l"), over=(("l", 1, n),)),
        ))),
    )  # fmt: skip
