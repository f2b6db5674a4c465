"""Π_{t=1}^{T} (1 − x λ_t), T finite or ∞, as proven enclosures (flint's arb): the diagonal of the rollout, I1.

The first layers are multiplied one by one, up to some N. Behind them, with y_t = x λ_t, S_i = Σ_{N<t≤T} λ_t^i and
y = max_{t>N} y_t < 1,

    log Π_{t>N} (1 − y_t) = −Σ_{i≥1} x^i S_i / i,   0 ≤ Σ_{i>I} x^i S_i / i ≤ x S_1 y^I / ((I+1) (1 − y)),

because y_t^i ≤ y^{i−1} y_t: the S_i are Hurwitz zeta values or geometric sums (`numeric.endless`), and the rest is a
geometric tail. Where y is not certainly below 1, the factors behind N are only known to lie in [0, 1].
Theory I2 (the product is positive iff Σ λ_t is finite and no factor vanishes). Not covered: x outside [0, 1].
"""

from __future__ import annotations

import math

from numeric.ball_kernel import Ball, Parameter, to_ball
from numeric.endless import Endless, ball_power
from numeric.schedule import Constant

__all__ = ["infinite_product", "unit"]

MOST_TERMS = 4096


def infinite_product(lam: Endless, x: Parameter, layers: int | None) -> Ball:
    """Π_{t=1}^{layers} (1 − x λ_t) at the current precision, within [0, 1]; layers = None is ∞.

    x : in [0, 1], a rational or a ball; 0 must be exact. Where nothing is known of the layers behind a list, their
    factors may be anything in [0, 1].
    """
    share = to_ball(x, "x")
    if share.is_zero():
        return to_ball(1)
    last = lam.explicit if layers is None else min(layers, lam.explicit)
    product = to_ball(1)
    for value in lam.shares(1, last):
        product *= 1 - share * value
    if layers is not None and layers <= last:
        return unit(product)
    return unit(product * _tail(lam, share, last + 1, layers))


def unit(value: Ball) -> Ball:
    """A ball that holds a number of [0, 1], without what lies outside; all of [0, 1] where the ball knows nothing."""
    if 0 <= value <= 1:  # certainly: nothing to cut off
        return value
    return value.intersection(_unknown()) if value.is_finite() else _unknown()


def _unknown() -> Ball:
    """A ball around [0, 1]."""
    from flint import arb

    return arb(0.5, 0.5)


def _tail(lam: Endless, x: Ball, first: int, last: int | None) -> Ball:
    if lam.rule is None:
        return _unknown()
    if last is None and not lam.summable:
        return to_ball(0)
    if isinstance(lam.rule, Constant):
        return to_ball(1) if lam.rule.lam == 0 else ball_power(1 - x * to_ball(lam.rule.lam), _count(first, last))
    (largest,) = lam.shares(first, first)
    y = x * largest
    if not y < 1:
        return _unknown()
    terms = _terms(y)
    total, power = to_ball(0), x
    for i in range(1, terms + 1):
        total += power * lam.power_sum(i, first, last) / i
        power *= x
    rest = x * lam.power_sum(1, first, last) * ball_power(y, terms) / ((terms + 1) * (1 - y))
    total += to_ball(0).union(rest)
    return unit((-total).exp())


def _count(first: int, last: int | None) -> int:
    assert last is not None
    return last - first + 1


def _terms(y: Ball) -> int:
    """How many terms make y^terms smaller than the precision; what is cut off is counted in any case."""
    import flint

    upper = float(y.upper())
    if upper <= 0:
        return 1
    return min(MOST_TERMS, 1 + math.ceil((flint.ctx.prec + 8) * math.log(2) / max(-math.log(min(upper, 1.0)), 1e-9)))
