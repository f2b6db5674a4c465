"""Weights that lie on disk and are fetched layer by layer are measured as those in memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from numeric.model import LayerAttention, attention_of, influence_of, load, mixing_of

if TYPE_CHECKING:
    from numeric.model import Loaded

IDS = np.random.default_rng(7).integers(3, 61, (2, 7))
PARTS = {
    "llama": {"model.embed_tokens": "cpu", "model.layers.0": "cpu", "model.layers.1": "disk", "model.norm": "cpu",
              "model.rotary_emb": "cpu", "lm_head": "disk"},
    "gpt2": {"transformer.wte": "cpu", "lm_head": "cpu", "transformer.wpe": "disk", "transformer.h.0": "disk",
             "transformer.h.1": "disk", "transformer.ln_f": "cpu"},
}  # fmt: skip


@pytest.mark.parametrize("kind", PARTS)
def test_offloaded_is_plain(tiny: Callable[..., Loaded], tmp_path: Path, kind: str) -> None:
    pytest.importorskip("accelerate")
    tiny(kind).model.save_pretrained(tmp_path / "m")
    plain = load(tmp_path / "m")
    placed = load(tmp_path / "m", device_map=PARTS[kind], offload_folder=str(tmp_path / "offload"))
    assert placed.blocks[1].output.weight.device.type == "meta"  # or nothing would have been tested
    assert np.array_equal(mixing_of(plain, IDS), mixing_of(placed, IDS))
    for checkpointing in (False, True):
        found = influence_of(placed, IDS, checkpointing=checkpointing)
        assert np.array_equal(found.norms, influence_of(plain, IDS).norms)
    assert [x.tobytes() for x in reduced(plain)] == [x.tobytes() for x in reduced(placed)]
    assert placed.blocks[1].output.weight.device.type == "meta"


def reduced(loaded: Loaded) -> list[Any]:
    found: list[Any] = []

    def visit(layer: LayerAttention) -> None:
        found.extend((layer.heads, layer.mean(), layer.value_weighted(), *layer.content()))

    attention_of(loaded, IDS, visit)
    return found
