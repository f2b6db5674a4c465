"""One layer of a loaded model in the words of an audit: what its modules were seen to do, and the kernel of that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from numeric.distance import Distance, Window
from numeric.kernel import Alibi, HeadAverage, Kernel, Uniform
from numeric.refuse import flag

if TYPE_CHECKING:
    from numeric.model.attend import Attends
    from numeric.model.plan import Structure

__all__ = ["Layer", "kernels"]


@dataclass(frozen=True)
class Layer:
    """One layer as its modules act. attends, plan : what was read. absolute : positions are in the model's input."""

    number: int
    heads: int
    kv_heads: int
    head_size: int
    attends: Attends
    plan: Structure
    absolute: bool

    @property
    def mask(self) -> str:
        """ "causal"; "irregular" where other cells than those beyond a window are never read."""
        return "causal" if self.attends.mask.regular else "irregular"

    @property
    def window(self) -> int | None:
        return self.attends.mask.window if self.attends.mask.regular else None

    @property
    def positions(self) -> str:
        """alibi, rotary, absolute (added to the input), none; distance or other for another bias."""
        bias = self.attends.bias.kind
        told = [*([] if bias == "none" else [bias]), *(["rotary"] if self.attends.rotary else [])]
        return " + ".join([*told, *(["absolute"] if self.absolute else [])]) or "none"

    @property
    def slopes(self) -> tuple[float, ...] | None:
        """m_1 … m_H; None where the bias is none of ALiBi."""
        bias = self.attends.bias
        return tuple(bias.slopes.tolist()) if bias.kind == "alibi" else None

    @property
    def rounding(self) -> float:
        """By how much biases depart from −m (i − j): what bfloat16 leaves of them."""
        return self.attends.bias.rounding

    @property
    def scale(self) -> float | None:
        """By what q·k is multiplied; None where heads differ, or where scores are not linear in q·k."""
        scales, errors = self.attends.scales, self.attends.scale_errors
        alike = (np.abs(scales - scales[0]) <= errors + errors[0]).all()
        return float(np.mean(scales)) if alike and self.attends.linear else None

    @property
    def norm(self) -> str:
        return self.plan.norm

    @property
    def order(self) -> str:
        return "parallel" if self.plan.parallel else "sequential"

    @property
    def residual(self) -> str:
        """ "raw": W_O's output is added to the layer's input as they are, which is what λ is measured of."""
        if not self.plan.plain:
            return "attention changed before it is added"
        return "raw" if self.plan.raw else "normalised"


# --- kernels --------------------------------------------------------------------------------------------------------


def kernels(layers: Sequence[Layer]) -> tuple[Kernel, ...]:
    """The attention of Q = K = 0, averaged over heads; equal layers share one object."""
    made: dict[bytes, Kernel] = {}
    return tuple(made[_key(layer)] if _key(layer) in made else _made(made, layer) for layer in layers)


def _made(made: dict[bytes, Kernel], layer: Layer) -> Kernel:
    return made.setdefault(_key(layer), _kernel(layer))


def _key(layer: Layer) -> bytes:
    bias = layer.attends.bias
    parts = bias.slopes if bias.by_distance is None else bias.by_distance
    return f"{bias.kind} {layer.mask} {layer.window} ".encode() + parts.tobytes()


def _kernel(layer: Layer) -> Kernel:
    bias, window = layer.attends.bias, layer.window
    if layer.mask != "causal" or bias.kind == "other":
        what = "the mask of a window" if layer.mask != "causal" else "a bias of the distance alone"
        raise flag("MODEL", f"have {what}, which kernels describe", "another", f"layer {layer.number}")
    if bias.by_distance is not None:
        return _average([Distance(row) for row in bias.by_distance])
    if window is not None:
        return _average([Window(window, float(slope)) for slope in bias.slopes])
    return Alibi(bias.slopes) if bias.slopes.any() else Uniform()


def _average(heads: Sequence[Kernel]) -> Kernel:
    return heads[0] if all(head == heads[0] for head in heads) else HeadAverage(heads)
