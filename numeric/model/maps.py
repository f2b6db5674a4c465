"""What one layer's weights say of the second moments: of its norms, and of the value–output maps of its heads.

    y = γ ∘ (x − x̄ 1)/σ + β     LayerNorm, σ² = mean of (x − x̄)² + ε        RMSNorm: without x̄ and β
    W_h = O_h V_h Γ              d × d: from a normalised state to what head h adds to the stream
    c_hh' = ⟨W_h, W_h'⟩_F / d    so that E⟨W_hᵀa, W_h'ᵀb⟩ = c_hh' ⟨a, b⟩ for a, b of random direction

Γ is γ on the diagonal, after the mean is taken away where the norm does that. The norm's derivative is Γ/σ but for the
projection along the state itself, one direction of d. c is computed from head-sized Gram matrices, never from a d × d
one: ⟨O_h V_h, O_h' V_h'⟩ = ⟨O_hᵀ O_h', V_h V_h'ᵀ⟩. Theory Q1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.block import Block, weight
from numeric.refuse import flag

__all__ = ["Norm", "head_products", "norm_of", "through_norm"]

FloatArray = NDArray[np.float64]
_EPSILONS = ("eps", "variance_epsilon")


@dataclass(frozen=True, eq=False)
class Norm:
    """gain : γ (d,). centred : whether the mean is taken away. epsilon : ε."""

    gain: Any
    centred: bool
    epsilon: float

    def scale(self, states: Any) -> FloatArray:
        """σ (n,) of states (n, d)."""
        x = states.double()
        if self.centred:
            x = x - x.mean(dim=-1, keepdim=True)
        found: FloatArray = (x.pow(2).mean(dim=-1) + self.epsilon).sqrt().cpu().numpy()
        return found


def norm_of(module: Any, width: int) -> Norm:
    """What a norm does, found out by asking it: its answers to 0, to a state of mean 0, and to that state moved.

    Raises InputError for a module that does not normalise as LayerNorm or RMSNorm do.
    """
    import torch

    own = next(module.parameters(), torch.ones(1))  # some have none
    kind = own.dtype
    epsilon = next((getattr(module, name) for name in _EPSILONS if hasattr(module, name)), 0.0)
    epsilon = float(torch.finfo(kind).eps if epsilon is None else epsilon)  # None: torch's RMSNorm takes that one
    signs = torch.ones(width, dtype=kind, device=own.device)
    signs[1::2] = -1.0
    if width % 2:
        signs[-1] = 0.0
    turned = signs.flip(0)  # of an odd width the last one says nothing, and the first of these
    with torch.no_grad():
        offset, answer, moved, large, other = (
            module(x).double() for x in (signs * 0, signs, signs + 0.5, 3 * signs, turned)
        )
    scale = float((signs.double().pow(2).mean() + epsilon).sqrt())
    gain = torch.where(signs != 0, (answer - offset) * signs.double(), (other - offset) * turned.double()) * scale
    # three roundings of the module's type in γ, and ε, which three times the state feels a ninth of
    close = 16 * torch.finfo(kind).eps + 2 * epsilon
    if not torch.allclose(large, answer, rtol=close, atol=close * float(gain.abs().max())):
        raise flag("MODEL", "normalise as LayerNorm or RMSNorm do", f"by {type(module).__name__}")
    centred = torch.allclose(
        moved, answer, rtol=0.0, atol=close * float(gain.abs().max()) + 1e-3 * float(gain.abs().max())
    )
    return Norm(gain, centred, epsilon)


def through_norm(rows: Any, norm: Norm) -> Any:
    """rows (k, d) of a linear map, applied behind a norm: times Γ."""
    scaled = rows.double() * norm.gain
    return scaled - scaled.mean(dim=-1, keepdim=True) if norm.centred else scaled


def head_products(block: Block, norm: Norm) -> FloatArray:
    """c (H, H) of one layer, in float64; heads that share a value projection share its rows."""
    import torch

    shape = block.value.index.shape
    values = through_norm(block.value.matrix().reshape(-1, int(norm.gain.shape[0])), norm).reshape(*shape, -1)
    values = values.repeat_interleave(block.heads // block.kv_heads, dim=0)
    outputs = weight(block.output).double()
    outputs = outputs.reshape(outputs.shape[0], block.heads, block.head_size).permute(1, 0, 2)
    found = torch.empty(block.heads, block.heads, dtype=torch.float64)
    for h in range(block.heads):
        for k in range(h, block.heads):
            product = ((outputs[h].T @ outputs[k]) * (values[h] @ values[k].T)).sum() / outputs.shape[1]
            found[h, k] = found[k, h] = product
    return np.asarray(found.numpy())
