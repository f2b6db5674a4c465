"""numeric.order: tails, the order decided exactly, the monotonicity defect, distances."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from numeric.exact import to_flint
from numeric.order import monotonicity_defect, precedes, spearman, tails, wasserstein
from numeric.refuse import InputError
from numeric.strategies import causal_kernels, monotone_kernels, ordered_pairs

Matrix = tuple[tuple[Fraction, ...], ...]
F = Fraction


@given(causal_kernels(5))
def test_tails_are_the_sums_written_out(a: Matrix) -> None:
    expected = [[sum(row[k:], F(0)) for k in range(5)] for row in a]
    assert tails(a).tolist() == expected
    assert tails(a[4]).tolist() == expected[4]
    floats = tails(np.array(a, dtype=np.float64))
    assert np.abs(floats - np.array(expected, dtype=np.float64)).max() <= 2 * 5 * 2.0**-53


def test_tails_keep_flint_rationals() -> None:
    assert tails([fmpq(1, 3), fmpq(2, 3)]).tolist() == [fmpq(1), fmpq(2, 3)]


def plain_precedes(a: Matrix, b: Matrix) -> bool:
    return all(sum(x[k:]) <= sum(y[k:]) for x, y in zip(a, b, strict=True) for k in range(len(x)))


@given(causal_kernels(4), causal_kernels(4))
def test_the_order_is_its_definition(a: Matrix, b: Matrix) -> None:
    assert precedes(a, b) == plain_precedes(a, b)
    in_flint = [[to_flint(x) for x in row] for row in a]
    assert precedes(in_flint, b) == plain_precedes(a, b)
    assert precedes(a, a)


@given(ordered_pairs(5, "neither"))
def test_ordered_pairs_are_ordered(pair: tuple[Matrix, Matrix]) -> None:
    assert precedes(*pair)
    assert precedes(pair[1], pair[0]) == (pair[0] == pair[1])


def test_floats_are_compared_without_a_tolerance() -> None:
    step = 2.0**-53
    p, q = np.array([0.5 + step, 0.5 - step]), np.array([0.5, 0.5])
    assert precedes(p, q) and not precedes(q, p)


def test_mixed_floats_and_fractions_are_compared_as_they_stand() -> None:
    # 0.1 is a little more than 1/10
    assert precedes([F(9, 10), F(1, 10)], [0.9, 0.1]) and not precedes([0.9, 0.1], [F(9, 10), F(1, 10)])


def test_a_rounded_row_sum_does_not_decide() -> None:
    p = [0.1] * 10  # sums to 1 − 2^−53 in floats, to more than 1 exactly
    assert precedes(p, [0.0] * 9 + [1.0])


@pytest.mark.parametrize("tiny", [1e-320, 1e-300])
def test_tiny_masses_count(tiny: float) -> None:
    assert not precedes([1.0, tiny], [1.0, 0.0])


def plain_defect(a: Matrix) -> Fraction:
    n = len(a)
    gaps = [sum(a[i][k:], F(0)) - sum(a[i + 1][k:], F(0)) for i in range(n - 1) for k in range(1, n)]
    return max([F(0), *gaps])


@given(causal_kernels(5))
def test_the_defect_is_its_definition_and_is_attained(a: Matrix) -> None:
    defect, cell = monotonicity_defect(a)
    assert defect == plain_defect(a)
    assert (cell is None) == (defect == 0)
    if cell is not None:
        i, k = cell
        assert sum(a[i][k:]) - sum(a[i + 1][k:]) == defect


@given(monotone_kernels(6))
def test_monotone_kernels_have_no_defect(a: Matrix) -> None:
    assert monotonicity_defect(a) == (0, None)


def test_the_worst_cell_is_counted_from_0() -> None:
    a = [[1.0, 0, 0, 0], [0.5, 0.5, 0, 0], [0.625, 0.125, 0.25, 0], [0.5, 0.5, 0, 0]]
    # F(2, 1) = 0.5 > F(3, 1) = 0.375 by ⅛; F(3, 2) = ¼ > F(4, 2) = 0 by ¼, rows counted from 1, tails from 0
    assert monotonicity_defect(a) == (0.25, (2, 2))
    assert isinstance(monotonicity_defect(a)[0], float)


def test_theory_d4_example_is_not_monotone() -> None:
    # w = (1, ½, ⅛), e = 2: rows (1), (½, ½), (4/7, 2/7, 1/7)
    a = [[F(1), F(0), F(0)], [F(1, 2), F(1, 2), F(0)], [F(4, 7), F(2, 7), F(1, 7)]]
    assert monotonicity_defect(a) == (F(1, 14), (1, 1))


def test_one_position_has_no_cell() -> None:
    assert monotonicity_defect([[1.0]]) == (0.0, None)


def test_the_trap_of_masses_as_values() -> None:
    # passing masses as values would give 0
    assert wasserstein([0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]) == 2


masses = st.lists(st.integers(0, 9), min_size=5, max_size=5).filter(any)


@given(masses, masses)
def test_wasserstein_is_the_sum_of_tail_gaps(p: list[int], q: list[int]) -> None:
    gaps = [abs(F(sum(p[k:]), sum(p)) - F(sum(q[k:]), sum(q))) for k in range(5)]
    assert abs(wasserstein(p, q) - float(sum(gaps))) <= 100 * 2.0**-53
    assert wasserstein(p, q) == wasserstein(q, p) and wasserstein(p, p) == 0


def test_wasserstein_is_the_cheapest_transport() -> None:
    p, q = np.array([3, 0, 1, 2, 1]) / 7, np.array([1, 4, 0, 0, 2]) / 7
    cost = np.abs(np.subtract.outer(np.arange(5), np.arange(5))).ravel()
    rows = np.kron(np.eye(5), np.ones(5))
    columns = np.kron(np.ones(5), np.eye(5))
    plan = linprog(cost, A_eq=np.vstack([rows, columns]), b_eq=np.concatenate([p, q]))
    assert abs(wasserstein(p, q) - float(plan.fun or 0)) < 1e-9  # the solver's own tolerance is 1e−7 relative


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e38, 1.7e308])
def test_the_distance_ignores_the_unit_of_mass(scale: float) -> None:
    assert wasserstein([scale, scale, 0, 0], [0, 0, scale, scale]) == 2


def test_spearman_is_of_ranks() -> None:
    assert spearman([1, 2, 30], [5, 6, 7]) == pytest.approx(1, abs=4 * 2.0**-53)
    assert spearman([1, 2, 30, 4], [4, 3, 1, 2]) == pytest.approx(-1, abs=4 * 2.0**-53)
    # ranks (1, 2, 3), (2, 1, 3): 1 − 6 · 2 / (3 · 8)
    assert spearman([1, 2, 3], [2, 1, 3]) == pytest.approx(0.5, abs=4 * 2.0**-53)


NAN = float("nan")
REFUSED: list[tuple[Callable[[], object], Callable[[], object], str]] = [
    (lambda: wasserstein([1, 0], [1, 0, 0]), lambda: wasserstein([1, 0], [1, 0]), "length of p"),
    (lambda: wasserstein([1], [1]), lambda: wasserstein([1, 0], [0, 1]), "at least 2"),
    (lambda: wasserstein([1, NAN], [0, 1]), lambda: wasserstein([1, 0], [0, 1]), "finite"),
    (lambda: wasserstein([1, 0], [1, -1e-9]), lambda: wasserstein([1, 0], [1, 1e-9]), "'q' must be nonnegative"),
    (lambda: wasserstein([0, 0], [0, 1]), lambda: wasserstein([0, 1e-320], [0, 1]), "positive sum"),
    (lambda: spearman([1, 1], [1, 2]), lambda: spearman([1, 2], [1, 2]), "constant"),
    (lambda: spearman([1, 2], [1, 2, 3]), lambda: spearman([1, 2, 2], [1, 2, 3]), "length"),
    (lambda: precedes([0.5, 0.5], [0.5, 0.25, 0.25]), lambda: precedes([0.5, 0.5], [0.5, 0.5]), "shape"),
    (lambda: precedes([0.5, 0.5], [[0.5, 0.5]] * 2), lambda: precedes([[0.5, 0.5]], [0.5, 0.5]), "shape"),
    (lambda: precedes([0.5, 0.5], [0.5, 0.4]), lambda: precedes([0.5, 0.5], [0.6, 0.4]), "same sum"),
    (lambda: precedes([F(1, 2), F(1, 2)], [F(1, 2), F(1, 3)]), lambda: precedes([F(1)], [F(1)]), "same sum"),
    (lambda: precedes([0.5, NAN], [0.5, 0.5]), lambda: precedes([0.5, 0.5], [0.5, 0.5]), "finite"),
    (lambda: precedes([], []), lambda: precedes([1], [1]), "at least one entry"),
    (lambda: precedes([[1], [0, 1]], [[1], [0, 1]]), lambda: precedes([[1, 0]], [[1, 0]]), "one length"),
    (lambda: precedes([True, 0], [1, 0]), lambda: precedes([1, 0], [1, 0]), "real number"),
    (lambda: monotonicity_defect([1.0]), lambda: monotonicity_defect([[1.0]]), "square"),
    (lambda: monotonicity_defect([[1.0, 0.0]]), lambda: monotonicity_defect([[1, 0], [0, 1]]), "square"),
    (lambda: tails([]), lambda: tails([0]), "entry"),
    (lambda: tails([[[1.0]]]), lambda: tails([[1.0]]), "ax"),
]


@pytest.mark.parametrize(("refused", "accepted", "message"), REFUSED)
def test_bad_input_is_refused(refused: Callable[[], object], accepted: Callable[[], Any], message: str) -> None:
    accepted()
    with pytest.raises(InputError, match=message):
        refused()
