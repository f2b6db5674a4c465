"""Attention kernels of many samples: their sums, and what is kept of each sample, one layer in memory at a time.

Sums hold what is as large as T kernels; whatever the number of samples, that is all that is held. Every kernel of every
sample is checked by `numeric.model.measured_kernel` before anything is multiplied with it. One that is not finite is
left out of its layer's sum, which counts what it holds, and has no rollout.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.attention import attention_of
from numeric.model.measured_kernel import kernel_statistics

if TYPE_CHECKING:
    from numeric.model.attention import LayerAttention
    from numeric.model.loading import Loaded

__all__ = ["SUMMED", "kernels_of"]

FloatArray = NDArray[np.float64]
SUMMED = ("kernels", "value_weighted")  # each (T, n, n); beside them "counts" (T,), how many samples they hold


def kernels_of(
    loaded: Loaded, ids: Any, shares: FloatArray, sums: dict[str, FloatArray] | None
) -> tuple[FloatArray, FloatArray]:
    """Rollouts (B, n) and content (B, T, H, 2) of a batch of ids (B, n); its samples are added to ``sums``, in place.

    shares : (B, T), λ of every sample and layer. sums : of `SUMMED`, None adds to nothing. A rollout is the last row of
    R_T ⋯ R_1, R_t = (1 − λ_t) I + λ_t A_t, A_t the average over heads; NaN where a kernel is not finite. content : mean
    scaled q·k on the diagonal and below it, NaN for heads that a layer has not.

    Raises InputError, with sample (of the batch), layer and cell, for a kernel that is finite and none.
    """
    (size, layers), length = shares.shape, ids.shape[1]
    heads = max(block.heads for block in loaded.blocks)
    for name, shape in (*((name, (length, length)) for name in SUMMED), ("counts", ())):
        if sums is not None:
            sums.setdefault(name, np.zeros((layers, *shape)))
    batch = _Batch(shares, np.full((size, layers, heads, 2), np.nan), length, sums)
    attention_of(loaded, ids, batch.visit)
    return np.ascontiguousarray(batch.product[:, -1]), batch.content


@dataclass
class _Batch:
    """What grows from layer to layer. product : (B, n, n), R_t ⋯ R_1 of every sample."""

    shares: FloatArray
    content: FloatArray
    length: int
    sums: dict[str, FloatArray] | None
    product: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        self.product = np.tile(np.eye(self.length), (len(self.shares), 1, 1))

    def visit(self, found: LayerAttention) -> None:
        layer, mean, weighted = found.layer - 1, found.mean(), found.value_weighted()
        for which, values in enumerate(found.content()):
            self.content[:, layer, : values.shape[1], which] = values
        for s, kernel in enumerate(mean):  # in the order of samples, whatever the batch
            if not (np.isfinite(kernel).all() and np.isfinite(weighted[s]).all()):
                self.product[s] = np.nan
                continue
            kernel_statistics(kernel, slack=found.slack, place=f"sample {s + 1} of its batch, layer {found.layer}")
            share = self.shares[s, layer]
            self.product[s] = (1 - share) * self.product[s] + share * (kernel @ self.product[s])
            if self.sums is not None:
                for name, one in zip(SUMMED, (kernel, weighted[s]), strict=True):
                    self.sums[name][layer] += one
                self.sums["counts"][layer] += 1
