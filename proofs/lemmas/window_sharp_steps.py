"""Steps on kernels that use their window to the end: the bound of window_steps is attained.

    P(K_T <= m) = 1 - P^(T)_r1    if m (w - 1) < r - 1 <= (m + 1) (w - 1), for rows i that read themselves with weight
                                  1 - D_t and otherwise position i - w + 1, or the first token where i < w

Nothing is asked of the coefficients.  Cites the lemmas on numbers of position_steps, and the hypotheses of the claim
(I8) by their names.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.lemmas.window_steps import (
    A,
    D,
    P,
    away,
    every_row,
    few,
    hops_left,
    lam,
    law,
    none,
    one_hop_less,
    out_of_reach,
)
from proofs.notation import every, n, number
from proofs.steps import Absurd, Cases, Generalise, Identity, Induction, Instantiate, Item, Nonnegative, Step, item, use
from proofs.term import Index, Relation, Term, as_index, as_term, index

__all__ = ["hops_reach", "sharp_steps", "sharply"]

i, l, m, q, r, s, T, w = (index(v) for v in ("i", "l", "m", "q", "r", "s", "T", "w"))  # noqa: E741
ZERO, ONE = as_term(0), as_term(1)
top = s + 1
rows, mask = use("kernels", top, "i", parts="rows"), use("kernels", top, "i", "l", parts="mask")


def hops_reach(row: Index, count: Index) -> Relation:
    """i - 1 <= (m + 1) (w - 1)."""
    return Relation("<=", number(row - 1), number(count + 1) * number(w - 1))


def sharply(depth: Index | int | str, row: Index, count: Index) -> Relation:
    """P(K <= m) = 1 - P_i1."""
    return Relation("=", few(depth, count), away(P, depth, row))


ends = (hops_left(i, q), hops_reach(i, q))
leap = lam(top) * D(top)
first_row, first_mask = use("kernels", top, 1, parts="rows"), use("kernels", top, 1, "l", parts="mask")
row_1 = Step("row 1", every("s", 0, T, Relation("=", P("s", 1, 1), ONE)), Induction(
    "so far",
    (Step("no layer", Relation("=", P(0, 1, 1), ONE), Identity()),),
    (Step("one more layer", Relation("=", P(top, 1, 1), ONE), Identity((
        item(use("so far"), times=ONE - lam(top) + lam(top) * A(top, 1, 1)),
        item(first_row, times=lam(top)),
        item(first_mask, times=-lam(top) * away(P, s, "l"), over=(("l", 2, n),)),
    ))),),
))  # fmt: skip


def arrives(there: Item, low: Index, kept: Term, *beyond: Item) -> Identity:
    """One more layer, where row i reads itself and ``there``, nothing from ``low`` to i - 1."""
    ahead = lam(top) * (kept - away(P, s, "l"))
    return Identity((
        item(use("so far", i, q, given=("far", "near")), times=ONE - lam(top) + lam(top) * A(top, "i", "i")),
        item(use("exactly D", top, i), times=lam(top) * law(s, q)),
        there,
        item(use("nothing between", top, i, l), times=ahead, over=(("l", low, i - 1),)),
        item(mask, times=ahead, over=(("l", i + 1, n),)),
        item(rows, times=lam(top) * (ONE - kept)),
        item(none, times=leap),
        *beyond,
    ))  # fmt: skip


last_hop = (
    Step("to the first token", sharply(top, i, q), arrives(
        item(use("row 1", s), times=lam(top) * A(top, "i", 1)), as_index(2), ZERO
    )),
)  # fmt: skip
too_far = (
    Step("0 < 0", Relation("<", ZERO, ZERO), Nonnegative(
        (item(), item(use("near")), item(use("numbers at least 0", i - w - 1))),
        (
            item(use("numbers add", w - 1, i - w), times=-1),
            item(use("next number", i - w - 1), times=-1),
            item(use("number 0", q), times=number(w - 1)),
        ),
    )),
    Step("so", sharply(top, i, q), Absurd(use("0 < 0"), Fraction(0))),
)  # fmt: skip
landing, less = i - w + 1, few(s, q - 1)
one_hop = (
    one_hop_less(landing),
    Step("near enough", hops_reach(landing, q - 1), Nonnegative(
        (item(use("near")),), (item(use("numbers add", w - 1, i - w), times=-1),)
    )),
    Step("from there", sharply(s, landing, q - 1), Instantiate(
        use("so far", landing, q - 1, given=("one hop less", "near enough"))
    )),
    Step("by w - 1", sharply(top, i, q), arrives(
        item(use("from there"), times=lam(top) * A(top, "i", landing)), landing + 1, less,
        item(use("window", top, "i", "l"), times=lam(top) * (less - away(P, s, "l")), over=(("l", 1, i - w),)),
    )),
)  # fmt: skip

sharp_steps = (
    row_1,
    Step("every depth", every("s", 0, T, every_row(sharply, s, *ends)), Induction(
        "so far",
        (Step("no layer", every_row(sharply, 0, *ends), Generalise(("i", "q", "far", "near"), (
            Step("elsewhere", sharply(0, i, q), Identity()),
        ))),),
        (Step("one more layer", every_row(sharply, top, *ends), Generalise(("i", "q", "far", "near"), (
            Step("by hops", sharply(top, i, q), Cases(
                q, as_index(0),
                (Step("by reach", sharply(top, i, q), Cases(i, w, last_hop, too_far)),),
                (Step("by reach", sharply(top, i, q), Cases(i, w, out_of_reach(sharply(top, i, q)), one_hop)),),
            )),
        ))),),
    )),
    Step("depth T", sharply("T", r, m), Instantiate(use("every depth", T, r, m, given=("hops left", "hops reach")))),
)  # fmt: skip
