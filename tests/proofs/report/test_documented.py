"""docs/report.md names every figure of the page, and its picture is small."""

from __future__ import annotations

import re
from pathlib import Path

from proofs.report.sections import SECTIONS

DOCS = Path(__file__).parents[3] / "docs"


def test_figures_are_those_of_the_page() -> None:
    text = (DOCS / "report.md").read_text(encoding="utf-8")
    table = text.split("## What is in it")[1].split("\n\n")[1]
    assert re.findall(r"^\| ([^|]+) \|", table, re.M)[1:] == [section.heading for section in SECTIONS]


def test_the_picture_is_small() -> None:
    picture = (DOCS / "images" / "report.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 200_000
