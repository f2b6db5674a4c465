"""Source archive and wheel, built here: the one has all that is kept, the other packages, their data and licences.

Without a network: pip builds the wheel from the archive, and it is laid out in a folder of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
FOLDERS = (".ci", ".github", "docs", "numeric", "proofs", "tests")
KEPT = ("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "MANIFEST.in", "README.md", "pyproject.toml")
MADE = ("PKG-INFO", "setup.cfg", "posbias.egg-info/")  # by setuptools


def _missing() -> str:
    """What is wanting to build without a network, or nothing."""
    wanting = [name for name in ("build", "pip") if find_spec(name) is None]
    try:
        old = int(version("setuptools").split(".")[0]) < 77  # as pyproject.toml asks
    except PackageNotFoundError:
        old = True
    return ", ".join([*wanting, *(["setuptools 77"] if old else [])])


pytestmark = pytest.mark.skipif(bool(_missing()), reason=f"the extra 'test' is not installed: no {_missing()}")


@dataclass(frozen=True)
class Built:
    """What was copied from the repository, by path, and the two files made of it."""

    sources: frozenset[str]
    archive: Path
    wheel: Path


def _run(*command: str, cwd: Path) -> str:
    """The output of a program that must succeed, without this repository on its path."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def _files(folder: Path) -> Iterator[str]:
    return (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("distribution")
    copy, made = folder / "copy", folder / "made"
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", "_generated")
    for name in FOLDERS:
        shutil.copytree(REPOSITORY / name, copy / name, ignore=ignored)
    for name in KEPT:
        shutil.copy(REPOSITORY / name, copy / name)
    sources = frozenset(_files(copy))
    (copy / "docs" / "_generated").mkdir()
    (copy / "docs" / "_generated" / "page.md").write_text("# Made anew with each build\n", encoding="utf-8")
    _run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(made), str(copy), cwd=folder)
    (archive,) = made.glob("*.tar.gz")
    pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-index", "--no-build-isolation")
    _run(*pip, "--wheel-dir", str(made), str(archive), cwd=folder)
    (wheel,) = made.glob("*.whl")
    return Built(sources, archive, wheel)


def test_the_archive_has_all_that_is_kept(built: Built) -> None:
    with tarfile.open(built.archive) as archive:
        members = {member.name.partition("/")[2]: member for member in archive.getmembers() if member.isfile()}
    assert {name for name in members if not name.startswith(MADE)} == built.sources
    assert members[".ci/run"].mode & 0o100  # it stays a program


def test_the_wheel_has_the_packages_and_nothing_else(built: Built) -> None:
    names = set(zipfile.ZipFile(built.wheel).namelist())
    notes = {name for name in names if ".dist-info/" in name}
    assert names - notes == {name for name in built.sources if name.startswith(("numeric/", "proofs/"))}
    assert {"numeric/py.typed", "proofs/py.typed", "numeric/data/mixing.csv", "numeric/data/LICENSE-authors"} <= names
    licences = {name.partition("/licenses/")[2] for name in notes if "/licenses/" in name}
    assert licences == {"LICENSE", "numeric/data/LICENSE-authors"}


def test_what_was_built_from_the_archive_works_elsewhere(built: Built, tmp_path: Path) -> None:
    """The wheel is laid out as an installer does it; its program is the one that pyproject.toml names."""
    target = tmp_path / "installed"
    with zipfile.ZipFile(built.wheel) as wheel:
        wheel.extractall(target)
        (programs,) = (wheel.read(name).decode() for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert programs.split() == ["[console_scripts]", "posbias", "=", "proofs.entry:main"]
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); sys.modules['numba'] = None; "  # an extra that compiles for long
        "import proofs; from proofs.cli import main; "
        "print(proofs.__file__); main(['profile', 'bloom-176b'])"
    )
    found = _run(sys.executable, "-c", script, str(target), cwd=tmp_path)
    assert found.splitlines()[0] == str(target / "proofs" / "__init__.py")
    assert "valley           position 62" in found
