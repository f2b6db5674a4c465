"""MLPs that decorrelate all positions: how far the diagonal of second moments exceeds its own linear recursion.

    E_t = attend(E_{t-1} o (1 + eta_t I)),    v_t(j) = (1 + eta_t) (v_{t-1}(j) + sum_h nu_h sum_k alpha_kj^2 v_{t-1}(k))
    sum_ij E_t(i, j)  <=  F_t = prod_{r <= t} (1 + S_r) (1 + eta_r),    S_r = sum_h nu_{r,h}
    0  <=  sum_j (E_t(j, j) - v_t(j))  <=  F_t sum_{r <= t} 1 / (1 + eta_r)

since attention adds sum_h nu_h a_kl of every entry (k, l) to the diagonal, a_kl = sum_j alpha_kj alpha_lj <= 1 where
rows sum to at most 1, and off the diagonal an MLP adds nothing.  For the symbols and hypotheses of Q3.
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.lemmas.second_moment_steps import H, T, alpha, at_least_0, entries, spread, up_to
from proofs.notation import accumulated, every, layers, n, zero_one
from proofs.steps import (
    Chain,
    Identity,
    Induction,
    Invert,
    Item,
    Nonnegative,
    Step,
    Use,
    item,
    use,
)
from proofs.substitute import apply
from proofs.term import Formula, Index, Lambda, Reciprocal, Relation, Symbol, Term, as_index, as_term, index, total

__all__ = [
    "E",
    "attended",
    "below",
    "decoupled",
    "diagonal",
    "eta",
    "excess",
    "lower_steps",
    "mu",
    "nu",
    "of_position",
    "spike",
    "spike_steps",
    "upper_steps",
    "v",
]

E, nu, mu, eta, v = Symbol("E", 3), Symbol("nu", 2), Symbol("mu", 2), Symbol("eta", 1), Symbol("v", 2)
h, i, j, k, l, r, s, t = (index(name) for name in ("h", "i", "j", "k", "l", "r", "s", "t"))  # noqa: E741
ONE = as_term(1)
now = s + 1
Over = tuple[str, Index | int, Index | int | str]
Gate = Callable[[Index | str, Index | str], Term]
heads: Over = ("h", 1, H)
rows: Over = ("k", 1, n)
columns: Over = ("l", 1, n)


def _gated(step: Index | str, gate: Gate) -> Lambda:
    """E o (1 + gate I): what the MLP of a step leaves."""
    before = E(as_index(step) - 1, "k", "l")
    return Lambda(("k", "l"), before * (ONE + zero_one("k", "l") * gate(step, "k")))


def attended(step: Index | str, between: Lambda) -> Term:
    """What attention makes of the second moments that it meets, at (i, j)."""
    to_i, to_j = (Lambda(("k",), alpha(step, "h", "k", at)) for at in ("i", "j"))
    return apply(between, (i, j)) + total("h", 1, H, nu(step, "h") * spread(between, to_i, to_j))


def decoupled(gate: Gate) -> Formula:
    """E_t = attend(E_{t-1} o (1 + gate I))."""
    return layers(1, "T", entries(Relation("=", E("t", "i", "j"), attended("t", _gated("t", gate)))))


def diagonal(gate: Gate) -> Formula:
    """The diagonal's own recursion, with the kernel alpha^2."""
    read = alpha("t", "h", "k", "j") * alpha("t", "h", "k", "j") * (ONE + gate("t", "k")) * v(t - 1, "k")
    right = (ONE + gate("t", "j")) * v(t - 1, "j") + total("h", 1, H, nu("t", "h") * total("k", 1, n, read))
    return layers(1, "T", every("j", 1, n, Relation("=", v("t", "j"), right)))


def of_position(step: Index | str, at: Index | str) -> Term:
    """mu_t(k) = m_k^2."""
    return mu(step, at)


def of_step(step: Index | str, _at: Index | str) -> Term:
    """eta_t = m^2, the same for every position."""
    return eta(step)


def below(depth: Index | int | str) -> Formula:
    """v(j) <= E(j, j)."""
    return every("j", 1, n, Relation("<=", v(depth, "j"), E(depth, "j", "j")))


def weight(head: str, query: str, key: str) -> Use:
    """alpha(h, k, j) >= 0 in the next step."""
    return use("weights nonnegative", now, head, query, key)


_moment, _entry = use("moments nonnegative", now, "h"), use("entries", "s", "k", "l")
_gate = use("gates nonnegative", now, "k")
_others: tuple[tuple[Over, Over], ...] = ((columns, ("k", 1, l - 1)), (rows, ("l", 1, k - 1)))


