"""docs/gradient-valley.md: its table is what its script computes."""

from __future__ import annotations

import importlib.util
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_has_the_table_of_the_script() -> None:
    spec = importlib.util.spec_from_file_location("gradient_valley", DOCS / "evidence" / "gradient_valley.py")
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.table() in (DOCS / "gradient-valley.md").read_text(encoding="utf-8")
    # the control: another network has another table
    script.EIGHT[0] = 0.25
    assert script.table() not in (DOCS / "gradient-valley.md").read_text(encoding="utf-8")
