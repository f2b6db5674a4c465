"""Lemmas on binomial coefficients, from Pascal's rule.

C(a, k) = 0 for k < 0 and k > a,   C(a, a) = 1
sum_{j <= i} C(j - 1, k) = C(i, k + 1)
(a + 1) C(a, k) = (k + 1) C(a + 1, k + 1)
"""

from __future__ import annotations

from collections.abc import Sequence

from proofs.notation import binomial, every, number
from proofs.steps import Identity, Induction, Item, Step, item, use
from proofs.term import Formula, Index, Relation, Term, as_index, as_term, index, total

__all__ = ["binomial_lemmas"]

a, b, i, j = (index(name) for name in ("a", "b", "i", "j"))


def _zero(term: Term) -> Relation:
    return Relation("=", term, as_term(0))


def _every(formula: Formula) -> Formula:
    return every("b", 0, None, formula)


def _by_size(label: str, stated: Sequence[Formula], base: tuple[Item, ...], step: tuple[Item, ...]) -> Step:
    """What is stated for a = 0, a and a + 1, for every a >= 0."""
    start, here, after = stated
    return Step(label, every("a", 0, None, here), Induction(
        "smaller",
        (Step("none", start, Identity(base)),),
        (Step("one more", after, Identity(step)),),
    ))  # fmt: skip


def _hockey_stick() -> Step:
    def summed(last: Index | int) -> Formula:
        return _every(Relation("=", total("j", 1, last, binomial(j - 1, "b")), binomial(last, b + 1)))

    return _by_size("sum of binomials", (summed(0), summed(a), summed(a + 1)), (), (item(use("smaller", "b")),))


def _absorption() -> Step:
    def absorbed(size: Index | int, at: Index | int) -> Relation:
        size, at = as_index(size), as_index(at)
        return Relation("=", number(size + 1) * binomial(size, at), number(at + 1) * binomial(size + 1, at + 1))

    def by_count(size: Index | int, base: tuple[Item, ...], step: tuple[Item, ...]) -> tuple[Step, ...]:
        return (Step("each", _every(absorbed(size, b)), Induction(
            "lower", (Step("of none", absorbed(size, 0), Identity(base)),),
            (Step("of more", absorbed(size, b + 1), Identity(step)),),
        )),)  # fmt: skip

    return Step("absorption", every("a", 0, None, _every(absorbed(a, b))), Induction(
        "smaller",
        by_count(0, (), ()),
        by_count(
            a + 1,
            (item(use("smaller", 0)), item(use("none below", a, 0), times=number(a + 1))),
            (item(use("smaller", b + 1)), item(use("smaller", b))),
        ),
    ))  # fmt: skip


def binomial_lemmas() -> tuple[Step, ...]:
    """All of them."""
    below, above = (
        [_every(_zero(term)) for term in terms]
        for terms in (
            (binomial(0, -b - 1), binomial(a, -b - 1), binomial(a + 1, -b - 1)),
            (binomial(0, b + 1), binomial(a, a + b + 1), binomial(a + 1, a + b + 2)),
        )
    )
    whole = [Relation("=", term, as_term(1)) for term in (binomial(0, 0), binomial(a, a), binomial(a + 1, a + 1))]
    return (
        _by_size("none below", below, (), (item(use("smaller", b)), item(use("smaller", b + 1)))),
        _by_size("none beyond", above, (), (item(use("smaller", b)), item(use("smaller", b + 1)))),
        _by_size("whole", whole, (), (item(use("smaller")), item(use("none beyond", a, 0)))),
        _hockey_stick(),
        _absorption(),
    )
