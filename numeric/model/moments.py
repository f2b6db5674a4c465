"""Means and standard errors over samples, one sample in memory at a time, always in the same order.

`Moments` is Welford's recursion. `Influences` are the two ways to average gradient norms g_s : (n,) over samples s:

    mean of norms      Σ_s g_s / Σ_s |g_s|_1        as the paper's code does it: loud samples weigh more
    mean of profiles   (1/K) Σ_s g_s / |g_s|_1      every sample weighs the same

The first is a ratio of means, whose standard error (delta method) is √(Σ_s r_s² / (K (K − 1))) / mean |g|_1 with
r_s = g_s − p |g_s|_1, p the mean itself: so samples are read twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["Influences", "Moments", "fault"]

FloatArray = NDArray[np.float64]


@dataclass
class Moments:
    """count, mean and Σ (x − mean)², of arrays of one shape.

    >>> found = Moments()
    >>> for x in (1.0, 2.0, 6.0):
    ...     found.add(np.array(x))
    >>> float(found.mean), round(float(found.error), 6)  # √(14/2/3)
    (3.0, 1.527525)
    """

    count: int = 0
    mean: FloatArray = field(default_factory=lambda: np.zeros(()))
    squares: FloatArray = field(default_factory=lambda: np.zeros(()))

    def add(self, x: FloatArray) -> None:
        self.count += 1
        step = x - self.mean
        self.mean = self.mean + step / self.count
        self.squares = self.squares + step * (x - self.mean)

    @property
    def error(self) -> FloatArray:
        """Standard error of the mean; NaN of one sample."""
        if self.count < 2:
            return np.full(np.shape(self.mean), np.nan)
        return np.asarray(np.sqrt(self.squares / (self.count - 1) / self.count))


def fault(norms: FloatArray) -> str | None:
    """Why a sample has no profile: its norms are not finite, or all zero; None of one that has.

    >>> fault(np.array([0.0, 0.0])), fault(np.array([1.0, np.nan])), fault(np.array([0.0, 2.0]))
    ('zero', 'not finite', None)
    """
    if not np.isfinite(norms).all():
        return "not finite"
    return None if norms.max() > 0 else "zero"


class Influences:
    """Both averages: `add` every sample, then `add_again`. A sample with a `fault` is left out by both, and named."""

    def __init__(self) -> None:
        self.excluded: list[tuple[int, str]] = []
        self.profiles, self._norms, self._squares = Moments(), Moments(), np.zeros(())

    def add(self, sample: int, norms: FloatArray) -> None:
        reason = fault(norms)
        if reason is not None:
            self.excluded.append((sample, reason))
            return
        self._norms.add(norms)
        self.profiles.add(norms / norms.sum())

    def add_again(self, norms: FloatArray) -> None:
        if fault(norms) is None:
            self._squares = self._squares + (norms - self.mean_of_norms * norms.sum()) ** 2

    @property
    def count(self) -> int:
        return self._norms.count

    @property
    def mean_of_norms(self) -> FloatArray:
        """(n,), sum 1."""
        return np.asarray(self._norms.mean / self._norms.mean.sum())

    @property
    def error(self) -> FloatArray:
        """Standard error of ``mean_of_norms``; NaN of one sample."""
        if self.count < 2:
            return np.full(np.shape(self._norms.mean), np.nan)
        return np.asarray(np.sqrt(self._squares / (self.count * (self.count - 1))) / self._norms.mean.sum())
