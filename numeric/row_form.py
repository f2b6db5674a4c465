"""The whole last row e_n E[A^K] for one lazy-prefix kernel in all layers, at once, any n and T: S1, U6.

With v_j = (w_j/w_n) s_j the row recursion v ← (1 − λ) v + λ vA asks for θ and b alone (`numeric.prefix_form`),

    s_j ← (1 − λ) s_j + λ (θ_j s_j + Σ_{i>j} b_i s_i),   s = e_n at first,   p_j = (w_j/w_n) s_j,

n steps a layer, where one entry by itself takes (n − j) of them; at continuous depth Σ_k P(K = k) e_n A^k the same way,
cut as in `numeric.decimal_form`. Every term is positive. Decimals are proven as there: by balls, with mpmath's row
beside them at two precisions; where balls decide an entry nowhere, the row is computed in rationals. arXiv:2602.16837.

Exact here: rationals, and balls enclose. Numeric here: mpmath, in `with`. Not covered: several heads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from numeric.ball import precision
from numeric.ball_kernel import Ball, to_ball
from numeric.decimal_form import MOST_DIGITS, ball_pairs, bits_for, decided, decimals, never_attends
from numeric.entry_law import Law, Layers, poisson_terms
from numeric.exact import ExactPrefix, exact_profile
from numeric.mpmath_form import depth_terms, float_pairs, of_float, roundings, to_float
from numeric.prefix_form import LazyRows, Nodes
from numeric.refuse import flag, integer, positions, refusal

__all__ = ["ball_row", "exact_row", "exact_row_seconds", "row_digits", "row_seconds"]

Value = Any  # a ball or a float of mpmath
_EXACT_SECONDS = 20.0  # what rationals may take where balls decide nothing


# --- one sweep ------------------------------------------------------------------------------------------------------


def _step(nodes: Nodes, s: Sequence[Value]) -> list[Value]:
    """θ_j s_j + Σ_{i>j} b_i s_i."""
    out, later = [], s[-1] * 0
    for theta, b, x in zip(reversed(nodes.own), reversed(nodes.passed), reversed(s), strict=True):
        out.append(theta * x + later)
        later = later + b * x
    return out[::-1]


def _start(nodes: Nodes) -> list[Value]:
    zero = nodes.own[-1] * 0
    return [zero] * (len(nodes.own) - 1) + [zero + 1]


def _by_layers(nodes: Nodes, pairs: Sequence[tuple[Value, Value]]) -> list[Value]:
    """s after the layers with (λ_t, 1 − λ_t); with one kernel their order does not matter."""
    s = _start(nodes)
    for share, stay in pairs:
        s = [stay * x + share * y for x, y in zip(s, _step(nodes, s), strict=True)]
    return s


def _by_powers(nodes: Nodes, law: Sequence[Value]) -> list[Value]:
    """Σ_k P(K = k) s^(k); ``law`` holds P(K = 0), P(K = 1), …"""
    power = _start(nodes)
    total = [law[0] * x for x in power]
    for share in law[1:]:
        power = _step(nodes, power)
        total = [x + share * y for x, y in zip(total, power, strict=True)]
    return total


# --- rationals ------------------------------------------------------------------------------------------------------


def exact_row(kernel: LazyRows, shares: Sequence[Fraction], *, n: int) -> tuple[Fraction, ...]:
    """(p_1, …, p_n), exactly, for a kernel that is rational; λ = ``shares``, layer 1 first.

    >>> from numeric.prefix_form import PrefixRows
    >>> [str(x) for x in exact_row(PrefixRows((1, 2, 4)), [Fraction(1)] * 2, n=3)]
    ['47/147', '52/147', '16/49']
    """
    rows = ExactPrefix(tuple(kernel.masses(n, Fraction, NotImplemented)), kernel.content)
    return exact_profile([rows] * len(shares), list(shares), n=n)


def exact_row_seconds(kernel: LazyRows, shares: Sequence[Fraction], *, n: int) -> float:
    """About how long `exact_row` takes: n integers a layer, that grow by the common denominator of its rows."""
    layers = sum(1 for x in shares if x)
    nodes = kernel.nodes(1, n, Fraction, NotImplemented)
    common = math.lcm(*(x.denominator for x in (*nodes.own, *nodes.passed)))
    words: float = math.log2(common) / 64 + 1
    return n * layers * (2e-6 + layers * words * 2e-8 * (1 + words / 4))


# --- decimals -------------------------------------------------------------------------------------------------------


def ball_row(kernel: LazyRows, law: Law, *, n: int, prec: int) -> list[Ball]:
    """(p_1, …, p_n) as balls at ``prec`` bits.

    >>> from numeric.entry_law import Depth
    >>> from numeric.prefix_form import PrefixRows
    >>> ball_row(PrefixRows(), Depth(Fraction(1)), n=1, prec=64)[0].contains(1)
    True
    """
    with precision(prec):
        nodes = kernel.nodes(1, n, to_ball, _exp)
        masses = kernel.masses(n, to_ball, _exp)
        if isinstance(law, Layers):
            return _scaled(masses, _by_layers(nodes, ball_pairs(law)))
        if law.depth == 0:
            return _start(nodes)
        depth, terms = to_ball(law.depth), depth_terms(law, prec + 8, _least(nodes, masses))
        none = (-depth).exp()
        shares = poisson_terms(terms + 1, depth, none)
        rest = to_ball(0).union(shares[-1] / (1 - depth / (terms + 2)))
        return [x + rest for x in _scaled(masses, _by_powers(nodes, [none, *shares[:-1]]))]


def _exp(x: Ball) -> Ball:
    return x.exp()


def _scaled(masses: Sequence[Value], s: Sequence[Value]) -> list[Value]:
    return [w * x for w, x in zip(masses, s, strict=True)]


def _least(nodes: Nodes, masses: Sequence[Ball]) -> Ball:
    """The least A_nj without content, for its size alone."""
    return min((w * nodes.passed[-1] for w in masses), key=lambda x: float(abs(x).log()))


def row_digits(kernel: LazyRows, law: Law, *, n: int, digits: int) -> tuple[str, ...]:
    """`numeric.decimal_form.digits_of` for every position, by one sweep.

    Raises InputError, and ArithmeticError where mpmath contradicts the balls.

    >>> from numeric.prefix_form import PrefixRows
    >>> from numeric.schedule import Constant
    >>> row_digits(PrefixRows(), Layers(Constant(Fraction(1, 3)), 2), n=3, digits=5)
    ('0.21605', '0.17901', '0.60494')
    """
    length = positions(n)
    if integer(digits, "digits", 1) > MOST_DIGITS:
        raise refusal("digits", f"lie in [1, {MOST_DIGITS}]", digits)
    if length == 1 or never_attends(law):
        return ("0",) * (length - 1) + ("1",)
    bits = bits_for(digits)
    balls = ball_row(kernel, law, n=length, prec=bits)
    _confirm(kernel, law, length, bits, balls)
    shown = [decided(ball, digits, bits) for ball in balls]
    return tuple(x for x in shown if x is not None) if None not in shown else _sharper(kernel, law, length, digits)


def _sharper(kernel: LazyRows, law: Law, n: int, digits: int) -> tuple[str, ...]:
    """The row where balls of the first precision leave an entry open: in rationals, or with more bits."""
    shares = law.shares() if isinstance(law, Layers) and kernel.exact else None
    if shares is not None and exact_row_seconds(kernel, shares, n=n) <= _EXACT_SECONDS:
        return tuple(decimals(x, digits) for x in exact_row(kernel, shares, n=n))
    bits = bits_for(digits)
    for prec in (2 * bits, 4 * bits):
        balls = ball_row(kernel, law, n=n, prec=prec)
        shown = [decided(ball, digits, prec) for ball in balls]
        if None not in shown:
            return tuple(x for x in shown if x is not None)
    at = shown.index(None) + 1
    raise flag("digits", f"be digits that balls of {4 * bits} bits decide", f"{digits}", f"entry {at}")


def row_seconds(kernel: LazyRows, law: Law, *, n: int, digits: int) -> float:
    """About how long `row_digits` takes: balls once, mpmath's floats twice."""
    bits = bits_for(digits)
    longer: float = bits**1.6 * 1e-10
    each = n * (1.5e-5 + longer) + 1e-4  # a layer, however few its positions
    return _steps(kernel, law, n, bits + 64) * each + n * (1e-4 + 10 * longer)


