"""numeric.extended_row: the rows against balls, and the stated roundings by running the rows with counting numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from numeric import extended_row as module
from numeric.ball import precision
from numeric.ball_kernel import as_ball, to_ball
from numeric.distance import Distance, LogDistance, Window
from numeric.error_bound import MIXING, mixed
from numeric.extended_row import extended_row, largest_sum, require_counted
from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
from numeric.prefix_lm import PrefixLM
from numeric.refuse import InputError
from tests.numeric.balls import fraction
from tests.numeric.counted import counted, of
from tests.numeric.test_extended import exact

N = 23
LARGE = 128  # here the counts are all but attained: a factor that is too small by 1 shows
COUNTED: dict[str, Kernel] = {
    "uniform": Uniform(0.5),
    "prefix": Prefix(np.arange(1, LARGE + 1), -1.5),
    "alibi": Alibi(np.linspace(0, 2, 37)),
    "distance": LogDistance(1.5, -3),
    "average": HeadAverage([Window(2), *[Uniform()] * 11]),
    "dense": Dense(Prefix(np.ones(LARGE)).matrix(LARGE)),
}
CASES: dict[str, Kernel] = {
    "uniform": Uniform(0.5),
    "prefix": Prefix(np.arange(1, N + 1), -1.5),
    "alibi": Alibi([0.5, 0.1, 3], [0, -2, 40]),
    "alibi, extreme": Alibi([0, 1e-9, 700], [400, -400, 3], [0.5, 0.25, 0.25]),
    "alibi, many heads": Alibi(np.linspace(0, 2, 37)),
    "distance": Distance([0, -3, -np.inf, 2, 1, -np.inf, 0, 5, -700, 1, 0] + [-0.5] * 12, 1),
    "distance, first weight 0": Distance([-1e5] + [0] * 22),
    "log-distance": LogDistance(1.5, -3),
    "window": Window(4, 0.25, 2),
    "window of one": Window(1, 3.0, 2),
    "average": HeadAverage([Uniform(), Window(2), Prefix(np.ones(N), 2)], [0.25, 0.5, 0.25]),
    "dense": Dense(Prefix(np.ones(N), -3).matrix(N)),
    "dense, sums miss 1": Dense(0.9 * Prefix(np.ones(N), -3).matrix(N), tolerance=0.2),
}


@pytest.mark.parametrize("n", [1, 2, N])
@pytest.mark.parametrize("name", CASES)
def test_rows_agree_with_balls_within_their_roundings(name: str, n: int, bits: int) -> None:
    kernel = CASES[name]
    if kernel.size not in (None, n):
        return
    row, v = extended_row(kernel, n, bits), np.linspace(0.25, 1, n)
    with precision(300):
        balls = as_ball(kernel, n).row([to_ball(x) for x in v.tolist()])
    for found, ball in zip(row.row(v.astype(np.longdouble)), balls, strict=True):
        true = fraction(ball.mid())
        relative = Fraction(row.roundings, 2**bits - row.roundings)
        assert abs(exact(found) - true) <= relative * true + Fraction(1, 2**1100)
    assert row.roundings < 12 * 5 + 60


def counting(row: Any) -> Any:
    """The same row object with numbers that count: converted numbers 2 roundings, float64 numbers none."""
    converted: dict[Any, dict[str, int]] = {
        module._Heads: {"powers": 2, "own": 2, "alpha": 0, "total": 2},
        module._PrefixRow: {"weights": 0, "e": 2},
        module._DistanceRow: {"own": 2, "after": 2},
        module._AverageRow: {"alpha": 0, "total": 2},
        module._DenseRow: {},
    }
    changed: dict[str, Any] = {}
    for name, roundings in converted[type(row)].items():
        value = getattr(row, name)
        arrays = value if isinstance(value, tuple) else (value,)
        found = tuple(counted(x.shape, roundings) for x in arrays)
        changed[name] = found if isinstance(value, tuple) else found[0]
    if isinstance(row, module._AverageRow):
        changed["heads"] = tuple(map(counting, row.heads))
    return replace(row, **changed)


@pytest.mark.parametrize("block", [1 << 17, 7 * LARGE, 1])
@pytest.mark.parametrize("name", COUNTED)
def test_the_stated_roundings_are_those_of_the_code(
    name: str, block: int, bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_BLOCK", block)  # how many heads are worked on at once
    row = extended_row(COUNTED[name], LARGE, bits)
    worst = max(map(of, counting(row).row(counted((LARGE,), 0))))
    assert worst <= row.roundings <= worst + 6


def test_the_roundings_of_mixing() -> None:
    v, lam = counted((3,), 0), counted((1,), 0)[0]
    assert max(map(of, mixed(v, counted((3,), 0), lam))) == MIXING


def test_what_rows_sum_to() -> None:
    assert largest_sum(Uniform(3)) == largest_sum(HeadAverage([Window(2), Alibi(1)])) == 1
    more = Dense([[1.0, 0.0], [0.75, 0.5]], tolerance=0.25)
    assert 1.25 < largest_sum(HeadAverage([Uniform(), more])) == largest_sum(more) < 1.25 + 1e-12


def test_a_kernel_whose_roundings_are_not_counted_is_refused_by_name() -> None:
    for kernel in (PrefixLM(2, 0.5), HeadAverage([Uniform(), PrefixLM(2, 0.5)])):
        with pytest.raises(InputError, match=r"'kernels' must be of a kind with proven .*, not PrefixLM \(layer 3\)"):
            require_counted(kernel, "layer 3")
    require_counted(HeadAverage([Uniform(), Window(2)]), "layer 3")
