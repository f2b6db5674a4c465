"""The label of p = e_n E[A^K], A one ALiBi head, for many laws of the number of hops K at once: each one decided.

With w_j = e^{mj}, W_i = w_1 + … + w_i, u_i = w_i/W_i and h the complete homogeneous symmetric polynomial (C1,
U6; arXiv:2602.16837),

    p_j = P(K = 0) [j = n] + (w_j / W_n) g_j,   g_j = Σ_{k≥1} P(K = k) h_{k−1}(u_j, …, u_n),
    h_k(u_j, …, u_n) = Σ_{i≥j} u_i h_{k−1}(u_i, …, u_n).

Neighbours are compared without the factor w_j / W_n, as g_j with e^m g_{j+1} (in the last place g_n + P(K = 0)/u_n), so
that no length and no slope makes them underflow.

Numeric here: floats decide what differs by more than a proven rounding. Exact here: what they leave open is decided in
balls, of more and more bits up to a given number; what these leave open is undecided. Not covered: several heads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numeric.ball import precision
from numeric.ball_kernel import Ball, to_ball
from numeric.hop_laws import Hops
from numeric.kernel import SLOPE_LIMIT
from numeric.recurrence import alibi_factors
from numeric.refuse import integer, positions, real, refusal
from numeric.shape import Sign, label_of

__all__ = ["Answer", "decide_labels", "mixture_profile"]

Floats = NDArray[np.float64]
By = Literal["floats", "balls", "nothing"]

FIRST_BITS = 128
_ROOM, _MOST_LEVELS = 1 << 23, 1 << 12  # floats that are held at once; levels after which balls take over
_BLOCK = 64  # levels that a Poisson law is extended by
_CUT = 2.0**-60  # what is left out of a sum, relatively: far below the roundings that are counted
_LEAST = 2.0**-900  # sums above it are not touched by what underflows: n K 2^−1022 in each of K terms


class Answer(NamedTuple):
    """A label of `numeric.shape`, undecided among them, and what decided it."""

    label: str
    by: By


def decide_labels(slope: float, laws: Sequence[Hops], *, n: int, bits: int = 512) -> list[Answer]:
    """The label of the profile for each law of K; one kernel of slope m ≥ 0 in all layers, n ≥ 1 positions.

    bits : the largest precision that is tried where floats decide nothing; below 128 no more than that. Floats mean
    exactly what they are. O(n K) for all laws together, K about their largest number of hops.

    >>> from numeric.hop_laws import Binomial, Poisson
    >>> decide_labels(0.0, [Binomial(1, 1.0), Binomial(4, 0.5), Poisson(9.0)], n=8)
    [Answer(label='flat', by='balls'), Answer(label='U', by='floats'), Answer(label='primacy', by='floats')]
    """
    if not 0 <= real(slope, "slope") <= SLOPE_LIMIT:
        raise refusal("slope", f"lie in [0, {SLOPE_LIMIT:g}]", slope)
    length, most = positions(n), integer(bits, "bits", 2)
    labels = _float_labels(float(slope), laws, length)
    balls = _BallLevels(float(slope), length)
    return [
        Answer(label, "floats") if label != "undecided" else _in_balls(balls, law, most)
        for label, law in zip(labels, laws, strict=True)
    ]


def mixture_profile(slope: float, law: Hops, *, n: int) -> Floats:
    """p itself in float64, (n,): p_j = P(K = 0) [j = n] + (w_j / W_n) g_j; what lies below every float is 0.

    Raises InputError for what `decide_labels` refuses, and where floats cannot hold the sums.

    >>> from numeric.hop_laws import Binomial
    >>> mixture_profile(0.0, Binomial(2, 0.5), n=3)
    array([0.31944444, 0.23611111, 0.44444444])
    """
    if not 0 <= real(slope, "slope") <= SLOPE_LIMIT:
        raise refusal("slope", f"lie in [0, {SLOPE_LIMIT:g}]", slope)
    u = _shares(float(slope), positions(n))
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        (sums,) = _float_sums(u, [law])
        p = np.exp(-slope * np.arange(n)[::-1]) * u[-1] * sums.g
    if law.most == 0:
        p = np.zeros(n)
    elif not sums.sound:
        raise refusal("law", "have sums that floats can hold", law)
    p[-1] += law.floats(0)[0]
    return np.asarray(p)


# --- floats ---------------------------------------------------------------------------------------------------------


class _Sums(NamedTuple):
    """For one law, in floats: g : (n,), of ``terms`` levels, and whether nothing is lost beyond counted roundings."""

    g: Floats
    terms: int
    sound: bool


def _float_labels(slope: float, laws: Sequence[Hops], n: int) -> list[str]:
    u = _shares(slope, n)
    found = []
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        for law, sums in zip(laws, _float_sums(u, laws), strict=True):
            spike = float(law.floats(0)[0] / u[-1])
            found.append(_label_of_steps(_float_steps(slope, sums, spike)))
    return found


def _shares(slope: float, n: int) -> Floats:
    """u_i = w_i / W_i, (n,): what a row keeps of itself."""
    return np.asarray(alibi_factors(np.array([[slope]]), np.zeros((1, 1)), n)[0][0])


def _float_sums(u: Floats, laws: Sequence[Hops]) -> list[_Sums]:
    """g for every law: levels are added until they are enough for each of them, or there is no more room."""
    found: dict[int, _Sums] = {}
    levels, room = [np.ones(u.size)], min(_MOST_LEVELS, max(2, _ROOM // u.size))
    while True:
        stacked = np.array(levels)
        for at, law in enumerate(laws):
            if at not in found:
                sums = _summed(law, stacked)
                # more levels say nothing new of a law that ends before them
                if sums.sound or (law.most is not None and law.most <= len(levels)):
                    found[at] = sums
        if len(found) == len(laws) or len(levels) >= room or not np.isfinite(stacked[-1]).all():
            break
        for _ in range(min(max(8, len(levels) // 4), room - len(levels))):
            levels.append(np.cumsum((u * levels[-1])[::-1])[::-1])
    lost = _Sums(np.zeros(u.size), 0, False)
    return [found.get(at, lost) for at in range(len(laws))]


def _summed(law: Hops, levels: Floats) -> _Sums:
    """Σ_{k≥1} P(K = k) h_{k−1} by the levels h_0, h_1, … : (K, n); sound if nothing that matters is left out of it."""
    if law.most is not None and law.most > len(levels):
        return _Sums(levels[0], 0, False)
    terms = len(levels) if law.most is None else max(1, law.most)
    weights, used = law.floats(terms), levels[:terms]
    g = weights[1:] @ used
    if law.most is None:
        left_out = _left_out(law, weights[-1], used, g)
    else:
        # `hop_law` drops less than 1e−300 at either end, once a layer
        left_out = 1e-300 * terms**2 * float((used.max(axis=0) / g).max())
    return _Sums(g, terms, bool(np.isfinite(g).all() and (g > _LEAST).all() and left_out <= _CUT))


def _left_out(law: Hops, last: float, levels: Floats, g: Floats) -> float:
    """A bound on what the terms beyond the levels would add to any g_j, relatively; ∞ where none is known.

    The generating function of h_k is Π 1/(1 − u_i z), so that h_k is log-concave in k: its last growth bounds all later
    ones, and the terms beyond are less than a geometric series. By the same log-concavity one more u_i makes every
    growth larger: that of j = 1 bounds all. It is at least 1, as u_1 is 1, so that it never underflows.
    """
    if len(levels) < 2 or last < _LEAST:
        return math.inf
    rate = law.growth(len(levels)) * float(levels[-1, 0] / levels[-2, 0]) * (1 + 1e-9)
    return float((last * levels[-1] / g).max()) * rate / (1 - rate) if rate < 1 else math.inf


def _float_steps(slope: float, sums: _Sums, spike: float) -> list[int | None]:
    """The signs of p_j − p_{j+1}, j = 1 … n − 1; None where rounding may have turned them. spike : P(K = 0)/u_n."""
    g, n = sums.g, sums.g.size
    # a level: n for the running sum and its product, 20 for u. 5 K + 8 for the law and the sum, 40 for e^m, 1/u_n and
    # the comparison. Doubled, which covers the products of these.
    roundings = 2.0**-52 * (sums.terms * (n + 25) + 48)
    if not sums.sound or roundings > 0.25:
        return [None] * (n - 1)
    left, right = g[:-1], math.exp(slope) * np.append(g[1:-1], g[-1] + spike)[: n - 1]
    gap = roundings * (left + right)
    steps = np.where(left - right > gap, 1, np.where(right - left > gap, -1, 0))
    return [step or None for step in steps.tolist()]


def _label_of_steps(steps: Sequence[int | None]) -> str:
    """The label that signs of p_j − p_{j+1} give; a fall after a fall and a rise after a rise say nothing new."""
    runs: list[int | None] = []
    for step in steps:
        if step is None or not runs or step != runs[-1]:
            runs.append(step)
    sign: Sign = lambda at, _: runs[at]  # noqa: E731
    return label_of(range(len(runs) + 1), sign)


# --- balls ----------------------------------------------------------------------------------------------------------


@dataclass
class _BallLevels:
    """The levels h_{k−1}(u_j, …, u_n) of one slope as balls, k from 1 on, kept for each precision."""

    slope: float
    n: int
    _kept: dict[int, tuple[list[Ball], list[list[Ball]]]] = field(default_factory=dict)

    def at(self, bits: int, count: int) -> list[list[Ball]]:
        """The first ``count`` levels at the current precision, ``bits``."""
        if bits not in self._kept:
            self._kept[bits] = ([1 / z for z in self.sums()], [[to_ball(1)] * self.n])
        u, levels = self._kept[bits]
        while len(levels) < count:
            sums = accumulate(x * h for x, h in zip(reversed(u), reversed(levels[-1]), strict=True))
            levels.append(list(sums)[::-1])
        return levels[:count]

    def sums(self) -> list[Ball]:
        """1/u_i = Σ_{r<i} e^{−mr}; integers for the uniform kernel."""
        q = (-to_ball(self.slope)).exp()
        return list(accumulate(range(1, self.n), lambda z, _: 1 + q * z, initial=to_ball(1)))


def _in_balls(levels: _BallLevels, law: Hops, most: int) -> Answer:
    bits = min(FIRST_BITS, most)
    while True:
        with precision(bits, "bits"):
            label = _label_of_steps(_ball_steps(levels, law, bits))
        if label != "undecided":
            return Answer(label, "balls")
        if bits == most:
            return Answer("undecided", "nothing")
        bits = min(2 * bits, most)


def _ball_steps(levels: _BallLevels, law: Hops, bits: int) -> list[int | None]:
    g, none = _ball_sums(levels, law, bits)
    right = to_ball(levels.slope).exp()
    last = g[-1] + none * levels.sums()[-1]
    return [_sign(x, right * y) for x, y in zip(g[:-1], [*g[1:-1], last], strict=True)] if len(g) > 1 else []


def _ball_sums(levels: _BallLevels, law: Hops, bits: int) -> tuple[list[Ball], Ball]:
    """g_1 … g_n and P(K = 0); what an endless law has beyond the levels is a ball too."""
    if law.most is not None:
        terms = max(1, law.most)
        return _mixed(law.balls(terms), levels.at(bits, terms))
    terms = _BLOCK
    while True:
        weights, rows = law.balls(terms), levels.at(bits, terms)
        g, none = _mixed(weights, rows)
        grown = rows[-1][0] / rows[-2][0]
        rest = [_rest(law, weights[-1] * x, grown, terms) for x in rows[-1]]
        small = to_ball(2) ** -bits
        if terms >= 1 << 14 or all(r is not None and r <= small * x for r, x in zip(rest, g, strict=True)):
            return [x + _up_to(r) for x, r in zip(g, rest, strict=True)], none
        terms *= 2


def _mixed(weights: list[Ball], rows: list[list[Ball]]) -> tuple[list[Ball], Ball]:
    zero = to_ball(0)
    columns = zip(*rows, strict=True)
    return [sum((p * h for p, h in zip(weights[1:], column, strict=True)), zero) for column in columns], weights[0]


def _rest(law: Hops, last: Ball, grown: Ball, terms: int) -> Ball | None:
    """The geometric bound of `_left_out` on the terms beyond the last; None where the terms do not fall yet."""
    rate = to_ball(law.growth(terms)) * grown * (1 + to_ball(2) ** -40)  # the growth is a rounded float
    return last * rate / (1 - rate) if rate < 1 else None


def _up_to(bound: Ball | None) -> Ball:
    from flint import arb

    return arb(0, math.inf) if bound is None else arb(0).union(bound)


def _sign(x: Ball, y: Ball) -> int | None:
    return 1 if x > y else -1 if x < y else 0 if x == y else None
