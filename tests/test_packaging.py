"""What is shipped: one version everywhere, the authors' notice beside their numbers, a check that runs."""

from __future__ import annotations

import os
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import yaml

REPOSITORY = Path(__file__).resolve().parent.parent


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project


def test_one_version_and_one_licence_everywhere() -> None:
    project = _project()
    citation = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == project["version"]
    assert citation["license"] == project["license"] == "MIT"
    assert (REPOSITORY / "LICENSE").read_text(encoding="utf-8").startswith("MIT License\n\nCopyright (c) 2026 posbias")
    assert all((REPOSITORY / name).is_file() for name in project["license-files"])


def test_the_paper_is_cited() -> None:
    paper = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text(encoding="utf-8"))["preferred-citation"]
    assert paper["title"] == "A Structural Theory of Position Bias in Transformers"
    assert [author["family-names"] for author in paper["authors"]] == ["Herasimchyk", "Labryga", "Prusina", "Laue"]
    assert paper["identifiers"][0]["value"] == "arXiv:2602.16837"


def test_the_authors_notice_is_whole(data_dir: Path) -> None:
    ours = (REPOSITORY / "numeric" / "data" / "LICENSE-authors").read_text(encoding="utf-8")
    assert ours == (data_dir / "authors-configs" / "LICENSE").read_text(encoding="utf-8")


def test_each_table_names_its_source_and_licence() -> None:
    tables = sorted((REPOSITORY / "numeric" / "data").glob("*.csv"))
    assert len(tables) == 2
    for table in tables:
        head = [line for line in table.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
        assert any("arXiv:2602.16837" in line for line in head)
        assert any("MIT" in line and "LICENSE-authors" in line for line in head)


def test_every_requirement_has_a_lower_bound() -> None:
    project = _project()
    for requirement in sum(project["optional-dependencies"].values(), project["dependencies"]):
        assert ">=" in requirement, requirement


def test_the_tests_have_what_makes_it_fast() -> None:
    extras = _project()["optional-dependencies"]
    assert set(extras["fast"]) <= set(extras["test"])


def test_the_continuous_check_is_a_program() -> None:
    script = REPOSITORY / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0
    assert "set -euo pipefail" in script.read_text(encoding="utf-8")
