"""What commands on real models share: options as they were typed, the model they name, progress."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from numeric.nearest import nearest, one_of
from numeric.refuse import flag, refusal
from proofs.commands.options import Typed, renamed, seed
from proofs.input_file import read_text
from proofs.output import note, printable, require_folder

if TYPE_CHECKING:
    from numeric.model import Loaded

__all__ = [
    "MODEL_CHOICES", "Chosen", "device_map", "load_model", "needed", "progress", "require_choices", "require_input",
]  # fmt: skip

MAPS = ("auto", "balanced", "balanced_low_0", "sequential")
DEVICES = ("cpu", "cuda", "mps", "xpu")
MODEL_CHOICES = {
    "--bos": ("tokenizer", "yes", "no"), "--attention": ("eager", "sdpa"),
    "--dtype": ("float32", "float64", "bfloat16", "float16"),
}  # fmt: skip


@dataclass(frozen=True)
class Chosen:
    """The options of `posbias audit` that say which model, as they were typed."""

    source: str
    random_init: bool = False
    seed: str = "0"
    attention: str | None = None
    dtype: str = "float32"
    family: str | None = None
    device_map: str | None = None
    offload: str | None = None


def load_model(chosen: Chosen, typed: Typed, *, name: str = "MODEL") -> Loaded:
    """The model, loaded without a tokenizer; what can be refused without loading is refused first."""
    from numeric.model.family import read_family
    from numeric.model.loading import load

    require_choices({"--attention": chosen.attention, "--dtype": chosen.dtype}, MODEL_CHOICES)
    number = seed(typed, chosen.seed)
    if chosen.random_init and chosen.device_map is not None:
        raise refusal("--device-map", "be left out beside --random-init", chosen.device_map)
    if chosen.offload is not None and chosen.device_map is None:
        raise refusal("--offload", "be given beside --device-map only", chosen.offload)
    placed = None if chosen.device_map is None else device_map(chosen.device_map)
    folder = None if chosen.offload is None else str(require_folder(chosen.offload, "--offload"))
    family = None if chosen.family is None else read_family(chosen.family)
    with renamed(dtype="--dtype", attention="--attention"):
        return load(
            chosen.source, random_init=chosen.random_init, seed=number, dtype=chosen.dtype,
            attention=chosen.attention, family=family, device_map=placed, offload_folder=folder,
            tokenizer=False, name=name,
        )  # fmt: skip


# --- options --------------------------------------------------------------------------------------------------------


def require_choices(given: Mapping[str, str | None], choices: Mapping[str, Sequence[str]]) -> None:
    """Refuses a value that is not among the choices of its option; None where one was left out."""
    for name, value in given.items():
        if value is not None:
            one_of(value, name, choices[name])


def require_input(text: str | None, random_tokens: bool) -> None:
    """Refuses both --text and --random-tokens, and neither."""
    if (text is None) == (not random_tokens):
        found = "both" if random_tokens else "neither"
        raise flag("--text", "be given, or --random-tokens instead", found)


def needed(value: str | None, name: str) -> str:
    """An option that has to be given."""
    if value is None:
        raise flag(name, "be given", "left out")
    return value


def device_map(text: str) -> str | dict[str, str | int]:
    """A name that accelerate knows, a device, or what a JSON file says of each module."""
    if text in MAPS or text.partition(":")[0] in DEVICES:
        return text
    if not text.endswith(".json"):
        requirement = f"be one of {', '.join(MAPS)}, a device such as cpu, or FILE.json"
        raise refusal("--device-map", requirement, text, nearest(text, MAPS))
    try:
        found = json.loads(read_text(text, "--device-map"))
    except (json.JSONDecodeError, RecursionError):
        raise flag("--device-map", "be a JSON file", "one that cannot be read", printable(text)) from None
    if not isinstance(found, dict) or not all(isinstance(device, (str, int)) for device in found.values()):
        raise flag("--device-map", "hold one JSON object from modules to devices", "another", printable(text))
    return found


# --- progress -------------------------------------------------------------------------------------------------------


def progress(done: int, total: int, left: float | None) -> None:
    """How far a command is and how long it will take, on a terminal."""
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
