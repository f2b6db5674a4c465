"""MLPs that decorrelate all positions: the diagonal of second moments, and the linear recursion that it exceeds.

    E_t = attend(E_{t-1} o (1 + mu_t I)),  v_t(j) = (1 + mu_t(j)) v(j) + sum_h nu_h sum_k alpha_kj^2 (1 + mu_t(k)) v(k)
    0 <= v_t(j) <= E_t(j, j),    prod_t (1 + mu_t(n)) <= v_T(n)

For the symbols and hypotheses of Q3.
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.lemmas.second_moment_steps import H, T, alpha, at_least_0, entries, spread, up_to
from proofs.notation import accumulated, every, layers, n, zero_one
from proofs.steps import (
    Chain,
    Induction,
    Item,
    Nonnegative,
    Step,
    Use,
    item,
    use,
)
from proofs.substitute import apply
from proofs.term import Formula, Index, Lambda, Relation, Symbol, Term, as_index, as_term, index, total

__all__ = [
    "ONE",
    "E",
    "Gate",
    "Over",
    "attended",
    "below",
    "columns",
    "decoupled",
    "diagonal",
    "entry_there",
    "eta",
    "heads",
    "lower_steps",
    "moment",
    "mu",
    "now",
    "nu",
    "of_position",
    "others_of",
    "rows",
    "spike",
    "spike_steps",
    "v",
    "weight",
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


def below(depth: Index | int | str) -> Formula:
    """v(j) <= E(j, j)."""
    return every("j", 1, n, Relation("<=", v(depth, "j"), E(depth, "j", "j")))


def weight(head: str, query: str, key: str) -> Use:
    """alpha(h, k, j) >= 0 in the next step."""
    return use("weights nonnegative", now, head, query, key)


moment, entry_there = use("moments nonnegative", now, "h"), use("entries", "s", "k", "l")
_gate = use("gates nonnegative", now, "k")
others_of: tuple[tuple[Over, Over], ...] = ((columns, ("k", 1, l - 1)), (rows, ("l", 1, k - 1)))


def lower_steps() -> tuple[Step, ...]:
    """E >= 0 and v(j) <= E(j, j) at every depth, under the names of Q3's hypotheses."""

    def entry(depth: Index | int) -> Formula:
        return entries(at_least_0(E(depth, "i", "j")))

    here, pair = use("so far", "i", "j"), (weight("h", "k", "i"), weight("h", "l", "j"), use("so far", "k", "l"))
    own = (moment, weight("h", "k", "j"), weight("h", "k", "j"), use("so far", "k"))
    return (
        Step("entries", up_to("T", entry(s)), Induction(
            "so far",
            base=(Step("no step", entry(0), Nonnegative(
                (item(times=zero_one("i", n) * zero_one("j", n)),), (item(use("start", "i", "j"), times=-1),)
            )),),
            step=(Step("one more", entry(now), Nonnegative(
                (
                    item(here), item(here, use("gates nonnegative", now, "i"), times=zero_one("i", "j")),
                    item(moment, *pair, over=(heads, rows, columns)),
                    item(moment, *pair, _gate, times=zero_one("k", "l"), over=(heads, rows, columns)),
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
                        item(moment, weight("h", "k", "j"), weight("h", "l", "j"), entry_there, over=(heads, *others))
                        for others in others_of
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
            item(moment, use(fact, *at, "k"), *more, times=square, over=(heads, rows))
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
