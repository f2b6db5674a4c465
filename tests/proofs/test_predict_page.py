"""The page on predictions names every key that ``--json`` prints."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.models import needs_models
from tests.numeric.model.tiny import write_config

PAGE = Path(__file__).parents[2] / "docs" / "predicting-a-model.md"


@needs_models
def test_keys_are_those_of_the_page(posbias: Callable[..., Any], tmp_path: Path) -> None:
    write_config(tmp_path / "tiny", "bloom")
    options = ("--random-init", "--random-tokens", "-n", "7", "--samples", "1", "--json")
    found = json.loads(posbias("predict", tmp_path / "tiny", *options).out)
    table = PAGE.read_text(encoding="utf-8").split("## JSON")[1].split("## Time")[0]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| `")]
    named = {key for row in rows for key in re.findall(r"`(\w+)`", row[1])}
    assert set(found) | {"beside_gradient"} == named
    told = {row[1].strip(" `"): set(re.findall(r"`(\w+)`", row[2])) for row in rows}
    assert told["layers_found"] == set(found["layers_found"][0]) and told["seconds"] == set(found["seconds"])
