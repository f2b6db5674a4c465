"""mpmath beside the balls of `numeric.decimal_form`: the same positive sum at two precisions, in floats of its own.

Numeric here: everything; the bound on the roundings stands beside the comparison. mpmath's precision is raised in
`with` and put back. Theory U6, C2; arXiv:2602.16837.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from numeric.ball import precision
from numeric.ball_kernel import Ball, to_ball
from numeric.entry_law import Depth, Law, Layers, hop_probabilities, poisson_terms, rule_of, split_shares
from numeric.hop_count import quantile
from numeric.prefix_form import LazyRows, entry_of, spike
from numeric.schedule import Continued, Geometric, Power

__all__ = ["confirm", "float_pairs", "float_shares", "mpmath_entry", "of_float", "roundings", "to_float"]

Value = Any  # mpmath.mpf: the package has no types


def confirm(kernel: LazyRows, law: Law, n: int, j: int, bits: int, ball: Ball) -> None:
    """ArithmeticError unless mpmath, at two precisions, finds what the ball holds.

    `roundings` bounds the relative error; what Poisson's sum leaves out is less than one more.
    """
    steps = law.steps if isinstance(law, Layers) else depth_terms(law, bits + 64, ball_reach(kernel, n, j))
    allowed = roundings(kernel, steps, n)
    with precision(max(2 * bits, 128)):
        for prec in (bits, bits + 64):
            found = to_ball(mpmath_entry(kernel, law, n, j, prec, steps))
            if abs(found - ball) > abs(ball).upper() * to_ball(Fraction(allowed, 2 ** (prec - 1))):  # certainly
                raise ArithmeticError(f"mpmath and balls disagree on entry {j}, so one of them is wrong.")


def roundings(kernel: LazyRows, steps: int, n: int) -> int:
    """How many times 2^−prec, relatively, an entry of ``steps`` levels, or layers, may be off.

    All terms are positive, so relative errors add up along products and do not grow in sums. q = e^−m takes one
    rounding and twice |m| of them, for its exponent took two; q^i at most i times as many and i more, Z_i as many and
    i, and every factor θ_i, b_i or w_j/w_n is one of these, or a rational rounded three times: n (4 + 2 |m|) + 8.
    Beside its factor a level takes at most n additions and 4 products, a probability 8 for each layer, P(K = 0) = e^−S
    of Poisson's 2 S + 4, the sum over k one for each k. With S < steps that is together at most
    (steps + 2) (5 n + 2 n |m| + 16) + 12 steps + 8.
    """
    slope = math.ceil(abs(Fraction(getattr(kernel, "slope", 0))))
    return (steps + 2) * ((5 + 2 * slope) * n + 16) + 12 * steps + 8


def ball_reach(kernel: LazyRows, n: int, j: int) -> Ball:
    """A_nj, for its size alone."""
    with precision(64):
        return kernel.nodes(j, n, to_ball, lambda x: x.exp()).reach


def depth_terms(law: Depth, bits: int, reach: Ball) -> int:
    """M > S with P(K > M) below 2^−bits of P(K = 1) A_nj, which is at most p_j: entries of A^k are at most 1.

    reach : A_nj, or the least of the A_nj that are wanted.
    """
    first = float(abs(reach).log()) / math.log(2) + _log2(law.depth) - float(law.depth) / math.log(2)
    return max(quantile(float(law.depth), bits + max(0, math.ceil(-first))), math.ceil(2 * law.depth))


def _log2(x: Fraction) -> float:
    """Of a rational of any size, about."""
    return math.log2(x.numerator) - math.log2(x.denominator)


def mpmath_entry(kernel: LazyRows, law: Law, n: int, j: int, prec: int, steps: int) -> Fraction:
    """p_j at ``prec`` bits; Poisson's sum is cut after ``steps`` terms."""
    from mpmath import mp

    with mp.workprec(prec):
        nodes = kernel.nodes(j, n, to_float, mp.exp)
        if isinstance(law, Depth):
            depth = to_float(law.depth)
            if j == n:
                return of_float(mp.exp(depth * (nodes.own[-1] - 1)))
            return of_float(entry_of(nodes, poisson_terms(steps, depth, mp.exp(-depth))))
        pairs = float_pairs(law)
        if j == n:
            return of_float(spike(nodes.own[-1], pairs))
        return of_float(entry_of(nodes, hop_probabilities(pairs, mp.zero)[1:]))


def float_pairs(law: Layers) -> list[tuple[Value, Value]]:
    """(λ_t, 1 − λ_t) of the layers that attend, each rounded once or twice at the current precision.

    An irrational λ_t is computed with twice the bits and 64 more, so that 1 − λ_t keeps the precision where it is
    above 2^−prec; below that balls of four times the bits decide nothing either unless it does not matter.
    """
    from mpmath import mp

    prec = mp.prec
    if law.shares() is not None:
        return split_shares(law, list(float_shares(law)), to_float)
    with mp.workprec(2 * prec + 64):
        pairs = split_shares(law, list(float_shares(law)), to_float)
    return [(+x, +y) for x, y in pairs]


def float_shares(law: Layers) -> Iterator[Value]:
    """λ_1 … λ_T in mpmath's floats; c t^−β, or c r^(t−1), computed there too where it is no short rational."""
    from mpmath import mp

    shares = law.shares()
    if shares is not None:
        yield from map(to_float, shares)
        return
    rule, listed = rule_of(law.lam), law.lam.listed[: law.layers] if isinstance(law.lam, Continued) else ()
    assert isinstance(rule, (Geometric, Power))
    yield from map(to_float, listed)
    for t in range(len(listed) + 1, law.layers + 1):
        c = to_float(Fraction(rule.c))
        if isinstance(rule, Geometric):
            yield c * to_float(Fraction(rule.r)) ** (t - 1)
        else:
            yield min(c * mp.power(t, -to_float(Fraction(rule.beta))), mp.one)


def to_float(x: Fraction) -> Value:
    """A rational as a float of mpmath at its current precision."""
    from mpmath import mp

    return mp.mpf(x.numerator) / x.denominator


def of_float(x: Value) -> Fraction:
    """The rational that a float of mpmath is."""
    sign, mantissa, exponent, _ = x._mpf_
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return -value if sign else value
