"""The attention weights of one layer at a time, as the model applies them, in one pass and with one layer in memory.

    attention_of(loaded, ids, visit)      calls visit(layer) for layer 1, 2, …, while that layer is being computed

The pass runs under the model's own implementation. Inside a layer's attention the one call of softmax (eager) or of
scaled_dot_product_attention (sdpa) is watched: an eager softmax hands over its result; for sdpa the weights are
computed, for that layer only, from the queries, keys, mask (with the positional bias in it) and scale that the model
passed. Nothing is switched, so the stream is the one of an ordinary pass, and what rotation, bias, mask and scale are
is not asked of any configuration. That they are right is checked in every layer: Σ_j α_ij v_j, with v read off the
value projection, must be what reaches the output projection.

Content, the scaled q·k without positional bias and mask, is under sdpa scale · q·k of the (rotated) queries and keys
passed; under eager the layer's attention runs once more with all queries 0, and the softmax's two arguments are
subtracted: bias and mask cancel, rotation and scale stay. The difference is exact to one rounding of bias + q·k.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.block import Block
from numeric.model.passes import evaluated, first, hooked, run, token_ids
from numeric.model.softmax_watch import Seen, Watch
from numeric.model.value_kernel import value_weighted
from numeric.refuse import flag

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["LayerAttention", "attention_of"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LayerAttention:
    """One layer of one batch. layer : from 1. weights : (B, H, n, n), axes query i, key j, a tensor as the softmax gave
    it, float32 or float64 except where the model's own softmax is in half precision.

    attended : (B or 1, H or 1, n, n), whether j is unmasked for i. logits : (B, H, n, n), scaled q·k, None unless
    content was asked for. values : (B, n, G, d), of G key-value heads. block : the layer's modules.
    """

    layer: int
    weights: Any
    attended: Any
    logits: Any
    values: Any
    block: Block

    @property
    def heads(self) -> NDArray[Any]:
        """The weights as an array (B, H, n, n)."""
        array: NDArray[Any] = _wide(self.weights).cpu().numpy()
        return array

    @property
    def slack(self) -> float:
        """By how much rounding may move a tail of a row: (n + 2) u, u half the spacing of the weights' type at 1."""
        import torch

        return float((self.weights.shape[-1] + 2) * torch.finfo(self.weights.dtype).eps / 2)

    def mean(self) -> FloatArray:
        """(B, n, n): the average over heads, summed in float64. Whether it is a kernel: `kernel_statistics`."""
        total = sum(self.weights[:, h].double() for h in range(self.weights.shape[1]))
        mean: FloatArray = (total / self.weights.shape[1]).cpu().numpy()
        return mean

    def value_weighted(self) -> FloatArray:
        """(B, n, n): ‖Σ_h α^h_ij W_O^h v^h_j‖ over the model's width, each row divided by its sum."""
        return value_weighted(self.weights, self.values, self.block.output, f"layer {self.layer}")

    def content(self) -> tuple[FloatArray, FloatArray]:
        """(on, off), each (B, H): the mean of scaled q·k over i = j, and over the unmasked cells j < i (NaN for none).

        Every cell counts the same; sums in float64.
        """
        if self.logits is None:
            raise flag("content", "be asked for when the attention is captured", "content=False")
        n = self.logits.shape[-1]
        below = self.attended.expand_as(self.logits).tril(-1)
        cells = below.sum(dim=(-2, -1)).double()
        on = self.logits.diagonal(dim1=-2, dim2=-1).double().sum(dim=-1) / n
        off = self.logits.masked_fill(~below, 0.0).double().sum(dim=(-2, -1)) / cells
        return on.cpu().numpy(), off.cpu().numpy()


def attention_of(loaded: Loaded, ids: Any, visit: Callable[[LayerAttention], None], *, content: bool = True) -> None:
    """Calls ``visit`` with every layer's `LayerAttention`, layer 1 first, in one forward pass.

    ids : (B, n) integers. What ``visit`` is given lives while it runs, unless it is kept; memory is that of one layer's
    (B, H, n, n), several times over. content : whether q·k is wanted (under eager the attention runs twice for it).

    Raises InputError for ids outside the vocabulary, and for a layer that attends in a way that is not followed:
    through neither or several of the two functions, not once, or with values other than its projection's.
    """
    import torch

    given = token_ids(loaded, ids)
    with ExitStack() as stack:
        stack.enter_context(evaluated(loaded))
        stack.enter_context(torch.no_grad())
        watch = stack.enter_context(Watch(given.shape[1], loaded.embedding.weight.dtype))
        layers = [_Layer(block, watch, visit, content) for block in loaded.blocks]
        stack.enter_context(hooked([handle for layer in layers for handle in layer.hooks()]))
        run(loaded, given)
    for layer in layers:
        layer.require_once()


