"""Two kernels that all layers may share besides ALiBi's: a sliding window, and any kernel with an attention sink.

    window   A_ij ∝ e^{−m (i−j)} for i − width < j ≤ i   vA by a running sum u_j = x_j + q u_{j+1} − q^width x_{j+width}
    sink     (1 − s) A + s e_1: every row gives token 1 the share s besides      v ↦ (1 − s) vA + s (Σ v) e_1

Theory I8. Balls (flint's arb) enclose every number; a running sum of a row with sum 1 loses n roundings absolutely.
Exact here: which rows stay, and where they can end. Not covered: content; windows of several heads.
"""

from __future__ import annotations

from itertools import accumulate

from numeric.ball_kernel import Ball, to_ball
from numeric.kernel import SLOPE_LIMIT
from numeric.refuse import integer, rational, refusal
from numeric.schedule import Number
from numeric.shared_kernel import SharedKernel

__all__ = ["SinkKernel", "WindowKernel"]


class WindowKernel(SharedKernel):
    """Each row reads itself and the width − 1 positions before it, with slope m, a rational in [0, 700].

    width : integer ≥ 1; at width ≥ n this is ALiBi with one head, at width 1 the identity.
    """

    def __init__(self, width: int, slope: Number, n: int) -> None:
        self.width, self.slope = integer(width, "width", 1), rational(slope, "slope")
        if not 0 <= self.slope <= SLOPE_LIMIT:
            raise refusal("slope", f"lie in [0, {SLOPE_LIMIT:g}]", slope)
        super().__init__(n, None)

    @property
    def still(self) -> int | None:
        return 2 if self.size > 1 and self.width == 1 else None

    @property
    def longest(self) -> int | None:
        return 0 if self.size == 1 else None

    @property
    def waits(self) -> int | None:
        return 2 if self.size > 1 else None

    @property
    def cost(self) -> float:
        return 3.0 * self.size

    @property
    def bits(self) -> int:
        return 2 * self.size

    def leave(self) -> Ball:
        return to_ball(0) if self.still else 1 - 1 / self._totals()[-1]

    def end(self) -> Ball:
        return to_ball(1 if self.still is None else 0)

    def _totals(self) -> list[Ball]:
        """Z_i = Σ_{d < min(i, width)} q^d for i = 1 … n."""
        q, reach = self._decay(), min(self.width, self.size)
        sums = list(accumulate(accumulate(range(1, reach), lambda x, _: x * q, initial=to_ball(1))))
        return sums + [sums[-1]] * (self.size - reach)

    def _decay(self) -> Ball:
        return (-to_ball(self.slope)).exp()

    def _row(self, v: list[Ball]) -> list[Ball]:
        q, width = self._decay(), self.width
        gone = q**width
        x = [a / z for a, z in zip(v, self._totals(), strict=True)]
        out, u = [to_ball(0)] * self.size, to_ball(0)
        for j in range(self.size - 1, -1, -1):
            u = x[j] + q * u
            if j + width < self.size:
                u -= gone * x[j + width]
            out[j] = u
        return out

    def _dense(self) -> None:
        return None


class SinkKernel(SharedKernel):
    """(1 − s) A + s e_1 for a shared kernel A and a rational s in (0, 1]."""

    def __init__(self, base: SharedKernel, share: Number) -> None:
        if not isinstance(base, SharedKernel):
            raise refusal("base", "be a shared kernel", base)
        self.base, self.share = base, rational(share, "share")
        if not 0 < self.share <= 1:
            raise refusal("share", "lie in (0, 1]", share)
        super().__init__(base.size, None)

    @property
    def still(self) -> None:
        return None

    @property
    def longest(self) -> int | None:
        if self.share == 1:
            return min(1, self.size - 1)
        return self.base.longest

    @property
    def waits(self) -> int | None:
        return None if self.share == 1 else self.base.waits

    @property
    def cost(self) -> float:
        return self.base.cost + 0.5 * self.size

    @property
    def bits(self) -> int:
        return self.base.bits + self.share.denominator.bit_length()

    def leave(self) -> Ball:
        if self.size == 1:
            return to_ball(0)
        return to_ball(self.share) + to_ball(1 - self.share) * self.base.leave()

    def end(self) -> Ball:
        return to_ball(1)

    def _row(self, v: list[Ball]) -> list[Ball]:
        moved = self.base.row(v)
        out = [to_ball(1 - self.share) * x for x in moved]
        out[0] += to_ball(self.share) * sum(v, to_ball(0))
        return out

    def _dense(self) -> None:
        return None
