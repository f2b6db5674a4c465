"""What a prediction takes beside a gradient: the program of the processes, run here, and one that ends early."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proofs import gradient_cost
from proofs.gradient_cost import WAYS, beside
from tests.models import needs_models
from tests.numeric.model.tiny import write_config

Posbias = Callable[..., Any]
OPTIONS = ("--random-init", "--random-tokens", "-n", "11", "--samples", "1")


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Processes are run in this one, which has torch already; the ways that were asked for."""
    asked: list[str] = []

    def run(words: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        asked.append(words[3])
        monkeypatch.setattr(sys, "argv", ["-c", *words[3:]])
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(words[2], {})
        return subprocess.CompletedProcess(words, 0, out.getvalue())

    monkeypatch.setattr(subprocess, "run", run)
    return asked


@needs_models
def test_both_are_taken(posbias: Posbias, here: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    from numeric.model import influence, second_moments

    def watched(module: Any, name: str) -> None:
        own = getattr(module, name)

        def call(*given: Any, **options: Any) -> Any:
            taken.append(name)
            return own(*given, **options)

        monkeypatch.setattr(module, name, call)

    watched(influence, "influence_of")
    watched(second_moments, "predicted")
    write_config(tmp_path / "tiny", "bloom")
    run = posbias("predict", tmp_path / "tiny", *OPTIONS, "--beside-gradient", "--json")
    told = json.loads(run.out)["beside_gradient"]
    assert tuple(told) == WAYS == tuple(here) and taken[-2:] == [
        "predicted",
        "influence_of",
    ]  # the command predicts too
    for cost in told.values():
        assert cost["seconds"] > 0 and cost["memory"] >= cost["loaded"] > 1 << 20
    lines = posbias("predict", tmp_path / "tiny", *OPTIONS, "--beside-gradient").out.splitlines()
    assert sum(line.startswith(WAYS) and "one sample alone" in line and "GB before it" in line for line in lines) == 2
    assert "beside_gradient" not in json.loads(posbias("predict", tmp_path / "tiny", *OPTIONS, "--json").out)


@needs_models
def test_a_process_that_ends_early_has_no_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    from numeric.model.predicting import Prediction

    monkeypatch.setattr(gradient_cost, "_CHILD", "raise SystemExit(1)")
    assert beside(Prediction(model="nowhere", length=8, samples=1)) == {"prediction": None, "gradient": None}


def test_half_precision_has_no_gradient(posbias: Posbias) -> None:
    run = posbias("predict", "tiny", *OPTIONS, "--beside-gradient", "--dtype", "bfloat16")
    assert (run.code, run.out) == (2, "") and "'--dtype' must be float32 or float64 beside --beside-gradient" in run.err
