"""Entries and sums of p - q are at most twice half the norm, 1/2 sum_j |p_j - q_j|, from |x| >= 0 and |x| >= x."""

from __future__ import annotations

from proofs.laws import half_norm
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.poisson_steps import for_reals
from proofs.notation import every, n
from proofs.steps import (
    Chain,
    Generalise,
    Item,
    Nonnegative,
    Step,
    Use,
    item,
    use,
)
from proofs.term import (
    Compare,
    ForAllFn,
    Formula,
    Index,
    Relation,
    Symbol,
    as_term,
    index,
    total,
)

__all__ = ["absolute_lemmas"]

x, y, eta = Symbol("x*", 0), Symbol("y*", 0), Symbol("eta*", 0)
p, q = Symbol("p*", 1), Symbol("q*", 1)
X, ETA = x(), eta()
d, i, j, k, m, r, s, M, v = (index(name) for name in ("d", "i", "j", "k", "m", "r", "s", "M", "v"))
ZERO, ONE = as_term(0), as_term(1)


def absolute_lemmas() -> tuple[Step, ...]:
    """0 and x - y are at most the positive part of x - y; p_j - q_j and sums are at most twice half the norm."""
    Y = y()
    positive = Compare(Y, X) * (X - Y)

    def part(label: str, goal: Relation, factor: int) -> Step:
        given = use(
            "positive part", fns=(x, y, value(as_term(factor))), given=(f"{factor} at least 0", f"{factor} at most 1")
        )
        return Step(label, for_reals(goal, x, y), Generalise(("x*", "y*"), (
            Step("as a part", goal, Chain((given,))),
        )))  # fmt: skip

    trivial = (
        Step(f"{f} at {words}", Relation("<=", *map(as_term, pair)), Nonnegative((item(times=pair[1] - pair[0]),)))
        for f in (0, 1)
        for words, pair in (("least 0", (0, f)), ("most 1", (f, 1)))
    )
    return (
        *trivial,
        part("part not negative", Relation("<=", ZERO, positive), 0),
        part("part above", Relation("<=", X - Y, positive), 1),
        _entry_below_norm(),
        _mass_below_norm("mass below norm", 1),
        _mass_below_norm("mass above norm", -1),
    )


def _part(label: str, at: Index | str, turned: bool = False) -> Use:
    first, second = (q, p) if turned else (p, q)
    return use(label, fns=(value(first(at)), value(second(at))))


def _for_rows(label: str, goal: Formula, *products: Item) -> Step:
    return Step(label, ForAllFn(p, ForAllFn(q, goal)), Generalise(("p*", "q*"), (
        Step("added", goal, Nonnegative(products)),
    )))  # fmt: skip


def _entry_below_norm() -> Step:
    goal = every("j", 1, n, Relation("<=", p("j") - q("j"), 2 * half_norm(p, q)))
    others = [item(_part("part not negative", "l"), over=(("l", low, high),)) for low, high in ((1, j - 1), (j + 1, n))]
    return _for_rows(
        "entry below norm", goal, *others, item(_part("part above", "j")),
        item(_part("part not negative", "l", turned=True), over=(("l", 1, n),)),
    )  # fmt: skip


def _mass_below_norm(label: str, sign: int) -> Step:
    difference = total("j", 1, n, sign * (p("j") - q("j")))
    return _for_rows(
        label, Relation("<=", difference, 2 * half_norm(p, q)),
        item(_part("part above", "l", turned=sign < 0), over=(("l", 1, n),)),
        item(_part("part not negative", "l", turned=sign > 0), over=(("l", 1, n),)),
    )  # fmt: skip
