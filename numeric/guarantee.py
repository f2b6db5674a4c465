"""How many layers are enough, or are needed at least, for P^(T)_{n1} ≥ 1 − η: by bounds that only look at single rows.

A kernel A shared by all layers, rows i ≥ 2. Enough are the smallest T with

    I5   P[PB(ελ_1, …, ελ_T) ≤ n − 2] ≤ η            ε = min 1 − A_ii
    I7   (n − 1) Π (1 − γλ_t) ≤ η                     γ = min J(i)/(i − 1),  J(i) = Σ_j (i − j) A_ij
    I8   Π (1 − sλ_t) ≤ η                             s = min A_i1

and at least as many as the smallest T with

    I8   Π (1 − Sλ_t) ≤ η                             S = max A_i1
    I8   P[PB(δλ_1, …, δλ_T) < ⌈(n−1)/r⌉] ≤ η         δ = max 1 − A_ii, r the furthest that a row reads, if r < n − 1

Each is P[PB(xλ) < h] ≤ y, decided as in `numeric.first_token` for a walk of h hops. ε, γ, s, S, δ are floats moved
outward by the error that they may have, then taken as the rationals they are; r is the kernel's own: a weight that no
float tells from 0 is read all the same. Theory section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from numeric.distance import Window
from numeric.endless import Endless
from numeric.first_token import Mass, Search, Staircase, smallest_depth
from numeric.kernel import Alibi, Dense
from numeric.row_facts import Extremes, RowFacts, row_facts, with_sink
from numeric.shared_kernel import RationalKernel, SharedKernel, SoftmaxKernel
from numeric.shared_window import SinkKernel, WindowKernel

__all__ = ["Guarantee", "guarantees", "narrowed"]


@dataclass(frozen=True)
class Guarantee:
    """side : whether ``search.layers`` are enough, or needed at least. rate : ε, γ, s, S or δ as a float."""

    statement: Literal["I5", "I7", "I8"]
    side: Literal["enough", "at least"]
    rate: float
    search: Search


def guarantees(lam: Endless, kernel: SharedKernel, eta: Fraction) -> tuple[Guarantee, ...]:
    """All bounds for row n of a shared kernel with n ≥ 2, 0 < eta < 1; a rate of 0 says nothing and is left out."""
    n = kernel.size
    found = Extremes.of(_facts(kernel))
    hops = -(-(n - 1) // max(_reach(kernel), 1))
    asked: list[tuple[Literal["I5", "I7", "I8"], Literal["enough", "at least"], float, int, Fraction]] = [
        ("I5", "enough", found.least_leave, n - 1, eta),
        ("I7", "enough", found.least_jump, 1, eta / (n - 1)),
        ("I8", "enough", found.least_first, 1, eta),
        ("I8", "at least", found.most_first, 1, eta),
        ("I8", "at least", found.most_leave, hops if hops > 1 else 0, eta),
    ]
    return tuple(
        Guarantee(name, side, rate, _smallest(lam, rate, steps, goal))
        for name, side, rate, steps, goal in asked if steps and rate > 0
    )  # fmt: skip


def narrowed(search: Search, bounds: Sequence[Guarantee]) -> Search:
    """What the comparisons left open, between what is needed at least and what is enough."""
    if search.outcome not in ("undecided", "beyond"):
        return search
    above = max([search.above, *(g.search.above for g in bounds if g.side == "at least")])
    enough = [search.upto, *(g.search.upto for g in bounds if g.side == "enough")]
    upto = min((layers for layers in enough if layers is not None), default=None)
    if upto is None:
        return Search(None, search.outcome, above)
    return Search(upto, "found", above, upto) if upto == above + 1 else Search(None, "undecided", above, upto)


def _smallest(lam: Endless, rate: float, hops: int, eta: Fraction) -> Search:
    """The smallest T with P[PB(rate λ) < hops] ≤ eta."""
    return smallest_depth(Mass(lam, Staircase(hops + 1), Fraction(rate)), 1 - eta)


def _reach(kernel: SharedKernel) -> int:
    """The largest distance that any row reads."""
    match kernel:
        case WindowKernel():
            return min(kernel.width, kernel.size) - 1
        case RationalKernel():
            return max(i - j for i, row in enumerate(kernel.rows) for j, x in enumerate(row) if x != 0)
    return kernel.size - 1


def _facts(kernel: SharedKernel) -> RowFacts:
    match kernel:
        case SoftmaxKernel():
            return row_facts(Alibi([float(m) for m in kernel.slopes]), kernel.size)
        case WindowKernel():
            return row_facts(Window(kernel.width, float(kernel.slope)), kernel.size)
        case SinkKernel():
            return with_sink(_facts(kernel.base), float(kernel.share))
        case RationalKernel():
            rows = np.array([[float(x) for x in row] for row in kernel.rows])
            return row_facts(Dense(rows), kernel.size)
    raise TypeError(f"Argument 'kernel' must be a shared kernel of this library, not {kernel!r}.")
