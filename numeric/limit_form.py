"""Decimals of the uniform kernel's limit n → ∞ at x = j/n, every digit right: U5, C3.

    U5   f(x) = Σ_{k=1}^T P(K = k) L^{k−1}/(k−1)!,   atom P(K = 0) = Π (1 − λ_t),   L = −ln x
    C3   f(x) = e^{−S} √(S/L) I_1(2 √(S L)) = e^{−S} Σ_{k≥1} S^k L^{k−1}/(k! (k−1)!),   atom e^{−S}

The sums are positive; C3's is cut where its terms have fallen below half of each before, so that the rest is at most
the last one. mpmath computes U5's sum, and C3 by its Bessel function, at two precisions. arXiv:2602.16837.

Exact here: balls enclose. Numeric here: mpmath, in `with`. Not covered: other kernels, x = 0 and x = 1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from numeric.ball import precision
from numeric.ball_kernel import Ball, to_ball
from numeric.decimal_form import MOST_DIGITS, ball_pairs, bits_for, decimals, proven
from numeric.entry_law import Depth, Law, Layers, hop_probabilities
from numeric.mpmath_form import float_pairs, of_float
from numeric.refuse import flag, integer, rational, refusal

__all__ = ["atom_digits", "density_ball", "density_digits"]

Value = Any


def density_ball(law: Law, x: Fraction, *, prec: int) -> Ball:
    """f(x) as a ball at ``prec`` bits, 0 < x < 1.

    >>> round(float(density_ball(Depth(Fraction(1)), Fraction(1, 2), prec=64)), 12)
    0.510986768184
    """
    with precision(prec):
        minus_log = -to_ball(x).log()
        if isinstance(law, Depth):
            return _depth_series(to_ball(law.depth), minus_log)
        return _layer_sum(hop_probabilities(ball_pairs(law), to_ball(0)), minus_log)


def _layer_sum(law: tuple[Value, ...], minus_log: Value) -> Value:
    total, power = law[0] * 0, law[0] * 0 + 1
    for k, share in enumerate(law[1:], start=1):
        total = total + share * power
        power = power * minus_log / k
    return total


def _depth_series(depth: Ball, minus_log: Ball) -> Ball:
    """Term k + 1 is S L/(k (k + 1)) times term k."""
    import flint

    term = total = depth * (-depth).exp()
    k = 1
    while True:
        ratio = depth * minus_log / (k * (k + 1))
        term = term * ratio
        total = total + term
        k += 1
        if ratio < 0.5 and term < total * to_ball(Fraction(1, 2**flint.ctx.prec)):
            return total + to_ball(0).union(term)


def density_digits(law: Law, x: Fraction, *, digits: int) -> str:
    """f(x) to ``digits`` significant digits, 1 … 10000, rounded half to even, each right. x : a rational in (0, 1).

    >>> density_digits(Depth(Fraction(1)), Fraction(1, 2), digits=10)
    '0.5109867682'
    """
    point = rational(x, "x")
    if not 0 < point < 1:
        raise refusal("x", "lie in (0, 1)", point)
    if integer(digits, "digits", 1) > MOST_DIGITS:
        raise refusal("digits", f"lie in [1, {MOST_DIGITS}]", digits)
    plain = _rational(law)
    if plain is not None:
        return decimals(plain, digits)
    found = proven(lambda prec: density_ball(law, point, prec=prec), digits)
    if found is None:
        raise flag("digits", f"be digits that balls of {4 * bits_for(digits)} bits decide", f"{digits}")
    _confirm(law, point, bits_for(digits), found[1])
    return found[0]


def _rational(law: Law) -> Fraction | None:
    """f where it is a rational constant: no layer attends, or one; else ln x is in it."""
    if isinstance(law, Depth):
        return law.depth if law.depth == 0 else None
    shares = law.shares()
    attending = None if shares is None else [x for x in shares if x]
    return sum(attending, Fraction(0)) if attending is not None and len(attending) < 2 else None


def atom_digits(law: Law, *, digits: int) -> str:
    """P(K = 0) to ``digits`` digits.

    >>> atom_digits(Depth(Fraction(1)), digits=5)
    '0.36788'
    """
    shares = None if isinstance(law, Depth) else law.shares()
    if shares is not None or (isinstance(law, Depth) and law.depth == 0):
        stay = Fraction(1)
        for x in shares or ():
            stay *= 1 - x
        return decimals(stay, digits)

    def ball(prec: int) -> Ball:
        with precision(prec):
            if isinstance(law, Depth):
                return (-to_ball(law.depth)).exp()
            return hop_probabilities(ball_pairs(law), to_ball(0))[0]

    found = proven(ball, digits)
    if found is None:
        raise flag("digits", f"be digits that balls of {4 * bits_for(digits)} bits decide", f"{digits}")
    return found[0]


def _confirm(law: Law, x: Fraction, bits: int, ball: Ball) -> None:
    """ArithmeticError unless mpmath finds, at two precisions, what the ball holds.

    Its sums round at most 6 T + 8 times, ln x once. The Bessel function's argument is 2 √(S L), two roundings of it
    change I_1 relatively by that many times its size, and e^−S by S: together at most 6 T + 8 (S + √(S L)) + 64.
    """
    from mpmath import mp

    with precision(2 * bits):
        size = to_ball(6 * law.layers if isinstance(law, Layers) else 8 * law.depth) + 64
        if isinstance(law, Depth):
            size += 8 * (to_ball(law.depth) * -to_ball(x).log()).sqrt()
        for prec in (bits, bits + 64):
            with mp.workprec(prec):
                found = to_ball(_mpmath_density(law, x))
            if abs(found - ball) > abs(ball).upper() * size / to_ball(2 ** (prec - 1)):  # certainly
                raise ArithmeticError("mpmath and balls disagree on the density, so one of them is wrong.")


def _mpmath_density(law: Law, x: Fraction) -> Fraction:
    from mpmath import besseli, exp, log, mp, mpf, sqrt

    near_one = x.denominator.bit_length() - (x.denominator - x.numerator).bit_length()
    with mp.workprec(mp.prec + near_one + 8):  # ln x is about x − 1, which the rounding of x must leave whole
        minus_log = -log(mpf(x.numerator) / x.denominator)
    minus_log = +minus_log
    if isinstance(law, Layers):
        return of_float(_layer_sum(hop_probabilities(float_pairs(law), mp.zero), minus_log))
    S = mpf(law.depth.numerator) / law.depth.denominator
    return of_float(exp(-S) * sqrt(S / minus_log) * besseli(1, 2 * sqrt(S * minus_log)))
