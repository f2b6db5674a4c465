"""The example at the end of every help works as it is pasted, in an empty folder, without a network."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proofs.cli import COMMANDS
from tests.models import MISSING, WHY

Posbias = Callable[..., Any]
LOADS_A_MODEL = ("audit", "measure", "predict", "compare")
WRITES = {"reproduce": "figures/table.csv", "measure": "run/lambda.csv", "export": "derivations"}


def example(posbias: Posbias, command: str) -> list[str]:
    """The lines of the example, which is the last paragraph."""
    last = posbias(*command.split(), "--help").out.split("\n\n")[-1]
    title, *lines = last.splitlines()
    assert title in ("Example:", "Examples:")
    assert all(line.startswith("  ") for line in lines)
    return [line.strip() for line in lines]


@pytest.mark.skipif(shutil.which("sh") is None, reason="no shell on this system")
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_example(
    posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one_thread: None, command: str
) -> None:
    if command in LOADS_A_MODEL and MISSING:
        pytest.skip(WHY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    lines = example(posbias, command)
    assert any(re.match(rf"posbias {command}\b", line) for line in lines)
    for line in lines:
        if not line.startswith("posbias "):  # makes a file that the next line reads
            subprocess.run(["sh", "-c", line], check=True, capture_output=True, timeout=60)
            continue
        run = posbias(*shlex.split(line)[1:])
        assert run.code == 0, f"{line}\n{run.err}"
        assert run.out
    if command in WRITES:
        assert (tmp_path / WRITES[command]).exists()
