"""numeric.kernel: every row recursion against the dense oracle; every refusal beside its nearest accepted input."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
from numeric.refuse import InputError
from numeric.strategies import causal_kernels, prefix_weights

EPS = 2.0**-53
STEEP = 10.0 ** np.linspace(-130, 0, 13)

# one table of named cases (n = 13, a prime) for every test that holds for all kernels
CASES: dict[str, Kernel] = {
    "uniform": Uniform(),
    "uniform, content 400": Uniform(400),
    "uniform, content -400": Uniform(-400),
    "prefix": Prefix(np.arange(1, 14)),
    "prefix with a hump and content": Prefix([1, 5, 2, 8, 1, 1, 3, 9, 1, 1, 4, 2, 6], 1.5),
    "prefix rising over the whole range": Prefix(STEEP, 400),
    "prefix falling over the whole range": Prefix(STEEP[::-1], -400),
    "alibi": Alibi([0.5, 0.25, 0.125]),
    "alibi, one slope": Alibi(0.3),
    "alibi, extreme heads": Alibi([0, 1e-9, 1, 50, 700], [400, -400, 0, 3, -3], [0.5, 0.125, 0.125, 0.125, 0.125]),
    "average": HeadAverage([Uniform(), Alibi(0.5), Prefix(np.ones(13), 2)], [0.25, 0.5, 0.25]),
    "average of averages": HeadAverage([HeadAverage([Uniform(1)]), Uniform(-1)]),
    "dense": Dense(np.tril(np.ones((13, 13))) / np.arange(1, 14)[:, None]),
}


def tolerance(n: int, size: float) -> float:
    """8 log2 n + 10 roundings of a mass in the recursion; logits up to 400 + 700 n in the oracle's exp."""
    return (1100 * n + 8 * math.log2(n) + 20) * EPS * size


@pytest.mark.parametrize("name", CASES)
def test_the_row_recursion_is_the_dense_product(name: str) -> None:
    v = np.random.default_rng(7).normal(size=13)
    assert np.abs(CASES[name].apply(v) - v @ CASES[name].matrix(13)).max() <= tolerance(13, np.abs(v).sum())


@pytest.mark.parametrize("name", CASES)
def test_the_oracle_is_a_causal_kernel(name: str) -> None:
    a = CASES[name].matrix(13)
    assert a.shape == (13, 13) and (a >= 0).all() and (np.triu(a, 1) == 0).all() and a[0, 0] == 1
    assert np.abs(a.sum(axis=1) - 1).max() <= 15 * 2 * EPS


@pytest.mark.parametrize("name", CASES)
def test_mass_is_kept(name: str) -> None:
    v = np.random.default_rng(11).dirichlet(np.ones(13))
    assert abs(math.fsum(CASES[name].apply(v)) - 1) <= tolerance(13, 1)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("size", [1e-320, 1e-200, 1e38, 1e150])
def test_tiny_and_huge_rows_scale(name: str, size: float) -> None:
    # 13 · 2^−1074: one unit of the subnormal range per position
    v = np.full(13, size)
    row = CASES[name].apply(v)
    assert np.isfinite(row).all()
    assert abs(row.sum() - 13 * size) <= tolerance(13, 13 * size) + 200 * 2.0**-1074


@pytest.mark.parametrize("kernel", [Uniform(3), Alibi([0.5, 50], [-400, 400]), Prefix([7.0]), Dense([[1.0]])])
def test_one_position_reads_itself(kernel: Kernel) -> None:
    assert kernel.apply([1.0]).tolist() == [1.0] and kernel.matrix(1).tolist() == [[1.0]]


def test_uniform_is_the_plain_mean() -> None:
    assert Uniform().matrix(3).tolist() == [[1, 0, 0], [0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3]]


def test_content_multiplies_the_diagonal_weight() -> None:
    # e = 3 in row 3 of the uniform kernel: weights 1, 1, 3
    assert np.allclose(Uniform(math.log(3)).matrix(3)[2], [0.2, 0.2, 0.6], rtol=4 * EPS * 10, atol=0)


def test_no_content_is_content_zero() -> None:
    v = np.arange(5.0)
    assert (Alibi([0.5, 2]).apply(v) == Alibi([0.5, 2], [0, 0]).apply(v)).all()


def test_one_content_number_means_every_head() -> None:
    v = np.arange(7.0)
    assert (Alibi([0.5, 2, 3], 1.5).apply(v) == Alibi([0.5, 2, 3], [1.5, 1.5, 1.5]).apply(v)).all()


