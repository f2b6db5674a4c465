"""Decimals of one entry of e_n E[A^K], every digit right: U6 in balls, mpmath beside them at two precisions.

K ~ Poisson-binomial(λ_1 … λ_T), or K ~ Poisson(S) at continuous depth S (C2: e^{S(A − I)}), whose sum is cut at
k = M: the entries of A^k are at most 1, so what is cut is at most P(K > M) ≤ P(K = M+1) / (1 − S/(M+2)).

A number is given to D digits only where both ends of a ball (flint's arb) round to the same D digits, half to even; the
precision grows until they do. A rational that lies half way between two decimals is never decided so: it is rounded as
the rational it is (`numeric.exact_form`). mpmath then computes the same sum at two precisions, and both numbers must
lie within their rounding error of the ball. arXiv:2602.16837.

Exact here: balls enclose. Numeric here: mpmath, in `with`, its precision put back. Not covered: several heads.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from numeric.ball import ball_shares, precision
from numeric.ball_kernel import Ball, to_ball
from numeric.entry_law import Depth, Law, Layers, hop_probabilities, poisson_terms, split_shares
from numeric.exact_form import exact_entry, exact_size
from numeric.mpmath_form import confirm, depth_terms
from numeric.prefix_form import LazyRows, Nodes, entry_of, spike
from numeric.refuse import flag, integer, positions, refusal

__all__ = [
    "MOST_DIGITS", "ball_entry", "ball_pairs", "bits_for", "decided", "decimals", "digits_of", "never_attends",
    "proven", "seconds_for",
]  # fmt: skip

MOST_DIGITS = 10_000
_EXACT_SECONDS, _EXACT_DIGITS = 20.0, 400_000  # what a rational may cost where balls decide nothing


# --- balls ----------------------------------------------------------------------------------------------------------


def ball_entry(kernel: LazyRows, law: Law, *, n: int, j: int, prec: int) -> Ball:
    """p_j as a ball at ``prec`` bits, position j from 1 to n.

    >>> from numeric.prefix_form import PrefixRows
    >>> ball_entry(PrefixRows(), Depth(Fraction(1)), n=1, j=1, prec=64).contains(1)
    True
    """
    with precision(prec):
        nodes = kernel.nodes(j, n, to_ball, lambda x: x.exp())
        if isinstance(law, Depth):
            return _at_depth(nodes, to_ball(law.depth), law, prec, j == n)
        pairs = ball_pairs(law)
        if j == n:
            return spike(nodes.own[-1], pairs)
        return entry_of(nodes, hop_probabilities(pairs, to_ball(0))[1:])


def ball_pairs(law: Layers) -> list[tuple[Ball, Ball]]:
    """(λ_t, 1 − λ_t) of the layers that attend, as balls at the current precision."""
    return split_shares(law, ball_shares(law.lam, law.layers), to_ball)


def _at_depth(nodes: Nodes, depth: Ball, law: Depth, prec: int, last: bool) -> Ball:
    if last:
        return (depth * (nodes.own[-1] - 1)).exp()
    if law.depth == 0:
        return to_ball(0)
    terms = depth_terms(law, prec + 8, nodes.reach)
    shares = poisson_terms(terms + 1, depth, (-depth).exp())
    rest = shares[-1] / (1 - depth / (terms + 2))
    return entry_of(nodes, shares[:-1]) + to_ball(0).union(rest)


# --- digits ---------------------------------------------------------------------------------------------------------


def digits_of(kernel: LazyRows, law: Law, *, n: int, j: int, digits: int) -> str:
    """p_j to ``digits`` significant digits, 1 … 10000, rounded half to even, each of them right; 0 and 1 as they are.

    Raises InputError, and ArithmeticError where mpmath contradicts the balls.

    >>> from numeric.prefix_form import PrefixRows
    >>> from numeric.schedule import Constant
    >>> digits_of(PrefixRows(), Layers(Constant(Fraction(1, 3)), 2), n=3, j=1, digits=20)
    '0.21604938271604938272'
    """
    length = positions(n)
    if not 1 <= integer(j, "entry", 1) <= length:
        raise refusal("entry", f"lie in 1..{length}", j)
    if integer(digits, "digits", 1) > MOST_DIGITS:
        raise refusal("digits", f"lie in [1, {MOST_DIGITS}]", digits)
    if length == 1 or never_attends(law):
        return "1" if j == length else "0"
    found = proven(lambda prec: ball_entry(kernel, law, n=length, j=j, prec=prec), digits)
    if found is None:
        return _decided_in_rationals(kernel, law, length, j, digits)
    confirm(kernel, law, length, j, bits_for(digits), found[1])
    return found[0]


def bits_for(digits: int) -> int:
    """The precision that is tried first."""
    return math.ceil(digits * math.log2(10)) + 64


def proven(ball_at: Callable[[int], Ball], digits: int) -> tuple[str, Ball] | None:
    """A positive number to ``digits`` digits, and a ball that decides them; None where four times the bits do not.

    ball_at : bits -> a ball that holds the number.
    """
    bits = bits_for(digits)
    for prec in (bits, 2 * bits, 4 * bits):
        ball = ball_at(prec)
        found = decided(ball, digits, prec)
        if found is not None:
            return found, ball
    return None


def decimals(value: Fraction, digits: int) -> str:
    """A rational to ``digits`` significant digits, rounded half to even; 0 and 1 as they are.

    >>> decimals(Fraction(1, 8), 2), decimals(Fraction(1, 3_000_000_000), 4), decimals(Fraction(1, 2), 4)
    ('0.12', '3.333e-10', '0.5000')
    """
    if value in (0, 1):
        return str(value)
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN, Emax=MAX_EMAX, Emin=MIN_EMIN)
    found = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    first = found.adjusted()
    figures = "".join(map(str, found.as_tuple().digits)).ljust(digits, "0")
    if first >= -7:
        whole = figures[: first + 1] if first >= 0 else "0"
        rest = figures[first + 1 :] if first >= 0 else "0" * (-first - 1) + figures
        return f"{whole}.{rest}" if rest else whole
    return f"{figures[0]}.{figures[1:]}e{first}" if digits > 1 else f"{figures}e{first}"


def seconds_for(law: Law, *, n: int, j: int, digits: int, entries: int = 1) -> float:
    """About how long `digits_of` takes: balls once, mpmath's floats twice."""
    bits = digits * math.log2(10) + 64
    steps: float = (n - j + 1) * law.steps
    if isinstance(law, Layers) and j < n:
        steps += law.steps**2 / 2
    each: float = 1.2e-5 + bits**1.6 * 1e-10
    return entries * (steps * each + n * 1e-5)


