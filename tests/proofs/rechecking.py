"""Certificates for the tests of the second opinion: written, changed, and what is said of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from proofs import recheck
from proofs.certificate import certificate
from proofs.ledger import LEDGER

__all__ = ["LEAF", "ROOT", "blocked", "changed", "entry_of", "opinion", "written"]

ROOT = Path(__file__).parents[2]
BLOCKED = ("sympy", "flint", "numpy", "scipy", "hypothesis", "mpmath", "typer", "pydantic", "matplotlib", "yaml")
LEAF = "I1/diagonal/mask/step/one more layer"


@cache
def written(*ids: str) -> str:
    return certificate(ids or tuple(LEDGER), quick=True).decode()


def opinion(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code and what is printed, on whichever stream."""
    file = folder / "certificate.json"
    file.write_text(text)
    code = recheck.main([str(file)])
    said = capsys.readouterr()
    return code, said.out + said.err


def changed(change: Callable[[dict[str, Any]], None], *ids: str) -> str:
    content = json.loads(written(*ids))
    change(content)
    return json.dumps(content)


def entry_of(content: dict[str, Any], label: str) -> dict[str, Any]:
    found: dict[str, Any] = next(e for s in content["statements"] for e in s["entries"] if e["label"] == label)
    return found


def blocked(*arguments: str, seed: str = "0") -> subprocess.CompletedProcess[str]:
    """``python -m proofs.recheck`` where none of the libraries can be imported."""
    script = (
        f"import sys, runpy; sys.modules.update(dict.fromkeys({BLOCKED!r})); sys.argv = ['recheck', *{arguments!r}]\n"
        "runpy.run_module('proofs.recheck', run_name='__main__')"
    )
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        timeout=120,
    )
