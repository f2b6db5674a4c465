"""numeric.shared_kernel: hops, rows that stay, paths, and where the walk ends."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numeric.ball import precision
from numeric.ball_kernel import to_ball
from numeric.kernel import Alibi
from numeric.refuse import InputError
from numeric.shared_kernel import RationalKernel, SoftmaxKernel
from numeric.strategies import causal_kernels

HALF = Fraction(1, 2)
STAIRS = ((1, 0, 0), (1, 0, 0), (0, 1, 0))
STILL = ((1, 0, 0), (0, 1, 0), (HALF, Fraction(1, 4), Fraction(1, 4)))


@settings(max_examples=60)
@given(st.integers(1, 5).flatmap(causal_kernels))
def test_hops_are_powers(rows: tuple[tuple[Fraction, ...], ...]) -> None:
    kernel, n = RationalKernel(rows), len(rows)
    power = [[Fraction(i == j) for j in range(n)] for i in range(n)]
    exact = kernel.exact_hops(4)
    assert exact is not None
    with precision(128):
        balls, end = kernel.hops(4), kernel.end()
        for k in range(5):
            assert exact[k] == power[-1][0]
            assert abs(balls[k] - to_ball(exact[k])) < 2.0**-100
            assert exact[k - 1] <= exact[k] if k else True
            assert not balls[k] > end
            power = [
                [sum((rows[i][j] * power[j][c] for j in range(n)), Fraction(0)) for c in range(n)] for i in range(n)
            ]


@settings(max_examples=60)
@given(st.integers(2, 5).flatmap(causal_kernels))
def test_paths_by_search(rows: tuple[tuple[Fraction, ...], ...]) -> None:
    """``longest`` is the first power whose first column is 1, or there is none."""
    kernel, n = RationalKernel(rows), len(rows)
    whole = [RationalKernel([row[: i + 1] for row in rows[: i + 1]]).exact_hops(n) for i in range(n)]
    arrived = [k for k in range(n) if all(hops is not None and hops[k] == 1 for hops in whole)]
    waiting = any(rows[i][i] > 0 for i in range(1, n))
    assert kernel.longest == (None if waiting else arrived[0])
    assert (kernel.waits is not None) == waiting
    assert kernel.still == next((i + 1 for i in range(1, n) if rows[i][i] == 1), None)


def test_a_still_row_keeps_its_share() -> None:
    kernel = RationalKernel(STILL)
    with precision(128):
        assert abs(kernel.end() - to_ball(Fraction(2, 3))) < 2.0**-100
        assert abs(kernel.hops(60)[-1] - kernel.end()) < 2.0**-100
        assert (kernel.still, RationalKernel(STAIRS).still) == (2, None)
        assert RationalKernel(STAIRS).end() == 1
        assert RationalKernel(((1, 0), (0, 1))).leave() == 0


@pytest.mark.parametrize("slopes", [(0,), (HALF,), tuple(Fraction(1, 2**h) for h in range(1, 10))])
def test_heads_agree_with_float_matrices(slopes: tuple[Fraction, ...]) -> None:
    matrix = Alibi([float(m) for m in slopes]).matrix(9)
    kernel = SoftmaxKernel(slopes, 9)
    row = matrix[-1]
    with precision(128):
        for k in range(1, 5):
            assert float(kernel.hops(k)[-1]) == pytest.approx(row[0], rel=1e-12)
            row = row @ matrix
        assert float(kernel.leave()) == pytest.approx(1 - matrix[-1, -1], rel=1e-12)


def test_the_sum_of_the_heads_is_their_row_recursion() -> None:
    slopes = [Fraction(1, 2**h) for h in range(1, 10)]
    summed, recursive = SoftmaxKernel(slopes, 20), SoftmaxKernel(slopes, 20)
    recursive._fits = False
    with precision(128):
        pairs = list(zip(summed.hops(8), recursive.hops(8), strict=True))
        assert all(a.overlaps(b) and a.rad() < 2.0**-100 for a, b in pairs)


def test_a_steep_slope_leaves_its_row_hardly_ever() -> None:
    with precision(128):
        leave = SoftmaxKernel((700,), 5).leave()
        assert 0 < leave < 1e-300


def test_the_uniform_kernel_is_rational() -> None:
    assert SoftmaxKernel((0,), 3).exact_hops(2) == [0, Fraction(1, 3), Fraction(11, 18)]
    assert SoftmaxKernel((HALF,), 3).exact_hops(2) is None


@pytest.mark.parametrize(
    ("slopes", "message"),
    [((), "'slopes' must be at least one number"), ((-1,), r"'slopes' must lie in \[0, 700\]"), ((701,), "'slopes'")],
)
def test_refused(slopes: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        SoftmaxKernel(slopes, 3)
    with pytest.raises(InputError, match="'n' must be at least 1"):
        SoftmaxKernel((0,), 0)
    with pytest.raises(InputError, match="'rows' must sum to 1"):
        RationalKernel(((1, 0), (HALF, Fraction(1, 3))))
