"""Attention of one layer at a time: against kernels, against the projections, under both implementations."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from numeric import Alibi
from numeric.model import LayerAttention, attention_of, kernel_statistics, value_kernel
from numeric.model.block import weight
from numeric.refuse import InputError
from tests.numeric.model.double import all_double
from tests.numeric.model.hand import hand_model
from tests.numeric.model.tiny import LAYERS, TINY

if TYPE_CHECKING:
    from numeric.model import Loaded

N = 11
IDS = np.random.default_rng(7).integers(3, 61, (3, N))
ALIBI = ("bloom", "mpt", "falcon", "falcon-parallel")
BOTH = [
    kind for kind in TINY if kind not in ALIBI
]  # BLOOM and MPT are eager alone; Falcon's two ways differ, see below
# 6 heads: 2^−2, 2^−4, 2^−6, 2^−8 of four heads, then the first two odd ones of eight, 2^−1 and 2^−3 (BLOOM's rule);
# MPT's eight slopes, every other one first, give the same six
SLOPES = 2.0 ** -np.array([2, 4, 6, 8, 1, 3])


def captured(loaded: Loaded, ids: Any = IDS, **options: Any) -> list[LayerAttention]:
    layers: list[LayerAttention] = []
    attention_of(loaded, ids, layers.append, **options)
    return layers


def silenced(loaded: Loaded) -> Loaded:
    """With queries and keys that are 0 by the projections' weights."""
    import torch

    with torch.no_grad():
        for block in loaded.blocks:
            for channels in (block.query, block.key):
                rows, bias = channels.index.reshape(-1), channels.module.bias
                weight(channels.module)[rows] = 0.0
                if bias is not None:
                    bias[rows] = 0.0
    return loaded


def expected_silent(kind: str) -> Any:
    """(heads or 1, n, n) of a model that asks for nothing; Falcon divides its bias by √4, the head size's root."""
    if kind in ALIBI:
        slopes = SLOPES / (2.0 if kind.startswith("falcon") else 1.0)
        return np.stack([Alibi(float(slope)).matrix(N) for slope in slopes])
    window = 5 if kind == "mistral" else N
    cells = np.tril(np.ones((N, N))) - np.tril(np.ones((N, N)), -window)
    return (cells / cells.sum(axis=1, keepdims=True))[None]


@pytest.mark.parametrize("kind", TINY)
def test_without_queries_and_keys_it_is_the_kernel(tiny: Callable[..., Loaded], kind: str) -> None:
    """Slopes and distances are dyadic, so biases are exact; a float32 softmax errs by (n + 2) u, exp by two units."""
    expected = expected_silent(kind)
    layers = captured(silenced(tiny(kind, fresh=True)))
    assert [layer.layer for layer in layers] == list(range(1, LAYERS + 1))
    for layer in layers:
        assert layer.heads.shape == (3, layer.block.heads, N, N)
        assert np.abs(layer.heads - expected).max() <= (N + 2 + 4) * 2.0**-24
        assert np.abs(layer.mean() - expected.mean(axis=0)).max() <= (N + 2 + 4) * 2.0**-24
        for measured in layer.content():
            assert np.array_equal(measured, np.zeros((3, layer.block.heads)))


@pytest.mark.parametrize("kind", ["falcon", "falcon-parallel"])
def test_falcon_with_alibi_is_measured_as_it_runs(tiny: Callable[..., Loaded], kind: str) -> None:
    """transformers 5.24 puts the bias into Falcon's mask, and its eager attention adds it once more: twice the slopes.
    What is measured is what ran. Where the library mends that, both are `expected_silent`.
    """
    layer = captured(silenced(tiny(kind, fresh=True, attention="eager")))[0]
    once, twice = (np.stack([Alibi(float(m)).matrix(N) for m in slopes]) for slopes in (SLOPES / 2, SLOPES))
    bound = (N + 2 + 4) * 2.0**-24
    assert np.abs(layer.heads - twice).max() <= bound or np.abs(layer.heads - once).max() <= bound


