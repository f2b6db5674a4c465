"""What attention weights of known queries and keys say: mask, window, positional bias, slopes, scale. Arrays only.

With Q = K = 0 every score is its positional bias, so row i of the weights α gives b_ij − b_ii = ln α_ij − ln α_ii =: β.
ALiBi has β = −m (i − j); a cell that is exactly 0 is masked. With equal queries and keys everywhere, weights that
differ from those come of rotated queries and keys. With K = 0 but for one key, ln of a ratio is scale · q·k.

Tolerances, u being the weights' unit roundoff: b_ij and b_ii are stored with relative error u and divided or scaled
with another; the row's maximum is subtracted (u |β|), exp errs by at most 4 u besides, each weight is rounded once
more, and the row's sum cancels. With |b| ≤ B = max |β| (b is 0 at the first key or at the own one) that is
u (2 B + 2 B + B + …) + 12 u: `noise` takes u (8 B + 16).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["BFLOAT16", "FLOOR", "Bias", "Mask", "noise", "read_bias", "read_mask", "read_scale", "rotates"]

Floats = NDArray[np.float64]

FLOOR = 1e-30  # a weight that float32 still holds with all its digits, ln = −69; what follows it may have underflowed
BFLOAT16 = 2.0**-8  # of b_ij and b_ii, each rounded to 8 binary digits, in units of B


@dataclass(frozen=True)
class Mask:
    """Which cells are read. future : a cell (query, key), from 0, with key > query that is read; None where there is
    none. window : how many positions a row reads, None where it reads all there are. regular : whether the cells that
    are not read are those of such a window. defect : max |Σ_j α_ij − 1|.
    """

    future: tuple[int, int] | None
    window: int | None
    regular: bool
    defect: float


@dataclass(frozen=True)
class Bias:
    """What the positions alone do. kind : "none", "alibi", "distance" (b is a function of i − j) or "other".

    slopes, slope_errors : (heads,), for "none" and "alibi"; what the reading may be off by. by_distance : (heads, n),
    for "distance", −inf where not read. rounding : by how much biases depart from −m (i − j) beyond the reading's
    noise; 0 where they do not.
    """

    kind: str
    slopes: Floats
    slope_errors: Floats
    by_distance: Floats | None
    rounding: float


def noise(unit: float, size: Floats) -> Floats:
    """What β may be off by, where |β| ≤ size: see the module's docstring."""
    return unit * (8 * size + 16)


def read_mask(weights: Floats) -> Mask:
    """The mask behind weights (heads, n, n), all scores of which are finite.

    >>> read_mask(np.array([[[1, 0, 0], [0.5, 0.5, 0], [0, 0.5, 0.5]]]))
    Mask(future=None, window=2, regular=True, defect=0.0)
    """
    n = weights.shape[-1]
    distance = np.subtract.outer(np.arange(n), np.arange(n))
    ahead = np.argwhere((weights != 0).any(axis=0) & (distance < 0))
    future = (int(ahead[0][0]), int(ahead[0][1])) if len(ahead) else None
    defect = float(np.abs(weights.sum(axis=-1) - 1).max())
    unread = (weights == 0) & (distance >= 0)
    smallest = np.where(weights > 0, weights, np.inf).min(axis=(1, 2))
    telling = unread[smallest >= FLOOR]  # of steeper heads zeros may be underflow, which says nothing
    if not telling.any():
        return Mask(future, None, True, defect)
    window = int(np.where(telling, distance, n).min())
    return Mask(future, window, bool((telling == (distance >= window)).all()), defect)


