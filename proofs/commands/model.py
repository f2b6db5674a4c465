"""Which model a command is about, and how it is loaded: options as they were typed, and the model they name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from numeric.refuse import refusal
from proofs.commands.options import Typed, renamed, seed
from proofs.output import require_folder

if TYPE_CHECKING:
    from numeric.model import Loaded

__all__ = ["Chosen", "load_model"]


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

    number = seed(typed, chosen.seed)
    if chosen.random_init and chosen.device_map is not None:
        raise refusal("--device-map", "be left out beside --random-init", chosen.device_map)
    if chosen.offload is not None and chosen.device_map is None:
        raise refusal("--offload", "be given beside --device-map only", chosen.offload)
    folder = None if chosen.offload is None else str(require_folder(chosen.offload, "--offload"))
    family = None if chosen.family is None else read_family(chosen.family)
    with renamed(dtype="--dtype", attention="--attention"):
        return load(
            chosen.source, random_init=chosen.random_init, seed=number, dtype=chosen.dtype,
            attention=chosen.attention, family=family, device_map=chosen.device_map, offload_folder=folder,
            tokenizer=False, name=name,
        )  # fmt: skip
