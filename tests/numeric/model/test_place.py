"""What cannot or must not be loaded is refused in one line, quickly; nothing that comes with a model is run."""

from __future__ import annotations

import importlib.util
import json
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from numeric.model import audit, load
from numeric.refuse import InputError
from tests.numeric.model.tiny import write_config

if TYPE_CHECKING:
    from numeric.model import Loaded


@pytest.fixture(scope="session")
def saved(tiny: Callable[..., Loaded], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny Llama with its weights, as somebody saved it."""
    folder = tmp_path_factory.mktemp("saved")
    tiny("llama").model.save_pretrained(folder)
    return folder


@pytest.fixture
def copy(saved: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(saved, tmp_path / "m"))


def refused(folder: Path, **options: Any) -> str:
    with pytest.raises(InputError) as error:
        load(folder, **options)
    text = str(error.value)
    assert "\n" not in text
    assert text.startswith("Argument ")
    return text


def configured(folder: Path, **changes: Any) -> Path:
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | changes), encoding="utf-8")
    return folder


def test_saved_weights_come_back(tiny: Callable[..., Loaded], saved: Path) -> None:
    import torch

    loaded = load(saved)
    for name, value in tiny("llama").model.state_dict().items():
        assert torch.equal(value, loaded.model.state_dict()[name])


def test_a_configuration_alone_is_no_model(tmp_path: Path) -> None:
    assert "have weights (.safetensors or .bin) or come with --random-init" in refused(
        write_config(tmp_path / "m", "llama")
    )


@pytest.mark.parametrize("content", [b"garbage" * 10, b"", None])
def test_broken_safetensors(copy: Path, content: bytes | None) -> None:
    file = copy / "model.safetensors"
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] if content is None else content)
    assert "be a model that transformers can load" in refused(copy)


@pytest.mark.parametrize("text", ["{not json", "[1, 2]", "{}", '{"model_type": 3}', "\0"])
def test_a_configuration_that_cannot_be_read(copy: Path, text: str) -> None:
    (copy / "config.json").write_text(text, encoding="utf-8")
    refused(copy)
    refused(copy, random_init=True)


@pytest.mark.parametrize(
    "changes",
    [{"hidden_size": "many"}, {"num_attention_heads": 5}, {"num_attention_heads": 0}, {"num_hidden_layers": 0}],
)
def test_a_configuration_that_makes_no_sense(copy: Path, changes: dict[str, Any]) -> None:
    refused(configured(copy, **changes), random_init=True)


def test_weights_that_are_missing_are_not_drawn_in_silence(copy: Path) -> None:
    text = refused(configured(copy, num_hidden_layers=3))
    assert "have all weights, not without model.layers.2.input_layernorm.weight and 8 more" in text
    assert len(load(copy, random_init=True).blocks) == 3


def test_weights_of_another_shape_are_not_drawn_in_silence(copy: Path) -> None:
    text = refused(configured(copy, intermediate_size=44))
    assert "have weights of the configuration's shapes, not others for model.layers.0.mlp.down_proj.weight" in text


class Evil:
    """What unpickling it does, seen afterwards: a file that it made."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.mark),)


def test_pickled_weights_are_read_and_pickled_code_is_not_run(saved: Path, tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file

    weights, folder, mark = load_file(saved / "model.safetensors"), tmp_path / "m", tmp_path / "ran"
    folder.mkdir()
    shutil.copy(saved / "config.json", folder)
    torch.save(weights, folder / "pytorch_model.bin")
    assert len(load(folder).blocks) == 2
    torch.save({**weights, "more": Evil(mark)}, folder / "pytorch_model.bin")
    assert "nothing else in its .bin files" in refused(folder)
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Evil(mark)))
    refused(folder)
    assert not mark.exists()
    pickle.loads(pickle.dumps(Evil(mark)))  # the control: it is a pickle that does something
    assert mark.exists()


