"""``posbias reproduce``: the paper's figures and table, from the published tables and its experiment files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from numeric.files import require_writable, write_atomically
from numeric.nearest import nearest
from numeric.refuse import flag, refusal
from proofs.commands.against import MEASURED, read_influence
from proofs.commands.options import renamed
from proofs.commands.reproduce_table import CSV_HEAD, JSON_HEAD, as_csv, as_data, as_text
from proofs.output import Outcome, as_json, note, require_folder, require_marked

if TYPE_CHECKING:
    from numeric.reproduction import Row, Variant

__all__ = ["Wanted", "run"]

SCALES, FORMATS = ("log", "linear"), ("svg", "png")  # of each the first unless another is asked for
CSV, JSON = "table.csv", "table.json"
OURS = "what posbias reproduce wrote"


@dataclass(frozen=True)
class Wanted:
    """The options as they were typed; None where one was left out."""

    directory: str
    experiments: str | None
    measured: Sequence[str]
    scale: str | None
    form: str | None
    json: bool


def run(wanted: Wanted) -> Outcome:
    """The table as text or JSON; files are written last and all at once, after everything was computed."""
    from numeric.reproduction_files import Found, find_variants

    scale = _choice(wanted.scale, "--scale", SCALES)
    suffix = "." + _choice(wanted.form, "--format", FORMATS)
    folder = _folder(wanted.directory, suffix)
    influence = _influences(wanted.measured)
    files = Found([], [])
    if wanted.experiments is not None:
        with renamed(file="--experiments"):  # refusals of a field keep the name of the field
            files = find_variants(wanted.experiments, "--experiments")
    try:
        rows = _rows(files.variants, influence)
        pictures = _pictures(rows, influence, scale, suffix)
    finally:
        note("")
    data = as_data(rows, influence, files.unused)
    contents = {**pictures, CSV: as_csv(rows).encode(), JSON: (as_json(data) + "\n").encode("ascii")}
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        write_atomically(folder / name, content, "DIR")
    paths = [str(folder / name) for name in contents]
    return Outcome(as_json({**data, "files": paths}) if wanted.json else as_text(rows, files.unused, paths))


def _choice(text: str | None, option: str, choices: tuple[str, str]) -> Any:
    if text is None:
        return choices[0]
    if text not in choices:
        raise refusal(option, f"be {' or '.join(choices)}", text, nearest(text, choices))
    return text


def _folder(path: str, suffix: str) -> Path:
    """The folder, and in it the files that will be written: each is new or one of ours."""
    from numeric.published import PUBLISHED
    from numeric.reproduction_figure import MARK

    folder = require_folder(path, "DIR")
    marks = {**{f"{model}{suffix}": MARK for model in PUBLISHED}, CSV: CSV_HEAD, JSON: JSON_HEAD}
    for name, mark in marks.items() if folder.exists() else ():
        require_marked(require_writable(folder / name, "DIR"), "DIR", mark, OURS)
    return folder


def _influences(measured: Sequence[str]) -> dict[str, Any]:
    """The measured influence of each model that has one: what --measured names, else the recorded one."""
    from numeric.published import find, measured_influence

    paths: dict[str, str] = {}
    for model, path in map(_model_and_path, measured):
        if model in paths:
            raise flag("--measured", "be given once for a model", f"twice for {model}")
        paths[model] = path
    given = {model: read_influence(path, find(model).length, "--measured") for model, path in paths.items()}
    return {MEASURED: measured_influence(MEASURED), **given}


def _model_and_path(text: str) -> tuple[str, str]:
    """``MODEL=CSV``; a path alone is of the model whose influence the paper measured."""
    from numeric.published import PUBLISHED

    model, separator, path = text.partition("=")
    if separator and path and model in PUBLISHED:
        return model, path
    # a path may have = in it; what looks like a name of a model and leads nowhere is a mistyped one
    if separator and not _exists(text):
        hint = nearest(model, PUBLISHED)
        raise refusal("--measured", f"be CSV or MODEL=CSV with one of {', '.join(PUBLISHED)}", text, hint)
    return MEASURED, text


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long a name, a null byte
        return False


def _rows(from_files: Sequence[Variant], influence: Mapping[str, Any]) -> list[Row]:
    """Model by model, those of the published tables before those of files."""
    from numeric.published import PUBLISHED
    from numeric.reproduction import published_variants, reproduce

    rows = []
    for name, model in PUBLISHED.items():
        for variant in [*published_variants(model), *(v for v in from_files if v.model is model)]:
            note(f"{name}: {variant.name}")
            rows.append(reproduce(variant, influence.get(name)))
    return rows


def _pictures(
    rows: Sequence[Row], influence: Mapping[str, Any], scale: Literal["log", "linear"], suffix: str
) -> dict[str, bytes]:
    """A figure for each model, by file name."""
    from numeric.reproduction_figure import picture

    by_model: dict[str, list[Row]] = {}
    for row in rows:
        by_model.setdefault(row.variant.model.name, []).append(row)
    pictures = {}
    for name, own in by_model.items():
        note(f"drawing {name}")
        title = f"{name}, n = {own[0].variant.model.length}"
        pictures[name + suffix] = picture(own, influence.get(name), title=title, scale=scale, suffix=suffix)
    return pictures
