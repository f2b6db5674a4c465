"""A report of a run that was measured here: its λ, kernels, influence and comparison are those of the package."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numeric.kernel import Alibi
from numeric.order import wasserstein
from numeric.profile import profile
from numeric.published import bloom_slopes
from proofs.report import statements as told
from tests.browser import chromium, needs_browser
from tests.models import needs_models
from tests.numeric.model.tiny import write_config
from tests.proofs.report.pages import needs_library, settled

os.environ["HF_HUB_OFFLINE"] = "1"  # no test may look for a network

pytestmark = [needs_models, needs_browser, needs_library, pytest.mark.usefixtures("one_thread")]
SAMPLES = ("--random-init", "--random-tokens", "-n", "11", "--samples", "3", "--out", "run")


def _column(path: Path, name: str) -> Any:
    return np.genfromtxt(path, delimiter=",", names=True)[name]


def test_a_measured_bloom(posbias: Callable[..., Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "PARTS", {"I1": ("diagonal",)})  # one derivation, which takes no time
    write_config(folder / "tiny", "bloom")
    for command in (("measure", "tiny", *SAMPLES, "--kernels"), ("predict", "tiny", *SAMPLES)):
        assert posbias(*command).code == 0, command
    compared = posbias("compare", "run", "--json").json()
    assert posbias("report", "run", "-o", "page.html", "--json").json()["comparison_left_out"] is None
    with chromium(folder / "chromium") as driver:
        driver.get((folder / "page.html").as_uri())
        found = settled(driver)
        rows = json.loads(driver.execute_script("return JSON.stringify(figures.comparison.rows())"))["rows"]
        assert driver.execute_script("return document.getElementById('comparison').checkVisibility()")
        assert driver.get_log("browser") == []
    _is_the_run(found, folder / "run")
    distances = {row["name"]: row["wasserstein"] for row in rows}
    assert "second moments" in distances
    assert distances == _distances(compared)


def _is_the_run(found: dict[str, Any], run: Path) -> None:
    """λ as it was measured, to the last digit of its file; the profile and its distance within 1e−9, as expected.py."""
    lam, influence = _column(run / "lambda.csv", "lambda"), _column(run / "influence.csv", "influence")
    state, result = found["state"], found["result"]
    heads = len(json.loads((run / "report.json").read_text())["architecture"]["kernels"][0]["slopes"])
    ours = profile([Alibi(bloom_slopes(heads))] * lam.size, lam, n=11)
    assert state["length"] == 11 and result["lam"] == lam.tolist()
    assert result["against"]["measured"] == influence.tolist()
    assert np.max(np.abs(ours - result["profile"])) < 1e-9
    assert abs(result["against"]["wasserstein"] - wasserstein(ours, influence) / 10) < 1e-9


def _distances(compared: dict[str, Any]) -> dict[str, float]:
    variants = compared["runs"][0]["variants"]
    return {row["name"]: row["wasserstein"] for row in variants if row["wasserstein"] is not None}
