"""The law of K for one entry: Poisson-binomial of a schedule (C1), or Poisson at continuous depth (C2).

Exact here: the λ_t, where they are rationals. Not covered: the probabilities of other laws; see `numeric.hop_laws`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any

from numeric.hop_count import quantile
from numeric.hops import poisson_binomial
from numeric.refuse import rational, refusal
from numeric.schedule import Continued, Geometric, Number, Power, Schedule

__all__ = ["MOST_DEPTH", "Depth", "Law", "Layers", "hop_probabilities", "poisson_terms", "rule_of", "split_shares"]

MOST_DEPTH = 10_000
_MOST_BITS = 4e6  # of all λ_t of a geometric rule together; their product is half as long
Value = Any  # a ball or a float of mpmath


@dataclass(frozen=True)
class Layers:
    """K of T layers that attend with λ_1 … λ_T each: ``lam`` a schedule, ``layers`` = T."""

    lam: Schedule
    layers: int

    @property
    def steps(self) -> int:
        """The largest K."""
        return self.layers

    def shares(self) -> tuple[Fraction, ...] | None:
        """λ_1 … λ_T as rationals, None where the rule is irrational or its powers are too long."""
        return self._shares

    @cached_property
    def _shares(self) -> tuple[Fraction, ...] | None:
        rule = rule_of(self.lam)
        if isinstance(rule, Geometric) and self.layers**2 * _bits(rule.r) > _MOST_BITS:
            return None
        if isinstance(rule, Power) and (Fraction(rule.beta).denominator != 1 or abs(Fraction(rule.beta)) > 1000):
            return None
        return self.lam.exact(self.layers)


@dataclass(frozen=True)
class Depth:
    """K ~ Poisson(S), ``depth`` = S, a rational in [0, 10000]."""

    depth: Fraction

    def __post_init__(self) -> None:
        depth = rational(self.depth, "depth")
        if not 0 <= depth <= MOST_DEPTH:
            raise refusal("depth", f"lie in [0, {MOST_DEPTH}]", depth)
        object.__setattr__(self, "depth", depth)

    @property
    def steps(self) -> int:
        """About as many K are summed."""
        return quantile(float(self.depth), 256)


Law = Layers | Depth


def _bits(x: Number) -> int:
    return Fraction(x).numerator.bit_length() + Fraction(x).denominator.bit_length()


def rule_of(lam: Schedule) -> Schedule:
    """What gives λ_t behind a list."""
    return lam.rule if isinstance(lam, Continued) else lam


def split_shares(
    law: Layers, shares: Sequence[Value], number: Callable[[Fraction], Value]
) -> list[tuple[Value, Value]]:
    """(λ_t, 1 − λ_t) of the layers that can attend, from ``shares``, the λ_t as rounded numbers of one kind.

    1 − λ_t is rounded from the rational it is: subtracted from 1, a λ_t near 1 would leave no digit of it.
    """
    exact = law.shares()
    if exact is None:
        return [(x, 1 - x) for x in shares]
    return [(x, number(1 - share)) for x, share in zip(shares, exact, strict=True) if share]


def hop_probabilities(pairs: Sequence[tuple[Value, Value]], zero: Value) -> tuple[Value, ...]:
    """P(K = 0), P(K = 1), … from (λ_t, 1 − λ_t); ``zero`` is 0 as a number of their kind."""
    return poisson_binomial([x for x, _ in pairs], zero, [x for _, x in pairs])


def poisson_terms(terms: int, depth: Value, none: Value) -> list[Value]:
    """P(K = 1) … P(K = terms) of Poisson(S), from S and P(K = 0) = e^−S as numbers of one kind."""
    return list(accumulate(range(1, terms + 1), lambda p, k: p * depth / k, initial=none))[1:]
