"""A GGUF file, written here tensor by tensor, is the model that it was written from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from numeric.model import audit, load
from numeric.refuse import InputError

if TYPE_CHECKING:
    from numeric.model import Loaded

PARTS = {
    "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm",
}  # fmt: skip
WHOLE = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}


def named(name: str) -> str:
    """The name that GGUF has for a weight of Llama."""
    stem = name.removesuffix(".weight")
    if stem in WHOLE:
        return f"{WHOLE[stem]}.weight"
    _, _, number, part = stem.split(".", 3)
    return f"blk.{number}.{PARTS[part]}.weight"


def interleaved(values: Any, heads: int) -> Any:
    """GGUF keeps the two halves that rotary positions turn next to each other."""
    return values.reshape(heads, 2, -1, values.shape[1]).swapaxes(1, 2).reshape(values.shape)


def written(loaded: Loaded, file: Path) -> Path:
    gguf = pytest.importorskip("gguf")
    writer, config = gguf.GGUFWriter(str(file), "llama"), loaded.config
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_dimension_count(6)
    writer.add_rope_freq_base(10000.0)
    writer.add_vocab_size(config.vocab_size)
    for name, tensor in loaded.model.state_dict().items():
        heads = {"q_proj": 4, "k_proj": 2}.get(name.split(".")[-2])
        values = tensor.numpy() if heads is None else interleaved(tensor.numpy(), heads)
        writer.add_tensor(named(name), np.ascontiguousarray(values))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file


def test_a_gguf_file_is_the_model_it_was_written_from(tiny: Callable[..., Loaded], tmp_path: Path) -> None:
    import torch

    original = tiny("llama")
    loaded = load(written(original, tmp_path / "tiny.gguf"))
    assert loaded.tokenizer is None
    for name, value in original.model.state_dict().items():
        assert torch.equal(value, loaded.model.state_dict()[name])
    assert audit(loaded, n=23).mismatches == ()


@pytest.mark.parametrize("keep", [0, 7, 400])
def test_a_broken_gguf_file(tiny: Callable[..., Loaded], tmp_path: Path, keep: int) -> None:
    file = written(tiny("llama"), tmp_path / "tiny.gguf")
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(InputError, match="be a model that transformers can load"):
        load(file)
