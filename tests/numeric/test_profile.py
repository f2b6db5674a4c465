"""numeric.profile: the row recursion against the product of matrices, and the paper's numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
from numeric.order import wasserstein
from numeric.profile import profile, profile_dense
from numeric.refuse import InputError
from numeric.schedule import Constant, Geometric, Mixing, Power
from numeric.strategies import causal_kernels, mixing, prefix_weights

EPS = 2.0**-53
N, LAYERS = 11, 5  # distinct primes: a swapped axis fails
STACK: list[Kernel] = [
    Uniform(1.5),
    Alibi([0.5, 0.1, 3], [0, -2, 40]),
    Prefix(range(1, 12)),
    HeadAverage([Uniform(), Alibi(2)], [0.25, 0.75]),
    Dense(Prefix([1] * 11, -3).matrix(11)),
]


def tolerance(n: int, layers: int) -> float:
    """Per layer of unit mass: a row within 1100 roundings (contents, slopes here), a matrix row n more."""
    return layers * (n + 1100 + 3) * EPS


@pytest.mark.parametrize("lam", [0.5, 1, 0, Power(1, 1), Geometric(1, 0.5), [0, 1, 0.25, 1, 0]])
def test_the_profile_is_the_last_row_of_the_rollout(lam: Mixing) -> None:
    p = profile(STACK, lam, n=N)
    assert p.shape == (N,) and p.dtype == np.float64
    assert np.abs(p - profile_dense(STACK, lam, n=N)).max() <= tolerance(N, LAYERS)
    assert abs(math.fsum(p) - 1) <= tolerance(N, LAYERS) and (p >= 0).all()


@given(prefix_weights(7), st.floats(-5, 5), causal_kernels(7), mixing(3))
def test_random_stacks_agree_with_the_oracle(
    w: tuple[Fraction, ...], d: float, rows: tuple[tuple[Fraction, ...], ...], lam: tuple[Fraction, ...]
) -> None:
    stack = [Dense(np.array(rows, dtype=np.float64)), Prefix([float(x) for x in w], d), Alibi([0.1, 2], d)]
    assert np.abs(profile(stack, lam, n=7) - profile_dense(stack, lam, n=7)).max() <= tolerance(7, 3)


def test_the_first_kernel_is_the_layer_nearest_the_input() -> None:
    # e_3 R_2 R_1 with R_2 = (row 3: ½ on token 2, ½ on token 3), R_1 = everything to token 1
    first = Dense([[1, 0, 0], [1, 0, 0], [1, 0, 0]])
    second = Dense([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5]])
    assert profile([first, second], [1, 1], n=3).tolist() == [1, 0, 0]
    assert profile([first, second], [0.5, 1], n=3).tolist() == [0.5, 0.25, 0.25]
    assert profile([first, second], [1, 0.5], n=3).tolist() == [1, 0, 0]
    assert profile([second, first], [0.5, 0.5], n=3).tolist() == [0.5, 0.125, 0.375]


@pytest.mark.parametrize("function", [profile, profile_dense])
def test_conventions(function: Callable[..., np.ndarray[tuple[int], np.dtype[np.float64]]]) -> None:
    assert function([], 0.5, n=3).tolist() == [0, 0, 1]  # T = 0: P = I
    assert function([], [], n=1).tolist() == [1]
    assert function([Uniform()] * 3, 0.5, n=1).tolist() == [1]
    assert function([Uniform()] * 3, 0, n=5).tolist() == [0, 0, 0, 0, 1]
    assert function([Uniform()], 1, n=4).tolist() == [0.25] * 4


def test_300_layers_of_130_positions() -> None:
    # sizes past which small integer types overflow; E[position] is known exactly (I7)
    p = profile([Prefix(np.ones(130, dtype=np.int8))] * 300, 0.01, n=130)
    mean = float(p @ np.arange(130))
    assert abs(mean / (129 * (1 - 0.005) ** 300) - 1) <= 300 * 60 * EPS


def test_shared_layers_may_be_a_tuple() -> None:
    assert (profile((Uniform(),) * 2, 0.5, n=5) == profile([Uniform()] * 2, Constant(0.5), n=5)).all()


REFUSED: list[tuple[Callable[[], object], Callable[[], object], str]] = [
    (lambda: profile(Uniform(), 0.5, n=3), lambda: profile([Uniform()], 0.5, n=3), r"\[kernel\] \* T"),  # type: ignore[call-overload]
    (lambda: profile(None, 0.5, n=3), lambda: profile([], 0.5, n=3), "one kernel per layer"),  # type: ignore[call-overload]
    (lambda: profile([Uniform(), 1], 0.5, n=3), lambda: profile([Uniform()] * 2, 0.5, n=3), "layer 2"),  # type: ignore[list-item]
    (lambda: profile([Uniform()], 0.5, n=0), lambda: profile([Uniform()], 0.5, n=1), "'n' must be at least 1, not 0"),
    (lambda: profile([Uniform()], 0.5, n=2.0), lambda: profile([Uniform()], 0.5, n=2), "'n'"),  # type: ignore[call-overload]
    (lambda: profile([Uniform()], 1.2, n=2), lambda: profile([Uniform()], 1.0, n=2), "'lam' must lie"),
    (lambda: profile([Uniform()], [0.5, 0.5], n=2), lambda: profile([Uniform()], [0.5], n=2), "one value per layer"),
    (lambda: profile([], [0.5], n=2), lambda: profile([], [], n=2), "one value per layer"),
    (lambda: profile([Prefix([1, 2])], 0.5, n=3), lambda: profile([Prefix([1, 2])], 0.5, n=2), "'n' must be 2"),
    # refused although λ = 0 would skip the layer: what is wrong is said before work starts
    (lambda: profile([Prefix([1, 2])], 0, n=3), lambda: profile([Prefix([1, 2])], 0, n=2), "layer 1"),
]


@pytest.mark.parametrize(("refused", "accepted", "message"), REFUSED)
def test_bad_input_is_refused(refused: Callable[[], object], accepted: Callable[[], object], message: str) -> None:
    accepted()
    with pytest.raises(InputError, match=message):
        refused()


def test_bloom_176b_reproduces_the_distance_to_measured_influence(data_dir: Path) -> None:
    table = (data_dir / "mixing_coefficients.csv").read_text().splitlines()
    lam = [float(line.split(",")[4]) for line in table if line.startswith("bloom,")]
    rows = (data_dir / "influence_bloom-176b_fineweb-edu_256.csv").read_text().splitlines()[1:]
    influence = [float(line.split(",")[1]) for line in rows]
    kernels = [Alibi(2.0 ** (-8 * np.arange(1, 113) / 112))] * 70
    p = profile(kernels, lam, n=256)
    # 0.0790 with the paper's slopes, 0.6511 attention-only
    assert abs(wasserstein(p, influence) / 255 - 0.0790) < 1e-4
    assert abs(wasserstein(profile(kernels, 1, n=256), influence) / 255 - 0.6511) < 1e-4
