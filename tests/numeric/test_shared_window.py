"""numeric.shared_window: hops of windows and sinks against their rows in rationals, and what layers they need."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from numeric.ball import precision
from numeric.ball_kernel import to_ball
from numeric.dichotomy import decide_collapse
from numeric.distance import Window
from numeric.endless import endless
from numeric.first_token import Mass, smallest_depth
from numeric.guarantee import Guarantee, guarantees
from numeric.kernel import Alibi, Dense
from numeric.profile import profile
from numeric.refuse import InputError
from numeric.shared_kernel import RationalKernel, SharedKernel, SoftmaxKernel
from numeric.shared_window import SinkKernel, WindowKernel

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)


def window_rows(width: int, n: int) -> list[list[Fraction]]:
    return [[Fraction(1, min(i + 1, width)) if i - width < j <= i else Fraction(0) for j in range(n)] for i in range(n)]


def with_share(rows: list[list[Fraction]], share: Fraction) -> list[list[Fraction]]:
    return [[(1 - share) * x + share * (j == 0) for j, x in enumerate(row)] for row in rows]


@pytest.mark.parametrize("width", [1, 2, 3, 6, 9])
@pytest.mark.parametrize("share", [None, TENTH, Fraction(1)])
def test_hops_are_those_of_the_rows(width: int, share: Fraction | None) -> None:
    n, rows = 6, window_rows(width, 6)
    kernel: SharedKernel = WindowKernel(width, 0, n)
    if share is not None:
        kernel, rows = SinkKernel(kernel, share), with_share(rows, share)
    oracle = RationalKernel(rows)
    exact = oracle.exact_hops(9)
    assert exact is not None
    with precision(128):
        for ball, number in zip(kernel.hops(9), exact, strict=True):
            assert abs(ball - to_ball(number)) < 2.0**-100
        assert abs(kernel.leave() - oracle.leave()) < 2.0**-100
        assert abs(kernel.end() - oracle.end()) < 2.0**-100
    assert (kernel.still, kernel.longest, kernel.waits) == (oracle.still, oracle.longest, oracle.waits)


def test_a_slope_inside_the_window() -> None:
    p = profile([Window(5, 0.3)] * 3, 1.0, n=12)
    with precision(128):
        found = WindowKernel(5, Fraction(3, 10), 12).hops(3)[-1]
    assert float(found.mid()) == pytest.approx(p[0], rel=1e-13)


def test_a_sink_on_a_softmax_kernel() -> None:
    base = SoftmaxKernel((0, HALF, HALF, 1, 1, 2, 2, 3, 3), 8)  # so many heads that it is multiplied as a matrix
    rows = profile([Dense(_sunk(base, 8))] * 2, 1.0, n=8)
    with precision(128):
        assert float(SinkKernel(base, TENTH).hops(2)[-1].mid()) == pytest.approx(rows[0], rel=1e-12)


def _sunk(base: SoftmaxKernel, n: int) -> np.ndarray:
    a = 0.9 * Alibi([float(m) for m in base.slopes]).matrix(n)
    a[:, 0] += 0.1
    return np.asarray(a)


def test_the_dichotomy_knows_them() -> None:
    rule = endless(HALF)
    assert decide_collapse(rule, 6, WindowKernel(1, 0, 6)).verdict == "no collapse"
    assert decide_collapse(rule, 6, WindowKernel(2, 0, 6)).verdict == "collapse"
    assert decide_collapse(rule, 6, SinkKernel(WindowKernel(1, 0, 6), TENTH)).verdict == "collapse"


KERNELS: list[SharedKernel] = [
    SoftmaxKernel((0,), 20),
    SoftmaxKernel((TENTH,), 20),
    SoftmaxKernel((HALF, 2), 20),
    WindowKernel(4, 0, 20),
    WindowKernel(4, HALF, 20),
    SinkKernel(SoftmaxKernel((TENTH,), 20), TENTH),
    SinkKernel(WindowKernel(4, 0, 20), TENTH),
    RationalKernel(with_share(window_rows(3, 20), TENTH)),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: type(k).__name__)
def test_the_depth_that_is_needed_lies_between(kernel: SharedKernel) -> None:
    rule, eta = endless(HALF), Fraction(1, 100)
    needed = smallest_depth(Mass(rule, kernel), 1 - eta).layers
    assert needed is not None
    found = guarantees(rule, kernel, eta)
    assert {"I5", "I7", "I8"} >= {g.statement for g in found} >= {"I5", "I7"}
    for g in found:
        assert g.search.layers is not None
        assert needed <= g.search.layers if g.side == "enough" else needed >= g.search.layers


def layers(found: tuple[Guarantee, ...], statement: str, side: str) -> list[int | None]:
    return [g.search.layers for g in found if (g.statement, g.side) == (statement, side)]


def test_a_pure_sink_is_exact() -> None:
    """All rows give token 1 a tenth and keep the rest: (1 − λ/10)^T ≤ 1/100 from both sides."""
    rows = with_share([[Fraction(i == j) for j in range(5)] for i in range(5)], TENTH)
    found = guarantees(endless(HALF), RationalKernel(rows), Fraction(1, 100))
    needed = smallest_depth(Mass(endless(HALF), RationalKernel(rows)), Fraction(99, 100)).layers
    assert needed == 90  # ln 100 / −ln(19/20) = 89.8
    assert layers(found, "I8", "enough") == layers(found, "I8", "at least")[:1] == [needed]


def test_windows_need_their_hops() -> None:
    """With λ = 1 and a window of 4 the first token is 7 hops away from position 20."""
    found = guarantees(endless(1), WindowKernel(4, 0, 20), HALF)
    assert max(x or 0 for x in layers(found, "I8", "at least")) >= 7


def test_refusals() -> None:
    for width in (0, -1, 1.5):
        with pytest.raises(InputError, match="'width'"):
            WindowKernel(width, 0, 4)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'slope'"):
        WindowKernel(2, 701, 4)
    with pytest.raises(InputError, match="'base' must be a shared kernel"):
        SinkKernel("x", 1)  # type: ignore[arg-type]
    for share in (0, 2, -TENTH):
        with pytest.raises(InputError, match="'share'"):
            SinkKernel(WindowKernel(2, 0, 4), share)
