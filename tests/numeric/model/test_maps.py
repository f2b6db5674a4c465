"""Norms found by asking them, inner products of value–output maps: against explicit matrices and the model itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from numeric.model.block import weight
from numeric.model.maps import head_products, norm_of, through_norm
from numeric.refuse import InputError
from tests.numeric.model.tiny import TINY

if TYPE_CHECKING:
    from numeric.model import Loaded

WIDTH = 24
SINGLE = 64 * 2.0**-24  # RMSNorms compute in single precision whatever they are given: d = 24 squares, and a few more
KINDS = ("bloom", "falcon-new", "llama", "gemma", "opt")  # LayerNorm, RMSNorm, and RMSNorm with 1 + w


def shaken(tiny: Callable[..., Loaded], kind: str) -> Loaded:
    """A model in float64 with norms that do something: a fresh one has gain 1 and no offset."""
    import torch

    loaded = tiny(kind, fresh=True, dtype="float64")
    generator = torch.Generator().manual_seed(3)
    for name, parameter in loaded.model.named_parameters():
        if "norm" in name or "ln" in name or parameter.ndim == 1:
            parameter.data += 0.3 * torch.randn(parameter.shape, generator=generator, dtype=parameter.dtype)
    return loaded


@pytest.mark.parametrize("kind", KINDS)
def test_the_derivative_of_a_norm(tiny: Callable[..., Loaded], kind: str) -> None:
    """Γ/σ but for the projection along the state: J = (Γ/σ)(I − x̂ x̂ᵀ/d), the mean taken away where it is centred."""
    import torch

    block = shaken(tiny, kind).blocks[0]
    norm = norm_of(block.norm, WIDTH)
    x = torch.randn(WIDTH, dtype=torch.float64, generator=torch.Generator().manual_seed(1)) + 0.7
    jacobian = torch.autograd.functional.jacobian(block.norm, x).numpy()
    sigma = norm.scale(x[None])[0]
    centred = np.eye(WIDTH) - norm.centred / WIDTH
    state = centred @ x.numpy() / sigma
    expected = norm.gain.numpy()[:, None] / sigma * (centred - np.outer(state, state) / WIDTH)
    assert norm.centred is (kind in ("bloom", "falcon-new", "opt"))
    # some hundred roundings of numbers below 10
    assert np.abs(jacobian - expected).max() < (1e-12 if norm.centred else SINGLE)
    rows = torch.eye(WIDTH, dtype=torch.float64)
    assert np.abs(through_norm(rows, norm).numpy() - np.diag(norm.gain.numpy()) @ centred).max() < 1e-15 * WIDTH


def test_norms_of_an_odd_width_and_norms_without_weights() -> None:
    """Gemma's gain is 1 + w in every channel; some norms have no weight, or no ε of their own."""
    import torch
    from transformers.models.gemma.modeling_gemma import GemmaRMSNorm

    gemma = GemmaRMSNorm(7)
    gemma.weight.data = torch.arange(7) / 7
    assert norm_of(gemma, 7).gain.numpy() == pytest.approx(1 + np.arange(7) / 7, rel=SINGLE)
    for module, centred in ((torch.nn.LayerNorm(8, elementwise_affine=False), True), (torch.nn.RMSNorm(8), False)):
        found = norm_of(module, 8)
        assert found.gain.numpy() == pytest.approx(np.ones(8), rel=SINGLE) and found.centred is centred
    assert norm_of(torch.nn.RMSNorm(8), 8).epsilon == torch.finfo(torch.float32).eps


def test_what_is_no_norm_is_refused() -> None:
    import torch

    class Clipped(torch.nn.Module):  # type: ignore[misc]  # torch's types are not read
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(WIDTH))

        def forward(self, x: Any) -> Any:
            return x.clamp(-1, 2) * self.weight

    with pytest.raises(InputError, match="normalise as LayerNorm or RMSNorm do"):
        norm_of(Clipped(), WIDTH)


def explicit(loaded: Loaded) -> list[np.ndarray]:
    """W_h (H, d, d) of each layer, with nothing saved."""
    found = []
    for block in loaded.blocks:
        norm = norm_of(block.norm, WIDTH)
        centred = np.eye(WIDTH) - norm.centred / WIDTH
        values, out = block.value.matrix().detach().numpy(), weight(block.output).detach().numpy()
        sharing, size = block.heads // block.kv_heads, block.head_size
        found.append(
            np.array([
                out[:, h * size : (h + 1) * size] @ values[h // sharing] @ np.diag(norm.gain.numpy()) @ centred
                for h in range(block.heads)
            ])
        )  # fmt: skip
    return found


@pytest.mark.parametrize("kind", TINY)
def test_maps_are_what_one_token_goes_through(tiny: Callable[..., Loaded], kind: str) -> None:
    """With one position attention reads that alone: its output differs by Σ_h W_h (x̂ − x̂') between two tokens."""
    import torch

    loaded = shaken(tiny, kind)
    block, maps = loaded.blocks[0], explicit(loaded)[0]
    norm = norm_of(block.norm, WIDTH)
    states: list[Any] = []
    outs: list[Any] = []
    block.norm.register_forward_pre_hook(lambda _, given: states.append(given[0].detach().reshape(1, -1)))
    block.output.register_forward_hook(lambda _, __, out: outs.append(out.detach().reshape(-1)))
    for token in (3, 4):
        loaded.model(torch.tensor([[token]]), use_cache=False)
    first, second = (x[0].numpy() / norm.scale(x)[0] for x in states)
    moved = maps.sum(axis=0) @ (first - second)
    assert np.abs((outs[0] - outs[1]).numpy() - moved).max() < (1e-12 if norm.centred else SINGLE)
    assert np.abs(moved).max() > 1e-3


@pytest.mark.parametrize("kind", TINY)
def test_products_are_those_of_explicit_matrices(tiny: Callable[..., Loaded], kind: str) -> None:
    loaded = shaken(tiny, kind)
    for block, maps in zip(loaded.blocks, explicit(loaded), strict=True):
        flat = maps.reshape(len(maps), -1)
        found = head_products(block, norm_of(block.norm, WIDTH))
        assert found == pytest.approx(flat @ flat.T / WIDTH, abs=1e-12)
        assert (found == found.T).all()
