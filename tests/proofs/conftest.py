"""Running the command line within the test, as fast as a function call."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from proofs.cli import main


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
