"""p^(T) = e_n R_T ⋯ R_1 in rationals: the row recursion of `profile` with no rounding anywhere (flint's fmpq).

Kernels are prefix kernels with rational weights and a content factor e > 0 (e = e^d multiplies the diagonal weight),
head averages, and dense rational matrices. Theory S1, D4; arXiv:2602.16837.

Exact here: everything; a float that is passed in counts as the dyadic rational it is. Not covered: ALiBi with a real
slope, whose weights e^{mj} are irrational; give its weights as rationals q^{−j} instead.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from numeric.refuse import flag, positions, rational, refusal
from numeric.schedule import Mixing, Number, as_schedule

__all__ = ["ExactAverage", "ExactDense", "ExactKernel", "ExactPrefix", "exact_profile", "from_flint", "to_flint"]

Rational = Any  # flint.fmpq: the package has no types
Rows = Sequence[Sequence[Number]]


def to_flint(value: Number) -> Rational:
    """A Fraction (or integer, or the dyadic value of a float) as flint.fmpq."""
    from flint import fmpq

    ratio = rational(value, "value")
    return fmpq(ratio.numerator, ratio.denominator)


def from_flint(value: Rational) -> Fraction:
    """A flint.fmpq (or fmpz) as Fraction."""
    return Fraction(int(value.numerator), int(value.denominator))


class ExactKernel(ABC):
    """A causal kernel over the rationals, defined for one length ``size``."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of positions n."""

    @abstractmethod
    def row(self, v: list[Rational]) -> list[Rational]:
        """vA for a row v of n flint rationals."""

    def apply(self, v: Iterable[Number]) -> tuple[Fraction, ...]:
        """vA for a row v of n rationals, exactly."""
        given = [to_flint(x) for x in v]
        if len(given) != self.size:
            raise flag("v", f"have {self.size} entries", f"{len(given)} of them")
        return tuple(from_flint(x) for x in self.row(given))


@dataclass(frozen=True)
class ExactPrefix(ExactKernel):
    """A_ij = w_j / Z_i for j < i, A_ii = e w_i / Z_i, Z_i = W_{i−1} + e w_i.

    weights : (n,) rationals > 0, in the order of positions. e : rational > 0; e = 1 is no content.

    >>> ExactPrefix((1, 1, 2)).apply((0, 0, 1))
    (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))
    """

    weights: Sequence[Number]
    e: Number = Fraction(1)

    def __post_init__(self) -> None:
        weights = tuple(rational(w, "weights") for w in self.weights)
        if not weights:
            raise flag("weights", "have at least one entry", "none")
        for at, w in enumerate(weights, start=1):
            if w <= 0:
                raise refusal("weights", "be positive", w, f"entry {at}, counted from 1")
        e = rational(self.e, "e")
        if e <= 0:
            raise refusal("e", "be positive", e)
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "e", e)

    @property
    def size(self) -> int:
        return len(self.weights)

    def row(self, v: list[Rational]) -> list[Rational]:
        w = [to_flint(x) for x in self.weights]
        e, total = to_flint(self.e), sum(w, to_flint(0))
        out, later = [], to_flint(0)  # later = Σ_{i>j} v_i / Z_i
        for weight, mass in zip(reversed(w), reversed(v), strict=True):
            total -= weight
            share = mass / (total + e * weight)
            out.append(weight * (e * share + later))
            later += share
        return out[::-1]