@pytest.mark.parametrize("kind", BOTH)
def test_eager_is_sdpa(tiny: Callable[..., Loaded], kind: str) -> None:
    """In float64 throughout: what differs is the order of additions, at most 1e4 roundings of numbers below 1."""
    with all_double():
        pairs = [captured(tiny(kind, dtype="float64", attention=name)) for name in ("eager", "sdpa")]
        for eager, sdpa in zip(*pairs, strict=True):
            assert np.abs(eager.heads - sdpa.heads).max() <= 1e4 * 2.0**-53
            assert np.abs(eager.value_weighted() - sdpa.value_weighted()).max() <= 1e4 * 2.0**-53
            for one, other in zip(eager.content(), sdpa.content(), strict=True):
                assert np.abs(one - other).max() <= 1e4 * 2.0**-53
                assert np.abs(one).min() > 1e6 * 2.0**-53


@pytest.mark.parametrize("kind", BOTH)
def test_eager_weights_are_those_the_library_gives(tiny: Callable[..., Loaded], kind: str) -> None:
    import torch

    loaded = tiny(kind, attention="eager")
    given = loaded.model(input_ids=torch.as_tensor(IDS), use_cache=False, output_attentions=True).attentions
    for layer, weights in zip(captured(loaded), given, strict=True):
        assert np.array_equal(layer.heads, weights.numpy())


