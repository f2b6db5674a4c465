"""Long double arithmetic whose every rounding is known: at least 64 bits, unit roundoff u = 2^−bits.

NumPy's `longdouble` is the 80-bit format of x86 (64 bits) or binary128 (113 bits) where it is one, and then +, −, ×, ÷
round to nearest as IEEE 754 asks. That is all that is assumed: exponentials and powers never come from a library of
floats but from balls (flint), whose radius is proven. On other platforms it is float64, or a pair of doubles without
a fixed number of bits; there `extended_bits` says None, and whoever needs a proof takes balls throughout.

Counted here, as roundings of one factor 1 + δ, |δ| ≤ u, along each path from an input to a result: `from_balls` 2,
`backward_sums` 8P, `sums_before` 2P, `powers_before` 4L, with P = `pairings(n)` = ⌊log₂(n − 1)⌋ and L = `levels(n)` =
⌈log₂ n⌉. All inputs are ≥ 0, so nothing cancels. What underflows errs by less than 2^−16000 instead, which is bounded
where it matters, in `numeric.error_bound`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.ball_kernel import Ball
from numeric.recurrence import pairings, sums_from

__all__ = [
    "Extended",
    "backward_sums",
    "exact_sum",
    "extended_bits",
    "from_balls",
    "levels",
    "pairings",
    "powers_before",
    "sums_before",
]

Extended = NDArray[Any]  # of np.longdouble, whose width depends on the platform

_FORMATS = {63: 64, 112: 113}  # stored bits of the mantissa: the bits of the formats that are IEEE's
LEAST_EXPONENT = -16000  # a positive number below 2^−16000 may count as 0
_LIMB = 32


@cache
def extended_bits() -> int | None:
    """The bits of a long double mantissa, tried on this machine; None where it is no wider IEEE format."""
    bits = _FORMATS.get(np.finfo(np.longdouble).nmant)
    return bits if bits is not None and _rounds_to_nearest(bits) else None


def _rounds_to_nearest(bits: int) -> bool:
    """Whether sums keep ``bits`` bits, ties go to even, exponents reach far enough: a processor may be set not to."""
    one = np.ones(1, dtype=np.longdouble)
    unit = np.ldexp(one, 1 - bits)
    kept = (one + unit > one).all() and (one + unit / 2 == one).all()
    return bool(kept and (one + unit + unit / 2 == one + 2 * unit).all() and (np.ldexp(one, LEAST_EXPONENT) > 0).all())


def levels(n: int) -> int:
    """L = ⌈log₂ n⌉, in integers."""
    return (n - 1).bit_length()


# --- from balls -----------------------------------------------------------------------------------------------------


def from_balls(values: Callable[[], Sequence[Ball]], bits: int) -> Extended:
    """Positive numbers x as long doubles x̂ = x (1 + δ), |δ| < (1 + 2^−7) 2^−bits: at most two roundings.

    values : makes balls around the numbers at flint's current precision; it is called again with twice the bits until
    every one is known to bits + 8 of them, or to be below 2^−16000: such a number becomes 0.
    """
    from numeric.ball import precision

    prec = 2 * bits
    while True:
        with precision(prec):
            parts = [_mantissa(ball, bits) for ball in values()]
        if None not in parts:
            return _assembled([part for part in parts if part is not None], bits)
        prec *= 2


def _mantissa(ball: Ball, bits: int) -> tuple[int, int] | None:
    """(m, e) with m 2^e the midpoint rounded to nearest, m ≤ 2^bits; None where the ball is too wide."""
    from flint import arb

    if ball.abs_upper() < arb(2) ** LEAST_EXPONENT:
        return 0, 0
    if ball.rel_accuracy_bits() < bits + 8:
        return None
    mantissa, exponent = (int(x) for x in ball.mid().man_exp())
    surplus = mantissa.bit_length() - bits
    if surplus > 0:
        mantissa, exponent = (mantissa + (1 << (surplus - 1))) >> surplus, exponent + surplus
    return mantissa, exponent


def _assembled(parts: list[tuple[int, int]], bits: int) -> Extended:
    """m 2^e for every pair: limbs of 32 bits from the top, every partial sum a long double exactly."""
    exponents = np.array([e for _, e in parts], dtype=np.int64)
    total = np.zeros(len(parts), dtype=np.longdouble)
    for place in reversed(range(bits // _LIMB + 1)):
        limb = [float((m >> (_LIMB * place)) & (2**_LIMB - 1)) for m, _ in parts]
        total += np.ldexp(np.array(limb, dtype=np.longdouble), exponents + _LIMB * place)
    return total


def exact_sum(values: Sequence[float]) -> Fraction:
    """Σ x, without rounding."""
    return sum(map(Fraction, values), Fraction(0))


# --- recurrences ----------------------------------------------------------------------------------------------------


def backward_sums(x: Extended, powers: Sequence[Extended]) -> Extended:
    """u[h, j] = Σ_{i>j} q_h^{i−j−1} x[h, i].

    x : (heads, n), powers : q^(2^k) as (heads, 1), k = 0 … P − 1 at least; returns (heads, n). Each of P levels
    multiplies (2 roundings of the power, 1) and adds (1) on the way down and on the way up: 8P.
    """
    return sums_from(x, powers)


def powers_before(powers: Sequence[Extended], n: int) -> Extended:
    """S[h, i] = Σ_{r<i} q_h^r, i = 0 … n − 1, n ≥ 2, by S_{w+r} = S_w + q^w S_r for w = 1, 2, 4, …: 4L roundings."""
    s = np.zeros((len(powers[0]), n), dtype=powers[0].dtype)
    s[:, 1:2] = 1.0
    for k, power in enumerate(powers):
        w = 1 << k
        end = min(2 * w, n - 1)
        if end > w:
            s[:, w + 1 : end + 1] = s[:, w : w + 1] + power * s[:, 1 : end - w + 1]
    return s


def sums_before(x: Extended) -> Extended:
    """Σ_{l<k} x_l for k = 0 … n − 1, x : (n,): q = 1 is exact, so that 2P roundings remain."""
    ones = [np.ones((1, 1), dtype=x.dtype)] * pairings(x.size)
    return np.asarray(backward_sums(x[None, ::-1], ones)[0, ::-1])
