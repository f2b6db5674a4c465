"""Where each architecture keeps what is measured, as data.

    blocks      the list of layers            attention, mlp    modules of a layer (mlp_in, mlp_out: its two ends)
    norm        before attention              mlp_norm          before the MLP
    query, key, value, output                 projections; the first three may be one fused module
    layout      how a fused module orders its output channels:
                "separate"  three modules
                "stacked"   all queries, then all keys, then all values
                "grouped"   for each key-value head its queries, then its key, then its value
    embedding, final_norm                     of the whole model; embedding_norm where embeddings have one

Several places for one thing stand in one entry with "|" between: the first that is there counts. Paths are dotted,
from the model (blocks, embedding, final_norm), from a layer (attention, mlp, norm, mlp_norm), from the attention
(query, key, value, output; the last from the layer if the attention has none there), from the MLP (up, gate, down).
"." is the place itself: a layer whose MLP is no module.

Another architecture is described by a JSON file with the same keys, `read_family`; unknown keys are refused.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from numeric.nearest import nearest
from numeric.refuse import flag, refusal, shown

__all__ = ["FAMILIES", "LAYOUTS", "Family", "read_family"]

OPTIONAL = ("gate", "embedding_norm")
LAYOUTS = ("separate", "stacked", "grouped")


@dataclass(frozen=True, kw_only=True)
class Family:
    """Dotted paths to the modules of one architecture; see the module's docstring. ``name`` is its model_type."""

    name: str
    blocks: str
    embedding: str
    attention: str
    norm: str
    query: str
    key: str
    value: str
    output: str
    layout: str
    mlp: str = "mlp"
    mlp_norm: str
    up: str
    gate: str = ""
    down: str
    final_norm: str
    embedding_norm: str = ""

    def __post_init__(self) -> None:
        for key, value in asdict(self).items():
            if not isinstance(value, str) or (not value and key not in OPTIONAL):
                raise refusal(key, "be a dotted path", value, f"family {self.name!r}")
        if self.layout not in LAYOUTS:
            place = nearest(self.layout, LAYOUTS, place=f"family {self.name!r}")
            raise refusal("layout", f"be one of {', '.join(LAYOUTS)}", self.layout, place)


def _separate(name: str, **other: str) -> Family:
    """The names that Llama introduced and many follow."""
    return Family(
        **{
            "name": name, "blocks": "model.layers", "embedding": "model.embed_tokens", "final_norm": "model.norm",
            "attention": "self_attn", "norm": "input_layernorm", "mlp_norm": "post_attention_layernorm",
            "query": "q_proj", "key": "k_proj", "value": "v_proj", "output": "o_proj", "layout": "separate",
            "up": "up_proj", "gate": "gate_proj", "down": "down_proj", **other,
        }
    )  # fmt: skip


def _fused(name: str, projection: str, **other: str) -> Family:
    return Family(name=name, query=projection, key=projection, value=projection, **other)


FAMILIES = {
    family.name: family
    for family in (
        _fused(
            "bloom", "query_key_value", layout="grouped", blocks="transformer.h",
            embedding="transformer.word_embeddings", final_norm="transformer.ln_f", attention="self_attention",
            norm="input_layernorm", mlp_norm="post_attention_layernorm", output="dense",
            up="dense_h_to_4h", down="dense_4h_to_h", embedding_norm="transformer.word_embeddings_layernorm",
        ),
        _fused(
            "mpt", "Wqkv", layout="stacked", blocks="transformer.blocks", embedding="transformer.wte",
            final_norm="transformer.norm_f", attention="attn", norm="norm_1", mlp="ffn", mlp_norm="norm_2",
            output="out_proj", up="up_proj", down="down_proj",
        ),
        _fused(
            "falcon", "query_key_value", layout="grouped", blocks="transformer.h",
            embedding="transformer.word_embeddings", final_norm="transformer.ln_f", attention="self_attention",
            norm="ln_attn|input_layernorm", mlp_norm="ln_mlp|post_attention_layernorm|input_layernorm", output="dense",
            up="dense_h_to_4h", down="dense_4h_to_h",
        ),
        _fused(
            "gpt2", "c_attn", layout="stacked", blocks="transformer.h", embedding="transformer.wte",
            final_norm="transformer.ln_f", attention="attn", norm="ln_1", mlp_norm="ln_2", output="c_proj",
            up="c_fc", down="c_proj",
        ),
        _fused(
            "gpt_neox", "query_key_value", layout="grouped", blocks="gpt_neox.layers", embedding="gpt_neox.embed_in",
            final_norm="gpt_neox.final_layer_norm", attention="attention", norm="input_layernorm",
            mlp_norm="post_attention_layernorm", output="dense", up="dense_h_to_4h", down="dense_4h_to_h",
        ),
        _separate("llama"),
        _separate("mistral"),
        _separate("qwen2"),
        _separate("gemma"),
        _separate(
            "opt", blocks="model.decoder.layers", embedding="model.decoder.embed_tokens",
            final_norm="model.decoder.final_layer_norm", norm="self_attn_layer_norm", mlp=".",
            mlp_norm="final_layer_norm", output="out_proj", up="fc1", gate="", down="fc2",
        ),
    )
}  # fmt: skip


def read_family(path: str | Path, name: str = "--family") -> Family:
    """The family that a JSON file describes: one object whose keys are those of `Family`.

    Raises InputError for a file that is not there, is no JSON object of texts, lacks a key or has an unknown one.
    """
    place = shown(str(path))
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise flag(name, "be a file to read", f"closed to us ({error.strerror})", place) from None
    except (ValueError, RecursionError):
        raise flag(name, "be a JSON file", "one that cannot be read", place) from None
    if not isinstance(found, dict):
        raise refusal(name, "hold one JSON object", found, place)
    known = {field.name for field in fields(Family)}
    needed = known - {"mlp", *OPTIONAL}
    if unknown := sorted(set(found) - known):
        near = nearest(unknown[0], sorted(known), place=place)
        raise refusal(name, f"have the keys {', '.join(sorted(known))} only", unknown[0], near)
    if missing := sorted(needed - set(found)):
        raise flag(name, f"have the key {missing[0]!r}", "without it", place)
    return Family(**found)
