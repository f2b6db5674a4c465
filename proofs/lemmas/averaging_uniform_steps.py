"""The square of I - A for the uniform kernel A_ij = 1 / i, j <= i: its rows c are a U.

i j (c_j - c_{j+1}) = 1  for j <= i - 2,        i (i - 1) (c_i - c_{i-1}) = i (i - 1) - 1
"""

from __future__ import annotations

from proofs.lemmas.prefix_steps import inverse
from proofs.lemmas.uniform_steps import uniform_sums
from proofs.notation import every, n, number, prefix, zero_one
from proofs.steps import Identity, Item, Step, item, use
from proofs.term import Fn, Formula, Index, Relation, Term, as_term, index, total

__all__ = ["falls", "rises", "square", "squares_fall", "squares_rise", "uniform_squares"]

i, j = index("i"), index("j")


def square(kernel: Fn, row: Index | str, column: Index | str) -> Term:
    """((I - A)^2)_ij."""

    def rest(at: Index | str, to: Index | str) -> Term:
        return zero_one(at, to) - kernel(at, to)

    return total("l", 1, n, rest(row, "l") * rest("l", column))


def squares_fall(w: Fn) -> Formula:
    """i j (c_j - c_{j+1}) = 1 for j <= i - 2."""
    difference = square(prefix(w), i, j) - square(prefix(w), i, j + 1)
    return every("i", 1, n, every("j", 1, i - 2, Relation("=", number(i) * number(j) * difference, as_term(1))))


def squares_rise(w: Fn) -> Formula:
    """i (i - 1) (c_i - c_{i-1}) = i (i - 1) - 1 for i >= 2."""
    both, difference = number(i) * number(i - 1), square(prefix(w), i, i) - square(prefix(w), i, i - 1)
    return every("i", 2, n, Relation("=", both * difference, both - 1))


def uniform_squares(w: Fn) -> tuple[Step, ...]:
    """k (1 / W_k) = 1, from weights 1 ("uniform weights")."""
    return *uniform_sums(w), Step(
        "k / W", every("k", 1, n, Relation("=", number("k") * inverse(w, "k"), as_term(1))), Identity((
            item(use("W / W", "k")), item(use("W = i", "k"), times=-inverse(w, "k")),
        ))
    )  # fmt: skip


def falls(w: Fn) -> Identity:
    """Up to the diagonal, w_l replaced by 1: c_j - c_{j+1} = 1 / (i j)."""
    both, divisor = number(i) * number(j), inverse(w, "i")

    def column(at: Index, sign: int) -> tuple[Item, ...]:
        seen, weight = total("l", at, i, inverse(w, "l")), sign * both * divisor
        return (
            item(use("uniform weights", at), times=weight * (seen - 2)),
            item(use("uniform weights", "l"), times=weight * inverse(w, "l") * w(at), over=(("l", at, i),)),
        )

    return Identity((
        *column(j, 1), *column(j + 1, -1),
        item(use("k / W", i)), item(use("k / W", j), times=number(i) * divisor),
    ))  # fmt: skip


def rises(w: Fn) -> Identity:
    """At the diagonal and before it: c_i - c_{i-1} = 1 - 1 / (i (i - 1))."""
    both, divisor, other = number(i) * number(i - 1), inverse(w, "i"), inverse(w, i - 1)
    last = 2 * divisor - w("i") * divisor * divisor
    return Identity((
        item(use("uniform weights", "i"), times=-(both * last)),
        item(use("uniform weights", i - 1), times=both * (last - (w(i - 1) + 1) * divisor * other)),
        item(use("k / W", i), times=-1), item(use("k / W", i - 1), times=-(number(i) * divisor)),
    ))  # fmt: skip
