"""W1 and rank correlation of two profiles together."""

from __future__ import annotations

import numpy as np
import pytest

from numeric.comparison import compare
from numeric.refuse import InputError


def test_masses_are_relative_to_their_own_sums() -> None:
    # by hand: half the mass moves two positions on, of n − 1 = 4
    found = compare([1, 1, 0, 0, 0], [3, 0, 0, 3, 0])
    assert (found.wasserstein, found.wasserstein_positions) == (0.25, 1.0)
    assert found.spearman == pytest.approx(1 / 6)
    # by hand: centred ranks (1.5, 1.5, −1, −1, −1) and (1.5, −1, −1, 1.5, −1), of product 1.25 and squares 7.5


def test_a_constant_profile_has_no_rank_correlation() -> None:
    assert compare(np.ones(5), [1, 2, 3, 4, 5]).spearman is None
    assert compare([1, 2, 3, 4, 5], np.ones(5)).spearman is None


@pytest.mark.parametrize(
    ("q", "said"),
    [([1, 1, 1], "have the length of p"), ([1, -1], "be nonnegative"), ([0, 0], "have a positive sum")],
)
def test_refused(q: list[float], said: str) -> None:
    with pytest.raises(InputError, match=said):
        compare([0.5, 0.5], q)
