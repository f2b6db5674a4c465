"""The figures that are shipped show what posbias computes: data and drawings are made again and compared."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from docs.figures import ELSEWHERE, FIGURES, IMAGES, PHOTOGRAPHED, VERSIONS, as_csv, data_file, main
from tests.markdown import pages

# A profile of T layers at n positions errs relatively by T (12 log2 n + 10) 2^-53 at most (numeric.kernel), one of
# second moments by the 2 n roundings of the two products in each layer. The machine that drew and the one that tests
# may err to opposite sides. The largest here have T = 70 and n = 256, and T = 24 and n = 256.
CLOSE = 2 * max(70 * (12 * 8 + 10), 24 * 2 * 2 * 256) * 2.0**-53
# Coordinates of a figure are below 1000 points and have six digits behind the point: their last digit may differ.
DRAWN = 1000 * CLOSE + 2e-6


def differing(shipped: str, computed: str) -> list[tuple[str, str]]:
    """Cells of two CSV files that are not the same text or numbers as close as rounding makes them."""
    found = []
    for one, two in zip(csv.reader(shipped.splitlines()), csv.reader(computed.splitlines()), strict=True):
        found += [(a, b) for a, b in zip(one, two, strict=True) if a != b and not _close(a, b)]
    return found


def _close(a: str, b: str) -> bool:
    try:
        x, y = float(a), float(b)
    except ValueError:
        return False
    return abs(x - y) <= CLOSE * max(abs(x), abs(y))


@pytest.mark.parametrize("name", FIGURES)
def test_data_are_those_that_are_computed(name: str) -> None:
    assert differing(data_file(name).read_text(encoding="utf-8"), as_csv(FIGURES[name].table())) == []


@pytest.mark.parametrize("name", FIGURES)
def test_drawings_are_those_that_are_drawn(name: str, tmp_path: Path) -> None:
    versions = {package: version(package) for package in json.loads(VERSIONS.read_text(encoding="utf-8"))}
    if versions != json.loads(VERSIONS.read_text(encoding="utf-8")):
        pytest.skip(f"figures were drawn with {VERSIONS.read_text(encoding='utf-8').strip()}, not {versions}")
    FIGURES[name].draw(tmp_path / f"{name}.svg")
    shipped, drawn = (folder / f"{name}.svg" for folder in (IMAGES, tmp_path))
    assert unlike(shipped.read_text(encoding="utf-8"), drawn.read_text(encoding="utf-8")) == []


def unlike(shipped: str, drawn: str) -> list[tuple[str, str]]:
    """What two drawings differ in: text, or numbers by more than their last digit."""
    number = r"-?\d+\.\d+(?:e-?\d+)?"
    if re.sub(number, "#", shipped) != re.sub(number, "#", drawn):
        return [("another drawing", "")]
    pairs = zip(re.findall(number, shipped), re.findall(number, drawn), strict=True)
    return [(a, b) for a, b in pairs if abs(float(a) - float(b)) > DRAWN]


CONTROLS: list[tuple[Callable[[str, str], list[tuple[str, str]]], str, str]] = [
    (differing, "position,p\n0,0.25\n", "position,p\n0,0.2500000001\n"),
    (differing, "position,p\n0,U\n", "position,p\n0,other\n"),
    (unlike, "M 1.000001 2.5 <!-- U -->", "M 1.00001 2.5 <!-- U -->"),
    (unlike, "M 1.000001 2.5 <!-- U -->", "M 1.000001 2.5 <!-- V -->"),
]


@pytest.mark.parametrize(("compare", "one", "other"), CONTROLS)
def test_a_difference_is_seen(compare: Callable[[str, str], list[tuple[str, str]]], one: str, other: str) -> None:
    assert compare(one, other) and not compare(one, one)


def test_rounding_is_no_difference() -> None:
    assert differing("p\n0.1\n", f"p\n{0.1 * (1 + CLOSE / 2)!r}\n") == []


def test_another_name_is_refused_and_nothing_drawn(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("sys.argv", ["figures.py", "phase", "phases"])
    monkeypatch.setattr("docs.figures.IMAGES", Path("nowhere"))  # a drawing would fail
    with pytest.raises(SystemExit) as end:
        main()
    written = capsys.readouterr()
    assert (end.value.code, written.out) == (2, "")
    assert re.fullmatch(r"Argument 'NAME' must be one of bloom-176b, .*, not 'phases'\.\n", written.err)


def test_every_picture_is_made_by_one_command_or_listed() -> None:
    """And every picture of a page is there; those under evidence have their data beside them."""
    shown = {
        (page.parent / link).resolve()
        for page in pages()
        for link in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    }
    drawn = {(IMAGES / f"{name}.svg").resolve() for name in FIGURES}
    elsewhere = {(IMAGES.parent / name).resolve() for name in ELSEWHERE}
    photographed = {(IMAGES / name).resolve() for name in PHOTOGRAPHED}
    assert shown <= drawn | elsewhere | photographed
    assert {path.resolve() for path in IMAGES.glob("*.*")} == drawn | photographed
    assert {path.stem for path in (IMAGES / "data").glob("*.csv")} == set(FIGURES)
    assert all(path.is_file() and path.with_suffix(".json").is_file() for path in elsewhere)