def lower_steps() -> tuple[Step, ...]:
    """E >= 0 and v(j) <= E(j, j) at every depth, under the names of Q3's hypotheses."""

    def entry(depth: Index | int) -> Formula:
        return entries(at_least_0(E(depth, "i", "j")))

    here, pair = use("so far", "i", "j"), (weight("h", "k", "i"), weight("h", "l", "j"), use("so far", "k", "l"))
    own = (_moment, weight("h", "k", "j"), weight("h", "k", "j"), use("so far", "k"))
    return (
        Step("entries", up_to("T", entry(s)), Induction(
            "so far",
            base=(Step("no step", entry(0), Nonnegative(
                (item(times=zero_one("i", n) * zero_one("j", n)),), (item(use("start", "i", "j"), times=-1),)
            )),),
            step=(Step("one more", entry(now), Nonnegative(
                (
                    item(here), item(here, use("gates nonnegative", now, "i"), times=zero_one("i", "j")),
                    item(_moment, *pair, over=(heads, rows, columns)),
                    item(_moment, *pair, _gate, times=zero_one("k", "l"), over=(heads, rows, columns)),
                ),
                (item(use("decoupled", now, "i", "j"), times=-1),),
            )),),
        )),
        Step("below", up_to("T", below(s)), Induction(
            "so far",
            base=(Step("no step", below(0), Nonnegative(
                (), (item(use("start", "j", "j"), times=-1), item(use("diagonal start", "j")))
            )),),
            step=(Step("one more", below(now), Nonnegative(
                (
                    item(use("so far", "j")), item(use("so far", "j"), use("gates nonnegative", now, "j")),
                    item(*own, over=(heads, rows)), item(*own, _gate, over=(heads, rows)),
                    *(
                        item(_moment, weight("h", "k", "j"), weight("h", "l", "j"), _entry, over=(heads, *others))
                        for others in _others
                    ),
                ),
                (item(use("decoupled", now, "j", "j"), times=-1), item(use("diagonal", now, "j"))),
            )),),
        )),
    )  # fmt: skip


def spike(depth: Index | int | str) -> Formula:
    """prod_t (1 + mu_t(n)) <= v(n)."""
    return Relation("<=", accumulated(Lambda(("t",), ONE + mu("t", n)))(depth), v(depth, n))


def spike_steps() -> tuple[Step, ...]:
    """v >= 0, and its last entry, which an MLP multiplies and attention does not lower."""

    def value_at(depth: Index | int) -> Formula:
        return every("j", 1, n, at_least_0(v(depth, "j")))

    def brought(key: Index | str, fact: str) -> tuple[Item, ...]:
        square = alpha(now, "h", "k", key) * alpha(now, "h", "k", key)
        return tuple(
            item(_moment, use(fact, *at, "k"), *more, times=square, over=(heads, rows))
            for at in [() if fact == "so far" else ("s",)]
            for more in ((), (_gate,))
        )

    def grown(here: Use, key: Index | str) -> tuple[Item, ...]:
        return item(here), item(here, use("gates nonnegative", now, key))

    return (
        Step("v at least 0", up_to("T", value_at(s)), Induction(
            "so far",
            base=(Step("no step", value_at(0), Nonnegative(
                (item(times=zero_one("j", n)),), (item(use("diagonal start", "j"), times=-1),)
            )),),
            step=(Step("one more", value_at(now), Nonnegative(
                (*grown(use("so far", "j"), "j"), *brought("j", "so far")), (item(use("diagonal", now, "j"), times=-1),)
            )),),
        )),
        Step("every spike", up_to("T", spike("s")), Induction(
            "so far",
            base=(Step("no step", spike(0), Nonnegative((), (item(use("diagonal start", n), times=-1),))),),
            step=(Step("one more", spike(now), Nonnegative(
                (*grown(use("so far"), n), *brought(n, "v at least 0")), (item(use("diagonal", now, n), times=-1),)
            )),),
        )),
        Step("last spike", spike("T"), Chain((use("every spike", T),))),
    )  # fmt: skip


# --- one gate for all positions -------------------------------------------------------------------

S = total("h", 1, H, nu("t", "h"))
growth = accumulated(Lambda(("t",), (ONE + S) * (ONE + eta("t"))))


def excess(depth: Index | int | str) -> Formula:
    """sum_j (E(j, j) - v(j)) <= F sum_r 1 / (1 + eta_r)."""
    apart = total("j", 1, n, E(depth, "j", "j") - v(depth, "j"))
    return Relation("<=", apart, growth(depth) * total("t", 1, depth, Reciprocal(ONE + eta("t"))))


def _grown(*uses: Use, over: tuple[Over, ...] = (), gated: bool = True) -> tuple[Item, ...]:
    """(1 + S) (1 + eta) times a product, term by term; or (1 + S) times it."""
    steps = use("one gate nonnegative", now)
    more = (item(*uses, steps, over=over), item(*uses, steps, _moment, over=(*over, heads))) if gated else ()
    return item(*uses, over=over), item(*uses, _moment, over=(*over, heads)), *more


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
    first = (_moment, use("rows", now, "h", "k"), _entry)
    second = (_moment, weight("h", "k", "j"), use("rows", now, "h", "l"), _entry)
    all_pairs, positions = (heads, rows, columns), ("j", 1, n)
    lost = (
        item(*first, over=all_pairs), item(*first, one_gate, times=same, over=all_pairs),
        item(*second, over=(*all_pairs, positions)), item(*second, one_gate, times=same, over=(*all_pairs, positions)),
    )  # fmt: skip
    off = tuple(x for others in _others for x in _grown(_entry, one_gate, over=others, gated=False))
    own = (_moment, use("overlap", now, "h", "k", "k"), use("below", "s", "k"))
    not_shared = (
        *(item(_entry, over=others) for others in _others),
        *(item(_moment, use("overlap", now, "h", "k", "l"), _entry, over=(heads, *others)) for others in _others),
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
