"""p_j = a [j = n] + Σ_h w^h_j g^h_j: recency spike + positional recency w × primacy envelope g (U1; 2602.16837).

For layers that average prefix-kernel heads, A^{t,h}_ij = w_j / Z_i (j < i), A_ii = e w_i / Z_i, Z_i = W_{i−1} + e w_i,
with head weights α and mixing coefficients λ. A head with e > 1 is split as c_i I + (1 − c_i) A_w with
c_i = (e − 1) w_i / Z_i, whose first part belongs to the residual stream. With v^{(t)} = e_n R_T ⋯ R_{t+1} and
θ_{s,j} = 1 − λ_s + λ_s Σ_{e>1} α c_j,

    a = Π_t θ_{t,n},   g^{t,h}_j = λ_t Π_{s<t} θ_{s,j} Σ_{i≥j} v^{(t)}_i α (1 + [i = j] (min(e, 1) − 1)) / Z_i :

the paths whose lowest attending layer is t. The equation holds for every such kernel. Every g ≥ 0 is nonincreasing if,
for each head with e > 1, W_i / w_i is nondecreasing (every ALiBi); without that it may fail, so it is looked at.

Exact here: with rationals everything, and each g_j − g_{j+1} is compared with 0; with balls these differences, built
from terms ≥ 0 wherever theory has them so, decide or leave it open. Numeric: see `numeric.float_decomposition`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

from numeric.ball_kernel import BallAlibi, BallKernel, BallPrefix, to_ball
from numeric.exact import ExactKernel, ExactPrefix
from numeric.once import once
from numeric.prefix import NumberHead
from numeric.three_valued import all_of

__all__ = ["Column", "Decomposition", "Head", "number_decomposition"]

Value = Any  # a float, Fraction, or flint's fmpq or arb
Column = Any  # a sequence or array of them


@dataclass(frozen=True, eq=False)
class Head:
    """One term w_j g_j.

    head : its place among the heads of a layer, from 0. layer : its layer, from 0, or None if the heads of all layers
    have the same weights: then g is the sum over the layers. weights : w, (n,). envelope : g, (n,). In float64 both are
    None where w spans more than e^500. nonincreasing : whether g is, exactly; None where that is left open.
    """

    layer: int | None
    head: int
    weights: Column | None
    envelope: Column | None
    nonincreasing: bool | None


@dataclass(frozen=True, eq=False)
class Decomposition:
    """The decomposition of a profile. spike : a. heads : the terms w g. nonincreasing : whether every envelope is."""

    spike: Value
    heads: tuple[Head, ...]
    nonincreasing: bool | None


@dataclass(frozen=True, eq=False)
class _Weighted:
    """A head as numbers: α; w_i; ratio ζ_i = Z_i / w_i; steps ζ_{i+1} − ζ_i; e; less 1 − e. Split: certainly e > 1."""

    share: Value
    weights: list[Value]
    ratio: list[Value]
    steps: list[Value]
    e: Value
    less: Value

    @property
    def split(self) -> bool:
        return bool(self.less < 0)


def number_decomposition(
    layers: Sequence[tuple[ExactKernel | BallKernel, Sequence[NumberHead]]],
    shares: Sequence[Value],
    n: int,
    number: Callable[[Any], Value],
) -> Decomposition:
    """The decomposition in rationals or balls, O(T H n) operations.

    layers : (T,) kernels with their heads, layer 1 first. shares : λ_t as such numbers. number : makes one.
    By convention T = 0 gives a = 1 and no heads.
    """
    zero, one = number(Fraction(0)), number(Fraction(1))
    heads = once(lambda found: [_weighted(head, n, number) for head in found], [found for _, found in layers])
    stays, falls = _staying(heads, shares, n, one)
    keys = {tuple(head.key for head in found) for _, found in layers}
    sums: dict[tuple[int | None, int], tuple[_Weighted, list[Value]]] = {}
    v = [zero] * (n - 1) + [one]
    for t in reversed(range(len(layers))):
        for h, head in enumerate(heads[t]):
            place = (None if len(keys) == 1 else t, h)
            total = sums.setdefault(place, (head, [zero] * n))[1]
            for j, x in enumerate(_drops(head, v, shares[t], stays[t], falls[t])):
                total[j] += x
        v = [(1 - shares[t]) * x + shares[t] * y for x, y in zip(v, layers[t][0].row(v), strict=True)]
    ordered = sorted(sums.items(), key=lambda item: (item[0][0] or 0, item[0][1]))
    terms = tuple(_head(place, head, drops) for place, (head, drops) in ordered)
    return Decomposition(stays[-1][-1], terms, all_of([term.nonincreasing for term in terms]))


def _weighted(head: NumberHead, n: int, number: Callable[[Any], Value]) -> _Weighted:
    kernel, share = head.kernel, number(head.share)
    if isinstance(kernel, BallAlibi):
        q, d = (-to_ball(kernel.slope)).exp(), to_ball(kernel.content)
        powers = list(accumulate(range(1, n), lambda x, _: q * x, initial=number(Fraction(1))))  # q^0 … q^{n−1}
        ratio = list(accumulate(powers[1:], initial=d.exp()))
        return _Weighted(share, powers[::-1], ratio, powers[1:], d.exp(), -d.expm1())
    rational = all(isinstance(w, Fraction) for w in kernel.weights)
    weights = list(kernel.weights) if rational else [number(w) for w in kernel.weights]
    before = accumulate(weights[:-1], initial=weights[0] - weights[0])  # W_{i−1}
    quotients = [b / w for b, w in zip(before, weights, strict=True)]
    steps = [number(y - x) for x, y in pairwise(quotients)]  # of rationals the sign is exact
    e, less = _factor(kernel, number)
    return _Weighted(share, [number(w) for w in weights], [number(x) + e for x in quotients], steps, e, less)


def _factor(kernel: ExactPrefix | BallPrefix, number: Callable[[Any], Value]) -> tuple[Value, Value]:
    """e and 1 − e, the latter with a certain sign wherever that can be had."""
    if isinstance(kernel, ExactPrefix) or _is_zero(kernel.content):
        return number(kernel.e), number(1 - kernel.e)
    d = to_ball(kernel.content)
    e = to_ball(kernel.e) * d.exp()
    return e, (-d.expm1() if kernel.e == 1 else 1 - e)


def _is_zero(value: object) -> bool:
    return isinstance(value, Fraction) and value == 0


def _staying(
    heads: Sequence[Sequence[_Weighted]], shares: Sequence[Value], n: int, one: Value
) -> tuple[list[list[Value]], list[list[Value]]]:
    """Π_{s<t} θ_{s,j} for t = 1 … T + 1, and how much it falls from j to j + 1 (theory has that ≥ 0)."""
    stays, falls = [[one] * n], [[one - one] * (n - 1)]
    for layer, share in zip(heads, shares, strict=True):
        theta, drop = [1 - share] * n, [one - one] * (n - 1)
        for head in layer:
            if head.split:
                pull = -share * head.share * head.less  # λ α (e − 1)
                theta = [x + pull / z for x, z in zip(theta, head.ratio, strict=True)]
                neighbours = zip(drop, head.steps, head.ratio, head.ratio[1:], strict=False)
                drop = [x + pull * step / (y * z) for x, step, y, z in neighbours]
        before, fall = stays[-1], falls[-1]
        stays.append([x * y for x, y in zip(before, theta, strict=True)])
        falls.append([fall[j] * theta[j] + before[j + 1] * drop[j] for j in range(n - 1)])
    return stays, falls


def _drops(head: _Weighted, v: Column, share: Value, stay: Column, fall: Column) -> list[Value]:
    """g_j − g_{j+1} for j < n, then g_n, of one head of one layer."""
    n = len(v)
    x = [head.share * y / (w * z) for y, w, z in zip(v, head.weights, head.ratio, strict=True)]  # α v_i / Z_i
    own = x if head.split else [head.e * y for y in x]
    after = x if head.split else [own[j] + head.less * x[j + 1] for j in range(n - 1)]  # how much the sum S falls
    total, out = own[-1], [share * stay[-1] * own[-1]]
    for j in reversed(range(n - 1)):
        out.append(share * (stay[j] * after[j] + fall[j] * total))
        total += after[j]
    return out[::-1]


def _head(place: tuple[int | None, int], head: _Weighted, drops: list[Value]) -> Head:
    falls = drops[:-1]
    shown = True if all(x >= 0 for x in falls) else False if any(x < 0 for x in falls) else None
    return Head(*place, tuple(head.weights), tuple(accumulate(reversed(drops)))[::-1], shown)
