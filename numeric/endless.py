"""λ_1, λ_2, … without an end: a head of rationals, then a rule for every later layer, and the sums of its powers.

Σ_{t=a}^{b} λ_t^i is closed for each rule, for i ≥ 1 and b finite or ∞:

    c t^−β:     c^i (ζ(βi, a) − ζ(βi, b+1))      ζ(s, a) = Σ_{k≥0} (a+k)^−s, continued to s < 1, where the difference
                                                 is the same sum; the digamma function ψ(b+1) − ψ(a) at βi = 1
    c r^(t−1):  (c r^(a−1))^i (1 − r^(i(b−a+1))) / (1 − r^i)

Theory I6 (the rules). Exact here: whether Σ λ_t is finite, and which λ_t are 1; balls (flint's arb) enclose the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from numeric.ball_kernel import Ball, to_ball
from numeric.refuse import refusal
from numeric.schedule import Constant, Continued, Geometric, Listed, Mixing, Power, Schedule, as_schedule

__all__ = ["Endless", "ball_power", "endless", "share_range"]

EXPLICIT = 4096  # layers of a decaying rule that are taken one by one before its sums are used
BLOCK = 64  # layers whose λ_t are kept together
SMALL = 2.0**-12  # a geometric rule is taken one by one until it is this small


@dataclass(frozen=True)
class Endless:
    """λ_t = head[t − 1], and for t > len(head) what ``rule`` gives at t; rule = None: nothing is known of those layers.

    A rule here is constant, or it decays to 0 strictly and its λ_t are below 1.
    """

    head: tuple[Fraction, ...]
    rule: Constant | Power | Geometric | None

    @property
    def summable(self) -> bool | None:
        """Whether Σ λ_t < ∞; None where the rule is unknown."""
        match self.rule:
            case Constant():
                return self.rule.lam == 0
            case Power():
                return Fraction(self.rule.beta) > 1
            case Geometric():
                return True
        return None

    @property
    def ones(self) -> int:
        """How many of the λ_t that are not constant for ever are 1."""
        return sum(share == 1 for share in self.head)

    @property
    def guard(self) -> int:
        """Bits beyond the usual that the sums need: βi near 1 makes a difference of two large zeta values."""
        if not isinstance(self.rule, Power):
            return 0
        beta = Fraction(self.rule.beta)
        gaps = [abs(beta * i - 1) for i in (1, round(1 / beta)) if beta * i != 1]
        return max(0, *(gap.denominator.bit_length() - gap.numerator.bit_length() for gap in gaps), 0)

    @property
    def explicit(self) -> int:
        """The layers that are multiplied one by one; the sums begin behind them."""
        known = len(self.head)
        match self.rule:
            case Power():
                return known + EXPLICIT
            case Geometric():
                r = float(self.rule.r)  # where to stop is a matter of speed: no result depends on this rounding
                share, steps = float(self.rule.c) * r**known, 0
                while share > SMALL and steps < EXPLICIT:
                    share, steps = share * r, steps + 1
                return known + steps
        return known

    def shares(self, first: int, last: int) -> list[Ball]:
        """λ_first … λ_last as balls at the current precision; the rule must be known there."""
        listed = [to_ball(share) for share in self.head[first - 1 : last]]
        start = first + len(listed)
        if start > last:
            return listed
        assert self.rule is not None
        return listed + _kept_range(self.rule, start, last)

    def power_sum(self, i: int, first: int, last: int | None) -> Ball:
        """Σ_{t=first}^{last} λ_t^i as a ball, behind the head; last = None is ∞, where the sum must be finite.

        The ball is not finite where the precision does not tell βi from 1.
        """
        match self.rule:
            case Constant():
                assert last is not None
                return ball_power(to_ball(self.rule.lam), i) * (last - first + 1)
            case Power():
                return ball_power(to_ball(self.rule.c), i) * _zeta_sum(Fraction(self.rule.beta) * i, first, last)
            case Geometric():
                c, r = to_ball(self.rule.c), to_ball(self.rule.r)
                ratio = ball_power(r, i)
                whole = ball_power(c * ball_power(r, first - 1), i) / (1 - ratio)
                return whole if last is None else whole * (1 - ball_power(ratio, last - first + 1))
        raise refusal("rule", "be known", None)


def endless(lam: Mixing) -> Endless:
    """One number, a schedule or a list as an `Endless`: equal rules become one, so r = 1 and beta = 0 are constant.

    Raises InputError for beta < 0, whose λ_t does not decay.
    """
    schedule = as_schedule(lam)
    if isinstance(schedule, Listed):
        return Endless(tuple(Fraction(x) for x in schedule.lam), None)
    head, rule = (schedule.listed, schedule.rule) if isinstance(schedule, Continued) else ((), schedule)
    if isinstance(rule, Power):
        return _power(head, rule)
    if isinstance(rule, Geometric):
        return _geometric(head, rule)
    if isinstance(rule, Constant):
        return Endless(head, Constant(Fraction(rule.lam)))
    raise refusal("lam", "be a constant, a power or a geometric rule, or a list", lam)


def share_range(rule: Schedule, first: int, last: int) -> list[Ball]:
    """λ_first … λ_last as balls: exactly where the rule is rational, c t^−β enclosed where it is not."""
    match rule:
        case Power() if Fraction(rule.beta).denominator != 1 or abs(Fraction(rule.beta)) > 1000:
            c, beta = to_ball(rule.c), to_ball(rule.beta)
            return [(c * (-beta * to_ball(t).log()).exp()).min(to_ball(1)) for t in range(first, last + 1)]
        case Continued():
            listed = [to_ball(share) for share in rule.listed[first - 1 : last]]
            return listed + share_range(rule.rule, first + len(listed), last)
        case Power():
            c, power = to_ball(rule.c), Fraction(rule.beta).numerator
            powers = (ball_power(to_ball(t), abs(power)) for t in range(first, last + 1))
            return [(c / x if power > 0 else c * x).min(to_ball(1)) for x in powers]
        case Geometric():
            c, r = to_ball(rule.c), to_ball(rule.r)
            return [c * ball_power(r, t - 1) for t in range(first, last + 1)]
    return [to_ball(share) for share in rule.exact(last)[first - 1 :]]


def _kept_range(rule: Schedule, first: int, last: int) -> list[Ball]:
    """`share_range` from blocks that are kept: a search for a depth asks for the same layers again and again."""
    import flint

    blocks = range((first - 1) // BLOCK, (last - 1) // BLOCK + 1)
    shares = [share for block in blocks for share in _block(rule, block, flint.ctx.prec)]
    return shares[(first - 1) % BLOCK :][: last - first + 1]


@lru_cache(maxsize=1024)
def _block(rule: Schedule, block: int, prec: int) -> list[Ball]:
    """The layers BLOCK · block + 1, …, at ``prec``, which is the current precision."""
    return share_range(rule, BLOCK * block + 1, BLOCK * (block + 1))


def ball_power(x: Ball, n: int) -> Ball:
    """x^n, n ≥ 0, by squaring: flint's own power is not a number where the ball x holds 0."""
    result = to_ball(1)
    while n:
        if n & 1:
            result *= x
        x, n = x * x, n >> 1
    return result