def never_attends(law: Law) -> bool:
    """Whether K = 0 for certain."""
    if isinstance(law, Depth):
        return law.depth == 0
    if law.layers == 0:
        return True
    # λ below every float are no zeros
    return not any(law.lam.values(law.layers)) and not any(law.shares() or (Fraction(1),))


def decided(ball: Ball, digits: int, prec: int) -> str | None:
    """What both ends of the ball round to, where that is the same."""
    if not ball.is_finite():
        return None
    with precision(prec):  # the ends are rounded outward to the current precision
        low, high = _dyadic(ball.lower()), _dyadic(ball.upper())
    if low <= 0:
        return None
    found = decimals(low, digits)
    # an end that is 1 stands for numbers beside it, which 0.999… and 1.000… write differently
    return found if low != 1 != high and found == decimals(high, digits) else None


def _dyadic(end: Ball) -> Fraction:
    mantissa, exponent = end.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _decided_in_rationals(kernel: LazyRows, law: Law, n: int, j: int, digits: int) -> str:
    shares = law.shares() if isinstance(law, Layers) and kernel.exact else None
    if shares is not None:
        size, seconds = exact_size(kernel, shares, n=n, j=j)
        if size <= _EXACT_DIGITS and seconds <= _EXACT_SECONDS:
            return decimals(exact_entry(kernel, shares, n=n, j=j), digits)
    bits = 4 * bits_for(digits)
    raise flag("digits", f"be digits that balls of {bits} bits decide", f"{digits}", f"entry {j}")
