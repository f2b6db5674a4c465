"""v ↦ vA in ball arithmetic (flint's arb): every number is a midpoint with a proven radius, real slopes included.

The kernels of `numeric.kernel`, `numeric.distance` and `numeric.exact`, evaluated at flint's current precision (see
`numeric.ball.precision`). A parameter is a rational, taken exactly, a float, taken as the dyadic rational it is, or an
arb, taken as the interval it is: the result then holds for every value in it, but soon becomes wide, because a
recursion uses its parameter many times; for boxes see `numeric.ball_box`. Theory section 0; arXiv:2602.16837.

Exact here: nothing is rounded without its error being counted. Not covered: the float64 rounding that a caller did
before; a float slope means exactly that float.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

from numeric.distance import Distance, LogDistance, Window
from numeric.exact import ExactAverage, ExactDense, ExactKernel, ExactPrefix, Rows, to_flint
from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
from numeric.refuse import flag, positions, rational, refusal
from numeric.schedule import Number

__all__ = [
    "Ball",
    "BallAlibi",
    "BallAverage",
    "BallDistance",
    "BallKernel",
    "BallLogDistance",
    "BallPrefix",
    "as_ball",
    "proportions",
    "to_ball",
]

Ball = Any  # flint.arb: the package has no types
Parameter = Any  # a Number or an arb


def to_ball(value: Parameter, name: str = "value") -> Ball:
    """A rational (or the dyadic value of a float) as arb at the current precision; a finite arb as it is."""
    from flint import arb

    if not _is_ball(value):
        return arb(to_flint(rational(value, name)))
    if not value.is_finite():
        raise refusal(name, "be a finite ball", value)
    return value


class BallKernel(ABC):
    """A causal kernel in ball arithmetic."""

    @property
    def size(self) -> int | None:
        """The only n this kernel is defined for, or None when it is defined for every n."""
        return None

    @abstractmethod
    def row(self, v: Sequence[Ball]) -> list[Ball]:
        """Enclosures of vA for a row v of n balls, at flint's current precision."""

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)  # the dataclasses are frozen


@dataclass(frozen=True, eq=False)
class BallAlibi(BallKernel):
    """A_ij ∝ e^{−m (i−j) + d [i = j]}, j ≤ i. slope : m, any sign; content : d; numbers or balls."""

    slope: Parameter
    content: Parameter = 0

    def __post_init__(self) -> None:
        self._set(slope=_kept(self.slope, "slope"), content=_kept(self.content, "content"))

    def row(self, v: Sequence[Ball]) -> list[Ball]:
        q, own = (-to_ball(self.slope)).exp(), to_ball(self.content).exp()
        sums = accumulate(range(1, len(v)), lambda s, _: q * (1 + s), initial=to_ball(0))  # Σ_{1≤r≤i} q^r
        shares = [x / (own + s) for x, s in zip(v, sums, strict=True)]
        out, later = [], to_ball(0)  # later = Σ_{i>j} q^{i−j} v_i / Z_i
        for share in reversed(shares[1:]):
            out.append(own * share + later)
            later = q * (later + share)
        return [v[0] + later, *reversed(out)]  # the first position reads itself, with weight exactly 1


@dataclass(frozen=True, eq=False)
class BallPrefix(BallKernel):
    """A_ij = w_j / Z_i (j < i), A_ii = e e^d w_i / Z_i. weights : (n,) positive; content : d; e : a factor > 0."""

    weights: Sequence[Parameter]
    content: Parameter = 0
    e: Parameter = 1

    def __post_init__(self) -> None:
        weights = tuple(_positive(w, "weights", f"entry {at}, from 1") for at, w in enumerate(self.weights, start=1))
        if not weights:
            raise flag("weights", "have at least one entry", "none")
        self._set(weights=weights, content=_kept(self.content, "content"), e=_positive(self.e, "e"))

    @property
    def size(self) -> int:
        return len(self.weights)

    def row(self, v: Sequence[Ball]) -> list[Ball]:
        w = [to_ball(x) for x in self.weights]
        factor = to_ball(self.e) * to_ball(self.content).exp()
        before = accumulate(w[:-1], initial=to_ball(0))  # W_{i−1}: added up, never subtracted
        shares = [x / (b + factor * y) for x, y, b in zip(v, w, before, strict=True)]
        out, later = [], to_ball(0)  # later = Σ_{i>j} v_i / Z_i
        for weight, share in zip(reversed(w[1:]), reversed(shares[1:]), strict=True):
            out.append(weight * (factor * share + later))
            later += share
        return [v[0] + w[0] * later, *reversed(out)]


