"""``posbias measure --jobs FILE``: several measurements by joblib, each with a folder of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from numeric.nearest import nearest, one_of
from numeric.refuse import InputError, flag, refusal
from proofs.commands.measure import Wanted, job_options
from proofs.commands.options import Typed, renamed
from proofs.input_file import read_text
from proofs.output import Outcome, as_json, note, printable, table

__all__ = ["run"]

NAME = "--jobs"
MOST_JOBS = 10_000
MOST_PROCESSES = 1_000
KEYS = {field.name.replace("_", "-"): field for field in fields(Wanted) if field.name != "json"}
TRUTH = {key for key, field in KEYS.items() if field.type == "bool"}
WHOLE = {"length", "samples", "batch", "seed"}


def run(file: str, wanted: Wanted, number: str | None, backend: str | None, typed: Typed) -> Outcome:
    """Measures what the folders of all jobs lack; every job is refused before the first begins."""
    _require_alone(wanted, typed)
    at_once = typed.whole(number, 1, MOST_PROCESSES, "-j", "--n-jobs") or 1
    jobs = [_job(entry, f"job {at} of {printable(file)}") for at, entry in enumerate(_entries(file), start=1)]
    from numeric.model.measuring import Job, measure_all

    note(f"{len(jobs)} jobs, {at_once} at a time")
    try:
        with renamed(jobs=NAME):
            reports = measure_all([Job(**job) for job in jobs], n_jobs=at_once, backend=_known(backend))
    finally:
        note("")
    return Outcome(as_json({"jobs": reports}) if wanted.json else _text(jobs, reports))


def _require_alone(wanted: Wanted, typed: Typed) -> None:
    """Options of one measurement stand in the file; beside it they would say nothing."""
    for key, field in KEYS.items():
        if getattr(wanted, field.name) != (None if key == "model" else field.default):
            name = {"model": "MODEL", "length": typed.name("-n", "--length")}.get(key, f"--{key}")
            raise flag(name, "be left out beside --jobs, whose file says it", "given")


def _entries(file: str) -> list[Any]:
    try:
        found = json.loads(read_text(file, NAME))
    except (ValueError, RecursionError) as error:
        raise (
            error if isinstance(error, InputError) else flag(NAME, "be a JSON file", "this", printable(file))
        ) from None
    if not isinstance(found, list) or not 1 <= len(found) <= MOST_JOBS:
        raise flag(NAME, f"hold a JSON list of 1 to {MOST_JOBS} jobs", "another", printable(file))
    return found


def _job(entry: Any, place: str) -> dict[str, Any]:
    """The fields of a Job, read by the rules of the command line; refusals say of which job they are."""
    if not isinstance(entry, dict):
        raise refusal(NAME, "hold objects, from options to values", entry, place)
    given = {KEYS[_key(key, place)].name: _value(key, value, place) for key, value in entry.items()}
    try:
        return job_options(Wanted(**{"model": None, **given}), Typed(("--length",)))
    except InputError as error:
        text = str(error).removesuffix(".")
        raise InputError(f"{text[:-1]}; {place})." if text.endswith(")") else f"{text} ({place}).") from None


def _key(key: str, place: str) -> str:
    if key not in KEYS:
        requirement = f"name options of posbias measure ({', '.join(KEYS)})"
        raise refusal(NAME, requirement, key, nearest(key, KEYS, place=place))
    return key


def _value(key: str, value: Any, place: str) -> Any:
    """As it would be typed: text, whole numbers and true or false as JSON has them."""
    if key in TRUTH:
        kind, wanted = isinstance(value, bool), "true or false"
    elif key in WHOLE:
        kind, wanted = isinstance(value, int) and not isinstance(value, bool), "an integer"
    else:
        kind, wanted = isinstance(value, str), "text"
    if not kind:
        raise refusal(NAME, f"hold {wanted} for {key!r}", value, place)
    return value if key in TRUTH else str(value)


def _known(backend: str | None) -> str | None:
    """A backend that joblib has, or that was registered with it."""
    if backend is None:
        return None
    from importlib.util import find_spec

    if find_spec("joblib") is None:  # `measure_all` says what to install
        return backend
    from joblib.parallel import BACKENDS, EXTERNAL_BACKENDS

    choices = sorted({*BACKENDS, *EXTERNAL_BACKENDS})
    return one_of(backend, "--backend", choices)


def _text(jobs: Sequence[Mapping[str, Any]], reports: Sequence[Mapping[str, Any]]) -> str:
    rows = [("model", "n", "samples", "depth", "shape", "remarks", "written")]
    for job, report in zip(jobs, reports, strict=True):
        found = report["influence"]["mean_of_norms"]
        numbers = (str(report["length"]), str(report["samples"]), f"{report['lambda']['effective_depth']:.3f}")
        form = "-" if found is None else found["shape"]
        rows.append((printable(job["model"]), *numbers, form, str(len(report["remarks"])), printable(job["out"])))
    return table(rows, frozenset({1, 2, 3, 5}))
