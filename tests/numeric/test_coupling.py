"""numeric.coupling: paths have the profile as their law and keep the order of S6 where S5's hypotheses hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numeric.coupling import (
    coupled_paths,
    coupling_map,
    dkw_bound,
    draw_uniforms,
    endpoint_law,
    rollout_paths,
)
from numeric.distance import LogDistance, Window
from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
from numeric.order import tails
from numeric.profile import profile
from numeric.refuse import InputError
from numeric.schedule import Mixing
from numeric.strategies import causal_kernels, mixing_pairs, monotone_kernels, ordered_pairs

Matrix = tuple[tuple[Fraction, ...], ...]
HALF = Dense([[1.0, 0.0], [0.5, 0.5]])
N, ALPHA = 4001, 1e-9  # a correct sampler fails a test with one new seed in 10^9
STACKS: dict[str, tuple[list[Kernel], Mixing]] = {
    "uniform": ([Uniform()] * 5, 0.5),
    "attention only": ([Uniform(), Alibi(0.1), Uniform(2)], 1),
    "alibi heads": ([Alibi([0.5, 0.1, 0], [1, 0, -1])] * 7, [0.1, 0.2, 0.3, 0, 1, 0.3, 0.2]),
    "windows and distances": ([Window(4), LogDistance(1.5), Window(3, 0.5, 2)], 0.7),
    "average and prefix": ([HeadAverage([Uniform(), Window(2)]), Prefix(range(1, 18))], 0.9),
    "not monotone": ([Prefix([1, *[0.01] * 15, 5], 4), Alibi(0, 3)], 0.8),
    "no layers": ([], 0.5),
    "no mixing": ([Uniform()] * 3, 0),
}


def distance(paths: np.ndarray, p: np.ndarray) -> float:
    return float(np.abs(tails(endpoint_law(paths, n=p.size)) - tails(p)).max())


@pytest.mark.parametrize("name", STACKS)
def test_the_endpoints_have_the_profile_as_law(name: str) -> None:
    kernels, lam = STACKS[name]
    (paths,) = coupled_paths([(kernels, lam)], n=17, paths=N, seed=7)
    assert paths.shape == (N, len(kernels) + 1) and (paths[:, 0] == 16).all()
    assert (np.diff(paths, axis=1) <= 0).all() and paths.min() >= 0
    assert distance(paths, profile(kernels, lam, n=17)) <= dkw_bound(N, ALPHA)


def test_the_law_of_another_architecture_is_refused() -> None:
    (paths,) = coupled_paths([([Uniform()] * 5, 0.5)], n=17, paths=N, seed=7)
    for kernels, lam in (([Uniform()] * 5, 0.4), ([Uniform()] * 6, 0.5), ([Alibi(0.05)] * 5, 0.5)):
        assert distance(paths, profile(kernels, lam, n=17)) > dkw_bound(N, ALPHA)


def test_every_column_is_the_law_of_the_layers_passed() -> None:
    kernels: list[Kernel] = [Uniform(), Window(3), Alibi(0.3)]
    (paths,) = coupled_paths([(kernels, [0.9, 0.5, 0.7])], n=11, paths=N, seed=3)
    for passed in range(4):
        below = [0.9, 0.5, 0.7][3 - passed :]
        assert distance(paths[:, : passed + 1], profile(kernels[3 - passed :], below, n=11)) <= dkw_bound(N, ALPHA)


def test_one_uniform_for_all_layers_is_wrong() -> None:
    # S6: n = 2, T = 2, row 2 = (½, ½): P_22 = ¼, with a common u it would be ½
    u = draw_uniforms(N, 1, seed=5)
    common = rollout_paths([HALF, HALF], 1, np.hstack([u, u]), n=2)
    own = rollout_paths([HALF, HALF], 1, draw_uniforms(N, 2, seed=5), n=2)
    assert abs(endpoint_law(common, n=2)[1] - 0.5) <= dkw_bound(N, ALPHA)
    assert abs(endpoint_law(own, n=2)[1] - 0.25) <= dkw_bound(N, ALPHA) < 0.25 / 2


def test_theory_d1_path_by_path() -> None:
    # a layer inserted at each depth; the layers below are monotone
    kernels: list[Kernel] = [Uniform(), Alibi(0.25), Window(5), LogDistance(1), Uniform(-1)]
    lam = [0.5, 0.8, 0.3, 1.0, 0.6]
    for depth in range(5):
        without = [0.0 if t == depth else x for t, x in enumerate(lam)]
        base, inserted = coupled_paths([(kernels, without), (kernels, lam)], n=13, paths=1009, seed=depth)
        assert (inserted <= base).all() and (inserted[:, -1] < base[:, -1]).any()


def test_theory_d2_path_by_path() -> None:
    less, more, most = coupled_paths(
        [([Alibi(0.2)] * 4, x) for x in ([0, 0.2, 0.5, 0.1], 0.5, 1)], n=13, paths=1009, seed=2
    )
    assert (most <= more).all() and (more <= less).all()
    assert (most[:, -1] < more[:, -1]).any() and (more[:, -1] < less[:, -1]).any()


def test_theory_d3_and_d4_path_by_path() -> None:
    flat, steep, content = coupled_paths(
        [([k] * 4, 0.7) for k in (Alibi(0.1), Alibi(0.4), Alibi(0.4, 2))], n=13, paths=1009, seed=2
    )
    assert (flat <= steep).all() and (steep <= content).all()
    assert (flat < steep).any() and (steep < content).any()


def test_without_monotone_layers_paths_cross() -> None:
    # D1's example: layer 1 = A_{w,e}, w = (1, ½, ⅛), e = 2; prefix (1, 7, 1) inserted on top
    kernels: list[Kernel] = [Prefix([1, 0.5, 0.125], math.log(2)), Prefix([1, 7, 1])]
    base, inserted = coupled_paths([(kernels, [1, 0]), (kernels, [1, 1])], n=3, paths=1009, seed=1)
    assert (inserted[:, -1] > base[:, -1]).any() and (inserted[:, -1] < base[:, -1]).any()


# odd multiples of 1/720 meet sums over denominators 1 … 6, or λ times such sums, in dyadic numbers only: rounding
# decides nothing
LEVELS = st.integers(0, 359).map(lambda k: (k + 0.5) / 360)


def dense(a: Matrix) -> Dense:
    return Dense([[float(x) for x in row] for row in a])


@given(monotone_kernels(5), LEVELS)
def test_monotone_kernels_give_monotone_maps(a: Matrix, u: float) -> None:
    f = coupling_map(dense(a), 1, u, n=5)
    assert (np.diff(f) >= 0).all() and (f <= np.arange(5)).all()
    assert f.tolist() == [next(j for j in range(i + 1) if sum(a[i][: j + 1]) >= u) for i in range(5)]


def test_other_kernels_do_not() -> None:
    # D4(c): w = (1, ½, ⅛), e = 2 is not monotone
    kernel = Prefix([1, 0.5, 0.125], math.log(2))
    assert any((np.diff(coupling_map(kernel, 1, u, n=3)) < 0).any() for u in np.linspace(0.01, 1, 100))


@given(ordered_pairs(5, "neither"), LEVELS)
def test_ordered_kernels_give_ordered_maps(pair: tuple[Matrix, Matrix], u: float) -> None:
    lower, upper = (coupling_map(dense(a), 1, u, n=5) for a in pair)
    assert (lower <= upper).all()


@given(causal_kernels(5), mixing_pairs(1), LEVELS)
def test_more_mixing_gives_a_lower_map(
    a: Matrix, pair: tuple[tuple[Fraction, ...], tuple[Fraction, ...]], u: float
) -> None:
    less, more = (coupling_map(dense(a), float(x), u, n=5) for (x,) in pair)
    assert (more <= less).all()


def test_ties_zeros_and_both_ends() -> None:
    # row 3: nothing on token 1, ½ on token 2 and ½ on token 3
    kernel = Dense([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.5, 0.5]])
    tiny, after = 2.0**-53, math.nextafter(0.5, 1)
    assert coupling_map(kernel, 1, tiny, n=3).tolist() == [0, 0, 1]
    assert coupling_map(kernel, 1, 0.5, n=3).tolist() == [0, 0, 1]
    assert coupling_map(kernel, 1, after, n=3).tolist() == [0, 1, 2]
    assert coupling_map(kernel, 1, 1, n=3).tolist() == [0, 1, 2]
    assert coupling_map(kernel, 0.5, 0.25, n=3).tolist() == [0, 0, 1]
    assert coupling_map(kernel, 0.5, math.nextafter(0.25, 1), n=3).tolist() == [0, 1, 2]


def test_rows_that_round_below_1_keep_their_paths() -> None:
    # ten times 0.1 sums to 1 − 2^−53 in floats: u = 1 would find no position
    assert np.cumsum([0.1] * 10)[-1] < 1
    assert coupling_map(Uniform(), 1, 1, n=10)[-1] == 9


def test_the_seed_decides_everything() -> None:
    def law(seed: int) -> list[list[int]]:
        paths: list[list[int]] = coupled_paths([([Uniform()] * 3, 0.5)], n=9, paths=50, seed=seed)[0].tolist()
        return paths

    assert law(1) == law(1) != law(2)
    u = draw_uniforms(1000, 3, 1)
    assert u.shape == (1000, 3) and u.min() > 0 and u.max() <= 1
    # NumPy's random() may be 0, which is turned into 1
    assert (u == 1 - np.random.Generator(np.random.PCG64(1)).random((1000, 3))).all()
    # columns are independent: sample correlations of 1000 pairs are below 5/√1000
    assert np.abs(np.corrcoef(u.T) - np.eye(3)).max() < 5 / math.sqrt(1000)


def test_conventions() -> None:
    assert coupled_paths([([], 0.5)], n=3, paths=2, seed=0)[0].tolist() == [[2], [2]]
    assert coupled_paths([([Uniform()], 1)], n=1, paths=2, seed=0)[0].tolist() == [[0, 0], [0, 0]]
    assert coupling_map(Uniform(), 0, 2.0**-53, n=4).tolist() == [0, 1, 2, 3]


def test_dkw_is_what_it_says() -> None:
    # 2 exp(−2 N ε²) = α; Massart 1990
    assert math.isclose(2 * math.exp(-2 * 1000 * dkw_bound(1000, 0.01) ** 2), 0.01, rel_tol=1e-12)
    assert dkw_bound(4000, 0.01) < dkw_bound(1000, 0.01) < dkw_bound(1000, 0.001)


ONE: tuple[list[Kernel], Mixing] = ([Uniform()], 0.5)
GOOD = np.array([[3, 0]])
REFUSED: list[tuple[Callable[[], object], Callable[[], object], str]] = [
    (
        lambda: coupled_paths([], n=3, paths=1, seed=0),
        lambda: coupled_paths([ONE], n=3, paths=1, seed=0),
        "architectures",
    ),
    (
        lambda: coupled_paths([ONE, ([Uniform()] * 2, 0.5)], n=3, paths=1, seed=0),
        lambda: coupled_paths([([Uniform()] * 2, [0.5, 0]), ([Uniform()] * 2, 0.5)], n=3, paths=1, seed=0),
        "common number of layers, not 1 and 2",
    ),
    (
        lambda: coupled_paths([(Uniform(), 0.5)], n=3, paths=1, seed=0),  # type: ignore[list-item]
        lambda: coupled_paths([ONE], n=3, paths=1, seed=0),
        "entry 1",
    ),
    (lambda: coupled_paths([ONE], n=0, paths=1, seed=0), lambda: coupled_paths([ONE], n=1, paths=1, seed=0), "'n'"),
    (lambda: coupled_paths([ONE], n=2, paths=0, seed=0), lambda: coupled_paths([ONE], n=2, paths=1, seed=0), "paths"),
    (lambda: coupled_paths([ONE], n=2, paths=1, seed=-1), lambda: coupled_paths([ONE], n=2, paths=1, seed=1), "seed"),
    (lambda: rollout_paths([HALF], 1, [[0.0]], n=2), lambda: rollout_paths([HALF], 1, [[5e-324]], n=2), "uniforms"),
    (lambda: rollout_paths([HALF], 1, [[1.1]], n=2), lambda: rollout_paths([HALF], 1, [[1.0]], n=2), "uniforms"),
    (lambda: rollout_paths([HALF], 1, [[0.1, 0.2]], n=2), lambda: rollout_paths([HALF], 1, [[0.1]], n=2), "uniforms"),
    (lambda: rollout_paths([HALF], 1.5, [[0.1]], n=2), lambda: rollout_paths([HALF], 1, [[0.1]], n=2), "'lam'"),
    (lambda: rollout_paths([HALF], 1, [[0.1]], n=3), lambda: rollout_paths([HALF], 1, [[0.1]], n=2), "'n' must be 2"),
    (lambda: rollout_paths([0.5], 1, [[0.1]], n=3), lambda: rollout_paths([HALF], 1, [[0.1]], n=2), "layer 1"),  # type: ignore[list-item]
    (lambda: coupling_map(HALF, 1, 0, n=2), lambda: coupling_map(HALF, 1, 1, n=2), "'u'"),
    (lambda: coupling_map(HALF, -0.1, 1, n=2), lambda: coupling_map(HALF, 0, 1, n=2), "'lam'"),
    (lambda: endpoint_law(GOOD, n=3), lambda: endpoint_law(GOOD, n=4), "paths"),
    (lambda: endpoint_law(GOOD[0], n=4), lambda: endpoint_law(GOOD, n=4), "2 axes"),
    (lambda: dkw_bound(0, 0.5), lambda: dkw_bound(1, 0.5), "paths"),
    (lambda: dkw_bound(1, 0), lambda: dkw_bound(1, 1), "alpha"),
]


@pytest.mark.parametrize(("refused", "accepted", "message"), REFUSED)
def test_bad_input_is_refused_beside_its_neighbour(
    refused: Callable[[], object], accepted: Callable[[], object], message: str
) -> None:
    accepted()
    with pytest.raises(InputError, match=message) as caught:
        refused()
    assert "\n" not in str(caught.value)
