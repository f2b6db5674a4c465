"""Cases and the kernels written by hand for them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq

from proofs.case import Case, Table, kernel, prefix, scaled_diagonal

HALF = Fraction(1, 2)


def test_a_table_counts_from_1_unless_told_otherwise() -> None:
    assert dict(Table((5, 7)).cells()) == {(1,): 5, (2,): 7}
    assert dict(Table((5, 7), (0,)).cells()) == {(0,): 5, (1,): 7}
    assert dict(Table(((1, 2), (3, 4)), (0,)).cells()) == {(0, 1): 1, (0, 2): 2, (1, 1): 3, (1, 2): 4}
    assert dict(Table(((1, 2), (3, 4)), (1, 0)).cells()) == {(1, 0): 1, (1, 1): 2, (2, 0): 3, (2, 1): 4}
    assert dict(Table(()).cells()) == {}
    assert dict(Table(9).cells()) == {(): 9}


def test_values_are_exact() -> None:
    assert Table((Fraction(1, 3),)).values() == {(1,): fmpq(1, 3)}
    assert Table((Fraction(10**40 + 1, 10**40),)).values()[(1,)] == fmpq(10**40 + 1, 10**40)


def test_names_may_carry_an_underscore() -> None:
    case = Case.of(2, {"T": 1}, lambda_=[HALF], A=[kernel([1], [0, 1])])
    assert [name for name, _ in case.tables] == ["A", "lambda"]
    assert case.n == 2
    assert case.indices == (("T", 1),)


def test_cases_that_say_the_same_are_equal() -> None:
    assert Case.of(2, {"s": 1, "T": 2}, f=(1, 2)) == Case.of(2, {"T": 2, "s": 1}, f=Table((1, 2)))


@pytest.mark.parametrize(
    ("indices", "layers"), [({}, 0), ({"T": 3}, 3), ({"s": 2, "u": 1}, 3), ({"T": 2, "H": 5}, 2), ({"H": 5}, 0)]
)
def test_layers_are_those_of_a_rollout(indices: dict[str, int], layers: int) -> None:
    assert Case.of(4, indices).layers == layers


def test_a_kernel_is_padded_above_the_diagonal() -> None:
    one, zero = Fraction(1), Fraction(0)
    assert kernel([1], [HALF, HALF], [0, 0, 1]) == ((one, zero, zero), (HALF, HALF, zero), (zero, zero, one))


def test_prefix_kernels_divide_by_the_weight_so_far() -> None:
    """w = (1, 7, 1), the top layer of the counterexample of D1."""
    assert prefix(1, 7, 1) == kernel(
        [1], [Fraction(1, 8), Fraction(7, 8)], [Fraction(1, 9), Fraction(7, 9), Fraction(1, 9)]
    )
    assert all(sum(row) == 1 for row in prefix(3, 1, 4, 1, 5))


def test_content_scales_the_diagonal_and_keeps_rows_of_sum_1() -> None:
    """w = (1, 1/2, 1/8), e = 2 by hand: row 2 is (1, 1) / 2, row 3 is (1, 1/2, 1/4) / (7/4)."""
    tilted = scaled_diagonal(prefix(8, 4, 1), 2)
    assert tilted == kernel([1], [HALF, HALF], [Fraction(4, 7), Fraction(2, 7), Fraction(1, 7)])
    assert scaled_diagonal(tilted, HALF) == prefix(8, 4, 1)
