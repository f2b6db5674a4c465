"""The bounds of I5, I7, I8, D8 and the arrangements of D7 and X2 on the command line: check, depth, profile."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numeric.experiment import Experiment

Posbias = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tilted.csv").write_text("1,0,0\n1/2,1/2,0\n4/7,2/7,1/7\n")
    (tmp_path / "uniform.csv").write_text("1,0,0\n1/2,1/2,0\n1/3,1/3,1/3\n")
    (tmp_path / "two.csv").write_text("1,0,0\n1/2,1/2,0\n4/7,2/7,1/7\n\n1,0,0\n1/8,7/8,0\n1/9,7/9,1/9\n")
    (tmp_path / "stay.csv").write_text("1,0\n0,1\n")
    slopes = [[0.5, 0.4], [0.1, 0.2], [1.0, 2.0], [0.2, 0.3]]
    (tmp_path / "stack.yaml").write_text(Experiment(16, 4, 2, slopes=slopes, lam=[0.5, 0.6, 0.7, 0.2]).text())
    mixed = Experiment(16, 2, 2, slopes=[[0.1, 1.0], [0.5, 0.6]], lam=0.5)
    (tmp_path / "mixed.yaml").write_text(mixed.text())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def row(text: str, name: str) -> str:
    found = re.search(rf"^{re.escape(name)}  +(.*)$", text, re.M)
    assert found is not None, text
    return found[1]


# --- check ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
def test_check_says_how_far_drift_can_fail(posbias: Posbias) -> None:
    run = posbias("check", "tilted.csv", "--lam", "1/2")
    assert row(run.out, "drift") == "one-sided while every layer has this kernel (D5)"
    assert "another on top raises no tail by more than 0.0357143 (D8); its gap is 0.0714286" in run.out  # 1/2 · 1/14
    found = posbias("check", "tilted.csv", "--lam", "1/2", "--json").json()
    assert found["drift"]["gaps"] == [pytest.approx(1 / 14)]
    assert found["drift"]["layer_on_top"] == pytest.approx(1 / 28)
    assert found["drift"]["lambda_raised_to_one"] == 0  # nothing lies below the only layer
    assert found["drift"]["one_kernel"] is True


@pytest.mark.usefixtures("folder")
def test_check_of_a_stack_bounds_both_drifts(posbias: Posbias) -> None:
    run = posbias("check", "two.csv", "--lam", "1/2")
    assert row(run.out, "drift") == "one more layer raises no tail by more than 0.0357143 (D8)"
    # layer 2 gives away at most 8/9, with λ raised by 1/2 above λ = 1/2 of a kernel with gap 1/14
    assert "lambda raised to 1 raises none by more than 0.015873; largest gap of a layer 0.0714286" in run.out


@pytest.mark.usefixtures("folder")
def test_check_says_where_drift_is_one_sided(posbias: Posbias) -> None:
    assert row(posbias("check", "uniform.csv").out, "drift") == "one-sided: every layer is monotone (D1, D2)"
    assert posbias("check", "uniform.csv", "--json").json()["drift"]["layer_on_top"] == 0


@pytest.mark.usefixtures("folder")
def test_check_bounds_the_first_token_and_the_mean(posbias: Posbias) -> None:
    """J(i)/(i−1) = 1/2 in the uniform kernel; its first column is 1/2 and 1/3."""
    run = posbias("check", "uniform.csv", "--lam", "1/2")
    assert row(run.out, "mean position") == "2.500, between 2.500 and 2.500 by I7"
    assert row(run.out, "first token") == "0.166667, at least 0.166667 (I8), at most 0.25 (I8)"
    found = posbias("check", "uniform.csv", "--lam", "1/2", "--json").json()["first_token"]
    assert found["bounds"]["I8"] == [pytest.approx(1 / 6), pytest.approx(1 / 4)]
    assert found["sharpest"] == {"below": "I8", "above": "I8"}


@pytest.mark.usefixtures("folder")
def test_check_says_where_there_is_no_bound(posbias: Posbias) -> None:
    assert row(posbias("check", "stay.csv").out, "first token") == "0, no bound from below, at most 0 (I8)"


# --- depth ----------------------------------------------------------------------------------------


def test_depth_names_the_sharpest_bound(posbias: Posbias) -> None:
    run = posbias("depth", "--lam", "1/2", "--kernel", "uniform", "-n", "64")
    assert row(run.out, "layers needed").startswith("29, the smallest T")
    assert row(run.out, "proven enough") == "31 (I7), 321 (I5), 588 (I8); I7 is the sharpest"
    assert row(run.out, "proven needed") == "17 (I8)"


@pytest.mark.parametrize(
    ("words", "needed", "sharpest"),
    [
        ("--slope 1/10", 45, "I7"),
        ("--slope 1/10 --sink 1/10", 37, "I7"),
        ("--kernel uniform --window 8", 64, "I7"),
        ("--slope 1/2 --window 8", 145, "I5"),
        ("--kernel uniform --window 16 --sink 1/4", 27, "I8"),
        ("--heads 4 --sink 1", 7, "I8"),
    ],
)
def test_depth_of_each_kind_of_kernel(posbias: Posbias, words: str, needed: int, sharpest: str) -> None:
    found = posbias("depth", "--lam", "1/2", "-n", "64", *words.split(), "--json").json()
    assert found["layers_needed"] == needed
    enough = {g["statement"]: g["layers"] for g in found["guarantees"] if g["side"] == "enough"}
    assert min(enough.values()) == enough[sharpest] >= needed
    assert all(g["layers"] <= needed for g in found["guarantees"] if g["side"] == "at least")


def test_bounds_answer_what_comparisons_leave_open(posbias: Posbias) -> None:
    """Two positions of which one gives the sink's share and 10^-304 more: no comparison tells P_n1 from 1/2."""
    words = ("--lam", "1/2", "--slope", "700", "-n", "2", "--eta", "1/2", "--sink", "1/1000000")
    run = posbias("depth", *words)
    assert row(run.out, "layers needed") == "1386295, the smallest T at which P_n1 >= 1 - 1/2"
    assert row(run.out, "proven enough") == "1386295 (I5, I7, I8)"
    assert row(run.out, "proven needed") == "1386295 (I8)"
    assert posbias("depth", *words, "--json").json()["layers_needed_bounds"] == [1386295, 1386295]


