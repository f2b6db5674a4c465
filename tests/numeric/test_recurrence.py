"""numeric.recurrence against sums written out and against ball arithmetic at extreme parameters."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flint import arb, ctx
from numpy.typing import NDArray

from numeric.kernel import Alibi, Prefix
from numeric.recurrence import backward_sums

FloatArray = NDArray[np.float64]
EPS = 2.0**-53


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 31, 32, 33, 101])
def test_backward_sums_are_the_sums_written_out(n: int) -> None:
    slopes = np.array([0.0, 1e-9, 0.3, 50.0, 700.0])
    x = np.random.default_rng(n).normal(size=(5, n))
    u = backward_sums(x, slopes)
    for h, m in enumerate(slopes):
        for j in range(n):
            plain = math.fsum(math.exp(-m * (i - j - 1)) * x[h, i] for i in range(j + 1, n))
            # each product carries at most 2 log2 n + 2 roundings here; exp of a rounded product another 700
            size = math.fsum(abs(x[h, i]) for i in range(j + 1, n))
            assert abs(u[h, j] - plain) <= (8 * math.log2(n) + 710) * EPS * size


def reference(v: FloatArray, m: float, d: float) -> list[arb]:
    """vA for one ALiBi head, from the definition with Z_i e^{−m i} = e^d + Σ_{r=1}^{i} q^r, in balls."""
    q, e = (-arb(m)).exp(), arb(d).exp()
    shares, total = [], arb(0)
    for mass in v.tolist():
        shares.append(arb(mass) / (e + total))
        total = q * (1 + total)
    row, later = [], arb(0)
    for share in reversed(shares):
        row.append(e * share + later)
        later = q * (later + share)
    return row[::-1]


def check(v: FloatArray, m: float, d: float) -> None:
    ctx.prec = 160
    n = v.size
    got = Alibi(m, d).apply(v)
    # per entry: at most 4 log2 n roundings in the recurrence (twice that for spare) and ten for exp, expm1, quotients
    # and products; neither slope nor content enters
    bound = arb((8 * math.log2(n) + 10) * EPS)
    smallest = arb(2.0**-1000)  # below it products leave the normal range: absolute error only
    for value, true in zip(got.tolist(), reference(v, m, d), strict=True):
        assert abs(arb(value) - true) <= bound * (true + smallest)
    assert abs(math.fsum(got) - math.fsum(v)) <= (8 * math.log2(n) + 10) * EPS * math.fsum(v)


EXTREMES = [(m, d) for m in (0.0, 1e-9, 1e-4, 0.3, 7.0, 50.0, 700.0) for d in (-400.0, -40.0, -1.5, 0.0, 3.0, 400.0)]


@pytest.mark.parametrize(("m", "d"), EXTREMES)
@pytest.mark.parametrize("start", ["spread", "end"])
def test_a_row_holds_its_relative_error_bound(m: float, d: float, start: str) -> None:
    check(_row(1009, start), m, d)


@pytest.mark.parametrize(("m", "d"), [(1e-9, -400.0), (1e-9, 400.0), (1e-4, 0.0), (50.0, -400.0)])
def test_a_long_row_holds_its_relative_error_bound(m: float, d: float) -> None:
    check(_row(100_003, "spread"), m, d)


@pytest.mark.parametrize("d", [-400.0, -1.5, 0.0, 400.0])
@pytest.mark.parametrize("steepness", [0.0, 1.0, 130.0, -130.0])
def test_a_prefix_row_holds_its_relative_error_bound(steepness: float, d: float) -> None:
    ctx.prec = 160
    n = 1009
    rng = np.random.default_rng(2)
    w = 10.0 ** np.linspace(0, steepness, n) * rng.uniform(0.9, 1, n)
    w = w.clip(w.max() * 1e-130)  # the accepted range
    v = rng.dirichlet(np.ones(n))
    e, total, shares = arb(d).exp(), arb(0), []
    for mass, weight in zip(v.tolist(), w.tolist(), strict=True):
        shares.append(arb(mass) / (total + e * arb(weight)))
        total += arb(weight)
    later = arb(0)
    bound = arb((12 * math.log2(n) + 10) * EPS)
    for value, weight, share in reversed(list(zip(Prefix(w, d).apply(v).tolist(), w.tolist(), shares, strict=True))):
        true = arb(weight) * (e * share + later)
        assert abs(arb(value) - true) <= bound * (true + arb(2.0**-1000))
        later += share


def _row(n: int, start: str) -> FloatArray:
    if start == "end":
        return np.concatenate([np.zeros(n - 1), np.ones(1)])
    return np.asarray(np.random.default_rng(5).dirichlet(np.ones(n)))
