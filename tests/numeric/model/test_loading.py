"""Every family is found in its modules: heads, key-value heads, head size, and the channels of fused projections."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from numeric.model import load, read_family
from numeric.refuse import InputError
from tests.numeric.model.tiny import LAYERS, TINY, VOCABULARY, write_config

if TYPE_CHECKING:
    from numeric.model import Loaded

# heads, key-value heads, head size: from the configurations in tiny.py
SIZES = {
    "bloom": (6, 6, 4), "mpt": (6, 6, 4), "falcon": (6, 6, 4), "falcon-parallel": (6, 6, 4), "falcon-rotary": (6, 1, 4),
    "falcon-new": (6, 2, 4), "gpt2": (4, 4, 6), "gpt_neox": (4, 4, 6), "llama": (4, 2, 6), "mistral": (4, 2, 6),
    "qwen2": (4, 2, 6), "gemma": (4, 2, 6), "opt": (4, 4, 6),
}  # fmt: skip


@pytest.mark.parametrize("kind", TINY)
def test_every_family_is_found(tiny: Callable[..., Loaded], kind: str) -> None:
    loaded = tiny(kind)
    assert len(loaded.blocks) == LAYERS
    assert loaded.embedding.weight.shape == (VOCABULARY, 24)
    for block in loaded.blocks:
        assert (block.heads, block.kv_heads, block.head_size) == SIZES[kind]
        assert block.value.matrix().shape == (block.kv_heads, block.head_size, 24)


@pytest.mark.parametrize("kind", TINY)
def test_channels_are_those_the_model_attends_with(tiny: Callable[..., Loaded], kind: str) -> None:
    """With the value channels of one head zeroed by our reading, that head alone is lost from W_O's input."""
    import torch

    loaded = tiny(kind, fresh=True)
    block, seen = loaded.blocks[0], []
    block.output.register_forward_pre_hook(lambda _, given: seen.append(given[0].clone()))
    ids = torch.arange(3, 12)[None]
    loaded.model(ids, use_cache=False)
    module, index = block.value.module, block.value.index[0]
    with torch.no_grad():
        if type(module).__name__ == "Conv1D":  # GPT-2's, which stores its weight transposed
            module.weight[:, index] = 0.0
        else:
            module.weight[index] = 0.0
        if module.bias is not None:
            module.bias[index] = 0.0
    loaded.model(ids, use_cache=False)
    before, after = (x.reshape(1, 9, block.heads, block.head_size) for x in seen)
    sharing = block.heads // block.kv_heads
    assert float(after[:, :, :sharing].abs().max()) == 0.0
    assert torch.equal(before[:, :, sharing:], after[:, :, sharing:])


def test_random_weights_depend_on_the_seed_alone(tmp_path: Path) -> None:
    import torch

    folder = write_config(tmp_path / "m", "llama")
    state = torch.random.get_rng_state()
    first, again, other = (load(folder, random_init=True, seed=seed).embedding.weight for seed in (0, 0, 1))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    assert torch.equal(state, torch.random.get_rng_state())


@pytest.mark.parametrize(
    ("source", "says"),
    [("nowhere", "be a folder that exists"), ("a\0b", "be a folder that exists"), (".", "config.json")],
)
def test_what_is_no_model_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, says: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=says):
        load(source)


def test_an_unknown_family_is_refused_with_the_way_to_describe_it(tmp_path: Path) -> None:
    folder = write_config(tmp_path / "m", "llama")
    (folder / "config.json").write_text('{"model_type": "rwkv"}', encoding="utf-8")
    with pytest.raises(InputError, match="--family FILE"):
        load(folder, random_init=True)


def test_a_family_file_describes_an_architecture(tmp_path: Path) -> None:
    file = tmp_path / "family.json"
    given: dict[str, Any] = {
        "name": "mine", "blocks": "model.layers", "embedding": "model.embed_tokens", "final_norm": "model.norm",
        "attention": "self_attn", "norm": "input_layernorm", "mlp_norm": "post_attention_layernorm", "query": "q_proj",
        "key": "k_proj", "value": "v_proj", "output": "o_proj", "layout": "separate", "up": "up_proj",
        "gate": "gate_proj", "down": "down_proj",
    }  # fmt: skip
    import json

    file.write_text(json.dumps(given), encoding="utf-8")
    loaded = load(write_config(tmp_path / "m", "llama"), random_init=True, family=read_family(file))
    assert loaded.family.name == "mine"
    assert len(loaded.blocks) == LAYERS
    file.write_text(json.dumps({**given, "output": "elsewhere"}), encoding="utf-8")
    with pytest.raises(InputError, match="have its output at 'elsewhere'"):
        load(write_config(tmp_path / "m", "llama"), random_init=True, family=read_family(file))
    file.write_text(json.dumps({**given, "outpt": "o_proj"}), encoding="utf-8")
    with pytest.raises(InputError, match="outpt"):
        read_family(file)
