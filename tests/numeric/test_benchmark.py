"""numeric.benchmark: every route gives the same row, a route that does not is told, and ratios are of the same work."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from numeric import benchmark
from numeric.benchmark import (
    AGREE,
    LENGTHS,
    Work,
    by_filters,
    chosen,
    exponent,
    growth_lengths,
    memory,
    plain,
    routes_for,
    timings,
)
from numeric.profile import profile_by_rows, profile_dense

SMALL = Work(layers=3, heads=5)


@pytest.mark.parametrize("n", [1, 2, 47])
def test_the_other_routes_are_the_profile(n: int) -> None:
    expected = profile_dense(SMALL.kernels, SMALL.lam, n=n)
    assert np.abs(plain(SMALL, n) - expected).max() <= AGREE
    assert np.abs(by_filters(SMALL, n) - expected).max() <= AGREE


def test_filters_agree_where_heads_have_settled() -> None:
    assert np.abs(by_filters(SMALL, 5000) - profile_by_rows(SMALL.kernels, SMALL.lam, n=5000)).max() <= AGREE


def test_the_work_is_that_of_the_model_and_always_the_same() -> None:
    assert Work().content.shape == (70, 112) and Work().lam.shape == (70,)
    assert Work().slopes[-1] == 2.0**-8 and Work().slopes[0] == 2 ** (-8 / 112)
    assert (Work().content == Work().content).all()
    assert len({row.tobytes() for row in Work().content}) == 70  # contents differ per layer, and so do λ
    assert len(set(Work().lam.tolist())) == 70


def test_timings_compare_with_the_first_route() -> None:
    found = list(timings(SMALL, 31, ("plain", "lfilter", "numpy", "profile"), 2))
    assert [t.route for t in found] == ["plain", "lfilter", "numpy", "profile"]
    assert all(t.seconds > 0 and t.difference <= AGREE and t.n == 31 for t in found)
    assert found[0].difference == 0


def test_a_wrong_route_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "by_filters", lambda work, n: plain(work, n) + 1e-9)
    found = list(timings(SMALL, 31, ("plain", "lfilter"), 1))
    assert found[1].difference > AGREE


def test_a_time_is_the_least_of_its_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.4, 1.0, 1.25, 2.0, 2.75])
    monkeypatch.setattr("numeric.benchmark.time.perf_counter", lambda: next(clock))
    assert benchmark._timed(np.zeros, 3, 3)[1:] == (0.25, 3)


def test_what_is_short_is_repeated_for_half_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(0.0, 0.125)
    monkeypatch.setattr("numeric.benchmark.time.perf_counter", lambda: next(clock))
    assert benchmark._timed(np.zeros, 3, 2)[1:] == (0.125, 4)


def test_what_takes_long_is_timed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(0.0, 2.0)
    monkeypatch.setattr("numeric.benchmark.time.perf_counter", lambda: next(clock))
    assert benchmark._timed(np.zeros, 3, 5)[1:] == (2.0, 1)


def test_routes_that_would_take_minutes_are_left_out() -> None:
    assert [routes_for(Work(), n) for n in LENGTHS] == [
        ("plain", "lfilter", "numpy", "profile"),
        ("lfilter", "numpy", "profile"),
        ("lfilter", "profile"),
    ]
    assert routes_for(Work(), 1 << 20) == ("profile",)
    assert growth_lengths("compiled")[-1] == 1 << 20 and growth_lengths("numpy")[-1] == 65_536


def test_exponent() -> None:
    assert exponent([(10, 3.0), (55, 7.0), (1000, 3e4)]) == pytest.approx(2)


def test_memory_holds_the_row_and_little_more() -> None:
    # two layers: the NumPy sweep, the row recursion or the compiled one, whatever serves; n × n would be 200 MB
    assert 8 * 5000 <= memory(Work(layers=2, heads=112), 5000) < 64 * 2**20


def test_a_million_positions_stay_below_64_megabytes() -> None:
    pytest.importorskip("numba")
    n = 1 << 20
    assert chosen(Work(layers=2, heads=3), n) == "compiled"
    assert memory(Work(layers=2, heads=3), n) - 8 * n < 64 * 2**20


def test_the_route_is_named() -> None:
    assert chosen(SMALL, 5) in ("numpy", "rows")
    assert chosen(Work(layers=70, heads=112), 16) == "numpy"
    assert chosen(Work(layers=70, heads=112), 64) in ("compiled", "numpy")
