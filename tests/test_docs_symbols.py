"""docs/symbols.md is what the definitions say, and everything that it places in the code is there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docs.writers.symbols import ARRAYS, COMPUTED, PAGE, places, resolve, symbol_page
from proofs.notation import DEFINITIONS, PROPERTIES
from proofs.term import Symbol, total


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == symbol_page(), "python -m docs.writers.symbols writes it"


def test_every_operator_and_property_is_there() -> None:
    page = symbol_page().split("## Letters and operators")[1]
    assert [d.name for d in DEFINITIONS.values() if f" | {d.name} | " not in page] == ["number"]  # k reads k
    assert all(f"`proofs.properties.{name.replace(' ', '_')}`" in page for name in PROPERTIES)
    assert set(COMPUTED) <= {*DEFINITIONS, *PROPERTIES}


def test_every_place_is_there() -> None:
    found = list(places(symbol_page()))
    assert len(found) > len(ARRAYS) + len(DEFINITIONS)
    for place in found:
        assert resolve(place) is not None


@pytest.mark.parametrize(
    "place", ["numeric.profil", "numeric.profile(m)", "proofs.operators.rolout", "numeric.Shape.x"]
)
def test_a_place_that_is_not_there_is_told(place: str) -> None:
    with pytest.raises((AttributeError, ImportError, KeyError)):
        resolve(place)


def test_a_new_definition_changes_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = replace(DEFINITIONS["image"], params=("i", "j"), body=total("l", 1, "n", Symbol("A", 2)("i", "l")))
    monkeypatch.setitem(DEFINITIONS, "image", changed)
    assert symbol_page() != PAGE.read_text(encoding="utf-8")
