"""``posbias depth``: what it prints, its JSON, kernels from files, and everything that it refuses."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Posbias = Callable[..., Any]
KEYS = {
    "lam", "kernel", "length", "layers", "verdict", "statements", "reason", "would_decide", "diagonal", "first_token",
    "eta", "layers_needed", "layers_needed_by", "layers_needed_outcome", "layers_needed_bounds", "guarantees",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "stairs.csv").write_text("1,0,0\n1,0,0\n0,1,0\n")
    (tmp_path / "still.csv").write_text("1,0,0\n0,1,0\n1/2,1/4,1/4\n")
    (tmp_path / "thirds.csv").write_text("1,0,0\n0.5,0.5,0\n0.333333,0.333333,0.333333\n")
    (tmp_path / "rough.csv").write_text("1,0\n0.5,0.4\n")
    (tmp_path / "two.csv").write_text("1,0\n1/2,1/2\n\n1,0\n1/3,2/3\n")
    (tmp_path / "future.csv").write_text("0.5,0.5\n0.5,0.5\n")
    (tmp_path / "nan.csv").write_text("1,0\nnan,1\n")
    (tmp_path / "lam.csv").write_text("lambda\n0.9\n0.8\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty.csv").write_text("")
    np.save(tmp_path / "single.npy", np.array([[1, 0], [0.3, 0.7]], dtype=np.float32))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_example_of_the_help_works(posbias: Posbias) -> None:
    found = re.search(r"^ *posbias (depth --lam .*)$", posbias("depth", "--help").out, re.M)  # on one line, to paste
    assert found is not None
    run = posbias(*shlex.split(found[1]))
    assert (run.code, run.err) == (0, "")
    assert re.search(r"^verdict +collapse \(I3, I4\)$", run.out, re.M)
    assert re.search(r"^layers needed +171, the smallest T at which P_n1 >= 1 - 0\.01$", run.out, re.M)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--lam 1/2 --kernel uniform -n 2 --eta 1/4", {"layers_needed": 5, "layers_needed_by": "kernel"}),
        ("--lam 1 --kernel uniform -n 2 --eta 1/4", {"layers_needed": 2, "layers_needed_bounds": [2, 2]}),
        ("--lam 1 --kernel stairs.csv", {"layers_needed": 2, "statements": ["I3", "I4"]}),
        ("--lam 1 --kernel stairs.csv -T 1", {"first_token": [0, 0], "layers": 1, "diagonal": [0, 0]}),
        ("--lam 1 --kernel stairs.csv -T 2", {"first_token": [1, 1]}),
        ("--lam 1 --kernel stairs.csv -n 2 -T 1", {"first_token": [1, 1], "length": 2}),
        ("--lam 1 --kernel still.csv", {"verdict": "no collapse", "statements": ["I1"], "layers_needed": None}),
        ("--lam 1 --kernel still.csv", {"layers_needed_outcome": "never", "layers_needed_bounds": None}),
        ("--lam 1/2 --epsilon 1/2 -n 2 --eta 0.1", {"layers_needed": 9, "layers_needed_by": "I5"}),
        ("--lam 1/2 --epsilon 1/2 -n 2 -T 0", {"first_token": [0, 0], "layers": 0, "eta": "1/100"}),
        ("--lam 1/2 -n 2 -T 1", {"verdict": "undecided", "first_token": [0, 0.5], "diagonal": [0, 1]}),
        ("--lam geometric:1/2,0", {"verdict": "no collapse", "diagonal": [0.5, 1], "first_token": [0, 0.5]}),
        ("--lam power:1,2 --slope 0.5 -n 4", {"verdict": "no collapse", "statements": ["I2"]}),
        ("--lam power:1,2 --epsilon 0.5 -n 4", {"verdict": "undecided"}),
        ("--lam lam.csv --heads 4 -n 4", {"verdict": "undecided", "kernel": "ALiBi, paper, 2^(-8h/4)"}),
        ("--lam 'lam.csv then 0.5' --heads 4 --slopes model -n 4", {"verdict": "collapse"}),
        ("--lam 0 --kernel uniform -n 1", {"verdict": "collapse", "layers_needed": 0, "first_token": [1, 1]}),
        ("--lam power:1,1/2 -n 1", {"layers_needed": 0, "layers_needed_by": None, "layers_needed_bounds": [0, 0]}),
        ("--lam 0 -n 1 --epsilon 1", {"layers_needed": 0, "layers_needed_by": "I5", "first_token": [1, 1]}),
        ("--lam 1/2,1 -n 1", {"layers_needed": 0, "verdict": "collapse"}),
        ("--lam 0", {"layers_needed": None, "layers_needed_outcome": "never", "layers_needed_by": "I2"}),
        ("--lam 0 --epsilon 1 -n 2 --eta 0.999", {"layers_needed_outcome": "never", "first_token": [0, 0]}),
        ("--lam '1/2 then 0' -n 2 --eta 1/2", {"layers_needed_outcome": "unknown"}),  # 1/2 is reached, by some
        ("--lam '1/2 then 0' -n 2 --eta 0.499", {"layers_needed_outcome": "never"}),
        ("--lam '1/2 then 0' -n 2 --eta 1/2 --epsilon 1", {"layers_needed": 1, "layers_needed_by": "I5"}),
        ("--lam 1/2 --kernel thirds.csv --renormalise", {"verdict": "collapse"}),
        ("--lam 1/2 --kernel single.npy --renormalise", {"length": 2, "verdict": "collapse"}),
    ],
)  # fmt: skip
def test_json(posbias: Posbias, folder: Path, words: str, expected: dict[str, Any]) -> None:
    run = posbias("depth", *shlex.split(words), "--json")
    assert (run.code, run.err) == (0, "")
    found = run.json()
    assert set(found) == KEYS
    assert {key: found[key] for key in expected} == expected
    assert (found["would_decide"] is None) == (found["verdict"] != "undecided")
    for low, high in (found["diagonal"], found["first_token"]):
        assert 0 <= low <= high <= 1


@pytest.mark.parametrize(
    ("words", "pattern"),
    [
        ("--lam power:1/2,2 --epsilon 1/2 -n 8", r"never P_n1 >= 1 - 0\.01, whatever the kernels \(I2\): the limit is"),
        ("--lam power:1,2 --epsilon 1/2 -n 8", r"at no T the bound of I5 gives P_n1 >= 1 - 0\.01, which does not"),
        ("--lam 0 -n 1", r"layers needed +0, the smallest T at which P_n1 >= 1 - 0\.01"),
        ("--lam power:1/2,2 --kernel uniform -n 8", r"never P_n1 >= 1 - 0\.01: the limit is smaller"),
        ("--lam 1/2", r"unknown for P_n1 >= 1 - 0\.01: give a kernel or --epsilon"),
        (
            "--lam power:1/2,1 --epsilon 1/2 -n 99",
            r"more than 10{15} until the bound of I5 gives .*deeper was not looked",
        ),
        ("--lam 1/2 --slope 60 -n 8", r"more than \d+ until P_n1 >= 1 - 0\.01; no comparison decided the rest"),
        ("--lam 1 --kernel still.csv", r"row 2 never moves: A_2,2 = 1"),
        ("--lam 1 --kernel still.csv", r"lim P_n1 in \[0\.6666666666, 0\.6666666667\]"),
        ("--lam power:1,2", r"would decide +whether A_ii > 0"),
        ("--lam 1", r"A_ii = 1 − 1/\(t\+1\)²"),
        ("--lam power:0.99,1.001 --kernel uniform -n 8", r"lim P_nn at most 5e-324, too small to tell from 0\n"),
        ("--lam 1/4,1/4", r"the list of λ_t ends at layer 2"),
        ("--lam 1/2 --kernel uniform -n 3 -T 2", r"P_n1 at T = 2 in \[0\.3194444444, 0\.3194444445\]"),
    ],
)
def test_text(posbias: Posbias, folder: Path, words: str, pattern: str) -> None:
    run = posbias("depth", *shlex.split(words))
    assert (run.code, run.err) == (0, "")
    assert re.search(pattern, run.out), run.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "'--lam' must be given, not left out"),
        ("--lam power:2,1", r"'--lam' must lie in \[0, 1\], not 2"),
        ("--lam power:1/2,-1", "'--lam' must have beta at least 0, not -1"),
        ("--lam geometric:1/2,2", r"'--lam' must lie in \[0, 1\]"),
        ("--lam nan", "'--lam' must be a number"),
        ("--lam -1", r"'--lam' must lie in \[0, 1\]"),
        ("--lam missing.csv", "'--lam' must be .* not 'missing.csv'"),
        ("--lam 'missing.csv then 0.5'", "'--lam' must be .* not 'missing.csv'"),
        ("--lam '0.5 then lam.csv'", "'--lam' must end in a number, .* after 'then'"),
        ("--lam \"__import__('os').mkdir('pwned')\"", "'--lam' must be"),
        ("--lam \"0.5 then __import__('os').mkdir('pwned')\"", "'--lam' must end in"),
        ("--lam power:1/2,1e999", "'--lam' must have an exponent in"),
        ("--lam 1/2 --epsilon 0", r"'--epsilon' must lie in \(0, 1\], not '0'"),
        ("--lam 1/2 --epsilon 1.0001", "'--epsilon' must lie in"),
        ("--lam 1/2 --epsilon nan", "'--epsilon' must be a number"),
        ("--lam 1/2 --epsilon '[/red]'", r"'--epsilon' must be a number .* not '\[/red\]'"),
        ("--lam 1/2 --eta 0", r"'--eta' must lie in \(0, 1\), not '0'"),
        ("--lam 1/2 --eta 1", "'--eta' must lie in"),
        ("--lam 1/2 --eta inf", "'--eta' must be a number"),
        ("--lam 1/2 -n 0", r"'-n' must be an integer in \[1, 4096\], not 0"),
        ("--lam 1/2 --length 5000", "'--length' must be an integer in"),
        ("--lam 1/2 -T -1", r"'-T' must be an integer in \[0, 10{15}\], not -1"),
        ("--lam 1/2 -T 1.5", "'-T' must be an integer, not '1.5'"),
        ("--lam 1/2,1/2 -T 3", "'-T' must be at most 2, the layers that the list gives, not 3"),
        ("--lam 1/2 --kernel uniform --epsilon 1/2", "'--epsilon' must be left out beside a kernel"),
        ("--lam 1/2 --kernel uniform --slope 1", "'--slope' must be left out beside --kernel"),
        ("--lam 1/2 --kernel uniform --heads 2", "'--heads' must be left out beside --kernel"),
        ("--lam 1/2 --slope 1 --heads 2", "'--slope' must be left out beside --heads"),
        ("--lam 1/2 --slope -1", r"'--slope' must lie in \[0, 700\]"),
        ("--lam 1/2 --slope nan", "'--slope' must be a number"),
        ("--lam 1/2 --heads 0", "'--heads' must be an integer in"),
        ("--lam 1/2 --heads 1000 -n 4096", "'-n' must be at most 500 for 1000 heads, not 4096"),
        ("--lam 1/2 --slopes paper", "'--slopes' must come with --heads"),
        ("--lam 1/2 --heads 2 --slopes bloom", "'--slopes' must be 'paper' or 'model'"),
        ("--lam 1/2 --renormalise", "'--renormalise' must come with --kernel FILE"),
        ("--lam 1/2 --renormalise --kernel uniform", "FILE, not with --kernel uniform, whose rows sum to 1"),
        ("--lam 1/2 --kernel Uniform", r"'--kernel' must be .*\.csv or \.npy"),
        ("--lam 1/2 --kernel missing.csv", "'--kernel' must be an existing file, not 'missing.csv'"),
        ("--lam 1/2 --kernel folder", "'--kernel' must be"),
        ("--lam 1/2 --kernel empty.csv", "'--kernel' must have content"),
        ("--lam 1/2 --kernel two.csv", r"'--kernel' must be one kernel, shared by all layers, not 2 of them"),
        ("--lam 1/2 --kernel future.csv", r"'--kernel' must read no later position, not 0\.5 \(row 1, column 2"),
        ("--lam 1/2 --kernel nan.csv", "'--kernel' must be a number everywhere"),
        ("--lam 1/2 --kernel rough.csv --renormalise", "'--kernel' must have rows that sum to 1 within 1e-06"),
        (
            "--lam 1/2 --kernel thirds.csv",
            r"'--kernel' must have rows that sum to exactly 1, not off by .*--renormalise",
        ),
        ("--lam 1/2 --kernel stairs.csv -n 4", "'-n' must be at most 3, the length of the kernel, not 4"),
        ("--lam 1/2 extra", "'depth' must be used as --help says"),
    ],
)
def test_refused(posbias: Posbias, folder: Path, words: str, message: str) -> None:
    before = sorted(folder.iterdir())
    run = posbias("depth", *shlex.split(words))
    assert (run.code, run.out) == (2, "")
    assert run.err.count("\n") == 1
    assert re.match(r"Argument '[^']+' must .+, not .+\.$", run.err), run.err
    assert re.search(message, run.err), run.err
    assert sorted(folder.iterdir()) == before


def test_two_runs_are_the_same(posbias: Posbias) -> None:
    words = ("depth", "--lam", "power:1/2,3/2", "--heads", "8", "-n", "16", "--json")
    assert posbias(*words).out == posbias(*words).out
