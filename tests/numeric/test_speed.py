"""numeric.speed: bounds on the mean position and on the first token hold, and are attained where theory says so."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numeric.distance import Window
from numeric.kernel import Alibi, Dense, Kernel, Uniform
from numeric.profile import profile
from numeric.refuse import InputError
from numeric.row_facts import Extremes, row_facts
from numeric.speed import Bounds, speed

N = 24


def drawn(seed: int, layers: int) -> tuple[list[Kernel], np.ndarray]:
    rng = np.random.default_rng(seed)
    kernels: list[Kernel] = []
    for _ in range(layers):
        a = np.tril(rng.random((N, N)) ** rng.choice([1, 6])) * (rng.random((N, N)) < 0.7)
        a += np.eye(N) * (a.sum(axis=1, keepdims=True) == 0)
        kernels.append(Dense(a / a.sum(axis=1, keepdims=True)))
    return kernels, rng.choice([0.0, 0.3, 1.0, rng.random()], layers)


@settings(max_examples=60, deadline=None, database=None)
@given(st.integers(0, 2**32), st.integers(0, 12))
def test_bounds_hold_for_any_stack(seed: int, layers: int) -> None:
    kernels, lam = drawn(seed, layers)
    p, found = profile(kernels, lam, n=N), speed(kernels, lam, n=N)
    mean, away, slack = float(p @ np.arange(N)), float(p[1:].sum()), 1e-13
    assert found.mean_position.lo <= mean + slack * N
    assert mean <= found.mean_position.hi + slack * N
    for bounds in found.away.values():
        assert bounds.lo <= away + slack
        assert away <= bounds.hi + slack
    assert found.away[found.upper].hi == min(x.hi for x in found.away.values())
    assert found.away[found.lower].lo == max(x.lo for x in found.away.values())


@pytest.mark.parametrize("lam", [0.3, 1.0])
def test_the_uniform_mean_is_exact(lam: float) -> None:
    """E[pos] = (n − 1) (1 − λ/2)^T, counted from 0."""
    found = speed([Uniform()] * 7, lam, n=100).mean_position
    assert found.lo <= 99 * (1 - lam / 2) ** 7 <= found.hi
    assert found.hi - found.lo < 1e-9


def test_a_pure_sink_is_exact() -> None:
    """Every row gives token 1 a third and keeps the rest: 1 − P_n1 = (1 − λ/3)^T from both sides of I8."""
    a = np.eye(5) * 2 / 3
    a[:, 0] += 1 / 3
    found = speed([Dense(a)] * 9, 0.5, n=5).away["I8"]
    assert found.lo <= (1 - 0.5 / 3) ** 9 <= found.hi
    assert found.hi - found.lo < 1e-11


def test_a_step_back_by_one_is_exact() -> None:
    """Every row reads the one before: 1 − P_n1 = P(K ≤ n − 2), from above by I5 and from below by the window of I8."""
    a = np.eye(4, k=-1)
    a[0, 0] = 1.0
    found = speed([Dense(a)] * 5, 0.5, n=4)
    exact = (1 + 5 + 10) / 32
    assert found.away["I5"].hi == pytest.approx(exact, rel=1e-12)
    assert found.away["I8"].lo == pytest.approx(exact, rel=1e-12)
    assert (found.upper, found.lower) == ("I5", "I8")


def test_a_window_holds_the_mass_back() -> None:
    found = speed([Window(4)] * 5, 1.0, n=64)  # five layers reach 15 positions back
    assert found.away["I8"].lo == pytest.approx(1.0)


def test_ends() -> None:
    nothing = Bounds(0.0, 0.0)
    assert speed([Uniform()] * 3, 0.5, n=1).away == dict.fromkeys(("I5", "I7", "I8"), nothing)
    none = speed([], 0.5, n=4)
    assert none.mean_position.lo <= 3 <= none.mean_position.hi
    assert none.away["I8"].lo == pytest.approx(1)
    identity = speed([Dense(np.eye(3))] * 2, 1.0, n=3)
    assert identity.away["I8"].lo == pytest.approx(1)
    assert identity.away["I5"].hi == 1.0


def test_a_turned_bound_would_be_seen() -> None:
    """The least and the most are not the same thing: swapped, the bounds would fail at this stack."""
    kernels = [Alibi(0.2)] * 6
    mean = float(profile(kernels, 0.8, n=N) @ np.arange(N))
    ends = Extremes.of(row_facts(kernels[0], N))
    assert (N - 1) * (1 - 0.8 * ends.least_jump) ** 6 > mean > (N - 1) * (1 - 0.8 * ends.most_jump) ** 6


def test_refusals() -> None:
    with pytest.raises(InputError, match="'kernels'"):
        speed(Uniform(), 0.5, n=3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'lam'"):
        speed([Uniform()], 1.5, n=3)
