"""docs/where-each-theory-fits.md: its scripts run, its tables are what its numbers say, and with POSBIAS_EVIDENCE set
a smaller version is measured anew (some ten minutes of one core).
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest

from tests.numeric.model.conftest import EVIDENCE

PAGE = EVIDENCE.parent / "where-each-theory-fits.md"
WANTED = "POSBIAS_EVIDENCE" in os.environ
SHRUNK = ("--shrink", "8", "2")
Script = Callable[..., CompletedProcess[str]]
again = pytest.mark.skipif(not WANTED, reason="takes some minutes: set POSBIAS_EVIDENCE to measure anew")


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """A module of docs/evidence by its name."""
    monkeypatch.syspath_prepend(str(EVIDENCE))
    yield importlib.import_module


@pytest.fixture
def short(beside: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts of a few hundred tokens: what comes with Python takes ten seconds to tokenise."""
    monkeypatch.setattr(beside("texts"), "pieces", lambda kind: [f"{kind} {k} is no {k + 1}. " * 9 for k in range(21)])


# --- texts ------------------------------------------------------------------------------------------------------------


def test_nothing_held_out_is_learnt(beside: Callable[[str], Any]) -> None:
    texts = beside("texts")
    for kind in ("reference", "sources"):
        pieces = texts.pieces(kind)
        learnt, kept = texts.learnt(kind), texts.held_out(kind)
        assert len(pieces) > 50 and len(learnt) + len(kept) + 2 == len("\n\n".join(pieces))
        assert pieces[6] in kept and pieces[6] not in learnt
        assert pieces[0] in learnt and pieces[0] not in kept


def test_an_unknown_text_is_refused(beside: Callable[[str], Any]) -> None:
    from numeric.refuse import InputError

    with pytest.raises(InputError, match="'text' must be one of reference, sources, licences, not 'novels'"):
        beside("texts").pieces("novels")


# --- the scripts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["bloom", "gpt2", "llama"])
def test_training_writes_a_model_before_and_after(script: Script, short: None, tmp_path: Path, kind: str) -> None:
    from numeric.model import load

    words = ("--steps", "3", "--layers", "1", "--width", "16", "--positions", "8")
    run = script("training.py", kind, "--out", "small", *words)
    assert run.returncode == 0, run.stderr
    told = json.loads((tmp_path / "small" / "training.json").read_text(encoding="utf-8"))
    assert json.loads(run.stdout) == told["loss"] and told["tokens_seen"] == 3 * 8 * 8
    # a model that knows nothing has the entropy of 1024 tokens, ln 1024 = 6.93; three steps of 24 words teach a little
    assert 6 < told["loss"]["trained"]["before"] < 8
    assert told["loss"]["trained"]["after"] < told["loss"]["trained"]["before"]
    models = [load(tmp_path / "small" / name) for name in ("before", "after")]
    assert len(models[0].blocks) == 1 and models[0].tokenizer is not None
    weights = [one.embedding.weight.numpy() for one in models]
    assert np.abs(weights[0] - weights[1]).max() > 0
    assert sorted(path.name for path in (tmp_path / "small").iterdir()) == [
        "after", "before", "reference.txt", "sources.txt", "training.json"
    ]  # fmt: skip
    if kind == "bloom":  # the same seed gives the same weights
        script("training.py", kind, "--out", "twin", *words)
        assert np.array_equal(load(tmp_path / "twin" / "after").embedding.weight.numpy(), weights[1])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("training.py", "bloom", "--out", "file"), "'--out' must be a folder that is new or empty"),
        (("training.py", "bloom", "--out", "new", "--steps", "0"), "'--steps' must be at least 1"),
        (("training.py", "bloom", "--out", "new", "--width", "4"), "'--width' must be at least 8"),
        (("fits.py", "file"), "'RUNS' must be a folder"),
        (("fits_numbers.py", "file", "--out", "new"), "'RUNS' must be a folder"),
        (("fits_numbers.py", "new", *SHRUNK, "--out", "file"), "'--out' must be a folder"),
    ],
)
def test_scripts_refuse(script: Script, tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    (tmp_path / "file").write_text("")
    run = script(*words)
    assert (run.returncode, run.stdout, len(run.stderr.splitlines())) == (2, "", 1) and says in run.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_runs_are_measured_and_told(script: Script, beside: Callable[[str], Any], tmp_path: Path) -> None:
    run = script("fits.py", "runs", *SHRUNK, "--tiny", "--only", "untrained")
    assert run.returncode == 0, run.stderr
    run = script("fits_numbers.py", "runs", *SHRUNK, "--out", "found")
    assert run.returncode == 0, run.stderr
    assert "smollm2-reference-8-0-logprob: not there" in run.stderr
    told = json.loads((tmp_path / "found" / "fits.json").read_text(encoding="utf-8"))
    assert {one["model"] for one in told["runs"].values()} == {
        f"untrained/{kind}" for kind in ("bloom", "mpt", "falcon")
    }
    for one in told["runs"].values():
        assert len(one["gaps"]) == 13 and one["nearest"] == min(one["gaps"], key=lambda name: one["gaps"][name][0])
        assert sum(one["tenths"]["shares"]) == pytest.approx(8, abs=8 * 5e-5)  # eight tokens, four digits each
    assert (tmp_path / "found" / "fits-mixing.svg").is_file()
    before = (tmp_path / "found" / "fits.json").read_bytes()
    assert (
        script("fits.py", "runs", *SHRUNK, "--tiny", "--only", "untrained").returncode == 0
    )  # complete runs are only read
    script("fits_numbers.py", "runs", *SHRUNK, "--out", "found")
    assert (tmp_path / "found" / "fits.json").read_bytes() == before


# --- the page ---------------------------------------------------------------------------------------------------------


def test_the_page_has_the_tables_of_its_numbers(beside: Callable[[str], Any]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    told = json.loads((EVIDENCE / "fits.json").read_text(encoding="utf-8"))
    tables = beside("fits_tables").tables(told)
    assert {name for name, table in tables.items() if f"<!-- table: {name} -->\n{table}\n" not in page} == set()
    assert beside("fits_tables").placed(page, tables) == page
    # the control: other numbers, another table
    next(iter(told["runs"].values()))["gaps"]["residual"][0] += 0.001
    assert beside("fits_tables").tables(told) != tables


def test_a_u_needs_both_ends(beside: Callable[[str], Any]) -> None:
    u_of = beside("fits_tables").u_of
    found = {"shares": [2.0, 0.5, 1.5], "lowest": 2, "first": [1.5, 1.2, 1.8], "last": [1.0, 0.1, 1.9]}
    assert u_of(found) == "yes"
    assert u_of({**found, "last": [1.0, -0.1, 1.9]}) == "undecided"
    assert u_of({**found, "first": [1.5, None, None]}) == "undecided"
    assert u_of({**found, "lowest": 3}) == "no"
