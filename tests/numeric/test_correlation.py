"""Sums by distance: by FFT within the stated error of those by terms, and what that error does to small ones."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from numeric.correlation import by_fft, by_terms, fft_error
from numeric.description import describe, rounding_bound
from numeric.distance import Distance, LogDistance, fft_layer_error
from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Uniform
from numeric.profile import profile
from numeric.refuse import InputError


def exactly(x: list[float], a: list[float]) -> list[Fraction]:
    """The sums in rationals."""
    terms = [[Fraction(a[r - 1]) * Fraction(x[j + r]) for r in range(1, len(x) - j)] for j in range(len(x))]
    return [sum(row, Fraction(0)) for row in terms]


@pytest.mark.parametrize("n", [1, 2, 3, 17, 64])
def test_both_are_the_sums(n: int) -> None:
    rng = np.random.default_rng(n)
    x, a = rng.random(n), rng.random(n - 1)
    exact = np.array([float(s) for s in exactly(x.tolist(), a.tolist())])
    np.testing.assert_allclose(by_terms(x, a), exact, rtol=(n + 1) * 2.0**-53)
    allowed = fft_error(float(np.linalg.norm(x)), float(a.sum()), n)
    assert np.abs(by_fft(x, a) - exact).max() <= allowed + 2.0**-53 * exact.max()


@pytest.mark.parametrize("n", [64, 1000, 5000])
@pytest.mark.parametrize("kind", ["random", "one large", "steep"])
def test_the_error_is_bounded_and_the_bound_is_not_far_off(n: int, kind: str) -> None:
    rng = np.random.default_rng(n)
    x, a = rng.random(n), rng.random(n - 1)
    if kind == "one large":
        x[n // 2] = 1e12
    if kind == "steep":
        a = np.exp(-0.5 * np.arange(n - 1))
    off = np.abs(by_fft(x, a) - by_terms(x, a)).max()
    allowed = fft_error(float(np.linalg.norm(x)), float(a.sum()), n)
    # by_terms itself errs by (n + 1) 2^-53 of sums that are at most |a|_2 |x|_2
    own = (n + 1) * 2.0**-53 * float(np.linalg.norm(x) * np.linalg.norm(a))
    assert off <= allowed + own
    assert off > 0  # a bound that nothing comes near would prove nothing
    assert allowed < 1e6 * off


def test_a_small_sum_beside_a_large_one_loses_its_digits() -> None:
    x, a = np.zeros(64), np.exp(-3.0 * np.arange(63))
    x[-1] = 1.0
    terms, fft = by_terms(x, a), by_fft(x, a)
    assert terms[0] == pytest.approx(np.exp(-3.0 * 62), rel=1e-12)
    assert abs(fft[0] - terms[0]) > terms[0]


KERNELS: list[Kernel] = [
    LogDistance(1.3, 0.5, accuracy="absolute"),
    Distance(-0.01 * np.arange(300.0), accuracy="absolute"),
    Distance.from_weights(1 + np.arange(300.0) % 3, -1.0, accuracy="absolute"),
    HeadAverage([Uniform(), LogDistance(0.4, accuracy="absolute")]),
]


def in_terms(kernel: Kernel) -> Kernel:
    match kernel:
        case HeadAverage():
            return HeadAverage([in_terms(k) for k in kernel.kernels])
        case LogDistance():
            return LogDistance(kernel.strength, kernel.content)
        case Distance():
            return Distance(kernel.bias, kernel.content)
    return kernel


@pytest.mark.parametrize("kernel", KERNELS, ids=["power", "list", "weights", "average"])
def test_profiles_differ_by_what_is_stated(kernel: Kernel) -> None:
    fast, slow = (profile([k] * 5, 0.7, n=300) for k in (kernel, in_terms(kernel)))
    relative, absolute = rounding_bound([kernel] * 5, 0.7, n=300)
    own, none = rounding_bound([in_terms(kernel)] * 5, 0.7, n=300)
    assert none < 1e-100 < absolute
    assert (np.abs(fast - slow) <= (relative + own) * slow + absolute).all()
    assert 0 < np.abs(fast - slow).max() < absolute


def test_a_shape_within_the_error_stays_undecided() -> None:
    """Recency over 300 tokens that fall to 1e-60: by FFT the far ones are noise."""
    kernel = Distance(-0.5 * np.arange(300.0))
    absolute = Distance(kernel.bias, accuracy="absolute")
    assert describe([kernel] * 2, 0.5, n=300).shape.label == "recency"
    assert describe([absolute] * 2, 0.5, n=300).shape.label == "undecided"


@pytest.mark.parametrize("strength", [20.0, 40.0])
def test_rows_that_do_not_sum_to_1_make_the_error_grow(strength: float) -> None:
    """Sixty layers that double what they get: noise of 1e-17 becomes 1, and no shape may be read from it."""
    doubling = Dense(2 * np.eye(64), tolerance=1.0)
    layers = [doubling] * 60 + [LogDistance(strength, accuracy="absolute")]
    p, (exact, proven) = profile(layers, 1, n=64), profile(layers, 1, n=64, bound=True)
    relative, absolute = rounding_bound(layers, 1, n=64)
    assert (np.abs(p - exact) <= relative * exact + absolute + proven).all()
    assert describe(layers, 1, n=64).shape.label == "undecided"
    assert describe(layers, 1, n=64, certified=True).shape.label == "recency"


def test_what_underflows_grows_as_well() -> None:
    layers: list[Kernel] = [*[Dense(2 * np.eye(64), tolerance=1.0)] * 120, Alibi(370.7)]
    p, (exact, proven) = profile(layers, 1, n=64), profile(layers, 1, n=64, bound=True)
    relative, absolute = rounding_bound(layers, 1, n=64)
    assert (np.abs(p - exact) <= relative * exact + absolute + proven).all()


def test_a_growth_that_no_float_holds_leaves_all_open() -> None:
    layers = [Dense(4 * np.eye(2), tolerance=3.0)] * 600
    assert rounding_bound(layers, 1, n=2)[1] == np.inf


def test_the_error_is_that_of_the_kernel() -> None:
    """1/Z_1 is the norm: content on the diagonal makes it small."""
    plain, heavy = (LogDistance(1.0, d, accuracy="absolute") for d in (0.0, 20.0))
    assert fft_layer_error(LogDistance(1.0), 100) == 0
    assert fft_layer_error(plain, 1) == 0
    assert fft_layer_error(plain, 100) / fft_layer_error(heavy, 100) == pytest.approx((np.exp(20) + 0.5) / 1.5)


def test_accuracy_is_one_of_two_words() -> None:
    with pytest.raises(InputError, match="'accuracy' must be 'relative' or 'absolute', not 'exact'"):
        LogDistance(1.0, accuracy="exact")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'accuracy'"):
        Distance([0.0, 1.0], accuracy="")  # type: ignore[arg-type]
    assert Distance([0.0, 1.0], accuracy="absolute") != Distance([0.0, 1.0])
