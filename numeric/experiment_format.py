"""The fields of an experiment file as arXiv:2602.16837's experiments write them, checked one by one.

Strict: no text passes for a number, no number for an integer, no field is unknown. What the format can say and the
theory here does not cover is refused by name: another mask than the causal one, a window, a temperature other than 1.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from numeric.kernel import CONTENT_LIMIT, SLOPE_LIMIT
from numeric.nearest import nearest
from numeric.refuse import InputError, flag, refusal, shown
from numeric.yaml_text import Node, plain

__all__ = ["File", "checked", "locate"]

LONGEST = 1_000_000  # positions
MOST = 10_000  # layers or heads; a mistyped number must not fill the memory

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Slope = Annotated[float, Field(ge=0, le=SLOPE_LIMIT, allow_inf_nan=False)]
Score = Annotated[float, Field(ge=-CONTENT_LIMIT, le=CONTENT_LIMIT, allow_inf_nan=False)]
Constant = Annotated[float, Field(allow_inf_nan=False)]
Place = tuple[int | str, ...]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Mask(_Strict):
    mask_type: Literal["causal"]
    window_size: None = None


class Attention(_Strict):
    num_heads: Annotated[int, Field(ge=1, le=MOST)]
    alibi_slopes: list[list[Slope]]
    head_weights: list[Share] | None = None
    softmax_temperature: Annotated[float, Field(ge=1, le=1)] = 1.0


class Content(_Strict):
    diagonal_scores: list[list[Score]]
    base_scores: list[list[Constant]]


class ConstantSchedule(_Strict):
    schedule_type: Literal["constant"]
    lambda_const: Share


class CustomSchedule(_Strict):
    schedule_type: Literal["custom"]
    lambdas_custom: list[Share]


class File(_Strict):
    """One experiment. ``save_dir`` is where the authors' program wrote its results; nothing is written there."""

    sequence_length: Annotated[int, Field(ge=1, le=LONGEST)]
    num_layers: Annotated[int, Field(ge=0, le=MOST)]
    mask_config: Mask
    attention_config: Attention
    content_config: Content
    lambda_schedule_config: Annotated[ConstantSchedule | CustomSchedule, Field(discriminator="schedule_type")]
    save_dir: str | None = None


_MODELS = (File, Mask, Attention, Content, ConstantSchedule, CustomSchedule)
_FIELDS = tuple(dict.fromkeys(field for model in _MODELS for field in model.model_fields))


def checked(node: Node, place: str) -> File:
    """The file's fields; InputError naming file, line, field, requirement and value of the first one that fails."""
    if not isinstance(node.value, dict):
        found = "a list" if isinstance(node.value, list) else shown(node.value)
        raise flag("file", "hold named fields (a mapping)", found, f"{place}, line {node.line}")
    try:
        return File.model_validate(plain(node))
    except ValidationError as error:
        first = min(error.errors(include_url=False), key=lambda problem: _order(node, problem))
        raise _explained(first, node, place) from None


def locate(node: Node, loc: Place) -> tuple[str, int, Place]:
    """Name, line and indices (from 1) of the value at ``loc``, without the step that is only a union's tag.

    A missing key is part of the name and stands on the line of the mapping that lacks it.
    """
    names: list[str] = []
    entry: list[int] = []
    line = node.line
    for step in loc:
        below: Node | None = None
        if isinstance(node.value, dict) and isinstance(step, str):
            below = node.value.get(step)
            if below is None and step not in ("constant", "custom"):
                names.append(step)
        elif isinstance(node.value, list) and isinstance(step, int):
            below = node.value[step]
            entry.append(step + 1)
        if below is not None:
            node, line = below, below.line
            if isinstance(step, str):
                names.append(step)
    return ".".join(names), line, tuple(entry)


def _order(node: Node, problem: Any) -> tuple[bool, int]:
    """By lines; what is missing comes last, since a mistyped name is both unknown and missing."""
    return problem["type"] == "missing", locate(node, problem["loc"])[1]


def _explained(problem: Any, node: Node, place: str) -> InputError:
    """Our own sentence for pydantic's finding."""
    name, line, entry = locate(node, problem["loc"])
    where = f"{place}, line {line}"
    if entry:
        where += f", entry {', '.join(str(i) for i in entry)}, counted from 1"
    kind: str = problem["type"]
    context: dict[str, Any] = problem.get("ctx", {})
    if kind == "missing":
        return flag(name, "be given", "left out", where)
    if kind == "union_tag_not_found":
        return flag(f"{name}.schedule_type", "be given", "left out", where)
    if kind == "extra_forbidden":
        return flag(name, "be a field of the format", "unknown", nearest(problem["loc"][-1], _FIELDS, place=where))
    if kind == "union_tag_invalid":
        near = nearest(context["tag"], ("constant", "custom"), place=where)
        return refusal(f"{name}.schedule_type", "be 'constant' or 'custom'", context["tag"], near)
    return refusal(name, _requirement(kind, context, name), problem["input"], where)


def _requirement(kind: str, context: dict[str, Any], name: str) -> str:
    if name.endswith("softmax_temperature"):
        return "be 1 (no other temperature is covered)"
    if name.endswith("window_size"):
        return "be null (windows are not covered)"
    if name.endswith("mask_type"):
        return "be 'causal' (no other mask is covered)"
    if "alibi_slopes" in name and kind in _BOUNDS:
        return f"lie in [0, {SLOPE_LIMIT:g}]"
    if "diagonal_scores" in name and kind in _BOUNDS:
        return f"lie in [{-CONTENT_LIMIT:g}, {CONTENT_LIMIT:g}]"
    if kind in _BOUNDS and ("lambda" in name or "head_weights" in name):
        return "lie in [0, 1]"
    if kind in _BOUNDS:
        return f"be {_BOUNDS[kind]} {context.get('ge', context.get('le'))}"
    return _KINDS.get(kind, "fit the format")


_BOUNDS = {"greater_than_equal": "at least", "less_than_equal": "at most"}
_KINDS = {
    "int_type": "be an integer",
    "float_type": "be a number",
    "finite_number": "be a finite number",
    "list_type": "be a list",
    "string_type": "be text",
    "model_type": "hold named fields (a mapping)",
    "model_attributes_type": "hold named fields (a mapping)",
    "dict_type": "hold named fields (a mapping)",
}