def projected(loaded: Loaded) -> list[tuple[Any, Any]]:
    """(q, k) of every layer as the projections give them, (B, H, n, d), keys repeated for their queries."""
    import torch

    found: list[Any] = []
    handles = [
        channels.module.register_forward_hook(lambda _, __, out, c=channels: found.append(out[..., c.index]))
        for block in loaded.blocks
        for channels in (block.query, block.key)
    ]
    with torch.no_grad():
        loaded.model(input_ids=torch.as_tensor(IDS), use_cache=False)
    for handle in handles:
        handle.remove()
    pairs = zip(found[::2], found[1::2], strict=True)
    return [(q.transpose(1, 2), k.repeat_interleave(q.shape[2] // k.shape[2], 2).transpose(1, 2)) for q, k in pairs]


@pytest.mark.parametrize("kind", TINY)
def test_content_is_scaled_q_times_k(tiny: Callable[..., Loaded], kind: str) -> None:
    """On the diagonal a rotation cancels; off it the families without one are compared. 1/√d is every family's scale.

    The bias that cancels under eager is at most 11, so each difference errs by some units of 11 · 2^−53.
    """
    with all_double():
        loaded = tiny(kind, dtype="float64")
        for layer, (q, k) in zip(captured(loaded), projected(loaded), strict=True):
            scores = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).numpy()
            on, off = layer.content()
            assert np.abs(on - scores.diagonal(axis1=2, axis2=3).mean(axis=-1)).max() <= 100 * 11 * 2.0**-53
            if kind in (*ALIBI, "gpt2", "opt"):
                below = np.tril(scores, -1).sum(axis=(-2, -1)) / (N * (N - 1) / 2)
                assert np.abs(off - below).max() <= 100 * 11 * 2.0**-53


def test_content_off_the_diagonal_counts_unmasked_cells_alone(tiny: Callable[..., Loaded]) -> None:
    """A window of 5: cells with 1 ≤ i − j ≤ 4. One position has no cell below the diagonal."""
    for attention in ("eager", "sdpa"):
        layer = captured(tiny("mistral", attention=attention))[1]
        i, j = np.indices((N, N))
        inside = (i > j) & (i - j < 5)
        expected = layer.logits.double().numpy()[:, :, inside].mean(axis=-1)
        # sums of at most 34 numbers below 1 in another order
        assert np.abs(layer.content()[1] - expected).max() <= 34 * 2.0**-52
        on, off = captured(tiny("mistral", attention=attention), IDS[:, :1])[0].content()
        assert np.isfinite(on).all()
        assert np.isnan(off).all()


def test_asking_for_content_changes_no_weight(tiny: Callable[..., Loaded]) -> None:
    for kind in ("bloom", "llama"):
        for one, other in zip(captured(tiny(kind)), captured(tiny(kind), content=False), strict=True):
            assert np.array_equal(one.heads, other.heads)
            with pytest.raises(InputError, match="'content' must be asked for"):
                other.content()


@pytest.mark.parametrize("kind", TINY)
def test_value_weighted_is_the_plain_sum(tiny: Callable[..., Loaded], kind: str) -> None:
    """Against one vector per head and cell, in float64. Ours adds d products in float32: (d + 2) u each, of at most 8
    times what is left of them here. In chunks as well as at once.
    """
    for layer in captured(tiny(kind)):
        heads, size = layer.block.heads, layer.block.head_size
        matrix = weight(layer.block.output).double().detach().numpy().reshape(-1, heads, size)
        values = np.repeat(layer.values.double().numpy(), heads // layer.block.kv_heads, axis=2)
        vectors = np.einsum("bhij,whd,bjhd->bijw", layer.heads.astype(np.float64), matrix, values)
        sizes = np.linalg.norm(vectors, axis=-1)
        expected = sizes / sizes.sum(axis=-1, keepdims=True)
        measured = layer.value_weighted()
        assert np.abs(measured - expected).max() <= 8 * (size + 2) * 2.0**-24
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(value_kernel, "_ROOM", 4 * heads * 24)
            assert np.abs(layer.value_weighted() - measured).max() <= 8 * (size + 2) * 2.0**-24
        assert np.abs(measured - layer.mean()).max() > 0.01  # it is another kernel
        for kernel in measured:
            assert kernel_statistics(kernel, slack=N * 2.0**-53).row_defect <= N * 2.0**-53


def test_a_row_that_sends_nothing_is_refused(tiny: Callable[..., Loaded]) -> None:
    import torch

    loaded = tiny("llama", fresh=True)
    with torch.no_grad():
        loaded.blocks[1].output.weight.zero_()
    first, second = captured(loaded)
    assert first.value_weighted().shape == (3, N, N)
    with pytest.raises(InputError, match=r"not 0 \(layer 2, sample 1, row 1\)"):
        second.value_weighted()


@pytest.mark.parametrize("kind", TINY)
def test_a_batch_is_its_samples(tiny: Callable[..., Loaded], kind: str) -> None:
    """In float64 throughout, up to the order of additions."""
    with all_double():
        loaded = tiny(kind, dtype="float64")
        batch, alone = captured(loaded), captured(loaded, IDS[1:2])
        for many, one in zip(batch, alone, strict=True):
            assert np.abs(many.heads[1] - one.heads[0]).max() <= 1e4 * 2.0**-53
            assert np.abs(many.value_weighted()[1] - one.value_weighted()[0]).max() <= 1e4 * 2.0**-53


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
def test_one_layer_at_a_time(tiny: Callable[..., Loaded], attention: str) -> None:
    """When a layer is shown, nothing of the one before it is left; hooks are gone at the end."""
    loaded = tiny("llama", fresh=True, attention=attention)
    last: list[weakref.ref[Any]] = []

    def visit(layer: LayerAttention) -> None:
        assert all(tensor() is None for tensor in last)
        last[:] = [weakref.ref(layer.weights), weakref.ref(layer.logits), weakref.ref(layer.values)]

    attention_of(loaded, IDS, visit)
    assert all(tensor() is None for tensor in last)
    modules = (m for block in loaded.blocks for m in (block.attention, block.output, block.query.module))
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in modules)


def test_hooks_go_when_a_visit_fails(tiny: Callable[..., Loaded]) -> None:
    loaded = tiny("gpt2")

    def visit(_: LayerAttention) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        attention_of(loaded, IDS, visit)
    assert not loaded.blocks[0].attention._forward_hooks
    assert len(captured(loaded)) == LAYERS


def test_checkpointing_and_dropout_left_on(tiny: Callable[..., Loaded]) -> None:
    loaded, plain = tiny("gpt2", fresh=True, attention="eager"), captured(tiny("gpt2", attention="eager"))
    model = loaded.model
    getattr(model, "activation_checkpointing_enable", model.gradient_checkpointing_enable)()
    model.train()
    with pytest.warns(UserWarning, match="dropout is switched off"):
        layers = captured(loaded)
    assert len(layers) == LAYERS
    assert all(np.array_equal(one.heads, other.heads) for one, other in zip(layers, plain, strict=True))


def test_a_sample_that_is_not_a_number_harms_no_other(tiny: Callable[..., Loaded]) -> None:
    import torch

    loaded = tiny("llama", fresh=True)
    with torch.no_grad():
        loaded.embedding.weight[2] = torch.nan
    ids = IDS.copy()
    ids[1, 4] = 2
    broken, whole = captured(loaded, ids)[0], captured(tiny("llama"), IDS)[0]
    bad, good = broken.mean(), whole.mean()
    assert np.array_equal(bad[[0, 2]], good[[0, 2]])
    assert np.array_equal(broken.value_weighted()[[0, 2]], whole.value_weighted()[[0, 2]])
    assert np.isnan(broken.value_weighted()[1]).any()
    assert np.array_equal(broken.content()[1][[0, 2]], whole.content()[1][[0, 2]])
    with pytest.raises(InputError, match=r"be finite, not nan \(sample 2, row 5, column 1\)"):
        kernel_statistics(bad[1], place="sample 2")


@pytest.mark.parametrize("kind", ["bloom", "gpt2", "llama", "falcon", "mpt"])
def test_half_precision_within_its_slack(tiny: Callable[..., Loaded], kind: str) -> None:
    for layer in captured(tiny(kind, dtype="bfloat16")):
        statistics = [kernel_statistics(kernel, slack=layer.slack) for kernel in layer.mean()]
        assert max(one.row_defect for one in statistics) <= layer.slack
        assert layer.heads.dtype == np.float32
        assert layer.logits.element_size() == 4


def test_values_that_are_not_what_is_attended_are_refused(tiny: Callable[..., Loaded]) -> None:
    """MPT clips its projections; a module that says so and does not, or one that clips, is noticed or followed."""
    clipping = tiny("mpt", fresh=True)
    for block in clipping.blocks:
        block.attention.clip_qkv = 0.01
    assert float(captured(clipping)[0].values.abs().max()) == np.float32(0.01)
    pretending = tiny("llama", fresh=True)
    pretending.blocks[1].attention.clip_qkv = 0.01
    with pytest.raises(InputError, match=r"attended values to its output projection, not others .*layer 2, head 1"):
        captured(pretending)


@pytest.mark.parametrize("softmaxes", [0, 2])
def test_attention_of_another_make_is_refused(softmaxes: int) -> None:
    loaded = hand_model([[3.0, 4.0]], [[6.0, 8.0]], softmaxes=softmaxes)
    with pytest.raises(InputError, match=rf"not {softmaxes} such calls \(layer 1\)"):
        captured(loaded, [[0, 0]])


def test_attention_is_called_once_a_layer(tiny: Callable[..., Loaded]) -> None:
    import torch

    seen: list[LayerAttention] = []
    with pytest.raises(InputError, match=r"attention once, not 2 times \(layer 1\)"):
        attention_of(hand_model([[3.0, 4.0]], [[6.0, 8.0]], calls=2), [[0, 0]], seen.append)
    assert len(seen) == 1  # the second is refused before it is shown
    plain = tiny("llama")
    elsewhere = replace(plain.blocks[1], attention=torch.nn.Identity())
    with pytest.raises(InputError, match=r"attention once, not 0 times \(layer 2\)"):
        captured(replace(plain, blocks=(plain.blocks[0], elsewhere)))
