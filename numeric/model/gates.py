"""m and κ of one layer's MLP for one sequence, from its weights and the derivatives of its activation.

    plain   z_k = φ(u_k)             a_ik = φ'(u_ik)
    gated   z_k = φ(g_k) u_k         a_ik = φ'(g_ik) u_ik for the gate's row, φ(g_ik) for the other

    M_i = W2 diag(a_i) W1 Γ/σ_i,     m_i m_i' κ_ii' = ⟨M_i, M_i'⟩_F / d

"gates" takes rows of W1 and columns of W2 as orthogonal, which random ones are nearly: Σ_k ‖W2_k‖² ‖W1_k‖² a_ik a_i'k.
"exact" is the inner product itself, with the Gram matrices of W1 and W2, which are of the MLP's width.

The derivatives are read off the model: the activations' inputs are made leaves of a graph that ends at W2, so nothing
has to be known of φ. Theory Q1 and §8.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.block import Block, weight
from numeric.model.maps import Norm, through_norm
from numeric.model.passes import first

__all__ = ["Gates", "exact_products", "gate_products", "lengths"]

FloatArray = NDArray[np.float64]


class Gates:
    """The activation's slopes of one layer and one sequence, read off one pass while ``hooks`` are on.

    slopes : {"up": (n, k)} and, where there is a gate, "gate"; None before a pass.
    """

    def __init__(self, block: Block) -> None:
        self.block = block
        self.slopes: dict[str, Any] | None = None
        self._inputs: dict[str, Any] = {}
        self._before = False

    def hooks(self) -> Iterator[Any]:
        """To be removed by the caller. The graph begins behind W1 and ends before W2, whatever surrounds it."""
        yield self.block.up.register_forward_hook(partial(self._begins, "up"))
        if self.block.gate is not None:
            yield self.block.gate.register_forward_hook(partial(self._begins, "gate"))
        yield self.block.down.register_forward_pre_hook(self._ends)

    def _begins(self, name: str, _: Any, __: Any, out: Any) -> Any:
        import torch

        if not self._inputs:
            self._before = torch.is_grad_enabled()
            torch.set_grad_enabled(True)
        self._inputs[name] = out.detach().requires_grad_()
        return self._inputs[name]

    def _ends(self, _: Any, given: Any) -> Any:
        import torch

        hidden = first(given)
        found = torch.autograd.grad(hidden.sum(), list(self._inputs.values()))
        self.slopes = {
            name: slope.reshape(-1, slope.shape[-1]).double() for name, slope in zip(self._inputs, found, strict=True)
        }
        self._inputs = {}
        torch.set_grad_enabled(self._before)
        return (hidden.detach(), *given[1:])


def lengths(block: Block, norm: Norm) -> dict[str, Any]:
    """‖W2_k‖ ‖W1_k Γ‖, (k,), of the rows of ``up`` and of ``gate`` where there is one."""
    second = weight(block.down).double().norm(dim=0)
    return {name: through_norm(weight(module), norm).norm(dim=1) * second for name, module in _rows(block).items()}


def gate_products(gates: Gates, found: dict[str, Any]) -> FloatArray:
    """Σ_k (‖W2_k‖ ‖W1_k Γ‖)² a_ik a_i'k / d, (n, n), float64; ``found`` is `lengths` of the block."""
    assert gates.slopes is not None
    scaled = [slope * found[name] for name, slope in gates.slopes.items()]
    return _per_width(sum(x @ x.T for x in scaled), gates.block)


def exact_products(gates: Gates, norm: Norm) -> FloatArray:
    """⟨M_i, M_i'⟩_F σ_i σ_i' / d, (n, n), float64: with the Gram matrices of W1 and W2, k × k numbers each."""
    assert gates.slopes is not None
    second = weight(gates.block.down).double()  # (d, k)
    rows = {name: through_norm(weight(module), norm) for name, module in _rows(gates.block).items()}  # (k, d)
    outer, slopes = second.T @ second, gates.slopes
    total = sum(slopes[a] @ ((rows[a] @ rows[b].T) * outer) @ slopes[b].T for a in rows for b in rows)
    return _per_width(total, gates.block)


def _rows(block: Block) -> dict[str, Any]:
    return {"up": block.up} | ({} if block.gate is None else {"gate": block.gate})


def _per_width(total: Any, block: Block) -> FloatArray:
    """Divided by d, and symmetric to the last bit."""
    found: FloatArray = (total / weight(block.down).shape[0]).cpu().numpy()
    return (found + found.T) / 2
