"""Cases with the envelopes that a claim speaks of (U1), one vector-kernel product a layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import prod

__all__ = ["envelope_table", "weighted_kernel"]

Row = Sequence[Fraction]
Kernel = list[list[Fraction]]
Heads = Sequence[Sequence[Row]]


def weighted_kernel(weights: Row, factors: Row) -> Kernel:
    """The prefix kernel with weights w whose diagonal weights are multiplied by e."""
    rows = []
    for i, before in enumerate(accumulate(weights, initial=Fraction(0))):
        if i < len(weights):
            own = factors[i] * weights[i]
            rows.append([x / (before + own) for x in (*weights[:i], own)] + [Fraction(0)] * (len(weights) - 1 - i))
    return rows


def envelope_table(
    lam: Row,
    alpha: Heads,
    kernels: Sequence[Sequence[Kernel]],
    kept: Callable[[int, int], Fraction],
    entries: Callable[[int, int, int, int], Fraction],
) -> list[list[list[Fraction]]]:
    """g^{t,h}_j = (prod_{s < t} theta_{s,j}) sum_{l >= j} U_{t,l} b^{t,h}_lj, all indices from 0.

    alpha, kernels : the weights (by row) and the kernel of every head of every layer
    kept, entries : theta_{t,j} and b^{t,h}_lj
    """
    positions = range(len(alpha[0][0])) if alpha else range(0)
    row = [Fraction(int(j == len(positions) - 1)) for j in positions]
    found = []
    for t in reversed(range(len(lam))):
        heads = range(len(alpha[t]))
        below = [prod((kept(s, j) for s in range(t)), start=Fraction(1)) for j in positions]
        found.append([
            [below[j] * sum(row[i] * entries(t, h, i, j) for i in positions[j:]) for j in positions] for h in heads
        ])  # fmt: skip
        read = [sum(row[i] * alpha[t][h][i] * kernels[t][h][i][j] for i in positions for h in heads) for j in positions]
        row = [(1 - lam[t]) * x + lam[t] * y for x, y in zip(row, read, strict=True)]
    return found[::-1]
