"""Running the command line within the test, as fast as a function call; a folder with a tiny model to run it in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from proofs.cli import main
from tests.models import MISSING
from tests.numeric.model.tiny import write_config


@dataclass(frozen=True)
class Run:
    """Exit code and what was written to both streams."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def posbias(capsys: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    """``posbias("profile", "-n", "5")``: one run of the command."""

    def run(*words: object) -> Run:
        code = main([str(word) for word in words])
        written = capsys.readouterr()
        return Run(code, written.out, written.err)

    return run


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """Tiny models gain nothing from more, and on a busy machine wait for each other's at every step."""
    if MISSING:
        yield
        return
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a model in it, to stand in."""
    write_config(tmp_path / "tiny", "bloom")
    (tmp_path / "text.txt").write_text("some words of a text", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path
