"""How fast the mass moves to token 1: bounds from single rows, for any stack of causal kernels.

    γ_t, Γ_t = min, max over i ≥ 2 of J_t(i)/(i−1)      (n−1) Π (1 − λ_tΓ_t) ≤ E[pos] − 1 ≤ (n−1) Π (1 − λ_tγ_t)   (I7)
    1 − P_n1 ≤ E[pos] − 1 ≤ (n−1) Π (1 − λ_tγ_t)                                                                   (I7)
    s_t, S_t = min, max over i ≥ 2 of A^(t)_i1          Π (1 − λ_tS_t) ≤ 1 − P_n1 ≤ Π (1 − λ_ts_t)                 (I8)
    ε = min over t, i ≥ 2 of 1 − A^(t)_ii               1 − P_n1 ≤ P[PB(ελ_1, …, ελ_T) ≤ n − 2]                    (I5)
    no layer reads further than r positions back        1 − P_n1 ≥ P[PB(λ_t max_i δ_{t,i}) < ⌈(n−1)/r⌉]            (I8)

T = 0 gives e_n: E[pos] = n, and P_n1 = 0 where n ≥ 2. Numeric here: every bound is moved outward by the error that
`row_facts` and the arithmetic may have made, so it holds for the kernels and λ as the floats they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numeric.hops import hop_law
from numeric.kernel import Kernel
from numeric.once import once
from numeric.profile import checked_stack
from numeric.row_facts import Extremes, row_facts
from numeric.schedule import Mixing

__all__ = ["Bounds", "Speed", "speed"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Bounds:
    """lo ≤ the true value ≤ hi."""

    lo: float
    hi: float


@dataclass(frozen=True)
class Speed:
    """mean_position : of E[pos], counted from 0, by I7. away : of 1 − P_n1 by I5, I7 and I8, 0 or 1 where one says
    nothing. upper, lower : the statement whose bound on 1 − P_n1 is the sharpest.
    """

    mean_position: Bounds
    away: dict[str, Bounds]

    @property
    def upper(self) -> str:
        """Which bound from above is the least."""
        return min(self.away, key=lambda name: self.away[name].hi)

    @property
    def lower(self) -> str:
        """Which bound from below is the greatest."""
        return max(self.away, key=lambda name: self.away[name].lo)

    def loosened(self, defect: float, layers: int) -> Speed:
        """For kernels whose rows sum to 1 ± defect, where these bounds are for the rows divided by their sums.

        Every path through T layers weighs between (1 − defect)^T and (1 + defect)^T times what it does there.
        """
        low, high = (1 - defect) ** layers * (1 - 1e-12), (1 + defect) ** layers * (1 + 1e-12)
        mean = Bounds(self.mean_position.lo * low, self.mean_position.hi * high)
        away = {name: Bounds(max(0.0, 1 - (1 - x.lo) * high), 1 - (1 - x.hi) * low) for name, x in self.away.items()}
        return Speed(mean, away)


def speed(kernels: Sequence[Kernel], lam: Mixing, *, n: int) -> Speed:
    """The bounds for row n of the stack; arguments as for `numeric.profile`. Raises InputError likewise.

    >>> from numeric.kernel import Uniform
    >>> found = speed([Uniform()] * 2, 1.0, n=5)  # (n − 1) (1 − λ/2)^T = 1 exactly
    >>> found.mean_position.lo <= 1 <= found.mean_position.hi
    True
    """
    layers, mixing = checked_stack(kernels, lam, n)
    if n == 1:
        none = Bounds(0.0, 0.0)
        return Speed(none, dict.fromkeys(("I5", "I7", "I8"), none))
    shares = once(lambda kernel: Extremes.of(row_facts(kernel, n)), layers)
    slow, fast = (_left([getattr(x, name) for x in shares], mixing) for name in ("most_jump", "least_jump"))
    mean = Bounds((n - 1) * slow.lo, min(n - 1.0, (n - 1) * fast.hi))
    least, most = (_left([getattr(x, name) for x in shares], mixing) for name in ("most_first", "least_first"))
    sink = Bounds(max(least.lo, _too_far(shares, mixing, n)), most.hi)
    away = {"I5": Bounds(0.0, _too_few(shares, mixing, n)), "I7": Bounds(0.0, min(1.0, mean.hi)), "I8": sink}
    return Speed(mean, away)


def _left(shares: list[float], mixing: FloatArray) -> Bounds:
    """Π (1 − λ_t x_t), outward: a factor errs by at most 2^−52 absolutely, the product by a rounding a layer."""
    moved = mixing * np.array(shares, dtype=np.float64)
    factors = (1 - moved)[moved > 0]  # the others are exactly 1
    room = 1 + (factors.size + 2) * 2.0**-52 if factors.size else 1.0
    low, high = np.maximum(factors - 2.0**-52, 0.0).prod(), np.minimum(factors + 2.0**-52, 1.0).prod()
    return Bounds(float(low) / room, min(1.0, float(high) * room))


def _too_few(shares: list[Extremes], mixing: FloatArray, n: int) -> float:
    """P[PB(ελ_1, …, ελ_T) ≤ n − 2], from above."""
    epsilon = min((x.least_leave for x in shares), default=0.0)
    return min(1.0, float(hop_law(epsilon * mixing)[: n - 1].sum()) * _law_error(len(shares)))


def _too_far(shares: list[Extremes], mixing: FloatArray, n: int) -> float:
    """P[PB(λ_t max_i δ_{t,i}) < ⌈(n−1)/r⌉], from below; Π (1 − λ_t max_i δ_{t,i}) where a layer reads everything.

    Weights below 1e−300 may count as not read (`row_facts`): of the n T of a path they take less than 1e−280.
    """
    reach = max((x.reach for x in shares), default=0)
    hops = n - 1 if reach == 0 else -(-(n - 1) // reach)
    leave = np.array([x.most_leave for x in shares], dtype=np.float64)
    return max(0.0, min(1.0, float(hop_law(leave * mixing)[:hops].sum()) / _law_error(len(shares))) - 1e-280)


def _law_error(layers: int) -> float:
    """What the sum of a law may be off by, as a factor: see `numeric.hops`."""
    return 1 + (6 * layers + 4) * 2.0**-53
