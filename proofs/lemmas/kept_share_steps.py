"""What a token of the uniform kernel keeps of itself, f(m) = prod_t (1 - lambda_t + lambda_t / m), for m = 1, 2, ...

    f > 0,  f falls,  f, m f and m^2 f are convex                  f(m) + f(m + 2) >= 2 f(m + 1), and so on
    P(K = 0)  <=  f(m)  <=  P(K = 0) + P(K = 1) / m + P(K >= 2) / m^2
    P(K = 1)  <=  (m + 1) h(m) - m h(m + 1)  <=  P(K = 1) + 2 P(K >= 2) / m,     h(m) = m f(m)

for coefficients in [0, 1], K the number of layers that attend.  All by induction on the layers: one more multiplies
f(m) by 1 - lambda + lambda / m, and a convex, falling f >= 0 divided by m is so again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import cast

from proofs.lemmas.hops_at_least_steps import at_least_two, chance, no_chance, no_one
from proofs.lemmas.logarithm_steps import one_over
from proofs.lemmas.prefix_power_steps import lam, law
from proofs.notation import accumulated, every, mixing, number
from proofs.steps import Generalise, Identity, Induction, Item, Nonnegative, Step, Use, item, use
from proofs.term import ForAllFn, Formula, Implies, Index, Lambda, Relation, Symbol, Term, as_index, as_term, index

__all__ = [
    "attends",
    "between",
    "by_layers",
    "height",
    "kept",
    "kept_lemmas",
    "of_mixing",
    "reciprocal_lemmas",
    "rests",
]

k, m, s, T = (index(name) for name in ("k", "m", "s", "T"))
ZERO, ONE = as_term(0), as_term(1)
U, V, W = (one_over(m + r) for r in range(3))
COEFFICIENT = lam(s + 1)
over_m, over_next, over_third = (use("1 / k > 0", m + r) for r in range(3))


def kept(depth: Index | int, at: Index | int | str) -> Term:
    """f(m) = prod_{t <= depth} (1 - lambda_t + lambda_t / m)."""
    return accumulated(Lambda(("t",), ONE - lam("t") + lam("t") * one_over(at)))(depth)


def height(depth: Index | int, at: Index | int) -> Term:
    """h(m) = m f(m)."""
    return number(at) * kept(depth, at)


def between(depth: Index | int) -> Term:
    """(m + 1) h(m) - m h(m + 1), m times the last entry but one of m + 1 tokens."""
    return number(m + 1) * height(depth, m) - number(m) * height(depth, m + 1)


# --- reciprocals ----------------------------------------------------------------------------------

_most_one = Relation("<=", one_over(k), ONE)
_one_by_one = Step("1 <= k", every("k", 1, None, Relation("<=", ONE, number("k"))), Induction(
    "so far",
    (Step("one", Relation("<=", ONE, number(1)), Nonnegative(())),),
    (Step("one more", Relation("<=", ONE, number(k + 1)), Nonnegative((item(use("so far")), item()))),),
))  # fmt: skip


def reciprocal_lemmas() -> tuple[Step, ...]:
    """1 <= k, 1 / k <= 1, 2 / (k + 1) <= 1, and the first two differences of 1 / k."""
    first, second = (use("1 / k - 1 / (k + 1)", m + r) for r in range(2))
    return (
        _one_by_one,
        Step("1 / k <= 1", every("k", 1, None, _most_one), Nonnegative(
            (item(use("1 <= k", k), use("1 / k > 0", k)),), (item(use("k / k", k)),)
        )),
        Step("2 / (k + 1) <= 1", every("k", 1, None, Relation("<=", one_over(k + 1) * 2, ONE)), Nonnegative(
            (item(use("1 <= k", k), use("1 / k > 0", k + 1)),), (item(use("k / k", k + 1)),)
        )),
        Step("1 / k - 1 / (k + 1)", every("m", 1, None, Relation("=", U - V, U * V)), Identity((
            item(use("k / k", m + 1), times=-U), item(use("k / k", m), times=V),
        ))),
        Step("1 / k is convex", every("m", 1, None, Relation("=", U - 2 * V + W, 2 * (U * V * W))), Identity((
            item(first, times=ONE + V - V * W), item(second, times=-ONE + V + U * V),
        ))),
    )  # fmt: skip


# --- layer by layer -------------------------------------------------------------------------------

rests, attends = use("mixing", s + 1, parts="at most one"), use("mixing", s + 1, parts="nonnegative")
Stated = Callable[[Index | int], Formula]


def of_mixing(label: str, *at: Index | int | str) -> Use:
    """A lemma on coefficients in [0, 1]."""
    return use(label, *at, given=("mixing",))


def by_layers(
    label: str,
    stated: Stated,
    start: Nonnegative,
    products: Iterable[Item],
    modulo: Iterable[Item] = (),
    of: Symbol | None = None,
    further: tuple[tuple[str, Formula], ...] = (),
) -> Step:
    """For coefficients in [0, 1], every depth s <= T and every m >= 1: from a depth to the next, known as "so far".

    With ``of`` it is for every such function of which the formulas ``further`` are known.
    """
    at = [every("m", 1, None, stated(depth)) for depth in (s, as_index(0), s + 1)]
    given = (("mixing", mixing(lam, "T")), *further)
    whole = every("s", 0, T, at[0])
    closed = reduce(lambda inner, known: Implies(known[1], inner), reversed(given), cast(Formula, whole))
    fixed = (of.name,) if of else ()
    return Step(label, ForAllFn(of, closed) if of else closed, Generalise((*fixed, *(name for name, _ in given)), (
        Step("every depth", whole, Induction(
            "so far",
            (Step("no layer", at[1], start),),
            (Step("one more layer", at[2], Nonnegative(tuple(products), tuple(modulo))),),
        )),
    )))  # fmt: skip


def _convex(at: Callable[[Index], Term]) -> Formula:
    return Relation("<=", 2 * at(m + 1), at(m) + at(m + 2))


def _kept_lemmas() -> tuple[Step, ...]:
    so_far, falls = use("so far", m), of_mixing("f falls", s, m + 1)
    step, second = use("1 / k - 1 / (k + 1)", m), use("1 / k is convex", m)
    return (
        by_layers(
            "f > 0", lambda depth: Relation("<", ZERO, kept(depth, m)), Nonnegative((item(),)),
            (item(over_m, so_far), item(rests, use("1 / k <= 1", m), so_far)),
        ),
        by_layers(
            "f falls", lambda depth: Relation("<=", kept(depth, m + 1), kept(depth, m)), Nonnegative(()),
            (
                item(rests, so_far), item(attends, over_m, so_far),
                item(attends, over_m, over_next, of_mixing("f > 0", s, m + 1)),
            ),
            (item(step, times=-(COEFFICIENT * kept(s, m + 1))),),
        ),
        by_layers(
            "f is convex", lambda depth: _convex(lambda at: kept(depth, at)), Nonnegative(()),
            (
                item(rests, so_far), item(attends, over_m, so_far),
                item(attends, over_m, over_next, falls, times=2),
                item(attends, over_m, over_next, over_third, of_mixing("f > 0", s, m + 2), times=2),
            ),
            (
                item(step, times=-(2 * COEFFICIENT * (kept(s, m + 1) - kept(s, m + 2)))),
                item(second, times=-(COEFFICIENT * kept(s, m + 2))),
            ),
        ),
    )  # fmt: skip


def _times_number(label: str, before: str, power: Callable[[Index], Term], start: Nonnegative) -> Step:
    """(m g) is convex if g is, g the power of m before times f."""

    def scaled(depth: Index | int) -> Callable[[Index], Term]:
        return lambda at: number(at) * power(at) * kept(depth, at)

    signs = ((m, -ONE), (m + 1, as_term(2)), (m + 2, -ONE))
    return by_layers(
        label, lambda depth: _convex(scaled(depth)), start,
        (item(rests, use("so far", m)), item(attends, of_mixing(before, s, m))),
        (item(use("k / k", at), times=sign * COEFFICIENT * power(at) * kept(s, at)) for at, sign in signs),
    )  # fmt: skip


# --- against the law of the number of layers ------------------------------------------------------

SO_FAR, SMALL, BEYOND, TWO_OR_MORE = use("so far", m), use("1 / k <= 1", m), ONE - COEFFICIENT, (("k", 2, s),)


def _near_law() -> tuple[Step, ...]:
    """f between P(K = 0) and P(K = 0) + P(K = 1) / m + P(K >= 2) / m^2."""
    return (
        by_layers(
            "f is at least P(K = 0)", lambda depth: Relation("<=", law(depth, 0), kept(depth, m)), Nonnegative(()),
            (item(rests, SO_FAR), item(attends, over_m, of_mixing("f > 0", s, m))),
            (no_chance("below", COEFFICIENT),),
        ),
        by_layers(
            "f is at most",
            lambda depth: Relation(
                "<=", kept(depth, m), law(depth, 0) + U * law(depth, 1) + U * U * at_least_two(depth)
            ),
            Nonnegative(()),
            (
                item(rests, SO_FAR), item(attends, over_m, SO_FAR),
                item(attends, over_m, over_m, SMALL, chance(s, k), over=TWO_OR_MORE),
            ),
            (no_chance("below", -COEFFICIENT), no_chance("above", -(BEYOND * U * U)), no_one(U * U)),
        ),
    )  # fmt: skip


def _last_but_one() -> tuple[Step, ...]:
    """(m + 1) h(m) - m h(m + 1) between P(K = 1) and P(K = 1) + 2 P(K >= 2) / m."""
    half, both = use("2 / (k + 1) <= 1", m), number(m + 1) * kept(s, m)
    return (
        by_layers(
            "last but one, below", lambda depth: Relation("<=", law(depth, 1), between(depth)), Nonnegative(()),
            (
                item(rests, SO_FAR), item(attends, of_mixing("f is at least P(K = 0)", s, m + 1)),
                item(attends, use("numbers > 0", m + 1), of_mixing("f falls", s, m)),
            ),
            (
                item(use("k / k", m), times=-(COEFFICIENT * both)),
                item(use("k / k", m + 1), times=COEFFICIENT * number(m) * kept(s, m + 1)),
            ),
        ),
        by_layers(
            "last but one, above",
            lambda depth: Relation("<=", between(depth), law(depth, 1) + 2 * U * at_least_two(depth)),
            Nonnegative(()),
            (
                item(rests, SO_FAR), item(attends, of_mixing("f is at most", s, m)),
                item(attends, over_next, SO_FAR),
                item(attends, over_m, over_next, chance(s, 1)),
                item(attends, over_m, SMALL, chance(s, k), over=TWO_OR_MORE),
                item(attends, over_m, half, chance(s, k), over=TWO_OR_MORE),
            ),
            (
                item(use("1 / k - 1 / (k + 1)", m), times=-(COEFFICIENT * law(s, 1))),
                no_chance("above", -(2 * BEYOND * U)), no_one(2 * U),
                item(use("k / k", m), times=COEFFICIENT * both),
                item(use("k / k", m + 1), times=-(COEFFICIENT * number(m) * kept(s, m))),
            ),
        ),
    )  # fmt: skip


def kept_lemmas() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved."""
    return (
        *_kept_lemmas(),
        _times_number("m f is convex", "f is convex", lambda at: ONE, Nonnegative(())),
        _times_number("m^2 f is convex", "m f is convex", lambda at: number(at), Nonnegative((item(times=2),))),
        *_near_law(),
        *_last_but_one(),
    )
