"""The law of K for one entry: Poisson-binomial of a schedule (theory C1), or Poisson at continuous depth (theory C2).

Exact here: the λ_t, where they are rationals. Not covered: the probabilities of other laws; see `numeric.hop_laws`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

from numeric.hop_count import quantile
from numeric.refuse import rational, refusal
from numeric.schedule import Continued, Power, Schedule

__all__ = ["MOST_DEPTH", "Depth", "Law", "Layers", "poisson_terms", "rule_of"]

MOST_DEPTH = 10_000
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
        """λ_1 … λ_T as rationals, None where the rule is irrational."""
        rule = rule_of(self.lam)
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


def rule_of(lam: Schedule) -> Schedule:
    """What gives λ_t behind a list."""
    return lam.rule if isinstance(lam, Continued) else lam


def poisson_terms(terms: int, depth: Value, none: Value) -> list[Value]:
    """P(K = 1) … P(K = terms) of Poisson(S), from S and P(K = 0) = e^−S as numbers of one kind."""
    return list(accumulate(range(1, terms + 1), lambda p, k: p * depth / k, initial=none))[1:]
