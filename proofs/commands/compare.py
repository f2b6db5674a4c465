"""``posbias compare``: theories against what was measured, from folders alone."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numeric.refuse import flag
from proofs.commands.compare_plot import draw, require_drawable
from proofs.commands.compare_text import text_of
from proofs.commands.model import require_choices
from proofs.commands.options import Typed, renamed
from proofs.commands.options import seed as read_seed
from proofs.output import Outcome, as_json, note, printable, require_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numeric.model.comparing import Comparison, Distances, RunComparison

__all__ = ["Wanted", "distances_json", "run"]

LEAST_DRAWS, MOST_DRAWS = 40, 100_000  # of fewer, none lies in the outer 2.5 % on either side
CHOICES = {"--target": ("prob", "logprob", "logit")}
HEAD = (
    "dir", "variant", "wasserstein", "low", "high", "spearman", "spearman_low", "spearman_high", "first",
    "wasserstein_without_first", "low_without_first", "high_without_first", "left_out",
)  # fmt: skip


@dataclass(frozen=True)
class Wanted:
    """The options as they were typed; None where one was left out."""

    folders: tuple[str, ...]
    target: str | None
    draws: str
    seed: str
    plot: str | None
    csv: str | None
    json: bool


def run(wanted: Wanted, typed: Typed) -> Outcome:
    """Compares, writes what is asked for, and says what came out."""
    require_choices({"--target": wanted.target}, CHOICES)
    draws = typed.whole(wanted.draws, LEAST_DRAWS, MOST_DRAWS, "--draws")
    seed = read_seed(typed, wanted.seed)
    if not wanted.folders:
        raise flag("DIR", "be given", "left out")
    csv_file = None if wanted.csv is None else _require_csv(wanted.csv, wanted.folders)
    place = None if wanted.plot is None else require_drawable(wanted.plot, len(wanted.folders))
    from numeric.files import write_atomically
    from numeric.model.comparing import compare

    note("comparing")
    try:
        with renamed(target="--target"):
            found = compare(wanted.folders, target=wanted.target, seed=seed, draws=draws or LEAST_DRAWS)
        files = [] if place is None else draw(found, place)
    finally:
        note("")
    if csv_file is not None:
        write_atomically(csv_file, _csv(found), "--csv")
        files.append(str(csv_file))
    return Outcome(as_json({**_json(found), "files": files}) if wanted.json else text_of(found, files))


# --- CSV --------------------------------------------------------------------------------------------------------------


def _require_csv(path: str, folders: tuple[str, ...]) -> Path:
    """The file, if it can be written and is none that a run is kept in; an earlier table of ours may be replaced."""
    file = require_file(path, "--csv")
    place = file.resolve()
    if any(place.parent == Path(folder).resolve() for folder in folders if "\0" not in folder) and place.is_file():
        with place.open("rb") as there:
            if there.readline() != f"{','.join(HEAD)}\n".encode():
                raise flag("--csv", "be none of the files of DIR", printable(path))
    return file


def _csv(found: Comparison) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    for one in found.runs:
        for row in _rows(one):
            writer.writerow(["" if cell is None else repr(cell) if isinstance(cell, float) else cell for cell in row])
    return out.getvalue().encode()


def _rows(one: RunComparison) -> Iterator[tuple[Any, ...]]:
    rest = [] if one.without_first is None else one.without_first.gaps
    beyond = {gap.name: gap for gap in rest}
    for gap in one.all_tokens.gaps:
        other = beyond.get(gap.name)
        yield (
            str(one.run.folder), gap.name, gap.wasserstein, *_pair(gap.interval), gap.spearman,
            *_pair(gap.rank_interval), gap.first,
            *((None,) * 3 if other is None else (other.wasserstein, *_pair(other.interval))), None,
        )  # fmt: skip
    for name, why in one.profiles.left_out.items():
        yield (str(one.run.folder), name, *(None,) * (len(HEAD) - 3), why)


def _pair(interval: tuple[float, float] | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else interval


# --- JSON -------------------------------------------------------------------------------------------------------------


def _json(found: Comparison) -> dict[str, Any]:
    return {
        "runs": [_run_json(one) for one in found.runs],
        "robustness": {
            "runs": len(found.runs), "nearest_in": found.nearest_in,
            "separated_in": sum(bool(one.separated) for one in found.runs),
        },
        "other_target": [{"dir": str(folder), "target": target} for folder, target in found.other_target],
        "seed": found.seed, "draws": found.draws,
    }  # fmt: skip


def _run_json(one: RunComparison) -> dict[str, Any]:
    run, profiles = one.run, one.profiles
    averaging, drift, sink = one.averaging, one.drift, one.sink
    return {
        "dir": str(run.folder), "model": run.manifest["model"], "length": run.length, "layers": run.layers,
        "samples": len(profiles.numbers), "asked": run.asked, "complete": run.complete, "in_use": run.in_use,
        "excluded": [{"sample": number, "why": why} for number, why in profiles.excluded],
        "target": run.target,
        **distances_json(one.all_tokens, profiles.left_out, profiles.fixed),
        "averaging": None if averaging is None else {
            "mean_of_rollouts": _near(one.all_tokens, "residual"),
            "rollout_of_mean": _near(one.all_tokens, "residual, mean kernel"),
            "distance": averaging.distance, "wasserstein": averaging.wasserstein, "bound": averaging.bound,
            "bound_left_out": averaging.why, "samples": averaging.samples,
        },
        "robust_drift": None if drift is None else {
            "on_top": drift.on_top, "raised": drift.raised, "largest_gap": drift.gap, "layer": drift.layer,
        },
        "sink": {
            "attention_first": None if sink is None else {"mean": sink.mean, "layers": list(sink.layers)},
            "architectural_first": one.architectural_first,
            "measured_first": one.measured_first,
            "predicted_first": {gap.name: gap.first for gap in one.all_tokens.gaps},
            "without_first": None if one.without_first is None else distances_json(
                one.without_first, {**profiles.left_out, **one.without_first_why}, profiles.fixed
            ),
            "left_out": one.without_first_why.get("measured"),
        },
        "kernels_left_out": one.kernels_why,
    }  # fmt: skip


def _near(found: Distances, name: str) -> float | None:
    gap = found.of(name)
    return None if gap is None else gap.wasserstein


def distances_json(found: Distances, left_out: dict[str, str], fixed: frozenset[str]) -> dict[str, Any]:
    """Every variant with its distance, or why it was left out; which is nearest, and whether that is told apart."""
    keys = ("wasserstein", "low", "high", "spearman", "spearman_low", "spearman_high")
    variants = [
        {
            "name": gap.name,
            **dict(zip(keys, (gap.wasserstein, *_pair(gap.interval), gap.spearman, *_pair(gap.rank_interval)),
                       strict=True)),
            "one_profile": gap.name in fixed, "left_out": None,
        }
        for gap in found.gaps
    ]  # fmt: skip
    variants += [
        {"name": name, **dict.fromkeys(keys), "one_profile": False, "left_out": why} for name, why in left_out.items()
    ]
    low, high = _pair(found.margin_interval)
    return {
        "variants": variants, "nearest": found.nearest, "tied": list(found.tied), "runner_up": found.runner_up,
        "margin": found.margin, "margin_low": low, "margin_high": high, "separated": found.separated,
        "nearest_share": found.share, "not_separated": list(found.alike),
    }  # fmt: skip
