"""Distance kernels A_ij = a_{i−j} / B(i), j ≤ i, a_d = e^{b(d)}, B(r) = a_0 + … + a_{r−1}: only i − j is looked at.

Any bias b, given as a list; the log-distance bias b(d) = −c ln(1 + d); the sliding window of a given width, flat or
with a slope inside. Diagonal content adds to b(0). A distance kernel is stochastically monotone iff B(r + 1)/B(r) is
nonincreasing, which every nonincreasing bias satisfies (D3(d)); ALiBi has its own class in `numeric.kernel`.

Exact here: `distance_rows`. Numeric here: `apply` for v ≥ 0 errs relatively by at most about (n + 760) · 2^−53 for a
list of biases, (n + 20) · 2^−53 for the log-distance and (24 log₂ n + 20) · 2^−53 for a window, each apart from weights
below 1e−300 of the largest, which may count as 0; nothing overflows. `Distance` and `LogDistance` take O(n²) time and
O(n) memory, `Window` O(n). With accuracy="absolute" the first two take O(n log n) by FFT; then each entry may be off
by `fft_layer_error`, small ones by more than they are, and below 0. Not covered: biases that depend on more than the
distance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.correlation import by_fft, by_terms, fft_error, sums_before, windowed
from numeric.kernel import CONTENT_LIMIT, SLOPE_LIMIT, Kernel
from numeric.refuse import flag, integer, positions, rational, real, refusal, several, vector
from numeric.schedule import Number

__all__ = ["Accuracy", "Distance", "LogDistance", "Window", "distance_rows", "fft_layer_error"]

FloatArray = NDArray[np.float64]
Accuracy = Literal["relative", "absolute"]

RISE_LIMIT = 300.0  # e^300 · 1e150, the largest row entry, summed over positions stays far below 1.8e308
STRENGTH_LIMIT = 400.0  # 2^−400 is the largest weight off the diagonal: e^−400 beside it is still a normal float64


@dataclass(frozen=True, init=False, eq=False)
class Distance(Kernel):
    """A_ij ∝ e^{b(i−j) + d [i = j]} for j ≤ i: any bias b, with diagonal content d.

    bias : (n,), b(0) … b(n−1); b(0) finite, the others finite or −inf (never read). Beyond its first two entries
    (content included) b may rise by at most 300: a later row must not make an earlier one vanish. content : number in
    [−400, 400]. accuracy : "relative", or "absolute" for the FFT. The kernel is defined for n = len(bias) only.

    >>> Distance([0.0, 0.0, -math.inf]).apply([0.0, 0.0, 1.0])
    array([0. , 0.5, 0.5])
    """

    bias: FloatArray
    content: float
    accuracy: Accuracy

    def __init__(self, bias: ArrayLike, content: float = 0.0, *, accuracy: Accuracy = "relative") -> None:
        b = _bias(bias)
        d = _number(content, "content", -CONTENT_LIMIT, CONTENT_LIMIT)
        if b[2:].size and b[2:].max() - RISE_LIMIT > max(b[0] + d, b[1]):
            requirement = f"rise by at most {RISE_LIMIT:g} beyond its first two entries"
            raise flag("bias", requirement, f"from {max(b[0] + d, b[1]):g} to {b[2:].max():g}")
        self._set(bias=b, content=d, accuracy=_accuracy(accuracy))

    @classmethod
    def from_weights(cls, weights: ArrayLike, content: float = 0.0, *, accuracy: Accuracy = "relative") -> Self:
        """The kernel with a_d = weights[d]: (n,), a_0 > 0, the others ≥ 0; zeros are never read. Keeps b = ln a."""
        a = vector(weights, "weights")
        if a[0] <= 0 or a.min() < 0:
            at = 0 if a[0] <= 0 else int(np.argmax(a < 0))
            requirement = "be nonnegative" if at else "begin with a positive number"
            raise refusal("weights", requirement, a[at], f"entry {at + 1}, counted from 1")
        with np.errstate(divide="ignore"):
            return cls(np.log(a), content, accuracy=accuracy)

    @property
    def size(self) -> int:
        return self.bias.size

    def weights(self, n: int) -> tuple[float, FloatArray]:
        """e^d a_0 and (a_1, …, a_{n−1}), relative to the largest of them; n is the kernel's."""
        b = self.bias.copy()
        b[0] += self.content
        a = np.exp(b - b.max())
        return float(a[0]), a[1:]

    def _row(self, v: FloatArray) -> FloatArray:
        return _correlation(v, *self.weights(v.size), self.accuracy)

    def _dense(self, n: int) -> FloatArray:
        return _softmax_rows(self.bias, self.content)


