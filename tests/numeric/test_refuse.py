"""numeric.refuse: one grammar for every error, and what passes as a number."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from numeric.refuse import InputError, integer, numbers, positions, rational, real, refusal, shown, square, vector


def test_the_grammar_is_name_requirement_value() -> None:
    assert str(refusal("lam", "lie in [0, 1]", 1.2)) == "Argument 'lam' must lie in [0, 1], not 1.2."


def test_the_place_is_named_for_a_file() -> None:
    error = refusal("lam", "lie in [0, 1]", Fraction(6, 5), "lam.csv, line 3")
    assert str(error) == "Argument 'lam' must lie in [0, 1], not 6/5 (lam.csv, line 3)."


@pytest.mark.parametrize("value", ["a\nb\r\n\x1b[31m", "x" * 1000, np.zeros((300, 300)), [1.0] * 999, np.float64(1.2)])
def test_a_message_is_one_short_line_of_plain_text(value: object) -> None:
    text = shown(value)
    assert len(text) <= 60 and text.isprintable() and "np." not in text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (10**400, "about 1e+400"),
        (-(10**400), "about -1e+400"),
        (Fraction(1, 10**400), "about 1e-400"),
        (Fraction(2 * 10**100 + 1, 3), "about 6.66667e+99"),
        (Fraction(10**20, 3), "100000000000000000000/3"),
        (12345678901234567890, "12345678901234567890"),
        (True, "True"),
    ],
)
def test_a_long_number_is_shortened(value: Fraction, text: str) -> None:
    assert shown(value) == text


def test_a_number_that_python_does_not_write_out_is_shortened() -> None:
    assert shown(10**5000) == "about 1e+5000"


@pytest.mark.parametrize("value", [0, 1.5, Fraction(1, 3), np.float32(0.5), np.int8(3), np.float16(0.25)])
def test_real_numbers_pass(value: float) -> None:
    assert real(value, "x") == float(value)
    assert float(rational(value, "x")) == float(value)


def test_a_float_must_be_finite() -> None:
    with pytest.raises(InputError, match="finite"):
        real(10**400, "x")


def test_a_rational_may_be_too_large_for_a_float() -> None:
    assert rational(10**400, "x") == 10**400
    assert rational(Fraction(1, 3), "x") == Fraction(1, 3)


BAD = [True, np.bool_(False), 1j, "0.5", None, float("nan"), float("inf"), np.float32("nan"), [0.5]]


@pytest.mark.parametrize("value", BAD)
@pytest.mark.parametrize("read", [real, rational])
def test_what_is_no_finite_real_number_is_refused(read: Callable[[object, str], object], value: object) -> None:
    assert read(1, "x") == 1
    with pytest.raises(InputError, match="Argument 'x' must"):
        read(value, "x")


def test_a_length_has_a_limit_that_is_named() -> None:
    assert (positions(1), positions(10_000_000), positions(np.int64(7))) == (1, 10_000_000, 7)
    for value in (10_000_001, 10**12):
        with pytest.raises(InputError, match=rf"^Argument 'n' must be at most 10000000, not {value}\.$"):
            positions(value)
    with pytest.raises(InputError, match="'n' must be at least 1, not 0"):
        positions(0)


@pytest.mark.parametrize("value", [2, np.int64(2)])
def test_an_integer_from_the_least_on_passes(value: int) -> None:
    assert integer(value, "n", 2) == 2


@pytest.mark.parametrize("value", [1, True, 2.0, "2", None])
def test_other_integers_are_refused(value: object) -> None:
    with pytest.raises(InputError, match="Argument 'n' must"):
        integer(value, "n", 2)


def test_small_types_are_widened_before_arithmetic() -> None:
    assert vector(np.full(300, 127, dtype=np.int8), "x").sum() == 300 * 127
    assert vector(np.full(7, 6e4, dtype=np.float16), "x").dtype == np.float64


def test_arrays_are_copied_and_read_only() -> None:
    given = np.ones(3)
    kept = vector(given, "x")
    given[0] = 5
    assert kept[0] == 1
    with pytest.raises(ValueError, match="read-only"):
        kept[0] = 2


def test_fractions_and_nested_lists_are_numbers() -> None:
    assert numbers([[Fraction(1, 2), 1], [0, 2.5]], "x", 2).tolist() == [[0.5, 1.0], [0.0, 2.5]]


@pytest.mark.parametrize(
    "values",
    [[], [True, 0.5], [True, False], ["0.5"], [0.5, "a"], [1j], [[1.0]], 1.0, None, [0.5, None], [1.0, float("nan")],
     [float("inf")], [[1], [1, 2]], [10**400], "abc", np.array([np.nan]), np.array([True]), np.array(["a"])],
)  # fmt: skip
def test_what_is_no_vector_of_numbers_is_refused(values: object) -> None:
    with pytest.raises(InputError, match="Argument 'x' must"):
        vector(values, "x")


def test_the_bad_entry_is_named_counted_from_1() -> None:
    with pytest.raises(InputError, match=r"entry 2, 1, counted from 1"):
        square([[1.0, 0.0], [float("nan"), 1.0]], "x")


@pytest.mark.parametrize("values", [[[1.0, 0.0]], [[]], [1.0], np.zeros((0, 0))])
def test_what_is_not_square_is_refused(values: object) -> None:
    assert square([[1.0]], "x").shape == (1, 1)
    with pytest.raises(InputError):
        square(values, "x")
