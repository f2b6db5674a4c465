"""Arrays of every type at every door: floats, integers, objects and masks are taken by value or refused by name."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from numeric.distance import Distance
from numeric.kernel import Alibi, Dense, Prefix, Uniform
from numeric.order import monotonicity_defect, precedes, spearman, tails, wasserstein
from numeric.profile import profile
from numeric.refuse import InputError
from numeric.shape import shape

F = Fraction
VALUES = [0.5, 0.25, 1]  # the same number in every type

# every door that takes one vector of three numbers in [0, 1]
DOORS: dict[str, Callable[[Any], Any]] = {
    "slopes": lambda x: Alibi(x).apply([0.25, 0.25, 0.5]),
    "content": lambda x: Alibi([0, 1, 2], x).apply([0.25, 0.25, 0.5]),
    "weights": lambda x: Prefix(x).apply([0.25, 0.25, 0.5]),
    "bias": lambda x: Distance(x).apply([0.25, 0.25, 0.5]),
    "v": lambda x: Uniform().apply(x),
    "lam": lambda x: profile([Uniform(), Alibi(1), Alibi(2)], x, n=5),
    "lam, with bounds": lambda x: profile([Uniform(), Alibi(1), Alibi(2)], x, n=5, bound=True),
    "p": lambda x: [shape(x).mean_position, wasserstein(x, [1, 2, 3]), spearman(x, [1, 2, 4]), *tails(x)],
}
MATRIX = [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]]


def typed(kind: Any) -> Any:
    """The vector in a type; integers hold its multiples of ¼."""
    return np.array([int(4 * x) for x in VALUES], dtype=kind)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.longdouble])
@pytest.mark.parametrize("door", DOORS)
def test_floats_of_other_widths_are_taken_by_value(door: str, kind: Any) -> None:
    assert np.array_equal(DOORS[door](np.array(VALUES, dtype=kind)), DOORS[door](VALUES))


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64, np.uint64, object])
@pytest.mark.parametrize("door", ["slopes", "content", "weights", "bias", "v", "p"])
def test_integers_are_taken_by_value(door: str, kind: Any) -> None:
    assert np.array_equal(DOORS[door](typed(kind)), DOORS[door]([2.0, 1.0, 4.0]))


@pytest.mark.parametrize("door", ["slopes", "content", "weights", "bias", "v", "lam"])
def test_objects_are_taken_by_value(door: str) -> None:
    mixed = np.array([F(1, 2), np.float32(0.25), 1], dtype=object)
    assert np.array_equal(DOORS[door](mixed), DOORS[door](VALUES))


@pytest.mark.parametrize("kind", [np.float16, np.float32, object])
def test_matrices_are_taken_by_value(kind: Any) -> None:
    given = np.array(MATRIX, dtype=kind)
    assert (Dense(given).matrix(3) == np.array(MATRIX)).all() and monotonicity_defect(MATRIX)[0] == 0
    # in half precision ⅓ misses a third by 2^−13: refused, not renormalised
    with pytest.raises(InputError, match=r"^Argument 'matrix' must have rows that sum to 1 .*, not 0\.\d+ \(row 3"):
        Dense(np.array([[1, 0, 0], [0.5, 0.5, 0], [1 / 3] * 3], dtype=np.float16))


BAD: dict[str, Any] = {
    "NaN": [0.5, float("nan"), 1],
    "infinity": [0.5, float("inf"), 1],
    "NaN in an array": np.array([0.5, np.nan, 1]),
    "infinity in single precision": np.array([0.5, np.inf, 1], dtype=np.float32),
    "wider than float64": np.array([1, np.longdouble(10) ** 300 * 10, 1]) * np.array([1, np.longdouble(10) ** 99, 1]),
    "masked": np.ma.array(VALUES, mask=[False, True, False]),
    "masked in single precision": np.ma.array(np.array(VALUES, dtype=np.float32), mask=[False, True, False]),
    "masked in a list": [0.5, np.ma.masked, 1],
    "None": np.array([0.5, None, 1], dtype=object),
    "text": np.array([0.5, "0.25", 1], dtype=object),
    "complex": np.array([0.5, 0.25 + 0j, 1]),
    "truth values": np.array([True, False, True]),
    "times": np.array([1, 2, 3], dtype="timedelta64[s]"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("door", DOORS)
def test_what_has_no_value_is_refused_in_one_line(door: str, case: str) -> None:
    if case == "wider than float64" and np.finfo(np.longdouble).max == np.finfo(np.float64).max:
        pytest.skip("long doubles reach no further here")
    with pytest.raises(InputError) as refused:
        DOORS[door](BAD[case])
    text = str(refused.value)
    assert text.startswith(f"Argument '{door.split(',')[0]}' must ") and text.endswith(".") and text.isprintable()


@pytest.mark.parametrize("door", DOORS)
def test_a_mask_that_hides_nothing_is_no_mask(door: str) -> None:
    for mask in (False, [False, False, False]):
        assert np.array_equal(DOORS[door](np.ma.array(VALUES, mask=mask)), DOORS[door](VALUES))


def test_a_masked_cell_is_named() -> None:
    hidden = np.ma.array(np.array(MATRIX))
    hidden[1, 2] = np.ma.masked
    for use in (Dense, monotonicity_defect, lambda a: precedes(a, MATRIX)):
        with pytest.raises(InputError, match=r"must have no masked entries, not one that is .*\(entry 2, 3, counted"):
            use(hidden)
    with pytest.raises(InputError, match=r"^Argument 'lam' must be a real number, not a masked entry\.$"):
        profile([Uniform()], np.ma.masked, n=3)


def test_subnormal_and_huge_rows() -> None:
    least, most = 5e-324, 1e150
    assert Uniform().apply([0, least, 0]).max() == 0  # half of the least number there is: rounded to even
    assert Uniform().apply([0, 0, 1e-320]) == pytest.approx([1e-320 / 3] * 3, abs=least, rel=0)
    assert Uniform().apply([most] * 3) / most == pytest.approx([11 / 6, 5 / 6, 1 / 3])
    with pytest.raises(InputError, match=r"^Argument 'v' must have entries of size at most 1e\+150, not 1e\+151\.$"):
        Uniform().apply([0, 1e151, 0])
    for weight in (least, 1e-300, 1e300, 1.7e308):  # only ratios matter
        assert Prefix([weight] * 3).apply([0, 0, 1]) == pytest.approx([1 / 3] * 3)
        p, bound = profile([Prefix([weight] * 3)], 1, n=3, bound=True)
        assert p.tolist() == [1 / 3] * 3 and bound.max() < 2e-17
    for row in ([1e38], [1e-320], [1.7e308]):
        with pytest.raises(InputError, match=r"^Argument 'matrix' must have rows that sum to 1 .* \(row 1, counted"):
            Dense([row])


def test_a_subnormal_entry_keeps_its_bound() -> None:
    p, bound = profile([Dense([[1.0, 0.0], [1e-320, 1.0]])] * 3, 0.5, n=2, bound=True)
    # ½ · 1e−320 three times, exactly; the other entry is 1
    exact = F(1e-320) * F(3, 2)
    assert abs(F(p[0]) - exact) <= F(bound[0]) <= F(2) ** -1073 and abs(p[1] - 1) <= bound[1]
