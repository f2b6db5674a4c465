"""Prefix-LM masks: the first b tokens see each other, the others see what came before.

    A_ij ∝ e^{−m |i−j| + d [i = j]}   for j ≤ b where i ≤ b, and for j ≤ i where i > b      (ALiBi in both directions)

Rows up to b read later positions, so this is no causal kernel; the last row of a product is still a row recursion.
Lumping the prefix into one token leaves a causal kernel of n − b + 1 tokens, and lumping commutes with the product:
every tail F(k), k > b, of the profile is one of the lumped stack, so what holds of causal kernels holds of those tails,
and collapse is onto the prefix. Inside the prefix it need not: with b = n = 2 a layer may swap the rows. Theory X2.

Numeric here: `apply` adds nonnegative terms only; for v ≥ 0 it errs relatively by at most (b + 760) · 2^−53 more than
ALiBi does: b additions in a row, exponentials of arguments up to 700.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.kernel import Alibi, Dense, Kernel
from numeric.recurrence import backward_sums
from numeric.refuse import flag, integer, refusal

__all__ = ["PrefixLM", "lumped"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, init=False, eq=False)
class PrefixLM(Kernel):
    """A = Σ_h α_h A_h, each the softmax of −m_h |i − j| + d_h [i = j] over the positions that row i may read.

    prefix : b, integer ≥ 1; 1 is ALiBi. slopes, content, head_weights : as for `Alibi`. Defined for n ≥ b.

    >>> PrefixLM(2, 0.0).apply([1.0, 0.0, 0.0])
    array([0.5, 0.5, 0. ])
    """

    prefix: int
    heads: Alibi

    def __init__(
        self, prefix: int, slopes: ArrayLike = 0.0, content: ArrayLike = 0.0, head_weights: ArrayLike | None = None
    ) -> None:
        self._set(prefix=integer(prefix, "prefix", 1), heads=Alibi(slopes, content, head_weights))

    @classmethod
    def of(cls, kernel: Kernel, prefix: int) -> Self:
        """The heads of an `Alibi` kernel behind a prefix."""
        if not isinstance(kernel, Alibi):
            raise refusal("kernel", "be Alibi", kernel)
        return cls(prefix, kernel.slopes, kernel.content, kernel.head_weights)

    def require(self, n: int) -> None:
        """Raises InputError unless there are at least b positions."""
        if n < self.prefix:
            raise flag("n", f"be at least {self.prefix}, the length of the prefix", str(n))

    def _row(self, v: FloatArray) -> FloatArray:
        b = self.prefix
        later = v.copy()
        later[:b] = 0.0
        out = self.heads._row(later)
        parts = zip(self.heads.slopes, self.heads.content, self.heads.head_weights, strict=True)
        out[:b] += sum(alpha * _both_ways(v[:b], m, np.exp(d)) for m, d, alpha in parts)
        return out

    def _dense(self, n: int) -> FloatArray:
        i, j = np.indices((n, n))
        seen = (j <= i) | ((i < self.prefix) & (j < self.prefix))
        a = np.zeros((n, n))
        parts = zip(self.heads.slopes, self.heads.content, self.heads.head_weights, strict=True)
        for m, d, alpha in parts:
            logits = np.where(seen, -m * np.abs(i - j) + d * (i == j), -np.inf)
            rows = np.exp(logits - logits.max(axis=1, keepdims=True))
            a += alpha * rows / rows.sum(axis=1, keepdims=True)
        return a


def lumped(kernels: Sequence[PrefixLM], n: int) -> list[Dense]:
    """The causal kernels (n − b + 1 tokens) that are left when the common prefix is one token: O(n²) memory each.

    Raises InputError where the prefixes differ.
    """
    for kernel in kernels:
        if not isinstance(kernel, PrefixLM):
            raise refusal("kernels", "be PrefixLM", kernel)
    lengths = sorted({kernel.prefix for kernel in kernels})
    if len(lengths) > 1:
        raise flag("kernels", "have one prefix in common", f"{lengths[0]} and {lengths[-1]} tokens")
    return [_lump(kernel.matrix(n), kernel.prefix) for kernel in kernels]


def _lump(a: FloatArray, b: int) -> Dense:
    """Rows b … n of A, their first b entries added up; the prefix reads itself alone."""
    kept = np.column_stack([a[b - 1 :, :b].sum(axis=1), a[b - 1 :, b:]])
    return Dense(kept, tolerance=(len(a) + 2) * 2.0**-52)


def _both_ways(v: FloatArray, slope: float, own: float) -> FloatArray:
    """v A for rows that read all b positions, weights e^{−m |i−j|} and ``own`` on the diagonal."""
    q = np.exp(-slope)
    one_side = np.append(0.0, np.cumsum(np.exp(-slope * np.arange(1, v.size))))  # Σ_{1 ≤ d ≤ i} e^{−m d}
    x = v / (own + one_side + one_side[::-1])
    steep = np.array([slope])
    after, before = backward_sums(x[None, :], steep)[0], backward_sums(x[None, ::-1], steep)[0, ::-1]
    return np.asarray(own * x + q * (after + before))
