"""Configurations of very small models, two layers of every family, and models with weights drawn for them.

Sizes are small and different: a swapped axis fails. Written to a folder they are what a user has on a disk.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VOCABULARY = 61
LAYERS = 2

_LLAMA: dict[str, Any] = {
    "num_hidden_layers": LAYERS, "num_attention_heads": 4, "num_key_value_heads": 2, "hidden_size": 24,
    "intermediate_size": 40, "vocab_size": VOCABULARY, "max_position_embeddings": 128,
    "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0,
}  # fmt: skip
_FALCON: dict[str, Any] = {
    "num_hidden_layers": LAYERS, "num_attention_heads": 6, "hidden_size": 24, "vocab_size": VOCABULARY,
    "bos_token_id": 1, "eos_token_id": 2, "alibi": True, "multi_query": False, "new_decoder_architecture": False,
    "parallel_attn": False, "bias": True, "max_position_embeddings": 128,
}  # fmt: skip

TINY: dict[str, dict[str, Any]] = {
    "bloom": {"n_layer": LAYERS, "n_head": 6, "hidden_size": 24, "vocab_size": VOCABULARY},
    "mpt": {"n_layers": LAYERS, "n_heads": 6, "d_model": 24, "vocab_size": VOCABULARY, "max_seq_len": 128},
    "falcon": _FALCON,
    "falcon-parallel": {**_FALCON, "parallel_attn": True},
    "falcon-rotary": {**_FALCON, "alibi": False, "parallel_attn": True, "multi_query": True},
    "falcon-new": {
        **_FALCON, "alibi": False, "parallel_attn": True, "new_decoder_architecture": True, "num_kv_heads": 2,
    },
    "gpt2": {"n_layer": LAYERS, "n_head": 4, "n_embd": 24, "n_positions": 128, "vocab_size": VOCABULARY,
             "bos_token_id": 1, "eos_token_id": 2},
    "gpt_neox": {"num_hidden_layers": LAYERS, "num_attention_heads": 4, "hidden_size": 24, "intermediate_size": 40,
                 "vocab_size": VOCABULARY, "max_position_embeddings": 128, "bos_token_id": 1, "eos_token_id": 2},
    "llama": _LLAMA,
    "mistral": {**_LLAMA, "sliding_window": 5},
    "qwen2": _LLAMA,
    "gemma": {**_LLAMA, "head_dim": 6},
    "opt": {"num_hidden_layers": LAYERS, "num_attention_heads": 4, "hidden_size": 24, "ffn_dim": 40,
            "word_embed_proj_dim": 24, "vocab_size": VOCABULARY, "max_position_embeddings": 128, "pad_token_id": 0,
            "bos_token_id": 1, "eos_token_id": 2},
}  # fmt: skip


def model_type(kind: str) -> str:
    """falcon-new -> falcon."""
    return kind.split("-")[0]


def write_config(folder: Path, kind: str, **changes: Any) -> Path:
    """A folder with a config.json alone: a model to be drawn at random."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {"model_type": model_type(kind), **TINY[kind], **changes}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder
