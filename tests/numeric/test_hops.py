"""numeric.hops: the law of the number of attending layers."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numeric.description import describe
from numeric.exact import ExactDense, exact_profile
from numeric.hops import hop_law, poisson_binomial
from numeric.refuse import InputError
from numeric.schedule import Geometric
from numeric.strategies import causal_kernels, mixing

F = Fraction
Row = tuple[Fraction, ...]


def enumerated(lam: Row) -> list[Fraction]:
    """Over all 2^T choices of attending layers."""
    law = [F(0)] * (len(lam) + 1)
    for choice in product((0, 1), repeat=len(lam)):
        law[sum(choice)] += math.prod((x if c else 1 - x for c, x in zip(choice, lam, strict=True)), start=F(1))
    return law


@given(st.integers(0, 7).flatmap(mixing))
def test_against_enumeration(lam: Row) -> None:
    exact = enumerated(lam)
    assert list(poisson_binomial(lam, F(0))) == exact
    # the λ as floats are rounded once, and so is 1 − λ: 6 roundings a layer
    floats = hop_law(lam)
    assert all(abs(F(x) - y) <= 6 * len(lam) * y * F(1, 2**53) for x, y in zip(floats.tolist(), exact, strict=True))


def test_unequal_shares_are_not_binomial() -> None:
    # twin: the mean alone does not give the law
    lam = (F(1, 4), F(3, 4))
    assert enumerated(lam) == [F(3, 16), F(10, 16), F(3, 16)] != enumerated((F(1, 2), F(1, 2)))
    assert list(poisson_binomial(lam, F(0))) == enumerated(lam)


@given(causal_kernels(4), mixing(3))
def test_theory_c1_a_shared_kernel_is_a_random_power(rows: tuple[Row, ...], lam: Row) -> None:
    v = [F(0)] * 3 + [F(1)]
    total = [F(0)] * 4
    for share in poisson_binomial(lam, F(0)):
        total = [x + share * y for x, y in zip(total, v, strict=True)]
        v = list(ExactDense(rows).apply(v))
    assert tuple(total) == exact_profile([rows] * 3, lam, n=4)


def test_deep() -> None:
    # 3000 layers: the ends of the law lie far below the smallest float, and count as 0
    law = hop_law(0.5, layers=3000)
    k = np.arange(3001)
    assert law.size == 3001 and law[0] == law[-1] == 0
    assert law.sum() == pytest.approx(1, rel=1e-12)
    assert law @ k == pytest.approx(1500, rel=1e-12) and law @ (k - 1500.0) ** 2 == pytest.approx(750, rel=1e-11)
    assert law[1500] == pytest.approx(math.comb(3000, 1500) / 2**3000, rel=1e-11)


def test_edges() -> None:
    assert hop_law([]).tolist() == [1]
    assert hop_law([1, 1, 0]).tolist() == [0, 0, 1, 0]
    assert hop_law(Geometric(1, 0.5), layers=2).tolist() == [0, 0.5, 0.5]
    found = describe([], 0.5, n=2, exact=True)
    assert (found.hops, found.effective_depth) == ((1,), 0)


@pytest.mark.parametrize(("lam", "name"), [(0.5, "layers"), ([0.5, 1.5], "lam"), ([float("nan")], "lam")])
def test_refusals(lam: object, name: str) -> None:
    with pytest.raises(InputError, match=f"'{name}'"):
        hop_law(lam)  # type: ignore[arg-type]