@dataclass(frozen=True, eq=False)
class BallDistance(BallKernel):
    """A_ij ∝ e^{b(i−j) + d [i = j]}, j ≤ i; defined for every n.

    bias : b(0), b(1), …, numbers or balls. Where it is None or −inf, and beyond the list, nothing is read: the list is
    a window. b(0) is finite. content : d.
    """

    bias: Sequence[Parameter]
    content: Parameter = 0

    def __post_init__(self) -> None:
        bias = tuple(
            None if b is None or (isinstance(b, float) and b == -math.inf) else _kept(b, "bias", f"entry {at}, from 1")
            for at, b in enumerate(self.bias, start=1)
        )
        if not bias or bias[0] is None:
            raise flag("bias", "begin with a finite number", "−inf" if bias else "nothing")
        self._set(bias=bias, content=_kept(self.content, "content"))

    def row(self, v: Sequence[Ball]) -> list[Ball]:
        read = [to_ball(0) if b is None else to_ball(b).exp() for b in self.bias[: len(v)]]
        return _distance_row(v, read[0] * to_ball(self.content).exp(), read[1:])


@dataclass(frozen=True, eq=False)
class BallLogDistance(BallKernel):
    """A_ij ∝ (1 + i − j)^{−c} e^{d [i = j]}, j ≤ i. strength : c, any sign; content : d; numbers or balls."""

    strength: Parameter
    content: Parameter = 0

    def __post_init__(self) -> None:
        self._set(strength=_kept(self.strength, "strength"), content=_kept(self.content, "content"))

    def row(self, v: Sequence[Ball]) -> list[Ball]:
        c = to_ball(self.strength)
        after = [(-c * to_ball(1 + d).log()).exp() for d in range(1, len(v))]
        return _distance_row(v, to_ball(self.content).exp(), after)


@dataclass(frozen=True, eq=False)
class BallAverage(BallKernel):
    """A = Σ_h α_h A_h. kernels : ball kernels; head_weights : rationals ≥ 0 with sum exactly 1, or None (equal)."""

    kernels: Sequence[BallKernel]
    head_weights: Sequence[Number] | None = None

    def __post_init__(self) -> None:
        heads = tuple(self.kernels)
        if not heads or not all(isinstance(head, BallKernel) for head in heads):
            raise refusal("kernels", "be a sequence with at least one ball kernel", self.kernels)
        if len({head.size for head in heads} - {None}) > 1:
            raise flag("kernels", "be defined for one common n", "for several")
        given = [Fraction(1, len(heads))] * len(heads) if self.head_weights is None else self.head_weights
        alpha = tuple(rational(x, "head_weights") for x in given)
        if len(alpha) != len(heads):
            raise flag("head_weights", f"be one number per head ({len(heads)})", f"{len(alpha)} of them")
        if min(alpha) < 0 or sum(alpha) != 1:
            raise flag("head_weights", "be nonnegative with sum 1", f"minimum {min(alpha)}, sum {sum(alpha)}")
        self._set(kernels=heads, head_weights=alpha)

    @property
    def size(self) -> int | None:
        return next((head.size for head in self.kernels if head.size is not None), None)

    def row(self, v: Sequence[Ball]) -> list[Ball]:
        assert self.head_weights is not None  # set by the constructor
        out = [to_ball(0)] * len(v)
        for alpha, head in zip(self.head_weights, self.kernels, strict=True):
            share = to_ball(alpha)
            out = [x + share * y for x, y in zip(out, head.row(v), strict=True)]
        return out


