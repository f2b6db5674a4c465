"""Kernels from files, described exactly: monotone, rounding, stacks, and the command that prints it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numeric.kernel import Alibi, Prefix, Uniform
from numeric.order import monotonicity_defect
from numeric.strategies import causal_kernels, monotone_kernels
from proofs.check_kernel import Description, describe
from proofs.kernel_file import read_kernel

Posbias = Callable[..., Any]
LIMIT = Fraction(1, 10**6)
# w = (1, 1/2, 1/8), e = 2: D4's kernel that is not monotone, F(2, 2) = 1/2 above F(3, 2) = 6/14
TILTED = "1,0,0\n1/2,1/2,0\n8/14,4/14,2/14\n"
MONOTONE = "1,0,0\n1/2,1/2,0\n1/3,1/3,1/3\n"
FIRST = "1,0,0\n1,0,0\n1,0,0\n"


def written(folder: Path, text: str) -> Path:
    file = folder / "k.csv"
    file.write_text(text)
    return file


def described(file: Path, tolerance: Fraction = LIMIT, *, renormalise: bool = False) -> Description:
    return describe(read_kernel(str(file)), tolerance, renormalise=renormalise)


def saved(folder: Path, array: Any) -> Path:
    file = folder / "k.npy"
    np.save(file, array)
    return file


def text_of(rows: Sequence[Sequence[Fraction]]) -> str:
    return "\n".join(",".join(map(str, row)) for row in rows)


# --- decided exactly ------------------------------------------------------------------------------------------------


@given(st.integers(1, 6).flatmap(causal_kernels))
def test_agrees_with_the_defect_in_rationals(tmp_path_factory: pytest.TempPathFactory, rows: Any) -> None:
    folder = tmp_path_factory.getbasetemp()
    found = described(written(folder, text_of(rows)))
    defect, cell = monotonicity_defect([list(map(Fraction, row)) for row in rows])
    assert found.monotone is (cell is None)
    assert (0 if found.worst is None else found.worst.defect) == float(defect)
    if found.worst is not None and cell is not None:
        assert (found.worst.i, found.worst.k) == (cell[0] + 1, cell[1] + 1)


@given(st.integers(1, 6).flatmap(monotone_kernels))
def test_monotone_kernels_are_found_monotone(tmp_path_factory: pytest.TempPathFactory, rows: Any) -> None:
    assert described(written(tmp_path_factory.getbasetemp(), text_of(rows))).monotone is True


@settings(max_examples=50)
@given(st.integers(1, 5).flatmap(causal_kernels))
def test_renormalising_an_exact_kernel_changes_nothing(tmp_path_factory: pytest.TempPathFactory, rows: Any) -> None:
    file = written(tmp_path_factory.getbasetemp(), text_of(rows))
    plain, scaled = described(file), described(file, renormalise=True)
    assert (plain.monotone, plain.worst) == (scaled.monotone, scaled.worst)


def test_known_kernels(tmp_path: Path) -> None:
    assert described(written(tmp_path, MONOTONE)).monotone is True
    found = described(written(tmp_path, TILTED))
    assert found.monotone is False
    assert found.worst is not None
    assert (found.worst.layer, found.worst.i, found.worst.k) == (1, 2, 2)
    assert found.worst.defect == float(Fraction(1, 2) - Fraction(6, 14))


def test_one_position(tmp_path: Path) -> None:
    found = described(written(tmp_path, "1\n"))
    assert (found.size, found.monotone) == (1, True)
    assert found.row_sum.defect == 0


def test_difference_below_a_float_is_seen(tmp_path: Path) -> None:
    tiny = Fraction(1, 10**200)
    half = Fraction(1, 2)
    rows = [[Fraction(1), Fraction(0), Fraction(0)], [half, half, Fraction(0)], [half + tiny, half - tiny, Fraction(0)]]
    assert described(written(tmp_path, text_of(rows))).monotone is False
    rows[1], rows[2] = [half + tiny, half - tiny, Fraction(0)], [half, half, Fraction(0)]
    assert described(written(tmp_path, text_of(rows))).monotone is True


@pytest.mark.parametrize("n", [1, 2, 130, 257])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "float16", "float32", "float64", ">f8"])
def test_identity_of_every_type(tmp_path: Path, n: int, dtype: str) -> None:
    found = described(saved(tmp_path, np.eye(n, dtype=dtype)))
    assert found.monotone is True
    assert found.row_sum.defect == 0
    assert found.matrices[0].dtype == np.float64


# --- rounding -------------------------------------------------------------------------------------------------------


def kernels() -> dict[str, Any]:
    weights = 1.0 + np.arange(64.0) % 5
    return {
        "alibi": Alibi([0.5, 0.01, 3.0]).matrix(64),
        "steep": Alibi(5.0).matrix(64),
        "content": Alibi(2.0, content=3.0).matrix(64),
        "uniform": Uniform().matrix(64),
        "prefix": Prefix(weights).matrix(64),
    }


@pytest.mark.parametrize("name", kernels())
@pytest.mark.parametrize("form", ["float64", "float32", "float16", "%.6f", "%.3f", "%.18e", "%.6e", "%r"])
def test_a_rounded_monotone_kernel_is_never_called_not_monotone(tmp_path: Path, name: str, form: str) -> None:
    matrix = kernels()[name]
    if form.startswith("%"):
        file = tmp_path / "k.csv"
        file.write_text("\n".join(",".join(form % x for x in row) for row in matrix.tolist()))
    else:
        file = saved(tmp_path, matrix.astype(form))
    found = described(file, Fraction(1, 10))
    assert found.monotone is not False
    assert described(file, Fraction(1, 10), renormalise=True).monotone is not False
    if found.monotone is None:
        assert found.worst is not None
        assert 0 < found.worst.defect <= found.worst.explained


@pytest.mark.parametrize("form", ["float64", "float32", "float16"])
def test_a_defect_beyond_rounding_is_decided(tmp_path: Path, form: str) -> None:
    matrix = Uniform().matrix(64)
    matrix[40] = np.eye(64)[0]  # row 41 reads token 1 only: F(40, 2) = 39/40 drops to 0
    found = described(saved(tmp_path, matrix.astype(form)), Fraction(1, 10))
    assert found.monotone is False
    assert found.worst is not None
    assert (found.worst.i, found.worst.k) == (40, 2)
    assert found.worst.defect == pytest.approx(39 / 40, abs=1e-3)


def test_exact_rows_leave_nothing_to_rounding(tmp_path: Path) -> None:
    # one decimal each, rows that sum to 1: a defect of 0.1 is one, not the rounding of 0.5
    assert described(written(tmp_path, "1,0,0\n0.5,0.5,0\n0.6,0.4,0\n")).monotone is False


def test_row_sum_defect_is_reported_and_divided_out_only_when_asked(tmp_path: Path) -> None:
    file = written(tmp_path, "1,0\n0.4999999,0.5\n")
    plain, scaled = described(file), described(file, renormalise=True)
    assert plain.row_sum.row == 2
    assert plain.row_sum.defect == scaled.row_sum.defect == Fraction(1, 10**7)
    assert plain.matrices[0].tolist() == [[1, 0], [0.4999999, 0.5]]
    assert scaled.matrices[0].sum(axis=1) == pytest.approx([1, 1], abs=1e-15)


# --- stacks ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [MONOTONE + TILTED + FIRST, "\n\n".join([MONOTONE, TILTED, FIRST])])
def test_stacks_as_text(tmp_path: Path, text: str) -> None:
    found = described(written(tmp_path, "# three layers\n" + text))
    assert (found.size, found.stacked, found.layers_monotone) == (3, True, (True, False, True))
    assert found.worst is not None
    assert found.worst.layer == 2
    assert found.monotone is False


def test_stack_as_array(tmp_path: Path) -> None:
    found = described(saved(tmp_path, np.stack([np.eye(5)] * 3)))
    assert (found.size, found.stacked, found.layers_monotone) == (5, True, (True,) * 3)
    assert described(saved(tmp_path, np.eye(5)[None])).stacked is True
    assert described(saved(tmp_path, np.eye(5))).stacked is False


# --- the command ----------------------------------------------------------------------------------------------------


def test_json(posbias: Posbias, tmp_path: Path) -> None:
    found = posbias("check", written(tmp_path, TILTED), "--json").json()
    assert list(found) == [
        "length", "layers", "causal", "stochastic", "row_sum", "monotone", "defect", "worst", "explained", "applies",
        "applies_in_part", "fails", "undecided", "other", "lam", "profile", "shape", "valley", "spike",
        "mean_position", "first_tenth", "last_tenth", "collapsed", "drift", "mean_position_bounds", "first_token",
    ]  # fmt: skip
    assert (found["causal"], found["stochastic"], found["monotone"]) == (True, True, False)
    assert found["worst"] == {"layer": 1, "i": 2, "k": 2}
    assert found["lam"] == [1]
    assert found["profile"] == pytest.approx([8 / 14, 4 / 14, 2 / 14])
    assert {"S1", "I1"} <= set(found["applies"])
    assert {"S3", "S4", "S5", "D1"}.isdisjoint(found["applies"])
    assert {"id": "D1", "parts": ["bottom"]} in found["applies_in_part"]
    assert {"id": "D1", "part": "any depth", "hypothesis": "monotone below"} in found["fails"]
    assert "S2" in found["other"]
    assert not [part for part in found["undecided"] if part["id"] in ("S1", "S3", "S4", "S5", "D1", "I1")]


def test_json_of_a_monotone_kernel(posbias: Posbias, tmp_path: Path) -> None:
    found = posbias("check", written(tmp_path, MONOTONE), "--json", "--lam", "1/2").json()
    assert (found["monotone"], found["defect"], found["worst"]) == (True, 0, None)
    assert {"S1", "S3", "S4", "S5", "D1", "I1"} <= set(found["applies"])
    assert found["profile"] == pytest.approx([1 / 6, 1 / 6, 2 / 3])


def test_undecided_is_null_and_says_why(posbias: Posbias, tmp_path: Path) -> None:
    file = saved(tmp_path, Alibi(5.0).matrix(64))
    found = posbias("check", file, "--json").json()
    assert found["monotone"] is None
    assert {"id": "D1", "part": "any depth", "hypothesis": "monotone below"} in found["undecided"]
    assert "undecided, F(" in posbias("check", file).out
    assert "rounding explains up to" in posbias("check", file).out


def test_stack_with_its_own_mixing(posbias: Posbias, tmp_path: Path) -> None:
    file = written(tmp_path, MONOTONE + FIRST)
    (tmp_path / "lam.csv").write_text("1\n0.5\n")
    found = posbias("check", file, "--lam", tmp_path / "lam.csv", "--json").json()
    # layer 2 leaves half on token 3, which layer 1 spreads; the other half goes to token 1
    assert found["profile"] == pytest.approx([1 / 2 + 1 / 6, 1 / 6, 1 / 6])
    assert found["lam"] == [1, 0.5]


def test_collapse_is_said(posbias: Posbias, tmp_path: Path) -> None:
    assert "collapsed        on position 1, mass 1" in posbias("check", written(tmp_path, FIRST)).out


def test_tolerance_is_what_was_asked_for(posbias: Posbias, tmp_path: Path) -> None:
    file = written(tmp_path, "1,0\n0.5,0.49\n")
    assert posbias("check", file, "--renormalise").code == 2
    assert posbias("check", file, "--tolerance", "0.009").code == 2
    assert posbias("check", file, "--tolerance", "0.01").code == 0
    found = posbias("check", file, "--tolerance", "0.01", "--renormalise", "--json").json()
    assert found["row_sum"] == {"layer": 1, "row": 2, "defect": 0.01, "renormalised": True}
    assert sum(found["profile"]) == pytest.approx(1, abs=1e-15)
