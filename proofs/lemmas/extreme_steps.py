"""No kernel of zeros and ones is a mixture of two others (S7): G = (1 - theta) X + theta Y makes X = G."""

from __future__ import annotations

from collections.abc import Callable

from proofs.notation import every, n
from proofs.steps import Antisymmetry, Identity, Invert, Item, Nonnegative, Step, Use, item, use
from proofs.term import Fn, Formula, Reciprocal, Relation, Symbol, Term, as_term, index, total

__all__ = ["entries", "extreme"]

j = index("j")


def entries(body: Formula) -> Formula:
    """For every entry."""
    return every("i", 1, n, every("j", 1, n, body))


def others(fact: Callable[..., Use]) -> tuple[Item, ...]:
    """The fact at (i, l), summed over l other than j."""
    return item(fact("i", "l"), over=(("l", 1, j - 1),)), item(fact("i", "l"), over=(("l", j + 1, n),))


def at_most_one(label: str, kernel_fn: Fn, nonnegative: Callable[..., Use], row: Use) -> Step:
    """An entry is 1 less the others of its row."""
    goal = entries(Relation("<=", kernel_fn("i", "j"), as_term(1)))
    return Step(label, goal, Nonnegative(others(nonnegative), (item(row),)))


def divided_by(share: Term) -> tuple[Step, ...]:
    """The share is 1 - theta, so it is positive and has a positive inverse."""
    below_one, positive = use("share", parts="less than 1"), use("1 - theta > 0")
    return (
        Step("1 - theta > 0", Relation("<", as_term(0), share), Nonnegative((item(below_one),))),
        Step("inverse", Relation("=", share * Reciprocal(share), as_term(1)), Invert(positive)),
        Step("inverse > 0", Relation("<", as_term(0), Reciprocal(share)), Invert(positive)),
    )


def mixed_is_kernel(G: Symbol, theta: Symbol) -> tuple[Step, ...]:
    """Entries of G are nonnegative and its rows sum to 1, since those of X and Y do."""
    mix = use("mixture of two", "i", "j")
    return (
        Step("nonnegative", entries(Relation("<=", as_term(0), G("i", "j"))), Nonnegative(
            (
                item(use("1 - theta > 0"), use("first", "i", "j", parts="nonnegative")),
                item(use("share", parts="positive"), use("second", "i", "j", parts="nonnegative")),
            ),
            (item(mix, times=-1),),
        )),
        Step("rows", every("i", 1, n, Relation("=", total("j", 1, n, G("i", "j")), as_term(1))), Identity((
            item(mix, over=(("j", 1, n),)),
            item(use("first", "i", parts="rows"), times=as_term(1) - theta()),
            item(use("second", "i", parts="rows"), times=theta()),
        ))),
    )  # fmt: skip


def extreme(G: Symbol, X: Symbol, theta: Symbol) -> tuple[Step, ...]:
    """X = G; cites the hypotheses "zeros and ones", "first", "second", "share" and "mixture of two"."""
    inverse = Reciprocal(as_term(1) - theta())
    missing = as_term(1) - G("i", "j")
    mix = use("mixture of two", "i", "j")
    return (
        *divided_by(as_term(1) - theta()),
        *mixed_is_kernel(G, theta),
        at_most_one("G <= 1", G, lambda *at: use("nonnegative", *at), use("rows", "i")),
        at_most_one("X <= 1", X, lambda *at: use("first", *at, parts="nonnegative"), use("first", "i", parts="rows")),
        # G - X = G (1 - X) + theta Y (1 - G) / (1 - theta), since G (1 - G) = 0
        Step("X at most G", entries(Relation("<=", X("i", "j"), G("i", "j"))), Nonnegative(
            (
                item(use("nonnegative", "i", "j"), use("X <= 1", "i", "j")),
                item(
                    use("share", parts="positive"), use("second", "i", "j", parts="nonnegative"),
                    use("G <= 1", "i", "j"),
                    use("inverse > 0"),
                ),
            ),
            (
                item(use("inverse"), times=-(X("i", "j") * missing)),
                item(mix, times=-(inverse * missing)),
                item(use("zeros and ones", "i", "j"), times=-inverse),
            ),
        )),
        Step("G at most X", entries(Relation("<=", G("i", "j"), X("i", "j"))), Nonnegative(
            others(lambda *at: use("X at most G", *at)),
            (item(use("rows", "i")), item(use("first", "i", parts="rows"), times=-1)),
        )),
        Step("equal", entries(Relation("=", X("i", "j"), G("i", "j"))), Antisymmetry(
            use("X at most G", "i", "j"), use("G at most X", "i", "j")
        )),
    )  # fmt: skip
