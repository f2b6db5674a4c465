"""Means of profiles over samples, drawn anew from the samples: intervals for how near predictions are, and for which
of two is nearer.

    drawn = Resampling(count=100, seed=0, draws=1000)
    drawn.interval(drawn.distances(predicted, measured))       # 95 % of W1/(n − 1), percentiles

A draw takes K of the K samples with replacement, the same ones for everything that is measured and predicted, so that
differences of distances are paired. Intervals say how far the choice of samples matters, not whether a theory is apt.
A distance is never negative: where it is near 0, its draws, and the whole interval, may lie above it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from numeric.refuse import integer

__all__ = ["DRAWS", "Interval", "Resampling"]

FloatArray = NDArray[np.float64]
Interval = tuple[float, float]
DRAWS = 1000
LEVELS = (0.025, 0.975)


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
        chosen = np.random.default_rng(self.seed).integers(self.count, size=(self.draws, self.count))
        times = np.stack([np.bincount(one, minlength=self.count) for one in chosen])
        object.__setattr__(self, "weights", times / self.count)  # the dataclass is frozen

    def means(self, profiles: FloatArray) -> FloatArray:
        """(draws, n) of profiles (K, n)."""
        return np.asarray(self.weights @ profiles)

    def distances(self, predicted: FloatArray, measured: FloatArray) -> FloatArray:
        """(draws,), W1/(n − 1) between the means of profiles (K, n) of sum 1.

        >>> p, q = np.array([[0.375, 0.625]] * 2), np.array([[0.125, 0.875]] * 2)
        >>> Resampling(2, draws=3).distances(p, q)
        array([0.25, 0.25, 0.25])
        """
        # W1 of masses on 1 … n is the sum of |F_p − F_q|, and F is linear in the profile
        tails = np.cumsum(predicted - measured, axis=1)[:, :-1]
        return np.asarray(np.abs(self.weights @ tails).sum(axis=1) / tails.shape[1])

    def ranks(self, predicted: FloatArray, measured: FloatArray) -> FloatArray:
        """(draws,), Spearman's ρ between the means; NaN where one of them is constant."""
        from scipy.stats import rankdata

        p, q = (rankdata(self.means(one), axis=1) for one in (predicted, measured))
        p, q = (one - one.mean(axis=1, keepdims=True) for one in (p, q))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((p * q).sum(axis=1) / np.sqrt((p**2).sum(axis=1) * (q**2).sum(axis=1)))

    def interval(self, values: FloatArray) -> Interval | None:
        """The middle 95 % of (draws,) values; None of one sample, or where a draw has none."""
        if self.count < 2 or np.isnan(values).any():
            return None
        low, high = np.quantile(values, LEVELS)
        return float(low), float(high)
