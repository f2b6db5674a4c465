"""numeric.drift_bound: no tail goes the wrong way by more than D8 allows, and without the bound some do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numeric.drift_bound import drift_bound, monotonicity_gap
from numeric.kernel import Alibi, Uniform
from numeric.order import monotonicity_defect
from numeric.refuse import InputError

Matrix = np.ndarray


def drawn(rng: np.random.Generator, n: int, power: int) -> Matrix:
    a = np.tril(rng.random((n, n)) ** power)
    return np.asarray(a / a.sum(axis=1, keepdims=True))


def tails(layers: list[Matrix], lam: Matrix) -> Matrix:
    n = len(layers[0])
    product = np.eye(n)
    for a, share in zip(layers, lam, strict=True):
        product = ((1 - share) * np.eye(n) + share * a) @ product
    return np.cumsum(product[-1][::-1])[::-1]


@settings(max_examples=80, deadline=None, database=None)
@given(st.integers(0, 2**32), st.integers(2, 6), st.integers(1, 4))
def test_no_tail_rises_by_more(seed: int, n: int, depth: int) -> None:
    rng = np.random.default_rng(seed)
    layers = [drawn(rng, n, int(rng.choice([1, 5]))) for _ in range(depth)]
    lam, found = rng.random(depth), drift_bound(layers, np.ones(depth))
    found = drift_bound(layers, lam)
    before = tails(layers, lam)
    on_top = tails([*layers, drawn(rng, n, 2)], np.append(lam, 1.0))
    assert (on_top - before).max() <= found.on_top + 1e-14
    assert (tails(layers, np.ones(depth)) - before).max() <= found.raised + 1e-14


def test_without_monotone_layers_drift_fails() -> None:
    """D1's example: prefix (1, 7, 1) above content 2 on weights (1, 1/2, 1/8): 54/126 becomes 55/126."""
    tilted = np.array([[1, 0, 0], [1 / 2, 1 / 2, 0], [4 / 7, 2 / 7, 1 / 7]])
    top = np.array([[1, 0, 0], [1 / 8, 7 / 8, 0], [1 / 9, 7 / 9, 1 / 9]])
    rise = tails([tilted, top], np.ones(2))[1] - tails([tilted], np.ones(1))[1]
    found = drift_bound([tilted], 1.0)
    assert rise == pytest.approx(1 / 126)
    assert found.gaps[0] == pytest.approx(1 / 14)  # F(2, 2) − F(3, 2) = 1/2 − 3/7
    assert rise <= found.on_top


def test_the_gap_looks_at_rows_that_are_not_neighbours() -> None:
    a = np.array([[1, 0, 0, 0], [0.2, 0.8, 0, 0], [0.4, 0.6, 0, 0], [0.6, 0.4, 0, 0]])
    assert monotonicity_defect(a)[0] == pytest.approx(0.2)
    assert monotonicity_gap(a) == pytest.approx(0.4)


def test_monotone_layers_have_no_gap() -> None:
    layers = [Uniform().matrix(9), Alibi(0.4).matrix(9)]
    sure = drift_bound(layers, 0.5, monotone=[True, True])
    assert (sure.gaps, sure.on_top, sure.raised) == ((0.0, 0.0), 0.0, 0.0)
    assert drift_bound(layers, 0.5).on_top < 1e-13


def test_ends_and_refusals() -> None:
    assert monotonicity_gap(np.ones((1, 1))) == 0.0
    assert drift_bound([], []) == drift_bound([], 0.5)
    assert drift_bound(iter([np.eye(2)] * 3), 0.5) == drift_bound([np.eye(2)] * 3, 0.5)
    with pytest.raises(InputError, match="'monotone'"):
        drift_bound([np.eye(2)], 0.5, monotone=[])
    with pytest.raises(InputError, match="'lam'"):
        drift_bound([np.eye(2)], [0.5, 0.5])


def test_gaps_add_up_to_less_than_their_sum() -> None:
    """1 - (1 - 1/14)^2 for two layers, as D8 says more sharply."""
    tilted = np.array([[1, 0, 0], [1 / 2, 1 / 2, 0], [4 / 7, 2 / 7, 1 / 7]])
    found = drift_bound([tilted, tilted], 1.0)
    assert found.on_top == pytest.approx(1 - (13 / 14) ** 2)
    assert drift_bound([np.array([[1, 0, 0], [0, 1, 0], [1, 0, 0]])] * 5, 0.9).on_top < 1


@pytest.mark.parametrize(
    ("matrices", "said"),
    [
        ([np.eye(2), np.eye(3)], "'matrices' must have one size"),
        ([np.array([[1, 0], [np.nan, 1]])], "'matrix'"),
        ([np.array([[1.0, 0], [2, -1]])], "'matrix' must be nonnegative"),
        ([np.ones(3)], "'matrix'"),
        (["x"], "'matrix'"),
    ],
)
def test_what_is_no_kernel_is_refused(matrices: list[np.ndarray], said: str) -> None:
    with pytest.raises(InputError, match=said):
        drift_bound(matrices, 0.5)