def _steps(kernel: LazyRows, law: Law, n: int, bits: int) -> int:
    """Layers, or the terms of Poisson's sum that leave out 2^−bits of the least entry."""
    if isinstance(law, Layers) or law.depth == 0:
        return law.steps
    with precision(64):
        least = _least(kernel.nodes(1, n, to_ball, _exp), kernel.masses(n, to_ball, _exp))
    return depth_terms(law, bits, least)


def _confirm(kernel: LazyRows, law: Law, n: int, bits: int, balls: Sequence[Ball]) -> None:
    """ArithmeticError unless mpmath, at two precisions, finds what the balls hold.

    `roundings` holds for a layer of the row as for a level of an entry: n additions, 4 products and a factor.
    """
    steps = _steps(kernel, law, n, bits + 64)
    allowed = roundings(kernel, steps, n)
    with precision(max(2 * bits, 128)):
        for prec in (bits, bits + 64):
            within = to_ball(Fraction(allowed, 2 ** (prec - 1)))
            for at, (found, ball) in enumerate(zip(_mpmath_row(kernel, law, n, prec, steps), balls, strict=True), 1):
                if abs(to_ball(of_float(found)) - ball) > abs(ball).upper() * within:  # certainly
                    raise ArithmeticError(f"mpmath and balls disagree on entry {at}, so one of them is wrong.")


def _mpmath_row(kernel: LazyRows, law: Law, n: int, prec: int, steps: int) -> list[Value]:
    """(p_1, …, p_n) in mpmath's floats at ``prec`` bits; Poisson's sum is cut after ``steps`` terms."""
    from mpmath import mp

    with mp.workprec(prec):
        nodes, masses = kernel.nodes(1, n, to_float, mp.exp), kernel.masses(n, to_float, mp.exp)
        if isinstance(law, Layers):
            return _scaled(masses, _by_layers(nodes, float_pairs(law)))
        depth = to_float(law.depth)
        none = mp.exp(-depth)
        return _scaled(masses, _by_powers(nodes, [none, *poisson_terms(steps, depth, none)]))