@dataclass(frozen=True, eq=False)
class _BallDense(BallKernel):
    """A_ij = matrix_ij / below_i, checked where it comes from; sums are taken as they are.

    matrix : a flint arb_mat of single numbers. below : (n,) integers, flint's or Python's.
    """

    matrix: Any
    below: Sequence[Any]

    @classmethod
    def of(cls, kernel: Dense | ExactDense) -> _BallDense:
        from flint import arb_mat

        n = len(kernel.values) if isinstance(kernel, Dense) else kernel.size
        if isinstance(kernel, Dense):
            return cls(arb_mat(n, n, kernel.values.ravel().tolist()), [1] * n)
        matrix, factors, common = kernel.integers
        below = [common // factor for factor in factors]
        return cls(arb_mat(matrix), below)

    @property
    def size(self) -> int:
        return len(self.below)

    def row(self, v: Sequence[Ball]) -> list[Ball]:
        from flint import arb_mat

        shares = arb_mat(1, self.size, [x / d for x, d in zip(v, self.below, strict=True)])
        return list((shares * self.matrix).entries())


def as_ball(kernel: BallKernel | Kernel | ExactKernel | Rows, n: int) -> BallKernel:
    """The kernel in ball arithmetic, for n positions: any kernel object of `numeric`, or square tuples of rationals.

    Parameters are taken exactly as stored. Head weights in floats are divided by their exact sum, so that equal ones
    are exactly equal shares; a `Dense` keeps its sums as they are.
    """
    length = positions(n)
    if isinstance(kernel, (list, tuple)):
        kernel = ExactDense(kernel)
    if not isinstance(kernel, (BallKernel, Kernel, ExactKernel)):
        raise refusal("kernels", "be kernels", kernel)
    if kernel.size not in (None, length):
        raise refusal("n", f"be {kernel.size}, the length of the kernel", length)
    return kernel if isinstance(kernel, BallKernel) else _converted(kernel, length)


def _converted(kernel: Kernel | ExactKernel, n: int) -> BallKernel:
    match kernel:
        case Uniform():
            return BallAlibi(0, kernel.content)
        case Prefix():
            return BallPrefix(kernel.weights.tolist(), kernel.content)
        case ExactPrefix():
            return BallPrefix(kernel.weights, 0, kernel.e)
        case Alibi():
            heads = zip(kernel.slopes.tolist(), kernel.content.tolist(), strict=True)
            return BallAverage([BallAlibi(m, d) for m, d in heads], proportions(kernel.head_weights.tolist()))
        case Distance():
            return BallDistance(kernel.bias.tolist(), kernel.content)
        case LogDistance():
            return BallLogDistance(kernel.strength, kernel.content)
        case Window():
            slope = Fraction(kernel.slope)
            return BallDistance([-slope * d for d in range(min(kernel.width, n))], kernel.content)
        case HeadAverage():
            return BallAverage([as_ball(k, n) for k in kernel.kernels], proportions(kernel.head_weights.tolist()))
        case ExactAverage():
            return BallAverage([as_ball(k, n) for k in kernel.kernels], kernel.head_weights)
        case Dense() | ExactDense():
            return _BallDense.of(kernel)
    raise refusal("kernels", "be kernels known to ball arithmetic", kernel)


def proportions(alpha: Sequence[float]) -> list[Fraction]:
    """α_h / Σ α, exactly, of head weights in floats."""
    exact = [Fraction(x) for x in alpha]
    total = sum(exact)
    return [x / total for x in exact]


def _distance_row(v: Sequence[Ball], own: Ball, after: Sequence[Ball]) -> list[Ball]:
    """(vA)_j = v_j own/Z_j + Σ_{r≥1} a_r v_{j+r}/Z_{j+r}, after = (a_1, …); distances beyond it are never read."""
    n, zero = len(v), to_ball(0)
    z = list(accumulate((after[r - 1] if r <= len(after) else zero for r in range(1, n)), initial=own))
    shares = [x / y for x, y in zip(v, z, strict=True)]
    reads = [(r, a) for r, a in enumerate(after, start=1) if not a.is_zero()]
    out = [own * share for share in shares]
    out[0] = v[0]  # the first position reads itself, with weight exactly 1
    return [x + sum((a * shares[j + r] for r, a in reads if j + r < n), zero) for j, x in enumerate(out)]


def _kept(value: Parameter, name: str, place: str = "") -> Parameter:
    """A number as the rational it is, a finite ball as it is; what is neither is refused by its name."""
    return to_ball(value, name) if _is_ball(value) else rational(value, name, place)


def _positive(value: Parameter, name: str, place: str = "") -> Parameter:
    kept = _kept(value, name, place)
    if not kept > 0:  # for a ball: certainly
        raise refusal(name, "be positive", value, place)
    return kept


def _is_ball(value: object) -> bool:
    from flint import arb

    return isinstance(value, arb)
