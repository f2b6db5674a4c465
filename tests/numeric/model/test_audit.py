"""An audit reads what the modules do: it agrees with the model's own attention, and sees what is changed in modules
while the configuration is left alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from numeric.kernel import Alibi, Uniform
from numeric.model import audit, load, read_family
from numeric.model.attend import weights_of
from numeric.model.block import weight
from numeric.model.reading import noise
from numeric.published import bloom_slopes, falcon_slopes, mpt_slopes
from numeric.refuse import InputError
from tests.numeric.model.tiny import TINY, write_config

if TYPE_CHECKING:
    from numeric.model import Loaded

N = 23
UNIT = 2.0**-24
ALIBI = ("bloom", "mpt", "falcon", "falcon-parallel")
Tiny = Callable[..., "Loaded"]

# positions, norm, order, window: of the architectures, as tiny.py configures them
PLANS = {
    "bloom": ("alibi", "pre", "sequential", None), "mpt": ("alibi", "pre", "sequential", None),
    "falcon": ("alibi", "pre", "sequential", None), "falcon-parallel": ("alibi", "pre", "parallel", None),
    "falcon-rotary": ("rotary", "pre", "parallel", None), "falcon-new": ("rotary", "pre", "parallel", None),
    "gpt2": ("absolute", "pre", "sequential", None), "gpt_neox": ("rotary", "pre", "parallel", None),
    "llama": ("rotary", "pre", "sequential", None), "mistral": ("rotary", "pre", "sequential", 5),
    "qwen2": ("rotary", "pre", "sequential", None), "gemma": ("rotary", "pre", "sequential", None),
    "opt": ("absolute", "pre", "sequential", None),
}  # fmt: skip


@pytest.mark.parametrize("kind", TINY)
def test_every_family_is_read_as_it_declares(tiny: Tiny, kind: str) -> None:
    found = audit(tiny(kind), n=N)
    assert found.mismatches == ()
    for layer in found.layers:
        assert (layer.positions, layer.norm, layer.order, layer.window) == PLANS[kind]
        assert (layer.mask, layer.residual, layer.rounding) == ("causal", "raw", 0.0)
        assert layer.scale == pytest.approx(layer.head_size**-0.5, rel=1e-5)
    assert len({id(kernel) for kernel in found.kernels()}) == 1


def own_attention(loaded: Loaded, n: int) -> list[Any]:
    """Attention as the model returns it, averaged over heads, once the weights of its queries and keys are 0."""
    import torch

    with torch.no_grad():
        for block in loaded.blocks:
            for channels in (block.query, block.key):
                index = channels.index.reshape(-1)
                weight(channels.module)[index] = 0.0
                if channels.module.bias is not None:
                    channels.module.bias[index] = 0.0
        ids = torch.arange(n)[None]
        given = loaded.model(ids, use_cache=False, output_attentions=True).attentions
    return [layer[0].double().mean(dim=0).numpy() for layer in given]


@pytest.mark.parametrize("kind", TINY)
def test_audited_kernels_are_the_models_own_attention(tiny: Tiny, kind: str) -> None:
    """Tolerance: the model's weights err relatively by `noise`, the kernel's by its slopes' error over n positions,
    and no weight is above 1; the average of heads in float64 adds nothing that counts.
    """
    loaded = tiny(kind, fresh=True, attention="eager")
    found = audit(loaded, n=N)
    for layer, kernel, own in zip(found.layers, found.kernels(), own_attention(loaded, N), strict=True):
        bias = layer.attends.bias
        limit = (noise(UNIT, bias.slopes * N) + bias.slope_errors * N).max()
        assert np.abs(kernel.matrix(N) - own).max() <= limit
        assert np.array_equal(kernel.matrix(N) == 0, own == 0)


@pytest.mark.parametrize("kind", ["falcon", "llama", "mistral", "gpt2"])
def test_weights_are_read_alike_from_fused_and_plain_attention(tiny: Tiny, kind: str) -> None:
    """Through W_O, whatever attention returns. Falcon's eager attention adds its bias twice: see the next test."""
    if kind == "falcon":
        kind = "falcon-rotary"
    for one, other in zip(
        weights_of(tiny(kind, attention="sdpa"), N), weights_of(tiny(kind, attention="eager"), N), strict=True
    ):
        assert np.abs(one - other).max() <= noise(UNIT, np.zeros(1))[0]


