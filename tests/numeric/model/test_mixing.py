"""λ off the raw residual stream: by hand, and the same however a layer is called and its attention computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from numeric.model import mixing_of
from numeric.refuse import InputError
from tests.numeric.model.double import all_double
from tests.numeric.model.hand import hand_model
from tests.numeric.model.tiny import LAYERS, TINY

if TYPE_CHECKING:
    from numeric.model import Loaded

IDS = np.random.default_rng(7).integers(3, 61, (3, 11))
STREAM, ADDED = [[3.0, 4.0], [1.0, 0.0]], [[6.0, 8.0], [5.0, 12.0]]


@pytest.mark.parametrize("keyword", [False, True])
@pytest.mark.parametrize("bare", [False, True])
def test_two_layers_by_hand(keyword: bool, bare: bool) -> None:
    """x = (3, 4), a = (6, 8): 10/15. Then x = (9, 12), a = (5, 12): 13/28. A normed stream would give 10/(10 + √2)."""
    mixing = mixing_of(hand_model(STREAM, ADDED, keyword=keyword, bare=bare), [[0, 0]])
    assert mixing.shape == (1, 2, 2)
    # squares, sums and roots of small integers are exact here: one division rounds
    assert np.array_equal(mixing[0], [[10 / 15] * 2, [13 / 28] * 2])


def test_both_ends() -> None:
    """λ = 1 for x = 0, 0 for a = 0."""
    assert np.array_equal(mixing_of(hand_model([[0.0, 0.0]], [[3.0, 4.0], [0.0, 0.0]]), [[0]])[0, :, 0], [1.0, 0.0])


def test_nothing_over_nothing_is_refused_with_its_place() -> None:
    loaded = hand_model([[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0]])
    with pytest.raises(InputError, match=r"not 0 and 0 \(sample 2, layer 1, position 3\)"):
        mixing_of(loaded, [[0, 0, 0], [0, 0, 1]])


def test_what_is_not_finite_is_nan_in_its_sample_alone() -> None:
    loaded = hand_model([[3.0, 4.0], [np.inf, 0.0], [np.nan, 0.0]], [[6.0, 8.0]])
    mixing = mixing_of(loaded, [[0, 0], [0, 1], [2, 0]])
    assert np.array_equal(np.isnan(mixing[:, 0]).any(axis=1), [False, True, True])
    assert np.array_equal(mixing[0, 0], [2 / 3, 2 / 3])


@pytest.mark.parametrize("kind", TINY)
def test_against_the_states_the_library_gives(tiny: Callable[..., Loaded], kind: str) -> None:
    """x is hidden_states[t] of the model's own output; a is what the output projection gives."""
    import torch

    loaded = tiny(kind)
    added: list[Any] = []
    handles = [b.output.register_forward_hook(lambda _, __, out: added.append(out)) for b in loaded.blocks]
    ids = torch.as_tensor(IDS)
    states = loaded.model(input_ids=ids, use_cache=False, output_hidden_states=True).hidden_states
    for handle in handles:
        handle.remove()
    x, a = (torch.stack(list(z[:LAYERS]), dim=1).double().norm(dim=-1).numpy() for z in (states, added))
    mixing = mixing_of(loaded, IDS)
    assert mixing.shape == (3, LAYERS, 11)
    assert np.array_equal(mixing, a / (x + a))  # the same tensors, the same float64 operations


@pytest.mark.parametrize("kind", TINY)
def test_a_batch_is_its_samples(tiny: Callable[..., Loaded], kind: str) -> None:
    """In float64 throughout, where a product of another shape may be added up in another order: some hundred roundings
    of each of a few steps, each relative to a state's norm: 1e4 · 2^−53 with room.
    """
    loaded = tiny(kind, dtype="float64")
    with all_double():
        batch, alone = mixing_of(loaded, IDS), np.concatenate([mixing_of(loaded, IDS[i : i + 1]) for i in range(3)])
    assert np.abs(batch - alone).max() <= 1e4 * 2.0**-53


@pytest.mark.parametrize("kind", [kind for kind in TINY if kind not in ("bloom", "mpt", "falcon", "falcon-parallel")])
def test_eager_is_sdpa(tiny: Callable[..., Loaded], kind: str) -> None:
    """Bound as above. BLOOM and MPT have no sdpa. Falcon's eager attention adds its ALiBi bias twice in transformers 5
    (test_attention.py, `test_falcon_with_alibi_is_measured_as_it_runs`), so that its two are two models.
    """
    with all_double():
        eager, sdpa = (mixing_of(tiny(kind, dtype="float64", attention=name), IDS) for name in ("eager", "sdpa"))
    assert np.abs(eager - sdpa).max() <= 1e4 * 2.0**-53


@pytest.mark.parametrize("kind", ["bloom", "llama", "gpt2"])
def test_checkpointing_and_dropout_left_on(tiny: Callable[..., Loaded], kind: str) -> None:
    """Every layer counts once, dropout is off and that is said; the mode is as before afterwards."""
    loaded, plain = tiny(kind, fresh=True), mixing_of(tiny(kind), IDS)
    for module in loaded.model.modules():
        for name in ("p", "hidden_dropout", "attention_dropout"):
            if isinstance(getattr(module, name, None), float):
                setattr(module, name, 0.5)
    model = loaded.model
    getattr(model, "activation_checkpointing_enable", model.gradient_checkpointing_enable)()  # the newer name first
    model.train()
    with pytest.warns(UserWarning, match="dropout is switched off"):
        mixing = mixing_of(loaded, IDS)
    assert np.array_equal(mixing, plain)
    assert all(module.training for module in loaded.model.modules())
    assert not any(b.whole._forward_pre_hooks or b.output._forward_hooks for b in loaded.blocks)


def test_half_precision_takes_its_norms_in_double(tiny: Callable[..., Loaded]) -> None:
    """A stream whose squares overflow float16 (300² > 65504) and vanish in it (1e−5² < 6e−8)."""
    big = hand_model([[300.0, 400.0]], [[600.0, 800.0]])
    big.model.half()
    assert mixing_of(big, [[0]])[0, 0, 0] == 2 / 3
    assert np.isfinite(mixing_of(tiny("llama", dtype="bfloat16"), IDS)).all()


def test_a_layer_passed_twice_is_refused() -> None:
    with pytest.raises(InputError, match=r"not 2 and 2 times \(layer 1\)"):
        mixing_of(hand_model(STREAM, ADDED, calls=2), [[0]])


@pytest.mark.parametrize(
    ("ids", "says"),
    [
        ([1, 2], "axes samples, positions"), ([[1.0, 2.0]], "be integers"), ([[]], "be integers"),
        ([[True]], "be integers"), ([[1, 61]], r"0 … 60, the vocabulary, not 61 \(sample 1, position 2\)"),
        ([[-1]], "not -1"),
    ],
)  # fmt: skip
def test_ids_that_are_none(tiny: Callable[..., Loaded], ids: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        mixing_of(tiny("llama"), ids)
    assert mixing_of(tiny("llama"), [[60]]).shape == (1, LAYERS, 1)
