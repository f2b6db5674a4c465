"""V_ij = ‖Σ_h α^h_ij W_O^h v^h_j‖ / Σ_k ‖Σ_h α^h_ik W_O^h v^h_k‖: attention weighted by what it moves.

The norm is over the model's width: heads that write against each other cancel, as they do in the stream. W_O's bias
comes from no position and is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.block import weight
from numeric.refuse import flag

__all__ = ["value_weighted"]

_ROOM = 2**23  # numbers held at once for the states that one chunk of positions sends


def value_weighted(weights: Any, values: Any, output: Any, place: str) -> NDArray[np.float64]:
    """(B, n, n), axes query i, key j, rows with sum 1.

    weights : (B, H, n, n). values : (B, n, G, d), G key-value heads, each shared by H/G heads that follow one another.
    output : the module W_O, inputs head by head. What a head sends is summed in float32 or float64, heads and norms in
    float64. A cell that no head attends is exactly 0, a sample that is not a number gives NaN. Raises InputError, with
    ``place``, for a row in which nothing is sent.
    """
    batch, heads, n, _ = weights.shape
    spread = values.repeat_interleave(heads // values.shape[2], dim=2)
    sizes: NDArray[np.float64] = np.empty((batch, n, n))
    with _at_hand(output, values.device) as given:
        matrix = given.reshape(given.shape[0], heads, -1)  # (width, heads, head size)
        chunk = max(1, _ROOM // (heads * max(n, given.shape[0])))
        for b in range(batch):
            for start in range(0, n, chunk):
                part = slice(start, start + chunk)
                sizes[b, :, part] = _sizes(weights[b, :, :, part], spread[b, part], matrix)
    sums: NDArray[np.float64] = sizes.sum(axis=-1, keepdims=True)
    if (sums == 0).any():
        sample, row, _ = (int(c) + 1 for c in np.argwhere(sums == 0)[0])
        raise flag("MODEL", "send something to every position", "0", f"{place}, sample {sample}, row {row}")
    return np.asarray(sizes / sums)


def _sizes(weights: Any, values: Any, matrix: Any) -> NDArray[np.float64]:
    """‖U_j α_ij‖, (n, chunk); weights : (H, n, chunk), values : (chunk, H, d), matrix : (width, H, d).

    U_j, (width, H), has W_O^h v^h_j as its columns. With U = Q R the norm is ‖R α‖: H numbers a cell and not a width,
    and, unlike a form αᵀ UᵀU α, without a digit lost where heads cancel.
    """
    import torch

    single = torch.promote_types(values.dtype, torch.float32)
    sent = torch.einsum("whd,jhd->jwh", matrix.to(single), values.to(single)).double()
    moved = torch.linalg.qr(sent, mode="r").R @ weights.double().permute(2, 0, 1)
    sizes: NDArray[np.float64] = torch.linalg.vector_norm(moved, dim=1).T.cpu().numpy()
    return sizes


@contextmanager
def _at_hand(module: Any, device: Any) -> Iterator[Any]:
    """The weight of a module (outputs, inputs), fetched for as long as it is needed where it is offloaded."""
    if module.weight.device.type != "meta":
        yield weight(module)
        return
    from accelerate.utils import align_module_device

    with align_module_device(module, device):
        yield weight(module)
