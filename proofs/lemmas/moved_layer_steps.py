"""One layer moved to the top of those above it (D7).

If P_t K ≼ K P_t for every t, then Q_{m+1} ... Q_1 ≼ K P_m ... P_1, where the Q are the P with K somewhere among them: K
goes up past its neighbours one by one.  With ≽ for ≼ in both places it is the same proof, so ≼ is stated as e F_A <= e
F_B for any real e.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from proofs.lemmas.comparison_steps import value
from proofs.notation import below, causal, every, layer, layers, monotone, n, product, rollout, tail
from proofs.outline import monotone_rollouts
from proofs.steps import (
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Item,
    Nonnegative,
    Step,
    item,
    use,
)
from proofs.substitute import apply
from proofs.term import (
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
)

__all__ = ["DOWN", "EITHER", "UP", "Order", "e", "for_all", "implied", "in_place", "moved", "past"]

e = Symbol("e*", 0)
Q, P, K = Symbol("Q*", 3), Symbol("P*", 3), Symbol("K*", 2)  # starred, so that no claim uses the names
i, j, l, m, p, r, t = (index(x) for x in "ijlmprt")  # noqa: E741 - the letters of the formulas


@dataclass(frozen=True)
class Order:
    """Whether the later of two layers is the more recent on top (``up``), the less recent, or either.

    e F_A <= e F_B says A ≼ B for e = 1 and B ≼ A for e = -1.
    """

    up: bool | None

    def __call__(self, one: Fn, other: Fn) -> Formula:
        """one ≼ other, one ≽ other, or by the sign of e."""
        if self.up is None:
            left, right = (e() * tail(kernel)("i", "k") for kernel in (one, other))
            return every("i", 1, n, every("k", 1, n, Relation("<=", left, right)))
        return below(one, other) if self.up else below(other, one)

    def pairs(self, family: Fn, depth: Index | str) -> ForAll:
        """R_s R_t ≼ R_t R_s for s < t, or what it is."""
        first, second = (Lambda(("i", "j"), apply(family, (index(at), i, j))) for at in ("s", "t"))
        return layers(1, depth, every("s", 1, t - 1, self(product(first, second), product(second, first))))

    @property
    def sign(self) -> Lambda:
        """The e that says so."""
        return value(as_term(1 if self.up else -1))


UP, DOWN, EITHER = Order(True), Order(False), Order(None)


def implied(premises: Sequence[Formula], conclusion: Formula) -> Formula:
    """The premises imply the conclusion."""
    return reduce(lambda inner, premise: Implies(premise, inner), reversed(premises), conclusion)


def for_all(symbols: Sequence[Symbol], body: Formula) -> Formula:
    """For all functions."""
    return reduce(lambda inner, symbol: ForAllFn(symbol, inner), reversed(symbols), body)


# --- one layer moved to the top -------------------------------------------------------------------


def _equal(one: Term, other: Term) -> ForAll:
    return every("i", 1, n, every("j", 1, n, Relation("=", one, other)))


def in_place(family: Fn, others: Fn, kernel: Fn) -> tuple[Formula, Formula, Formula]:
    """Layers 1..p, the kernel, layers p + 1..m: the family is what they are called."""
    return (
        layers(1, "p", _equal(family("t", "i", "j"), others("t", "i", "j"))),
        _equal(family(p + 1, "i", "j"), kernel("i", "j")),
        every("t", p + 1, m, _equal(family(t + 1, "i", "j"), others("t", "i", "j"))),
    )


def past(family: Fn, kernel: Fn, depth: Index) -> ForAll:
    """P_t K ≼ K P_t, or ≽: the kernel is the later one."""
    at = layer(family, "t")
    return layers(1, depth, EITHER(product(at, kernel), product(kernel, at)))


def _signed(items: Sequence[Item]) -> tuple[Item, ...]:
    return tuple(Item(x.uses, e() * x.times, x.over) for x in items)


def _moved_one_up() -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Q_{r+2} Q^{(r+1)} = P_{r+1} Q^{(r+1)} ≼ P_{r+1} K P^{(r)} ≼ K P_{r+1} P^{(r)}."""
    here = r + 1
    first, so_far = tail(layer(rollout(P), "r"))(1, "k"), tail(layer(rollout(Q), here))
    products = (
        item(use("others", here, "i", "l", parts="nonnegative"), use("so far", "l", "k"), over=(("l", 1, n),)),
        item(use("past", here, "i", "l"), use("products monotone", "r", l - 1, "k"), over=(("l", 2, n),)),
    )
    rest = (
        item(use("above", here, "i", "l"), times=so_far("l", "k"), over=(("l", 1, n),)),
        item(use("kernel", "i", parts="rows"), times=-first),
        item(use("others", here, "l", parts="rows"), times=-(K("i", "l") * first), over=(("l", 1, n),)),
        item(use("others", here, "i", parts="rows"), times=first),
        item(use("kernel", "l", parts="rows"), times=P(here, "i", "l") * first, over=(("l", 1, n),)),
    )
    return products, _signed(rest)


def moved() -> Step:
    """K at place p + 1 of P_1..P_m, moved to the top: Q_{m+1} ... Q_1 ≼ K P_m ... P_1."""
    before, placed, above = in_place(Q, P, K)
    premises = (
        causal(K), layers(1, "m", causal(layer(P, "t"))), layers(1, "m", monotone(layer(P, "t"))),
        past(P, K, m), before, placed, above,
    )  # fmt: skip

    def ordered(at: Index) -> Formula:
        return EITHER(layer(rollout(Q), at + 1), product(K, layer(rollout(P), at)))

    def same(at: Index | int) -> ForAll:
        return _equal(rollout(Q)(at, "i", "j"), rollout(P)(at, "i", "j"))

    steps = (
        Step("same below", every("r", 0, p, same(r)), Induction(
            "so far",
            base=(Step("no layer", same(0), Identity()),),
            step=(Step("one more layer", same(r + 1), Identity((
                item(use("below", r + 1, "i", "l"), times=rollout(Q)("r", "l", "j"), over=(("l", 1, n),)),
                item(use("so far", "l", "j"), times=P(r + 1, "i", "l"), over=(("l", 1, n),)),
            ))),),
        )),
        monotone_rollouts("products monotone", P, m, "others", "others monotone"),
        Step("every height", every("r", p, m, ordered(r)), Induction(
            "so far",
            base=(Step("in its place", ordered(p), Nonnegative((), _signed((
                item(use("placed", "i", "l"), times=tail(layer(rollout(Q), "p"))("l", "k"), over=(("l", 1, n),)),
                item(use("same below", "p", "l", "j"), times=K("i", "l"), over=(("l", 1, n), ("j", index("k"), n))),
            )))),),
            step=(Step("one place up", ordered(r + 1), Nonnegative(*_moved_one_up())),),
        )),
        Step("on top", ordered(m), Instantiate(use("every height", "m"))),
    )  # fmt: skip
    names = ("kernel", "others", "others monotone", "past", "below", "placed", "above")
    body = every("m", 0, None, every("p", 0, m, implied(premises, ordered(m))))
    return Step(
        "moved to the top",
        for_all((e, Q, P, K), body),
        Generalise(("e*", "Q*", "P*", "K*", "m", "p", *names), steps),
    )
