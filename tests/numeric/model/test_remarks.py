"""What is said beside a measurement: nothing of an ordinary model, and each thing that is amiss."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from numeric.model import load
from numeric.model.remarks import remarks
from numeric.refuse import InputError
from tests.numeric.model.tiny import TINY, write_config

if TYPE_CHECKING:
    from numeric.model import Loaded

SLOPES = "slopes, layers 1-2: "


@pytest.mark.parametrize("kind", [kind for kind in TINY if kind not in ("falcon", "falcon-parallel")])
def test_of_an_ordinary_model_there_is_nothing_to_say(tiny: Callable[..., Loaded], kind: str) -> None:
    assert remarks(tiny(kind)) == ()


def test_a_normalised_residual_is_told(tmp_path: Path) -> None:
    folder = write_config(tmp_path / "m", "bloom", apply_residual_connection_post_layernorm=True)
    (told,) = remarks(load(folder, random_init=True))
    assert told.startswith("lambda is not what is mixed in layers 1-2: ") and "normalised stream" in told


def test_what_attention_adds_may_be_changed_before(tmp_path: Path) -> None:
    """One layer alone halves what its attention gives."""
    loaded = load(write_config(tmp_path / "m", "llama"), random_init=True)
    loaded.blocks[1].attention.register_forward_hook(lambda _, __, out: (out[0] / 2, *out[1:]))
    (told,) = remarks(loaded)
    assert told.startswith("lambda is not what is mixed in layer 2: ") and told.endswith("changed before it is added")


def test_falcon_adds_its_bias_twice_in_one_way_of_computing_attention(tiny: Callable[..., Loaded]) -> None:
    (told,) = remarks(tiny("falcon"))
    assert told.startswith(f"eager attention does otherwise: {SLOPES}sdpa 0.125 ") and ", eager 0.25 " in told
    declared, other = remarks(tiny("falcon", attention="eager"))
    assert declared.startswith(f"not as declared: {SLOPES}declared 0.125 ") and ", read 0.25 " in declared
    assert other.startswith(f"sdpa attention does otherwise: {SLOPES}eager 0.25 ")


def test_a_model_that_cannot_be_audited_is_measured_all_the_same(tmp_path: Path) -> None:
    import torch

    loaded = load(write_config(tmp_path / "m", "llama"), random_init=True)
    with torch.no_grad():
        loaded.embedding.weight[3] = float("nan")
    (told,) = remarks(loaded)
    assert told.startswith("not audited: Argument 'MODEL' must have finite weights")
    short = load(write_config(tmp_path / "s", "gpt2", n_positions=3), random_init=True)
    assert remarks(short) == ("not audited: of 3 positions nothing can be read",)


def test_a_model_that_reads_ahead_is_refused(tmp_path: Path) -> None:
    loaded = load(write_config(tmp_path / "m", "llama"), random_init=True, attention="eager")
    loaded.blocks[1].attention.register_forward_pre_hook(
        lambda _, given, keywords: (given, {**keywords, "attention_mask": None}), with_kwargs=True
    )
    with pytest.raises(InputError, match=r"^Argument 'MODEL' must be a causal model, .*\(layer 2\)\.$"):
        remarks(loaded)
