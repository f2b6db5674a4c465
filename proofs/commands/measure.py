"""``posbias measure``: mixing coefficients, influence and kernels of a real model, kept in a folder."""

from __future__ import annotations

import json as json_text
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numeric.refuse import flag, refusal
from proofs.commands.options import MOST_POSITIONS, Typed, renamed
from proofs.commands.options import seed as read_seed
from proofs.input_file import read_text
from proofs.output import Outcome, as_json, note, printable, require_folder, table

__all__ = ["Wanted", "run"]

MOST_SAMPLES = 10_000_000
MAPS = ("auto", "balanced", "balanced_low_0", "sequential")
DEVICES = ("cpu", "cuda", "mps", "xpu")
DTYPES = ("float32", "float64")
CHOICES = {
    "--target": ("prob", "logprob", "logit"), "--bos": ("tokenizer", "yes", "no"), "--attention": ("eager", "sdpa"),
    "--dtype": DTYPES,
}  # fmt: skip


@dataclass(frozen=True)
class Wanted:
    """The options as they were typed; None where one was left out."""

    model: str
    out: str | None
    text: str | None
    random_tokens: bool
    length: str | None
    samples: str | None
    batch: str | None
    seed: str
    target: str
    kernels: bool
    bos: str
    random_init: bool
    attention: str | None
    dtype: str
    family: str | None
    device_map: str | None
    offload: str | None
    checkpointing: bool
    json: bool


def run(wanted: Wanted, typed: Typed) -> Outcome:
    """Measures what DIR lacks and says what is there then."""
    options = _options(wanted, typed)
    from numeric.model.measuring import Job, measure

    note(f"loading {printable(wanted.model)}")
    try:
        with renamed(**{"dtype": "--dtype", "attention": "--attention", "--length": typed.name("-n", "--length")}):
            report = measure(Job(**options), progress=_progress)
    finally:
        note("")
    return Outcome(as_json(report) if wanted.json else _text(report, options["out"]))


def _progress(done: int, total: int, left: float | None) -> None:
    note(f"{done} of {total} samples" + ("" if left is None else f", {_duration(left)} left"))


def _duration(seconds: float) -> str:
    """
    >>> _duration(59.6), _duration(3723)
    ('1 min', '1 h 2 min')
    """
    whole = round(seconds)
    if whole < 59:
        return f"{whole} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


# --- options --------------------------------------------------------------------------------------------------------


def _options(wanted: Wanted, typed: Typed) -> dict[str, Any]:
    """The fields of a Job; whatever can be refused before torch is loaded is refused here."""
    given = {
        "--target": wanted.target, "--bos": wanted.bos, "--attention": wanted.attention, "--dtype": wanted.dtype
    }  # fmt: skip
    for name, value in given.items():
        if value is not None and value not in CHOICES[name]:
            raise refusal(name, f"be one of {', '.join(CHOICES[name])}", value)
    if (wanted.text is None) == (not wanted.random_tokens):
        found = "both" if wanted.random_tokens else "neither"
        raise flag("--text", "be given, or --random-tokens instead", found)
    return {
        "model": wanted.model,
        "out": str(require_folder(_needed(wanted.out, "--out"), "--out")),
        "text": wanted.text,
        "length": typed.whole(_needed(wanted.length, "-n"), 2, MOST_POSITIONS, "-n", "--length"),
        "samples": typed.whole(_needed(wanted.samples, "--samples"), 1, MOST_SAMPLES, "--samples"),
        "batch": typed.whole(wanted.batch, 1, MOST_SAMPLES, "--batch") or 1,
        "seed": read_seed(typed, wanted.seed),
        "target": wanted.target,
        "kernels": wanted.kernels,
        "bos": wanted.bos,
        "random_init": wanted.random_init,
        "attention": wanted.attention,
        "dtype": wanted.dtype,
        "family": wanted.family,
        "device_map": None if wanted.device_map is None else _device_map(wanted.device_map),
        "offload": None if wanted.offload is None else str(require_folder(wanted.offload, "--offload")),
        "checkpointing": wanted.checkpointing,
    }


def _needed(value: str | None, name: str) -> str:
    if value is None:
        raise flag(name, "be given", "left out")
    return value


def _device_map(text: str) -> str | dict[str, str | int]:
    """A name that accelerate knows, a device, or what a JSON file says of each module."""
    if text in MAPS or text.partition(":")[0] in DEVICES:
        return text
    if not text.endswith(".json"):
        raise refusal("--device-map", f"be one of {', '.join(MAPS)}, a device such as cpu, or FILE.json", text)
    try:
        found = json_text.loads(read_text(text, "--device-map"))
    except (json_text.JSONDecodeError, RecursionError):
        raise flag("--device-map", "be a JSON file", "one that cannot be read", printable(text)) from None
    if not isinstance(found, dict) or not all(isinstance(device, (str, int)) for device in found.values()):
        raise flag("--device-map", "hold one JSON object from modules to devices", "another", printable(text))
    return found


