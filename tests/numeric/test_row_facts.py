"""numeric.row_facts: what rows give away, against their matrices, and how the extremes are moved outward."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from numeric.distance import Distance, LogDistance, Window
from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
from numeric.prefix_lm import PrefixLM
from numeric.refuse import InputError
from numeric.row_facts import Extremes, row_facts, with_sink

N = 40
WEIGHTS = np.random.default_rng(1).random(N) + 0.1
KERNELS: list[Kernel] = [
    Uniform(),
    Uniform(2.0),
    Alibi([0.1, 1.0, 3.0], [0.0, 1.0, -2.0]),
    Alibi([0.0, 0.5], head_weights=[0.25, 0.75]),
    Prefix(WEIGHTS, 0.5),
    Window(5, 0.1, 0.3),
    LogDistance(1.3, 0.2),
    Distance([0.0, -1.0, -math.inf] + [-2.0] * (N - 3)),
    Distance([0.0] + [800.0] * (N - 1)),  # the diagonal underflows, but row 1 has nothing else
    HeadAverage([Uniform(), Window(3)]),
    HeadAverage([Uniform(), Window(3)], [0.0, 1.0]),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: type(k).__name__)
def test_facts_are_those_of_the_matrix(kernel: Kernel) -> None:
    a, facts = kernel.matrix(N), row_facts(kernel, N)
    i, j = np.nonzero(a > 0)
    positions = np.arange(N)
    np.testing.assert_allclose(facts.leave, np.tril(a, -1).sum(axis=1), rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(facts.first, a[:, 0], rtol=1e-13)
    np.testing.assert_allclose(facts.jump, positions - a @ positions, rtol=1e-12, atol=1e-12)
    assert facts.reach == (i - j).max()


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: type(k).__name__)
def test_a_dense_kernel_says_the_same(kernel: Kernel) -> None:
    one, other = row_facts(kernel, N), row_facts(Dense(kernel.matrix(N)), N)
    np.testing.assert_allclose(one.jump, other.jump, rtol=1e-12, atol=1e-12)
    assert one.reach == other.reach


def test_uniform_rows_exactly() -> None:
    """J(i) = (i − 1)/2, so J(i)/(i − 1) = 1/2 in every row, and A_i1 = 1/i."""
    found = Extremes.of(row_facts(Uniform(), 1000))
    assert found.least_jump < 0.5 < found.most_jump
    assert found.most_jump - found.least_jump < 3e-12
    assert found.least_first < 1e-3 < found.least_first * (1 + 2e-12)
    assert found.least_leave == pytest.approx(0.5)
    assert found.reach == 999


def test_steep_slopes_keep_their_digits() -> None:
    facts = row_facts(Alibi(100.0), 3)
    assert facts.leave[1] == pytest.approx(math.exp(-100) / (1 + math.exp(-100)), rel=1e-14)


def test_a_sink_adds_its_share() -> None:
    share, facts = 0.25, row_facts(Alibi(0.3), 6)
    mixed = (1 - share) * Alibi(0.3).matrix(6) + share * np.eye(6)[0]
    expected = row_facts(Dense(mixed), 6)
    found = with_sink(facts, share)
    for name in ("leave", "first", "jump"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-14, atol=1e-16)
    assert found.reach == 5


def test_extremes_hold_the_exact_numbers() -> None:
    """Rows with sums of rationals that no float is."""
    exact = [Fraction(i, i + 1) for i in range(1, 30)]  # 1 − A_ii of the uniform kernel
    found = Extremes.of(row_facts(Uniform(), 30))
    assert Fraction(found.least_leave) <= min(exact) <= max(exact) <= Fraction(found.most_leave)


def test_refusals() -> None:
    with pytest.raises(InputError, match="'n' must be 40"):
        row_facts(Prefix(WEIGHTS), 5)
    with pytest.raises(InputError, match="'n'"):
        row_facts(Uniform(), 0)


def test_a_kernel_that_reads_later_positions_is_refused() -> None:
    with pytest.raises(InputError, match="'kernel' must read no later position"):
        row_facts(PrefixLM(2, 0.1), 4)
