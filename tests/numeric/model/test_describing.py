"""docs/describing-a-model.md: its example describes the architecture it says, and its table has every key."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

from numeric.model import Family, audit, load, read_family

PAGE = (Path(__file__).parents[3] / "docs" / "describing-a-model.md").read_text(encoding="utf-8")


def test_the_example_describes_phi(tmp_path: Path) -> None:
    (example,) = re.findall(r"```json\n(.*?)```", PAGE, re.S)
    file = tmp_path / "phi.json"
    file.write_text(example, encoding="utf-8")
    sizes = {"num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 32, "intermediate_size": 40}
    config = {"model_type": "phi", "vocab_size": 61, "max_position_embeddings": 128, **sizes}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    found = audit(load(tmp_path, random_init=True, family=read_family(file)), n=23)
    layer = found.layers[1]
    assert (layer.positions, layer.norm, layer.order, layer.residual) == ("rotary", "pre", "parallel", "raw")
    assert found.mismatches == ()


def test_the_table_has_every_key() -> None:
    keys = [key for cell in re.findall(r"^\| (`.*?) \|", PAGE, re.M) for key in re.findall(r"`(\w+)`", cell)]
    assert sorted(keys) == sorted(field.name for field in fields(Family))
