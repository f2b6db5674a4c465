"""numeric.shape: the five labels, the valley, the spike, the effective depth."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numeric.kernel import Prefix, Uniform
from numeric.profile import profile
from numeric.refuse import InputError
from numeric.schedule import Geometric
from numeric.shape import (
    Shape,
    Sign,
    Valley,
    effective_depth,
    exact_sign,
    label_of,
    shape,
    shape_of_numbers,
)

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


@pytest.mark.parametrize(("n", "k"), [(1, 1), (9, 1), (10, 1), (11, 2), (20, 2), (21, 3)])
def test_tenths_are_rounded_up_and_relative(n: int, k: int) -> None:
    p = np.arange(1.0, n + 1) * 8
    found = shape(p)
    assert found.first_tenth == pytest.approx(k * (k + 1) / (n * (n + 1)))
    assert found.last_tenth == pytest.approx((n * (n + 1) - (n - k) * (n - k + 1)) / (n * (n + 1)))


@pytest.mark.parametrize(
    ("p", "valley"),
    [
        ((4, 1, 1, 2), (1, 1, 1)),
        ((1, 2, 3), (0, 1, 0)),
        ((3, 2, 1), (2, 1, 0)),
        ((2, 5, 1, 1), (2, 1, 0)),
        ((3, 1, 5, 1, 4), (1, 1, 2)),
        ((2, 2), (0, 2, 0)),
    ],
)
def test_the_depth_is_measured_from_the_lower_end(p: tuple[int, ...], valley: tuple[int, int, int]) -> None:
    assert shape(p).valley == valley


def known(unknown: set[int], p: list[int]) -> Sign:
    """The sign of x − y unless one of the two is an unknown number; p has different numbers."""
    return lambda x, y: None if {p.index(x), p.index(y)} & unknown and x != y else exact_sign(x, y)


@given(st.permutations(range(5)), st.sets(st.integers(0, 4)))
def test_a_label_is_given_iff_every_completion_has_it(p: list[int], unknown: set[int]) -> None:
    sign = known(unknown, p)
    steps = [sign(x, y) for x, y in pairwise(p)]
    completions = product(*([-1, 0, 1] if s is None else [s] for s in steps))
    # heights whose steps have these signs
    labels = {shape([40 - x for x in accumulate(signs, initial=0)]).label for signs in completions}
    assert label_of(p, sign) == (labels.pop() if len(labels) == 1 else "undecided")


@given(st.permutations(range(5)), st.sets(st.integers(0, 4)))
def test_a_valley_is_given_iff_it_is_certainly_the_smallest(p: list[int], unknown: set[int]) -> None:
    # the numbers can be told apart except from an unknown one, which may lie anywhere
    found = shape_of_numbers(p, known(unknown, p), min, 0).valley
    assert found.position == (None if unknown else p.index(0))
    assert found.value == 0


def test_exact_numbers_need_no_sum_of_1() -> None:
    found = shape_of_numbers([Fraction(3), Fraction(1), Fraction(2)], exact_sign, min, Fraction(0))
    assert (found.mean_position, found.first_tenth, found.last_tenth) == (
        Fraction(5, 6),
        Fraction(1, 2),
        Fraction(1, 3),
    )
