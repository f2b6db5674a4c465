"""MLPs that decorrelate all positions alike: how far the diagonal of second moments exceeds its own recursion.

    sum_ij E_t(i, j)  <=  F_t = prod_{r <= t} (1 + S_r) (1 + eta_r),    S_r = sum_h nu_{r,h}
    sum_j (E_t(j, j) - v_t(j))  <=  F_t sum_{r <= t} 1 / (1 + eta_r)

since attention adds sum_h nu_h a_kl of every entry (k, l) to the diagonal, a_kl = sum_j alpha_kj alpha_lj <= 1 where
rows sum to at most 1, and off the diagonal an MLP adds nothing.  After ``lower_steps``, for the hypotheses of Q3.
"""

from __future__ import annotations

from proofs.lemmas.second_moment_ends_steps import (
    ONE,
    E,
    Over,
    columns,
    decoupled,
    diagonal,
    entry_there,
    eta,
    heads,
    moment,
    now,
    nu,
    others_of,
    rows,
    v,
    weight,
)
from proofs.lemmas.second_moment_steps import H, T, alpha, at_least_0, up_to
from proofs.notation import accumulated, every, layers, n, zero_one
from proofs.steps import Chain, Identity, Induction, Invert, Item, Nonnegative, Step, Use, item, use
from proofs.term import Formula, Index, Lambda, Reciprocal, Relation, Term, as_term, index, total

__all__ = ["excess", "upper_steps"]

h, i, j, k, l, r, s, t = (index(name) for name in ("h", "i", "j", "k", "l", "r", "s", "t"))  # noqa: E741
S = total("h", 1, H, nu("t", "h"))
growth = accumulated(Lambda(("t",), (ONE + S) * (ONE + eta("t"))))


def of_step(step: Index | str, _at: Index | str) -> Term:
    """eta_t = m^2, the same for every position."""
    return eta(step)


def excess(depth: Index | int | str) -> Formula:
    """sum_j (E(j, j) - v(j)) <= F sum_r 1 / (1 + eta_r)."""
    apart = total("j", 1, n, E(depth, "j", "j") - v(depth, "j"))
    return Relation("<=", apart, growth(depth) * total("t", 1, depth, Reciprocal(ONE + eta("t"))))


def _grown(*uses: Use, over: tuple[Over, ...] = (), gated: bool = True) -> tuple[Item, ...]:
    """(1 + S) (1 + eta) times a product, term by term; or (1 + S) times it."""
    steps = use("one gate nonnegative", now)
    more = (item(*uses, steps, over=over), item(*uses, steps, moment, over=(*over, heads))) if gated else ()
    return item(*uses, over=over), item(*uses, moment, over=(*over, heads)), *more


def _equal() -> tuple[Step, ...]:
    """The recursions with eta_t for mu_t(k), and 0 <= eta_t < infinity."""
    gate = use("equal gates", "t", "k")
    reads = nu("t", "h") * alpha("t", "h", "k", "j")
    return (
        Step("equally decoupled", decoupled(of_step), Identity((
            item(use("decoupled", "t", "i", "j")),
            item(use("equal gates", "t", "i"), times=zero_one("i", "j") * E(t - 1, "i", "j")),
            item(gate, times=reads * alpha("t", "h", "k", "i") * E(t - 1, "k", "k"), over=(heads, rows)),
        ))),
        Step("equal diagonal", diagonal(of_step), Identity((
            item(use("diagonal", "t", "j")),
            item(use("equal gates", "t", "j"), times=v(t - 1, "j")),
            item(gate, times=reads * alpha("t", "h", "k", "j") * v(t - 1, "k"), over=(heads, rows)),
        ))),
        Step("one gate nonnegative", layers(1, "T", at_least_0(eta("t"))), Nonnegative(
            (item(use("gates nonnegative", "t", 1)),), (item(use("equal gates", "t", 1)),)
        )),
        Step("positive", layers(1, "T", Relation("<", as_term(0), ONE + eta("t"))), Nonnegative(
            (item(), item(use("one gate nonnegative", "t")))
        )),
        Step("inverse", layers(1, "T", Relation("=", (ONE + eta("t")) * Reciprocal(ONE + eta("t")), ONE)), Invert(
            use("positive", "t")
        )),
    )  # fmt: skip


