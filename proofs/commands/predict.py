"""``posbias predict``: the influence of each position by second moments, from weights and one forward pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numeric.refuse import refusal
from proofs.commands.model import MODEL_CHOICES, needed, progress, require_choices, require_input
from proofs.commands.options import MOST_POSITIONS, Typed, renamed
from proofs.commands.options import seed as read_seed
from proofs.output import Outcome, as_json, note, printable, require_folder, table

if TYPE_CHECKING:
    from numeric.model.predicting import Predicted, Prediction

__all__ = ["Wanted", "run"]

Costs = dict[str, dict[str, Any] | None]

MOST_SAMPLES = 10_000
CHOICES = {
    "--kernels": ("measured", "architectural"), "--mlp": ("gates", "exact", "none"),
    "--heads": ("shared", "independent"), **MODEL_CHOICES,
}  # fmt: skip


@dataclass(frozen=True)
class Wanted:
    """The options as they were typed; None where one was left out."""

    model: str
    text: str | None
    random_tokens: bool
    length: str | None
    samples: str | None
    kernels: str
    mlp: str
    heads: str
    seed: str
    bos: str
    random_init: bool
    attention: str | None
    dtype: str
    family: str | None
    out: str | None
    beside_gradient: bool
    json: bool


def run(wanted: Wanted, typed: Typed) -> Outcome:
    """Predicts, writes it where that is asked for, and says what came out."""
    options = _options(wanted, typed)
    folder = None if wanted.out is None else str(require_folder(wanted.out, "--out"))
    from numeric.model.predicting import Prediction, predict, require_prediction_place, write_prediction

    if folder is not None:
        require_prediction_place(folder)
    note(f"loading {printable(wanted.model)}")
    try:
        names = {"dtype": "--dtype", "attention": "--attention", "--length": typed.name("-n", "--length")}
        with renamed(**names):
            job = Prediction(**options)
            found = predict(job, progress, folder)
            costs = _costs(job) if wanted.beside_gradient else None
    finally:
        note("")
    written = [] if folder is None else write_prediction(found, folder)
    return Outcome(as_json(_json(found, written, costs)) if wanted.json else _text(found, folder, costs))


def _costs(job: Prediction) -> Costs:
    from proofs.gradient_cost import beside

    note("one sample and one gradient, in processes of their own")
    return beside(job)


def _options(wanted: Wanted, typed: Typed) -> dict[str, Any]:
    given = {
        "--kernels": wanted.kernels, "--mlp": wanted.mlp, "--heads": wanted.heads, "--bos": wanted.bos,
        "--attention": wanted.attention, "--dtype": wanted.dtype,
    }  # fmt: skip
    require_choices(given, CHOICES)
    _require_input(wanted)
    if wanted.beside_gradient and wanted.dtype not in ("float32", "float64"):
        raise refusal("--dtype", "be float32 or float64 beside --beside-gradient", wanted.dtype)
    length, samples = (
        typed.whole(needed(value, spelled[0]), least, most, *spelled)
        for value, least, most, spelled in (
            (wanted.length, 2, MOST_POSITIONS, ("-n", "--length")),
            (wanted.samples, 1, MOST_SAMPLES, ("--samples",)),
        )
    )
    return {
        "model": wanted.model, "text": wanted.text, "length": length, "samples": samples, "kernels": wanted.kernels,
        "mlp": wanted.mlp, "heads": wanted.heads, "seed": read_seed(typed, wanted.seed), "bos": wanted.bos,
        "random_init": wanted.random_init, "attention": wanted.attention, "dtype": wanted.dtype,
        "family": wanted.family,
    }  # fmt: skip


def _require_input(wanted: Wanted) -> None:
    if wanted.kernels == "architectural":
        if wanted.text is not None:
            raise refusal(
                "--text", "be left out beside --kernels architectural, for which no text is read", wanted.text
            )
    else:
        require_input(wanted.text, wanted.random_tokens)


# --- what came out ----------------------------------------------------------------------------------------------------


def _json(found: Predicted, written: list[str], costs: Costs | None) -> dict[str, Any]:
    from numeric.shape import shape

    form = shape(found.profile)
    position = form.valley.position
    return {
        **found.facts,
        "profile": found.profile.tolist(),
        "shape": form.label,
        "valley": {"position": None if position is None else position + 1, "value": form.valley.value},
        "mean_position": form.mean_position + 1,
        "layers_found": [{key: None if x != x else x for key, x in row.items()} for row in found.layers],
        "seconds": {"pass": found.seconds[0], "rollout": found.seconds[1]},
        **({} if costs is None else {"beside_gradient": costs}),
        "files": written,
    }


def _text(found: Predicted, folder: str | None, costs: Costs | None) -> str:
    from numeric.shape import shape

    facts, form = found.facts, shape(found.profile)
    model, source, low = facts["model"], facts["input"], form.valley
    weights = "" if model["random_init"] is None else f", random weights of seed {model['random_init']}"
    rows = [
        ("model", f"{printable(model['source'])}, {model['family']}{weights}"),
        ("samples", f"{facts['samples']} of {facts['length']} positions, {source['kind']}"),
        ("layers", str(len(found.layers))),
        ("kernels", facts["kernels"]),
        ("heads", f"s^2, summed over heads: {_range(found, 's_squared')}; {facts['heads']}"),
        ("norms", f"sigma {_range(found, 'sigma')}"),
        *([] if facts["mlp"] == "none" else [
            ("MLPs", f"{facts['mlp']}: m^2 {_range(found, 'm_squared')}, kappa {_range(found, 'kappa')}"),
        ]),
        ("shape", form.label),
        ("valley", "none" if low.position is None else f"position {low.position + 1}, value {low.value:.6g}"),
        ("mean position", f"{form.mean_position + 1:.3f}"),
        ("outer tenths", f"{form.first_tenth:.6g} first, {form.last_tenth:.6g} last"),
        ("time", f"{found.seconds[0]:.2g} s a sample for the pass, {found.seconds[1]:.2g} s for the rollout"),
    ]  # fmt: skip
    rows += [(name, _cost(cost)) for name, cost in (costs or {}).items()]
    rows += [("remark", printable(remark)) for remark in facts["remarks"]]
    if folder is not None:
        rows.append(("written", f"{printable(folder)}: prediction.csv, .npy, .json"))
    return table(rows)


def _cost(cost: dict[str, Any] | None) -> str:
    """Of one sample in a process of its own."""
    if cost is None:
        return "not taken: its process ended early"
    memory = "" if cost["memory"] is None else f", peak {_gb(cost['memory'])}, {_gb(cost['loaded'])} before it"
    return f"one sample alone: {cost['seconds']:.2g} s{memory}"


def _gb(size: int) -> str:
    return f"{size / 1e9:.3g} GB"


def _range(found: Predicted, key: str) -> str:
    values = [row[key] for row in found.layers if row[key] == row[key]]
    return f"{min(values):.3g} to {max(values):.3g}" if values else "none"