def test_alibi_is_the_prefix_kernel_with_exponential_weights() -> None:
    v, m = np.random.default_rng(3).random(17), 0.75
    prefix = Prefix(np.exp(m * np.arange(17)), -2.5)
    assert np.abs(Alibi(m, -2.5).apply(v) - prefix.apply(v)).max() <= tolerance(17, v.sum())


def test_heads_in_blocks_add_up() -> None:
    # 131 heads of 1009 positions are more than one block
    slopes = np.linspace(0, 3, 131)
    v = np.random.default_rng(1).random(1009)
    parts = np.mean([Alibi(float(m)).apply(v) for m in slopes], axis=0)
    assert np.abs(Alibi(slopes).apply(v) - parts).max() <= (131 + 100) * EPS * v.max() * 20


@given(prefix_weights(7), st.floats(-400, 400), st.lists(st.floats(-1, 1), min_size=7, max_size=7))
def test_prefix_kernels_agree_with_their_oracle(w: tuple[Fraction, ...], d: float, v: list[float]) -> None:
    kernel = Prefix([float(x) for x in w], d)
    assert np.abs(kernel.apply(v) - np.array(v) @ kernel.matrix(7)).max() <= (400 + 60) * 2 * EPS * 7


@given(st.lists(st.tuples(st.floats(0, 700), st.floats(-400, 400)), min_size=1, max_size=3))
def test_alibi_heads_agree_with_their_oracle(heads: list[tuple[float, float]]) -> None:
    kernel = Alibi([m for m, _ in heads], [d for _, d in heads])
    v = np.linspace(-1, 1, 11)
    assert np.abs(kernel.apply(v) - v @ kernel.matrix(11)).max() <= tolerance(11, np.abs(v).sum())


@given(causal_kernels(5))
def test_dense_kernels_take_rounded_rationals(rows: tuple[tuple[Fraction, ...], ...]) -> None:
    kernel = Dense([[float(x) for x in row] for row in rows])
    assert kernel.defect <= 7 * 2.0**-52
    assert np.abs(kernel.apply(np.ones(5)) - kernel.matrix(5).sum(axis=0)).max() <= 10 * EPS * 5


def test_kernels_are_values() -> None:
    assert Alibi([0.5], 0) == Alibi(0.5) and hash(Alibi([0.5], 0)) == hash(Alibi(0.5))
    assert Alibi([0.5, 0]) == Alibi([0.5, -0.0])
    assert Alibi(0.5) != Alibi(0.25) and Uniform() != Alibi(0.0) and Uniform() == Uniform(-0.0)
    assert HeadAverage([Uniform(), Prefix([1, 2])]) == HeadAverage([Uniform(), Prefix([1, 2])])
    with pytest.raises(AttributeError):
        Uniform().content = 1.0  # type: ignore[misc]


def test_the_given_array_can_change_afterwards() -> None:
    slopes = np.array([0.5, 1.0])
    kernel = Alibi(slopes)
    slopes[0] = 9
    assert kernel.slopes[0] == 0.5


def test_small_types_do_not_overflow() -> None:
    # int8 sums would overflow at 127; n = 130 is the size at which somebody met it
    v = np.zeros(130)
    v[-1] = 1
    assert abs(Prefix(np.full(130, 100, dtype=np.int8)).apply(v).sum() - 1) <= 40 * EPS
    assert np.abs(Prefix(np.full(130, 100, dtype=np.int8)).apply(v) - 1 / 130).max() <= 40 * EPS