def test_a_bound_that_asks_for_too_many_layers_is_named(posbias: Posbias) -> None:
    words = ("--lam", "power:1/2,9/10", "--slope", "4", "-n", "64")
    run = posbias("depth", *words)
    assert row(run.out, "proven enough") == "more than 1000000000000000 (I5, I7, I8)"
    assert row(run.out, "proven needed") == "1000000000000001 (I8)"
    found = posbias("depth", *words, "--json").json()["guarantees"]
    assert [(g["layers"], g["layers_bounds"]) for g in found] == [(None, [10**15 + 1, None])] * 4


def test_a_prefix_of_one_token_is_no_prefix(posbias: Posbias) -> None:
    words = ("profile", "--layers", "3", "--slope", "1/2", "--lam", "1/2", "-n", "9", "--order")
    alone, prefixed = posbias(*words).out, posbias(*words, "--prefix", "1").out
    assert row(prefixed, "prefix") == "token 1 alone: the kernels are causal"
    assert [line for line in prefixed.splitlines() if not line.startswith("prefix")] == alone.splitlines()


def test_what_a_prefix_has_no_part_of_is_said_in_words(posbias: Posbias) -> None:
    run = posbias("profile", "--layers", "3", "--slope", "1/2", "--lam", "1/2", "-n", "9", "--prefix", "2")
    assert row(run.out, "decomposition").startswith("none: it is that of causal kernels")


def test_depth_without_a_kernel_has_no_rows(posbias: Posbias) -> None:
    run = posbias("depth", "--lam", "1/2", "--epsilon", "1/4", "-n", "8")
    assert "proven" not in run.out
    assert posbias("depth", "--lam", "1/2", "--kernel", "uniform", "-n", "1", "--json").json()["guarantees"] == []


def test_a_window_of_one_never_moves(posbias: Posbias) -> None:
    run = posbias("depth", "--lam", "1/2", "--kernel", "uniform", "--window", "1", "-n", "5")
    assert row(run.out, "verdict") == "no collapse (I1)"
    sunk = posbias("depth", "--lam", "1/2", "--kernel", "uniform", "--window", "1", "--sink", "1/3", "-n", "5")
    assert row(sunk.out, "verdict") == "collapse (I3, I4)"
    assert row(sunk.out, "kernel") == "uniform, window of 1, and a sink of 1/3 on token 1"


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        ("--window 8", "'--window' must come with --kernel uniform or with --slope, one of them, not without."),
        ("--window 8 --heads 3", "one of them, not with --heads."),
        ("--window 8 --slope 1 --heads 3", "one of them, not with --slope and --heads."),
        ("--window 8 --slope 1 --kernel uniform", "one of them, not with --kernel 'uniform' and --slope."),
        ("--window 8 --kernel k.csv", "one of them, not with --kernel 'k.csv'."),
        ("--window 0 --slope 1", "'--window' must be an integer in [1, 4096]"),
        ("--window 8 --slope -1", "'--slope' must lie in [0, 700]"),
        ("--window 8 --slope 1 --slopes paper", "'--slopes' must be left out beside --window"),
        ("--sink 1/3", "'--sink' must come with a kernel (--kernel, --slope or --heads), not without."),
        ("--sink 0 --slope 1", "'--sink' must lie in (0, 1]"),
        ("--sink 3/2 --slope 1", "'--sink' must lie in (0, 1]"),
        ("--sink x --slope 1", "'--sink' must be"),
    ],
)
def test_depth_refuses(posbias: Posbias, words: str, refusal: str) -> None:
    run = posbias("depth", "--lam", "1/2", *words.split())
    assert (run.code, run.out) == (2, "")
    assert refusal in run.err
    assert run.err.count("\n") == 1


