"""One entry of e_n E[A^K] for one lazy-prefix kernel in all layers, every term positive, any n and T: U6.

    A_ij = β_i w_j (j < i),   A_ii = θ_i,   b_i = β_i w_i
    p_j = A_nj Σ_{k≥1} P(K = k) y_k(j),  j < n,   y_1 = 1,   y_{k+1}(j) = θ_j y_k(j) + Σ_{j<i<n} b_i y_k(i) + θ_n^k
    p_n = Σ_k P(K = k) θ_n^k = Π_t (1 − λ_t + λ_t θ_n)

since (A^k)_nj = A_nj y_k(j) for j < n. A prefix kernel has θ_i = b_i = u_i = w_i/W_i and y_k(j) = h_{k−1}(u_j, …, u_n),
the complete homogeneous symmetric polynomial. O((n − j) T) steps, coincident nodes harmless. arXiv:2602.16837.

Every function here takes numbers of any kind: rationals, balls, mpmath's floats; in the last two nothing cancels. Long
rationals: numeric/exact_form.py. Not covered: several heads, a kernel per layer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from operator import mul
from typing import Any

from numeric.refuse import flag, rational, refusal
from numeric.schedule import Number

__all__ = ["AlibiRows", "LazyRows", "Nodes", "PrefixRows", "entry_of", "levels", "spike"]

Value = Any  # a Fraction, a ball or a float of mpmath
Reader = Callable[[Fraction], Value]  # a rational as a number of that kind


@dataclass(frozen=True)
class Nodes:
    """Positions j … n of a kernel: ``own`` = θ_j … θ_n, ``passed`` = b_j … b_n, ``reach`` = A_nj."""

    own: tuple[Value, ...]
    passed: tuple[Value, ...]
    reach: Value


class LazyRows(ABC):
    """A lazy-prefix kernel, whose numbers can be had of any kind."""

    @property
    @abstractmethod
    def size(self) -> int | None:
        """The only n the kernel is defined for, None where it is defined for every n."""

    @property
    @abstractmethod
    def exact(self) -> bool:
        """Whether all its entries are rationals."""

    @property
    def content(self) -> Number:
        """e, by which the diagonal weight is multiplied."""
        return Fraction(1)

    @abstractmethod
    def nodes(self, j: int, n: int, number: Reader, exp: Callable[[Value], Value]) -> Nodes:
        """What `levels` needs of positions j … n, counted from 1."""

    @abstractmethod
    def masses(self, n: int, number: Reader, exp: Callable[[Value], Value]) -> list[Value]:
        """w_1/w_n, …, w_n/w_n."""


@dataclass(frozen=True)
class PrefixRows(LazyRows):
    """A_ij = w_j / Z_i, A_ii = e w_i / Z_i, Z_i = W_{i−1} + e w_i. weights : (n,) rationals > 0, None: w = 1, every n.

    >>> [str(x) for x in PrefixRows((1, 2, 4)).nodes(1, 3, Fraction, NotImplemented).own]
    ['1', '2/3', '4/7']
    """

    weights: Sequence[Number] | None = None
    e: Number = Fraction(1)

    def __post_init__(self) -> None:
        if self.weights is not None:
            weights = tuple(rational(w, "weights") for w in self.weights)
            if not weights:
                raise flag("weights", "have at least one entry", "none")
            for at, w in enumerate(weights, start=1):
                if w <= 0:
                    raise refusal("weights", "be positive", w, f"entry {at}, counted from 1")
            object.__setattr__(self, "weights", weights)
        e = rational(self.e, "e")
        if e <= 0:
            raise refusal("e", "be positive", e)
        object.__setattr__(self, "e", e)

    @property
    def size(self) -> int | None:
        return None if self.weights is None else len(self.weights)

    @property
    def exact(self) -> bool:
        return True

    @property
    def content(self) -> Number:
        return self.e

    def nodes(self, j: int, n: int, number: Reader, exp: Callable[[Value], Value]) -> Nodes:
        w = [Fraction(1)] * n if self.weights is None else [Fraction(x) for x in self.weights]
        e, before = Fraction(self.e), list(accumulate(w[:-1], initial=Fraction(0)))
        rows = [(x, b + e * x) for x, b in zip(w[j - 1 :], before[j - 1 :], strict=True)]
        own = tuple(number(e * x / z) for x, z in rows)
        passed = own if e == 1 else tuple(number(x / z) for x, z in rows)
        return Nodes(own, passed, number(w[j - 1] / rows[-1][1]))

    def masses(self, n: int, number: Reader, exp: Callable[[Value], Value]) -> list[Value]:
        w = [Fraction(1)] * n if self.weights is None else [Fraction(x) for x in self.weights]
        return [number(x / w[-1]) for x in w]


@dataclass(frozen=True)
class AlibiRows(LazyRows):
    """A_ij = q^(i−j) / (1 + q + … + q^(i−1)), q = e^−m. slope : m, a rational of either sign; 0: uniform."""

    slope: Number

    def __post_init__(self) -> None:
        object.__setattr__(self, "slope", rational(self.slope, "slope"))

    @property
    def size(self) -> None:
        return None

    @property
    def exact(self) -> bool:
        return self.slope == 0

    def nodes(self, j: int, n: int, number: Reader, exp: Callable[[Value], Value]) -> Nodes:
        one, slope = number(Fraction(1)), Fraction(self.slope)
        q = one if slope == 0 else exp(number(-slope))
        rows = list(accumulate(range(1, n), lambda s, _: 1 + q * s, initial=one))
        own = tuple(1 / z for z in rows[j - 1 :])
        return Nodes(own, own, _power(q, n - j) / rows[-1])

    def masses(self, n: int, number: Reader, exp: Callable[[Value], Value]) -> list[Value]:
        one = number(Fraction(1))
        q = one if self.slope == 0 else exp(number(-Fraction(self.slope)))
        return list(accumulate(range(1, n), lambda power, _: power * q, initial=one))[::-1]


def _power(x: Value, k: int) -> Value:
    """x^k by squaring, in the order that all kinds of numbers share."""
    result, base = x * 0 + 1, x
    while k:
        if k & 1:
            result = result * base
        base, k = base * base, k >> 1
    return result


def levels(nodes: Nodes) -> Iterator[Value]:
    """y_1(j), y_2(j), … without an end, for j < n."""
    own, passed, last = nodes.own[:-1][::-1], nodes.passed[:-1][::-1], nodes.own[-1]
    plain = nodes.own is nodes.passed
    y, power = [last * 0 + 1] * len(own), last * 0 + 1
    while True:
        yield y[-1]
        power = power * last
        if plain:  # θ_i = b_i: each step serves twice
            y = list(accumulate(map(mul, own, y), initial=power))[1:]
            continue
        after, longer = power, []
        for theta, b, old in zip(own, passed, y, strict=True):
            longer.append(after + theta * old)
            after = after + b * old
        y = longer


def entry_of(nodes: Nodes, law: Iterable[Value]) -> Value:
    """A_nj Σ_{k≥1} P(K = k) y_k(j) for j < n; ``law`` holds P(K = 1), P(K = 2), …, as many as are to be summed.

    >>> third = Fraction(1, 3)
    >>> entry_of(PrefixRows().nodes(1, 3, Fraction, NotImplemented), [4 * third**2, third**2])
    Fraction(35, 162)
    """
    total = nodes.own[-1] * 0
    for share, y in zip(law, levels(nodes), strict=False):
        total = total + share * y
    return nodes.reach * total


def spike(last: Value, pairs: Iterable[tuple[Value, Value]]) -> Value:
    """p_n = Π_t (1 − λ_t + λ_t θ_n), from (λ_t, 1 − λ_t)."""
    product = last * 0 + 1
    for share, stay in pairs:
        product = product * (stay + share * last)
    return product