@dataclass(frozen=True, init=False, eq=False)
class LogDistance(Kernel):
    """A_ij ∝ (1 + i − j)^{−c} e^{d [i = j]} for j ≤ i: the bias b(d) = −c ln(1 + d), a power law.

    strength : c, number in [0, 400]; 0 is the uniform kernel. content : number in [−400, 400]. accuracy : as for
    `Distance`.

    >>> LogDistance(1.0).apply([0.0, 1.0])
    array([0.33333333, 0.66666667])
    """

    strength: float
    content: float
    accuracy: Accuracy

    def __init__(self, strength: float, content: float = 0.0, *, accuracy: Accuracy = "relative") -> None:
        self._set(
            strength=_number(strength, "strength", 0.0, STRENGTH_LIMIT),
            content=_number(content, "content", -CONTENT_LIMIT, CONTENT_LIMIT),
            accuracy=_accuracy(accuracy),
        )

    def weights(self, n: int) -> tuple[float, FloatArray]:
        """e^d a_0 and (a_1, …, a_{n−1}); powers, not exponentials of logarithms: one rounding whatever c."""
        return math.exp(self.content), np.arange(2.0, n + 1) ** -self.strength

    def _row(self, v: FloatArray) -> FloatArray:
        return _correlation(v, *self.weights(v.size), self.accuracy)

    def _dense(self, n: int) -> FloatArray:
        return _softmax_rows(-self.strength * np.log1p(np.arange(n)), self.content)


@dataclass(frozen=True, init=False, eq=False)
class Window(Kernel):
    """A_ij ∝ e^{−m (i−j) + d [i = j]} for i − width < j ≤ i, and 0 for older j: a sliding window.

    width : integer ≥ 1, the number of positions read, the own one included; at width ≥ n this is ALiBi. slope : m,
    number in [0, 700], 0 reads all positions inside alike. content : number in [−400, 400].

    >>> Window(2).apply([0.0, 0.0, 0.0, 1.0])
    array([0. , 0. , 0.5, 0.5])
    """

    width: int
    slope: float
    content: float

    def __init__(self, width: int, slope: float = 0.0, content: float = 0.0) -> None:
        self._set(
            width=integer(width, "width", 1),
            slope=_number(slope, "slope", 0.0, SLOPE_LIMIT),
            content=_number(content, "content", -CONTENT_LIMIT, CONTENT_LIMIT),
        )

    def _row(self, v: FloatArray) -> FloatArray:
        reach = min(self.width, v.size) - 1  # how far back a row reads
        own, s = math.exp(self.content), math.exp(-self.slope)
        # Σ_{r<k} e^{−m r}, k = 0 … reach
        sums = sums_before(np.exp(-self.slope * np.arange(reach + 1)))
        z = (own + s * sums)[np.minimum(np.arange(v.size), reach)]
        diagonal, off = own / z, s / z
        diagonal[0], off[0] = 1.0, 0.0  # the first position can only read itself; its off may be e^400
        return np.asarray(diagonal * v + windowed(off * v, reach, self.slope))

    def _dense(self, n: int) -> FloatArray:
        b = -self.slope * np.arange(n, dtype=np.float64)
        b[self.width :] = -np.inf
        return _softmax_rows(b, self.content)


def fft_layer_error(kernel: Distance | LogDistance, n: int) -> float:
    """What vA may be off by in 2-norm besides its roundings, for v with Σ |v| ≤ 1; 0 for relative accuracy.

    The sums read v_i/Z_i from the second position on, whose 1-norm is at most 1/Z_1, Z_1 = e^d a_0 + a_1.
    """
    if kernel.accuracy == "relative" or n == 1:
        return 0.0
    own, after = kernel.weights(n)
    return fft_error(1 / (own + float(after[0])), float(after.sum()), n) * (1 + n * 2.0**-50)


