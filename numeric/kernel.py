"""Causal kernels A that know their row recursion v ↦ vA: uniform, prefix, ALiBi, head averages, dense.

A prefix kernel with weights w > 0 and diagonal content d reads, for j ≤ i,

    A_ij = w_j / Z_i (j < i),   A_ii = e^d w_i / Z_i,   Z_i = W_{i−1} + e^d w_i,   W_i = w_1 + … + w_i,

so (vA)_j = v_j A_jj + w_j Σ_{i>j} v_i / Z_i: a diagonal term and one backward sum, O(n) and no matrix. Uniform: w = 1.
ALiBi with slope m: w_j = e^{m j}. Content adds d to the diagonal logit. Theory S1, D3, D4; arXiv:2602.16837.

Exact here: nothing. Numeric here: `apply` against the exact row, for v ≥ 0, errs relatively by at most about
(12 log₂ n + 10) · 2^−53 whatever the slope and the content, and overflows for no accepted parameter; `matrix` is the
plain oracle, computed another way. Distance kernels other than ALiBi are in `numeric.distance`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.recurrence import alibi_row, backward_sums
from numeric.refuse import flag, integer, real, refusal, several, square, vector

__all__ = ["Alibi", "Dense", "HeadAverage", "Kernel", "Prefix", "Uniform"]

FloatArray = NDArray[np.float64]

CONTENT_LIMIT = 400.0  # e^±400 times any accepted weight stays a normal float64
SLOPE_LIMIT = 700.0  # e^−700 is still a normal float64
ROW_LIMIT = 1e150  # 1e150 · 1e130, summed over positions, stays far below 1.8e308
WEIGHT_RANGE = 1e130  # largest over smallest prefix weight: e^−400 · 1e−130 > 2.2e−308


class Kernel(ABC):
    """A kernel, causal but for `PrefixLM`: a self-checking value object with `apply` (fast), `matrix` (the oracle)."""

    @property
    def size(self) -> int | None:
        """The only n this kernel is defined for, or None when it is defined for every n."""
        return None

    def apply(self, v: ArrayLike) -> FloatArray:
        """vA for a row v : (n,), |v_j| ≤ 1e150, as float64 (n,). Raises InputError for any other v."""
        row = vector(v, "v")
        if np.abs(row).max() > ROW_LIMIT:
            raise refusal("v", f"have entries of size at most {ROW_LIMIT:g}", row[np.abs(row).argmax()])
        self.require(row.size)
        return self._row(row)

    def matrix(self, n: int) -> FloatArray:
        """A as an (n, n) array with axes query i, key j: O(n²) memory, meant as the oracle."""
        self.require(integer(n, "n", 1))
        return self._dense(n)

    def require(self, n: int) -> None:
        """Raises InputError unless the kernel is defined for n positions."""
        if self.size is not None and self.size != n:
            raise refusal("n", f"be {self.size}, the length of the kernel", n)

    @abstractmethod
    def _row(self, v: FloatArray) -> FloatArray: ...

    @abstractmethod
    def _dense(self, n: int) -> FloatArray: ...

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)  # the dataclasses are frozen

    def __eq__(self, other: object) -> bool:
        """Same kind of kernel with equal parameters."""
        if type(other) is not type(self) or not isinstance(other, Kernel):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        own = (getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]
        # adding 0.0 makes −0.0 and 0.0, which are equal, the same bytes
        return tuple((x.shape, (x + 0.0).tobytes()) if isinstance(x, np.ndarray) else x for x in own)


@dataclass(frozen=True, init=False, eq=False)
class Uniform(Kernel):
    """A_ij = 1/(i − 1 + e^d) for j < i, A_ii = e^d/(i − 1 + e^d): no positional bias, diagonal content d.

    content : number in [−400, 400].

    >>> Uniform().apply([0.0, 0.0, 0.0, 1.0])
    array([0.25, 0.25, 0.25, 0.25])
    """

    content: float

    def __init__(self, content: float = 0.0) -> None:
        self._set(content=float(_content(content, 1)[0]))

    def _row(self, v: FloatArray) -> FloatArray:
        return alibi_row(v, np.zeros(1), np.array([self.content]), np.ones(1))

    def _dense(self, n: int) -> FloatArray:
        return _softmax(np.zeros((n, n)) + self.content * np.eye(n))


@dataclass(frozen=True, init=False, eq=False)
class Prefix(Kernel):
    """A_ij = w_j / Z_i for j < i, A_ii = e^d w_i / Z_i, Z_i = W_{i−1} + e^d w_i.

    weights : (n,), positive, finite, in the order of positions; the largest at most 1e130 times the smallest.
    content : number in [−400, 400]. The kernel is defined for n = len(weights) only.
    """

    weights: FloatArray
    content: float

    def __init__(self, weights: ArrayLike, content: float = 0.0) -> None:
        w = vector(weights, "weights")
        if not (w > 0).all():
            at = int(np.argmin(w > 0))
            raise refusal("weights", "be positive", w[at], f"entry {at + 1}, counted from 1")
        # divided, not multiplied: the product of the smallest weight with the range could underflow
        if w.max() / WEIGHT_RANGE > w.min():
            raise flag("weights", "span a factor of at most 1e130", f"from {w.min():.3g} to {w.max():.3g}")
        self._set(weights=w, content=float(_content(content, 1)[0]))

    @property
    def size(self) -> int:
        return self.weights.size

    def _row(self, v: FloatArray) -> FloatArray:
        w = self.weights / self.weights.max()  # in [1e−130, 1]: with e^±400 no product or quotient below overflows
        own = math.exp(self.content) * w
        # W_{i−1}; a plain running sum would err by n roundings
        before = backward_sums(w[None, ::-1], np.zeros(1))[0, ::-1]
        z = own + before
        diagonal = own / z
        z[0], diagonal[0] = 1.0, 1.0  # the first position can only read itself; its z may be as small as 1e−304
        return np.asarray(diagonal * v + w * backward_sums((v / z)[None, :], np.zeros(1))[0])

    def _dense(self, n: int) -> FloatArray:
        w = self.weights / self.weights.max()
        a = np.tril(np.tile(w, (n, 1)))
        np.fill_diagonal(a, w * math.exp(self.content))
        return np.asarray(a / a.sum(axis=1, keepdims=True))


@dataclass(frozen=True, init=False, eq=False)
class Alibi(Kernel):
    """A = Σ_h α_h A_h, where A_h is the softmax over j ≤ i of −m_h (i − j) + d_h [i = j].

    slopes : number or (heads,), in [0, 700]. content : number (it means every head) or (heads,), in [−400, 400].
    head_weights : (heads,) ≥ 0 with sum 1, or None for the plain average.

    >>> Alibi(0.0).apply([0.0, 1.0])
    array([0.5, 0.5])
    """

    slopes: FloatArray
    content: FloatArray
    head_weights: FloatArray

    def __init__(self, slopes: ArrayLike, content: ArrayLike = 0.0, head_weights: ArrayLike | None = None) -> None:
        m = vector(slopes if several(slopes) else [real(slopes, "slopes")], "slopes")
        _within(m, "slopes", 0.0, SLOPE_LIMIT)
        self._set(slopes=m, content=_content(content, m.size), head_weights=_head_weights(head_weights, m.size))

    def _row(self, v: FloatArray) -> FloatArray:
        return alibi_row(v, self.slopes, self.content, self.head_weights)

    def _dense(self, n: int) -> FloatArray:
        distance = np.subtract.outer(np.arange(n), np.arange(n))
        a = np.zeros((n, n))
        for m, d, alpha in zip(self.slopes, self.content, self.head_weights, strict=True):
            a += alpha * _softmax(-m * distance + d * np.eye(n))
        return a


@dataclass(frozen=True, init=False, eq=False)
class HeadAverage(Kernel):
    """A = Σ_h α_h A_h for heads of any kind.

    kernels : sequence of kernels, all defined for a common n. head_weights : as for `Alibi`.
    """

    kernels: tuple[Kernel, ...]
    head_weights: FloatArray

    def __init__(self, kernels: Sequence[Kernel], head_weights: ArrayLike | None = None) -> None:
        heads = (kernels,) if isinstance(kernels, Kernel) else tuple(kernels)
        if isinstance(kernels, Kernel) or not heads or not all(isinstance(head, Kernel) for head in heads):
            raise refusal("kernels", "be a sequence with at least one kernel", kernels)
        sizes = sorted({head.size for head in heads if head.size is not None})
        if len(sizes) > 1:
            raise flag("kernels", "be defined for one common n", f"for {sizes[0]} and {sizes[-1]}")
        self._set(kernels=heads, head_weights=_head_weights(head_weights, len(heads)))

    @property
    def size(self) -> int | None:
        return next((head.size for head in self.kernels if head.size is not None), None)

    def _row(self, v: FloatArray) -> FloatArray:
        total = np.zeros(v.size)
        for alpha, head in zip(self.head_weights, self.kernels, strict=True):
            total += alpha * head._row(v)
        return total

    def _dense(self, n: int) -> FloatArray:
        heads = zip(self.head_weights, self.kernels, strict=True)
        return np.asarray(sum(alpha * head.matrix(n) for alpha, head in heads))


@dataclass(frozen=True, init=False, eq=False)
class Dense(Kernel):
    """A = matrix, checked to be causal: A_ij ≥ 0, A_ij = 0 for j > i, |Σ_j A_ij − 1| ≤ tolerance.

    matrix : (n, n), axes query i, key j. tolerance : number ≥ 0; None means (n + 2) · 2^−52, twice what a row of n
    correctly rounded quotients by their float64 sum can miss 1 by. Rows in single precision need 1e−6. Nothing is
    renormalised: the sums stay as they are, `defect` says how far off.
    """

    values: FloatArray

    def __init__(self, matrix: ArrayLike, *, tolerance: float | None = None) -> None:
        a = square(matrix, "matrix")
        limit = (len(a) + 2) * 2.0**-52 if tolerance is None else real(tolerance, "tolerance")
        if limit < 0:
            raise refusal("tolerance", "be at least 0", tolerance)
        _refuse_cell(a, np.triu(a, 1) != 0, "read no later position")
        _refuse_cell(a, a < 0, "be nonnegative")
        sums = a.sum(axis=1)
        worst = int(np.argmax(np.abs(sums - 1)))
        if abs(sums[worst] - 1) > limit:
            requirement = f"have rows that sum to 1 within {limit:.3g}"
            raise refusal("matrix", requirement, sums[worst], f"row {worst + 1}, counted from 1")
        self._set(values=a)

    @property
    def size(self) -> int:
        return len(self.values)

    @property
    def defect(self) -> float:
        """max_i |Σ_j A_ij − 1|."""
        return float(np.abs(self.values.sum(axis=1) - 1).max())

    def _row(self, v: FloatArray) -> FloatArray:
        return np.asarray(v @ self.values)

    def _dense(self, n: int) -> FloatArray:
        return self.values.copy()


def _softmax(logits: FloatArray) -> FloatArray:
    """Row softmax over keys j ≤ i, shifted by the row maximum."""
    masked = np.where(np.tri(len(logits), dtype=bool), logits, -np.inf)
    a = np.exp(masked - masked.max(axis=1, keepdims=True))
    return np.asarray(a / a.sum(axis=1, keepdims=True))


def _content(content: ArrayLike, heads: int) -> FloatArray:
    """Content per head; one number means every head."""
    d = vector(content, "content") if several(content) else np.full(heads, real(content, "content"))
    if d.size != heads:
        raise flag("content", f"be a number or one number per head ({heads})", f"{d.size} of them")
    _within(d, "content", -CONTENT_LIMIT, CONTENT_LIMIT)
    d.setflags(write=False)
    return d


def _head_weights(weights: ArrayLike | None, heads: int) -> FloatArray:
    """Head weights, the plain average when None."""
    alpha = vector([1 / heads] * heads if weights is None else weights, "head_weights")
    if alpha.size != heads:
        raise flag("head_weights", f"be one number per head ({heads})", f"{alpha.size} of them")
    _within(alpha, "head_weights", 0.0, math.inf)
    # each weight is rounded once, or is a quotient by a rounded sum of that many terms
    if abs(math.fsum(alpha) - 1) > (heads + 2) * 2.0**-52:
        raise refusal("head_weights", "sum to 1", math.fsum(alpha))
    return alpha


def _within(values: FloatArray, name: str, low: float, high: float) -> None:
    outside = (values < low) | (values > high)
    if outside.any():
        at = int(np.argmax(outside))
        requirement = f"be at least {low:g}" if math.isinf(high) else f"lie in [{low:g}, {high:g}]"
        raise refusal(name, requirement, values[at], f"entry {at + 1}, counted from 1" if values.size > 1 else "")


def _refuse_cell(a: FloatArray, bad: NDArray[np.bool_], requirement: str) -> None:
    if bad.any():
        i, j = (int(c) for c in np.argwhere(bad)[0])
        raise refusal("matrix", requirement, a[i, j], f"row {i + 1}, column {j + 1}, counted from 1")
