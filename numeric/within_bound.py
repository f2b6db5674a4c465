"""What a profile with proven error bounds proves: |p_j − x_j| ≤ b_j says which entry is larger, and encloses the mean
position and the Wasserstein distance of x.

x is any vector ≥ 0 within the bounds, taken relative to its own sum as `numeric.shape` and `numeric.order` do; p and b
come from `numeric.error_bound`. Exact here: every answer; what the bounds do not decide is left open.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from numeric.ball import precision
from numeric.ball_kernel import Ball, to_ball
from numeric.outward import above, below
from numeric.shape import Sign, exact_sign
from numeric.speed import Bounds

__all__ = ["mean_position_within", "sign_within", "wasserstein_within"]

FloatArray = NDArray[np.float64]
_BITS = 128


def sign_within(p: FloatArray, bound: FloatArray) -> Sign:
    """The sign of x_i − x_j, asked as sign(p_i, p_j); None where the bounds leave it open.

    Entries of p that are equal share the largest of their bounds. p_i − p_j > b_i + b_j is decided in float64 with the
    sum rounded up: rounding to nearest is monotone, so a difference that is not larger never rounds to a larger one.

    >>> sign = sign_within(np.array([1.0, 1.25]), np.array([0.0, 0.125]))
    >>> sign(1.25, 1.0), sign(1.0, 1.25), sign(1.25, 1.25)
    (1, -1, None)
    """
    largest: dict[float, float] = {}
    for x, b in zip(p.tolist(), bound.tolist(), strict=True):
        largest[x] = max(b, largest.get(x, 0.0))

    def sign(x: float, y: float) -> int | None:
        gap = largest[x] + largest[y]
        if gap == 0:
            return exact_sign(x, y)
        gap = float(np.nextafter(gap, np.inf))
        return 1 if x - y > gap else -1 if y - x > gap else None

    return sign


def mean_position_within(p: FloatArray, bound: FloatArray) -> Bounds:
    """[lo, hi] ∋ Σ_j j x_j / Σ_j x_j, j counted from 0, for p with a sum above that of the bounds."""
    with precision(_BITS):
        x = _balls(p, bound)
        mean = sum((j * y for j, y in enumerate(x)), to_ball(0)) / sum(x, to_ball(0))
        return Bounds(max(0.0, below(mean)), min(float(p.size - 1), above(mean)))


def wasserstein_within(p: FloatArray, bound: FloatArray, q: FloatArray, *, relative: bool = False) -> Bounds:
    """[lo, hi] ∋ W1(x, q) = Σ_k |F_x(k)/F_x(1) − F_q(k)/F_q(1)|, in positions. q : (n,) ≥ 0, taken exactly. relative :
    W1/(n − 1) instead, for n ≥ 2.
    """
    with precision(_BITS):
        first, second = _tails(_balls(p, bound)), _tails(_balls(q, np.zeros(q.size)))
        gaps = (abs(x / first[0] - y / second[0]) for x, y in zip(first[1:], second[1:], strict=True))
        distance = sum(gaps, to_ball(0)) / (p.size - 1 if relative else 1)
        return Bounds(max(0.0, below(distance)), above(distance))


def _balls(p: FloatArray, bound: FloatArray) -> list[Ball]:
    from flint import arb

    return [arb(x, b) for x, b in zip(p.tolist(), bound.tolist(), strict=True)]


def _tails(x: list[Ball]) -> list[Ball]:
    return list(accumulate(reversed(x)))[::-1]
