"""p^(T) = e_n R_T ⋯ R_1 in rationals: the row recursion of `profile` with no rounding anywhere (flint's integers).

    v = x/c, integers x_j over one denominator:  x ← ((q − p) f x + p y)/g,  c ← q f c/g,  λ_t = p/q, x A_t = y/f

with g the greatest common divisor of all of them. Adding fractions one by one takes a gcd for every addition instead.

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
from functools import cached_property, reduce
from itertools import accumulate
from math import lcm
from typing import Any

from numeric.refuse import flag, positions, rational, refusal
from numeric.schedule import Mixing, Number, as_schedule

__all__ = ["ExactAverage", "ExactDense", "ExactKernel", "ExactPrefix", "exact_profile", "from_flint", "to_flint"]

Rational = Any  # flint.fmpq: the package has no types
Integer = Any  # flint.fmpz
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
    def scaled_row(self, x: list[Integer]) -> tuple[list[Integer], Integer]:
        """(y, f) with xA = y/f, f > 0, for a row x of n flint integers."""

    def row(self, v: list[Rational]) -> list[Rational]:
        """vA for a row v of n flint rationals."""
        from flint import fmpq

        common = _common([x.q for x in v])
        y, f = self.scaled_row([x.p * (common // x.q) for x in v])
        return [fmpq(x, common * f) for x in y]

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

    def scaled_row(self, x: list[Integer]) -> tuple[list[Integer], Integer]:
        w, e = _over_common(self.weights)[0], to_flint(self.e)  # their common factor does not matter
        above, below = e.p, e.q
        before = accumulate(w[:-1], initial=w[0] * 0)
        z = [below * b + above * y for b, y in zip(before, w, strict=True)]  # Z_i times the denominators of e and w
        common = _common(z)
        shares = [y * (common // of) for y, of in zip(x, z, strict=True)]
        out, later = [], w[0] * 0  # later = Σ_{i>j} shares
        for weight, share in zip(reversed(w), reversed(shares), strict=True):
            out.append(weight * (above * share + later))
            later += below * share
        return out[::-1], common


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

    def scaled_row(self, x: list[Integer]) -> tuple[list[Integer], Integer]:
        assert self.head_weights is not None  # set by the constructor
        alpha, below = _over_common(self.head_weights)
        heads = [kernel.scaled_row(x) for kernel in self.kernels]
        common = _common([f for _, f in heads])
        rows = [[a * (common // f) * y for y in row] for a, (row, f) in zip(alpha, heads, strict=True)]
        return [sum(column[1:], column[0]) for column in zip(*rows, strict=True)], common * below


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

    def scaled_row(self, x: list[Integer]) -> tuple[list[Integer], Integer]:
        from flint import fmpz_mat

        matrix, factors, common = self.integers
        shares = fmpz_mat(1, self.size, [y * factor for y, factor in zip(x, factors, strict=True)])
        return (shares * matrix).entries(), common

    @cached_property
    def integers(self) -> tuple[Any, list[Integer], Integer]:
        """(M, f, d) with A_ij = M_ij f_i/d: a flint matrix of integers, a factor for each row, one denominator."""
        from flint import fmpz, fmpz_mat

        entries, below, n = [], [], self.size
        for i, row in enumerate(self.rows, start=1):
            ratios = [x.as_integer_ratio() for x in row[:i]]
            denominators = {q for _, q in ratios}
            common = lcm(*denominators)
            factors = {q: common // q for q in denominators}
            entries += [p * factors[q] for p, q in ratios] + [0] * (n - i)
            below.append(common)
        whole = lcm(*below)
        return fmpz_mat(n, n, entries), [fmpz(whole // d) for d in below], fmpz(whole)

    def __getstate__(self) -> dict[str, object]:
        """The rows alone: flint's objects cannot be pickled."""
        return {"rows": self.rows}


def exact_profile(kernels: Sequence[ExactKernel | Rows], lam: Mixing, *, n: int) -> tuple[Fraction, ...]:
    """p_j = (R_T ⋯ R_1)_{nj}, exactly, as n Fractions.

    kernels : (T,) exact kernels or square tuples of rows, layer 1 first. lam : one number, a schedule, or (T,) numbers
    in [0, 1], taken as the rationals they are. n : length, at least 1. T = 0 gives e_n.

    >>> exact_profile([ExactPrefix((1, 1, 1))] * 2, Fraction(1, 2), n=3)
    (Fraction(23, 72), Fraction(17, 72), Fraction(4, 9))
    """
    from flint import fmpq, fmpz

    if isinstance(kernels, ExactKernel) or not isinstance(kernels, (list, tuple)):
        raise refusal("kernels", "be a list with one kernel per layer", kernels)
    length = positions(n)
    layers = [k if isinstance(k, ExactKernel) else ExactDense(k) for k in kernels]
    for layer, kernel in enumerate(layers, start=1):
        if kernel.size != length:
            raise refusal("n", f"be {kernel.size}, the length of the kernel", length, f"layer {layer}")
    shares = [to_flint(x) for x in as_schedule(lam).exact(len(layers))]
    x, c = [fmpz(0)] * (length - 1) + [fmpz(1)], fmpz(1)
    for kernel, share in zip(reversed(layers), reversed(shares), strict=True):
        if share != 0:
            y, f = kernel.scaled_row(x)
            stay = (share.q - share.p) * f
            x, c = _lowest([stay * a + share.p * b for a, b in zip(x, y, strict=True)], share.q * f * c)
    return tuple(from_flint(fmpq(y, c)) for y in x)


def _lowest(x: list[Integer], c: Integer) -> tuple[list[Integer], Integer]:
    """The row x/c with as small integers as there are."""
    common = c
    for y in x:
        if common == 1:
            return x, c
        common = common.gcd(y)
    return [y // common for y in x], c // common


def _over_common(values: Sequence[Number]) -> tuple[list[Integer], Integer]:
    """(x, c) with values = x/c."""
    ratios = [to_flint(value) for value in values]
    common = _common([x.q for x in ratios])
    return [x.p * (common // x.q) for x in ratios], common


def _common(values: Sequence[Integer]) -> Integer:
    """The least common multiple of flint integers."""
    return reduce(lambda a, b: a.lcm(b), values)
