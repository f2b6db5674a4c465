"""What a ball contains, decided in rationals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

__all__ = ["contains", "fraction"]


def fraction(point: Any) -> Fraction:
    """A ball of radius 0 as the rational it is."""
    mantissa, exponent = point.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def contains(ball: Any, value: Fraction) -> bool:
    """|value − midpoint| ≤ radius in rationals; arb.contains would round the value to the global precision first."""
    return abs(value - fraction(ball.mid())) <= fraction(ball.rad())
