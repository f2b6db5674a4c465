"""What is checked of a measured kernel before it is multiplied: rows, causality, monotonicity and its worst cell.

A kernel is averaged from weights in single precision, so its rows sum to 1 up to rounding only, and a tail that shrinks
by less than that says nothing. Both limits are one number, the slack: a softmax divides n terms, each quotient
rounded, by one sum that errs by at most n − 1 roundings, so a tail errs by at most (n + 1) u of the row's mass 1; with
one rounding to spare, (n + 2) 2^−24 for float32. The average over heads and samples, in float64, adds nothing to that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.refuse import flag, real, refusal

__all__ = ["KernelStatistics", "kernel_statistics"]


@dataclass(frozen=True)
class KernelStatistics:
    """Of one kernel (n, n). row_defect : max_i |Σ_j A_ij − 1|.

    defect, worst : max over i, k ≥ 1 of (F(i, k) − F(i+1, k))^+ and its cell (i, k), counted from 0, None for a
    monotone kernel; as `numeric.order.monotonicity_defect` up to n · 2^−52. violations : how many of the ``cells`` =
    (n−1)(n−2)/2 comparisons with 1 ≤ k ≤ i (for k > i nothing can fail) shrink by more than ``slack``.
    """

    row_defect: float
    defect: float
    worst: tuple[int, int] | None
    violations: int
    cells: int
    slack: float

    @property
    def violation_rate(self) -> float:
        return self.violations / self.cells if self.cells else 0.0


def kernel_statistics(kernel: ArrayLike, *, slack: float | None = None, place: str = "") -> KernelStatistics:
    """kernel : (n, n), axes query i, key j. slack : number ≥ 0; None means (n + 2) 2^−24, the rounding of float32.

    Raises InputError, with ``place`` and the cell counted from 1, for an entry that is NaN, infinite or negative, a
    later position that is read, and a row whose sum is off by more than ``slack``. Nothing is renormalised.

    >>> kernel_statistics([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.75, 0.25, 0.0]]).worst
    (1, 1)
    """
    a = np.asarray(kernel, dtype=np.float64)
    if a.ndim != 2 or a.shape[0] != a.shape[1] or a.size == 0:
        raise flag("kernel", "be square with at least one row", f"of shape {a.shape}", place)
    n = len(a)
    limit = (n + 2) * 2.0**-24 if slack is None else real(slack, "slack")
    if limit < 0:
        raise refusal("slack", "be at least 0", slack)
    _refuse(a, ~np.isfinite(a), "be finite", place)
    _refuse(a, a < 0, "be nonnegative", place)
    _refuse(a, np.triu(a, 1) != 0, "read no later position", place)
    off = np.abs(a.sum(axis=1) - 1)
    if off.max() > limit:
        row = int(off.argmax())
        where = _joined(place, f"row {row + 1}")
        raise refusal("kernel", f"have rows that sum to 1 within {limit:.3g}", a[row].sum(), where)
    return _statistics(a, float(off.max()), limit)


def _statistics(a: NDArray[np.float64], row_defect: float, slack: float) -> KernelStatistics:
    n = len(a)
    tails = np.cumsum(a[:, ::-1], axis=1)[:, ::-1]
    shrinks = np.tril(tails[:-1, 1:] - tails[1:, 1:], -1)  # (i, k − 1): k ≤ i
    worst = None
    if shrinks.size and shrinks.max() > 0:
        i, k = np.unravel_index(int(shrinks.argmax()), shrinks.shape)
        worst = (int(i), int(k) + 1)
    defect = 0.0 if worst is None else float(shrinks.max())
    return KernelStatistics(row_defect, defect, worst, int((shrinks > slack).sum()), (n - 1) * (n - 2) // 2, slack)


def _refuse(a: NDArray[np.float64], bad: NDArray[np.bool_], requirement: str, place: str) -> None:
    if bad.any():
        i, j = (int(c) for c in np.argwhere(bad)[0])
        raise refusal("kernel", requirement, a[i, j], _joined(place, f"row {i + 1}, column {j + 1}"))


def _joined(place: str, cell: str) -> str:
    return f"{place}, {cell}" if place else cell
