"""What is shipped: one version everywhere, the authors' notice beside their numbers, a check that runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
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


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], set[str]]:
    """The names in an sdist and in a wheel that are built of a copy of this folder."""
    folder = tmp_path_factory.mktemp("built")
    unkept = shutil.ignore_patterns(".git", "build", "*.egg-info", ".*_cache", "__pycache__", ".hypothesis", ".venv")
    shutil.copytree(REPOSITORY, folder / "copy", ignore=unkept)
    (folder / "copy" / "docs" / "_generated").mkdir(exist_ok=True)
    (folder / "copy" / "docs" / "_generated" / "page.md").write_text("# Page\n", encoding="utf-8")
    build = "from setuptools import build_meta as b; b.build_sdist('../out'); b.build_wheel('../out')"
    subprocess.run([sys.executable, "-c", build], cwd=folder / "copy", check=True, capture_output=True)
    (sdist,), (wheel,) = (folder / "out").glob("*.tar.gz"), (folder / "out").glob("*.whl")
    with tarfile.open(sdist) as sources, zipfile.ZipFile(wheel) as files:
        return {name.partition("/")[2] for name in sources.getnames()}, set(files.namelist())


@pytest.mark.skipif(
    find_spec("setuptools") is None, reason="setuptools, which builds what is shipped, is not installed"
)
def test_sources_are_whole_and_the_wheel_has_what_runs(built: tuple[set[str], set[str]]) -> None:
    sdist, wheel = built
    both = {"numeric/py.typed", "proofs/py.typed", "numeric/data/LICENSE-authors", "proofs/results/closure.py"}
    assert both <= sdist and both <= wheel
    sources = {
        "docs/conf.py", "docs/index.md", "docs/writers/pages.py", "docs/images/data/phase.csv", "tests/test_docs.py",
        "tests/proofs/test_checker.py", ".ci/run", "CHANGELOG.md", "CITATION.cff", "LICENSE", "README.md",
    }  # fmt: skip
    assert sources <= sdist
    assert not any(name.startswith("docs/_generated/") for name in sdist)
    assert {name.split("/")[0] for name in wheel if not name.split("/")[0].endswith(".dist-info")} == {
        "numeric",
        "proofs",
    }
