"""One pass through a loaded model, and what has to hold while it is watched: token ids that fit, dropout off."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from numeric.refuse import flag, refusal, shown

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["DROPOUT", "evaluated", "first", "hooked", "run", "token_ids"]

DROPOUT = "the model was in training mode: dropout is switched off while it is measured"


def token_ids(loaded: Loaded, ids: Any, name: str = "ids", axes: int = 2) -> Any:
    """``ids`` as an integer tensor where the embedding lies. Raises InputError unless each is in the vocabulary."""
    import torch

    given = ids.detach().cpu().numpy() if isinstance(ids, torch.Tensor) else np.asarray(ids)
    shape = ("samples, positions", "samples")[axes == 1]
    if given.ndim != axes or given.size == 0 or given.dtype.kind not in "iu":
        raise flag(name, f"be integers with the axes {shape}", f"{given.dtype} of shape {given.shape}")
    vocabulary = int(loaded.embedding.weight.shape[0])
    outside = (given < 0) | (given >= vocabulary)
    if outside.any():
        at = tuple(int(c) for c in np.argwhere(outside)[0])
        place = f"sample {at[0] + 1}" + (f", position {at[1] + 1}" if axes == 2 else "")
        raise refusal(name, f"lie in 0 … {vocabulary - 1}, the vocabulary", given[at], place)
    device = loaded.embedding.weight.device
    # an offloaded embedding says "meta"; accelerate then moves what comes from the processor
    return torch.as_tensor(given.astype(np.int64), device="cpu" if device.type == "meta" else device)


@contextmanager
def evaluated(loaded: Loaded) -> Iterator[tuple[str, ...]]:
    """Every module in evaluation mode, as it was afterwards; yields, and warns of, what had to be switched off."""
    training = [module for module in loaded.model.modules() if module.training]
    if training:
        warnings.warn(DROPOUT, UserWarning, stacklevel=4)
    for module in training:
        module.training = False
    try:
        yield (DROPOUT,) if training else ()
    finally:
        for module in training:
            module.training = True


@contextmanager
def hooked(handles: list[Any]) -> Iterator[None]:
    """Hooks that are on inside, and off afterwards whatever happened."""
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def run(loaded: Loaded, ids: Any) -> Any:
    """The logits of the last position, (B, vocabulary); those of others are not computed where the model allows it."""
    keep = {"logits_to_keep": 1} if "logits_to_keep" in inspect.signature(loaded.model.forward).parameters else {}
    return loaded.model(input_ids=ids, use_cache=False, **keep).logits[:, -1]


def first(given: Any, keywords: dict[str, Any] | None = None, name: str = "hidden_states") -> Any:
    """The tensor among what a module was given or gives: itself, the first of a tuple, or a keyword."""
    if keywords is not None and name in keywords:
        given = keywords[name]
    while isinstance(given, (tuple, list)) and given:
        given = given[0]
    if not hasattr(given, "shape"):
        raise flag("MODEL", f"hand its layers one tensor, the first argument or {name}", shown(type(given).__name__))
    return given