def _beta(weights: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """β (heads, n, n) and the cells where it is known."""
    n = weights.shape[-1]
    known = (weights >= FLOOR) & np.tri(n, dtype=bool)
    logs = np.log(np.where(known, weights, 1.0))
    return np.where(known, logs - np.diagonal(logs, axis1=1, axis2=2)[:, :, None], 0.0), known


def read_bias(weights: Floats, unit: float) -> Bias:
    """The positional bias behind weights (heads, n, n) of Q = K = 0; unit : their unit roundoff."""
    n = weights.shape[-1]
    distance = np.subtract.outer(np.arange(n), np.arange(n)).astype(np.float64)
    beta, known = _beta(weights)
    size = np.abs(beta).max(axis=(1, 2))
    limit = noise(unit, size)
    d = np.where(known, distance, 0.0)
    squares = np.maximum((d * d).sum(axis=(1, 2)), 1.0)
    slopes = np.where(size <= limit, 0.0, -(beta * d).sum(axis=(1, 2)) / squares)
    # least squares through 0: an error of at most `limit` in every β moves m by at most limit Σd / Σd²
    errors = limit * d.sum(axis=(1, 2)) / squares
    off = np.abs(np.where(known, beta + slopes[:, None, None] * distance, 0.0)).max(axis=(1, 2))
    off = np.where(slopes == 0, 0.0, off)
    if not slopes.any():
        return Bias("none", slopes, errors, None, 0.0)
    # rounded to bfloat16, β departs by BFLOAT16 · B from a line, and the fitted line by as much from that one
    if (off <= np.maximum(limit, 2 * BFLOAT16 * size)).all() and (slopes >= 0).all():
        rounding = np.where(off > limit, off, 0.0)
        return Bias(
            "alibi", slopes, errors + np.where(off > limit, BFLOAT16 * slopes, 0.0), None, float(rounding.max())
        )
    by_distance, same = _by_distance(beta, known, limit)
    return Bias("distance" if same else "other", slopes, errors, by_distance if same else None, 0.0)


def _by_distance(beta: Floats, known: NDArray[np.bool_], limit: Floats) -> tuple[Floats, bool]:
    """b(d) per head, −inf where no cell at that distance is read; whether every such cell agrees."""
    heads, n = beta.shape[:2]
    bias, same = np.full((heads, n), -np.inf), True
    for d in range(n):
        cells, there = (np.diagonal(x, -d, axis1=1, axis2=2) for x in (beta, known))
        high, low = np.where(there, cells, -np.inf).max(axis=1), np.where(there, cells, np.inf).min(axis=1)
        some = there.any(axis=1)
        bias[some, d] = (high[some] + low[some]) / 2
        same = same and bool((high[some] - low[some] <= 2 * limit[some]).all())
    bias[:, 0] = 0.0
    return bias, same


def rotates(zero: Floats, equal: Floats, unit: float, terms: int, score: float) -> bool:
    """Whether scores of equal queries and keys depend on their positions: weights (heads, n, n) of Q = K = 0 and of
    q = k everywhere. terms, score : head size and scale · q·k; a sum of so many terms errs by that many units.
    """
    one, known = _beta(zero)
    other, also = _beta(equal)
    both = known & also
    size = np.maximum(np.abs(one).max(axis=(1, 2)), np.abs(other).max(axis=(1, 2)))
    limit = 2 * noise(unit, size) + 4 * terms * unit * abs(score)
    return bool((np.abs(np.where(both, other - one, 0.0)).max(axis=(1, 2)) > limit).any())


def read_scale(zero: Floats, scored: Floats, products: Floats, unit: float, terms: int) -> tuple[Floats, Floats, bool]:
    """By what q·k is multiplied, head by head, what that may be off by, and whether scores are linear in q·k.

    zero : (heads, 2), the second row's weights of Q = K = 0. scored : (strengths, heads, 2), the same with a key of
    q·k = products (strengths,) at the second position. NaN where that row does not read the first position.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        base = np.log(zero[:, 1]) - np.log(zero[:, 0])
        gain = np.log(scored[..., 1]) - np.log(scored[..., 0]) - base
        scales = gain / products[:, None]
    # two readings of one bias each, and the sum of so many terms that q·k is
    error = (noise(unit, np.abs(base)) + noise(unit, np.abs(gain)) + 2 * terms * unit * np.abs(gain)) / products[
        :, None
    ]
    known = ~np.isnan(scales).any(axis=0)
    apart = np.abs(scales - scales[0]) <= error + error[0]
    return scales[0], error[0], bool(apart[:, known].all())
