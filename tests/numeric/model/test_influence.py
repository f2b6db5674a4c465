"""Influence against finite differences, one by one, and where a probability saturates or a sample is not a number."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from numeric.model import influence_of, load
from numeric.model.influence import ALL_ZERO, NOT_FINITE, TARGETS, _factors
from numeric.model.passes import run
from numeric.refuse import InputError
from tests.numeric.model.double import all_double
from tests.numeric.model.hand import hand_model
from tests.numeric.model.tiny import TINY, write_config

if TYPE_CHECKING:
    from numeric.model import Loaded

IDS = np.random.default_rng(7).integers(3, 61, (3, 11))


def logits_at(loaded: Loaded, ids: Any, embeddings: Any) -> Any:
    """The last logits with other embeddings put in place."""
    import torch

    handle = loaded.embedding.register_forward_hook(lambda *_: embeddings)
    with torch.no_grad():
        logits = run(loaded, torch.as_tensor(ids))
    handle.remove()
    return logits


def by_differences(loaded: Loaded, ids: Any, token: int, target: str, h: float) -> Any:
    """(n,) norms of central differences at one sample: all 2 n E moved sequences as one batch, in plain torch."""
    import torch

    base = loaded.embedding(torch.as_tensor(ids)).detach()
    n, width = base.shape
    moves = h * torch.eye(n * width, dtype=base.dtype).reshape(-1, n, width)
    logits = logits_at(loaded, np.tile(ids, (2 * n * width, 1)), torch.cat([base + moves, base - moves]))
    plain = {"prob": logits.softmax(-1), "logprob": logits.log_softmax(-1), "logit": logits}[target][:, token]
    ahead, behind = plain.reshape(2, n, width)
    return ((ahead - behind) / (2 * h)).norm(dim=-1).numpy()


@pytest.mark.parametrize("kind", TINY)
def test_against_central_differences(tiny: Callable[..., Loaded], kind: str) -> None:
    """D(h) errs by c h² and rounding. |D(h) − D(h/2)| = ¾ c h² is three times the first at h/2. The second: each value
    errs by at most 1e3 roundings of numbers below 6 (|log p|), and is divided by h, in each of 24 directions.
    """
    loaded, ids, h = tiny(kind, dtype="float64"), IDS[0, :4], 2e-5
    with all_double():
        for target in TARGETS:
            found = influence_of(loaded, ids[None], target=target)
            token = int(found.tokens[0])
            wide, fine = (by_differences(loaded, ids, token, target, step) for step in (h, h / 2))
            bound = np.abs(wide - fine).max() + 24**0.5 * 6 * 1e3 * 2.0**-53 / h
            assert np.abs(found.norms[0] - fine).max() <= bound
            assert found.norms.max() > 100 * bound  # or nothing would have been tested


@pytest.mark.parametrize("kind", TINY)
@pytest.mark.parametrize("target", TARGETS)
def test_a_batch_is_its_samples(tiny: Callable[..., Loaded], kind: str, target: str) -> None:
    """No sample's gradient holds anything of its batch mates: in float64 throughout, what is left is the order in which
    products are added up, 1e4 roundings with room; a leak would be of order 1.
    """
    loaded = tiny(kind, dtype="float64")
    with all_double():
        batch = influence_of(loaded, IDS, target=target)
        singles = [influence_of(loaded, IDS[i : i + 1], target=target) for i in range(3)]
    for i, alone in enumerate(singles):
        assert alone.tokens[0] == batch.tokens[i]
        assert np.abs(batch.norms[i] - alone.norms[0]).max() <= 1e4 * 2.0**-53 * alone.norms.max()


@pytest.mark.parametrize("kind", TINY)
def test_checkpointing_changes_no_bit_and_leaves_no_trace(tiny: Callable[..., Loaded], kind: str) -> None:
    loaded = tiny(kind)
    plain, again = (influence_of(loaded, IDS, checkpointing=x) for x in (False, True))
    assert np.array_equal(plain.norms, again.norms)
    assert not any("forward" in block.whole.__dict__ for block in loaded.blocks)
    assert not loaded.embedding._forward_hooks


def test_checkpointing_holds_one_layer(tmp_path: Path) -> None:
    """Bytes kept for the backward pass: of 24 layers nearly everything goes, a state per layer stays."""
    from torch.autograd.graph import saved_tensors_hooks

    loaded = load(write_config(tmp_path / "deep", "llama", num_hidden_layers=24), random_init=True)
    weights = {parameter.data_ptr() for parameter in loaded.model.parameters()}
    kept: dict[bool, int] = {}
    for checkpointing in (False, True):
        kept[checkpointing] = 0

        def pack(x: Any, checkpointing: bool = checkpointing) -> Any:
            kept[checkpointing] += 0 if x.data_ptr() in weights else x.numel() * x.element_size()
            return x

        with saved_tensors_hooks(pack, lambda x: x):
            influence_of(loaded, IDS, checkpointing=checkpointing)
    state = 3 * 11 * 24 * 4
    assert kept[False] > 24 * 10 * state  # norms, q, k, v, gates: more than ten states a layer
    assert kept[True] < 24 * 3 * state


def test_the_token_is_the_most_probable_or_the_one_named(tiny: Callable[..., Loaded]) -> None:
    loaded = tiny("gpt2", dtype="float64")
    found = influence_of(loaded, IDS)
    assert np.array_equal(found.tokens, logits_at(loaded, IDS, None).argmax(-1).numpy())
    other = influence_of(loaded, IDS, tokens=[5, 6, 7])
    assert np.array_equal(other.tokens, [5, 6, 7])
    assert not np.array_equal(found.norms, other.norms)


def test_prob_is_p_times_logprob(tiny: Callable[..., Loaded]) -> None:
    loaded = tiny("gpt2", dtype="float64")
    prob, logprob = (influence_of(loaded, IDS, target=target) for target in ("prob", "logprob"))
    p = logits_at(loaded, IDS, None).softmax(-1).numpy()[np.arange(3), prob.tokens]
    assert np.allclose(prob.norms, p[:, None] * logprob.norms, rtol=1e-13, atol=0)  # some hundred roundings


def test_it_is_the_last_position_whose_target_is_taken() -> None:
    """By hand: attention adds a constant, so z(w) at the last position is e_w · (e_n + constant): gradient e_w there,
    0 elsewhere. The first token's logits would put it first.
    """
    loaded = hand_model([[3.0, 4.0], [6.0, 8.0]], [[1.0, 1.0]])
    found = influence_of(loaded, [[0, 1, 0]], target="logit")
    assert np.array_equal(found.tokens, [1])
    assert np.array_equal(found.norms, [[0.0, 0.0, 10.0]])


def test_the_odds_of_missing_lose_no_digit() -> None:
    """(1 − p, p (1 − p)) = (e^−50, e^−50) up to a factor 1 + e^−50; 1 − expit(50) would be 0."""
    for target in ("logprob", "prob"):
        assert _factors(np.array([50.0]), target)[0] == pytest.approx(np.exp(-50.0), rel=1e-14, abs=0.0)


def test_weights_that_want_gradients_make_no_difference(tiny: Callable[..., Loaded]) -> None:
    """Up to rounding: torch chooses another product of matrices for them."""
    loaded = tiny("gpt2", fresh=True, dtype="float64")
    loaded.model.requires_grad_(True)
    found, plain = (influence_of(one, IDS).norms for one in (loaded, tiny("gpt2", dtype="float64")))
    assert np.abs(found - plain).max() <= 1e4 * 2.0**-53 * plain.max()
    assert all(parameter.grad is None for parameter in loaded.model.parameters())


def sharpened(tiny: Callable[..., Loaded], by: float, dtype: str = "float32") -> Loaded:
    """A Llama whose logits are so many times larger."""
    import torch

    loaded = tiny("llama", fresh=True, dtype=dtype)
    with torch.no_grad():
        loaded.model.lm_head.weight.mul_(by)
    return loaded


def test_a_probability_that_rounds_to_one_keeps_its_gradient(tiny: Callable[..., Loaded]) -> None:
    """Float32 against float64, whose softmax is not saturated yet. A float32 softmax is off by its main part there.

    Errors: 1e3 roundings of float32, times the logits' size, which stands in an exponent.
    """
    import torch

    single, double = (sharpened(tiny, 600.0, dtype) for dtype in ("float32", "float64"))
    double.model.load_state_dict({key: value.double() for key, value in single.model.state_dict().items()})
    logits = logits_at(double, IDS, None)
    gap = (logits.topk(2).values @ torch.tensor([1.0, -1.0], dtype=logits.dtype)).numpy()
    one = int(np.flatnonzero((gap > 17.4) & (gap < 36))[0])  # p rounds to 1 in float32 and not in float64
    ids, bound = IDS[one : one + 1], 1e3 * 2.0**-24 * float(logits.abs().max())
    for target in ("prob", "logprob"):
        exact, found = (influence_of(loaded, ids, target=target).norms[0] for loaded in (double, single))
        assert np.abs(found / exact - 1).max() <= bound < 0.1
    embeddings = single.embedding(torch.as_tensor(ids)).detach().requires_grad_()
    handle = single.embedding.register_forward_hook(lambda *_: embeddings)
    (naive,) = torch.autograd.grad(run(single, torch.as_tensor(ids)).log_softmax(-1).max(), embeddings)
    handle.remove()
    assert np.abs(naive.norm(dim=-1).numpy()[0] / exact - 1).max() > 0.1


def test_a_saturated_probability_is_named_and_its_logit_is_not(tiny: Callable[..., Loaded]) -> None:
    loaded = sharpened(tiny, 1e7)
    for target in ("prob", "logprob"):
        found = influence_of(loaded, IDS, target=target)
        assert found.bad == ((0, ALL_ZERO), (1, ALL_ZERO), (2, ALL_ZERO))
        assert not found.norms.any()
    assert influence_of(loaded, IDS, target="logit").bad == ()


def test_a_sample_that_is_not_a_number_is_named_and_harms_no_other(tiny: Callable[..., Loaded]) -> None:
    import torch

    plain, loaded = tiny("llama"), tiny("llama", fresh=True)
    with torch.no_grad():
        loaded.embedding.weight[2] = torch.nan  # a token that only the second sample has
    ids = IDS.copy()
    ids[1, 4] = 2
    found = influence_of(loaded, ids)
    assert found.bad == ((1, NOT_FINITE),)
    assert np.array_equal(found.norms[[0, 2]], influence_of(plain, ids).norms[[0, 2]])


def test_dropout_left_on_is_switched_off_and_said(tiny: Callable[..., Loaded]) -> None:
    loaded = tiny("gpt2", fresh=True)
    loaded.model.train()
    with pytest.warns(UserWarning, match="dropout is switched off"):
        found = influence_of(loaded, IDS)
    assert len(found.notes) == 1
    assert loaded.model.training
    assert np.array_equal(found.norms, influence_of(tiny("gpt2"), IDS).norms)


def test_gradients_are_taken_where_the_caller_has_none(tiny: Callable[..., Loaded]) -> None:
    import torch

    with torch.no_grad():
        inside = influence_of(tiny("opt"), IDS).norms
    assert np.array_equal(inside, influence_of(tiny("opt"), IDS).norms)


def test_what_is_refused(tiny: Callable[..., Loaded]) -> None:
    with pytest.raises(InputError, match="'target' must be one of prob, logprob, logit"):
        influence_of(tiny("llama"), IDS, target="p")
    with pytest.raises(InputError, match="'dtype' must be float32 or float64 for gradients, not bfloat16"):
        influence_of(tiny("llama", dtype="bfloat16"), IDS)
    with pytest.raises(InputError, match="'tokens' must be one for each sample"):
        influence_of(tiny("llama"), IDS, tokens=[1])
    with pytest.raises(InputError, match="'tokens' must lie in"):
        influence_of(tiny("llama"), IDS, tokens=[1, 2, 61])
