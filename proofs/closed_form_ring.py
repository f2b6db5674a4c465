"""Polynomials and quotients of them, exactly: numerators in Q[letters], denominators products of known irreducibles.

    a/D + b/E = (a M/D + b M/E) / M,  M the least common multiple of D and E

A letter is a symbol with its indices, A_{t,i,j} or λ_t. A denominator is kept as exponents of the ring's factors, which
are irreducible and distinct, so a quotient in lowest terms is found by division alone and is canonical.

Exact here: everything (flint's fmpq_mpoly). Not covered: denominators that are no product of the ring's factors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import compress
from typing import Any

__all__ = ["Letter", "Monomial", "Poly", "Quotient", "Ring", "Term", "Terms", "evaluated"]

Poly = Any  # flint.fmpq_mpoly: the package has no types
Exponents = dict[int, int]  # factor -> exponent, positive
Monomial = tuple[tuple[int, int], ...]  # (letter, exponent), letters ascending, exponents positive
Term = tuple[Fraction, Monomial]
Terms = Sequence[Term]  # by degree, then in the order of the letters


@dataclass(frozen=True)
class Letter:
    """A symbol: ``base`` is lambda, A, u, q or e, ``indices`` count from 1, the layer first where there is one."""

    base: str
    indices: tuple[int, ...] = ()


class Ring:
    """Q[letters] with denominators; the letters print in the order given."""

    def __init__(self, letters: Sequence[Letter]) -> None:
        from flint import Ordering, fmpq_mpoly_ctx

        self.letters = tuple(letters)
        names = tuple(f"x{k}" for k in range(len(self.letters)))
        self.context = fmpq_mpoly_ctx.get(names, Ordering.lex)
        self._gens = dict(zip(self.letters, self.context.gens(), strict=True))
        self.factors: list[Poly] = []

    def constant(self, value: Fraction | int) -> Poly:
        """A number as a polynomial."""
        from flint import fmpq

        return self.context.constant(fmpq(value.numerator, value.denominator))

    def letter(self, base: str, *indices: int) -> Poly:
        """The letter as a polynomial."""
        return self._gens[Letter(base, indices)]

    def factor(self, poly: Poly) -> int:
        """Enters an irreducible polynomial that may divide denominators; its number."""
        self.factors.append(poly)
        return len(self.factors) - 1

    def product(self, exponents: Exponents) -> Poly:
        """Π factor^exponent."""
        result = self.constant(1)
        for number, exponent in exponents.items():
            result *= self.factors[number] ** exponent
        return result

    def quotient(self, poly: Poly, below: Exponents | None = None) -> Quotient:
        """poly / Π factor^exponent."""
        return Quotient(self, poly, below or {})

    def terms(self, poly: Poly) -> Terms:
        """The terms of a polynomial in the order in which they print."""
        monomials, coefficients = poly.monoms(), poly.coeffs()
        # flint's order is that of the letters, higher powers of earlier ones first; sorting by degree leaves it so
        degrees = [int(sum(powers)) for powers in monomials]
        order = sorted(range(len(degrees)), key=degrees.__getitem__)
        places, most = range(len(self.letters)), max(degrees, default=0)
        pairs = [[(k, power) for power in range(most + 1)] for k in places]  # one object for each: rows are long
        return tuple(
            (
                _rational(coefficients[at]),
                tuple([pairs[k][int(monomials[at][k])] for k in compress(places, monomials[at])]),
            )
            for at in order
        )


def _rational(value: Any) -> Fraction:
    """A flint.fmpq as Fraction."""
    return Fraction(int(value.p)) if value.q == 1 else Fraction(int(value.p), int(value.q))


@dataclass(frozen=True)
class Quotient:
    """above / Π factor^below in a ring."""

    ring: Ring = field(repr=False)
    above: Poly
    below: Exponents

    def __add__(self, other: Quotient) -> Quotient:
        if self.below == other.below:
            return Quotient(self.ring, self.above + other.above, self.below)
        common = {k: max(self.below.get(k, 0), other.below.get(k, 0)) for k in {**self.below, **other.below}}
        return Quotient(self.ring, self._over(common) + other._over(common), common)

    def __mul__(self, other: Quotient) -> Quotient:
        below = {k: self.below.get(k, 0) + other.below.get(k, 0) for k in {**self.below, **other.below}}
        return Quotient(self.ring, self.above * other.above, below)

    def scaled(self, poly: Poly) -> Quotient:
        """The quotient times a polynomial."""
        return Quotient(self.ring, self.above * poly, self.below)

    def reduced(self) -> Quotient:
        """In lowest terms, which are unique: the factors are irreducible."""
        above, below = self.above, {}
        for number, exponent in self.below.items():
            left = exponent
            while left:
                whole, rest = divmod(above, self.ring.factors[number])
                if rest != 0:
                    break
                above, left = whole, left - 1
            if left and above != 0:
                below[number] = left
        return Quotient(self.ring, above, below)

    def is_one(self) -> bool:
        """Whether numerator and denominator are the same polynomial."""
        return bool(self.above == self.ring.product(self.below))

    def _over(self, common: Exponents) -> Poly:
        missing = {k: power - self.below.get(k, 0) for k, power in common.items()}
        return self.above * self.ring.product(missing) if any(missing.values()) else self.above


def evaluated(terms: Terms, letters: Sequence[Letter], values: Mapping[Letter, Fraction]) -> Fraction:
    """Σ coefficient · Π letter^exponent at rational values of the letters."""
    total = Fraction(0)
    for coefficient, monomial in terms:
        for k, power in monomial:
            coefficient = coefficient * values[letters[k]] ** power
        total += coefficient
    return total