@pytest.mark.parametrize("kind", TINY)
def test_the_other_way_of_attention_is_held_against_the_first(tiny: Tiny, kind: str) -> None:
    """Falcon's eager attention has its bias in the scores and once more in the mask: twice the slopes of sdpa."""
    loaded = tiny(kind)
    found = audit(loaded, n=N, both=True)
    assert found.attention == loaded.config._attn_implementation
    assert (found.other is None) == (kind in ("bloom", "mpt"))
    if kind not in ("falcon", "falcon-parallel"):
        assert found.differences == ()
        return
    for one in found.differences:
        assert one.what == "slopes"
        read, declared = ([float(x) for x in text.split()[:4]] for text in (one.read, one.declared))
        assert read == pytest.approx([2 * x for x in declared], rel=1e-5)
    eager = audit(tiny(kind, attention="eager"), n=N)
    assert bool(eager.mismatches) == bool(found.differences)


@pytest.mark.parametrize("heads", [6, 12, 112])
def test_slopes_of_head_counts_that_are_no_power_of_two(tmp_path: Path, heads: int) -> None:
    for kind, names, rule in (
        ("bloom", ("n_head", "hidden_size"), bloom_slopes(heads)),
        ("mpt", ("n_heads", "d_model"), mpt_slopes(heads)),
        ("falcon", ("num_attention_heads", "hidden_size"), falcon_slopes(heads, 4)),
    ):
        folder = write_config(tmp_path / kind, kind, **{names[0]: heads, names[1]: 4 * heads})
        found = audit(load(folder, random_init=True), n=N)
        assert found.mismatches == ()
        layer = found.layers[0]
        assert layer.slopes is not None
        # Falcon computes slopes and biases in bfloat16, 8 binary digits
        np.testing.assert_allclose(np.array(layer.slopes), rule, rtol=2.0**-7 if kind == "falcon" else 1e-5)
        assert (layer.rounding > 0) == (kind == "falcon" and heads > 6)


# --- changed in the modules, the configuration left alone -----------------------------------------------------------


