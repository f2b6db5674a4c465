"""m and κ of an MLP against its Jacobians, for plain and gated ones, and the simpler reading against its own sum."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from numeric.model.block import weight
from numeric.model.gates import Gates, exact_products, gate_products, lengths
from numeric.model.maps import norm_of, through_norm
from tests.numeric.model.test_maps import WIDTH, shaken
from tests.numeric.model.tiny import TINY

if TYPE_CHECKING:
    from numeric.model import Loaded

N = 5


def watched(loaded: Loaded, number: int) -> tuple[Gates, Any]:
    """The gates of one layer, and what its MLP's norm gave to it."""
    import torch

    block, given = loaded.blocks[number], []
    gates = Gates(block)
    handles = [*gates.hooks(), block.up.register_forward_pre_hook(lambda _, x: given.append(x[0].detach()))]
    with torch.no_grad():
        loaded.model(torch.arange(3, 3 + N)[None], use_cache=False)
    for handle in handles:
        handle.remove()
    return gates, given[0].reshape(N, WIDTH)


def jacobians(loaded: Loaded, number: int, states: Any) -> np.ndarray:
    """M_i σ_i (N, d, d): of the MLP at each position, times Γ."""
    import torch

    block = loaded.blocks[number]
    nothing = torch.zeros(1, WIDTH, dtype=torch.float64)

    def of_state(state: Any) -> Any:
        if block.mlp is block.whole:  # OPT's MLP has no module of its own
            return block.down(block.whole.activation_fn(block.up(state[None])))[0]
        return (block.mlp(state[None], nothing) if takes_residual(block.mlp) else block.mlp(state[None]))[0]

    norm = norm_of(block.mlp_norm, WIDTH)
    return np.array([
        through_norm(torch.autograd.functional.jacobian(of_state, state), norm).numpy() for state in states
    ])  # fmt: skip


def takes_residual(mlp: Any) -> bool:
    """BLOOM's and MPT's add the stream themselves."""
    import inspect

    return "residual" in inspect.signature(mlp.forward).parameters


@pytest.mark.parametrize("kind", TINY)
def test_exact_products_are_those_of_jacobians(tiny: Callable[..., Loaded], kind: str) -> None:
    loaded = shaken(tiny, kind)
    for number, block in enumerate(loaded.blocks):
        gates, states = watched(loaded, number)
        flat = jacobians(loaded, number, states).reshape(N, -1)
        found = exact_products(gates, norm_of(block.mlp_norm, WIDTH))
        assert found == pytest.approx(flat @ flat.T / WIDTH, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("kind", ["bloom", "llama"])
def test_gate_products_take_rows_as_orthogonal(tiny: Callable[..., Loaded], kind: str) -> None:
    """The sum as it is written, entry by entry; small matrices are not orthogonal, so the exact one differs."""
    loaded = shaken(tiny, kind)
    block = loaded.blocks[1]
    gates, _ = watched(loaded, 1)
    assert gates.slopes is not None
    norm = norm_of(block.mlp_norm, WIDTH)
    second = weight(block.down).numpy()
    modules = {"up": block.up} | ({} if block.gate is None else {"gate": block.gate})
    expected = np.zeros((N, N))
    for name, module in modules.items():
        first = through_norm(weight(module), norm).numpy()
        a = gates.slopes[name].numpy()
        for i in range(N):
            for j in range(N):
                expected[i, j] += sum(
                    (second[:, k] @ second[:, k]) * (first[k] @ first[k]) * a[i, k] * a[j, k] for k in range(len(first))
                )
    found = gate_products(gates, lengths(block, norm))
    assert found == pytest.approx(expected / WIDTH, rel=1e-12)
    assert np.abs(found - exact_products(gates, norm)).max() > 1e-3 * np.abs(found).max()


def test_the_graph_ends_where_the_mlp_does(tiny: Callable[..., Loaded]) -> None:
    """Watching changes nothing of the pass, and leaves gradients switched as they were."""
    import torch

    loaded = tiny("llama", fresh=True)
    ids = torch.arange(3, 3 + N)[None]
    with torch.no_grad():
        plain = loaded.model(ids, use_cache=False).logits
        handles = [handle for block in loaded.blocks for handle in Gates(block).hooks()]
        seen = loaded.model(ids, use_cache=False).logits
        assert not torch.is_grad_enabled()
    for handle in handles:
        handle.remove()
    assert torch.equal(plain, seen) and not seen.requires_grad
