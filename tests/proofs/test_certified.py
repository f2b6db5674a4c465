"""posbias profile --certified: bounds, intervals and shapes that are proven, on the command line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from numeric.exact import ExactPrefix, exact_profile

Posbias = Callable[..., Any]
FLAT = ("profile", "--layers", "3", "--slope", "0", "--lam", "0.5", "-n", "7", "--certified")
EXACT = exact_profile([ExactPrefix((1,) * 7)] * 3, Fraction(1, 2), n=7)


def inside(interval: list[float], value: Fraction) -> bool:
    return Fraction(interval[0]) <= value <= Fraction(interval[1])


def test_json_has_a_bound_for_every_entry_and_intervals(posbias: Posbias, tmp_path: Path) -> None:
    file = tmp_path / "influence.csv"
    file.write_text("position,influence\n" + "".join(f"{j},{x}\n" for j, x in enumerate([4, 1, 1, 1, 1, 1, 7])))
    found = posbias(*FLAT, "--against", file, "--json").json()
    assert list(found)[16:19] == ["bound", "mean_position_interval", "mean_position_bounds"]
    for p, bound, exact in zip(found["profile"], found["bound"], EXACT, strict=True):
        assert abs(Fraction(p) - exact) <= Fraction(bound) < Fraction(1, 10**16)
    mean = 1 + sum((j * x for j, x in enumerate(EXACT)), Fraction(0))
    assert inside(found["mean_position_interval"], mean) and inside(found["mean_position_bounds"], mean)
    measured = [Fraction(x, 16) for x in (4, 1, 1, 1, 1, 1, 7)]
    tails = [sum(EXACT[k:], Fraction(0)) - sum(measured[k:], Fraction(0)) for k in range(1, 7)]
    gap = sum(map(abs, tails), Fraction(0)) / 6
    low, high = found["against"]["wasserstein_interval"]
    assert inside([low, high], gap) and high - low < 1e-15 and low <= found["against"]["wasserstein"] <= high + 1e-15


def test_text_says_the_largest_bound(posbias: Posbias) -> None:
    found = posbias(*FLAT, "--json").json()
    text = posbias(*FLAT).out
    (largest,) = re.findall(r"^error bound +at most (\S+) in every entry, proven$", text, re.M)
    assert float(largest) == pytest.approx(max(found["bound"]), rel=1e-2)
    assert float(largest) >= max(found["bound"])
    low, high = found["mean_position_interval"]
    assert f"mean position in [{low!r}, {high!r}]" in text
    assert text.isascii()


def test_only_where_it_is_asked_for(posbias: Posbias) -> None:
    plain = posbias(*FLAT[:-1], "--json").json()
    assert "bound" not in plain and "mean_position_interval" not in plain
    assert "error bound" not in posbias(*FLAT[:-1]).out


def test_the_bounds_decide_what_documented_roundings_leave_open(posbias: Posbias) -> None:
    # the last two entries differ by 1 in 10^12: beyond the bounds, within what 1,000 plain layers may have rounded
    flags = ("profile", "--layers", "1000", "--slope", "0", "--lam", "1e-15", "-n", "3", "--json")
    assert posbias(*flags).json()["shape"] == "undecided"
    assert posbias(*flags, "--certified").json()["shape"] == "U"
    # a tie stays open: one layer of the uniform kernel
    tie = ("profile", "--layers", "1", "--slope", "0", "--lam", "1", "-n", "7", "--certified")
    found = posbias(*tie, "--json").json()
    assert (found["shape"], found["valley"]["position"]) == ("undecided", None)


def test_csv_has_the_bounds(posbias: Posbias, tmp_path: Path) -> None:
    file = tmp_path / "profile.csv"
    found = posbias(*FLAT, "--csv", file, "--json").json()
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert list(rows[0]) == ["position", "profile", "bound"]
    assert [float(row["bound"]) for row in rows] == found["bound"]
    assert posbias(*FLAT, "--csv", file).code == 0  # a profile replaces a profile


def test_without_layers_nothing_rounds(posbias: Posbias) -> None:
    found = posbias("profile", "--layers", "0", "--slope", "1", "--lam", "1", "-n", "3", "--certified", "--json").json()
    assert found["bound"] == [0, 0, 0] and found["mean_position_interval"] == [3, 3]


def test_a_prefix_is_refused(posbias: Posbias, tmp_path: Path) -> None:
    file = tmp_path / "profile.csv"
    run = posbias(*FLAT, "--prefix", "2", "--csv", file)
    assert (run.code, run.out, file.exists()) == (2, "", False)
    assert run.err == (
        "Argument '--certified' must be left out beside --prefix, not given (its bounds are for causal kernels).\n"
    )
    assert posbias(*FLAT, "--prefix", "1").code == 0
