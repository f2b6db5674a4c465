"""``posbias measure``: mixing coefficients, influence and kernels of a real model, kept in a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numeric.refuse import refusal
from proofs.commands.model import MODEL_CHOICES, device_map, needed, progress, require_choices, require_input
from proofs.commands.options import MOST_POSITIONS, Typed, renamed
from proofs.commands.options import seed as read_seed
from proofs.output import Outcome, as_json, note, printable, require_folder, table

__all__ = ["Wanted", "job_options", "run_alone"]

MOST_SAMPLES = 10_000_000
CHOICES = {"--target": ("prob", "logprob", "logit"), **MODEL_CHOICES, "--dtype": ("float32", "float64")}


@dataclass(frozen=True)
class Wanted:
    """The options as they were typed; None where one was left out."""

    model: str | None
    out: str | None = None
    text: str | None = None
    random_tokens: bool = False
    length: str | None = None
    samples: str | None = None
    batch: str | None = None
    seed: str = "0"
    target: str = "prob"
    kernels: bool = False
    bos: str = "tokenizer"
    random_init: bool = False
    attention: str | None = None
    dtype: str = "float32"
    family: str | None = None
    device_map: str | None = None
    offload: str | None = None
    checkpointing: bool = False
    json: bool = False


def run_alone(wanted: Wanted, n_jobs: str | None, backend: str | None, typed: Typed) -> Outcome:
    """Measures what DIR lacks and says what is there then; options of --jobs are refused."""
    for name, value in ((typed.name("-j", "--n-jobs"), n_jobs), ("--backend", backend)):
        if value is not None:
            raise refusal(name, "be given beside --jobs only", value)
    options = job_options(wanted, typed)
    from numeric.model.measuring import Job, measure

    note(f"loading {printable(options['model'])}")
    try:
        with renamed(**{"dtype": "--dtype", "attention": "--attention", "--length": typed.name("-n", "--length")}):
            report = measure(Job(**options), progress=progress)
    finally:
        note("")
    return Outcome(as_json(report) if wanted.json else _text(report, options["out"]))


# --- options --------------------------------------------------------------------------------------------------------


def job_options(wanted: Wanted, typed: Typed) -> dict[str, Any]:
    """The fields of a Job; whatever can be refused before torch is loaded is refused here."""
    given = {
        "--target": wanted.target, "--bos": wanted.bos, "--attention": wanted.attention, "--dtype": wanted.dtype
    }  # fmt: skip
    require_choices(given, CHOICES)
    require_input(wanted.text, wanted.random_tokens)
    return {
        "model": needed(wanted.model, "MODEL"),
        "out": str(require_folder(needed(wanted.out, "--out"), "--out")),
        "text": wanted.text,
        "length": typed.whole(needed(wanted.length, "-n"), 2, MOST_POSITIONS, "-n", "--length"),
        "samples": typed.whole(needed(wanted.samples, "--samples"), 1, MOST_SAMPLES, "--samples"),
        "batch": typed.whole(wanted.batch, 1, MOST_SAMPLES, "--batch") or 1,
        "seed": read_seed(typed, wanted.seed),
        "target": wanted.target,
        "kernels": wanted.kernels,
        "bos": wanted.bos,
        "random_init": wanted.random_init,
        "attention": wanted.attention,
        "dtype": wanted.dtype,
        "family": wanted.family,
        "device_map": None if wanted.device_map is None else device_map(wanted.device_map),
        "offload": None if wanted.offload is None else str(require_folder(wanted.offload, "--offload")),
        "checkpointing": wanted.checkpointing,
    }


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
    rows = [(name, f"{found['printed']}, target {found['target']}, {_samples(found['samples'])}")]
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


def _samples(count: int) -> str:
    return f"{count} sample{'' if count == 1 else 's'}"


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
