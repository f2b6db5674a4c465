"""The law of the number of hops K ~ Poisson-binomial(x λ_1, …, x λ_T), T finite or ∞: P(K = k) for small k.

The first N layers are multiplied out, Π_t (1 − y_t + y_t z), y_t = x λ_t, terms beyond z^{k} cut off: every number is
nonnegative, nothing cancels. A constant rule goes on with the binomial law. Behind N a decaying rule goes on with

    Π_{t>N} (1 − y_t + y_t z) = Π (1 − y_t) · exp(Σ_{j≥1} (−1)^{j+1} O_j z^j / j),   O_j = Σ_{t>N} (y_t/(1−y_t))^j,
    O_j = Σ_{i≥j} C(i−1, j−1) p_i,   p_i = Σ_{t>N} y_t^i = x^i S_i,

with S_i closed (`numeric.endless`), so that 10^15 layers cost what 10^4 do. With y = max_{t>N} y_t ≤ ¼, the inequality
p_i ≤ y^{i−1} p_1 bounds what is cut off: the terms of O_j from i = I+1 on by p_1 C(I, j−1) y^I / (1 − y (I+1)/(I+2−j)),
their ratios being at most y (I+1)/(I+2−j); and 0 ≤ O_j ≤ o^{j−1} O_1, o = y/(1−y), for the j that are not summed.
Theory C1 and I5. Exact here: nothing is rounded uncounted (flint's arb).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import Any

import flint
from flint import arb, arb_poly

from numeric.ball_kernel import Ball, to_ball
from numeric.endless import Endless, ball_power
from numeric.infinite_product import unit
from numeric.schedule import Constant

__all__ = ["HopCount", "quantile"]

_BLOCK = 512  # layers whose product is kept, so that many depths can be asked for


@dataclass
class HopCount:
    """K for the layers of ``lam`` at rate x = ``rate``, a rational in [0, 1]. Keeps the products it has computed."""

    lam: Endless
    rate: Fraction
    _blocks: dict[tuple[int, int], list[Any]] = field(default_factory=dict)
    _means: list[float] = field(default_factory=list)

    def reach(self, layers: int | None) -> bool:
        """Whether `law` can go that deep: not where the rule is unknown or decays too slowly to be summed."""
        if layers is not None and layers <= self.lam.explicit:
            return True
        if self.lam.rule is None or (layers is None and not self.lam.summable):
            return False
        return isinstance(self.lam.rule, Constant) or self._largest() <= arb(0.25)

    def law(self, layers: int | None, terms: int, bits: int) -> tuple[list[Ball], Ball]:
        """P(K = k), k = 0 … terms − 1, as balls at the current precision, and the mass that is lost among them: only
        where `reach` says so. layers = None is ∞.

        In front of a tail the head is cut where about 2^−bits of its mass is left: what comes back are the
        probabilities less what the cut took from them, and the lost mass bounds all that was taken.
        """
        last = self.lam.explicit if layers is None else min(layers, self.lam.explicit)
        if layers is not None and layers <= last:
            return _padded(self._head(last, terms), terms), to_ball(0)
        kept = min(terms, 1 << quantile(self.mean(last), bits).bit_length())
        head = self._head(last, kept)
        lost = unit(1 - sum(head.coeffs(), to_ball(0))) if kept < min(terms, last + 1) else to_ball(0)
        tail = arb_poly(self._tail(last + 1, layers, terms))
        return _padded(_cut(head * tail, terms), terms), lost

    def effort(self, layers: int | None, terms: int) -> float:
        """About how many microseconds `law` takes."""
        prec = flint.ctx.prec
        if layers is not None and layers <= self.lam.explicit:
            return 400.0 * prec + 10 * terms
        if isinstance(self.lam.rule, Constant):
            return 10.0 * terms
        cut = self._cut_off(self._largest())
        return 2e4 + cut * prec**2 / 250 + terms * (40 + cut * prec / 1000)

    def mean(self, layers: int) -> float:
        """About Σ_{t≤layers} x λ_t: it says how many terms are worth computing, and no result depends on it."""
        last = min(layers, self.lam.explicit)
        if not self._means:
            shares = (float(share) for share in self.lam.shares(1, self.lam.explicit))
            self._means.extend(accumulate(shares, initial=0.0))
        later = float(self.lam.power_sum(1, last + 1, layers)) if layers > last else 0.0
        return float(self.rate) * (self._means[last] + later)

    def _largest(self) -> Ball:
        """y_t of the first layer behind those that are explicit: the largest of them."""
        first = self.lam.explicit + 1
        return to_ball(self.rate) * self.lam.shares(first, first)[0]

    def _cut_off(self, y: Ball) -> int:
        """I, so that (2 y)^I is smaller than the precision."""
        bits = -math.log2(min(0.5, 2 * float(y.upper()) or 2.0**-1000))
        return 2 + math.ceil((flint.ctx.prec + 16) / bits)

    # --- one by one ---------------------------------------------------------------------------------------------

    def _head(self, last: int, terms: int) -> Any:
        """Π_{t≤last} (1 − y_t + y_t z) without the powers from z^terms on."""
        products = self._blocks.setdefault((flint.ctx.prec, terms), [arb_poly([1])])
        whole, rest = divmod(last, _BLOCK)
        while len(products) <= whole:
            start = (len(products) - 1) * _BLOCK
            products.append(_cut(products[-1] * self._product(start + 1, start + _BLOCK, terms), terms))
        return _cut(products[whole] * self._product(last - rest + 1, last, terms), terms)

    def _product(self, first: int, last: int, terms: int) -> Any:
        rate = to_ball(self.rate)
        y = [rate * share for share in self.lam.shares(first, last)]
        factors = [arb_poly([1 - x, x]) for x in y] or [arb_poly([1])]
        while len(factors) > 1:
            odd = factors[-1:] if len(factors) % 2 else []
            pairs = zip(factors[0::2], factors[1::2], strict=False)
            factors = [_cut(a * b, terms) for a, b in pairs] + odd
        return factors[0]

    # --- all at once --------------------------------------------------------------------------------------------

    def _tail(self, first: int, last: int | None, terms: int) -> list[Ball]:
        if isinstance(self.lam.rule, Constant):
            share = self.rate * Fraction(self.lam.rule.lam)
            return [to_ball(1)] if share == 0 else _binomial(_count(first, last), share, terms)
        y = self._largest()
        cut = self._cut_off(y)
        rate, p = to_ball(1), []
        for i in range(1, cut + 1):
            rate *= to_ball(self.rate)
            p.append(rate * self.lam.power_sum(i, first, last))
        none = _none(p, y).exp()
        return [none * x for x in _exponential(_odds(p, y, terms), y, terms)]


def quantile(mean: float, bits: int) -> int:
    """J with e^−mean (e mean / J)^J ≤ 2^−bits, Chernoff's bound on P(K ≥ J); the last value tried where J is huge."""
    j = max(16.0, mean)
    while j < 1e6 and j * (math.log(j) - 1 - math.log(max(mean, 1e-300))) + mean < bits * math.log(2):
        j = 1.1 * j + 1
    return math.ceil(min(j, 1e6))


