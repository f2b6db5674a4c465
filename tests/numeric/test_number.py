"""numeric.number: our own reader of decimals and fractions, exact and never executed."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numeric.number import read_fraction, read_integer
from numeric.refuse import InputError

GOOD = {
    "0": Fraction(0),
    "-7": Fraction(-7),
    "+2": Fraction(2),
    "0.1": Fraction(1, 10),
    ".5": Fraction(1, 2),
    "5.": Fraction(5),
    "1e-3": Fraction(1, 1000),
    "2.5E+2": Fraction(250),
    " 1/3\t": Fraction(1, 3),
    "-4 / 6": Fraction(-2, 3),
    "1e-400": Fraction(1, 10**400),
    "0e5": Fraction(0),
}
BAD = [
    "", " ", "nan", "inf", "-inf", "1_000", "0x10", "1/0", "1/-2", "1.5/2", "1e401", "1e-401", "1e999999999999", "--1",
    "1 2", "1,5", "1+1", "2**3", "e5", ".", "1e", "1/2/3", "٣", "½", "1" * 501, "__import__('os')", "True", "1j",
]  # fmt: skip


@pytest.mark.parametrize("text", GOOD)
def test_a_number_is_read_exactly(text: str) -> None:
    assert read_fraction(text, "lam") == GOOD[text]


@pytest.mark.parametrize("text", BAD)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="Argument 'lam' must"):
        read_fraction(text, "lam")


@pytest.mark.parametrize("value", [None, 1, 0.5, b"1", ["1"]])
def test_only_text_is_read(value: object) -> None:
    with pytest.raises(InputError):
        read_fraction(value, "lam")
    with pytest.raises(InputError):
        read_integer(value, "n")


def test_text_is_never_executed(tmp_path: Path) -> None:
    target = tmp_path / "written"
    with pytest.raises(InputError):
        read_fraction(f"__import__('pathlib').Path({str(target)!r}).touch()", "lam")
    assert not target.exists()


@given(st.fractions(), st.integers(-400, 400))
def test_what_is_written_is_read_back(value: Fraction, exponent: int) -> None:
    assert read_fraction(str(value), "x") == value
    assert read_fraction(f"{value.numerator}e{exponent}", "x") == value.numerator * Fraction(10) ** exponent


@given(st.integers(-(10**30), 10**30))
def test_an_integer_is_read_back(value: int) -> None:
    assert read_integer(f" {value} ", "n") == value


@pytest.mark.parametrize("text", ["1.0", "1e3", "1/1", "", "0x1", "1_0", "٣"])
def test_what_is_no_integer_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="Argument 'n' must be an integer"):
        read_integer(text, "n")
