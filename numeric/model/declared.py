"""What a configuration says of a model, layer by layer, to be held against what its modules do.

An entry that a configuration leaves open is None and is held against nothing. The slopes are those of the rule that
each family's original code follows: BLOOM's and Falcon's series, MPT's with its alibi_bias_max; Falcon divides its
bias by √head_dim and rounds it to bfloat16.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.published import bloom_slopes, falcon_slopes

__all__ = ["Declared", "declared", "longest"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Declared:
    """One layer as the configuration has it. window : None where it says there is none, 0 where it is silent.

    slopes : (heads,), where positions are "alibi"; slope_rounding : relative, of the type they are computed in.
    """

    heads: int | None
    kv_heads: int | None
    head_size: int | None
    mask: str
    window: int | None
    positions: str | None
    slopes: Floats | None
    slope_rounding: float
    scale: float | None
    norm: str | None
    order: str | None
    residual: str | None


def declared(config: Any, family: str) -> tuple[int | None, tuple[Declared, ...]]:
    """The declared number of layers, and every one of them; family : its model_type."""
    layers = _whole(config, "num_hidden_layers", "n_layers", "n_layer")
    return layers, tuple(_layer(config, family, at) for at in range(layers or 0))


def longest(config: Any) -> int | None:
    """The most positions the configuration allows; None where it names no limit (BLOOM), or none above 0."""
    found = _whole(config, "max_position_embeddings", "n_positions", "max_seq_len")
    return found if found is not None and found > 0 else None


def _whole(config: Any, *names: str) -> int | None:
    found = (getattr(config, name, None) for name in names)
    return next((int(x) for x in found if isinstance(x, int) and not isinstance(x, bool)), None)


def _layer(config: Any, family: str, at: int) -> Declared:
    heads = _whole(config, "num_attention_heads", "n_heads", "n_head")
    width = _whole(config, "hidden_size", "d_model", "n_embd")
    size = _whole(config, "head_dim") or (width // heads if width and heads else None)
    positions = _positions(config, family)
    slopes = _slopes(config, family, heads, size) if positions == "alibi" else None
    # 2^(−8/P) to the power h ≤ P by float32's pow: 2 units each for the base, h times over, and the result
    rounding = 2.0**-8 if family == "falcon" else 2.0**-24 * 4 * (heads or 1)
    return Declared(
        heads=heads, kv_heads=_kv_heads(config, family, heads), head_size=size, mask=_mask(config, family),
        window=_window(config, family, at), positions=positions, slopes=slopes, slope_rounding=rounding,
        scale=_scale(config, family, size, at), norm=_norm(config, family), order=_order(config, family),
        residual=_residual(config, family),
    )  # fmt: skip


def _kv_heads(config: Any, family: str, heads: int | None) -> int | None:
    if family == "falcon":
        if config.new_decoder_architecture or not config.multi_query:
            return _whole(config, "num_kv_heads") if config.new_decoder_architecture else heads
        return 1
    return _whole(config, "num_key_value_heads") or heads


def _mask(config: Any, family: str) -> str:
    return "prefix" if family == "mpt" and getattr(config.attn_config, "prefix_lm", False) else "causal"


def _window(config: Any, family: str, at: int) -> int | None:
    width = _whole(config, "sliding_window")
    kinds = getattr(config, "layer_types", None)
    if width is None or (kinds and at < len(kinds) and kinds[at] != "sliding_attention"):
        return None
    return width


def _positions(config: Any, family: str) -> str | None:
    if family in ("gpt2", "opt"):
        return "absolute"
    if family == "bloom" or (family == "mpt" and config.attn_config.alibi):
        return "alibi"
    if family == "mpt":
        return "absolute"  # learned, in the original code
    if family == "falcon":
        return "alibi" if config.alibi else "rotary"
    # transformers keeps the base of rotary positions in rope_parameters, earlier files in rope_theta
    rotary = getattr(config, "rope_parameters", None) or hasattr(config, "rope_theta")
    return "rotary" if rotary else None


def _slopes(config: Any, family: str, heads: int | None, size: int | None) -> Floats | None:
    if not heads or not size:
        return None
    if family == "falcon":
        return falcon_slopes(heads, size)
    bias_max = float(getattr(config.attn_config, "alibi_bias_max", 8)) if family == "mpt" else 8.0
    return np.asarray(bloom_slopes(heads) ** (bias_max / 8))  # every slope is 2^(−8 x): MPT's are 2^(−bias_max x)


def _scale(config: Any, family: str, size: int | None, at: int) -> float | None:
    if not size:
        return None
    usual = size**-0.5
    if family == "mpt":
        given = getattr(config.attn_config, "softmax_scale", None)
        return usual if given is None else float(given)
    if family == "gpt2":
        usual = usual if config.scale_attn_weights else 1.0
        return usual / (at + 1) if config.scale_attn_by_inverse_layer_idx else usual
    return usual if family in _KNOWN else None


def _norm(config: Any, family: str) -> str | None:
    if family == "opt":
        return "pre" if config.do_layer_norm_before else "post"
    return "pre" if family in _KNOWN else None


def _order(config: Any, family: str) -> str | None:
    if family == "falcon":
        parallel = config.parallel_attn or config.new_decoder_architecture
    else:
        parallel = family == "gpt_neox" and config.use_parallel_residual
    return None if family not in _KNOWN else "parallel" if parallel else "sequential"


def _residual(config: Any, family: str) -> str | None:
    if family == "bloom" and config.apply_residual_connection_post_layernorm:
        return "normalised"
    return "raw" if family in _KNOWN else None


_KNOWN = ("bloom", "mpt", "falcon", "gpt2", "gpt_neox", "llama", "mistral", "qwen2", "gemma", "opt")
