"""What the speed of collapse depends on, row by row: what a row gives away, what to token 1, and how far it jumps.

    leave   1 − A_ii        first   A_i1        jump   J(i) = Σ_j (i − j) A_ij        reach   max{i − j : A_ij > 0}

Prefix kernels: Σ_{j<i} (i − j) w_j = W_1 + … + W_{i−1}. Distance kernels: Σ_{d<i} d a_d. Both O(n) per head, without a
matrix. Theory I7, I8. Numeric here: all sums are of nonnegative floats, so each entry errs relatively by at most
(3n + 4000) · 2^−53 (n additions above and below the bar; exponentials of arguments up to 700 whose slope was rounded
as well: 1400 roundings on either side), apart from numbers below 1e−300, which may count as 0. Not covered: kernels
that read later positions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numeric.distance import Distance, LogDistance, Window
from numeric.kernel import Alibi, HeadAverage, Kernel, Prefix, Uniform
from numeric.refuse import flag, integer

__all__ = ["Extremes", "RowFacts", "row_facts", "with_sink"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class RowFacts:
    """Of rows 1 … n: leave, first, jump, each float64 (n,); reach: the largest distance at which a float tells some
    weight from 0.
    """

    leave: FloatArray
    first: FloatArray
    jump: FloatArray
    reach: int


@dataclass(frozen=True)
class Extremes:
    """Over the rows from the second on, least and most, moved outward by the error of `RowFacts`: of 1 − A_ii, A_i1 and
    J(i)/(i−1), all in [0, 1]; the reach."""

    least_leave: float
    most_leave: float
    least_first: float
    most_first: float
    least_jump: float
    most_jump: float
    reach: int

    @classmethod
    def of(cls, facts: RowFacts) -> Extremes:
        """The extremes of n ≥ 2 rows."""
        n = facts.jump.size
        error = (3 * n + 4000) * 2.0**-53
        leave, first, jump = facts.leave[1:], facts.first[1:], facts.jump[1:] / np.arange(1, n)
        least = [float(x.min()) * (1 - error) for x in (leave, first, jump)]
        most = [min(1.0, float(x.max()) * (1 + error)) for x in (leave, first, jump)]
        return cls(least[0], most[0], least[1], most[1], least[2], most[2], facts.reach)


def row_facts(kernel: Kernel, n: int) -> RowFacts:
    """The facts of every row of ``kernel`` for n positions. Raises InputError where the kernel has another length.

    >>> row_facts(Uniform(), 3).jump
    array([0. , 0.5, 1. ])
    """
    kernel.require(integer(n, "n", 1))
    match kernel:
        case Uniform():
            return _by_distance(np.ones(n), kernel.content)
        case Alibi():
            heads = zip(kernel.slopes.tolist(), kernel.content.tolist(), strict=True)
            return _average((_by_distance(_powers(m, n), d) for m, d in heads), kernel.head_weights)
        case Prefix():
            return _by_weights(kernel.weights / kernel.weights.max(), kernel.content)
        case Window():
            return _by_distance(np.where(np.arange(n) < kernel.width, _powers(kernel.slope, n), 0.0), kernel.content)
        case LogDistance():
            return _by_distance(np.arange(1.0, n + 1) ** -kernel.strength, kernel.content)
        case Distance():
            return _by_distance(np.exp(kernel.bias - kernel.bias.max()), kernel.content)
        case HeadAverage():
            return _average((row_facts(head, n) for head in kernel.kernels), kernel.head_weights)
    return _of_matrix(kernel.matrix(n))


def with_sink(facts: RowFacts, share: float) -> RowFacts:
    """The facts of (1 − s) A + s e_1, whose rows give token 1 the share s besides; 0 < s ≤ 1."""
    n, rest = facts.jump.size, 1 - share
    extra = share * (np.arange(n) > 0)
    jump = rest * facts.jump + share * np.arange(n)
    return RowFacts(rest * facts.leave + extra, rest * facts.first + share, jump, max(facts.reach, n - 1))


def _powers(slope: float, n: int) -> FloatArray:
    return np.asarray(np.exp(-slope * np.arange(n)))


def _by_distance(a: FloatArray, content: float) -> RowFacts:
    """Rows A_ij ∝ a_{i−j}, the diagonal times e^content."""
    n, own = a.size, a[0] * np.exp(content)
    before = np.append(0.0, np.cumsum(a[1:]))
    weighted = np.append(0.0, np.cumsum(np.arange(1, n) * a[1:]))
    total = own + before
    total[0] = 1.0  # row 1 reads itself, however little a_0 is
    first = a / total
    first[0] = 1.0
    return RowFacts(before / total, first, weighted / total, int(np.flatnonzero(a)[-1]))


def _by_weights(w: FloatArray, content: float) -> RowFacts:
    """Rows A_ij ∝ w_j, the diagonal times e^content."""
    before = np.append(0.0, np.cumsum(w)[:-1])
    own = w * np.exp(content)
    total = own + before
    first = np.append(1.0, w[0] / total[1:])
    return RowFacts(before / total, first, np.cumsum(before) / total, w.size - 1)


def _average(heads: Iterable[RowFacts], weights: FloatArray) -> RowFacts:
    """Head by head, so that memory stays O(n) however many they are."""
    leave, first, jump, reach = np.zeros(1), np.zeros(1), np.zeros(1), 0
    for alpha, head in zip(weights.tolist(), heads, strict=True):
        if alpha > 0:
            leave, first, jump = leave + alpha * head.leave, first + alpha * head.first, jump + alpha * head.jump
            reach = max(reach, head.reach)
    return RowFacts(leave, first, jump, reach)


def _of_matrix(a: FloatArray) -> RowFacts:
    if np.triu(a, 1).any():
        raise flag("kernel", "read no later position", "one that does")
    i, j = np.nonzero(a)
    positions = np.arange(len(a))
    jump = ((positions[:, None] - positions) * a).sum(axis=1)
    return RowFacts(np.tril(a, -1).sum(axis=1), a[:, 0].copy(), jump, int((i - j).max()))
