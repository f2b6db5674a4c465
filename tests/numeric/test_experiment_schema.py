"""The JSON schema of experiment files, by a small check of ours: it accepts and refuses what the reader does."""

from __future__ import annotations

import copy
import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from numeric.experiment import Experiment
from numeric.experiment_format import File
from numeric.yaml_text import plain, read_node

SCHEMA = json.loads((resources.files("numeric") / "data" / "experiment.schema.json").read_text(encoding="utf-8"))
TYPES: dict[str, Any] = {"object": dict, "array": list, "string": str, "null": type(None)}
KEYWORDS = {
    "$schema", "title", "description", "type", "required", "additionalProperties", "properties", "items", "minimum",
    "maximum", "const", "oneOf",
}  # fmt: skip

FULL = {
    "sequence_length": 7,
    "num_layers": 3,
    "mask_config": {"mask_type": "causal", "window_size": None},
    "attention_config": {
        "num_heads": 2,
        "alibi_slopes": [[0.5, 0.25]],
        "head_weights": [0.75, 0.25],
        "softmax_temperature": 1.0,
    },
    "content_config": {"diagonal_scores": [[-1.0]], "base_scores": [[9.5]]},
    "lambda_schedule_config": {"schedule_type": "custom", "lambdas_custom": [0.001, 0.5, 1]},
    "save_dir": "./results",
}
CONSTANT = {**FULL, "lambda_schedule_config": {"schedule_type": "constant", "lambda_const": 0.25}}
# what is put in the place of each field in turn
VALUES: list[Any] = [
    0, 1, 2, -1, 0.5, 1.0, 1.5, 400, 400.5, -400.5, 700, 700.5, 10_000, 10_001, 1_000_000, 1_000_001, "causal",
    "custom", "constant", "x", "0.5", True, None, [], [0.5], [-0.5], [1.5], [[]], [[0.5]], [[700]], [[700.5]], [[-401]],
    [["0.5"]], [[None]], {}, {"x": 1},
]  # fmt: skip


def accepts(schema: dict[str, Any], value: Any) -> bool:
    """Whether the schema accepts the value, as far as the keywords go that ours has."""
    assert set(schema) <= KEYWORDS
    if "oneOf" in schema and [accepts(option, value) for option in schema["oneOf"]].count(True) != 1:
        return False
    if "const" in schema and value != schema["const"]:
        return False
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if kinds and not any(_is_of(value, kind) for kind in kinds):
        return False
    if isinstance(value, (int, float)) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return False
    if isinstance(value, list):
        return all(accepts(schema.get("items", {}), entry) for entry in value)
    if isinstance(value, dict):
        fields = schema.get("properties", {})
        closed = schema.get("additionalProperties", True) is False
        return (
            all(name in value for name in schema.get("required", ()))
            and not (closed and set(value) - set(fields))
            and all(accepts(fields.get(name, {}), entry) for name, entry in value.items())
        )
    return True


def _is_of(value: Any, kind: str) -> bool:
    if kind in ("integer", "number"):
        allowed = int if kind == "integer" else (int, float)
        return isinstance(value, allowed) and not isinstance(value, bool)
    return isinstance(value, TYPES[kind])


def reads(value: Any) -> bool:
    """Whether the reader of experiment files takes these fields."""
    try:
        File.model_validate(value)
    except ValidationError:
        return False
    return True


def _paths(value: Any) -> list[tuple[str, ...]]:
    """The path of every field, those that hold fields too."""
    if not isinstance(value, dict):
        return []
    return [path for name, below in value.items() for path in ((name,), *((name, *rest) for rest in _paths(below)))]


def _changed(value: dict[str, Any], path: tuple[str, ...], new: Any, *, drop: bool = False) -> dict[str, Any]:
    changed = copy.deepcopy(value)
    inner = changed
    for step in path[:-1]:
        inner = inner[step]
    if drop:
        del inner[path[-1]]
    else:
        inner[path[-1]] = new
    return changed


CASES = [(whole, path) for whole in (FULL, CONSTANT) for path in _paths(whole)]


@pytest.mark.parametrize(("whole", "path"), CASES, ids=[".".join(path) for _, path in CASES])
def test_schema_and_reader_agree(whole: dict[str, Any], path: tuple[str, ...]) -> None:
    changed = [_changed(whole, path, new) for new in VALUES]
    changed += [_changed(whole, path, None, drop=True), _changed(whole, (*path[:-1], "surprise"), 1)]
    verdicts = [accepts(SCHEMA, value) for value in changed]
    assert verdicts == [reads(value) for value in changed]
    assert False in verdicts


def test_whole_files_are_accepted() -> None:
    assert accepts(SCHEMA, FULL) and accepts(SCHEMA, CONSTANT)
    assert reads(FULL) and reads(CONSTANT)


def test_what_we_write_fits_the_schema() -> None:
    experiment = Experiment(11, 3, 2, slopes=[[0.1, 50.0]], lam=[0.1, 0.5, 1.0], content=[[1.5], [-400.0], [5e-324]])
    assert accepts(SCHEMA, plain(read_node(experiment.text(), "test")))


def test_the_papers_files_fit_the_schema(data_dir: Path) -> None:
    paths = sorted((data_dir / "authors-configs" / "alibi" / "no_content").glob("*.yaml"))
    assert paths
    for path in paths:
        assert accepts(SCHEMA, plain(read_node(path.read_text(encoding="utf-8"), path.name)))
