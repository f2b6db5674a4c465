"""numeric.sweep, numeric.sweep_numba: the sweep over positions against rows, dense matrices and exact rationals."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from numeric.alibi_stack import AlibiStack, alibi_stack, geometric_sums
from numeric.exact import ExactPrefix, exact_profile
from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
from numeric.profile import profile, profile_by_rows, profile_dense
from numeric.sweep import COMPILED_FROM, compiled, sweep, sweep_roundings, swept

ROOT = Path(__file__).resolve().parents[2]
FloatArray = NDArray[np.float64]
Sweep = Callable[[AlibiStack, int], FloatArray]
AGREE = 1e-12  # absolute; 5 layers of 1500 roundings are 8e−13 if all go one way, and the largest seen is 6e−15


@pytest.fixture(scope="module", params=["numpy", "numba"])
def route(request: pytest.FixtureRequest) -> Sweep:
    """Both sweeps; the compiled one is skipped where numba is not installed."""
    found = sweep if request.param == "numpy" else compiled()
    if found is None:
        pytest.skip("numba is not installed (extra: fast)")
    return found


def stacked(layers: list[Kernel], lam: list[float], n: int) -> AlibiStack:
    stack = alibi_stack(layers, lam, n)
    assert stack is not None
    return stack


SLOPES = [0.0, 1e-300, 1e-9, 1e-3, 0.3, 0.999, 1.0, 1.001, 2.0, 37.0, 38.0, 700.0]
# sizes of heads on both sides of a row of lanes, equal and different slopes per layer, every order of slopes
STACKS: dict[str, list[Kernel]] = {
    "uniform": [Uniform()] * 3,
    "uniform, content": [Uniform(350), Uniform(-350), Uniform(2)],
    "one head": [Alibi(0.3)],
    "all slopes": [Alibi(SLOPES), Alibi(SLOPES[::-1], 2.0)],
    "contents": [Alibi(SLOPES, d) for d in (350.0, -350.0, 400.0, -400.0, 0.0)],
    "weights": [Alibi([2, 0.1, 0.5], [1, -1, 0], [0.5, 0.0, 0.5]), Alibi([0.1, 2, 0.5], [1, -1, 0], [0.25, 0.75, 0])],
    "sixteen and seventeen": [Alibi(np.linspace(0, 3, 16)), Alibi(np.linspace(3, 0, 17)), Uniform()],
    "averages": [HeadAverage([Uniform(1), HeadAverage([Alibi([0.5, 3]), Uniform()], [0.25, 0.75])]), Alibi(0.01)],
}


@pytest.mark.parametrize("name", STACKS)
@pytest.mark.parametrize("n", [1, 2, 3, 5, 127, 256, 257, 1499])
def test_a_sweep_is_the_row_recursion(route: Sweep, name: str, n: int) -> None:
    lam = [0.25, 1.0, 0.625, 1.0, 0.125][: len(STACKS[name])]
    p = route(stacked(STACKS[name], lam, n), n)
    assert p.shape == (n,)
    assert np.abs(p - profile_by_rows(STACKS[name], lam, n=n)).max() <= AGREE


@pytest.mark.parametrize("name", STACKS)
def test_a_sweep_is_the_product_of_matrices(route: Sweep, name: str) -> None:
    lam = [1.0, 0.25, 0.75, 0.125, 1.0][: len(STACKS[name])]
    # the oracle's exp has logits up to 400 + 700 · 13, each rounded before exp: 13 · 9500 · 2^−53 a row
    assert np.abs(route(stacked(STACKS[name], lam, 13), 13) - profile_dense(STACKS[name], lam, n=13)).max() <= 7e-11


def heads() -> st.SearchStrategy[list[tuple[float, float]]]:
    slope = st.one_of(st.sampled_from(SLOPES), st.floats(0, 3), st.floats(1e-9, 700))
    return st.lists(st.tuples(slope, st.one_of(st.floats(-350, 350), st.floats(-3, 3))), min_size=1, max_size=19)


@given(
    layers=st.lists(st.tuples(heads(), st.sampled_from([0.0, 1.0, 0.5, 0.1, 0.9])), min_size=1, max_size=5),
    n=st.integers(1, 300),
)
def test_random_stacks_agree(route: Sweep, layers: list[tuple[list[tuple[float, float]], float]], n: int) -> None:
    kernels: list[Kernel] = [Alibi([m for m, _ in h], [d for _, d in h]) for h, _ in layers]
    lam = [share for _, share in layers]
    stack = alibi_stack(kernels, lam, n)
    rows = profile_by_rows(kernels, lam, n=n)
    if stack is None:
        assert not any(lam) and rows[-1] == 1
    else:
        assert np.abs(route(stack, n) - rows).max() <= AGREE


def test_a_sweep_is_exact_arithmetic(route: Sweep) -> None:
    # w_j = 2^j is ALiBi with slope ln 2; entries down to 2^−61 keep their digits
    n, lam = 61, [Fraction(1, 2), Fraction(1, 4), Fraction(1)]
    exact = exact_profile([ExactPrefix([Fraction(2) ** j for j in range(n)])] * 3, lam, n=n)
    p = route(stacked([Alibi(float(np.log(2)))] * 3, [float(x) for x in lam], n), n)
    # the slope's own rounding, 2^−54, counts n times; each of 61 steps in 3 layers carries at most 11 roundings
    bound = (n + 3 * (11 * n + 100)) * 2.0**-53
    assert max(abs(float(Fraction(x) / y - 1)) for x, y in zip(p.tolist(), exact, strict=True)) <= bound


def test_long_rows_keep_their_mass_and_their_mean(route: Sweep) -> None:
    # uniform layers: E[position] = (n − 1) Π(1 − λ_t/2) exactly (I7); roundings of one sign would give 3 n ε
    n, lam = 4099, [0.5, 0.25, 1.0]
    p = route(stacked([Uniform()] * 3, lam, n), n)
    assert abs(p.sum() - 1) <= 6 * n * 2.0**-53
    assert abs(p @ np.arange(n) / ((n - 1) * 0.75 * 0.875 * 0.5) - 1) <= 6 * n * 2.0**-53


def test_a_row_that_underflows_ends_in_zeros(route: Sweep) -> None:
    # e^−700 of the mass goes to each next position: below 1e−270 at the first
    p = route(stacked([Alibi(700.0)] * 2, [0.5, 0.5], 5000), 5000)
    assert p[-1] == 1 and not p[:-1].any()
    # about k e^−k/2 of it at distance k: below 1e−270 from 1261 on, in a block of at most 1024 positions more
    q = route(stacked([Alibi(0.5)] * 2, [0.5, 0.5], 5000), 5000)
    assert not q[:2700].any() and (q[-1200:] > 0).all()


def test_what_no_sweep_knows_goes_by_rows() -> None:
    dense, prefix = Dense(np.eye(5)), Prefix([1, 2, 3, 4, 5])
    for other in (dense, prefix, HeadAverage([Uniform(), prefix])):
        assert alibi_stack([Uniform(), other], [0.5, 0.5], 5) is None
        assert alibi_stack([Uniform(), other], [0.5, 0.0], 5) is not None  # λ = 0 skips the layer
        assert (profile([Uniform(), other], 0.5, n=5) == profile_by_rows([Uniform(), other], 0.5, n=5)).all()


def test_layers_with_slopes_of_their_own(route: Sweep) -> None:
    layers: list[Kernel] = [Alibi(np.geomspace(1e-4, 0.5 + t / 60, 97), t / 30 - 1) for t in range(61)]
    n, lam = 401, [0.5 / (t + 1) for t in range(61)]
    assert np.abs(route(stacked(layers, lam, n), n) - profile_by_rows(layers, lam, n=n)).max() <= AGREE


def test_no_attending_layer_is_no_stack() -> None:
    assert alibi_stack([], [], 3) is None and alibi_stack([Uniform()], [0.0], 3) is None
    assert profile([Alibi([0.5] * 112)] * 70, 0, n=300).tolist() == [0.0] * 299 + [1.0]


def test_profile_takes_the_sweep_for_deep_stacks() -> None:
    layers: list[Kernel] = [Alibi(np.linspace(0.01, 2, 112), np.linspace(-1, 1, 112) * t) for t in range(7)]
    n = COMPILED_FROM // (7 * 112) + 1
    p = swept(layers, [0.5] * 7, n)
    assert p is not None and (profile(layers, 0.5, n=n) == p).all()
    assert np.abs(p - profile_by_rows(layers, 0.5, n=n)).max() <= AGREE
    assert swept([Uniform()], [0.5], 5000) is None  # one head, many positions: rows are quicker


def test_without_numba_the_numpy_sweep_serves(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import numpy as np\nfrom numeric import Alibi, profile\nfrom numeric.sweep import compiled\n"
        "p = profile([Alibi(np.linspace(0.1, 1, 112))] * 40, 0.5, n=300)\n"
        "print(compiled(), abs(p.sum() - 1) < 1e-13)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "None True"


def test_small_profiles_load_no_compiler() -> None:
    code = (
        "import sys; from numeric import Alibi, profile; profile([Alibi(0.5)] * 3, 0.5, n=99)\n"
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_where_no_folder_can_be_written_the_loops_are_compiled_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    module = pytest.importorskip("numeric.jit", exc_type=ImportError)

    def njit(cache: bool = False, **options: object) -> Callable[[object], object]:
        if cache:
            raise RuntimeError("no locator available")
        return lambda function: (function, options)

    monkeypatch.setattr(module, "njit", njit)
    assert module.compiled(len, inline="never") == (len, {"error_model": "numpy", "nogil": True, "inline": "never"})


def test_geometric_sums() -> None:
    m = np.array([[0.0, 1e-300, 0.5, 700.0]])
    sums = geometric_sums(m, 0, 4)[0]
    q = np.exp(-m[0])
    assert sums[0].tolist() == [0, 0, 0, 0] and sums[1].tolist() == [1, 1, 1, 1]
    assert np.abs(sums[3] - (1 + q + q * q)).max() <= 4 * 2.0**-52


@pytest.mark.parametrize("part", ["stay", "keep", "loss", "own", "other", "at", "on"])
def test_every_part_of_the_stack_counts(route: Sweep, part: str) -> None:
    """A control: a stack with one part changed by a millionth is told from the row recursion."""
    layers: list[Kernel] = [Alibi([0.1, 0.5, 2.0], [1, 0, -1]), Alibi([0.1, 0.5, 2.0])]
    stack = stacked(layers, [0.5, 0.75], 37)
    changed = replace(stack, **{part: getattr(stack, part) * (1 + 1e-6)})
    rows = profile_by_rows(layers, [0.5, 0.75], n=37)
    assert np.abs(route(stack, 37) - rows).max() <= AGREE < np.abs(route(changed, 37) - rows).max()


@pytest.mark.parametrize("m", [0.08, 0.1, 0.1125, 0.12, 0.14, 0.15])
def test_a_head_settles_where_no_digit_is_lost(route: Sweep, m: float) -> None:
    # the last position begins a block, m · 256 = 20 … 38 from the first: e^−20 of S is still missing there
    p = route(stacked([Alibi(m)], [1.0], 257), 257)
    rows = profile_by_rows([Alibi(m)], 1.0, n=257)
    # one rounding per step, and 10 (e^m − 1) ≤ 1.7 for what is lost of it
    assert np.abs(p / rows - 1).max() <= (2.7 * 257 + 12 * 9 + 30) * 2.0**-53


@pytest.mark.parametrize("name", STACKS)
def test_entries_keep_the_digits_that_are_promised(route: Sweep, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numeric.sweep.suited", lambda stack, n: route)
    n, lam = 199, [0.25, 1.0, 0.625, 1.0, 0.125][: len(STACKS[name])]
    count = sweep_roundings(STACKS[name], lam, n)
    assert count is not None
    p, rows = route(stacked(STACKS[name], lam, n), n), profile_by_rows(STACKS[name], lam, n=n)
    seen = rows > 1e-200
    # what rows may err by, and n T sums flushed at 1e−270
    bound = count + len(lam) * (12 * 8 + 30)
    assert seen.any() and np.abs(p[seen] / rows[seen] - 1).max() <= bound * 2.0**-53


def test_roundings_are_those_of_the_route_that_is_taken() -> None:
    assert sweep_roundings([Uniform()], [0.5], 5000) is None  # by rows
    assert sweep_roundings([Dense(np.eye(5))] * 70, [0.5] * 70, 5) is None
    layers: list[Kernel] = [Alibi(np.linspace(0, 0.5, 16))] * 70
    assert sweep_roundings(layers, [0.5] * 70, 200) == pytest.approx(
        70 * (100 + 16 + 200 * (1 + 10 * np.expm1(0.5))), rel=1e-12
    )
    # beyond 650/m nothing is left that could be rounded, but for the flat head
    far = sweep_roundings(layers, [0.5] * 70, 10**6)
    assert far == pytest.approx(70 * (116 + 10**6), rel=1e-12)