# --- profile --------------------------------------------------------------------------------------


def test_profile_bounds_its_mean(posbias: Posbias) -> None:
    """Uniform layers: E[pos] = 1 + (n − 1) (1 − λ/2)^T exactly."""
    run = posbias("profile", "--layers", "3", "--slope", "0", "--lam", "1/2", "-n", "65")
    assert row(run.out, "mean position") == "28.000, between 28.000 and 28.000 by I7"
    found = posbias("profile", "bloom-176b", "--json").json()
    low, high = found["mean_position_bounds"]
    assert low <= found["mean_position"] <= high
    below, above = (found["first_token"]["bounds"]["I8"][k] for k in (0, 1))
    assert below <= found["first_token"]["value"] == found["profile"][0] <= above


@pytest.mark.usefixtures("folder")
def test_profile_arranges_layers(posbias: Posbias) -> None:
    run = posbias("profile", "stack.yaml", "--order")
    assert row(run.out, "most recent").startswith("layers 2, 4, 1, 3 from below, mean position ")
    assert row(run.out, "most primacy").startswith("layers 3, 1, 4, 2 from below, mean position ")
    found = posbias("profile", "stack.yaml", "--order", "--json").json()
    recent, primacy = found["order"]["most_recent"], found["order"]["most_primacy"]
    tails = [np.cumsum(p[::-1]) for p in (primacy["profile"], found["profile"], recent["profile"])]
    assert (np.diff(tails, axis=0) >= -1e-15).all()
    assert recent["layers"] == [2, 4, 1, 3] == primacy["layers"][::-1]


@pytest.mark.usefixtures("folder")
def test_profile_says_where_the_order_is_open_or_idle(posbias: Posbias) -> None:
    open_ = posbias("profile", "mixed.yaml", "--order")
    assert row(open_.out, "order") == "D7 says nothing: the slopes of layers 1 and 2 overlap"
    assert posbias("profile", "mixed.yaml", "--order", "--json").json()["order"]["most_recent"] is None
    assert row(posbias("profile", "mpt-7b", "--order").out, "order").startswith("any: all layers read alike")
    assert "order" not in posbias("profile", "mixed.yaml", "--json").json()


@pytest.mark.usefixtures("folder")
def test_profile_of_a_prefix_lm(posbias: Posbias) -> None:
    run = posbias("profile", "stack.yaml", "--prefix", "5")
    found = posbias("profile", "stack.yaml", "--prefix", "5", "--json").json()
    assert found["prefix"] == {"length": 5, "share": pytest.approx(sum(found["profile"][:5]))}
    assert row(run.out, "prefix").startswith("tokens 1-5 see each other, share ")
    assert "I7" not in run.out
    assert found["shape"] != "undecided"
    causal = posbias("profile", "stack.yaml", "--json").json()
    one = posbias("profile", "stack.yaml", "--prefix", "1", "--json").json()
    assert one["profile"] == pytest.approx(causal["profile"])


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        ("--prefix 17", "'--prefix' must be at most 16, the number of positions"),
        ("--prefix 0", "'--prefix' must be an integer in [1, "),
        ("--prefix 2 --order", "'--order' must be left out beside --prefix"),
    ],
)
def test_profile_refuses(posbias: Posbias, words: str, refusal: str) -> None:
    run = posbias("profile", "stack.yaml", *words.split())
    assert (run.code, run.out) == (2, "")
    assert refusal in run.err


def test_bounds_hold_for_rows_that_miss_the_sum(posbias: Posbias, tmp_path: Path) -> None:
    """Within the tolerance: what 30 layers lose or gain is allowed for."""
    for name, factor in (("less", 1 - 9e-7), ("more", 1 + 9e-7)):
        np.save(tmp_path / f"{name}.npy", np.array([np.array([[1, 0], [0.5, 0.5]]) * factor] * 30))
        found = posbias("check", tmp_path / f"{name}.npy", "--lam", "1/2", "--json").json()
        low, high = found["mean_position_bounds"]
        assert low <= found["mean_position"] <= high
        for least, most in found["first_token"]["bounds"].values():
            assert least <= found["first_token"]["value"] <= most


def test_where_no_depth_is_enough_none_is_needed(posbias: Posbias, tmp_path: Path) -> None:
    (tmp_path / "still.csv").write_text("1,0,0\n0,1,0\n0,1,0\n")
    run = posbias("depth", "--lam", "1/2", "--kernel", tmp_path / "still.csv")
    assert row(run.out, "layers needed").startswith("never")
    assert "proven" not in run.out


def test_rounding_that_the_file_shows_is_no_bad_input(posbias: Posbias, tmp_path: Path) -> None:
    """A row sum that misses 1 by a few roundings: more than one float sum of quotients, less than the tolerance."""
    np.save(tmp_path / "off.npy", np.array([[1.0, 0.0], [0.5, 0.5 + 6 * 2.0**-52]]))
    run = posbias("check", tmp_path / "off.npy")
    assert (run.code, run.err) == (0, "")
