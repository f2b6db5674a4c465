"""docs/what-was-measured.md, and what README, lesson and differences say of measurements: every figure is in data."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import pytest

from numeric.experiment import load_experiment
from numeric.kernel import Alibi
from numeric.order import wasserstein
from numeric.profile import profile
from numeric.published import find, measured_influence

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "what-was-measured.md").read_text(encoding="utf-8")
DIFFERENCES = (DOCS / "differences-from-the-paper.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("measured_tables", DOCS / "evidence" / "measured_tables.py")
    assert spec is not None and spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def shown(page: str) -> list[str]:
    """The tables of a page."""
    return [table.strip() for table in re.findall(r"(?:^\|.*\n)+", page, re.M)]


def test_the_tables_are_those_of_the_evidence(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(PAGE) == list(script.tables())
    # the control: other evidence gives another table
    read = script.evidence
    monkeypatch.setattr(script, "evidence", lambda *names: [(name, _slightly_off(one)) for name, one in read(*names)])
    assert script.networks() not in PAGE and script.further() not in PAGE


def _slightly_off(one: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(one))
    found["gaps"]["logprob"]["second moments"]["wasserstein"] += 0.001
    return found


def test_every_file_of_evidence_is_in_a_table(script: ModuleType) -> None:
    files = {path.stem for path in (DOCS / "evidence").glob("*.json")}
    fits = (DOCS / "where-each-theory-fits.md").read_text(encoding="utf-8")  # tested beside numeric.model
    elsewhere = set(re.findall(r"evidence/(fits(?:-\w+)?)\.(?:json|svg)", fits))
    assert "fits" in elsewhere
    assert files == {"benchmarks", "untrained", "smollm2-135m", *script.FURTHER, *elsewhere}


def gaps(script: ModuleType, *names: str) -> Iterator[dict[str, dict[str, float]]]:
    return (one["gaps"]["logprob"] for _, one in script.evidence(*names))


def test_what_does_not_fit_has_the_figures_of_the_evidence(script: ModuleType) -> None:
    """The bullets, figure by figure and in their order."""
    untrained = list(gaps(script, "untrained"))
    (trained,) = gaps(script, "smollm2-135m")
    every = [*untrained, trained]

    def off(found: dict[str, dict[str, float]], label: str) -> str:
        return f"{found[label]['wasserstein']:.3f}"

    alone = sorted(off(one, "attention only") for one in every)
    usual, *others = [off(one, "residual") for one in untrained]
    blind = "second moments, architectural"
    by_length = {
        one["n"]: one["gaps"]["logprob"] for _, one in script.evidence("smollm2-135m-n64", "smollm2-135m-n1024")
    }
    falcon = dict(script.evidence("untrained-n64"))["falcon 0.08"]["gaps"]["logprob"]
    expected = [
        alone[0], alone[-1], usual, min(others), max(others), off(trained, "residual"),
        off(trained, "residual, value-weighted"), off(trained, blind), max(off(one, blind) for one in untrained),
        off(falcon, "second moments"), off(by_length[1024], "second moments"),
    ]  # fmt: skip
    bullets = PAGE[PAGE.index("## Where the theory") : PAGE.index("## How fast")]
    assert re.findall(r"(?<![\d.])0\.\d{3}(?!\d)", bullets) == expected


def test_what_is_said_of_benchmarks_is_what_was_kept(script: ModuleType) -> None:
    kept = script.benchmarks()
    said = " ".join(PAGE[PAGE.index("## How fast") : PAGE.index("## Measure again")].split())
    rows, sizes = kept["symbolic"]["rows"], kept["symbolic"]["derive_8_8"]
    assert (
        f"take {kept['numeric']['megabytes_beyond_the_profile_at_a_million_positions']} MB beyond the profile" in said
    )
    assert f"{rows['fraction : first']} and {rows['fraction : exact']} times quicker" in said
    assert f"balls {rows['iv : arb']} times quicker" in said
    text, data = ((one["seconds"], one["gigabytes"]) for one in (sizes["text"], sizes["json"]))
    assert f"takes {text[0]} s and {text[1]} GB as text, {data[0]} s and {data[1]} GB as JSON" in said
    assert all(kept[kind]["command"] in PAGE for kind in ("numeric", "symbolic"))


def test_the_distances_with_content_are_those_of_the_papers_file(data_dir: Path) -> None:
    """The table of differences, and the figures of the other page that are among its."""
    model, influence = find("bloom-176b"), measured_influence("bloom-176b")
    content = load_experiment(data_dir / "authors-configs/alibi/all_content/fineweb-edu/bloom.yaml").content

    def distance(kind: Literal["paper", "model"], rows: Any) -> str:
        row = profile([Alibi(model.slopes(kind), of_layer) for of_layer in rows], model.lam(), n=256)
        return f"{wasserstein(row, influence) / 255:.4f}"

    readings = (0 * content, content, content / model.head_dim**0.5)
    expected = [[distance(kind, rows) for rows in readings] for kind in ("paper", "model")]
    (table,) = shown(DIFFERENCES)
    assert [re.findall(r"0\.\d{4}", row) for row in table.splitlines()[2:]] == expected
    assert model.head_dim == 128 and "divided by √128" in table
    bullets = PAGE[PAGE.index("## Where the theory") : PAGE.index("## How fast")]
    four = re.findall(r"(?<![\d.])0\.\d{4}(?!\d)", bullets)
    assert four == ["0.6511", expected[1][2], expected[1][0], expected[0][1]]


def test_the_lesson_says_of_networks_what_was_measured(script: ModuleType) -> None:
    """Rounded to whole per cents of the length, over every file of evidence that measured the same network."""
    lesson = " ".join((DOCS / "why-models-lose-the-middle.md").read_text(encoding="utf-8").split())

    def of(label: str, *names: str) -> list[float]:
        return [100 * one[label]["wasserstein"] for one in gaps(script, *names)]

    trained = ("smollm2-135m", *(name for name in script.FURTHER if name.startswith("smollm2")))
    again = json.loads((DOCS / "evidence" / "fits.json").read_text("utf-8"))["runs"]["smollm2-reference-256-0-logprob"]
    moments = sorted([*of("second moments", *trained), 100 * again["gaps"]["second moments"][0]])
    alone = sorted([*of("residual, architectural", *trained), 100 * again["gaps"]["residual, architectural"][0]])
    assert f"by up to {max(of('residual', 'untrained')):.0f} % of the length" in lesson
    near, short = (max(of("second moments", name)) for name in ("untrained", "untrained-n64"))
    assert f"over 256 positions it comes within {ceil(near)} % on all six, over 64 within {ceil(short)} %" in lesson
    assert f"second moments {moments[0]:.0f} to {moments[-1]:.0f} % remain" in lesson
    assert 45 < alone[0] < 50 < alone[-1] < 65 and "is off by about half the length" in lesson


def test_readme_says_of_bloom_what_its_table_says(script: ModuleType) -> None:
    readme = " ".join((DOCS.parent / "README.md").read_text(encoding="utf-8").split())
    paper, own = (100 * float(cell) for cell in re.findall(r"0\.\d{4}(?=,)", script.bloom().splitlines()[-1]))
    assert f"{own:.1f} % of the text length with the model's own slopes, {paper:.1f} % with the paper's" in readme
