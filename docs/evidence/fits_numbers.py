"""What the runs of fits.py say: fits.json, from which fits_tables.py makes tables, and three figures.

    python docs/evidence/fits_numbers.py RUNS --models MODELS --out docs/evidence

Distances are W1/(n − 1) of means over samples, with the middle 95 % of 1000 bootstrap draws of the samples, as
``posbias compare`` has them. Tenths are of the positions. Runs that are not there are left out, and that is said.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from fits import TRAINED, Run, runs

Told = dict[str, Any]
SUMMED = "second moments"  # no rollout: paths add in quadrature
ORDER = (("half", "residual"), ("attention only", "half"))  # what residual connections are expected to bring
FIGURES = ("fits-variants.svg", "fits-residuals.svg", "fits-mixing.svg")
DRAWN = ("residual", SUMMED)


def main() -> None:
    from numeric.refuse import InputError

    wanted = options()
    try:
        write(wanted)
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("place", type=Path, metavar="RUNS")
    parser.add_argument("--models", type=Path, help="where training.py has put its folders, by kind")
    parser.add_argument("--shrink", type=int, nargs=2, metavar=("N", "K"), help="the runs of fits.py --shrink N K")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def write(wanted: argparse.Namespace) -> None:
    """fits.json and the figures, of the runs that there are."""
    from numeric.files import write_atomically
    from numeric.model.comparing import compare
    from numeric.refuse import flag

    for name, folder in (("RUNS", wanted.place), ("--out", wanted.out)):
        if folder.exists() and not folder.is_dir():
            raise flag(name, "be a folder", "a file")
    every = list(runs(wanted.shrink and tuple(wanted.shrink)))
    there = [run for run in every if (wanted.place / run.name / "report.json").is_file()]
    for run in every:
        if run not in there:
            sys.stderr.write(f"{run.name}: not there\n")
    if not there:
        raise flag("RUNS", "have a finished run of fits.py", "none")
    found = dict(
        zip((run.name for run in there), compare([wanted.place / run.name for run in there]).runs, strict=True)
    )
    trained = {kind: wanted.models / kind / "training.json" for kind in TRAINED if wanted.models}
    told = {
        "runs": {run.name: of_run(run, found[run.name]) for run in there},
        "training": {kind: training(file) for kind, file in trained.items() if file.is_file()},
    }
    wanted.out.mkdir(parents=True, exist_ok=True)
    write_atomically(wanted.out / "fits.json", lines(told).encode(), "--out")
    draw({run.model: found[run.name] for run in there if run.group != "robust"}, wanted.out)


def lines(told: Told) -> str:
    """JSON with a line for each run."""
    parts = (
        f"{json.dumps(key)}: {{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in part.items()) + "\n}"
        for key, part in told.items()
    )
    return "{\n" + ",\n".join(parts) + "\n}\n"


def training(file: Path) -> Told:
    found: Told = json.loads(file.read_text(encoding="utf-8"))
    return found


def of_run(run: Run, one: Any) -> Told:
    """What is kept of a comparison: distances, which is nearest, and what was measured."""
    whole, rest = one.all_tokens, one.without_first
    return {
        "model": run.model, "text": run.text or "random", "n": run.n, "seed": run.seed, "target": run.target,
        "samples": len(one.profiles.numbers), "layers": one.run.layers,
        "bos": one.run.manifest["input"]["bos"]["id"] is not None,
        **nearest(whole), "without_first": None if rest is None or run.group == "robust" else nearest(rest),
        "order": {f"{far} - {near}": farther(one.profiles, far, near) for far, near in ORDER},
        "left_out": one.profiles.left_out, "first": digits(one.measured_first),
        "attention_first": None if one.sink is None else digits(one.sink.mean),
        "averaging": None if one.averaging is None else digits(one.averaging.wasserstein),
        "lambda": [digits(x) for x in one.profiles.mixing.mean(axis=0)], **ends(one.profiles.measured),
    }  # fmt: skip


def nearest(found: Any) -> Told:
    gaps = {gap.name: [digits(x) for x in (gap.wasserstein, *(gap.interval or (None, None)), gap.spearman)]
            for gap in found.gaps}  # fmt: skip
    return {
        "gaps": gaps, "nearest": found.nearest, "tied": list(found.tied), "runner_up": found.runner_up,
        "margin": [digits(x) for x in (found.margin, *(found.margin_interval or (None, None)))],
        "separated": found.separated,
    }  # fmt: skip


def farther(profiles: Any, far: str, near: str) -> list[float | None]:
    """By how much one variant is farther than another, with the interval of the paired differences."""
    from numeric.model.resampling import Resampling
    from numeric.order import wasserstein

    resampling = Resampling(len(profiles.measured))
    drawn = [resampling.distances(profiles.predicted[name], profiles.measured) for name in (far, near)]
    p, q, measured = (
        rows.mean(axis=0) for rows in (profiles.predicted[far], profiles.predicted[near], profiles.measured)
    )
    found = (wasserstein(p, measured) - wasserstein(q, measured)) / (measured.size - 1)
    return [digits(x) for x in (found, *(resampling.interval(drawn[0] - drawn[1]) or (None, None)))]


def ends(measured: Any) -> Told:
    """Shares of the ten tenths, and by how much the first and the last exceed the lowest, with intervals.

    A U has both above it. The lowest is that of the mean over samples in every draw; without position 1 as well, of
    which a sink is made.
    """
    found = {}
    for name, profiles in (("tenths", measured), ("tenths_without_first", measured[:, 1:])):
        n = profiles.shape[1]
        cut = [tenth.mean(axis=1) * n for tenth in np.array_split(profiles, min(10, n), axis=1)]
        rows = np.stack(cut, axis=1) / profiles.sum(axis=1, keepdims=True)
        low = int(rows.mean(axis=0).argmin())
        found[name] = {
            "shares": [digits(x) for x in rows.mean(axis=0)], "lowest": low + 1,
            **{end: spread(rows[:, at] - rows[:, low]) for end, at in (("first", 0), ("last", -1))},
        }  # fmt: skip
    return found


def spread(values: Any) -> list[float | None]:
    """The mean with its interval."""
    from numeric.model.resampling import Resampling

    drawn = Resampling(len(values))
    interval = drawn.interval(drawn.weights @ values)
    return [digits(x) for x in (values.mean(), *(interval or (None, None)))]


def digits(x: Any) -> float | None:
    """Six digits after the point: twice what tables print, so that what is rounded again is seldom rounded away."""
    return None if x is None else round(float(x), 6)


def draw(found: dict[str, Any], out: Path) -> None:
    """The small MPT before and after training against two variants; what they miss, and λ, also of SmolLM2.

    What each figure shows is written beside it, as JSON.
    """
    from numeric.comparison_figure import draw_mixing, draw_residuals, draw_variants

    titles = {"mpt/before": "MPT, untrained", "mpt/after": "MPT, trained", "smollm2": "SmolLM2-135M"}
    there = {title: found[model].profiles for model, title in titles.items() if model in found}
    missed = {title: panel(one) for title, one in there.items()}
    mpt = {title: one for title, one in missed.items() if title.startswith("MPT")}
    mixing = {title: one.mixing for title, one in there.items()}
    drawings: tuple[Any, ...] = (draw_variants, draw_residuals, draw_mixing)
    for name, shown, drawing in zip(FIGURES, (mpt, missed, mixing), drawings, strict=True):
        if shown:
            drawing(out / name, shown)
            (out / name).with_suffix(".json").write_text(json.dumps(plain(shown)) + "\n", encoding="utf-8")


def panel(one: Any) -> tuple[Any, dict[str, Any]]:
    """What was measured, and two variants, each the mean over samples."""
    return one.measured.mean(axis=0), {name: one.predicted[name].mean(axis=0) for name in DRAWN}


def plain(shown: Any) -> Any:
    """Arrays as lists of numbers with six digits after the point."""
    if isinstance(shown, dict):
        return {key: plain(value) for key, value in shown.items()}
    if isinstance(shown, tuple):
        return {"measured": plain(shown[0]), **plain(shown[1])}
    return np.round(shown, 6).tolist()


if __name__ == "__main__":
    main()
