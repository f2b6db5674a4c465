"""numeric.shape: the five labels, the valley, the spike, the effective depth."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numeric.kernel import Prefix, Uniform
from numeric.profile import profile
from numeric.refuse import InputError
from numeric.schedule import Geometric
from numeric.shape import Shape, Valley, effective_depth, shape

LABELS = {
    (1,): "flat",
    (2, 2, 2): "flat",
    (2, 1): "primacy",
    (3, 2, 2, 1): "primacy",
    (1, 2): "recency",
    (1, 1, 2): "recency",
    (2, 1, 2): "U",
    (3, 1, 1, 2): "U",
    (3, 3, 1, 1, 2, 2): "U",
    (1, 2, 1): "other",
    (2, 1, 2, 1): "other",
    (3, 2, 3, 2, 3): "other",
    (0, 0, 1): "recency",
}


@pytest.mark.parametrize("p", LABELS)
def test_labels(p: tuple[int, ...]) -> None:
    assert shape(p).label == LABELS[p]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6).filter(any))
def test_labels_are_their_definitions(p: list[int]) -> None:
    down = p == sorted(p, reverse=True)
    up = p == sorted(p)
    n = len(p)
    valleys = [
        p[: v + 1] == sorted(p[: v + 1], reverse=True) and p[v:] == sorted(p[v:]) and p[0] > p[v] < p[-1]
        for v in range(n)
    ]
    expected = "flat" if up and down else "primacy" if down else "recency" if up else "U" if any(valleys) else "other"
    assert shape(p).label == expected


def test_a_step_of_one_bit_counts() -> None:
    assert shape([0.5, 0.5 - 2.0**-54, 0.5]).label == "U"


def test_the_parts() -> None:
    found = shape([0.25, 0.125, 0.125, 0.5])
    assert found == Shape("U", Valley(1, 0.125, 0.125), 0.5, 0.125 + 2 * 0.125 + 3 * 0.5, 0.25, 0.5)


@pytest.mark.parametrize("scale", [1e-320, 1.7e308])
def test_the_unit_of_mass_does_not_matter(scale: float) -> None:
    assert shape([scale, 0, scale]).mean_position == 1


def test_theory_u4_a_hump() -> None:
    # w = (1, 2, 4), λ = (1, 1): (47, 52, 48)/147
    p = profile([Prefix([1, 2, 4])] * 2, 1, n=3)
    assert np.abs(p - np.array([47, 52, 48]) / 147).max() <= 20 * 2.0**-53
    assert shape(p).label == "other"


def test_theory_u7_the_uniform_kernel_with_a_residual_is_a_u() -> None:
    # n − 1 ≥ Σ λ/(1 − λ) = 5 suffices
    assert shape(profile([Uniform()] * 5, 0.5, n=6)).label == "U"


@pytest.mark.parametrize("p", [[], [0, 0], [1, -1], [float("nan")], [[1.0]]])
def test_bad_profiles_are_refused(p: object) -> None:
    shape([1e-320])
    with pytest.raises(InputError, match="'p'"):
        shape(p)  # type: ignore[arg-type]


def test_an_unknown_label_is_refused() -> None:
    with pytest.raises(InputError, match="one of flat"):
        Shape("V", Valley(0, 0.0, 0.0), 1.0, 0.0, 1.0, 1.0)


def test_effective_depth_is_the_sum() -> None:
    assert effective_depth([]) == 0
    assert effective_depth((Fraction(1, 2), 0.25)) == 0.75
    assert effective_depth([0.1] * 10) == 1.0  # summed without loss: 10 · 0.1 rounds to 1
    assert effective_depth(Geometric(1, 0.5), layers=3) == 1.75
    with pytest.raises(InputError, match="'layers'"):
        effective_depth(0.5)
    with pytest.raises(InputError, match="'lam'"):
        effective_depth([0.5, 1.5])
