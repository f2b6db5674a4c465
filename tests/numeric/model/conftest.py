"""Tiny models of every family, drawn once per session; all tests here are skipped where the extra is not installed."""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING, Any

import pytest

from tests.models import MISSING, WHY

if TYPE_CHECKING:
    from numeric.model import Loaded

EVIDENCE = Path(__file__).parents[3] / "docs" / "evidence"

os.environ["HF_HUB_OFFLINE"] = "1"  # no test may look for a network
os.environ.setdefault("OMP_NUM_THREADS", "1")  # models this small only wait for a second thread


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without torch and transformers nothing here can run, and the reason is said."""
    if MISSING:
        mark = pytest.mark.skip(reason=WHY)
        here = Path(__file__).parent
        for item in items:
            if here in item.path.parents:
                item.add_marker(mark)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Loaded]:
    """(kind, **options of load) -> a tiny model with random weights; the same object for the same call.

    Whoever changes a model asks for one of their own with ``fresh=True``.
    """
    from numeric.model import load
    from tests.numeric.model.tiny import write_config

    @cache
    def folder(kind: str) -> Path:
        return write_config(tmp_path_factory.mktemp(kind), kind)

    @cache
    def shared(kind: str, options: tuple[tuple[str, Any], ...]) -> Loaded:
        return load(folder(kind), random_init=True, **dict(options))

    def made(kind: str, *, fresh: bool = False, **options: Any) -> Loaded:
        return load(folder(kind), random_init=True, **options) if fresh else shared(kind, tuple(options.items()))

    return made


@pytest.fixture
def script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., CompletedProcess[str]]:
    """``script("second_moments.py", "untrained", …)``: the file as a program, in this process and a folder of its own:
    another process would only load torch again.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(EVIDENCE))  # where a program finds what stands beside it

    def run(name: str, *words: str) -> CompletedProcess[str]:
        argv, code = [str(EVIDENCE / name), *words], 0
        monkeypatch.setattr(sys, "argv", argv)
        try:
            runpy.run_path(argv[0], run_name="__main__")
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        return CompletedProcess(argv, code, *capsys.readouterr())

    return run


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """Matrices this small are slower on several threads, by a factor of ten where other tests run beside."""
    if not MISSING:
        import torch

        torch.set_num_threads(1)
