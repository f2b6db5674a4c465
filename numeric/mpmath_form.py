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
from numeric.entry_law import Depth, Law, Layers, poisson_terms, rule_of
from numeric.hop_count import quantile
from numeric.hops import poisson_binomial
from numeric.prefix_form import LazyRows, entry_of, spike
from numeric.schedule import Continued, Power

__all__ = ["confirm", "float_shares", "mpmath_entry", "of_float"]

Value = Any  # mpmath.mpf: the package has no types


def confirm(kernel: LazyRows, law: Law, n: int, j: int, bits: int, ball: Ball) -> None:
    """ArithmeticError unless mpmath, at two precisions, finds what the ball holds.

    All terms are positive, so relative errors add up along products and do not grow in sums. A node takes at most
    4n + 8 roundings, a level n + 4 more on those before, a probability 4 T + 8, the sum over k one for each k, the
    power q^(n−j) 2 (n + 2) and its exponential one of |m| 2^−prec, relatively, per factor: together at most
    (steps + 2) (6 n + 16) + 8 steps + n |m|, and what Poisson's sum leaves out is less than one. At depth S < steps
    the exponential of p_n has S |θ_n − 1| more.
    """
    slope = abs(float(getattr(kernel, "slope", 0)))
    steps = law.steps if isinstance(law, Layers) else _depth_terms(law, bits + 64, n)
    roundings = Fraction(math.ceil((steps + 2) * (6 * n + 16) + 8 * steps + n * slope + 4))
    with precision(max(2 * bits, 128)):
        for prec in (bits, bits + 64):
            found = to_ball(mpmath_entry(kernel, law, n, j, prec, steps))
            if abs(found - ball) > abs(ball).upper() * to_ball(roundings / 2 ** (prec - 1)):  # certainly
                raise ArithmeticError(f"mpmath and balls disagree on entry {j}, so one of them is wrong.")


def _depth_terms(law: Depth, bits: int, n: int) -> int:
    """Terms enough that the rest is below 2^−bits of the sum, whose first term is at least S e^−S A_nj."""
    small = float(law.depth) / math.log(2) - math.log2(law.depth)
    return max(quantile(float(law.depth), bits + max(0, math.ceil(small)) + 64), math.ceil(2 * law.depth))


def mpmath_entry(kernel: LazyRows, law: Law, n: int, j: int, prec: int, steps: int) -> Fraction:
    """p_j at ``prec`` bits; Poisson's sum is cut after ``steps`` terms."""
    from mpmath import mp

    with mp.workprec(prec):
        nodes = kernel.nodes(j, n, _float, mp.exp)
        if isinstance(law, Depth):
            depth = _float(law.depth)
            if j == n:
                return of_float(mp.exp(depth * (nodes.own[-1] - 1)))
            return of_float(entry_of(nodes, poisson_terms(steps, depth, mp.exp(-depth))))
        shares = [x for x in float_shares(law) if x]
        if j == n:
            return of_float(spike(nodes.own[-1], shares))
        return of_float(entry_of(nodes, poisson_binomial(shares, mp.zero)[1:]))


def float_shares(law: Layers) -> Iterator[Value]:
    """λ_1 … λ_T in mpmath's floats; c t^−β computed there too where it is irrational."""
    from mpmath import mp

    shares = law.shares()
    if shares is not None:
        yield from map(_float, shares)
        return
    rule, listed = rule_of(law.lam), law.lam.listed[: law.layers] if isinstance(law.lam, Continued) else ()
    assert isinstance(rule, Power)
    yield from map(_float, listed)
    for t in range(len(listed) + 1, law.layers + 1):
        yield min(_float(Fraction(rule.c)) * mp.power(t, -_float(Fraction(rule.beta))), mp.one)


def _float(x: Fraction) -> Value:
    from mpmath import mp

    return mp.mpf(x.numerator) / x.denominator


def of_float(x: Value) -> Fraction:
    """The rational that a float of mpmath is."""
    sign, mantissa, exponent, _ = x._mpf_
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return -value if sign else value
