"""What a measured kernel has to pass before it is multiplied, and how far it is from monotone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from numeric import Alibi, monotonicity_defect
from numeric.model import kernel_statistics
from numeric.refuse import InputError

N = 13


def random_kernel(seed: int) -> Any:
    weights = np.tril(np.random.default_rng(seed).random((N, N)))
    return weights / weights.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(5))
def test_the_defect_is_the_exact_one(seed: int) -> None:
    kernel = random_kernel(seed)
    found = kernel_statistics(kernel)
    defect, worst = monotonicity_defect(kernel)
    assert found.worst == worst
    assert abs(found.defect - float(defect)) <= N * 2.0**-52  # two tails, each a sum of at most n terms
    assert found.defect > 0.01


def test_violations_are_counted_cell_by_cell() -> None:
    kernel = random_kernel(3)
    tails = [[kernel[i, k:].sum() for k in range(N)] for i in range(N)]
    cells = [(i, k) for i in range(N - 1) for k in range(1, i + 1)]
    found = kernel_statistics(kernel, slack=0.01)
    assert found.cells == len(cells) == 66
    assert found.violations == sum(tails[i][k] - tails[i + 1][k] > 0.01 for i, k in cells) > 0
    assert found.violation_rate == found.violations / 66
    assert kernel_statistics(kernel, slack=1e-12).violations > found.violations


def test_a_monotone_kernel_has_none() -> None:
    found = kernel_statistics(Alibi([0.5, 0.0625]).matrix(N), slack=1e-12)
    assert (found.defect < 1e-15, found.violations, found.row_defect < 1e-15) == (True, 0, True)
    assert kernel_statistics(np.eye(N)).worst is None
    for n in (1, 2):
        found = kernel_statistics(np.eye(n))
        assert (found.defect, found.worst, found.cells, found.violation_rate) == (0.0, None, 0, 0.0)


def test_rounding_of_single_precision_is_no_violation() -> None:
    kernel = np.tril(np.ones((N, N), dtype=np.float32))
    kernel /= kernel.sum(axis=1, keepdims=True)
    assert kernel_statistics(kernel).violations == 0
    assert kernel_statistics(kernel).row_defect <= (N + 2) * 2.0**-24


@pytest.mark.parametrize(
    ("cell", "value", "says"),
    [
        ((4, 2), np.nan, r"be finite, not nan \(layer 3, row 5, column 3\)"),
        ((4, 2), np.inf, r"be finite, not inf"),
        ((4, 2), -0.25, r"be nonnegative, not -0.25 \(layer 3, row 5, column 3\)"),
        ((2, 4), 1e-30, r"read no later position, not 1e-30 \(layer 3, row 3, column 5\)"),
        ((4, 2), 0.5, r"have rows that sum to 1 within 8.94e-07, not 1.\d+ \(layer 3, row 5\)"),
    ],
)
def test_what_is_no_kernel_is_refused_with_its_place(cell: tuple[int, int], value: float, says: str) -> None:
    kernel = Alibi(0.25).matrix(N)
    kernel_statistics(kernel)
    kernel[cell] = value
    with pytest.raises(InputError, match=says):
        kernel_statistics(kernel, place="layer 3")


def test_row_sums_are_held_to_the_slack() -> None:
    kernel = np.eye(N)
    kernel[5, 4] = 1e-5
    with pytest.raises(InputError, match=r"within 8\.94e-07"):
        kernel_statistics(kernel)
    assert kernel_statistics(kernel, slack=2e-5).row_defect == pytest.approx(1e-5)
    for bad in (-1.0, float("nan")):
        with pytest.raises(InputError, match="'slack'"):
            kernel_statistics(kernel, slack=bad)
    for shape in ((2, 3), (0, 0), (4,)):
        with pytest.raises(InputError, match="be square"):
            kernel_statistics(np.zeros(shape))
