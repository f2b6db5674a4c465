"""Balls and rationals as float64 numbers rounded outward: lower ends down, upper ends up, so that a proof survives.

Exact here: the side. A ball that is not finite has the ends −∞ and ∞.
"""

from __future__ import annotations

import math
from fractions import Fraction

from numeric.ball_kernel import Ball

__all__ = ["above", "below", "ceiling", "nearest"]

_FAR = 1200  # 2^−1200 is nearer to 0 than to any other float64


def below(ball: Ball) -> float:
    """The largest float64 that is at most the lower end of a ball."""
    return -_upper(-ball)


def above(ball: Ball) -> float:
    """The smallest float64 that is at least the upper end of a ball.

    >>> from flint import arb
    >>> above(arb(2) ** -2000), below(arb(2) ** -2000), above(-(arb(2) ** -2000))
    (5e-324, 0.0, -0.0)
    """
    return _upper(ball)


def ceiling(value: Fraction) -> float:
    """The smallest float64 that is at least a rational of the size of one."""
    near = float(value)
    return math.nextafter(near, math.inf) if near < value else near


def nearest(ball: Ball) -> float:
    """The midpoint of a finite ball, rounded to the nearest float64."""
    return float(_ratio(ball.mid()))


def _upper(ball: Ball) -> float:
    return ceiling(_ratio(ball.upper())) if ball.is_finite() else math.inf


def _ratio(point: Ball) -> Fraction:
    """A ball of radius 0 as the rational it is; what is below 2^−1200 in size as 2^−1200 with its sign."""
    mantissa, exponent = (int(x) for x in point.man_exp())
    if mantissa and mantissa.bit_length() + exponent < -_FAR:
        mantissa, exponent = (1 if mantissa > 0 else -1), -_FAR
    return Fraction(mantissa) * Fraction(2) ** exponent