def distance_rows(weights: Sequence[Number], e: Number = 1, *, n: int) -> tuple[tuple[Fraction, ...], ...]:
    """A_ij = a_{i−j} / Z_i (j < i), A_ii = e a_0 / Z_i, exactly, as n rows: what `exact_profile` and `precedes` take.

    weights : a_0 … a_{n−1} (more are not used), rationals, a_0 > 0, the others ≥ 0. e : rational > 0, the factor that
    content d puts on the diagonal weight.

    >>> distance_rows([2, 1, 0], n=3)[2]
    (Fraction(0, 1), Fraction(1, 3), Fraction(2, 3))
    """
    length = positions(n)
    a = [rational(x, "weights") for x in weights]
    if len(a) < length:
        raise flag("weights", f"have at least n = {length} entries", f"{len(a)} of them")
    factor = rational(e, "e")
    if factor <= 0:
        raise refusal("e", "be positive", factor)
    for d, x in enumerate(a):
        if x < 0 or (d == 0 and x == 0):
            requirement = "be nonnegative" if d else "begin with a positive number"
            raise refusal("weights", requirement, x, f"entry {d + 1}, counted from 1")
    a[0] *= factor
    rows = []
    for i in range(length):
        total = sum(a[: i + 1], Fraction(0))
        rows.append((*(x / total for x in reversed(a[: i + 1])), *[Fraction(0)] * (length - i - 1)))
    return tuple(rows)


def _correlation(v: FloatArray, own: float, after: FloatArray, accuracy: str) -> FloatArray:
    """(vA)_j = v_j own/Z_j + Σ_{r≥1} a_r v_{j+r}/Z_{j+r} for own = e^d a_0, after = (a_1, …, a_{n−1}).

    Z_i ≥ a_r for every r ≤ i, so each product is at most |v_i|; Z_1 ≥ 1e−131 keeps the quotients finite.
    """
    z = own + sums_before(np.append(after, 0.0))
    z[0] = 1.0  # only there can it be 0, a_0 being too small beside the largest weight
    diagonal = own / z
    diagonal[0] = 1.0  # the first position can only read itself
    read = by_terms if accuracy == "relative" else by_fft
    x = v / z
    x[0] = 0.0  # no later position: not read, so nothing to add to the error
    return np.asarray(diagonal * v + read(x, after))


def _softmax_rows(bias: FloatArray, content: float) -> FloatArray:
    """The oracle: each row the softmax of its own logits, shifted by their maximum."""
    n = bias.size
    a = np.zeros((n, n))
    for i in range(n):
        logits = bias[i::-1].copy()
        logits[-1] += content
        row = np.exp(logits - logits.max())
        a[i, : i + 1] = row / row.sum()
    return a


def _bias(bias: ArrayLike) -> FloatArray:
    """b as a read-only float64 (n,): −inf is allowed but for b(0), NaN and +inf are not."""
    entries = bias.tolist() if isinstance(bias, np.ndarray) and bias.ndim == 1 else bias
    if not several(entries) or not len(entries):  # type: ignore[arg-type]
        raise refusal("bias", "be a vector with at least one entry", bias)
    b = [
        -math.inf if d and isinstance(x, (float, np.floating)) and x == -math.inf else real(x, "bias", _place(d))
        for d, x in enumerate(entries)  # type: ignore[arg-type]
    ]
    array = np.array(b, dtype=np.float64)
    array.setflags(write=False)
    return array


def _place(d: int) -> str:
    return f"entry {d + 1}, counted from 1"


def _accuracy(value: Accuracy) -> Accuracy:
    if value not in ("relative", "absolute"):
        raise refusal("accuracy", "be 'relative' or 'absolute'", value)
    return value


def _number(value: object, name: str, low: float, high: float) -> float:
    number = real(value, name)
    if not low <= number <= high:
        raise refusal(name, f"lie in [{low:g}, {high:g}]", value)
    return number
