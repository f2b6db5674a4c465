"""Attention kernels of many samples: their sums, and what is kept of each sample, one layer in memory at a time.

Sums hold what is as large as T kernels; whatever the number of samples, that is all that is held. Every kernel is
checked before anything is multiplied with it (`numeric.model.attention`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.attention import attention_of

if TYPE_CHECKING:
    from numeric.model.attention import LayerAttention
    from numeric.model.loading import Loaded

__all__ = ["SUMMED", "kernels_of"]

FloatArray = NDArray[np.float64]
SUMMED = ("kernels", "value_weighted")  # each (T, n, n)


def kernels_of(
    loaded: Loaded, ids: Any, shares: FloatArray, sums: dict[str, FloatArray] | None
) -> tuple[FloatArray, FloatArray]:
    """Rollouts (B, n) and content (B, T, H, 2) of a batch of ids (B, n); its samples are added to ``sums``, in place.

    shares : (B, T), λ of every sample and layer. sums : of `SUMMED`, None adds to nothing. A rollout is the last row of
    R_T ⋯ R_1, R_t = (1 − λ_t) I + λ_t A_t, A_t the average over heads. content : mean scaled q·k on the diagonal and
    below it, NaN for heads that a layer has not.
    """
    (size, layers), length = shares.shape, ids.shape[1]
    heads = max(block.heads for block in loaded.blocks)
    product = np.broadcast_to(np.eye(length), (size, length, length))
    content = np.full((size, layers, heads, 2), np.nan)
    for name in () if sums is None else SUMMED:
        sums.setdefault(name, np.zeros((layers, length, length)))

    def visit(found: LayerAttention) -> None:
        nonlocal product
        layer = found.layer - 1
        mean = found.mean()
        share = shares[:, layer, None, None]
        product = (1 - share) * product + share * (mean @ product)
        for name, values in () if sums is None else zip(SUMMED, (mean, found.value_weighted()), strict=True):
            for one in values:  # in the order of samples, whatever the batch
                sums[name][layer] += one
        for which, values in enumerate(found.content()):
            content[:, layer, : values.shape[1], which] = values

    attention_of(loaded, ids, visit)
    return np.ascontiguousarray(product[:, -1]), content
