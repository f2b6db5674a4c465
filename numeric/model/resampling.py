"""Means of profiles over samples, drawn anew from the samples: intervals for how near predictions are, and for which
of two is nearer.

    drawn = Resampling(count=100, seed=0, draws=1000)
    drawn.interval(drawn.distances(predicted, measured))       # 95 % of W1/(n − 1), percentiles

A draw takes K of the K samples with replacement, the same ones for everything that is measured and predicted, so that
differences of distances are paired. Intervals say how far the choice of samples matters, not whether a theory is apt.
A distance is never negative: where it is near 0, its draws, and the whole interval, may lie above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from numeric.refuse import integer

__all__ = ["DRAWS", "FEWEST", "LEVELS", "Interval", "Resampling"]

FloatArray = NDArray[np.float64]
Interval = tuple[float, float]
DRAWS = 1000
LEVELS = (0.025, 0.975)  # between which the middle 95 % lie
FEWEST = 6  # samples of which even the whole range holds a median with 95 %: 1 − 2^(1−K) is 0.9375 for K = 5
_CELLS = 2**21  # numbers of draws that are held at a time


@dataclass(frozen=True, eq=False)
class Resampling:
    """count : K ≥ 1 samples. Raises InputError for numbers that are none."""

    count: int
    seed: int = 0
    draws: int = DRAWS
    weights: FloatArray = field(init=False, repr=False)  # (draws, K), rows of sum 1

    def __post_init__(self) -> None:
        integer(self.count, "count", 1)
        integer(self.seed, "seed", 0)
        integer(self.draws, "draws", 1)
        rng, weights = np.random.default_rng(self.seed), np.empty((self.draws, self.count))
        for row in weights:  # the numbers that one call for all draws would give
            row[:] = np.bincount(rng.integers(self.count, size=self.count), minlength=self.count)
        weights /= self.count
        object.__setattr__(self, "weights", weights)  # the dataclass is frozen

    def _parts(self, length: int) -> Iterator[FloatArray]:
        """The weights, of as many draws at a time as give means of ``length`` in little memory."""
        step = max(1, _CELLS // length)
        return (self.weights[first : first + step] for first in range(0, self.draws, step))

    def distances(self, predicted: FloatArray, measured: FloatArray) -> FloatArray:
        """(draws,), W1/(n − 1) between the means of profiles (K, n) of sum 1.

        >>> p, q = np.array([[0.375, 0.625]] * 2), np.array([[0.125, 0.875]] * 2)
        >>> Resampling(2, draws=3).distances(p, q)
        array([0.25, 0.25, 0.25])
        """
        # W1 of masses on 1 … n is the sum of |F_p − F_q|, and F is linear in the profile
        tails = np.cumsum(predicted - measured, axis=1)[:, :-1]
        length = tails.shape[1]
        return np.concatenate([np.abs(part @ tails).sum(axis=1) / length for part in self._parts(length)])

    def ranks(self, predicted: FloatArray, measured: FloatArray) -> FloatArray:
        """(draws,), Spearman's ρ between the means; NaN where one of them is constant."""
        return np.concatenate([
            _correlations(part @ predicted, part @ measured) for part in self._parts(predicted.shape[1])
        ])  # fmt: skip

    def interval(self, values: FloatArray) -> Interval | None:
        """The middle 95 % of (draws,) values; None of one sample, or where a draw has none."""
        if self.count < 2 or np.isnan(values).any():
            return None
        low, high = np.quantile(values, LEVELS)
        return float(low), float(high)


def _correlations(p: FloatArray, q: FloatArray) -> FloatArray:
    """Spearman's ρ of each row of p with that of q, (draws, n) both."""
    from scipy.stats import rankdata

    p, q = (rankdata(one, axis=1) for one in (p, q))
    p, q = (one - one.mean(axis=1, keepdims=True) for one in (p, q))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((p * q).sum(axis=1) / np.sqrt((p**2).sum(axis=1) * (q**2).sum(axis=1)))