# --- text -----------------------------------------------------------------------------------------------------------


def _text(report: dict[str, Any], out: str) -> str:
    kept = report["manifest"]
    model, source = kept["model"], kept["input"]
    weights = "" if model["random_init"] is None else f", random weights of seed {model['random_init']}"
    rows = [
        ("model", f"{printable(model['source'])}, {model['family']}{weights}"),
        ("samples", f"{report['samples']} of {report['length']} positions, {source['kind']}"),
        ("layers", str(report["layers"])),
        ("BOS", _bos(report)),
        *_lambda_rows(report["lambda"]),
        *_influence_rows(report["influence"], "influence"),
    ]
    if report["without_bos"] is not None:
        rows += _influence_rows(report["without_bos"]["influence"], "without BOS")
    if report["kernels"] is not None:
        rows += _kernel_rows(report["kernels"])
    rows += [("remark", printable(remark)) for remark in report["remarks"]]
    return table(
        [*rows, ("written", str(Path(printable(out)) / "report.json") + f" and {len(report['files']) - 1} more")]
    )


def _bos(report: dict[str, Any]) -> str:
    found = report["manifest"]["input"]["bos"]
    dropped = f"; {found['dropped_from_text']} in the text dropped" if found["dropped_from_text"] else ""
    if not report["bos"]:
        return f"none: position 1 is a token like the others{dropped}"
    twice = (
        f", once where the tokenizer puts {found['added_by_tokenizer']}"
        if (found["added_by_tokenizer"] or 0) > 1
        else ""
    )
    return f"position 1 of every sample, token {found['id']}{twice}{dropped}"


def _error(value: float | None) -> str:
    return "" if value is None else f" +- {value:.2g}"


def _lambda_rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    shares, errors = found["layers"], found["standard_errors"]
    low, high = (pick(range(len(shares)), key=shares.__getitem__) for pick in (min, max))
    rows = [
        ("lambda", f"mean {sum(shares) / len(shares):.6g}"),
        ("", f"least {shares[low]:.6g}{_error(errors[low])} in layer {low + 1}"),
        ("", f"largest {shares[high]:.6g}{_error(errors[high])} in layer {high + 1}"),
        ("effective depth", f"{found['effective_depth']:.3f}{_error(found['effective_depth_error'])}"),
    ]
    if found["excluded"]:
        rows.append(("", f"without {_named(found['excluded'])}: not finite"))
    return rows


def _influence_rows(found: dict[str, Any], name: str) -> list[tuple[str, str]]:
    """Shape of what is printed, the mean of norms; that of the mean of profiles beside it."""
    rows = [(name, f"{found['printed']}, target {found['target']}, {found['samples']} samples")]
    for reason in sorted({one["sum"] for one in found["excluded"]}):
        numbers = [one["sample"] for one in found["excluded"] if one["sum"] == reason]
        rows.append(
            ("", f"without {_named(numbers)}: {'norms' if reason == 'not finite' else 'sum of norms'} {reason}")
        )
    p, q = found["mean_of_norms"], found["mean_of_samples"]
    if p is None:
        return [*rows, ("", "none is left; --target logprob has gradients where a probability is saturated")]
    low = p["valley"]
    return [
        *rows,
        ("shape", p["shape"] + ("" if q["shape"] == p["shape"] else f"; {q['shape']} in the mean of profiles")),
        ("valley", f"position {low['position']}, value {low['value']:.6g}, depth {low['depth']:.6g}"),
        ("mean position", f"{p['mean_position']:.3f}; {q['mean_position']:.3f} in the mean of profiles"),
        ("outer tenths", f"{p['first_tenth']:.6g} first, {p['last_tenth']:.6g} last"),
    ]


def _named(numbers: list[int]) -> str:
    """
    >>> _named([3]), _named([1, 2]), _named([1, 2, 3, 4, 5, 6, 7])
    ('sample 3', '2 samples (1, 2)', '7 samples (1, 2, 3, 4, 5, …)')
    """
    if len(numbers) == 1:
        return f"sample {numbers[0]}"
    more = ", …" if len(numbers) > 5 else ""
    return f"{len(numbers)} samples ({', '.join(map(str, numbers[:5]))}{more})"


def _kernel_rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    worst = found["worst"]
    if worst is None:
        monotone = "yes"
    elif not found["violations"]:
        monotone = f"yes, up to rounding ({found['monotonicity_defect']:.2g})"
    else:
        cell = f"row {worst['row']}, position {worst['position']} of layer {worst['layer']}"
        monotone = f"defect {found['monotonicity_defect']:.6g} at {cell}"
    without = f", without {_named(found['excluded'])}: not finite" if found["excluded"] else ""
    return [
        ("kernels", f"row sums within {found['row_defect']:.2g} of 1{without}"),
        ("monotone", f"{monotone}; {found['violations']} of {found['comparisons']} comparisons fail beyond rounding"),
    ]
