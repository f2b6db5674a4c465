"""Layers of ALiBi heads as arrays over layers and heads, ready for one sweep over the positions.

Head h of a layer, with slope m and content d, has for positions i counted from 0

    A_ii = a/z_i,  A_{i,j} = (s/z_i) q^{i−j−1} (j < i),  z_i = a + s S_i,  q = e^{−m},  S_i = Σ_{r<i} q^r,

with a : s = e^d : e^{−m} and the larger of the two 1, so z_i ≥ 1 from i = 1 on and nothing overflows. Uniform heads
have m = 0; an average of averages is one average, with products of head weights.

Exact here: nothing. Numeric here: where a head settles within n positions (`SETTLED`) a and s are divided by
z_∞ = a + s/(1 − q), so that z_i is 1 there; a head of weight λα gives to its own position λα a/z_i.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numeric.kernel import Alibi, HeadAverage, Kernel, Uniform
from numeric.once import once

__all__ = ["FLUSH", "SETTLED", "AlibiStack", "alibi_stack", "geometric_sums"]

FloatArray = NDArray[np.float64]
Heads = tuple[FloatArray, FloatArray, FloatArray]

# from m i = 37.5 on S_i is its limit to the last bit: what is missing is a part e^−37.5 < 2^−54 of it
SETTLED = 37.5
# shares below are set to 0: products of two such numbers would be denormal, at a tenth of the speed. They change no
# entry by more than n T times this
FLUSH = 1e-270
STEEPEST = 700.0
LANES = 16  # heads are a multiple of it, so that no loop over them has a rest: two vectors of 512 bits, four of 256


@dataclass(frozen=True)
class AlibiStack:
    """Attending layers, the top one first (axis layers), their heads by increasing slope (axis heads).

    Layers with the same slopes share a row of slopes, keep and loss (axis rows); ``row`` says which. A heads' sum
    U_j = Σ_{i>j} q^{i−j−1} x_i goes on as U_{j−1} = keep U_j − loss U_j + x_j: keep = 1 and loss = 1 − q, without the
    cancellation, up to m = 1; keep = q and loss = 0 beyond, where 1 − q would have lost the digits of q.

    stay : (layers,) 1 − λ. slopes, keep, loss : (rows, heads). row : (layers,). own, other : (layers, heads), a and s.
    at, on : (layers, heads), λα a and λα s. Heads of weight 0 fill the rows up.
    """

    stay: FloatArray
    slopes: FloatArray
    keep: FloatArray
    loss: FloatArray
    row: NDArray[np.int64]
    own: FloatArray
    other: FloatArray
    at: FloatArray
    on: FloatArray


def alibi_stack(layers: Sequence[Kernel], shares: Sequence[float], n: int) -> AlibiStack | None:
    """The layers with λ > 0, top first, for n positions; None where a kernel is not made of uniform and ALiBi heads.

    layers : kernels, layer 1 first; shares : their λ.
    """
    attending = [(k, lam) for k, lam in zip(reversed(layers), reversed(shares), strict=True) if lam > 0]
    parts = once(_heads, [kernel for kernel, _ in attending])  # one shared kernel is taken apart once
    found = [heads for heads in parts if heads is not None]
    if not found or len(found) < len(parts):
        return None
    return _arrays(found, np.array([lam for _, lam in attending]), n)


def geometric_sums(slopes: FloatArray, first: int, count: int) -> FloatArray:
    """S_i = Σ_{r<i} e^{−m r} = expm1(−m i)/expm1(−m), which is i at m = 0, for i = first … first + count − 1.

    slopes : (rows, heads); returns (rows, count, heads).

    >>> geometric_sums(np.zeros((1, 1)), 2, 3).tolist()
    [[[2.0], [3.0], [4.0]]]
    """
    i = np.arange(first, first + count, dtype=np.float64)[:, None]
    m = slopes[:, None, :]
    # below 2^−54 the sum is i to the last bit, and 0/0 is avoided
    flat = m * (first + count) < 2.0**-54
    if not flat.any():
        return np.asarray(np.expm1(-m * i) / np.expm1(-m))
    safe = np.where(flat, 1.0, m)
    return np.where(flat, i, np.expm1(-safe * i) / np.expm1(-safe))


def _heads(kernel: Kernel) -> Heads | None:
    """Slopes, contents and weights of the heads of one layer; None where one is of another kind."""
    if isinstance(kernel, Alibi):
        return kernel.slopes, kernel.content, kernel.head_weights
    if isinstance(kernel, Uniform):
        return np.zeros(1), np.array([kernel.content]), np.ones(1)
    if not isinstance(kernel, HeadAverage):
        return None
    parts = [_heads(head) for head in kernel.kernels]
    found = [heads for heads in parts if heads is not None]
    if len(found) < len(parts):
        return None
    weights = [alpha * heads[2] for alpha, heads in zip(kernel.head_weights, found, strict=True)]
    return np.concatenate([h[0] for h in found]), np.concatenate([h[1] for h in found]), np.concatenate(weights)


def _arrays(heads: Sequence[Heads], lam: FloatArray, n: int) -> AlibiStack:
    slopes, row, content, weights = _sorted(heads)
    keep, loss = np.where(slopes <= 1, 1.0, np.exp(-slopes)), np.where(slopes <= 1, -np.expm1(-slopes), 0.0)
    settles = slopes * n >= SETTLED
    # Σ_r q^r where a head settles, and 0 where z is left as it is
    reach = np.where(settles, 1 / np.where(settles, -np.expm1(-slopes), 1.0), 0.0)
    first, reach = (x if len(slopes) == 1 else x[row] for x in (np.exp(-slopes), reach))
    with np.errstate(under="ignore"):
        # s/a as a product: d + m as one argument would be rounded, and e^(d+m) err by |d + m| roundings; ≤ e^400
        ratio = first * np.exp(-content)
    own, other = 1 / np.maximum(ratio, 1.0), np.minimum(ratio, 1.0)
    other[other < FLUSH] = 0.0
    limit = np.where(reach > 0, own + other * reach, 1.0)
    own, other = own / limit, other / limit
    share = lam[:, None] * weights
    return AlibiStack(1 - lam, slopes, keep, loss, row, own, other, share * own, share * other)


def _sorted(heads: Sequence[Heads]) -> tuple[FloatArray, NDArray[np.int64], FloatArray, FloatArray]:
    """Slopes (rows, heads) increasing, the row of each layer, content and weights (layers, heads)."""
    groups: dict[bytes, list[int]] = {}
    for layer, (m, _, _) in enumerate(heads):
        groups.setdefault(m.tobytes(), []).append(layer)
    width = -(-max(h[0].size for h in heads) // LANES) * LANES
    slopes, row = np.full((len(groups), width), STEEPEST), np.zeros(len(heads), dtype=np.int64)
    content, weights = np.zeros((len(heads), width)), np.zeros((len(heads), width))
    for at, layers in enumerate(groups.values()):
        m = heads[layers[0]][0]
        order = np.argsort(m, kind="stable")
        slopes[at, : m.size], row[layers] = m[order], at
        content[layers, : m.size] = np.array([heads[t][1] for t in layers])[:, order]
        weights[layers, : m.size] = np.array([heads[t][2] for t in layers])[:, order]
    return slopes, row, content, weights
