"""Sums by distance: Σ_{r≥1} a_r x_{j+r} for every j, term by term, by FFT, or over a window.

    by_terms   each sum from nonnegative products: relative error at most (n + 1) · 2^−53, O(n²) time
    by_fft     one circular convolution of length N, a power of 2 ≥ 2n: O(n log n); absolute error at most
               24 log₂N · 2^−53 · ‖a‖₁ ‖x‖₂, so that a sum far below the largest may lose all its digits, or its sign

Why 24: a transform in radix 2 or 4 errs by at most 7 log₂N · 2^−53 of its 2-norm, since each of log₂N passes is
unitary up to a scale and multiplies by roots of unity that are rounded once (at most (1 + 4√2) 2^−53 a pass; Higham,
Accuracy and Stability of Numerical Algorithms, theorem 24.2). The errors of the two forward transforms meet in the
product, by Cauchy–Schwarz at most 14 log₂N · 2^−53 ‖a‖₂ ‖x‖₂ in each entry of its inverse; that inverse errs by
7 log₂N · 2^−53 ‖a ∗ x‖₂, where ‖a ∗ x‖₂ ≤ ‖a‖₁ ‖x‖₂ (Young). In 2-norm the same holds with ‖x‖₁ in place of ‖x‖₂, by
Young's inequality for all three. The products themselves and terms of second order are
below the remaining 3 log₂N. Nothing is clipped: a sum of nonnegative terms may come out below 0.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from numeric.recurrence import backward_sums

__all__ = ["by_fft", "by_terms", "fft_error", "sums_before", "windowed"]

FloatArray = NDArray[np.float64]


def by_terms(x: FloatArray, a: FloatArray) -> FloatArray:
    """Σ_{r≥1} a_r x_{j+r} for x ≥ 0 : (n,) and a = (a_1, …, a_{n−1}) ≥ 0; returns (n,), the last entry 0."""
    out, read = np.zeros(x.size), np.flatnonzero(a)
    if read.size:
        out[:-1] = np.convolve(x[::-1], a[: read[-1] + 1])[x.size - 2 :: -1]
    return out


def by_fft(x: FloatArray, a: FloatArray) -> FloatArray:
    """The same by FFT, up to the absolute error of `fft_error`."""
    from scipy.fft import irfft, rfft

    out, length = np.zeros(x.size), _length(x.size)
    if x.size > 1:
        out[:-1] = irfft(rfft(x[::-1], length) * rfft(a, length), length)[x.size - 2 :: -1]
    return out


def fft_error(x_norm: float, a_sum: float, n: int) -> float:
    """What an entry of `by_fft` may be off by, for ‖x‖₂ ≤ x_norm and Σ a ≤ a_sum."""
    return 24 * math.log2(_length(n)) * 2.0**-53 * a_sum * x_norm


def _length(n: int) -> int:
    """A power of 2 at which nothing wraps around."""
    return 1 << (2 * n - 1).bit_length()


def windowed(x: FloatArray, reach: int, slope: float) -> FloatArray:
    """u_j = Σ_{j<i≤j+reach} e^{−slope (i−j−1)} x_i, O(n).

    Blocks of length reach: the sum runs to the end of the block of j + 1, then from the start of the next one. Nothing
    is subtracted, as it would be with one running sum, so a small share beside a large one keeps its digits.
    """
    n = x.size
    if reach == 0:
        return np.zeros(n)
    blocks = -(-n // reach) + 1
    padded = np.zeros(blocks * reach)
    padded[: n - 1] = x[1:]  # position j of the blocks is x_{j+1}
    block = padded.reshape(blocks, reach)
    place = np.arange(reach)
    to_the_end = block + math.exp(-slope) * backward_sums(block, np.full(blocks, slope))
    # Σ_{l<k} e^{−slope l} x_l in each block; seen from place k of the block before it starts reach − k places on
    from_the_start = backward_sums((block * np.exp(-slope * place))[:, ::-1], np.zeros(blocks))[:, ::-1]
    joined = to_the_end[:-1] + np.exp(-slope * (reach - place)) * from_the_start[1:]
    return np.asarray(joined.reshape(-1)[:n])


def sums_before(x: FloatArray) -> FloatArray:
    """Σ_{l<k} x_l for k = 0 … len(x) − 1, in log₂ n roundings each, not n."""
    return backward_sums(x[None, ::-1], np.zeros(1))[0, ::-1]
