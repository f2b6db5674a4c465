"""The sign of a polynomial on a box whose sides are intervals of exponents: subdivided until decided, or up to a cap.

A side is low <= x <= high for a variable e^x - 1 (low >= 0) or e^x, so every variable is >= 0 and the bounds of
ratio.py apply.  Exact here: the ends of sides (rationals) and the halving.  Balls here: the corners, at the precision
that flint has.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from fractions import Fraction

from proofs.ratio import Ball, Corner, Poly, lower_bound

__all__ = ["Box", "Found", "Side", "decide"]


@dataclass(frozen=True)
class Side:
    """The values e^x, or e^x - 1 where ``shifted``, for low <= x <= high."""

    name: str
    low: Fraction
    high: Fraction
    shifted: bool

    def __post_init__(self) -> None:
        if self.shifted and self.low < 0:
            raise ValueError(f"Argument 'low' must be at least 0 for a shifted side, not {self.low}.")

    def __str__(self) -> str:
        return f"{self.name} in [{self.low}, {self.high}]"

    @property
    def width(self) -> Fraction:
        return self.high - self.low

    def halves(self) -> tuple[Side, Side]:
        """Left and right of the middle, which both contain."""
        middle = (self.low + self.high) / 2
        return replace(self, high=middle), replace(self, low=middle)

    def value(self, x: Fraction) -> Ball:
        """The variable at x, enclosed."""
        from flint import arb, fmpq

        at = arb(fmpq(x.numerator, x.denominator))
        return at.expm1() if self.shifted else at.exp()

    def inner(self) -> tuple[Fraction, Fraction]:
        """Two rationals, in order, strictly between e^low and e^high."""
        from flint import arb, fmpq

        low, high = (arb(fmpq(x.numerator, x.denominator)).exp() for x in (self.low, self.high))
        least, most = _rational(low.upper()), _rational(high.lower())
        gap = (most - least) / 4
        if gap <= 0:
            raise ValueError("Argument 'side' must be wider than the precision.")
        return _simple(least + gap, gap / 2), _simple(most - gap, gap / 2)


Box = tuple[Side, ...]


@dataclass(frozen=True)
class Found:
    """holds (P >= 0 on the whole box), fails (P < 0 on the whole of ``box``) or undecided (on ``box``, at the cap)."""

    verdict: str
    boxes: int
    box: Box = ()


def decide(poly: Poly, box: Box, *, cap: int, strict: bool = False) -> Found:
    """Whether P >= 0 on the box (P > 0 where ``strict``), after looking at ``cap`` boxes at most.

    Broad first, so a region where P fails is found whether or not the boundary of it can be decided.
    """
    waiting, looked, degrees = deque([box]), 0, poly.degrees()
    while waiting:
        if looked == cap:
            return Found("undecided", looked, waiting[0])
        here = waiting.popleft()
        looked += 1
        low, high = (_corner(here, degrees, top) for top in (False, True))
        if _at_least(lower_bound(poly, low, high), strict):
            continue
        if _at_least(lower_bound(poly, low, high, -1), not strict):
            return Found("fails", looked, here)
        widths = [side.width if degree else Fraction(0) for side, degree in zip(here, degrees, strict=True)]
        at = widths.index(max(widths))
        if not widths[at]:  # a point or a constant: no smaller box would tell more
            return Found("undecided", looked, here)
        waiting.extend((*here[:at], half, *here[at + 1 :]) for half in here[at].halves())
    return Found("holds", looked)


def _at_least(bound: Ball, strict: bool) -> bool:
    return bool(bound > 0 if strict else bound >= 0)


def _corner(box: Box, degrees: tuple[int, ...], top: bool) -> Corner:
    """The values of all variables at the least or the largest corner, with the powers that P has."""
    from flint import arb

    powers = []
    for side, degree in zip(box, degrees, strict=True):
        known = [arb(1)]
        x = side.value(side.high if top else side.low)
        while len(known) <= degree:
            known.append(known[-1] * x)
        powers.append(known)
    return Corner(powers)


def _rational(ball: Ball) -> Fraction:
    """The midpoint of a ball without radius."""
    mantissa, exponent = ball.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _simple(value: Fraction, within: Fraction) -> Fraction:
    """A rational with a small denominator, at most so far away."""
    limit = 1
    while abs(value.limit_denominator(limit) - value) > within:
        limit *= 2
    return value.limit_denominator(limit)
