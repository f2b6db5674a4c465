"""numeric.distance: row recursions against the dense oracle, exact rows against the criteria of D3(d), (e)."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numeric.distance import Distance, LogDistance, Window, distance_rows
from numeric.exact import ExactDense, exact_profile
from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Uniform
from numeric.order import monotonicity_defect, precedes
from numeric.profile import profile, profile_dense
from numeric.refuse import InputError
from numeric.strategies import (
    content_factor_pairs,
    content_factors,
    distance_pairs,
    distance_weights,
    mixing,
    weights_with_ratio,
)

EPS = 2.0**-53
F = Fraction
Row = tuple[Fraction, ...]
NEVER = -math.inf
ROUGH = [0, -3, NEVER, 2, 1, NEVER, NEVER, 0, 5, -700, 1, 0, -1]

# n = 13, a prime
CASES: dict[str, Kernel] = {
    "flat": Distance([0.0] * 13),
    "rough": Distance(ROUGH, 1.5),
    "own position only": Distance([0, *[NEVER] * 12]),
    "rising over the whole range": Distance(np.linspace(0, 300, 13), -0.0),
    "rising after a gap": Distance([0, NEVER, 300, *[-5] * 10]),
    "falling out of sight": Distance(-1e4 * np.arange(13), 400),
    "content -400": Distance(np.zeros(13), -400),
    "weights": Distance.from_weights([3, 0, 1, 1, 0.5, 0, 0, 2, 9, 1e-200, 1, 1, 1], -1),
    "log-distance": LogDistance(1.5),
    "log-distance, flat": LogDistance(0, 400),
    "log-distance, steepest": LogDistance(400, -400),
    "window": Window(4),
    "window of one": Window(1, 3, -2),
    "window of two": Window(2, 0.25),
    "window, sloped": Window(5, 0.7, 1),
    "window, steepest": Window(3, 700, -400),
    "window, content 400": Window(6, 1e-9, 400),
    "window, content -400": Window(3, 0, -400),
    "window of all but one": Window(12, 0.1),
    "window of all": Window(13),
    "wider than all": Window(40, 0.2, -3),
    "average": HeadAverage([Window(3), LogDistance(1), Distance(ROUGH)], [0.25, 0.5, 0.25]),
}


def tolerance(n: int, size: float) -> float:
    """n + 760 roundings in the row; in the oracle logits up to 1100 in size, then n + 2 roundings; a spare factor 2."""
    return 2 * (2 * n + 1900) * EPS * size


@pytest.mark.parametrize("name", CASES)
def test_the_row_recursion_is_the_dense_product(name: str) -> None:
    v = np.random.default_rng(7).normal(size=13)
    assert np.abs(CASES[name].apply(v) - v @ CASES[name].matrix(13)).max() <= tolerance(13, np.abs(v).sum())


@pytest.mark.parametrize("name", CASES)
def test_the_oracle_is_a_causal_kernel_of_the_distance(name: str) -> None:
    a = CASES[name].matrix(13)
    assert a.shape == (13, 13) and (a >= 0).all() and (np.triu(a, 1) == 0).all() and a[0, 0] == 1
    assert np.abs(a.sum(axis=1) - 1).max() <= 15 * 2 * EPS


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("size", [1e-320, 1e38, 1e150])
def test_mass_is_kept_at_any_scale(name: str, size: float) -> None:
    row = CASES[name].apply(np.full(13, size))
    assert np.isfinite(row).all() and (row >= 0).all()
    assert abs(row.sum() - 13 * size) <= tolerance(13, 13 * size) + 200 * 2.0**-1074


@pytest.mark.parametrize("kernel", [LogDistance(2, 5), Window(3, 50, -400), Window(1), Distance([-7.0], 400)])
def test_one_position_reads_itself(kernel: Kernel) -> None:
    assert kernel.apply([1.0]).tolist() == [1.0] and kernel.matrix(1).tolist() == [[1.0]]


@pytest.mark.parametrize("n", [2, 3, 11, 101])
def test_special_cases_are_the_kernels_they_should_be(n: int) -> None:
    v = np.random.default_rng(n).random(n)
    pairs: list[tuple[Kernel, Kernel]] = [
        (Window(n, 0.3, 2), Alibi(0.3, 2)),
        (Window(n + 5, 700, -3), Alibi(700, -3)),
        (LogDistance(0, -2), Uniform(-2)),
        (Distance(-0.5 * np.arange(n), 1), Alibi(0.5, 1)),
        (Distance(-1.5 * np.log1p(np.arange(n)), 1), LogDistance(1.5, 1)),
        (Distance(np.where(np.arange(n) < 3, -0.1 * np.arange(n), NEVER)), Window(3, 0.1)),
        (Distance.from_weights(1 / np.arange(1, n + 1)), LogDistance(1)),
    ]
    for one, two in pairs:
        assert np.abs(one.apply(v) - two.apply(v)).max() <= tolerance(n, v.sum())


def test_a_window_reads_exactly_its_width() -> None:
    # row 5 of width 3: a third each on positions 3, 4, 5; row 2 has only two positions to read
    assert np.allclose(Window(3).matrix(5)[[1, 4]], [[0.5, 0.5, 0, 0, 0], [0, 0, *[1 / 3] * 3]], rtol=4 * EPS, atol=0)
    assert (Window(3).matrix(5)[4] > 0).sum() == 3 != (Window(4).matrix(5)[4] > 0).sum()


@pytest.mark.parametrize("width", range(1, 19))
@pytest.mark.parametrize("slope", [0.0, 0.3])
def test_windows_of_every_width_join_their_blocks(width: int, slope: float) -> None:
    v = np.random.default_rng(width).random(17)
    kernel = Window(width, slope, 0.5)
    assert np.abs(kernel.apply(v) - v @ kernel.matrix(17)).max() <= 200 * EPS * v.sum()


def test_a_window_keeps_a_small_share_beside_a_large_one() -> None:
    # a difference of two running sums would answer 0 for the entries below 1e−16 of those before them
    v = np.array([1e20, 1, 1e-20, 1e-40, 1e-60, 1e-80, 1e-100])
    exact = v @ Window(2).matrix(7)
    assert (np.abs(Window(2).apply(v) - exact) <= 100 * EPS * exact).all()


def test_relative_accuracy_of_long_rows() -> None:
    n = 4099
    v = np.random.default_rng(5).random(n)
    for kernel in (LogDistance(1.25, 1), Window(257, 1e-3, -2), Distance(-1e-3 * np.arange(n))):
        exact = v @ kernel.matrix(n)
        assert (np.abs(kernel.apply(v) - exact) <= tolerance(n, 1) * exact).all()


@given(distance_weights(7, nonincreasing=False), content_factors(), mixing(2))
def test_floats_round_the_exact_profile(a: Row, e: Fraction, lam: Row) -> None:
    kernel = Distance.from_weights([float(x) for x in a], math.log(e))
    exact = exact_profile([distance_rows(a, e, n=7)] * 2, lam, n=7)
    p = profile([kernel] * 2, lam, n=7)
    assert max(abs(F(x) - y) for x, y in zip(p.tolist(), exact, strict=True)) <= F(2 * tolerance(7, 1))
    assert np.abs(p - profile_dense([kernel] * 2, lam, n=7)).max() <= 2 * tolerance(7, 1)


@given(distance_weights(6, nonincreasing=False), content_factors())
def test_exact_rows_are_what_the_definition_says(a: Row, e: Fraction) -> None:
    rows = distance_rows(a, e, n=6)
    assert ExactDense(rows).size == 6
    for i in range(6):
        total = e * a[0] + sum(a[1 : i + 1])
        assert all(rows[i][j] * total == a[i - j] * (e if i == j else 1) for j in range(i + 1))


def ratio_falls(b: list[Fraction], c: list[Fraction]) -> bool:
    """c(r)/b(r) is nonincreasing: cross products, all positive."""
    return all(c1 * b0 <= c0 * b1 for (b0, b1), (c0, c1) in zip(pairwise(b), pairwise(c), strict=True))


def sums(a: Row) -> list[Fraction]:
    return [sum(a[:r], F(0)) for r in range(1, len(a) + 1)]


@given(distance_weights(6, nonincreasing=False))
def test_monotone_iff_the_ratio_of_sums_falls(a: Row) -> None:
    # D3(d)
    b = sums(a)
    assert (monotonicity_defect(distance_rows(a, n=6))[0] == 0) is ratio_falls(b[:-1], b[1:])


@given(distance_weights(6))
def test_nonincreasing_weights_are_monotone(a: Row) -> None:
    assert monotonicity_defect(distance_rows(a, n=6))[0] == 0


@given(distance_weights(5, nonincreasing=False), distance_weights(5, nonincreasing=False))
def test_ordered_iff_the_ratio_of_sums_falls(a: Row, other: Row) -> None:
    # D3(e); both answers occur
    assert precedes(distance_rows(a, n=5), distance_rows(other, n=5)) is ratio_falls(sums(a), sums(other))


@given(distance_pairs(6))
def test_distance_pairs_are_ordered(pair: tuple[Row, Row]) -> None:
    a, other = pair
    assert precedes(distance_rows(a, n=6), distance_rows(other, n=6))


@given(weights_with_ratio(6))
def test_prefix_pairs_are_ordered(pair: tuple[Row, Row]) -> None:
    # D3(b): w'_j / w_j nondecreasing suffices; the rows are compared one by one
    w, other = pair
    for i in range(1, 7):
        lower, upper = ([x / sum(a[:i]) for x in a[:i]] for a in (w, other))
        assert precedes(lower, upper)


def test_no_promise_is_kept_by_accident() -> None:
    strict = {"zeros": 0, "rising": 0, "moved": 0}

    @given(distance_weights(5, nonincreasing=False), distance_weights(5), distance_pairs(5), weights_with_ratio(5))
    def count(a: Row, falling: Row, pair: tuple[Row, Row], prefix: tuple[Row, Row]) -> None:
        assert a[0] > 0 and pair[0][0] > 0 and pair[1][0] > 0 and min(*prefix[0], *prefix[1]) > 0
        assert min(a) >= 0 and list(falling) == sorted(falling, reverse=True) and falling[0] > 0
        strict["zeros"] += 0 in falling
        strict["rising"] += any(x < y for x, y in pairwise(a))
        strict["moved"] += distance_rows(pair[0], n=5) != distance_rows(pair[1], n=5)

    count()
    assert min(strict.values()) >= 50  # of 100 cases


@given(content_factor_pairs(), distance_weights(5, nonincreasing=False))
def test_more_content_is_more_recent(pair: tuple[Fraction, Fraction], a: Row) -> None:
    # D4(b), which asks nothing of the kernel
    low, high = pair
    assert 0 < low <= high
    assert precedes(distance_rows(a, low, n=5), distance_rows(a, high, n=5))


def test_the_adjacent_test_is_wrong_with_zeros() -> None:
    # D3(e): a = (9, 0, 5), a' = (3, 0, 8): a'_{d+1} a_d ≥ a'_d a_{d+1} or its reverse says nothing at the zero
    a, other = distance_rows([9, 0, 5], n=3), distance_rows([3, 0, 8], n=3)
    assert not precedes(a, other) and precedes(other, a)
    assert monotonicity_defect(distance_rows([1, 0, 1], n=3))[0] == F(1, 2)


@given(st.integers(1, 8), st.floats(0, 3), st.floats(-3, 3))
def test_profiles_of_windows_are_rollouts(width: int, slope: float, content: float) -> None:
    stack: list[Kernel] = [Window(width, slope, content), Dense(LogDistance(slope).matrix(7))]
    assert np.abs(profile(stack, 0.5, n=7) - profile_dense(stack, 0.5, n=7)).max() <= tolerance(7, 2)


def test_kernels_are_values() -> None:
    assert Distance([0, -1]) == Distance([0.0, -1.0], 0) and hash(Distance([0, -1])) == hash(Distance([0, -1]))
    assert Window(3) == Window(3, 0, 0) != Window(4) and LogDistance(0) != Uniform()
    assert Distance([0, NEVER]) != Distance([0, -1])
    bias = np.array([0.0, -1.0])
    kernel = Distance(bias)
    bias[0] = 9
    assert kernel.bias[0] == 0 and kernel.size == 2


# refused call, its nearest accepted neighbour, and what the message names
REFUSED: list[tuple[Callable[[], object], Callable[[], object], str]] = [
    (lambda: Distance([]), lambda: Distance([0]), "bias"),
    (lambda: Distance(0), lambda: Distance([0]), "bias"),
    (lambda: Distance([NEVER, 0]), lambda: Distance([0, NEVER]), "entry 1"),
    (lambda: Distance([0, math.inf]), lambda: Distance([0, 300]), "entry 2"),
    (lambda: Distance([0, math.nan]), lambda: Distance([0, NEVER]), "entry 2"),
    (lambda: Distance([0, True]), lambda: Distance([0, 1]), "entry 2"),
    (lambda: Distance([0, 0, 300.5]), lambda: Distance([0, 0, 300]), "at most 300"),
    (lambda: Distance([0, NEVER, 300], -1), lambda: Distance([0, NEVER, 300], 0), "at most 300"),
    (lambda: Distance([0], 401), lambda: Distance([0], 400), "content"),
    (lambda: Distance([0, 1]).apply([1, 2, 3]), lambda: Distance([0, 1]).apply([1, 2]), "'n' must be 2"),
    (lambda: Distance.from_weights([0, 1]), lambda: Distance.from_weights([1, 0]), "entry 1"),
    (lambda: Distance.from_weights([1, -1]), lambda: Distance.from_weights([1, 1]), "entry 2"),
    (lambda: LogDistance(-0.1), lambda: LogDistance(0), "strength"),
    (lambda: LogDistance(400.1), lambda: LogDistance(400), "strength"),
    (lambda: LogDistance(1, math.nan), lambda: LogDistance(1, -400), "content"),
    (lambda: Window(0), lambda: Window(1), "width"),
    (lambda: Window(2.5), lambda: Window(2), "width"),  # type: ignore[arg-type]
    (lambda: Window(2, -1e-9), lambda: Window(2, 1e-9), "slope"),
    (lambda: Window(2, 701), lambda: Window(2, 700), "slope"),
    (lambda: Window(2, 0, -401), lambda: Window(2, 0, -400), "content"),
    (lambda: distance_rows([1, 1], n=3), lambda: distance_rows([1, 1], n=2), "weights"),
    (lambda: distance_rows([0, 1], n=2), lambda: distance_rows([1, 0], n=2), "entry 1"),
    (lambda: distance_rows([1, -1], n=1), lambda: distance_rows([1, 1], n=1), "entry 2"),
    (lambda: distance_rows([1], 0, n=1), lambda: distance_rows([1], F(1, 9), n=1), "'e' must be positive"),
    (lambda: distance_rows([1], n=0), lambda: distance_rows([1], n=1), "'n'"),
]


@pytest.mark.parametrize(("refused", "accepted", "message"), REFUSED)
def test_bad_input_is_refused_beside_its_neighbour(
    refused: Callable[[], object], accepted: Callable[[], object], message: str
) -> None:
    accepted()
    with pytest.raises(InputError, match=message) as caught:
        refused()
    assert "\n" not in str(caught.value)


def test_a_first_weight_that_vanishes_beside_the_largest_divides_nothing_by_0() -> None:
    # e^−1e5 = 0 in float64: every row but the first, which can only read itself, reads older positions
    assert Distance([-1e5, 0.0, 0.0]).apply([0.25, 0.25, 0.5]).tolist() == [0.75, 0.25, 0.0]