def test_slopes_changed_in_the_module_are_reported(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers.models.falcon import modeling_falcon

    for kind, name in (("bloom", "build_alibi_tensor"), ("mpt", "build_mpt_alibi_tensor")):
        loaded = tiny(kind, fresh=True)
        inner = loaded.model.transformer
        built = getattr(inner, name)
        monkeypatch.setattr(inner, name, lambda *given, built=built, **named: 1.5 * built(*given, **named))
        found = audit(loaded, n=N)
        (one,) = found.mismatches
        assert (one.layers, one.what) == ((1, 2), "slopes")
        assert one.declared.startswith("0.25 0.0625 ")
        assert one.read.startswith("0.375 0.09375 ")
        kernel = found.kernels()[0]
        assert isinstance(kernel, Alibi)
        np.testing.assert_allclose(kernel.slopes, 1.5 * bloom_slopes(6), rtol=1e-5)
    built = modeling_falcon.build_alibi_tensor
    monkeypatch.setattr(modeling_falcon, "build_alibi_tensor", lambda *given, **named: 1.5 * built(*given, **named))
    assert [x.what for x in audit(tiny("falcon", fresh=True), n=N).mismatches] == ["slopes"]


def test_one_head_of_one_layer_is_named(tiny: Tiny) -> None:
    loaded = tiny("bloom", fresh=True)

    def steeper(_: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        alibi = kwargs["alibi"].clone()
        heads = alibi.reshape(-1, 6, *alibi.shape[1:])
        heads[:, 2] *= 1.001
        return args, kwargs | {"alibi": alibi}

    loaded.blocks[1].attention.register_forward_pre_hook(steeper, with_kwargs=True)
    (one,) = audit(loaded, n=N).mismatches
    assert (one.layers, one.what, one.declared, one.read) == ((2,), "slopes of head 3", "0.015625", "0.0156406")


SCALES = {
    "bloom": "inv_norm_factor", "mpt": "softmax_scale", "gpt2": "scaling", "gpt_neox": "scaling", "llama": "scaling",
    "mistral": "scaling", "qwen2": "scaling", "gemma": "scaling", "opt": "scaling",
}  # fmt: skip


@pytest.mark.parametrize("kind", SCALES)
def test_a_scale_changed_in_the_module_is_reported(tiny: Tiny, kind: str) -> None:
    loaded = tiny(kind, fresh=True)
    module = loaded.blocks[0].attention
    before = getattr(module, SCALES[kind])
    setattr(module, SCALES[kind], 1.001 * before)
    (one,) = audit(loaded, n=N).mismatches
    assert (one.layers, one.what) == ((1,), "scale")
    assert float(one.read) == pytest.approx(1.001 * before, rel=1e-5)


def masked(loaded: Loaded, layer: int, keep: Any) -> None:
    """That layer attends where ``keep`` (query, key) says."""
    import torch

    def hook(_: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        mask = torch.where(torch.from_numpy(keep), 0.0, torch.finfo(torch.float32).min)[None, None]
        return args, kwargs | {"attention_mask": mask}

    loaded.blocks[layer].attention.register_forward_pre_hook(hook, with_kwargs=True)


def distances() -> Any:
    return np.subtract.outer(np.arange(N), np.arange(N))


def test_a_window_changed_in_the_module_is_reported(tiny: Tiny) -> None:
    for kind, declared in (("llama", "none"), ("mistral", "5")):
        loaded = tiny(kind, fresh=True)
        masked(loaded, 1, (distances() >= 0) & (distances() < 3))
        (one,) = audit(loaded, n=N).mismatches
        assert (one.layers, one.what, one.declared, one.read) == ((2,), "window", declared, "3")
    found = audit(loaded, n=N)
    assert [layer.window for layer in found.layers] == [5, 3]
    for layer, kernel in zip(found.layers, found.kernels(), strict=True):
        assert np.count_nonzero(kernel.matrix(N)[-1]) == layer.window


def test_a_mask_with_holes_has_no_kernel(tiny: Tiny) -> None:
    loaded = tiny("llama", fresh=True)
    masked(loaded, 0, (distances() >= 0) & (distances() % 2 == 0))
    found = audit(loaded, n=N)
    assert [(x.what, x.read) for x in found.mismatches] == [("mask", "irregular")]
    with pytest.raises(InputError, match=r"have the mask of a window.*layer 1"):
        found.kernels()


def test_a_layer_that_reads_later_positions_is_refused(tiny: Tiny) -> None:
    loaded = tiny("llama", fresh=True)
    masked(loaded, 1, distances() >= -1)
    with pytest.raises(InputError, match=r"be a causal model.*position 1 reads position 2 \(layer 2\)"):
        audit(loaded, n=N)


@pytest.mark.parametrize(
    ("kind", "name", "value", "what", "read"),
    [
        ("bloom", "apply_residual_connection_post_layernorm", True, "residual", "normalised"),
        ("gpt_neox", "use_parallel_residual", False, "order", "sequential"),
        ("opt", "do_layer_norm_before", False, "norm", "post"),
    ],
)
def test_a_plan_changed_in_the_module_is_reported(
    tiny: Tiny, kind: str, name: str, value: bool, what: str, read: str
) -> None:
    loaded = tiny(kind, fresh=True)
    setattr(loaded.blocks[1].whole, name, value)
    (one,) = audit(loaded, n=N).mismatches
    assert (one.layers, one.what, one.read) == ((2,), what, read)


def test_attention_that_is_changed_before_it_is_added_is_reported(tiny: Tiny) -> None:
    """λ is measured of W_O's output: a norm or a factor behind it would make it another number."""
    loaded = tiny("llama", fresh=True)
    loaded.blocks[0].attention.register_forward_hook(lambda _, __, out: (2.0 * out[0], *out[1:]))
    assert [(x.layers, x.what) for x in audit(loaded, n=N).mismatches] == [((1,), "residual")]


# --- declared otherwise, or not at all ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("bloom", {"apply_residual_connection_post_layernorm": True}),
        ("opt", {"do_layer_norm_before": False}),
        ("gpt_neox", {"use_parallel_residual": False}),
        ("gpt2", {"scale_attn_by_inverse_layer_idx": True}),
        ("mpt", {"attn_config": {"softmax_scale": 1.0}}),
        ("falcon-new", {"num_ln_in_parallel_attn": 1}),
        ("qwen2", {"use_sliding_window": True, "sliding_window": 7, "max_window_layers": 1}),
        ("mistral", {"sliding_window": 100}),
    ],
)
def test_what_a_configuration_changes_is_declared_and_done(tmp_path: Path, kind: str, changes: dict[str, Any]) -> None:
    assert audit(load(write_config(tmp_path / "m", kind, **changes), random_init=True), n=N).mismatches == ()


def test_what_a_configuration_says_and_the_modules_ignore_is_reported(tmp_path: Path) -> None:
    said = {"alibi_bias_max": 16, "prefix_lm": True}
    found = audit(load(write_config(tmp_path / "m", "mpt", attn_config=said), random_init=True), n=N)
    assert [x.what for x in found.mismatches] == ["mask", "slopes"]
    other = audit(load(write_config(tmp_path / "m", "mpt", attn_config={"alibi": False}), random_init=True), n=N)
    assert [(x.what, x.declared, x.read) for x in other.mismatches] == [("positions", "absolute", "alibi")]


def test_an_encoder_is_refused_however_it_is_described(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    folder.mkdir()
    sizes = {"num_hidden_layers": 2, "hidden_size": 24, "num_attention_heads": 4, "intermediate_size": 40}
    config = {"model_type": "bert", "vocab_size": 61, **sizes}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    described = {
        "name": "bert", "blocks": "bert.encoder.layer", "embedding": "bert.embeddings.word_embeddings",
        "final_norm": "bert.embeddings.LayerNorm", "attention": "attention.self", "norm": "attention.output.LayerNorm",
        "mlp": ".", "mlp_norm": "output.LayerNorm", "query": "query", "key": "key", "value": "value",
        "output": "attention.output.dense", "layout": "separate", "up": "intermediate.dense", "down": "output.dense",
    }  # fmt: skip
    file = tmp_path / "family.json"
    file.write_text(json.dumps(described), encoding="utf-8")
    loaded = load(folder, random_init=True, family=read_family(file))
    with pytest.raises(InputError, match="be a causal model, not one in which position 1 reads position 2"):
        audit(loaded, n=N)


# --- positions, and what an audit leaves behind ---------------------------------------------------------------------


def test_the_number_of_positions(tiny: Tiny) -> None:
    assert audit(tiny("llama")).n == 64
    assert audit(tiny("bloom"), n=4).limit is None
    for n, says in ((3, "be at least 4"), (129, "be at most 128, the positions of the model, not 129")):
        with pytest.raises(InputError, match=says):
            audit(tiny("llama"), n=n)


def test_more_attention_weights_than_fit_are_refused(tmp_path: Path) -> None:
    loaded = load(write_config(tmp_path / "m", "llama", max_position_embeddings=4096), random_init=True)
    with pytest.raises(InputError, match=r"'n' must ask for at most 5e\+08 attention weights of a layer, 1e\+10"):
        audit(loaded, n=2000)


def test_uniform_kernels_hold_at_every_length(tiny: Tiny) -> None:
    assert audit(tiny("llama"), n=N).kernels() == (Uniform(), Uniform())


def test_a_window_wider_than_n_is_not_seen_and_no_mismatch(tiny: Tiny) -> None:
    found = audit(tiny("mistral"), n=5)
    assert found.layers[0].window is None
    assert found.mismatches == ()
    assert audit(tiny("mistral"), n=6).layers[0].window == 5


def test_an_audit_leaves_the_model_as_it_was(tiny: Tiny) -> None:
    import torch

    loaded = tiny("falcon", fresh=True)
    loaded.model.train()
    audit(loaded, n=N, both=True)
    assert loaded.model.training
    assert loaded.config._attn_implementation == "sdpa"
    assert not any(m._forward_hooks or m._forward_pre_hooks for m in loaded.model.modules())
    loaded.model.eval()
    ids = torch.arange(N)[None]
    once, again = (loaded.model(ids, use_cache=False).logits for _ in range(2))
    assert torch.equal(once, again)


def test_half_precision_is_read_within_its_own_rounding(tiny: Tiny) -> None:
    for kind in ("bloom", "falcon", "llama"):
        assert audit(tiny(kind, dtype="bfloat16"), n=N).mismatches == ()
    assert audit(tiny("bloom", dtype="float64"), n=N).mismatches == ()


def test_weights_that_are_no_numbers_are_refused(tiny: Tiny) -> None:
    import torch

    loaded = tiny("llama", fresh=True)
    with torch.no_grad():
        loaded.embedding.weight[5] = float("nan")
    with pytest.raises(InputError, match="have finite weights"):
        audit(loaded, n=N)
