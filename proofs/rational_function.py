"""Rational functions of a natural number, exactly: what they are at every number, and in the limit.

A quotient of polynomials with rational coefficients.  Whether it is nonnegative at every natural r is decided: beyond
Cauchy's bound on the roots of numerator and denominator the signs no longer change, and up to there each r is tried.

`TwoStep` is a sequence that is one rational function at the even numbers and one at the odd, such as (-1)^s.

`Logarithm` is q ln f of a positive f; its exponential f^q is again rational for an integer q.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from flint import fmpq, fmpq_poly

from proofs.case import OutsideTable

__all__ = ["Logarithm", "RationalFunction", "TwoStep", "exponential", "natural"]

_TRIED_AT_MOST = 100_000
_ONE = fmpq(1)


@dataclass(frozen=True, eq=False)
class RationalFunction:
    """``top / bottom``, a function of r = 0, 1, 2, ...; the denominator must not vanish there."""

    top: fmpq_poly
    bottom: fmpq_poly

    @classmethod
    def of(cls, value: RationalFunction | Fraction | fmpq | int) -> RationalFunction:
        """A number as a constant function."""
        if isinstance(value, RationalFunction):
            return value
        number = fmpq(value.numerator, value.denominator) if isinstance(value, Fraction) else fmpq(value)
        return cls(fmpq_poly([number]), fmpq_poly([1]))

    def at(self, s: int) -> fmpq:
        """The value at one natural number."""
        return self.top(fmpq(s)) / self.bottom(fmpq(s))

    def shifted(self, by: int) -> RationalFunction:
        """s -> f(s + by)."""
        moved = fmpq_poly([by, 1])
        return RationalFunction(self.top(moved), self.bottom(moved))

    # --- arithmetic -------------------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> RationalFunction:
        right = RationalFunction.of(other)
        return _reduced(self.top * right.bottom + right.top * self.bottom, self.bottom * right.bottom)

    def __mul__(self, other: Any) -> RationalFunction:
        right = RationalFunction.of(other)
        return _reduced(self.top * right.top, self.bottom * right.bottom)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> RationalFunction:
        return RationalFunction(-self.top, self.bottom)

    def __sub__(self, other: Any) -> RationalFunction:
        return self + (-RationalFunction.of(other))

    def __rsub__(self, other: Any) -> RationalFunction:
        return RationalFunction.of(other) - self

    def __truediv__(self, other: RationalFunction) -> RationalFunction:
        return self * RationalFunction(other.bottom, other.top)

    def __rtruediv__(self, other: Any) -> RationalFunction:
        return RationalFunction.of(other) * RationalFunction(self.bottom, self.top)

    def __bool__(self) -> bool:
        return int(self.top.degree()) >= 0

    # --- what it is -------------------------------------------------------------------------------------------------

    @property
    def order(self) -> int:
        """Degree of the numerator minus degree of the denominator; f(s) grows like s^order.  Not for 0."""
        return int(self.top.degree() - self.bottom.degree())

    @property
    def leading(self) -> fmpq:
        """The limit of f(s) / s^order."""
        return self.top[self.top.degree()] / self.bottom[self.bottom.degree()]

    def negative_at(self, *, strictly: bool = False) -> int | None:
        """The first natural s with f(s) < 0 (f(s) <= 0 for ``strictly``); None if there is none."""
        if not self:
            return 0 if strictly else None
        last = max(_beyond_roots(self.top), _beyond_roots(self.bottom))
        if last > _TRIED_AT_MOST:
            raise OutsideTable("the sign of a rational function changes too late to be followed")
        for s in range(last + 1):
            value = self.at(s)
            if value < 0 or (strictly and value == 0):
                return s
        return last + 1 if self.leading < 0 else None


@dataclass(frozen=True, eq=False)
class TwoStep:
    """s -> ``even`` at r for s = 2 r, ``odd`` at r for s = 2 r + 1."""

    even: RationalFunction
    odd: RationalFunction

    @classmethod
    def of(cls, value: TwoStep | Fraction | fmpq | int) -> TwoStep:
        """A number as a constant sequence."""
        if isinstance(value, TwoStep):
            return value
        constant = RationalFunction.of(value)
        return cls(constant, constant)

    @property
    def both(self) -> tuple[RationalFunction, RationalFunction]:
        """At the even numbers, at the odd."""
        return self.even, self.odd

    def at(self, s: int) -> fmpq:
        """The value at one natural number."""
        return self.both[s % 2].at(s // 2)

    def shifted(self, by: int) -> TwoStep:
        """s -> f(s + by), for by >= 0."""
        moved = self
        for _ in range(by):
            moved = TwoStep(moved.odd, moved.even.shifted(1))
        return moved

    def __add__(self, other: Any) -> TwoStep:
        right = TwoStep.of(other)
        return TwoStep(self.even + right.even, self.odd + right.odd)

    def __mul__(self, other: Any) -> TwoStep:
        right = TwoStep.of(other)
        return TwoStep(self.even * right.even, self.odd * right.odd)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> TwoStep:
        return TwoStep(-self.even, -self.odd)

    def __sub__(self, other: Any) -> TwoStep:
        return self + (-TwoStep.of(other))

    def __rsub__(self, other: Any) -> TwoStep:
        return TwoStep.of(other) - self

    def __rtruediv__(self, other: Any) -> TwoStep:
        top = TwoStep.of(other)
        return TwoStep(top.even / self.even, top.odd / self.odd)

    def __bool__(self) -> bool:
        return bool(self.even) or bool(self.odd)

    def negative_at(self, *, strictly: bool = False) -> int | None:
        """A natural s with f(s) < 0 (f(s) <= 0 for ``strictly``); None if there is none."""
        found = [f.negative_at(strictly=strictly) for f in self.both]
        places = [2 * r + parity for parity, r in enumerate(found) if r is not None]
        return min(places, default=None)


def natural(start: int = 0) -> TwoStep:
    """s -> start + s."""
    one = fmpq_poly([1])
    return TwoStep(RationalFunction(fmpq_poly([start, 2]), one), RationalFunction(fmpq_poly([start + 1, 2]), one))


@dataclass(frozen=True, eq=False)
class Logarithm:
    """``factor`` times ln of ``argument``, which is positive at every natural number."""

    argument: TwoStep | fmpq
    factor: fmpq = _ONE

    def __post_init__(self) -> None:
        if TwoStep.of(self.argument).negative_at(strictly=True) is not None:
            raise OutsideTable("ln of a value that is not positive")

    def __rmul__(self, factor: Any) -> Logarithm:
        if not isinstance(factor, (fmpq, int)):
            return NotImplemented
        return Logarithm(self.argument, self.factor * factor)


def exponential(value: Any) -> Any:
    """exp(q ln f) = f^q for an integer q, and exp 0 = 1; no other exponential is rational."""
    if isinstance(value, Logarithm) and value.factor.q == 1:
        power = prod([value.argument] * abs(int(value.factor.p)), start=_ONE)
        return power if value.factor.p >= 0 else 1 / power
    if isinstance(value, Logarithm) or value:
        raise OutsideTable("exp of what is no integer multiple of a logarithm")
    return _ONE


def _reduced(top: fmpq_poly, bottom: fmpq_poly) -> RationalFunction:
    common = top.gcd(bottom)
    return RationalFunction(top // common, bottom // common)


def _beyond_roots(polynomial: fmpq_poly) -> int:
    """Cauchy's bound: a natural number beyond which the polynomial does not vanish."""
    last = polynomial[polynomial.degree()]
    largest = max((abs(polynomial[k] / last) for k in range(polynomial.degree())), default=fmpq(0))
    return 1 + int(largest.ceil())