ROW = [[1.0, 0.0], [0.25, 0.75]]
# refused call, its nearest accepted neighbour, and what the message names
REFUSED: list[tuple[Callable[[], object], Callable[[], object], str]] = [
    (lambda: Uniform(400.5), lambda: Uniform(400), "content"),
    (lambda: Uniform(float("nan")), lambda: Uniform(-400), "content"),
    (lambda: Uniform(True), lambda: Uniform(1), "content"),
    (lambda: Uniform("1"), lambda: Uniform(1.0), "content"),  # type: ignore[arg-type]
    (lambda: Prefix([]), lambda: Prefix([1]), "weights"),
    (lambda: Prefix([1, 0, 1]), lambda: Prefix([1, 1e-130, 1]), "entry 2"),
    (lambda: Prefix([1, -1]), lambda: Prefix([1, 1]), "entry 2"),
    (lambda: Prefix([1, 1e131]), lambda: Prefix([1, 1e130]), "span"),
    (lambda: Prefix([1, float("inf")]), lambda: Prefix([1e300, 1e308]), "finite"),
    (lambda: Prefix([1, 2]).apply([1, 2, 3]), lambda: Prefix([1, 2, 3]).apply([1, 2, 3]), "'n' must be 2"),
    (lambda: Prefix([1, 2, 3]).matrix(2), lambda: Prefix([1, 2]).matrix(2), "'n' must be 3"),
    (lambda: Alibi([]), lambda: Alibi([0]), "slopes"),
    (lambda: Alibi([0.5, -1e-9]), lambda: Alibi([0.5, 1e-9]), "slopes"),
    (lambda: Alibi(701), lambda: Alibi(700), "slopes"),
    (lambda: Alibi([[0.5]]), lambda: Alibi([0.5]), "slopes"),
    (lambda: Alibi([[1], [1, 2]]), lambda: Alibi([1, 1, 2]), "slopes"),
    (lambda: Alibi([0.5, True]), lambda: Alibi([0.5, 1]), "slopes"),
    (lambda: Alibi([1, 2, 3], [0, 1]), lambda: Alibi([1, 2, 3], [0, 1, 2]), r"per head \(3\)"),
    (lambda: Alibi([1, 2], [0]), lambda: Alibi([1, 2], 0), r"per head \(2\)"),
    (
        lambda: Alibi([1, 2], head_weights=[0.5, 0.5 + 1e-12]),
        lambda: Alibi([1, 2], head_weights=[0.5, 0.5]),
        "sum to 1",
    ),
    (lambda: Alibi([1, 2], head_weights=[-0.5, 1.5]), lambda: Alibi([1, 2], head_weights=[0, 1]), "at least 0"),
    (lambda: Alibi([1, 2], head_weights=[1]), lambda: Alibi([1], head_weights=[1]), "per head"),
    (lambda: HeadAverage([]), lambda: HeadAverage([Uniform()]), "at least one kernel"),
    (lambda: HeadAverage(Uniform()), lambda: HeadAverage((Uniform(),)), "sequence"),  # type: ignore[arg-type]
    (lambda: HeadAverage([Prefix([1]), Prefix([1, 2])]), lambda: HeadAverage([Prefix([1]), Uniform()]), "common n"),
    (lambda: Dense([[1.0, 0.0], [0.25, 0.7]]), lambda: Dense(ROW), "row 2"),
    (lambda: Dense([[1.0, 0.0], [1.25, -0.25]]), lambda: Dense([[1.0, 0.0], [1.0, -0.0]]), "row 2, column 2"),
    (lambda: Dense([[0.5, 0.5], [0.5, 0.5]]), lambda: Dense([[1.0, 0.0], [0.5, 0.5]]), "row 1, column 2"),
    (
        lambda: Dense([[1.0, 0.0], [0.25, 0.7500001]]),
        lambda: Dense([[1.0, 0.0], [0.25, 0.7500001]], tolerance=1e-6),
        "sum",
    ),
    (lambda: Dense(ROW, tolerance=-1), lambda: Dense([[1, 0], [0, 1]], tolerance=0), "tolerance"),
    (lambda: Dense([[1.0, 0.0]]), lambda: Dense([[1.0]]), "square"),
    (lambda: Dense([[1.0, 0.0], [float("nan"), 1.0]]), lambda: Dense([[1, 0], [0, 1]]), "entry 2, 1"),
    (lambda: Uniform().apply([]), lambda: Uniform().apply([0]), "'v'"),
    (lambda: Uniform().apply([[1.0]]), lambda: Uniform().apply([1.0]), "'v'"),
    (lambda: Uniform().apply([float("inf")]), lambda: Uniform().apply([1e150]), "'v'"),
    (lambda: Uniform().apply([0, -1.1e150]), lambda: Uniform().apply([0, -1e150]), "at most 1e\\+150"),
    (lambda: Uniform().matrix(0), lambda: Uniform().matrix(1), "'n'"),
]


@pytest.mark.parametrize(("refused", "accepted", "message"), REFUSED)
def test_bad_input_is_refused_beside_its_neighbour(
    refused: Callable[[], object], accepted: Callable[[], object], message: str
) -> None:
    accepted()
    with pytest.raises(InputError, match=message) as caught:
        refused()
    assert "\n" not in str(caught.value)
