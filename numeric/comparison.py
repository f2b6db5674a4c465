"""How far a predicted profile is from a measured one: W1, in positions and as a share of n − 1, and rank correlation.

Numeric here: both, in float64; each vector is taken relative to its own sum (`numeric.order`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numeric.order import spearman, wasserstein

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True)
class Comparison:
    """W1 in positions and relative to n − 1, and Spearman's correlation (None where a profile is constant)."""

    wasserstein: float
    wasserstein_positions: float
    spearman: float | None


def compare(profile: ArrayLike, influence: ArrayLike) -> Comparison:
    """The distance and the rank correlation of a profile and an influence, both (n,), n ≥ 2, masses ≥ 0.

    Raises InputError for lengths that differ, n = 1, a negative mass, a zero sum.

    >>> found = compare([1, 0, 0], [0, 0, 3])
    >>> found.wasserstein, found.wasserstein_positions, round(found.spearman, 12)
    (1.0, 2.0, -0.5)
    """
    distance = wasserstein(profile, influence)
    p, q = np.asarray(profile), np.asarray(influence)
    constant = any(values.min() == values.max() for values in (p, q))
    return Comparison(distance / (p.size - 1), distance, None if constant else spearman(p, q))
