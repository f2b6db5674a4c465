"""``posbias profile --save``: the file gives the same profile, to the last bit, by whatever options it was made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from numeric.experiment import Experiment, load_experiment

Posbias = Callable[..., Any]


@pytest.mark.parametrize(
    "words",
    [
        "bloom-176b --slopes model",
        "falcon-rw-7b -n 31",
        "mpt-7b -T 5 --lam power:1/3,1/2 -n 17",
        "--layers 3 --heads 5 --lam geometric:0.7,1/3 -n 11",
        "--layers 2 --slope 1/3 --lam 1/7 -n 5",
        "--layers 0 --heads 2 --lam 0.5 -n 3",
        "--layers 3 --slope 0 --lam 1 -n 1",
    ],
)
def test_the_file_gives_the_same_profile(posbias: Posbias, tmp_path: Path, words: str) -> None:
    file = tmp_path / "saved.yaml"
    first = posbias("profile", *words.split(), "--save", file, "--json").json()
    again = posbias("profile", file, "--json").json()
    differs = {name for name in first if first[name] != again[name]}
    assert differs <= {"source", "slopes"}
    assert again["profile"] == first["profile"]


def test_content_weights_and_another_lambda_are_saved(posbias: Posbias, tmp_path: Path) -> None:
    file, saved = tmp_path / "file.yaml", tmp_path / "saved.yaml"
    content = [[0.1, -0.2], [1 / 3, 400.0], [-7.0, 0.0]]
    weights, slopes = [0.7, 0.3], [[0.1, 0.2], [0.3, 1e-9], [5.0, 0.0]]
    file.write_text(Experiment(7, 3, 2, slopes=slopes, lam=0.5, content=content, head_weights=weights).text())
    first = posbias("profile", file, "--lam", "0.1,0.2,1/3", "-n", "13", "--save", saved, "--json").json()
    again = posbias("profile", saved, "--json").json()
    assert (again["profile"], again["length"]) == (first["profile"], 13)
    assert again["profile"] != posbias("profile", file, "-n", "13", "--json").json()["profile"]
    experiment = load_experiment(saved)
    assert experiment.lam.tolist() == [0.1, 0.2, 1 / 3]
    assert experiment.content.tolist() == content
    assert experiment.head_weights is not None and experiment.head_weights.tolist() == weights


def test_a_saved_experiment_is_replaced_and_no_other_file(posbias: Posbias, tmp_path: Path) -> None:
    file = tmp_path / "saved.yaml"
    assert posbias("profile", "mpt-7b", "--save", file).code == 0
    assert posbias("profile", "mpt-7b", "-n", "5", "--save", file).code == 0
    assert load_experiment(file).length == 5
    theirs = Experiment(5, 1, 1, slopes=[[1.0]], lam=0.5).text()  # not by --save: perhaps the only copy
    file.write_text(theirs)
    run = posbias("profile", "mpt-7b", "--save", file)
    assert (run.code, run.out) == (2, "")
    assert file.read_text() == theirs


def test_the_source_is_never_written(posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    posbias("profile", "mpt-7b", "-n", "5", "--save", "saved.yaml")
    before = (tmp_path / "saved.yaml").read_bytes()
    run = posbias("profile", "saved.yaml", "-n", "7", "--save", "./saved.yaml")
    assert run.err == "Argument '--save' must be another file than SOURCE, not 'saved.yaml'.\n"
    assert (tmp_path / "saved.yaml").read_bytes() == before
