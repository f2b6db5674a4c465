"""Steps on kernels with a window: a row reaches the first token by hops of at most w - 1, one in a layer that attends.

    P(K_T <= m) <= 1 - P^(T)_r1    if m (w - 1) < r - 1: more than m hops are needed

K_T counts successes with chances lambda_t D_t, D_t the most that a row gives away.  Cites the lemmas on numbers of
position_steps and the hypotheses of the claim (I8) by their names.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from proofs.lemmas.hops_steps import none_below
from proofs.lemmas.position_steps import off_first
from proofs.lemmas.speed_steps import implies, slowed
from proofs.notation import (
    IDENTITY,
    causal,
    every,
    hops,
    layer,
    layers,
    mixing,
    n,
    number,
    rollout,
    transition,
)
from proofs.outline import NOTHING, causal_transitions
from proofs.steps import (
    Absurd,
    Both,
    Cases,
    Chain,
    Generalise,
    Induction,
    Instantiate,
    Nonnegative,
    Step,
    Use,
    item,
    use,
)
from proofs.term import (
    Fn,
    Formula,
    Index,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)

__all__ = [
    "A", "D", "P", "away", "chances", "every_row", "few", "hops_left", "lam", "law", "none", "one_hop_less",
    "out_of_reach", "slow", "window_steps",
]  # fmt: skip

lam, A, D = Symbol("lambda", 1), Symbol("A", 3), Symbol("D", 1)
i, j, k, l, m, q, r, s, T, w = (index(v) for v in ("i", "j", "k", "l", "m", "q", "r", "s", "T", "w"))  # noqa: E741
ZERO, ONE = as_term(0), as_term(1)
chances = slowed(lam, D)
law = hops(chances)
R = transition(lam, A)
P = rollout(R)


def few(depth: Index | int | str, count: Index) -> Term:
    """P(K <= m)."""
    return total("k", 0, count, law(depth, "k"))


def away(product: Fn, depth: Index | int | str, row: Index | str) -> Term:
    """1 - P_i1."""
    return off_first(layer(product, depth), row)


def hops_left(row: Index, count: Index) -> Relation:
    """m (w - 1) < i - 1."""
    return Relation("<", number(count) * number(w - 1), number(row - 1))


def slow(depth: Index | int | str, row: Index, count: Index) -> Relation:
    """P(K <= m) <= 1 - P_i1."""
    return Relation("<=", few(depth, count), away(P, depth, row))


# --- hops -----------------------------------------------------------------------------------------

top = s + 1
none = none_below(chances, s)


def one_hop_less(row: Index) -> Step:
    """(q - 1) (w - 1) < l - 1 for a row l from i - w + 1 on."""
    return Step("one hop less", hops_left(row, q - 1), Nonnegative(
        (item(use("far")), item(use("numbers at least 0", row - i + w - 1))),
        (
            item(use("numbers add", row - i + w - 1, i - row), times=-1),
            item(use("numbers add", row - 1, i - row)),
            item(use("next number", q - 1), times=-number(w - 1)),
        ),
    ))  # fmt: skip


def out_of_reach(goal: Relation) -> tuple[Step, ...]:
    """Where i <= w and q >= 1, the first token is not out of reach."""
    return (
        Step("0 < 0", Relation("<", ZERO, ZERO), Nonnegative(
            (
                item(use("far")), item(use("numbers at least 0", w - i)),
                item(use("numbers at least 0", q - 1), use("numbers at least 0", w - 1)),
            ),
            (
                item(use("numbers add", i - 1, w - i), times=-1),
                item(use("next number", q - 1), times=-number(w - 1)),
            ),
        )),
        Step("so", goal, Absurd(use("0 < 0"), Fraction(0))),
    )  # fmt: skip


# --- windows --------------------------------------------------------------------------------------

stays, gives = (use("mixing", top, parts=part) for part in ("at most one", "nonnegative"))
low = use("mixing", "t", parts="nonnegative")
entry, rows, mask = (
    use("kernels", top, *at, parts=part)
    for at, part in ((("i", "l"), "nonnegative"), (("i",), "rows"), (("i", "l"), "mask"))
)
own = use("kernels", top, "i", "i", parts="nonnegative")
here, spare = use("so far", i, q, given=("far",)), use("off the diagonal", top, i)


def chance(count: Index | int) -> Use:
    """P(K = count) >= 0."""
    return use("C1", s, count, parts="nonnegative", fns=(chances, IDENTITY), given=(use("chances", s),))


def every_row(bound: Callable[[Index | int, Index, Index], Relation], depth: Index | int, *ends: Relation) -> Formula:
    """The bound or the equation for every row up to r and every number of hops, between the ends given."""
    return every("i", 2, r, every("q", 0, None, implies(*ends, bound(depth, i, q))))


no_hop = Step("no hop", slow(top, i, q), Nonnegative(
    (
        item(stays, here), item(gives, own, here), item(gives, spare, chance(0)),
        item(gives, entry, use("away", s, "l"), over=(("l", 1, i - 1),)),
    ),
    (
        item(mask, times=-lam(top) * away(P, s, "l"), over=(("l", i + 1, n),)),
        item(none, times=lam(top) * D(top)), item(rows, times=lam(top)),
    ),
))  # fmt: skip

nearer = every("l", i - w + 1, i - 1, slow(s, l, q - 1))
some_hops = (
    Step("nearer", nearer, Generalise(("l",), (
        one_hop_less(l),
        Step("from there", slow(s, l, q - 1), Instantiate(use("so far", l, q - 1, given=("one hop less",)))),
    ))),
    Step("one more layer", slow(top, i, q), Nonnegative(
        (
            item(stays, here), item(gives, own, here), item(gives, spare, chance(q)),
            item(gives, entry, use("nearer", "l"), over=(("l", i - w + 1, i - 1),)),
        ),
        (
            item(rows, times=lam(top) * (ONE - few(s, q - 1))),
            item(mask, times=lam(top) * (few(s, q - 1) - away(P, s, "l")), over=(("l", i + 1, n),)),
            item(
                use("window", top, "i", "l"), times=lam(top) * (few(s, q - 1) - away(P, s, "l")),
                over=(("l", 1, i - w),),
            ),
            item(none, times=lam(top) * D(top)),
        ),
    )),
)  # fmt: skip

window_steps = (
    causal_transitions("transitions", lam, A, "T", "mixing", "kernels"),
    Step("rollouts", every("s", 0, T, causal(layer(P, "s"))), Instantiate(
        use("S1", T, parts="rollouts", fns=(NOTHING, R, R, NOTHING), given=("transitions",))
    )),
    Step("away", every("s", 0, T, every("i", 1, n, Relation("<=", ZERO, away(P, "s", "i")))), Nonnegative(
        (item(use("rollouts", "s", "i", "j", parts="nonnegative"), over=(("j", 2, n),)),),
        (item(use("rollouts", "s", "i", parts="rows")),),
    )),
    Step("D at least 0, by row 2", layers(1, "T", Relation("<=", ZERO, D("t"))), Nonnegative(
        (
            item(use("off the diagonal", "t", 2)),
            item(use("kernels", "t", 2, "j", parts="nonnegative"), over=(("j", 1, 1),)),
            item(use("kernels", "t", 2, "j", parts="nonnegative"), over=(("j", 3, n),)),
        ),
        (item(use("kernels", "t", 2, parts="rows")),),
    )),
    Step("chances", every("s", 0, T, mixing(chances, "s")), Generalise(("s",), (
        Step("at least 0", layers(1, "s", Relation("<=", ZERO, chances.body)), Nonnegative((
            item(low, use("D at least 0, by row 2", "t")),
        ))),
        Step("at most 1", layers(1, "s", Relation("<=", chances.body, ONE)), Chain((use("lambda D", "t"),))),
        Step("both", mixing(chances, "s"), Both(("at least 0", "at most 1"))),
    ))),
    Step("every depth", every("s", 0, T, every_row(slow, s, hops_left(i, q))), Induction(
        "so far",
        (Step("no layer", every_row(slow, 0, hops_left(i, q)), Generalise(("i", "q", "far"), (
            Step("elsewhere", slow(0, i, q), Nonnegative(())),
        ))),),
        (Step("one more layer", every_row(slow, top, hops_left(i, q)), Generalise(("i", "q", "far"), (
            Step("by hops", slow(top, i, q), Cases(q, as_index(0), (no_hop,), (
                Step("by reach", slow(top, i, q), Cases(i, w, out_of_reach(slow(top, i, q)), some_hops)),
            ))),
        ))),),
    )),
    Step("depth T", slow("T", r, m), Instantiate(use("every depth", T, r, m, given=("hops left",)))),
)  # fmt: skip
