"""λ = ‖a‖ / (‖x‖ + ‖a‖) of every layer and position, read off the raw residual stream (L1).

x is what enters the layer, before any norm; a is what its attention adds: the result of the output projection. So
x = (3, 4) with a = (6, 8) gives 2/3, and the scale that a norm would take out is in it. Layers whose MLP runs beside
attention have the same x and a. Not covered: a layer that norms a once more before it is added (Gemma 2's), or that
adds it to its own norm's result (BLOOM's apply_residual_connection_post_layernorm), where the stream is not what is
added to: `numeric.model.remarks` says so.

Works on modules, so under every implementation of attention. Memory: two states of one layer, and λ itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.block import Block
from numeric.model.passes import evaluated, first, hooked, run, token_ids
from numeric.refuse import flag

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["mixing_of"]


def mixing_of(loaded: Loaded, ids: Any) -> NDArray[np.float64]:
    """λ per sample, layer and position, (B, T, n), in [0, 1]; NaN where the stream or what is added is not finite.

    ids : (B, n) integers, NumPy or torch. Norms are taken in float64, whatever the weights are. A model in training
    mode is evaluated for the pass, with a warning. λ of a sample depends on its batch mates by rounding alone.

    Raises InputError for ids outside the vocabulary, for λ = 0/0 with its place, and for a layer that does not pass
    through its output projection exactly once.
    """
    import torch

    given = token_ids(loaded, ids)
    layers = [_Layer(block) for block in loaded.blocks]
    with evaluated(loaded), torch.no_grad(), hooked([handle for layer in layers for handle in layer.hooks()]):
        run(loaded, given)
    mixing = np.stack([layer.mixing() for layer in layers], axis=1)
    undefined = np.isneginf(mixing)
    if undefined.any():
        sample, layer, position = (int(c) + 1 for c in np.argwhere(undefined)[0])
        place = f"sample {sample}, layer {layer}, position {position}"
        raise flag("MODEL", "have a residual stream or an attention output that is not 0", "0 and 0", place)
    return mixing


class _Layer:
    """The norms that pass by in one layer."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.stream: list[NDArray[np.float64]] = []
        self.added: list[NDArray[np.float64]] = []

    def hooks(self) -> list[Any]:
        return [
            self.block.whole.register_forward_pre_hook(self._enters, with_kwargs=True),
            self.block.output.register_forward_hook(self._leaves),
        ]

    def _enters(self, _: Any, given: Any, keywords: dict[str, Any]) -> None:
        self.stream.append(_norms(first(given, keywords)))

    def _leaves(self, _: Any, __: Any, out: Any) -> None:
        self.added.append(_norms(first(out)))

    def mixing(self) -> NDArray[np.float64]:
        """(B, n); −∞ for 0/0."""
        seen = (len(self.stream), len(self.added))
        if seen != (1, 1):
            found = f"{seen[0]} and {seen[1]} times"
            raise flag("MODEL", "pass each layer and its output projection once", found, f"layer {self.block.number}")
        x, a = self.stream[0], self.added[0]
        with np.errstate(invalid="ignore", divide="ignore"):
            mixing = np.where(np.isfinite(x + a), a / (x + a), np.nan)
        return np.where(x + a == 0, -np.inf, mixing)


def _norms(state: Any) -> NDArray[np.float64]:
    """Euclidean norms over the width, (B, n). In float64 no square of a float32 or bfloat16 can overflow or vanish."""
    norms: NDArray[np.float64] = state.detach().double().norm(dim=-1).cpu().numpy()
    return norms