class _Layer:
    """What passes by in one layer, from the moment its attention is called."""

    def __init__(self, block: Block, watch: Watch, visit: Callable[[LayerAttention], None], content: bool) -> None:
        self.block, self.watch, self.visit, self.content = block, watch, visit, content
        self.values: Any = None
        self.context: Any = None
        self.again = False  # the second call, with queries 0
        self.times = 0

    def hooks(self) -> list[Any]:
        block = self.block
        return [
            block.attention.register_forward_pre_hook(self._starts),
            block.query.module.register_forward_hook(self._projects),
            block.value.module.register_forward_hook(self._values),
            block.output.register_forward_pre_hook(self._reaches),
            block.attention.register_forward_hook(self._ends, with_kwargs=True),
        ]

    def _starts(self, _: Any, __: Any) -> None:
        self.watch.start(keep_scores=self.content)

    def _projects(self, _: Any, __: Any, out: Any) -> Any:
        if not self.again:
            return None
        silent = out.clone()
        silent[..., self.block.query.index.reshape(-1)] = 0.0
        return silent

    def _values(self, _: Any, __: Any, out: Any) -> None:
        if not self.again:
            index = self.block.value.index
            values = out[..., index.reshape(-1)].reshape(*out.shape[:-1], *index.shape)
            clip = getattr(self.block.attention, "clip_qkv", None)  # MPT's
            self.values = values.clamp(-clip, clip) if clip else values

    def _reaches(self, _: Any, given: Any) -> None:
        if not self.again:
            self.context = first(given)

    def _ends(self, module: Any, given: Any, keywords: dict[str, Any], _: Any) -> None:
        if self.again:
            return
        self.times += 1
        self.require_once()
        seen = self.watch.stop(f"layer {self.block.number}")
        logits = seen.scores
        if self.content and seen.biased:
            logits = _wide(logits) - _wide(self._silent(partial(module, *given, **keywords)))
        layer = LayerAttention(self.block.number, seen.weights, seen.attended, logits, self.values, self.block)
        _check_context(layer, self.context, seen)
        self.values = self.context = None
        self.visit(layer)

    def require_once(self) -> None:
        if self.times != 1:
            raise flag("MODEL", "call each layer's attention once", f"{self.times} times", f"layer {self.block.number}")

    def _silent(self, call: Callable[[], Any]) -> Any:
        """The softmax's argument when all queries are 0: positional bias and mask alone."""
        self.again = True  # _starts comes before, and starts the watch again
        try:
            call()
            return self.watch.stop(f"layer {self.block.number}").scores
        finally:
            self.again = False


def _wide(tensor: Any) -> Any:
    """In float32 at least: NumPy has no bfloat16, and differences need the digits."""
    return tensor if tensor.element_size() >= 4 else tensor.float()


def _check_context(layer: LayerAttention, context: Any, seen: Seen) -> None:
    """Σ_j α_ij v_j must be what reaches the output projection, up to rounding.

    With u half the spacing of the values' type, the model adds n products of weights rounded to that type, each product
    rounded: (n + 2) u Σ_j α_ij |v_j|; and n u of each weight may be its normalisation's. Weights computed here carry
    besides the rounding of exponents, in numerator and denominator, theirs and ours: 4 ``exponent``.
    """
    import torch

    heads, n = layer.block.heads, layer.weights.shape[-1]
    if context is None:
        raise flag("MODEL", "bring the attended values to its output projection", "nothing", f"layer {layer.layer}")
    given = context.reshape(*context.shape[:2], heads, -1)
    relative = torch.finfo(layer.values.dtype).eps * (n + 2) + 4 * seen.exponent
    for h in range(heads):
        weights = layer.weights[:, h].double()
        values = layer.values[:, :, h * layer.block.kv_heads // heads].double()
        off = (weights @ values - given[:, :, h].double()).abs()
        # NaN passes: it is the kernel's, which says where
        if (off > relative * (weights @ values.abs()) + torch.finfo(torch.float32).tiny).any():
            place = f"layer {layer.layer}, head {h + 1}"
            found = f"others (off by {float(off.max()):.3g})"
            raise flag("MODEL", "bring the attended values to its output projection", found, place)
