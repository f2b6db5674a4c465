"""v ↦ vA in long double arithmetic, with the number of its roundings: every kernel of `numeric.kernel` and of
`numeric.distance`, with the float64 parameters that it holds.

A row object computes (vA)_j as a sum of products and quotients of nonnegative numbers, so that along each path from an
entry of v to one of the result there are at most ``roundings`` factors 1 + δ or 1/(1 + δ), |δ| ≤ u: no entry is off by
more, relatively. The counts stand beside the formulas, L and P as in `numeric.extended`. Head weights are proportions:
they are divided by their exact sum, as in ball arithmetic. Rows of a `Dense` keep whatever sums they have.

The first position can only read itself: with weight exactly 1, except in a `Dense`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from numeric.ball_kernel import to_ball
from numeric.distance import Distance, LogDistance, Window
from numeric.extended import (
    Extended,
    backward_sums,
    exact_sum,
    from_balls,
    levels,
    pairings,
    powers_before,
    sums_before,
)
from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
from numeric.once import once
from numeric.refuse import flag

__all__ = ["LARGEST_GROWTH", "ExtendedRow", "extended_row", "growth", "require_counted"]

LARGEST_GROWTH = 1000.0  # log₂ of what sums of rows may multiply to: 2^1000 is still a float64
_BLOCK = 1 << 17  # heads × positions worked on at once
Slopes = tuple[float, ...]
_COUNTED = (Alibi, Dense, Distance, HeadAverage, LogDistance, Prefix, Uniform, Window)


class ExtendedRow(ABC):
    """A kernel in long double arithmetic, for one n."""

    @property
    @abstractmethod
    def roundings(self) -> int:
        """At most so many factors 1 + δ on any path through `row`."""

    @abstractmethod
    def row(self, v: Extended) -> Extended:
        """vA for v : (n,) ≥ 0."""


def require_counted(kernel: Kernel, place: str) -> None:
    """Raises InputError for a kernel whose roundings are not counted here."""
    for head in kernel.kernels if isinstance(kernel, HeadAverage) else ():
        require_counted(head, place)
    if not isinstance(kernel, _COUNTED):
        known = ", ".join(sorted(kind.__name__ for kind in _COUNTED))
        raise flag("kernels", f"be of a kind with proven bounds ({known})", type(kernel).__name__, place)


def largest_sum(kernel: Kernel) -> float:
    """At least the largest sum of a row: 1 unless rows are taken as they are."""
    match kernel:
        case HeadAverage():
            return max(map(largest_sum, kernel.kernels))
        case Dense():
            return max(map(math.fsum, kernel.values.tolist())) * (1 + 2.0**-50)
    return 1.0


def growth(kernels: Sequence[Kernel], shares: Sequence[float]) -> float:
    """log₂ Π max(1, 1 − λ_t + λ_t s_t), s_t the `largest_sum` of layer t: how much the layers can make of an error."""
    sums = once(largest_sum, kernels)
    grown = (max(1.0, 1 - share + share * total) for share, total in zip(shares, sums, strict=True))
    return math.fsum(map(math.log2, grown))


def extended_row(kernel: Kernel, n: int, bits: int) -> ExtendedRow:
    """The row recursion of a kernel that `require_counted` accepts, for n positions."""
    match kernel:
        case Uniform():
            return _heads((0.0,), (kernel.content,), (1.0,), n, bits)
        case Alibi():
            m, d, alpha = (tuple(x.tolist()) for x in (kernel.slopes, kernel.content, kernel.head_weights))
            return _heads(m, d, alpha, n, bits)
        case Prefix():
            e = from_balls(lambda: [to_ball(kernel.content).exp()], bits)
            return _PrefixRow(kernel.weights.astype(np.longdouble), e)
        case Distance() | LogDistance() | Window():
            return _distance(kernel, n, bits)
        case HeadAverage():
            heads = tuple(extended_row(k, n, bits) for k in kernel.kernels)
            return _AverageRow(heads, kernel.head_weights.astype(np.longdouble), _total(kernel.head_weights, bits))
    assert isinstance(kernel, Dense)  # the only kind left
    return _DenseRow(kernel.values)


# --- ALiBi heads ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Heads(ExtendedRow):
    """Σ_h α_h A_h / Σ_h α_h for ALiBi heads. powers : q^(2^k), (H, 1), q = e^−m; own : e^d, (H, 1); alpha : (H,)."""

    powers: tuple[Extended, ...]
    own: Extended
    alpha: Extended
    total: Extended
    n: int

    @property
    def _step(self) -> int:
        return max(1, min(self.alpha.size, _BLOCK // self.n))

    @property
    def roundings(self) -> int:
        """x = v/z: S 4L, q 2, q S 1, z 1, x 1. Then u 8P, q 2, q u 1, its sum with e^d x 1 (that path is shorter);
        α 1; a block of heads, then the blocks; Σα 2, the quotient 1.
        """
        blocks = -(-self.alpha.size // self._step)
        return 4 * levels(self.n) + 8 * pairings(self.n) + 5 + 4 + 1 + (levels(self._step) + blocks) + 3

    def row(self, v: Extended) -> Extended:
        out = np.zeros_like(v)
        for first in range(0, self.alpha.size, self._step):
            out += self._block(v, slice(first, first + self._step))
        return np.asarray(out / self.total)

    def _block(self, v: Extended, part: slice) -> Extended:
        powers = [power[part] for power in self.powers]
        own = self.own[part]
        if not powers:  # n = 1
            return _tree(self.alpha[part, None] * v)
        z = own + powers[0] * powers_before(powers, self.n)
        x = v / z
        u = powers[0] * backward_sums(x, powers)
        x *= own
        x[:, 0] = v[0]
        return _tree(self.alpha[part, None] * (x + u))


def _heads(m: Slopes, d: tuple[float, ...], alpha: tuple[float, ...], n: int, bits: int) -> _Heads:
    own = from_balls(lambda: [to_ball(x).exp() for x in d], bits)[:, None]
    total = _total(np.array(alpha), bits)
    return _Heads(_powers(m, levels(n), bits), own, np.array(alpha, dtype=np.longdouble), total, n)


@lru_cache(maxsize=4)  # layers often share their slopes
def _powers(m: Slopes, count: int, bits: int) -> tuple[Extended, ...]:
    """e^(−m 2^k), k = 0 … count − 1, each from its own exponential: 2 roundings whatever k is."""

    def power(k: int) -> Extended:
        return from_balls(lambda: [(-to_ball(x) * 2**k).exp() for x in m], bits)[:, None]

    return tuple(power(k) for k in range(count))


def _total(alpha: np.ndarray[tuple[int], np.dtype[np.float64]], bits: int) -> Extended:
    """Σ α as one long double: exactly, then 2 roundings."""
    return from_balls(lambda: [to_ball(exact_sum(alpha.tolist()))], bits)


def _tree(x: Extended) -> Extended:
    """Σ over the first axis by halves: ⌈log₂ H⌉ roundings."""
    while len(x) > 1:
        half = len(x) // 2
        x = np.concatenate([x[:half] + x[half : 2 * half], x[2 * half :]])
    return np.asarray(x[0])


# --- prefix kernels, distance kernels, averages, matrices ------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _PrefixRow(ExtendedRow):
    """A_ij = w_j / Z_i, A_ii = e^d w_i / Z_i. weights : (n,); e : e^d as (1,). In long doubles no product overflows."""

    weights: Extended
    e: Extended

    @property
    def roundings(self) -> int:
        """Z: W_{i−1} 2P or e^d w_i 3, their sum 1; v/Z 1. Then u 2P or e^d x 3, their sum 1, w 1."""
        return 2 * max(2 * pairings(self.weights.size), 3) + 4

    def row(self, v: Extended) -> Extended:
        w = self.weights
        x = v / (sums_before(w) + self.e * w)
        u = sums_before(x[::-1])[::-1]
        out = w * (self.e * x + u)
        out[0] = v[0] + w[0] * u[0]
        return np.asarray(out)


@dataclass(frozen=True, eq=False)
class _DistanceRow(ExtendedRow):
    """A_ij = a_{i−j} / Z_i. own : a_0 e^d as (1,); after : (a_1, …), at most n − 1 of them."""

    own: Extended
    after: Extended
    n: int

    @property
    def _step(self) -> int:
        return max(1, math.isqrt(self.after.size))

    @property
    def roundings(self) -> int:
        """Z: a 2, sums 2P, with own 1; v/Z 1. Then a 2, product 1, sums in a block and over blocks, the diagonal 1."""
        blocks = -(-self.after.size // self._step)
        return 2 * pairings(self.n) + 4 + 3 + (self._step - 1 + max(blocks - 1, 0)) + 1

    def row(self, v: Extended) -> Extended:
        padded = np.zeros_like(v)
        padded[: self.after.size] = self.after
        z = self.own + sums_before(padded)
        z[0] = 1.0  # not used below, and a_0 e^d may be 0 beside the largest weight
        x = v / z
        out = self.own * x
        out[0] = v[0]
        read = np.zeros_like(v)
        for first in range(0, self.after.size, self._step):
            a, y = self.after[first : first + self._step], x[first + 1 :]
            # (Σ_s a_s y_{j+s})_j: reversed, this is a convolution
            read[: y.size] += np.convolve(y[::-1], a)[: y.size][::-1]
        return np.asarray(out + read)


def _distance(kernel: Distance | LogDistance | Window, n: int, bits: int) -> _DistanceRow:
    """The weights a_d relative to a common factor, trailing zeros left out."""
    match kernel:
        case Distance():
            b = kernel.bias.tolist()
            top, read = max(b), [d for d in range(1, n) if b[d] > -math.inf]
            own = from_balls(lambda: [(to_ball(b[0]) + to_ball(kernel.content) - to_ball(top)).exp()], bits)
            found = from_balls(lambda: [(to_ball(b[d]) - to_ball(top)).exp() for d in read], bits)
        case LogDistance():
            read = list(range(1, n))
            own = from_balls(lambda: [to_ball(kernel.content).exp()], bits)
            found = from_balls(lambda: [(-to_ball(kernel.strength) * to_ball(1 + d).log()).exp() for d in read], bits)
        case Window():
            read = list(range(1, min(kernel.width, n)))
            own = from_balls(lambda: [to_ball(kernel.content).exp()], bits)
            found = from_balls(lambda: [(-to_ball(kernel.slope) * d).exp() for d in read], bits)
    after = np.zeros(max(read, default=0), dtype=np.longdouble)
    after[[d - 1 for d in read]] = found
    return _DistanceRow(own, after, n)


@dataclass(frozen=True, eq=False)
class _AverageRow(ExtendedRow):
    """Σ_h α_h A_h / Σ_h α_h."""

    heads: tuple[ExtendedRow, ...]
    alpha: Extended
    total: Extended

    @property
    def roundings(self) -> int:
        """Of the head; α 1; H sums; Σα 2, the quotient 1."""
        return max(head.roundings for head in self.heads) + 1 + len(self.heads) + 3

    def row(self, v: Extended) -> Extended:
        out = np.zeros_like(v)
        for alpha, head in zip(self.alpha, self.heads, strict=True):
            out += alpha * head.row(v)
        return np.asarray(out / self.total)


@dataclass(frozen=True, eq=False)
class _DenseRow(ExtendedRow):
    """A = values, float64 (n, n), in blocks of rows so that memory stays O(n^{3/2})."""

    values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]

    @property
    def _step(self) -> int:
        return max(1, math.isqrt(len(self.values)))

    @property
    def roundings(self) -> int:
        """Product 1, a block of rows, the blocks."""
        return 1 + self._step + -(-len(self.values) // self._step)

    def row(self, v: Extended) -> Extended:
        out = np.zeros_like(v)
        for first in range(0, len(v), self._step):
            part = slice(first, first + self._step)
            out += v[part] @ self.values[part].astype(v.dtype)
        return out
