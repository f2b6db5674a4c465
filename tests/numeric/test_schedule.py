"""numeric.schedule: the rules for λ, and what the command line's --lam may say."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from numeric.refuse import InputError
from numeric.schedule import Constant, Continued, Geometric, Listed, Power, Schedule, mixing_values, read_schedule
from numeric.schedule_file import FORMS
from numeric.strategies import mixing

HALF = Fraction(1, 2)
END = "a number, a fraction p/q, power:c,beta or geometric:c,r"

RULES: list[tuple[Schedule, list[Fraction]]] = [
    (Constant(0), [Fraction(0)] * 3),
    (Constant(1), [Fraction(1)] * 3),
    (Constant(Fraction(1, 3)), [Fraction(1, 3)] * 3),
    (Power(1, 1), [Fraction(1), HALF, Fraction(1, 3)]),
    (Power(HALF, 2), [HALF, Fraction(1, 8), Fraction(1, 18)]),
    (Power(HALF, 0), [HALF] * 3),
    (Power(HALF, -1), [HALF, Fraction(1), Fraction(1)]),  # min(1, t/2)
    (Power(0, -1000), [Fraction(0)] * 3),
    (Power(1, -1000), [Fraction(1)] * 3),
    (Geometric(HALF, HALF), [HALF, Fraction(1, 4), Fraction(1, 8)]),
    (Geometric(HALF, 0), [HALF, Fraction(0), Fraction(0)]),
    (Geometric(1, 1), [Fraction(1)] * 3),
    (Listed([0, HALF, 1]), [Fraction(0), HALF, Fraction(1)]),
    (Continued([1], Power(1, 2)), [Fraction(1), Fraction(1, 4), Fraction(1, 9)]),  # layers count on
    (Continued([0, HALF], Geometric(HALF, HALF)), [Fraction(0), HALF, Fraction(1, 8)]),
    (Continued([0, HALF, 0, 1, 1], Constant(1)), [Fraction(0), HALF, Fraction(0)]),
]


@pytest.mark.parametrize(("rule", "expected"), RULES)
def test_a_rule_gives_its_formula(rule: Schedule, expected: list[Fraction]) -> None:
    assert rule.exact(3) == tuple(expected)
    values = rule.values(3)
    assert values.dtype == np.float64
    # c, r^(t−1) and their product: three roundings, and pow may err by one more
    assert np.abs(values - [float(x) for x in expected]).max() <= 4 * 2.0**-53


@pytest.mark.parametrize("rule", [Constant(HALF), Power(HALF, 1), Geometric(HALF, HALF), Listed([])])
def test_no_layers_give_no_values(rule: Schedule) -> None:
    assert rule.exact(0) == () and rule.values(0).shape == (0,)


def test_an_irrational_rule_has_no_exact_values() -> None:
    assert Power(1, HALF).values(4)[3] == 0.5
    with pytest.raises(InputError, match="'beta' must be an integer"):
        Power(1, HALF).exact(4)


@given(mixing(5))
def test_a_number_a_list_an_array_and_a_schedule_mean_the_same(lam: tuple[Fraction, ...]) -> None:
    floats = [float(x) for x in lam]
    assert mixing_values(lam, 5).tolist() == floats
    assert mixing_values(np.array(floats), 5).tolist() == floats
    assert mixing_values(Listed(lam), 5).tolist() == floats
    assert mixing_values(lam[0], 5).tolist() == [floats[0]] * 5


REFUSED: list[tuple[Callable[[], object], Callable[[], object], str]] = [
    (lambda: Constant(1.2), lambda: Constant(1.0), r"'lam' must lie in \[0, 1\], not 1\.2\."),
    (lambda: Constant(-1e-300), lambda: Constant(0), "'lam'"),
    (lambda: Constant(float("nan")), lambda: Constant(0.5), "'lam'"),
    (lambda: Constant(True), lambda: Constant(1), "'lam'"),
    (lambda: Power(1.5, 1), lambda: Power(1, 1), "'c'"),
    (lambda: Power(0.5, float("inf")), lambda: Power(0.5, 1e308), "'beta'"),
    (lambda: Geometric(-0.1, 0.5), lambda: Geometric(0, 0.5), "'c'"),
    (lambda: Geometric(0.5, 1.1), lambda: Geometric(0.5, 1), "'r'"),
    (lambda: Listed([0.5, 1.5]), lambda: Listed([0.5, 1]), "layer 2"),
    (lambda: Listed([0.5, float("nan")]), lambda: Listed([0.5, 0]), "entry 2"),
    (lambda: Continued([0.5], Listed([0.5])), lambda: Continued([0.5], Constant(0.5)), "'rule' must be a constant"),
    (lambda: Continued([1.5], Constant(0)), lambda: Continued([1], Constant(0)), "layer 1"),
    (lambda: Listed(0.5), lambda: Listed([0.5]), "'lam'"),  # type: ignore[arg-type]
    (lambda: Listed([0.5]).values(2), lambda: Listed([0.5]).values(1), r"one value per layer \(2\), not 1 of them"),
    (lambda: Constant(0.5).values(-1), lambda: Constant(0.5).values(0), "'layers'"),
    (lambda: mixing_values(np.array([0.5, np.nan]), 2), lambda: mixing_values(np.array([0.5, 0]), 2), "entry 2"),
    (lambda: mixing_values("0.5", 2), lambda: mixing_values(0.5, 2), "'lam'"),
    (lambda: mixing_values([[0.5, 0.5]], 2), lambda: mixing_values([0.5, 0.5], 2), "'lam'"),
]


@pytest.mark.parametrize(("refused", "accepted", "message"), REFUSED)
def test_bad_rules_are_refused(refused: Callable[[], object], accepted: Callable[[], object], message: str) -> None:
    accepted()
    with pytest.raises(InputError, match=message):
        refused()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("0.1", Constant(Fraction(1, 10))),
        (" 1/3 ", Constant(Fraction(1, 3))),
        ("1e-3", Constant(Fraction(1, 1000))),
        ("power:0.5,1", Power(HALF, 1)),
        ("power: 1/2 , 3/2", Power(HALF, Fraction(3, 2))),
        ("geometric:0.5,1/2", Geometric(HALF, HALF)),
        ("0.5, 1/3", Listed([HALF, Fraction(1, 3)])),
        ("0.5,1/3 then power:1/2,1", Continued([HALF, Fraction(1, 3)], Power(HALF, 1))),
        ("1/2 then 0", Continued([HALF], Constant(0))),
    ],
)
def test_text_names_a_rule(text: str, rule: Schedule) -> None:
    assert read_schedule(text) == rule


@pytest.mark.parametrize(
    "text",
    ["", "1.2", "-1", "nan", "1/0", "power:1", "power:2,1", "power:0.5,1,1", "power:a,1", "power:", "geometric:1,2",
     "__import__('os')", "no/such/file.csv", "a\0b", "cubic:1,2", ".", "/",
     "0.5,", "0.5,x", "0.5,1.5", "0.5 then", "0.5 then 2", "0.5 then 0.5,0.5", "then 0.5", " then 0.5",
     "0.5 then 0.5 then 0.5", "no.csv then 0.5", "0.5 then __import__('os')", "0.5 then power:1"],
)  # fmt: skip
def test_other_text_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as caught:
        read_schedule(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("power:2,1", "lie in [0, 1], not 2 (c of power:c,beta)."),
        ("power:x,1", "be a number (decimal or fraction p/q), not 'x' (c of power:c,beta)."),
        ("power:1,", "be a number (decimal or fraction p/q), not '' (beta of power:c,beta)."),
        ("geometric:3/2,1/2", "lie in [0, 1], not 3/2 (c of geometric:c,r)."),
        ("geometric:1/2,2", "lie in [0, 1], not 2 (r of geometric:c,r)."),
        ("1e400", "lie in [0, 1], not about 1e+400."),
        ("no such", f"be {FORMS}, not 'no such'."),
        ("0.5 then", f"end in {END} after 'then', not '0.5 then'."),
        ("0.5 then ", f"end in {END} after 'then', not '0.5 then '."),
        ("0.5 THEN 0.2", "have 'then' in small letters between LIST and RULE, not '0.5 THEN 0.2'."),
        ("then 0.5", "have a list of numbers or a CSV file before 'then', not 'then 0.5'."),
        ("0.5 then 0.5 then 1", "have 'then' once, between LIST and RULE, not '0.5 then 0.5'."),
    ],
)
def test_a_refusal_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_schedule(text)
    assert str(caught.value) == f"Argument 'lam' must {message}"


def test_a_folder_is_called_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^Argument 'lam' must be a CSV file, not a folder \('/.*('|\.\.\.)\)\.$"):
        read_schedule(str(tmp_path))  # a long path is shortened


FILES = {
    "one value per line": ("0.5\n1/4\n1e-1\n", 3),
    "a header": ("lambda\n0.5\n0.25\n0.1\n", 3),
    "a byte order mark": ("\ufefflambda\n0.5\n0.25\n0.1\n", 3),
    "Windows line ends and blank lines": ("\r\n0.5\r\n0.25\r\n\r\n0.1\r\n", 3),
    "more columns": ("layer,Lambda\n1,0.5\n2,0.25\n3,0.1\n", 3),
    "layers from 0": ("layer,lambda\n0,0.5\n1,0.25\n2,0.1\n", 3),
    "one model": ("model,layer,lambda\na,1,0.5\na,2,0.25\na,3,0.1\n", 3),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_lists_lambda(name: str, tmp_path: Path) -> None:
    path = tmp_path / "lam.csv"
    path.write_bytes(FILES[name][0].encode())
    assert read_schedule(str(path)).exact(3) == (HALF, Fraction(1, 4), Fraction(1, 10))


def test_a_rule_continues_a_file(tmp_path: Path) -> None:
    path = tmp_path / "lam.csv"
    path.write_text("lambda\n0.5\n0.25\n")
    assert read_schedule(f"{path} then power:1,1").exact(4) == (HALF, Fraction(1, 4), Fraction(1, 3), Fraction(1, 4))


BAD_FILES = {
    "outside": (b"0.5\n1.5\n", r"lie in \[0, 1\], not 3/2 \(.*lam\.csv, line 2\)"),
    "not a number": (b"lambda\n0.5\nx\n", r"line 3"),
    "nan": (b"nan\n", r"line 1"),
    "code": (b"0.5\n__import__('os')\n", r"line 2"),
    "empty": (b"", "at least one value"),
    "blank": (b" \n\n", "at least one value"),
    "header only": (b"lambda\n", "header only"),
    "binary": (b"\x89PNG\xff\xfe\x00", "binary"),
    "two columns, no header": (b"1,0.5\n2,0.5\n", "line 1"),
    "unknown header": (b"value\n0.5\n", "line 1"),
    "ragged": (b"layer,lambda\n1,0.5\n2\n", "line 3"),
    "layers out of order": (b"layer,lambda\n1,0.5\n3,0.5\n", r"'layer' must count on by one, to 2, not 3 \(.*line 3\)"),
    "two models": (b"model,lambda\na,0.5\nb,0.5\n", r"one model, not 2 of them \(a, b\)"),
    "two data sets": (b"dataset,lambda\na,0.5\nb,0.5\n", r"one dataset, not 2 of them"),
    "null byte": (b"0.5\n\x00\n", "line 2"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_refused_with_its_place(name: str, tmp_path: Path) -> None:
    path = tmp_path / "lam.csv"
    data, message = BAD_FILES[name]
    path.write_bytes(data)
    with pytest.raises(InputError, match=message) as caught:
        read_schedule(str(path))
    assert "lam.csv" in str(caught.value) and "\n" not in str(caught.value)


def test_the_measured_table_of_all_models_is_refused(data_dir: Path) -> None:
    with pytest.raises(InputError, match="one model, not 5 of them"):
        read_schedule(str(data_dir / "mixing_coefficients.csv"))


@pytest.mark.parametrize("bad", [float("nan"), -1e-9, 1.0000001, float("inf")])
def test_an_array_is_asked_what_a_list_is_asked(bad: float) -> None:
    for lam in ([0.5, bad, 0.0], np.array([0.5, bad, 0.0])):
        with pytest.raises(InputError, match=r"'lam' must .* \((entry|layer) 2\b"):
            mixing_values(lam, 3)
    with pytest.raises(InputError, match="one value per layer"):
        mixing_values(np.array([0.5, 0.5]), 3)


def test_an_array_is_copied_and_loses_its_sign_of_zero() -> None:
    given = np.array([0.25, -0.0, 1.0])
    values = mixing_values(given, 3)
    given[0] = 9
    assert values.tolist() == [0.25, 0.0, 1.0] and not np.signbit(values).any()
