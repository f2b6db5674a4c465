"""Attention kernels of many samples: their sums, and what is kept of each sample.

Sums hold what is as large as T kernels; beside them the kernels of one batch are held, since a last row is taken from
the top layer down: T row recursions, and never a product of matrices. Every kernel of every sample is checked by
`numeric.model.measured_kernel` before a row is multiplied with it. One that is not finite is left out of its layer's
sum, which counts what it holds, and has no rollouts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.attention import attention_of
from numeric.model.linear_rollouts import row_of
from numeric.model.measured_kernel import kernel_statistics

if TYPE_CHECKING:
    from numeric.model.attention import LayerAttention
    from numeric.model.loading import Loaded

__all__ = ["SUMMED", "kernels_of"]

FloatArray = NDArray[np.float64]
SUMMED = ("kernels", "value_weighted")  # each (T, n, n); beside them "counts" (T,), how many samples they hold


def kernels_of(
    loaded: Loaded, ids: Any, mixing: FloatArray, sums: dict[str, FloatArray] | None
) -> dict[str, FloatArray]:
    """What a record has of the kernels of a batch of ids (B, n), by name; its samples are added to ``sums``, in place.

    mixing : (B, T, n), λ. sums : of `SUMMED`, None adds to nothing. Rollouts, (B, n) each, are those of
    `numeric.model.store.record_type`; NaN where a kernel is not finite. content : (B, T, H, 2), mean scaled q·k on the
    diagonal and below it, NaN for heads that a layer has not. Memory: 2 B T n² numbers.

    Raises InputError, with sample (of the batch), layer and cell, for a kernel that is finite and none.
    """
    size, layers, length = mixing.shape
    heads = max(block.heads for block in loaded.blocks)
    for name, shape in (*((name, (length, length)) for name in SUMMED), ("counts", ())):
        if sums is not None:
            sums.setdefault(name, np.zeros((layers, *shape)))
    batch = _Batch((size, layers, length, length), np.full((size, layers, heads, 2), np.nan), sums)
    attention_of(loaded, ids, batch.visit)
    rollouts = [_rollouts(*one) for one in zip(batch.means, batch.weighted, mixing, strict=True)]
    return {"content": batch.content, **{name: np.stack([one[name] for one in rollouts]) for name in rollouts[0]}}


def _rollouts(means: FloatArray, weighted: FloatArray, mixing: FloatArray) -> dict[str, FloatArray]:
    """Of one sample; kernels (T, n, n), mixing (T, n)."""
    flat = np.broadcast_to(mixing.mean(axis=1)[:, None], mixing.shape)
    return {
        "rollout": row_of(means, flat),
        "attention_only": row_of(means, np.ones_like(flat)),
        "half": row_of(means, np.full_like(flat, 0.5)),
        "by_position": row_of(means, mixing),
        "value_weighted": row_of(weighted, flat),
    }


@dataclass
class _Batch:
    """What grows from layer to layer. shape : (B, T, n, n), that of the kernels, which stay NaN where one is not
    finite.
    """

    shape: tuple[int, int, int, int]
    content: FloatArray
    sums: dict[str, FloatArray] | None
    means: FloatArray = field(init=False)
    weighted: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        self.means, self.weighted = np.full(self.shape, np.nan), np.full(self.shape, np.nan)

    def visit(self, found: LayerAttention) -> None:
        layer, mean, weighted = found.layer - 1, found.mean(), found.value_weighted()
        for which, values in enumerate(found.content()):
            self.content[:, layer, : values.shape[1], which] = values
        for s, kernel in enumerate(mean):  # in the order of samples, whatever the batch
            if not (np.isfinite(kernel).all() and np.isfinite(weighted[s]).all()):
                continue
            kernel_statistics(kernel, slack=found.slack, place=f"sample {s + 1} of its batch, layer {found.layer}")
            self.means[s, layer], self.weighted[s, layer] = kernel, weighted[s]
            if self.sums is not None:
                for name, one in zip(SUMMED, (kernel, weighted[s]), strict=True):
                    self.sums[name][layer] += one
                self.sums["counts"][layer] += 1