@dataclass(frozen=True)
class ExactAverage(ExactKernel):
    """A = Σ_h α_h A_h.

    kernels : exact kernels of one size. head_weights : rationals ≥ 0 with sum exactly 1, or None (equal).
    """

    kernels: Sequence[ExactKernel]
    head_weights: Sequence[Number] | None = None

    def __post_init__(self) -> None:
        heads = tuple(self.kernels)
        if not heads or not all(isinstance(head, ExactKernel) for head in heads):
            raise refusal("kernels", "be a sequence with at least one exact kernel", self.kernels)
        if len({head.size for head in heads}) > 1:
            raise flag("kernels", "have one common length", "several")
        plain = [Fraction(1, len(heads))] * len(heads)
        alpha = tuple(rational(x, "head_weights") for x in (plain if self.head_weights is None else self.head_weights))
        if len(alpha) != len(heads):
            raise flag("head_weights", f"be one number per head ({len(heads)})", f"{len(alpha)} of them")
        if min(alpha) < 0 or sum(alpha) != 1:
            raise flag("head_weights", "be nonnegative with sum 1", f"minimum {min(alpha)}, sum {sum(alpha)}")
        object.__setattr__(self, "kernels", heads)
        object.__setattr__(self, "head_weights", alpha)

    @property
    def size(self) -> int:
        return self.kernels[0].size

    def row(self, v: list[Rational]) -> list[Rational]:
        assert self.head_weights is not None  # set by the constructor
        rows = [[to_flint(a) * x for x in k.row(v)] for a, k in zip(self.head_weights, self.kernels, strict=True)]
        return [sum(column, to_flint(0)) for column in zip(*rows, strict=True)]


@dataclass(frozen=True)
class ExactDense(ExactKernel):
    """A = rows, (n, n) rationals: A_ij ≥ 0, A_ij = 0 for j > i, every row sums to exactly 1."""

    rows: Rows

    def __post_init__(self) -> None:
        rows = tuple(tuple(rational(x, "rows") for x in row) for row in self.rows)
        if not rows or any(len(row) != len(rows) for row in rows):
            raise flag("rows", "be square with at least one row", f"rows of {sorted({len(row) for row in rows})}")
        for i, row in enumerate(rows, start=1):
            for j, x in enumerate(row, start=1):
                if x < 0 or (j > i and x != 0):
                    requirement = "be nonnegative" if x < 0 else "read no later position"
                    raise refusal("rows", requirement, x, f"row {i}, column {j}, counted from 1")
            if sum(row) != 1:
                raise refusal("rows", "sum to 1", sum(row), f"row {i}, counted from 1")
        object.__setattr__(self, "rows", rows)

    @property
    def size(self) -> int:
        return len(self.rows)

    def row(self, v: list[Rational]) -> list[Rational]:
        out = [to_flint(0)] * self.size
        for mass, row in zip(v, self.rows, strict=True):
            if mass != 0:
                out = [x + mass * to_flint(a) if a else x for x, a in zip(out, row, strict=True)]
        return out


def exact_profile(kernels: Sequence[ExactKernel | Rows], lam: Mixing, *, n: int) -> tuple[Fraction, ...]:
    """p_j = (R_T ⋯ R_1)_{nj}, exactly, as n Fractions.

    kernels : (T,) exact kernels or square tuples of rows, layer 1 first. lam : one number, a schedule, or (T,) numbers
    in [0, 1], taken as the rationals they are. n : length, at least 1. T = 0 gives e_n.

    >>> exact_profile([ExactPrefix((1, 1, 1))] * 2, Fraction(1, 2), n=3)
    (Fraction(23, 72), Fraction(17, 72), Fraction(4, 9))
    """
    if isinstance(kernels, ExactKernel) or not isinstance(kernels, (list, tuple)):
        raise refusal("kernels", "be a list with one kernel per layer", kernels)
    length = positions(n)
    layers = [k if isinstance(k, ExactKernel) else ExactDense(k) for k in kernels]
    for layer, kernel in enumerate(layers, start=1):
        if kernel.size != length:
            raise refusal("n", f"be {kernel.size}, the length of the kernel", length, f"layer {layer}")
    shares = [to_flint(x) for x in as_schedule(lam).exact(len(layers))]
    v = [to_flint(0)] * (length - 1) + [to_flint(1)]
    for kernel, share in zip(reversed(layers), reversed(shares), strict=True):
        if share != 0:
            v = [(1 - share) * x + share * y for x, y in zip(v, kernel.row(v), strict=True)]
    return tuple(from_flint(x) for x in v)
