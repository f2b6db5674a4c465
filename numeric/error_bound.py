"""|p_j − p^(T)_j| ≤ b_j for the float64 profile p that is returned with b: proven, entry by entry.

p^(T) = e_n R_T ⋯ R_1 is meant exactly, for the kernels and λ as the float64 numbers they hold (head weights divided by
their exact sum; a schedule gives the float64 that its values round to). Theory S1; arXiv:2602.16837.

The row recursion runs in long doubles of unit roundoff u, 2^−64 or less (`numeric.extended`). All numbers are ≥ 0 and
are only added, multiplied and divided, so each computed entry is a sum over paths of the exact product for the path
times at most

    K = Σ_t (r_t + 3)      factors (1 + δ)^{±1}, |δ| ≤ u,

r_t the `roundings` of the kernel of layer t, 3 for (1 − λ_t) v + λ_t vA_t (difference, product, sum); layers with
λ_t = 0 are skipped, and without any other layer p = e_n exactly. Hence v̂_j = p^(T)_j (1 + θ), |θ| ≤ γ = Ku/(1 − Ku),
and

    |v̂_j − p^(T)_j| ≤ γ/(1 − γ) v̂_j = Ku/(1 − 2Ku) v̂_j.

p_j is v̂_j rounded to float64, and |p_j − v̂_j| is a difference of neighbours, which is exact (Sterbenz). So

    b_j = |p_j − v̂_j| + Ku/(1 − 2Ku) v̂_j + 2^−1074,    rounded up.

The last term covers what underflows. Such an operation errs absolutely, by less than 2^−16000. What follows multiplies
by weights of at most 2^1024 and e^400, divides by sums z of at least e^−700 or 10^−308 e^−400, and adds fewer than 2^64
terms: less than 2^−12000 arrives at the row of a layer. Later layers multiply by at most the largest sum of a row;
kernels whose sums exceed 1 so that these multiply to more than 2^1000 are refused. The sum over all layers stays far
below 2^−1075, and p_j itself may be subnormal. Both are less than 2^−1074.

Where long doubles are no wider than float64, the same is computed in balls of 128 bits: as sharp, and slower.

Measured for BLOOM-176B (T = 70, H = 112, with content) at n = 4096 against balls of 128 bits: the largest bound is
2.8e−17, 20 times the largest error; 4.4 s, where the plain recursion takes 0.8 s and the balls 46 s.

Nothing is assumed but IEEE rounding of +, −, ×, ÷ and the radii of flint's balls; no exponential of NumPy's is used.
Not covered: kernels read in lower precision before they came here, prefix-LM masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from numeric.extended import Extended, extended_bits
from numeric.extended_row import LARGEST_GROWTH, ExtendedRow, extended_row, growth, require_counted
from numeric.kernel import Kernel
from numeric.once import once
from numeric.outward import above, ceiling, nearest
from numeric.profile import checked_stack
from numeric.refuse import flag
from numeric.schedule import Mixing

__all__ = ["bounded_profile"]

FloatArray = NDArray[np.float64]
TINY = 2.0**-1074
MIXING = 3  # roundings of `mixed`
BALL_BITS = 128


def bounded_profile(kernels: Sequence[Kernel], lam: Mixing, *, n: int) -> tuple[FloatArray, FloatArray]:
    """(p, b), both (n,) float64, with |p_j − p^(T)_j| ≤ b_j; O(T n) per head, and a distance kernel O(T n²).

    kernels : (T,), layer 1 first: `Uniform`, `Prefix`, `Alibi`, `HeadAverage`, `Dense`, `Distance`, `LogDistance`,
    `Window`. lam, n : as for `profile`. Raises InputError for anything else, before work starts.

    >>> from numeric.kernel import Uniform
    >>> p, b = bounded_profile([Uniform()], 1, n=3)
    >>> p.tolist() == [1 / 3] * 3, bool((b < 2e-17).all())
    (True, True)
    """
    layers, mixing = checked_stack(kernels, lam, n)
    for layer, kernel in enumerate(layers, start=1):
        require_counted(kernel, f"layer {layer}")
    _require_growth(layers, mixing)
    attending = [(kernel, share) for kernel, share in zip(layers, mixing.tolist(), strict=True) if share > 0]
    bits = extended_bits()
    if bits is None:
        return _in_balls(attending, n)
    rows = once(lambda kernel: extended_row(kernel, n, bits), [kernel for kernel, _ in attending])
    v = _recursion(rows, [share for _, share in attending], n)
    count = sum(row.roundings + MIXING for row in rows)
    return _rounded(v, Fraction(count, 2**bits - 2 * count))


def _recursion(rows: Sequence[ExtendedRow], shares: Sequence[float], n: int) -> Extended:
    v = np.zeros(n, dtype=np.longdouble)
    v[-1] = 1.0
    for row, share in zip(reversed(rows), reversed(shares), strict=True):
        v = mixed(v, row.row(v), np.longdouble(share))
    return v


def mixed(v: Extended, row: Extended, lam: np.longdouble) -> Extended:
    """(1 − λ) v + λ vA, in 3 roundings of the first and 2 of the second."""
    return np.asarray((1 - lam) * v + lam * row)


def _rounded(v: Extended, relative: Fraction) -> tuple[FloatArray, FloatArray]:
    """p and b of the derivation, for Ku/(1 − 2Ku) = relative."""
    p = v.astype(np.float64)
    if relative == 0:
        return p, np.zeros(v.size)
    # a product and two sums err by less than 2^−62 of the result, their factor by 2^−64 more; where TINY is most of the
    # result, what it has beyond the 2^−1075 that underflow needs covers its own sum
    factor = np.longdouble(ceiling(relative))
    above_all = 1 + np.ldexp(np.longdouble(1), -60)
    b = (np.abs(p - v) + factor * v) * above_all + np.longdouble(TINY)
    near = b.astype(np.float64)
    return p, np.where(near < b, np.nextafter(near, np.inf), near)


def _require_growth(layers: Sequence[Kernel], mixing: FloatArray) -> None:
    """Refuses rows whose sums, all above 1, multiply to more than 2^1000."""
    found = growth(layers, mixing.tolist())
    if found > LARGEST_GROWTH:
        raise flag("kernels", "have rows whose sums multiply to at most 2^1000", f"to about 2^{found:.0f}")


# --- without long doubles -------------------------------------------------------------------------------------------


def _in_balls(attending: Sequence[tuple[Kernel, float]], n: int) -> tuple[FloatArray, FloatArray]:
    """The same in balls: p is the midpoint rounded to float64, b its distance to the far end, rounded up."""
    from flint import arb

    from numeric.ball import ball_profile, precision

    stack, shares = [kernel for kernel, _ in attending], [share for _, share in attending]
    balls = ball_profile(stack, shares, n=n, prec=BALL_BITS)
    p = np.array([nearest(ball.mid()) for ball in balls])
    with precision(BALL_BITS):
        b = [above((ball - arb(x)).abs_upper()) for ball, x in zip(balls, p.tolist(), strict=True)]
    return p, np.array(b)
