"""One kernel shared by all layers, seen from row n: a_k = (A^k)_{n1}, how a row can stay, and where it can end.

Row i stays for ever iff A_ii = 1 (*still*). If A_ii = 0 for every i ≥ 2, each hop moves to an earlier token and the
longest path of positive entries to token 1 has a finite number of hops (*longest*); otherwise some row can wait any
time. a_k is nondecreasing in k, since A_11 = 1, and tends to h_n,

    h_1 = 1,   h_i = 0 where A_ii = 1,   h_i = Σ_{j<i} A_ij h_j / (1 − A_ii) otherwise,

the probability that the walk from n ends on token 1: 1 unless some row is still. Theory section 0, I1, C1.
Exact here: still and longest; balls (flint's arb) enclose the rest, and rational kernels have a_k as rationals.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

import flint

from numeric.ball_kernel import Ball, BallAlibi, BallAverage, to_ball
from numeric.exact import ExactDense, ExactKernel, ExactPrefix, Rows, from_flint, to_flint
from numeric.kernel import SLOPE_LIMIT
from numeric.refuse import flag, positions, rational, refusal
from numeric.schedule import Number

__all__ = ["RationalKernel", "SharedKernel", "SoftmaxKernel"]

DENSE_HEADS = 8  # from here on the average of the heads is added up once, if it fits
DENSE_WORK = 2 * 10**7  # multiplications that its matrix may take


class SharedKernel(ABC):
    """A causal kernel for n = ``size`` positions. Keeps the hops it has computed, per precision."""

    def __init__(self, size: int, exact: ExactKernel | None) -> None:
        self.size = positions(size)
        self._exact = exact
        self._hops: dict[int, tuple[Any, list[Ball]]] = {}
        self._matrices: dict[int, Any] = {}
        self._walk: tuple[list[Any], list[Fraction]] | None = None

    @property
    @abstractmethod
    def still(self) -> int | None:
        """The first row i ≥ 2 with A_ii = 1, counted from 1, or None."""

    @property
    @abstractmethod
    def longest(self) -> int | None:
        """The longest path of hops to token 1 from any row, or None where a row i ≥ 2 has A_ii > 0."""

    @property
    @abstractmethod
    def waits(self) -> int | None:
        """The first row i ≥ 2 with A_ii > 0, counted from 1, or None."""

    @property
    @abstractmethod
    def cost(self) -> float:
        """About how many microseconds one hop takes."""

    @property
    @abstractmethod
    def bits(self) -> int:
        """By how many bits a hop may lengthen the denominators of exact numbers."""

    @abstractmethod
    def leave(self) -> Ball:
        """δ_n = 1 − A_nn at the current precision, exactly 0 where it is 0; nothing is lost where it is small."""

    @abstractmethod
    def end(self) -> Ball:
        """h_n at the current precision, exactly 1 where no row is still."""

    @abstractmethod
    def _dense(self) -> Any:
        """A as arb_mat at the current precision, or None where the row recursion is the faster way."""

    @abstractmethod
    def _row(self, v: list[Ball]) -> list[Ball]:
        """vA by the row recursion."""

    def hops(self, last: int) -> list[Ball]:
        """a_0 … a_last at the current precision, by vector–kernel products."""
        unit = [to_ball(0)] * (self.size - 1) + [to_ball(1)]
        matrix = self._matrix()
        start: tuple[Any, list[Ball]] = (unit if matrix is None else flint.arb_mat(1, self.size, unit), [unit[0]])
        v: Any
        v, known = self._hops.get(flint.ctx.prec, start)
        while len(known) <= last:
            v = self._row(v) if matrix is None else v * matrix
            known.append(v[0] if matrix is None else v[0, 0])
        self._hops[flint.ctx.prec] = (v, known)
        return known[: last + 1]

    def exact_hops(self, last: int) -> list[Fraction] | None:
        """a_0 … a_last as rationals; None where the kernel is not rational."""
        if self._exact is None:
            return None
        unit = [to_flint(0)] * (self.size - 1) + [to_flint(1)]
        v, known = self._walk or (unit, [from_flint(unit[0])])
        while len(known) <= last:
            v = self._exact.row(v)
            known.append(from_flint(v[0]))
        self._walk = (v, known)
        return known[: last + 1]

    def row(self, v: list[Ball]) -> list[Ball]:
        """vA for a row v of n balls, at the current precision."""
        matrix = self._matrix()
        if matrix is None:
            return self._row(v)
        return list((flint.arb_mat(1, self.size, v) * matrix).entries())

    def _matrix(self) -> Any:
        if flint.ctx.prec not in self._matrices:
            self._matrices[flint.ctx.prec] = self._dense()
        return self._matrices[flint.ctx.prec]


class SoftmaxKernel(SharedKernel):
    """The average of ALiBi heads without content, for n positions: every A_ij with j ≤ i is positive.

    slopes : (heads,) rationals in [0, 700], or floats, taken as the rationals they are; (0,) is the uniform kernel.
    """

    def __init__(self, slopes: Sequence[Number], n: int) -> None:
        self.slopes = tuple(rational(m, "slopes") for m in slopes)
        if not self.slopes:
            raise flag("slopes", "be at least one number", "none")
        for slope in self.slopes:
            if not 0 <= slope <= SLOPE_LIMIT:
                raise refusal("slopes", f"lie in [0, {SLOPE_LIMIT:g}]", slope)
        super().__init__(n, ExactPrefix((1,) * positions(n)) if max(self.slopes) == 0 else None)
        heads = [BallAlibi(m) for m in self.slopes]
        self._ball = heads[0] if len(heads) == 1 else BallAverage(heads)
        self._fits = len(heads) >= DENSE_HEADS and n * n * len(heads) <= DENSE_WORK

    @property
    def still(self) -> None:
        return None

    @property
    def longest(self) -> int | None:
        return 0 if self.size == 1 else None

    @property
    def waits(self) -> int | None:
        return 2 if self.size > 1 else None

    @property
    def cost(self) -> float:
        return _dense_cost(self.size) if self._fits else 3.0 * self.size * len(self.slopes)

    @property
    def bits(self) -> int:
        return 2 * self.size  # lcm(1, …, n) < 4^n; only the uniform kernel is rational

    def leave(self) -> Ball:
        row = self._ball.row([to_ball(0)] * (self.size - 1) + [to_ball(1)])
        return sum(row[:-1], to_ball(0))

    def end(self) -> Ball:
        return to_ball(1)

    def _row(self, v: list[Ball]) -> list[Ball]:
        return self._ball.row(v)

    def _dense(self) -> Any:
        """A_ij = Σ_h (α_h / Z_{h,i}) q_h^{i−j}: for every row and distance at once, a product of two matrices."""
        if not self._fits:
            return None
        n, heads = self.size, len(self.slopes)
        powers = [_powers((-to_ball(m)).exp(), n) for m in self.slopes]
        shares = [[1 / (heads * z) for z in accumulate(row)] for row in powers]
        by_distance = flint.arb_mat(n, heads, [shares[h][i] for i in range(n) for h in range(heads)])
        by_distance *= flint.arb_mat(heads, n, [x for row in powers for x in row])
        entries = by_distance.entries()
        zero = to_ball(0)
        return flint.arb_mat(n, n, [entries[i * n + i - j] if j <= i else zero for i in range(n) for j in range(n)])


class RationalKernel(SharedKernel):
    """A causal kernel given by its rows, square tuples of rationals with sum exactly 1."""

    def __init__(self, rows: Rows) -> None:
        kernel = ExactDense(rows)
        super().__init__(kernel.size, kernel)
        self.rows: Sequence[Sequence[Number]] = kernel.rows

    @property
    def still(self) -> int | None:
        return next((i for i, row in enumerate(self.rows[1:], start=2) if row[i - 1] == 1), None)

    @property
    def waits(self) -> int | None:
        return next((i for i, row in enumerate(self.rows[1:], start=2) if row[i - 1] > 0), None)

    @property
    def longest(self) -> int | None:
        if self.waits is not None:
            return None
        paths = [0]
        for i, row in enumerate(self.rows[1:], start=1):
            paths.append(1 + max(paths[j] for j in range(i) if row[j] != 0))
        return max(paths)

    @property
    def cost(self) -> float:
        return _dense_cost(self.size)

    @property
    def bits(self) -> int:
        return math.lcm(*{Fraction(x).denominator for row in self.rows for x in row}).bit_length()

    def leave(self) -> Ball:
        return to_ball(1 - Fraction(self.rows[-1][-1]))

    def end(self) -> Ball:
        if self.still is None:
            return to_ball(1)
        ends = [to_ball(1)]
        for i, row in enumerate(self.rows[1:], start=1):
            reached = sum((to_ball(row[j]) * ends[j] for j in range(i) if row[j] != 0), to_ball(0))
            ends.append(to_ball(0) if row[i] == 1 else reached / to_ball(1 - Fraction(row[i])))
        return ends[-1]

    def _row(self, v: list[Ball]) -> list[Ball]:
        raise NotImplementedError  # rows of numbers have no recursion

    def _dense(self) -> Any:
        return flint.arb_mat(self.size, self.size, [to_ball(x) for row in self.rows for x in row])


def _powers(q: Ball, n: int) -> list[Ball]:
    """1, q, …, q^{n−1}."""
    return list(accumulate(range(1, n), lambda x, _: x * q, initial=to_ball(1)))


def _dense_cost(n: int) -> float:
    return 0.04 * n * n + 5
