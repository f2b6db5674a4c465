"""The decomposition of `numeric.decomposition` in float64, all heads of a layer at once; O(T H n).

`nonincreasing` speaks of the exact numbers that the float parameters stand for, and is no comparison of floats: with
e ≤ 1, and with e > 1 where W_i / w_i is nondecreasing (every ALiBi; of given weights decided exactly), U1 has
each g_j − g_{j+1} as a sum of terms ≥ 0. Where that is not so it is left open: rationals or balls can tell.

Numeric here: spike and envelopes are sums of products of nonnegative numbers; an entry errs relatively by about
(T + 1) (n + 12 log₂ n + 760) · 2^−53. The arrays may thus rise by as much where two values agree.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from numeric.decomposition import Decomposition, Head
from numeric.kernel import Kernel
from numeric.once import once
from numeric.prefix import FloatHead, float_heads
from numeric.recurrence import alibi_factors
from numeric.three_valued import all_of

__all__ = ["float_decomposition"]

FloatArray = NDArray[np.float64]
_SPAN = 500.0  # e^500 times any content leaves w, 1/w and g normal numbers


@dataclass(frozen=True, eq=False)
class _Layer:
    """Heads, axes (head, position): share α; weights w; own min(e, 1) w_i / Z_i; read w_{i−1} / Z_i; pull c_i."""

    share: FloatArray
    weights: FloatArray
    own: FloatArray
    read: FloatArray
    pull: FloatArray


def float_decomposition(kernels: Sequence[Kernel], lam: FloatArray, n: int, *, envelopes: bool) -> Decomposition:
    """The decomposition of the profile of checked kernels (T,) and lam (T,). Raises NotPrefix.

    envelopes : False leaves the heads out, which saves most of the time and memory.
    """
    layers = once(lambda kernel: float_heads(kernel, n), kernels)
    shown = _shown(layers, lam)
    stays = _staying(layers, kernels, lam, n)
    terms = _terms(layers, kernels, lam, stays, shown, n) if envelopes else ()
    return Decomposition(float(stays[-1][-1]), terms, all_of(shown))


def _shown(layers: Sequence[Sequence[FloatHead]], lam: FloatArray) -> list[bool | None]:
    """Per layer, whether theory has its envelopes nonincreasing: what every attending layer below it must allow."""
    allows = once(lambda heads: all(map(_allows, heads)), layers)
    allowed, out = True, list[bool | None]()
    for allow, share in zip(allows, lam.tolist(), strict=True):
        out.append(True if allowed or share == 0 else None)
        allowed = allowed and (share == 0 or allow)
    return out


def _allows(head: FloatHead) -> bool:
    """Whether the diagonal part c of a head, if it has one, is known to fall."""
    return head.weights is None or head.content <= 0 or head.share == 0 or _rising_quotients(head.weights)


def _rising_quotients(weights: FloatArray) -> bool:
    """Whether W_i / w_i is nondecreasing, exactly: w_i W_{i+1} ≥ w_{i+1} W_i."""
    total = Fraction(0)
    for w, after in pairwise(map(Fraction, weights.tolist())):
        total += w
        if w * (total + after) < after * total:
            return False
    return True


def _staying(
    layers: Sequence[Sequence[FloatHead]], kernels: Sequence[Kernel], lam: FloatArray, n: int
) -> list[FloatArray]:
    """Π_{s<t} θ_{s,j} for t = 1 … T + 1, each (n,), or (1,) as long as it is the same for every j."""
    stays = [np.ones(1)]
    previous: Kernel | None = None
    splits = once(lambda heads: [head for head in heads if head.content > 0 and head.share > 0], layers)
    for split, kernel, share in zip(splits, kernels, lam.tolist(), strict=True):
        theta = np.array([1 - share])
        if share > 0 and split:
            if kernel is not previous:
                found, previous = _factors(split, n), kernel
            theta = (1 - share) + share * (found.share @ found.pull)
        stays.append(stays[-1] * theta)
    return stays


def _weights(heads: Sequence[FloatHead], n: int) -> tuple[FloatArray, NDArray[np.bool_]]:
    """w relative to the largest, (heads, n), and which rows float64 can hold; the others are not to be used."""
    m = np.array([[head.slope] for head in heads])
    held = m * (n - 1) <= _SPAN
    w = np.exp(-np.where(held, m, 0.0) * np.arange(n - 1.0, -1.0, -1.0))
    for h, head in enumerate(heads):
        if head.weights is not None:
            w[h] = head.weights / head.weights.max()
    return w, held[:, 0]


def _factors(heads: Sequence[FloatHead], n: int) -> _Layer:
    m, d = (np.array([[getattr(head, name)] for head in heads]) for name in ("slope", "content"))
    weights, _ = _weights(heads, n)
    diagonal, read = alibi_factors(m, d, n)
    for h, head in enumerate(heads):
        if head.weights is not None:
            own, before = math.exp(head.content) * weights[h, 1:], np.cumsum(weights[h, :-1])
            diagonal[h, 1:] = own / (before + own)
            read[h, 1:] = weights[h, :-1] / (before + own)
    above = np.maximum(d, 0.0)
    share = np.array([head.share for head in heads])
    return _Layer(share, weights, diagonal * np.exp(-above), read, diagonal * -np.expm1(-above))


def _terms(
    layers: Sequence[Sequence[FloatHead]],
    kernels: Sequence[Kernel],
    lam: FloatArray,
    stays: Sequence[FloatArray],
    shown: Sequence[bool | None],
    n: int,
) -> tuple[Head, ...]:
    """One term per head, summed over the layers where all have the same weights, else one per layer and head."""
    if not layers:
        return ()
    shared = len({tuple(head.key for head in heads) for heads in layers}) == 1
    rows = 1 if shared else len(layers)
    sums = [np.zeros((len(heads), n)) for heads in layers[:rows]]
    weights = [_weights(heads, n) for heads in layers[:rows]]
    for t, part in _parts(layers, kernels, lam, stays, n):
        sums[0 if shared else t] += part
    terms = []
    for t in range(rows):
        answer = all_of(shown) if shared else shown[t]
        for h, (w, g, held) in enumerate(zip(weights[t][0], sums[t], weights[t][1], strict=True)):
            terms.append(Head(None if shared else t, h, w if held else None, g if held else None, answer))
    return tuple(terms)


def _parts(
    layers: Sequence[Sequence[FloatHead]],
    kernels: Sequence[Kernel],
    lam: FloatArray,
    stays: Sequence[FloatArray],
    n: int,
) -> Iterator[tuple[int, FloatArray]]:
    """g^{t,h} for every attending layer, the topmost first, each (heads, n)."""
    v = np.zeros(n)
    v[-1] = 1.0
    previous: Kernel | None = None
    for t in reversed(range(len(layers))):
        if lam[t] > 0:
            if kernels[t] is not previous:
                found, previous = _factors(layers[t], n), kernels[t]
            sums = found.own * v / found.weights
            later = v[1:] * found.read[:, 1:] / found.weights[:, :-1]  # v_i / Z_i = v_i read_i / w_{i−1}
            sums[:, :-1] += np.cumsum(later[:, ::-1], axis=1)[:, ::-1]
            yield t, lam[t] * found.share[:, None] * stays[t] * sums
            v = (1 - lam[t]) * v + lam[t] * kernels[t].apply(v)
