"""a ≼ b iff F_a(k) ≤ F_b(k) for every k, F_a(k) = Σ_{j≥k} a_j: order, monotonicity and distance of profiles.

Theory section 0 (tails, ≼), S3, D8; arXiv:2602.16837.

Exact here: `precedes` and `monotonicity_defect` decide about the numbers as given, floats included (a float is a dyadic
rational): tails are sums of integers over a common denominator, no tolerance enters. Numeric here: `tails` of floats
(cumulative sums, relative error at most n · 2^−53 for nonnegative entries), `wasserstein`, `spearman`.
Not covered: the non-adjacent rows of D8's η; for η = 0 the two agree.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.refuse import flag, numbers, rational, refusal, several, vector

__all__ = ["monotonicity_defect", "precedes", "spearman", "tails", "wasserstein"]

Cell = tuple[int, int]
Ratio = tuple[int, int]


def tails(p: Any) -> NDArray[Any]:
    """F(…, k) = Σ_{j≥k} p_{…, j}. p : (n,) or (n, n), tails along the last axis; the shape is kept.

    Floats give float64. Fractions and flint's fmpq give an object array of exact values.

    >>> tails([0.5, 0.25, 0.25])
    array([1.  , 0.5 , 0.25])
    """
    if _is_exact(p):
        array = np.array(p, dtype=object)
        if array.ndim not in (1, 2) or array.size == 0:
            raise flag("p", "have 1 or 2 axes and an entry", f"shape {array.shape}")
        return np.asarray(np.add.accumulate(array[..., ::-1], axis=-1)[..., ::-1])
    floats = numbers(p, "p", 2 if np.ndim(p) == 2 else 1)
    return np.asarray(np.cumsum(floats[..., ::-1], axis=-1)[..., ::-1])


def precedes(p: Any, q: Any) -> bool:
    """p ≼ q: F_p(k) ≤ F_q(k) for k ≥ 2, and row by row for kernels. Decided exactly for the numbers as given.

    p, q : both (n,) or both (n, n), floats or exact numbers. F(1) is the sum, which is 1 for both and not compared;
    sums that differ are refused: at all for exact numbers, by more than (n + 2) · 2^−52 for floats, whose rows round.

    >>> precedes([0.5, 0.5], [0.25, 0.75]), precedes([0.25, 0.75], [0.5, 0.5])
    (True, False)
    """
    lower, upper = _rows(p, "p"), _rows(q, "q")
    n = len(lower[0])
    if len(lower) != len(upper) or n != len(upper[0]):
        raise flag("q", f"have the shape of p, {len(lower)} by {n}", f"{len(upper)} by {len(upper[0])}")
    scale = _common_denominator(x for row in (*lower, *upper) for x in row)
    slack = 0 if _is_exact(p) and _is_exact(q) else Fraction(n + 2, 2**52) * scale
    verdict = True
    for i, (a, b) in enumerate(zip(lower, upper, strict=True), start=1):
        below, above = _integer_tails(a, scale), _integer_tails(b, scale)
        if abs(below[0] - above[0]) > slack:
            raise flag("q", "have the same sum as p", f"another one in row {i}, counted from 1")
        verdict = verdict and all(x <= y for x, y in zip(below[1:], above[1:], strict=True))
    return verdict


def monotonicity_defect(a: Any) -> tuple[float | Fraction, Cell | None]:
    """max over i, k ≥ 2 of (F(i, k) − F(i+1, k))^+, with the worst cell; 0 and None for a monotone kernel.

    a : (n, n), rows are distributions. The cell (i, k) is counted from 0: the tail from k on shrinks from row i to
    row i + 1. The sign is exact; the defect is a Fraction for exact numbers, else the correctly rounded float.

    >>> monotonicity_defect([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.75, 0.25, 0.0]])
    (0.25, (1, 1))
    """
    rows = _rows(a, "a")
    if len(rows[0]) != len(rows) or not several(a[0]):
        raise flag("a", "be square", f"{len(rows)} by {len(rows[0])}")
    scale = _common_denominator(x for row in rows for x in row)
    worst, cell = 0, None
    upper = _integer_tails(rows[0], scale)
    for i in range(1, len(rows)):
        lower, upper = upper, _integer_tails(rows[i], scale)
        for k in range(1, len(rows)):
            if lower[k] - upper[k] > worst:
                worst, cell = lower[k] - upper[k], (i - 1, k)
    defect = Fraction(worst, scale)
    return (defect if _is_exact(a) else float(defect)), cell


def wasserstein(p: ArrayLike, q: ArrayLike) -> float:
    """W1(p, q) = Σ_k |F_p(k) − F_q(k)|, in positions; divide by n − 1 for the relative distance.

    p, q : (n,), n ≥ 2, masses ≥ 0 with a positive sum; each is taken relative to its own sum, so influence need not be
    normalised. Raises InputError for lengths that differ, n = 1, NaN, a negative mass, a zero sum.

    >>> wasserstein([0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5])
    2.0
    """
    from scipy.stats import wasserstein_distance

    a, b = _pair(p, q)
    for name, masses in (("p", a), ("q", b)):
        if (masses < 0).any():
            at = int(np.argmax(masses < 0))
            raise refusal(name, "be nonnegative", masses[at], f"entry {at + 1}, counted from 1")
        if masses.max() == 0:
            raise refusal(name, "have a positive sum", 0.0)
    positions = np.arange(a.size)
    # the masses are weights, the positions are values; scaled first, since sums near 1e308 or 1e−320 lose everything
    return float(wasserstein_distance(positions, positions, a / a.max(), b / b.max()))


def spearman(p: ArrayLike, q: ArrayLike) -> float:
    """Spearman's rank correlation of p and q : (n,), n ≥ 2; a constant vector has none and is refused."""
    from scipy.stats import spearmanr

    a, b = _pair(p, q)
    for name, values in (("p", a), ("q", b)):
        if values.min() == values.max():
            raise flag(name, "have at least two different values", "a constant vector")
    return float(spearmanr(a, b).statistic)


