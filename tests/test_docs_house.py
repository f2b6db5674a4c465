"""docs/how-it-is-built.md is true: imports go down only, the picture is theirs, and the files it names are there."""

from __future__ import annotations

import re

import pytest

from docs.writers import imports as house
from docs.writers.imports import LAYERS, PARTS, imports, layer, modules, part
from tests.markdown import REPOSITORY, text_of


def test_no_import_goes_up() -> None:
    assert [(module, other) for module, other in imports() if layer(other) > layer(module)] == []


def test_numeric_knows_no_sympy_and_nothing_else_of_proofs() -> None:
    for name, path in modules().items():
        if layer(name) == 0:
            assert not re.search(r"^\s*(?:from|import) (?:sympy|proofs)\b", path.read_text(encoding="utf-8"), re.M), (
                name
            )


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("numeric.kernel", "numeric"), ("numeric.model.audit", "numeric.model"), ("proofs.checker", "proofs"),
        ("proofs.cli_depth", "command line"), ("proofs.commands.verify", "command line"), ("proofs", "proofs"),
        ("proofs.results.closure", "proofs.results"), ("proofs.lemmas", "proofs.lemmas"),
    ],
)  # fmt: skip
def test_parts(module: str, expected: str) -> None:
    assert part(module) == expected


def test_imports_of_every_form_are_seen(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those within a function, under TYPE_CHECKING and by name."""
    found = imports()
    assert found["proofs.entry", "proofs.cli"] and any(other == "proofs.commands.verify" for _, other in found)
    assert found["numeric", "numeric.kernel"]
    assert found["proofs.ledger", "proofs.results"]
    source = {"numeric.a": "def f():\n    from proofs import checker\n", "proofs.checker": ""}
    paths = {}
    for name, text in source.items():
        paths[name] = tmp_path / name  # type: ignore[operator]
        paths[name].write_text(text, encoding="utf-8")
    monkeypatch.setattr(house, "modules", lambda: paths)
    assert dict(house.imports()) == {("numeric.a", "proofs.checker"): 1}
    assert layer("proofs.checker") > layer("numeric.a")


def test_the_page_names_what_is_there() -> None:
    page = text_of("docs/how-it-is-built.md")
    named = re.findall(r"`((?:numeric|proofs|docs|tests)/[\w/.*]*)`", page)
    assert len(named) > 15
    assert [name for name in named if not list(REPOSITORY.glob(name.rstrip("/")))] == []
    assert set(PARTS) == set(LAYERS)
    for name in PARTS[1:]:
        assert f"| `{name.replace('.', '/')}/` |" in page
