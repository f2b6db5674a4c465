"""How the tails of ALiBi rows move over a whole box of slopes and contents: the least and the largest value, proven.

Row i (distances r = 0 … i) has weights x_0 = e^d, x_r = q^r for r ≥ 1, q = e^{−m}, m ≥ 0. For the tail from k on, with
c = i − k, let T_c = Σ_{r≤c} x_r, H_c = Σ_{r>c} x_r, Z_i = T_c + H_c. Then (D3, D4)

    F(i, k)            = T_c / Z_i
    F(i+1, k) − F(i, k) = (H_c / Z_i) · (q + e^d (1 − q)) / Z_{i+1}
    ∂F(i, k)/∂d        = (x_0 / Z_i) · (H_c / Z_i)
    ∂F(i, k)/∂m        = (T_c / Z_i) · (H_c / Z_i) · (G_c + 1 + E_c),
                         G_c = Σ_{r≤c} (c − r) x_r / T_c,   E_c = Σ_{r>c} (r − c − 1) x_r / H_c,

every factor ≥ 0: nothing is subtracted, so a sign is never lost. Each factor is monotone in m and in d, so its least
and largest value over a box are its values at two corners, however large the box. Proofs:

  F: T_c/H_c is a sum of terms e^d q^−s, s ≤ i, each over a sum; x_r/x_s, r ≤ c < s, is nondecreasing in m and in d.
  H_c/Z_i = 1 − F(i, k), and x_0/Z_i = F(i, i).
  (q + e (1 − q))/Z_{i+1} = 1 − q Z_i/Z_{i+1}. In e: its numerator's derivative times Z_{i+1}, less itself, is −q^{i+2}
      (Σ_{1≤r≤i+1} q^r (1 − q) = q − q^{i+2}), so it falls. In q: with N = q Z_i and D = Z_{i+1}, q (N'D − N D') =
      e² q + Σ_{a=2}^{i+1} [e a q^a + (a−1) q^{a+1} − e (a−1) q^{a+1}] ≥ 0 for q ≤ 1: it falls in q, rises in m.
  G_c: the law of r on 0 … c with weights x_r moves to smaller r (likelihood ratio) as m or d grows: c − r grows.
  E_c: the same on c + 1 … i: r − c − 1 falls as m grows, and d does not enter.

`alibi_drift` carries these through T layers: u = e_n R_T ⋯ R_{t+1} ≥ 0 above, tails f of R_{t−1} ⋯ R_1 below, whose
increments g ≥ 0 obey g_{i+1} ← (1−λ) g_{i+1} + λ Σ_l [F(i+1, l) − F(i, l)] g_l, and the derivative of the profile's
tail by layer t's parameter is λ_t Σ_i u_i Σ_l ∂F(i, l) g_l. A `Range` keeps both ends: one ball around [1e−30, ½] would
reach below 0. Exact here: every end is a proven bound. Not covered: slopes m < 0, where signs change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

from numeric.ball import precision
from numeric.ball_kernel import Ball, Parameter, to_ball
from numeric.refuse import integer, rational, refusal
from numeric.schedule import Mixing, Number, as_schedule

__all__ = ["Range", "alibi_content_drift", "alibi_drift", "alibi_increments", "alibi_row", "alibi_slope_drift",
           "alibi_tails"]  # fmt: skip

Side = Number | tuple[Number, Number] | Parameter  # one number, both ends, or a ball


class Range(NamedTuple):
    """[low, high] ∋ every value over the box, low and high being balls: low.lower() and high.upper() are the bounds."""

    low: Ball
    high: Ball


def alibi_tails(i: int, slope: Side, content: Side, *, prec: int = 128) -> tuple[Range, ...]:
    """F(i, k), k = 0 … i, positions from 0. slope : m ≥ 0, content : d; each a number, (least, largest) or a ball.

    >>> low, high = alibi_tails(1, (0, 1), 0)[1]        # ½ at m = 0, 1/(1 + 1/e) at m = 1
    >>> low.contains(0.5), round(float(high), 6)
    (True, 0.731059)
    """
    with precision(prec):
        return _Box(i, slope, content).tails()


def alibi_increments(i: int, slope: Side, content: Side, *, prec: int = 128) -> tuple[Range, ...]:
    """F(i+1, k) − F(i, k), k = 0 … i + 1: at least 0, so that the kernel is monotone (D4(c))."""
    with precision(prec):
        return _Box(i, slope, content).increments()


def alibi_slope_drift(i: int, slope: Side, content: Side, *, prec: int = 128) -> tuple[Range, ...]:
    """∂F(i, k)/∂m, k = 0 … i: at least 0 (D3(c) for one row)."""
    with precision(prec):
        return _Box(i, slope, content).slope_drift()


def alibi_content_drift(i: int, slope: Side, content: Side, *, prec: int = 128) -> tuple[Range, ...]:
    """∂F(i, k)/∂d, k = 0 … i: at least 0 (D4(b) for one row)."""
    with precision(prec):
        return _Box(i, slope, content).content_drift()


def alibi_row(i: int, slope: Side, content: Side, *, prec: int = 128) -> tuple[Range, ...]:
    """A_ij, j = 0 … i: bounds that hold, but for j < i not always the least and the largest value.

    A_ij = 1 / (e^d q^{−c} + Σ_{1≤s≤i} q^{s−c}), c = i − j; each term of the denominator is bounded on its own.
    """
    with precision(prec):
        return _Box(i, slope, content).row()


def alibi_drift(
    lam: Mixing, layers: int, *, n: int, slope: Side, content: Side, by: Literal["slope", "content"], prec: int = 128
) -> tuple[tuple[Range, ...], ...]:
    """∂F_p(k)/∂θ_t for every layer t = 1 … T (outer) and k = 0 … n − 1 (inner), θ_t the slope or content of layer t.

    The layers are single ALiBi heads whose slopes and contents lie anywhere in the box, each layer on its own. All
    ranges ≥ 0 on a box: there, p only moves up in ≼ as any layers' slopes (contents) grow, D3(c) and D4(b) on
    that box. lam : exact numbers in [0, 1]; layers : T ≥ 0; n : length. Raises InputError.
    """
    length = integer(n, "n", 1)
    if by not in ("slope", "content"):
        raise refusal("by", "be slope or content", by)
    with precision(prec):
        shares = [to_ball(x) for x in as_schedule(lam).exact(integer(layers, "layers", 0))]
        boxes = [_Box(i, slope, content) for i in range(length)]
        drift = [box.slope_drift() if by == "slope" else box.content_drift() for box in boxes]
        above = _rows_above([box.row() for box in boxes], shares)
        below = [_increments_below([box.increments() for box in boxes[:-1]], shares, k) for k in range(length)]
        return tuple(
            tuple(_moved(above[t], drift, below[k][t], shares[t]) for k in range(length)) for t in range(len(shares))
        )


def _moved(above: Sequence[Range], drift: Sequence[Sequence[Range]], below: Sequence[Range], share: Ball) -> Range:
    """λ Σ_i u_i Σ_l ∂F(i, l) g_l."""
    rows = [_plus(_times(x, y) for x, y in zip(row, below, strict=False)) for row in drift]
    return _times(Range(share, share), _plus(_times(u, row) for u, row in zip(above, rows, strict=True)))


def _rows_above(rows: Sequence[Sequence[Range]], shares: Sequence[Ball]) -> list[list[Range]]:
    """e_n R_T ⋯ R_{t+1} for t = 1 … T."""
    n = len(rows)
    u = [_point(0)] * (n - 1) + [_point(1)]
    out = []
    for share in reversed(shares):
        out.append(u)
        kept, spread = Range(1 - share, 1 - share), Range(share, share)
        read = [_plus(_times(u[i], rows[i][j]) for i in range(j, n)) for j in range(n)]
        u = [_plus((_times(kept, x), _times(spread, y))) for x, y in zip(u, read, strict=True)]
    return out[::-1]


def _increments_below(increments: Sequence[Sequence[Range]], shares: Sequence[Ball], k: int) -> list[list[Range]]:
    """g_l = f_l − f_{l−1}, l = 0 … n − 1 (f_{−1} = 0), of f = R_{t−1} ⋯ R_1 1_{≥k}, for t = 1 … T."""
    n = len(increments) + 1
    g = [_point(int(j == k)) for j in range(n)]
    out = []
    for share in shares:
        out.append(g)
        kept, spread = Range(1 - share, 1 - share), Range(share, share)
        # f_0 never changes: the first position reads itself
        moved = [_plus(_times(x, y) for x, y in zip(row, g, strict=False)) for row in increments]
        g = [g[0], *(_plus((_times(kept, x), _times(spread, y))) for x, y in zip(g[1:], moved, strict=True))]
    return out


class _Corner:
    """Row i at one (m, d): T_c and H_c, c = 0 … i, and what is made of them."""

    def __init__(self, i: int, m: Ball, d: Ball) -> None:
        self.q, self.own, self.left = (-m).exp(), d.exp(), -(-m).expm1()  # left = 1 − q
        x = [self.own, *accumulate([self.q] * i, lambda a, b: a * b)]
        self.near = list(accumulate(x))
        self.far = [*list(accumulate(reversed(x[1:])))[::-1], to_ball(0)]
        self.total = self.near[-1]
        self.next_total = self.total + self.q ** (i + 1)

    def near_share(self, c: int) -> Ball:
        return self.near[c] / self.total

    def far_share(self, c: int) -> Ball:
        return self.far[c] / self.total

    def step(self, _: int) -> Ball:
        return (self.q + self.own * self.left) / self.next_total

    def near_gap(self, c: int) -> Ball:
        """G_c; Σ_{r≤c} (c − r) x_r = Σ_{b<c} T_b."""
        return sum(self.near[:c], to_ball(0)) / self.near[c]

    def far_gap(self, c: int) -> Ball:
        """E_c; Σ_{r>c} (r − c − 1) x_r = Σ_{b>c} H_b."""
        return sum(self.far[c + 1 :], to_ball(0)) / self.far[c]


class _Box:
    """Row i over a box: each factor at the two corners where it is least and largest (the proofs are above)."""

    def __init__(self, i: int, slope: Side, content: Side) -> None:
        self.i = integer(i, "i", 0)
        self.m, self.d = _ends(slope, "slope"), _ends(content, "content")
        if not self.m.low >= 0:
            raise refusal("slope", "be at least 0", slope)
        (m0, m1), (d0, d1) = self.m, self.d
        self.least, self.most = _Corner(i, m0, d0), _Corner(i, m1, d1)
        self.flat, self.steep = _Corner(i, m0, d1), _Corner(i, m1, d0)

    def near(self, c: int) -> Range:
        return Range(self.least.near_share(c), self.most.near_share(c))

    def far(self, c: int) -> Range:
        return Range(self.most.far_share(c), self.least.far_share(c))

    def step(self, c: int) -> Range:
        return Range(self.flat.step(c), self.steep.step(c))

    def near_gap(self, c: int) -> Range:
        return Range(self.least.near_gap(c), self.most.near_gap(c))

    def far_gap(self, c: int) -> Range:
        return Range(self.most.far_gap(c), self.least.far_gap(c))

    def tails(self) -> tuple[Range, ...]:
        return _point(1), *(self.near(self.i - k) for k in range(1, self.i + 1))

    def increments(self) -> tuple[Range, ...]:
        inner = [_times(self.far(self.i - k), self.step(0)) for k in range(1, self.i + 1)]
        last = Range(self.least.own / self.least.next_total, self.most.own / self.most.next_total)  # F(i+1, i+1)
        return _point(0), *inner, last

    def content_drift(self) -> tuple[Range, ...]:
        return _point(0), *(_times(self.near(0), self.far(self.i - k)) for k in range(1, self.i + 1))

    def slope_drift(self) -> tuple[Range, ...]:
        return _point(0), *(self._slope_drift(self.i - k) for k in range(1, self.i + 1))

    def _slope_drift(self, c: int) -> Range:
        return _times(self.near(c), self.far(c), _plus((self.near_gap(c), _point(1), self.far_gap(c))))

    def row(self) -> tuple[Range, ...]:
        return *(self._entry(self.i - j) for j in range(self.i)), self.near(0) if self.i else _point(1)

    def _entry(self, c: int) -> Range:
        """A_{i,i−c}, c ≥ 1: terms e^{m (c−s)} of the denominator grow with m for s < c and fall for s > c."""
        (m0, m1), (d0, d1) = self.m, self.d
        younger, older = range(1, c), range(c + 1, self.i + 1)

        def below(m: Ball, other: Ball, d: Ball) -> Ball:
            grow = sum((((c - s) * m).exp() for s in younger), (d + c * m).exp() + 1)
            return sum((((c - s) * other).exp() for s in older), grow)

        return Range(1 / below(m1, m0, d1), 1 / below(m0, m1, d0))


def _point(value: int) -> Range:
    return Range(to_ball(value), to_ball(value))


def _times(*factors: Range) -> Range:
    """The product of ranges that are ≥ 0."""
    low, high = to_ball(1), to_ball(1)
    for factor in factors:
        low, high = low * factor.low, high * factor.high
    return Range(low, high)


def _plus(terms: Iterable[Range]) -> Range:
    low, high = to_ball(0), to_ball(0)
    for term in terms:
        low, high = low + term.low, high + term.high
    return Range(low, high)


def _ends(side: Side, name: str) -> Range:
    if isinstance(side, tuple):
        if len(side) != 2 or not rational(side[0], name) <= rational(side[1], name):
            raise refusal(name, "be (least, largest)", side)
        return Range(to_ball(side[0], name), to_ball(side[1], name))
    ball = to_ball(side, name)
    # the ends of a given ball; those of a rational rounded to a ball, so narrow that both may stand for it
    return Range(ball.lower(), ball.upper()) if hasattr(side, "mid") else Range(ball, ball)
