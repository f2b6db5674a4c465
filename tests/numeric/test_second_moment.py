"""The second-moment rollout against matrices, exact rationals, sums over paths, and the model drawn at random."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
from numeric.moment_layer import MomentLayer
from numeric.refuse import InputError
from numeric.second_moment import diagonal_moment, sampled_moment, second_moment, second_moment_dense

second_moment_module = import_module("numeric.second_moment")  # the package's own name is the function
N = 7
# two products of n numbers per head, log2 n = 3 pairings of rounded powers each, 12 roundings a pairing as Kernel says,
# 3 layers, 8 more for norms, gains and the scale: 3 · 2 · (12 · 3 + 10 + 8) = 324
TOLERANCE = 324 * 2.0**-53


def mixed(parallel: bool = False, coherence: Any = 0.4) -> MomentLayer:
    draw = np.random.default_rng(5)
    heads: list[Kernel] = [Alibi(0.3, 0.5), Uniform(-0.2), Prefix(draw.random(N) + 0.1, 0.3)]
    return MomentLayer(
        heads, [1.3, 0.4, 0.8], norm=draw.random(N) + 0.5, mlp=draw.random(N), coherence=coherence, parallel=parallel
    )


def correlated() -> MomentLayer:
    """Heads that share directions: c = F Fᵀ."""
    draw = np.random.default_rng(7)
    factors = draw.standard_normal((4, 3))
    heads: list[Kernel] = [Alibi(0.3, 0.5), Uniform(-0.2), Alibi(0.05), Dense(Alibi(1.0).matrix(N))]
    gains = factors @ factors.T
    return MomentLayer(heads, (gains + gains.T) / 2, norm=draw.random(N) + 0.5, mlp=0.4, coherence=0.3)


STACKS: dict[str, list[MomentLayer]] = {
    "sequential": [mixed(), mixed(coherence=0.0), mixed(coherence=1.0)],
    "parallel": [mixed(True), mixed(True, 0.0), mixed(coherence=np.eye(N))],
    "correlated": [correlated(), mixed(), correlated()],
    "no MLP": [MomentLayer([Alibi(0.5), Alibi(0.1)], 0.7)] * 3,
    "no heads": [MomentLayer([], 1.0, mlp=0.5)] * 2,
    "steep": [MomentLayer([Alibi(30.0, -5.0), Alibi(0.0, 20.0)], [1.0, 0.25])] * 3,
}


@pytest.mark.parametrize("name", STACKS)
def test_recurrences_give_what_matrices_give(name: str) -> None:
    quick, slow = (rollout(STACKS[name], n=N) for rollout in (second_moment, second_moment_dense))
    # negative c_hh' make terms of both signs: their sum of absolute values is at most 50 times the sum here
    factor = 50 if name == "correlated" else 1
    assert (np.abs(quick.squares - slow.squares) <= factor * TOLERANCE * slow.squares).all()
    assert math.fsum(quick.profile) == pytest.approx(1, abs=N * 2.0**-53)


def test_compiled_loops_give_the_same() -> None:
    """q^k errs by k < n roundings, and a sum of n products by n more, twice a layer; the rest as above."""
    pytest.importorskip("numba")
    n = 131
    heads: list[Kernel] = [*(Alibi(m, d) for m, d in ((0.0, 0.3), (0.01, -1.0), (0.5, 0.0), (3.0, 2.0))), Uniform()]
    heads = [*heads * 20, Dense(Alibi(0.2).matrix(n))]
    stack = [MomentLayer(heads, 1 / len(heads), mlp=0.5, coherence=0.3)] * 3
    assert len(heads) * n * n > second_moment_module.COMPILED_FROM
    quick, slow = (rollout(stack, n=n) for rollout in (second_moment, second_moment_dense))
    assert (np.abs(quick.squares - slow.squares) <= 3 * (4 * n + 200) * 2.0**-53 * slow.squares).all()


def test_without_numba_numpy_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_moment_module, "compiled_products", lambda: None)
    monkeypatch.setattr(second_moment_module, "COMPILED_FROM", 0)
    found = second_moment(STACKS["sequential"], n=N)
    assert found.squares == pytest.approx(second_moment_dense(STACKS["sequential"], n=N).squares, rel=TOLERANCE)


def exact_squares(layers: list[dict[str, Any]], n: int) -> list[Fraction]:
    """Q1 entry by entry in rationals; a layer: heads (matrices), gains, norm, mlp, kappa, parallel."""
    G = [[Fraction(int(i == j == n - 1)) for j in range(n)] for i in range(n)]
    for layer in reversed(layers):
        m, k = layer["mlp"], layer["kappa"]
        moved = [[m * m * (1 if i == j else k) * G[i][j] for j in range(n)] for i in range(n)]
        below = G if layer["parallel"] else [[G[i][j] + moved[i][j] for j in range(n)] for i in range(n)]
        G = [
            [
                G[i][j]
                + moved[i][j]
                + sum(
                    gain * sum(A[a][i] * below[a][b] * A[b][j] for a in range(n) for b in range(n))
                    for gain, A in zip(layer["gains"], layer["heads"], strict=True)
                )
                / layer["norm"] ** 2
                for j in range(n)
            ]
            for i in range(n)
        ]
    return [G[j][j] for j in range(n)]


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("kappa", [Fraction(0), Fraction(1, 4), Fraction(1)])
def test_the_matrices_give_what_rationals_give(parallel: bool, kappa: Fraction) -> None:
    n = 5
    weights = [[1, 2, 4, 3, 1], [1, 1, 1, 1, 1]]
    heads = [[[Fraction(w[j], sum(w[: i + 1])) if j <= i else Fraction(0) for j in range(n)] for i in range(n)]
             for w in weights]  # fmt: skip
    exact = {"heads": heads, "gains": [Fraction(3, 2), Fraction(1, 4)], "norm": Fraction(2), "mlp": Fraction(1, 2),
             "kappa": kappa, "parallel": parallel}  # fmt: skip
    squares = exact_squares([exact] * 3, n)
    layer = MomentLayer(
        [Prefix([float(x) for x in w]) for w in weights], [1.5, 0.25], norm=2.0, mlp=0.5, coherence=float(kappa),
        parallel=parallel,
    )  # fmt: skip
    found = second_moment([layer] * 3, n=n)
    unscaled = found.squares * math.exp(found.log_scale)
    assert unscaled == pytest.approx([float(x) for x in squares], rel=TOLERANCE)
    # the control: without the parallel branch's own order, or with another κ, the numbers differ visibly
    other = exact_squares([{**exact, "parallel": not parallel}] * 3, n)
    assert float(other[0]) != pytest.approx(unscaled[0], rel=1e-3)


def test_one_shared_head_is_the_sum_over_hops() -> None:
    """Q2: G(j, j) = Σ_k e_k(s²) (A^k)_nj² for one head in all layers, σ = 1, no MLP."""
    a, gains = Alibi(0.4).matrix(N), [0.5, 2.0, 1.25]
    elementary = np.poly1d([1.0])
    for gain in gains:
        elementary *= np.poly1d([gain, 1.0])
    powers = [np.linalg.matrix_power(a, k)[-1] ** 2 for k in range(len(gains) + 1)]
    expected = sum(c * p for c, p in zip(elementary.coeffs[::-1], powers, strict=True))
    found = second_moment([MomentLayer([Alibi(0.4)], gain) for gain in gains], n=N)
    assert found.squares * math.exp(found.log_scale) == pytest.approx(expected, rel=TOLERANCE)


def test_coherent_equal_mlps_leave_the_profile_alone() -> None:
    """Q3: κ = 1 and equal m multiply every entry of G by 1 + m²; κ = 0 does not."""
    plain = second_moment([MomentLayer([Alibi(0.4), Alibi(0.1)], 1.0)] * 4, n=N).profile
    coherent, torn = (
        second_moment([MomentLayer([Alibi(0.4), Alibi(0.1)], 1.0, mlp=1.5, coherence=k)] * 4, n=N).profile
        for k in (1.0, 0.0)
    )
    assert coherent == pytest.approx(plain, rel=TOLERANCE)
    assert np.abs(torn - plain).max() > 1e-3


def test_the_diagonal_end() -> None:
    """One layer from e_n: no path has a companion, so the diagonal alone is exact; strong torn MLPs come near later."""
    one = [MomentLayer([Alibi(0.4, 0.3), Prefix(np.arange(1.0, N + 1))], [1.0, 2.0], norm=1.5, mlp=0.7, coherence=0.0)]
    assert diagonal_moment(one, n=N).squares == pytest.approx(second_moment(one, n=N).squares, rel=TOLERANCE)
    gaps = []
    for m in (0.0, 1.0, 8.0):
        stack = [MomentLayer([Alibi(0.2)], 1.0, mlp=m, coherence=0.0)] * 6
        gaps.append(np.abs(diagonal_moment(stack, n=N).profile - second_moment(stack, n=N).profile).max())
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 0.05 * gaps[0]


def test_the_diagonal_end_against_squared_matrices() -> None:
    heads: list[Kernel] = [
        Alibi(0.3, 0.5),
        Uniform(-0.2),
        Prefix(np.arange(1.0, N + 1), 0.3),
        Dense(Alibi(1.0).matrix(N)),
    ]
    stack = [MomentLayer(heads, 0.5, norm=1.25, mlp=0.3), MomentLayer(heads, 1.5, mlp=0.6, parallel=True)]
    v = np.eye(N)[-1]
    for layer in reversed(stack):
        mlp = layer.mlp**2 * v
        below = v if layer.parallel else v + mlp
        heads_sum = sum(g * below @ h.matrix(N) ** 2 for g, h in zip(layer.gains, layer.heads, strict=True))
        v = v + mlp + heads_sum / layer.norm**2
    found = diagonal_moment(stack, n=N)
    assert found.squares * math.exp(found.log_scale) == pytest.approx(v, rel=TOLERANCE)


def test_a_hundred_layers_do_not_overflow() -> None:
    stack = [MomentLayer([Alibi(0.5)], 1e6, mlp=1e3, coherence=0.5)] * 100
    for rollout in (second_moment, diagonal_moment):
        found = rollout(stack, n=N)
        assert np.isfinite(found.squares).all()
        assert found.log_scale > 100 * math.log(1e6)
        assert found.squares.max() == 1.0


def test_many_tokens_along_the_diagonal() -> None:
    found = diagonal_moment([MomentLayer([Alibi(0.1), Alibi(0.01)], 1.0)] * 2, n=100_003)
    assert found.profile[-1] == found.profile.max()
    assert (np.diff(found.profile[:-1]) >= 0).all()  # squares of ALiBi kernels fall with the distance


def test_the_diagonal_end_with_correlated_heads() -> None:
    one = [correlated()]
    torn = [MomentLayer(x.heads, x.gains, norm=x.norm, mlp=x.mlp, coherence=0.0) for x in one]
    assert diagonal_moment(torn, n=N).squares == pytest.approx(second_moment(torn, n=N).squares, rel=50 * TOLERANCE)


@pytest.mark.parametrize("name", ["sequential", "parallel", "correlated"])
def test_the_model_drawn_at_random_has_these_means(name: str) -> None:
    """Within 5 standard errors at each of 7 positions: 4e−6 would be false alarms, and the seed is fixed."""
    mean, error = sampled_moment(STACKS[name], n=N, width=6, samples=3000, seed=3)
    found = second_moment(STACKS[name], n=N)
    squares = found.squares * math.exp(found.log_scale)
    assert (np.abs(mean - squares) <= 5 * error).all()
    wrong = [MomentLayer(x.heads, x.gains * 1.5, norm=x.norm, mlp=x.mlp, coherence=x.coherence, parallel=x.parallel)
             for x in STACKS[name]]  # fmt: skip
    other = second_moment(wrong, n=N)
    assert (np.abs(mean - other.squares * math.exp(other.log_scale)) > 5 * error).any()


def test_heads_that_cancel_leave_nothing() -> None:
    """Heads of one kernel whose maps sum to 0: rounding alone is left of them, and of either sign."""
    draw = np.random.default_rng(0)
    for _ in range(20):
        factors = draw.standard_normal((5, 3))
        factors -= factors.mean(axis=0)
        gains = factors @ factors.T
        stack = [MomentLayer([Alibi(0.2)] * 5, (gains + gains.T) / 2)] * 3
        for rollout in (second_moment, second_moment_dense, diagonal_moment):
            profile = rollout(stack, n=N).profile
            # squares of 3 layers, 25 products each, of numbers below 20: their root
            assert profile[-1] == pytest.approx(1, abs=1e-6) and profile[:-1].max() < 1e-6


def test_conventions() -> None:
    assert second_moment([], n=3).profile.tolist() == [0, 0, 1]
    assert diagonal_moment([], n=3).profile.tolist() == [0, 0, 1]
    assert second_moment([MomentLayer([Uniform()], 3.0)] * 2, n=1).profile.tolist() == [1]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: MomentLayer(Uniform(), 1.0), "be a sequence of kernels"),  # type: ignore[arg-type]
        (lambda: MomentLayer([HeadAverage([Uniform()])], 1.0), "be single heads"),
        (lambda: MomentLayer([Alibi([1.0, 2.0])], 1.0), "be single heads"),
        (lambda: MomentLayer([Uniform()], [1.0, 2.0]), "one number per head"),
        (lambda: MomentLayer([Uniform()], [[1.0, 0.0], [0.0, 1.0]]), "have one row per head"),
        (lambda: MomentLayer([Uniform()] * 2, [[1.0, 1.1], [1.1, 1.0]]), "be inner products"),
        (lambda: MomentLayer([Uniform()] * 2, [[1.0, 0.5], [0.4, 1.0]]), "be inner products"),
        (
            lambda: MomentLayer([Uniform()] * 3, [[1, -0.9, -0.9], [-0.9, 1, -0.9], [-0.9, -0.9, 1]]),
            "semidefinite, not with the eigenvalue -0.8",
        ),
        (
            lambda: second_moment(
                [MomentLayer([Uniform()], 1e6), MomentLayer([], 1.0, mlp=1e3, coherence=2 * np.eye(5) - 1),
                 MomentLayer([Uniform()], 1e6)], n=5,
            ),
            "'coherence' must be positive semidefinite, not one by which",
        ),
        (lambda: MomentLayer([Uniform()], -1.0), "'gains' must lie in"),
        (lambda: MomentLayer([Uniform()], 1.0, norm=0.0), "'norm' must lie in"),
        (lambda: MomentLayer([Uniform()], 1.0, mlp=math.nan), "'mlp' must be a finite number"),
        (lambda: MomentLayer([Uniform()], 1.0, coherence=-0.1), "'coherence' must lie in"),
        (lambda: MomentLayer([Uniform()], 1.0, coherence=[[1.0, 0.5], [0.4, 1.0]]), "be symmetric"),
        (lambda: MomentLayer([Uniform()], 1.0, coherence=[[1.0, 2.0], [2.0, 1.0]]), "unit diagonal"),
        (lambda: second_moment([MomentLayer([Uniform()], 1.0, mlp=[1.0, 2.0])], n=3), "be a number or 3 numbers"),
        (lambda: second_moment([MomentLayer([Prefix([1, 2])], 1.0)], n=3), "'n' must be 2"),
        (lambda: second_moment([Uniform()], n=3), "be moment layers"),  # type: ignore[list-item]
        (lambda: sampled_moment([], n=3, width=2, samples=1, seed=0), "'samples' must be at least 2"),
        (
            lambda: sampled_moment(
                [MomentLayer([], 1.0, mlp=1.0, coherence=[[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]])],
                n=3, width=2, samples=2, seed=0,
            ),
            "positive semidefinite",
        ),
    ],
)  # fmt: skip
def test_bad_input_is_refused(make: Callable[[], object], says: str) -> None:
    with pytest.raises(InputError, match=says):
        make()
