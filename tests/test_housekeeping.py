"""What somebody meets who wants to take part: CONTRIBUTING, issue forms, the changelog."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

REPOSITORY = Path(__file__).resolve().parent.parent
FORMS = REPOSITORY / ".github" / "ISSUE_TEMPLATE"
CONTRIBUTING = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
CHANGELOG = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")


def form(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((FORMS / f"{name}.yml").read_text(encoding="utf-8"))
    return found


def test_there_is_a_form_for_each_kind_of_issue() -> None:
    assert {path.stem for path in FORMS.iterdir()} == {"wrong-number", "statement", "bug", "feature", "config"}


@pytest.mark.parametrize("name", ["wrong-number", "statement", "bug", "feature"])
def test_a_form_is_one_that_github_shows(name: str) -> None:
    """Its schema asks for these keys, types and distinct ids."""
    found = form(name)
    assert set(found) == {"name", "description", "labels", "body"} and found["name"] and found["description"]
    assert found["labels"] == [name.replace("-", " ")]
    fields = found["body"]
    assert len({field["id"] for field in fields}) == len(fields) > 2
    for field in fields:
        assert set(field) <= {"type", "id", "attributes", "validations"}
        assert field["type"] in ("input", "textarea", "dropdown") and field["attributes"]["label"]
        assert ("options" in field["attributes"]) == (field["type"] == "dropdown")
        assert "render" not in field["attributes"] or field["type"] == "textarea"
        assert set(field.get("validations", {})) <= {"required"}
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_the_versions_that_are_asked_for_can_be_had() -> None:
    from proofs.versions import versions

    (line,) = re.findall(
        r'^python -c "from proofs\.versions import versions; print\(versions\(\)\)"$', CONTRIBUTING, re.M
    )
    assert versions()
    for name in ("wrong-number", "statement", "bug"):
        asked = [field["attributes"]["description"] for field in form(name)["body"] if field["id"] == "versions"]
        assert asked == [line]


def test_contributing_names_what_there_is() -> None:
    links = re.findall(r"\]\(([^):]+)\)", CONTRIBUTING)
    assert {"docs/write-a-statement.md", "CHANGELOG.md"} <= set(links)
    paths = re.findall(r"`((?:numeric|tests|\.ci)/[\w./]+)`", CONTRIBUTING) + re.findall(
        r"pytest (tests/\S+)", CONTRIBUTING
    )
    assert len(paths) >= 3
    assert [path for path in (*links, *paths) if not (REPOSITORY / path).exists()] == []


def test_contributing_runs_what_the_continuous_check_runs() -> None:
    script = (REPOSITORY / ".ci" / "run").read_text(encoding="utf-8")
    for command in ("ruff check .", "ruff format --check .", "mypy", "python -m pytest", "posbias verify"):
        assert re.search(rf"^{re.escape(command)}$", script, re.M)
        assert re.search(rf"^(?:.*&& )?{re.escape(command)}(?: .*)?$", CONTRIBUTING, re.M)


def test_its_words_for_a_refusal_are_what_one_reads() -> None:
    from numeric.refuse import refusal

    assert f"`{refusal('lam', 'lie in [0, 1]', 1.2)}`" in CONTRIBUTING


def test_the_changelog_keeps_its_form() -> None:
    """Keep a Changelog: what is unreleased on top, then releases with dates; only kinds of changes that it knows."""
    assert CHANGELOG.startswith("# Changelog\n")
    assert "https://keepachangelog.com/" in CHANGELOG and "https://semver.org/" in CHANGELOG
    first, *released = re.findall(r"^## (.*)$", CHANGELOG, re.M)
    assert first == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", line) for line in released)
    kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
    for section in re.split(r"^## .*$", CHANGELOG, flags=re.M)[1:]:
        found = re.findall(r"^### (.*)$", section, re.M)
        assert found == [kind for kind in kinds if kind in found] != []
    version = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert not released or released[0].startswith(f"[{version}]")
