"""What is checked of a measured kernel before it is multiplied: rows, causality, monotonicity and its worst cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["KernelStatistics", "kernel_statistics"]


@dataclass(frozen=True)
class KernelStatistics:
    """Of one (n, n) kernel. row_defect : max |Σ_j A_ij − 1|. defect, worst : of monotonicity, worst = (i, k) from 0 or
    None. violations / cells : how many of the (n−1)(n−2)/2 comparisons F(i, k) ≤ F(i+1, k), 1 ≤ k ≤ i, fail.
    """

    row_defect: float
    defect: float
    worst: tuple[int, int] | None
    violations: int
    cells: int

    @property
    def violation_rate(self) -> float:
        return self.violations / self.cells if self.cells else 0.0


def kernel_statistics(kernel: Any, *, slack: float | None = None, place: str = "") -> KernelStatistics:
    """kernel : (n, n). Raises InputError with the place for NaN, a negative entry, a later position that is read, a row
    that does not sum to 1.
    """
    raise NotImplementedError
