"""One browser for the tests of a file, with the page's scripts in it and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from tests.browser import MISSING, chromium

SCRIPTS = ("rows", "recursion", "state", "shape", "bounds", "limits", "phase", "csv")  # as recursion.js lists them

Evaluate = Callable[..., Any]


@pytest.fixture(scope="module")
def evaluate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evaluate]:
    """``evaluate("return posbias.compute(x)", state)``: what a script says of one argument, as JSON; a refusal as
    its text.
    """
    if MISSING:
        pytest.skip(f"no {' and no '.join(MISSING)} to run the page in")
    with chromium(tmp_path_factory.mktemp("chromium")) as driver:
        for name in SCRIPTS:
            text = (resources.files("proofs.report") / f"{name}.js").read_text(encoding="utf-8")
            driver.execute_script(f"(0, eval)({json.dumps(text)})")

        def run(script: str, argument: Any = None) -> Any:
            code = (
                "const x = JSON.parse(arguments[0]);"
                "try { return JSON.stringify((() => {" + script + "})()); }"
                "catch (error) { if (error instanceof posbias.InputError) return JSON.stringify(error.message);"
                " throw error; }"
            )
            answer = driver.execute_script(code, json.dumps(argument))
            return None if answer is None else json.loads(answer)

        yield run


@pytest.fixture
def loaded(evaluate: Evaluate) -> Callable[[dict[str, Any]], None]:
    """``loaded({"given": …, "initial": …})``: the data of a page."""

    def load(data: dict[str, Any]) -> None:
        assert evaluate("return posbias.load(x) ?? null", data) is None

    return load


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