def _power(head: tuple[Fraction, ...], rule: Power) -> Endless:
    c, beta = Fraction(rule.c), Fraction(rule.beta)
    if beta < 0:
        raise refusal("lam", "have beta at least 0", beta)
    if beta == 0 or c == 0:
        return Endless(head, Constant(c))
    return Endless(head or (c,), Power(c, beta))  # λ_1 = c may be 1, every later one is smaller


def _geometric(head: tuple[Fraction, ...], rule: Geometric) -> Endless:
    c, r = Fraction(rule.c), Fraction(rule.r)
    if r == 1 or c == 0:
        return Endless(head, Constant(c))
    if r == 0:
        return Endless(head or (c,), Constant(Fraction(0)))
    return Endless(head or (c,), Geometric(c, r))


def _zeta_sum(s: Fraction, first: int, last: int | None) -> Ball:
    """Σ_{t=first}^{last} t^−s, s > 0."""
    import flint

    a = to_ball(first)
    if s == 1:
        assert last is not None
        return to_ball(last + 1).digamma() - a.digamma()
    if first > 1 and s * (first.bit_length() - 1) > 4 * flint.ctx.prec + 64:  # t^−s is decreasing: sum ≤ first term + ∫
        largest = (-to_ball(s) * a.log()).exp()
        return to_ball(0).union(largest * (1 + a / (to_ball(s) - 1)))
    whole = _zeta(s, first, flint.ctx.prec)
    return whole if last is None else whole - _zeta(s, last + 1, flint.ctx.prec)


@lru_cache(maxsize=4096)  # one search asks for the same first layer again and again
def _zeta(s: Fraction, a: int, prec: int) -> Ball:
    """ζ(s, a) at flint's current precision, which is ``prec``."""
    return to_ball(s).zeta(to_ball(a))