def _overlaps() -> tuple[Step, ...]:
    """alpha(h, l, j) <= 1 and sum_j alpha(h, k, j) alpha(h, l, j) <= 1."""

    def of_heads(*names: str, body: Formula) -> Formula:
        for name in reversed(names):
            body = every(name, 1, n, body)
        return layers(1, "T", every("h", 1, H, body))

    shared = total("j", 1, n, alpha("t", "h", "k", "j") * alpha("t", "h", "l", "j"))
    other, read = use("weights nonnegative", "t", "h", "l", "r"), use("weights nonnegative", "t", "h", "k", "j")
    return (
        Step("at most 1", of_heads("l", "j", body=Relation("<=", alpha("t", "h", "l", "j"), ONE)), Nonnegative((
            item(use("rows", "t", "h", "l")),
            item(other, over=(("r", 1, j - 1),)), item(other, over=(("r", j + 1, n),)),
        ))),
        Step("overlap", of_heads("k", "l", body=Relation("<=", shared, ONE)), Nonnegative((
            item(use("rows", "t", "h", "k")),
            item(read, use("at most 1", "t", "h", "l", "j"), over=(("j", 1, n),)),
        ))),
    )  # fmt: skip


def upper_steps() -> tuple[Step, ...]:
    """The excess of the diagonal at every depth, after ``lower_steps``."""

    def at(depth: Index | int | str) -> Formula:
        everything = total("i", 1, n, total("j", 1, n, E(depth, "i", "j")))
        return Relation("<=", everything, growth(depth))

    one_gate, same = use("one gate nonnegative", now), zero_one("k", "l")
    first = (moment, use("rows", now, "h", "k"), entry_there)
    second = (moment, weight("h", "k", "j"), use("rows", now, "h", "l"), entry_there)
    all_pairs, positions = (heads, rows, columns), ("j", 1, n)
    lost = (
        item(*first, over=all_pairs), item(*first, one_gate, times=same, over=all_pairs),
        item(*second, over=(*all_pairs, positions)), item(*second, one_gate, times=same, over=(*all_pairs, positions)),
    )  # fmt: skip
    off = tuple(x for others in others_of for x in _grown(entry_there, one_gate, over=others, gated=False))
    own = (moment, use("overlap", now, "h", "k", "k"), use("below", "s", "k"))
    not_shared = (
        *(item(entry_there, over=others) for others in others_of),
        *(item(moment, use("overlap", now, "h", "k", "l"), entry_there, over=(heads, *others)) for others in others_of),
        item(*own, over=(heads, rows)), item(*own, one_gate, over=(heads, rows)),
    )  # fmt: skip
    return (
        *_equal(),
        *_overlaps(),
        Step("total", up_to("T", at("s")), Induction(
            "so far",
            base=(Step("no step", at(0), Nonnegative(
                (), (item(use("start", "i", "j"), over=(("i", 1, n), positions)),)
            )),),
            step=(Step("one more", at(now), Nonnegative(
                (*_grown(use("so far")), *off, *lost),
                (item(use("equally decoupled", now, "i", "j"), over=(("i", 1, n), positions)),),
            )),),
        )),
        Step("every excess", up_to("T", excess("s")), Induction(
            "so far",
            base=(Step("no step", excess(0), Nonnegative((), (
                item(use("start", "j", "j"), over=(positions,)),
                item(use("diagonal start", "j"), times=-1, over=(positions,)),
            ))),),
            step=(Step("one more", excess(now), Nonnegative(
                (
                    *_grown(use("so far")), *_grown(use("total", "s"), gated=False),
                    *_grown(use("entries", "s", "k", "k"), over=(rows,), gated=False), *not_shared,
                ),
                (
                    item(use("equally decoupled", now, "j", "j"), over=(positions,)),
                    item(use("equal diagonal", now, "j"), times=-1, over=(positions,)),
                    item(use("inverse", now), times=-(ONE + total("h", 1, H, nu(now, "h"))) * growth("s")),
                ),
            )),),
        )),
        Step("last excess", excess("T"), Chain((use("every excess", T),))),
    )  # fmt: skip
