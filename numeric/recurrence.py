"""v ↦ vA for many ALiBi heads at once, by u_j = Σ_{i>j} e^{−m(i−j−1)} x_i.

It is the backward recursion u_j = q u_{j+1} + x_{j+1}, q = e^{−m}, solved by pairing neighbours: with
x'_k = x_{2k+1} + q x_{2k} the even half solves the same recurrence with q². The work is O(n) per head, in log₂ n
vectorised steps.

Numeric here: each u_j is a sum of products of at most 2 log₂ n factors. The powers e^{−m 2^k} come from exact
multiples of m, so they carry one rounding each, and for x ≥ 0 the relative error of u is at most about
8 log₂ n · 2^−53 (2e−14 at n = 10^5). Carrying q as one rounded number would cost n · 2^−53 instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["alibi_factors", "alibi_row", "backward_sums", "pairings", "sums_from"]

FloatArray = NDArray[np.float64]
Floats = NDArray[Any]  # float64, or a wider type
_BLOCK = 1 << 17  # heads × positions worked on at once: a few arrays of this size fit a cache


def backward_sums(x: FloatArray, slopes: FloatArray) -> FloatArray:
    """u[h, j] = Σ_{i>j} e^{−slopes[h] (i−j−1)} x[h, i].

    x : (heads, n), slopes : (heads,) ≥ 0; returns (heads, n). The last column is 0; x[:, 0] is not used.
    """
    # a slope times a power of 2 is exact in binary
    powers = (np.exp(-slopes[:, None] * 2.0**k) for k in range(pairings(x.shape[1])))
    return sums_from(x, list(powers))


def pairings(n: int) -> int:
    """P = ⌊log₂(n − 1)⌋, 0 for n = 1: how often a recurrence over n − 1 terms pairs neighbours until one is left."""
    return max((n - 1).bit_length() - 1, 0)


def sums_from(x: Floats, powers: Sequence[Floats]) -> Floats:
    """u[h, j] = Σ_{i>j} q_h^{i−j−1} x[h, i] in the arithmetic of x, floats of any width.

    x : (heads, n), powers : q^(2^k) as (heads, 1), k = 0 … P − 1 at least; returns (heads, n).
    """
    u = np.zeros_like(x)
    if x.shape[1] > 1:
        # reversed time turns the backward recursion into y_k = x_k + q y_{k−1}
        u[:, :-1] = _solve(x[:, :0:-1], powers)[:, ::-1]
    return u


def _solve(x: Floats, powers: Sequence[Floats]) -> Floats:
    """y_k = x_k + q y_{k−1}, y_{−1} = 0, along the last axis, by y_{2k+1} = (x_{2k+1} + q x_{2k}) + q² y_{2k−1}."""
    length = x.shape[1]
    if length == 1:
        return x
    q = powers[0]
    y = np.empty_like(x)
    y[:, 1::2] = _solve(x[:, 1::2] + q * x[:, 0 : length - 1 : 2], powers[1:])
    y[:, 0] = x[:, 0]
    y[:, 2::2] = x[:, 2::2] + q * y[:, 1 : length - 1 : 2]
    return y


def alibi_row(v: FloatArray, slopes: FloatArray, content: FloatArray, heads: FloatArray) -> FloatArray:
    """Σ_h α_h (v A_h), heads in blocks so that memory stays O(n) however many they are."""
    total = np.zeros(v.size)
    step = max(1, _BLOCK // v.size)
    for first in range(0, slopes.size, step):
        part = slice(first, first + step)
        diagonal, off = alibi_factors(slopes[part, None], content[part, None], v.size)
        row = diagonal * v + backward_sums(off * v, slopes[part])
        total += heads[part] @ row
    return total


def alibi_factors(m: FloatArray, d: FloatArray, n: int) -> tuple[FloatArray, FloatArray]:
    """A_ii and A_{i,i−1} for slopes m and content d : (heads, 1); both (heads, n).

    A_ii = a/z, A_{i,i−1} = s/z with a = e^d, s = e^{−m}, z = a + s S_i, S_i = Σ_{r<i} e^{−m r}, i counted from 0.
    Every term is positive, so nothing cancels; for |d| ≤ 400 and m ≤ 700 every number here is a normal float64, and
    since z ≥ a and z ≥ s neither quotient exceeds 1. (Only beyond those limits is a common factor to be taken out.)
    """
    i = np.arange(n, dtype=np.float64)
    a, s = np.exp(d), np.exp(-m)
    # below 2^−54 the sum is i to the last bit, and 0/0 is avoided
    flat = m * n < 2.0**-54
    safe = np.where(flat, 1.0, m)
    z = a + s * np.where(flat, i, np.expm1(-safe * i) / np.expm1(-safe))
    z[:, 0] = 1.0
    diagonal, off = a / z, s / z
    diagonal[:, 0], off[:, 0] = 1.0, 0.0  # the first position can only read itself
    return diagonal, off
