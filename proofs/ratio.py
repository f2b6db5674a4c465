"""Rational functions N / prod f_i^{e_i} with integer coefficients, and their bounds on boxes of positive variables.

Denominators stay products of factors, so a sum needs no greatest common divisor.  For a variable v

    d(N / prod f_i^{e_i}) / dv  =  S / prod f_i^{e_i + 1},
    S  =  N' prod f_i - N sum_i e_i f_i' prod_{j != i} f_j,

the products in S over the factors that depend on v.  Where the factors are positive, the sign is that of S.

Bounds: a monomial is nondecreasing in variables >= 0.  So on the box low <= x <= high a polynomial, split by the signs
of its coefficients into P - M, lies between P(low) - M(high) and P(high) - M(low).

Exact here: the polynomials (flint's fmpz_mpoly); a bound is a ball (flint's arb) around the value at a corner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

__all__ = ["Ball", "Corner", "Poly", "Ratio", "Ring", "lower_bound"]

Poly = Any  # flint.fmpz_mpoly: the package has no types
Ball = Any  # flint.arb


@dataclass
class Ring:
    """Polynomials in named variables, and the factors that denominators are made of."""

    names: tuple[str, ...]
    factors: list[Poly] = field(default_factory=list)

    def __post_init__(self) -> None:
        from flint import Ordering, fmpz_mpoly_ctx

        self.context = fmpz_mpoly_ctx.get(self.names, Ordering.lex)

    def variables(self) -> list[Ratio]:
        """The variables, in the order of their names."""
        return [Ratio(self, x, {}) for x in self.context.gens()]

    def number(self, value: int | Fraction) -> Ratio:
        """A constant; its denominator is a factor like any other."""
        over = {} if value.denominator == 1 else {self.factor(self.context.constant(value.denominator)): 1}
        return Ratio(self, self.context.constant(value.numerator), over)

    def factor(self, poly: Poly) -> int:
        """The place of a polynomial among the factors."""
        for place, known in enumerate(self.factors):
            if known == poly:
                return place
        self.factors.append(poly)
        return len(self.factors) - 1

    def product(self, powers: Mapping[int, int]) -> Poly:
        """prod f_i^{e_i}."""
        return prod((self.factors[place] ** power for place, power in powers.items()), start=self.context.constant(1))


class Ratio:
    """numerator / prod f_i^{e_i}, with i -> e_i in ``over``; adds and multiplies, which is all that batch.py asks."""

    __slots__ = ("numerator", "over", "ring")

    def __init__(self, ring: Ring, numerator: Poly, over: Mapping[int, int]) -> None:
        self.ring, self.numerator, self.over = ring, numerator, over

    def __add__(self, other: Ratio | int | Fraction) -> Ratio:
        other = self._lifted(other)
        places = dict.fromkeys((*self.over, *other.over))
        over = {place: max(self.over.get(place, 0), other.over.get(place, 0)) for place in places}
        return Ratio(self.ring, self._raised(over) + other._raised(over), over)

    def __mul__(self, other: Ratio | int | Fraction) -> Ratio:
        other = self._lifted(other)
        places = dict.fromkeys((*self.over, *other.over))
        over = {place: self.over.get(place, 0) + other.over.get(place, 0) for place in places}
        return Ratio(self.ring, self.numerator * other.numerator, over)

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other: Ratio | int | Fraction) -> Ratio:
        return self + self._lifted(other) * -1

    def __rtruediv__(self, one: int) -> Ratio:
        """one / self, and 0 where self is 0, as in compiled.py."""
        if self.is_zero():
            return self
        return Ratio(self.ring, self.ring.product(self.over) * one, {self.ring.factor(self.numerator): 1})

    def is_zero(self) -> bool:
        """Whether it is 0 as a rational function."""
        return bool(self.numerator == 0)

    def slope(self, variable: int) -> Poly:
        """S above: the numerator of the derivative by a variable."""
        moving = {p: e for p, e in self.over.items() if self.ring.factors[p].degrees()[variable]}
        after = self.numerator.derivative(variable) * self.ring.product(dict.fromkeys(moving, 1))
        for place, power in moving.items():
            others = self.ring.product({other: 1 for other in moving if other != place})
            after -= self.numerator * self.ring.factors[place].derivative(variable) * others * power
        return after

    def _lifted(self, other: Ratio | int | Fraction) -> Ratio:
        return other if isinstance(other, Ratio) else self.ring.number(other)

    def _raised(self, over: Mapping[int, int]) -> Poly:
        """The numerator over a larger denominator."""
        more = {p: e - self.over.get(p, 0) for p, e in over.items() if e > self.over.get(p, 0)}
        return self.numerator * self.ring.product(more) if more else self.numerator


class Corner:
    """One corner of a box: for each variable the powers 0, 1, 2, ... of its value there, which is >= 0."""

    def __init__(self, powers: Sequence[Sequence[Ball]]) -> None:
        from flint import arb

        self.powers = powers
        self.seen: tuple[int, ...] = ()
        self.partial = [arb(1)] * (len(powers) + 1)  # the monomial last asked for, variable by variable

    def monomial(self, exponents: tuple[int, ...]) -> Ball:
        """prod x_v^{e_v}; terms come in lexical order, so mostly the last factors alone are new."""
        same = next((v for v, (e, f) in enumerate(zip(exponents, self.seen, strict=False)) if e != f), len(self.seen))
        for v in range(same, len(exponents)):
            e = exponents[v]
            self.partial[v + 1] = self.partial[v] * self.powers[v][e] if e else self.partial[v]
        self.seen = exponents
        return self.partial[-1]


def lower_bound(poly: Poly, low: Corner, high: Corner, sign: int = 1) -> Ball:
    """A ball whose lower end is at most ``sign`` times every value on the box, at flint's current precision."""
    from flint import arb

    total = arb(0)
    for exponents, coefficient in poly.terms():
        weight = sign * int(coefficient)
        total += weight * (low if weight > 0 else high).monomial(exponents)
    return total