def _pair(p: ArrayLike, q: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    a, b = vector(p, "p"), vector(q, "q")
    if a.size != b.size:
        raise flag("q", f"have the length of p ({a.size})", f"{b.size}")
    if a.size == 1:
        raise refusal("p", "have at least 2 positions", 1)
    return a, b


def _is_exact(values: Any) -> bool:
    """Whether every entry is an integer, a Fraction or a flint rational, none a float."""
    if isinstance(values, np.ndarray):
        return values.dtype == object and _is_exact(values.tolist())
    if several(values):
        return all(_is_exact(x) for x in values)
    return not isinstance(values, (float, np.generic))


def _rows(values: Any, name: str) -> list[list[Ratio]]:
    """The rows of a vector or matrix, every number exactly as (numerator, denominator)."""
    if isinstance(values, np.ndarray):
        values = (values if values.dtype == object else numbers(values, name, 2 if values.ndim == 2 else 1)).tolist()
    if not several(values) or not values:
        raise refusal(name, "be a vector or matrix with at least one entry", values)
    rows = values if several(values[0]) else [values]
    if not all(several(row) and len(row) == len(rows[0]) > 0 for row in rows):
        raise flag(name, "have rows of one length, at least 1", "rows that differ or are empty")
    return [[_ratio(x, name) for x in (row.tolist() if isinstance(row, np.ndarray) else row)] for row in rows]


def _ratio(x: Any, name: str) -> Ratio:
    if hasattr(x, "p") and hasattr(x, "q"):  # flint's fmpq, without importing flint
        return int(x.p), int(x.q)
    return rational(x, name).as_integer_ratio()


def _common_denominator(ratios: Iterable[Ratio]) -> int:
    return math.lcm(*{q for _, q in ratios})


def _integer_tails(row: list[Ratio], scale: int) -> list[int]:
    """scale · F(k) for k = 0 … n − 1, as integers."""
    return list(accumulate(p * (scale // q) for p, q in reversed(row)))[::-1]
