"""Linear rollouts of one sequence of a real model: what the theory says with its kernels and λ read in several ways.

    attention only           A_T ⋯ A_1                                    measured kernels, averaged over heads
    half                     R_t = ½ I + ½ A_t                            Abnar and Zuidema's
    residual                 R_t = (1 − λ_t) I + λ_t A_t                  λ_t measured, mean over positions
    residual, by position    row i with λ_t(i)
    residual, value-weighted kernels weighed by ‖Σ_h α W_O v‖             Kobayashi and others' norms
    residual, architectural  kernels of queries and keys 0                 no content

Each is the last row (n,) of R_T ⋯ R_1, from T row recursions. Theory S1, L1; arXiv:2602.16837.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.kernel import Kernel
from numeric.model.attention import LayerAttention, attention_of
from numeric.model.mixing import mixing_of
from numeric.profile import profile
from numeric.refuse import flag

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["VARIANTS", "linear_rollouts", "row_of"]

FloatArray = NDArray[np.float64]
VARIANTS = (
    "attention only", "half", "residual", "residual, by position", "residual, value-weighted",
    "residual, architectural",
)  # fmt: skip


def linear_rollouts(loaded: Loaded, ids: Any, *, kernels: Sequence[Kernel] | None = None) -> dict[str, FloatArray]:
    """The profiles of one sequence, ids (n,), by name; "residual, architectural" where its ``kernels`` are given, one
    per layer.

    Raises InputError for kernels that are not finite. Memory: T kernels of n × n twice.
    """
    sequence = np.asarray(ids)[None]
    n, means, weighted = sequence.shape[1], list[FloatArray](), list[FloatArray]()

    def visit(layer: LayerAttention) -> None:
        means.append(layer.mean()[0])
        weighted.append(layer.value_weighted()[0])

    attention_of(loaded, sequence, visit, content=False)
    for number, kernel in enumerate((*means, *weighted)):
        if not np.isfinite(kernel).all():
            raise flag("MODEL", "give finite kernels", "others", f"layer {number % len(means) + 1}")
    by_position = mixing_of(loaded, sequence)[0]
    shares = by_position.mean(axis=1)
    flat = np.broadcast_to(shares[:, None], (len(shares), n))
    found = {
        "attention only": row_of(means, np.ones_like(flat)),
        "half": row_of(means, np.full_like(flat, 0.5)),
        "residual": row_of(means, flat),
        "residual, by position": row_of(means, by_position),
        "residual, value-weighted": row_of(weighted, flat),
    }
    if kernels is not None:
        found["residual, architectural"] = profile(kernels, shares, n=n)
    return found


def row_of(kernels: Sequence[FloatArray] | FloatArray, shares: FloatArray) -> FloatArray:
    """e_n R_T ⋯ R_1 with R_t = diag(1 − λ_t) + diag(λ_t) A_t. kernels : (n, n) each; shares : (T, n), by query."""
    row = np.zeros(shares.shape[1])
    row[-1] = 1.0
    for kernel, share in zip(kernels[::-1], shares[::-1], strict=True):
        row = (1 - share) * row + (share * row) @ kernel
    return row