@pytest.mark.parametrize("kind", ["llama", "mine"])
@pytest.mark.parametrize("random_init", [True, False])
def test_code_beside_a_model_is_not_run(copy: Path, tmp_path: Path, kind: str, random_init: bool) -> None:
    mark = tmp_path / "ran"
    code = f"import os\nos.mkdir({str(mark)!r})\nclass C: pass\nclass M: pass\n"
    (copy / "modeling_x.py").write_text(code, encoding="utf-8")
    names = {"AutoConfig": "modeling_x.C", "AutoModelForCausalLM": "modeling_x.M", "AutoTokenizer": "modeling_x.C"}
    configured(copy, auto_map=names, model_type=kind)
    if kind == "llama":
        assert type(load(copy, random_init=random_init).model).__module__.startswith("transformers.")
    else:
        assert "whose code is not run" in refused(copy, random_init=random_init)
    assert not mark.exists()


def test_models_that_are_not_causal(tmp_path: Path) -> None:
    for config, says in (
        ({"model_type": "bert", "architectures": ["BertForMaskedLM"]}, "be a causal model, not one that sees later"),
        ({"model_type": "t5"}, "be a causal model, not an encoder and decoder"),
    ):
        (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
        assert says in refused(tmp_path, random_init=True)


def test_an_attention_that_the_architecture_has_not(tmp_path: Path) -> None:
    folder = write_config(tmp_path / "m", "bloom")
    assert "'attention' must be 'eager'" in refused(folder, random_init=True, attention="sdpa")


def test_the_extra_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *_: None if name == "torch" else found(name))
    assert refused(tmp_path) == (
        "Argument 'MODEL' must have torch to be read with, not missing (python -m pip install 'posbias[models]')."
    )


def test_a_hub_that_does_not_answer_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked by transformers, it would be a dozen times in half a minute."""
    from huggingface_hub import constants
    from transformers import AutoConfig

    from numeric.model import place

    asked: list[str] = []
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)

    def answers(endpoint: str) -> bool:
        asked.append(endpoint)
        return False

    monkeypatch.setattr(place, "_answers", answers)
    monkeypatch.setattr(AutoConfig, "from_pretrained", lambda *_, **__: pytest.fail("asked again"))
    assert "one on a hub that can be reached" in refused(Path("owner/model"))
    assert asked == [constants.ENDPOINT]


@pytest.mark.parametrize("placed", [{"": "cpu"}, {"model.layers.1": "disk", "lm_head": "disk", "": "cpu"}, "cpu"])
def test_placed_and_offloaded_models_are_audited(saved: Path, tmp_path: Path, placed: Any) -> None:
    from numeric.model.attend import weights_of

    if isinstance(placed, dict) and len(placed) > 1:
        names = ("model.embed_tokens", "model.layers.0", "model.norm", "model.rotary_emb")
        placed = {**dict.fromkeys(names, "cpu"), "model.layers.1": "disk", "lm_head": "disk"}
    loaded = load(saved, device_map=placed, offload_folder=str(tmp_path / "off"))
    assert audit(loaded, n=23, both=True).mismatches == ()
    here = load(saved)
    for one, other in zip(weights_of(loaded, 7), weights_of(here, 7), strict=True):
        assert (one == other).all()
    if isinstance(placed, dict) and len(placed) > 1:
        assert {x.device.type for x in loaded.blocks[1].whole.parameters()} == {"meta"}


def test_loading_says_nothing(saved: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    load(saved, device_map={"": "disk"}, offload_folder=str(tmp_path / "off"))
    with pytest.raises(InputError):
        load(tmp_path)
    written = capfd.readouterr()
    assert (written.out, written.err) == ("", "")


def test_a_name_in_the_cache_needs_no_hub(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The layout of the hub's cache: snapshots by revision, and the name of the newest."""
    from huggingface_hub import constants

    folder = tmp_path / "models--owner--model"
    shutil.copytree(saved, folder / "snapshots" / ("0" * 40))
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text("0" * 40, encoding="utf-8")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    assert len(load("owner/model", tokenizer=False).blocks) == 2