def _none(p: list[Ball], y: Ball) -> Ball:
    """log Π (1 − y_t) = −Σ_i p_i / i, and a geometric bound on what is cut off."""
    total = sum((x / i for i, x in enumerate(p, start=1)), to_ball(0))
    return -total - to_ball(0).union(p[0] * ball_power(y, len(p)) / ((len(p) + 1) * (1 - y)))


def _odds(p: list[Ball], y: Ball, terms: int) -> list[Ball]:
    """O_1, O_2, …: as many as p tells precisely, at least one and fewer than ``terms``."""
    cut, last = len(p), ball_power(y, len(p))
    odds: list[Ball] = []
    for j in range(1, max(1, min(terms - 1, cut // 2)) + 1):
        summed = sum((math.comb(i - 1, j - 1) * p[i - 1] for i in range(j, cut + 1)), to_ball(0))
        rest = p[0] * math.comb(cut, j - 1) * last / (1 - y * (cut + 1) / (cut + 2 - j))
        odds.append(summed + to_ball(0).union(rest))
    return odds


def _exponential(odds: list[Ball], y: Ball, terms: int) -> list[Ball]:
    """The first coefficients of exp Σ_{j≥1} (−1)^{j+1} O_j z^j / j, of which O_1 … O_m are given.

    With these alone, k e_k = Σ_{j≤m} (−1)^{j+1} O_j e_{k−j}. The others are at most o^{j−1} O_1, together at most
    s = O_1 o^m / (1 − o): the factor they give has coefficients of total size at most e^s − 1 beside its 1.
    """
    signed = [x if j % 2 else -x for j, x in enumerate(odds, start=1)]
    e = [to_ball(1)]
    for k in range(1, terms):
        e.append(sum((x * e[k - j] for j, x in enumerate(signed[:k], start=1)), to_ball(0)) / k)
    if len(odds) >= terms - 1:  # the others do not enter
        return e
    o = y / (1 - y)
    s = odds[0] * ball_power(o, len(odds)) / (1 - o)
    slack = (s.expm1() * sum((abs(x) for x in e), to_ball(0))).abs_upper()
    return [x + arb(0, slack) for x in e]


def _binomial(n: int, y: Fraction, terms: int) -> list[Ball]:
    """C(n, k) y^k (1−y)^{n−k} for k = 0 … min(n, terms − 1)."""
    if y == 1:
        return [to_ball(1 if k == n else 0) for k in range(min(n + 1, terms))]
    value, odds = ball_power(to_ball(1 - y), n), to_ball(y / (1 - y))
    law = [value]
    for k in range(1, min(n + 1, terms)):
        value = value * (n - k + 1) / k * odds
        law.append(value)
    return law


def _count(first: int, last: int | None) -> int:
    assert last is not None
    return last - first + 1


def _cut(product: Any, terms: int) -> Any:
    return product.truncate(terms)


def _padded(law: Any, terms: int) -> list[Ball]:
    coefficients = list(law.coeffs())
    return coefficients + [to_ball(0)] * (terms - len(coefficients))
