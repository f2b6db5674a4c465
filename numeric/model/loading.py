"""From a name to a model in memory, on any machine: no network needed, and no code that comes with a model is run.

    load("folder")                               config.json, safetensors (or .bin, read with weights_only)
    load("model.gguf")                           a GGUF file, dequantised
    load("folder", random_init=True, seed=1)     the configuration alone; weights as the architecture draws them
    load("name/on-a-hub")                        where there is a network or a cache

Everything is evaluated: dropout is off. Weights are float32 unless told; half precision is for forward passes of large
models, never for gradients.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from io import StringIO
from logging import ERROR, getLogger
from pathlib import Path
from typing import Any

from numeric.model.block import Block, blocks, find
from numeric.model.declared import longest
from numeric.model.family import FAMILIES, Family
from numeric.model.place import Place
from numeric.nearest import nearest
from numeric.refuse import flag, refusal, shown

__all__ = ["DTYPES", "Loaded", "load", "require_models"]

DTYPES = ("float32", "float64", "bfloat16", "float16")
INSTALL = "python -m pip install 'posbias[models]'"


@dataclass(frozen=True, eq=False)
class Loaded:
    """A causal language model with its layers found. tokenizer : None where there is none beside the weights."""

    name: str
    model: Any
    tokenizer: Any
    family: Family
    blocks: tuple[Block, ...]

    @property
    def embedding(self) -> Any:
        return find(self.model, self.family.embedding)

    @property
    def config(self) -> Any:
        return self.model.config

    @property
    def limit(self) -> int | None:
        """The most positions the configuration allows; None where it names no limit (BLOOM)."""
        return longest(self.config)


def require_models(name: str = "MODEL") -> None:
    """Raises InputError where the extra ``models`` is not installed."""
    from importlib.util import find_spec

    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise flag(name, f"have {package} to be read with", "missing", INSTALL)


def load(
    source: str | Path,
    *,
    random_init: bool = False,
    seed: int = 0,
    dtype: str = "float32",
    attention: str | None = None,
    family: Family | None = None,
    device_map: str | dict[str, Any] | None = None,
    offload_folder: str | None = None,
    tokenizer: bool = True,
    name: str = "MODEL",
) -> Loaded:
    """The model that ``source`` names: a folder, a GGUF file, or a hub name.

    random_init : weights drawn with ``seed`` as the configuration says; then a configuration is all that is needed.
    dtype : one of `DTYPES`. attention : "eager" or "sdpa"; None takes what the architecture prefers. family : for an
    architecture that `FAMILIES` does not describe. device_map, offload_folder : as accelerate takes them. tokenizer :
    whether to look for one; of a GGUF file that takes longer than the weights.

    Raises InputError, with ``name`` for the argument, where there is no such model, where it would need code of its
    own, is not causal, or is of a family that is not described.
    """
    require_models(name)
    if dtype not in DTYPES:
        raise refusal("dtype", f"be one of {', '.join(DTYPES)}", dtype, nearest(dtype, DTYPES))
    if attention not in (None, "eager", "sdpa"):
        raise refusal("attention", "be 'eager' or 'sdpa'", attention, nearest(attention, ("eager", "sdpa")))
    place = Place.of(str(source), name)
    with _quiet(), place.refusals():
        config = place.config()
        known = family or _known(config, name)
        model = _model(place, config, random_init, seed, dtype, attention, device_map, offload_folder)
        wanted = tokenizer and (not random_init or place.has_tokenizer())
        words = place.tokenizer() if wanted else None
    model.eval()
    model.requires_grad_(False)
    return Loaded(str(source), model, words, known, blocks(model, known))


def _known(config: Any, name: str) -> Family:
    kind = str(config.model_type)
    if getattr(config, "is_encoder_decoder", False):
        raise flag(name, "be a causal model", f"an encoder and decoder ({kind})")
    masked = next((x for x in getattr(config, "architectures", None) or () if "ForMaskedLM" in str(x)), None)
    if masked is not None:
        raise flag(name, "be a causal model", f"one that sees later positions ({masked})")
    if kind not in FAMILIES:
        requirement = f"be of a family that is described ({', '.join(FAMILIES)}), or come with --family FILE"
        raise flag(name, requirement, shown(kind), "docs/describing-a-model.md")
    return FAMILIES[kind]


# --- weights --------------------------------------------------------------------------------------------------------


def _model(
    place: Place, config: Any, random_init: bool, seed: int, dtype: str, attention: str | None,
    device_map: Any, offload_folder: str | None,
) -> Any:  # fmt: skip
    import torch
    from transformers import AutoModelForCausalLM

    kind = getattr(torch, dtype)
    chosen: dict[str, Any] = {} if attention is None else {"attn_implementation": attention}
    if random_init:
        # a generator of its own: the caller's stream of random numbers goes on as if nothing had been drawn
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            return AutoModelForCausalLM.from_config(config, trust_remote_code=False, dtype=kind, **chosen)
    place.require_weights()
    placed = {} if device_map is None else {"device_map": device_map, "offload_folder": offload_folder}
    if place.kind == "gguf":  # to read its metadata takes longer than its weights: once is enough
        chosen["config"] = config
    model, report = AutoModelForCausalLM.from_pretrained(
        place.path, **place.extra, dtype=kind, output_loading_info=True, ignore_mismatched_sizes=True,
        **chosen, **placed,
    )  # fmt: skip
    _require_all(report, place)
    return model


def _require_all(report: dict[str, Any], place: Place) -> None:
    """transformers fills what a checkpoint lacks with random numbers and a warning: a measurement of noise."""
    for what, needed, found in (
        ("missing_keys", "have all weights", "without"),
        ("mismatched_keys", "have weights of the configuration's shapes", "others for"),
    ):
        names = sorted(str(key[0] if isinstance(key, tuple) else key) for key in report.get(what, ()))
        if names:
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            raise flag(place.name, needed, f"{found} {names[0]}{more}", f"{shown(place.path)}, or give --random-init")


@contextmanager
def _quiet() -> Iterator[None]:
    """Progress bars and advice of transformers are not ours to print; errors still come as exceptions."""
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    placing = getLogger("accelerate")  # says which weights it offloads
    before = placing.level
    placing.setLevel(ERROR)
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        # the bar of a GGUF file listens to no setting, only to where it is written
        with warnings.catch_warnings(), redirect_stderr(StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        placing.setLevel(before)
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
