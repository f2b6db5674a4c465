"""posbias audit, and posbias profile of a model that is loaded: output, exit codes, refusals in one line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from proofs.cli import main
from tests.models import needs_models
from tests.numeric.model.tiny import write_config

os.environ["HF_HUB_OFFLINE"] = "1"  # no test may look for a network


@pytest.fixture
def bloom(tmp_path: Path) -> str:
    return str(write_config(tmp_path / "bloom", "bloom"))


def ran(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(words)
    written = capsys.readouterr()
    return code, written.out, written.err


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    code, out, err = ran(words, capsys)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("Argument ")
    return err


@needs_models
def test_the_table_and_the_json_say_the_same(bloom: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, text, err = ran(["audit", bloom, "--random-init", "-n", "23"], capsys)
    assert (code, err) == (0, "")
    rows = {line[:15].strip(): line[15:].split() for line in text.splitlines()}
    assert rows["heads"] == ["6", "6"]
    assert rows["slopes"] == 2 * ["0.25", "0.0625", "0.015625", "0.0039062", "0.5", "0.125"]
    assert rows["mismatches"] == ["none"]
    code, text, err = ran(["audit", bloom, "--random-init", "-n", "23", "--json"], capsys)
    found = json.loads(text)
    assert (code, err, found["mismatches"], found["length"], found["limit"]) == (0, "", [], 23, None)
    assert [layer["layer"] for layer in found["layers"]] == [1, 2]
    layer = found["layers"][0]
    assert layer["slopes"] == pytest.approx([0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125], rel=1e-5)
    assert layer["scale"] == pytest.approx(0.5, rel=1e-5)
    assert found["declared"][0]["slopes"] == [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]


@needs_models
def test_a_mismatch_is_marked_and_exits_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The library's MPT reads no alibi_bias_max: a configuration that has one is not what the modules do."""
    folder = str(write_config(tmp_path / "m", "mpt", attn_config={"alibi_bias_max": 16}))
    code, text, _ = ran(["audit", folder, "--random-init", "-n", "23"], capsys)
    assert code == 1
    assert [line.split()[0] for line in text.splitlines() if line.endswith("MISMATCH")] == ["slopes"]
    assert "mismatch         slopes, layers 1-2: declared 0.0625 0.00390625" in text
    code, text, _ = ran(["audit", folder, "--random-init", "-n", "23", "--json"], capsys)
    (one,) = json.loads(text)["mismatches"]
    assert (code, one["layers"], one["what"]) == (1, [1, 2], "slopes")


@needs_models
def test_windows_of_single_layers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changes: dict[str, Any] = {"use_sliding_window": True, "sliding_window": 7, "max_window_layers": 1}
    folder = str(write_config(tmp_path / "m", "qwen2", **changes))
    _, text, _ = ran(["audit", folder, "--random-init", "-n", "23"], capsys)
    assert "window           none (layer 1); 7 (layer 2)  none (layer 1); 7 (layer 2)" in text
    assert "kernels          uniform (layer 1); window of 7 (layer 2)" in text
    code, text, _ = ran(["profile", folder, "--random-init", "-n", "23", "--lam", "1/2", "--json"], capsys)
    # two layers, λ = 1/2: the first token is read by one hop in layer 1, or by the two, of which the upper one ends
    # on one of the last 7 positions
    expected = 0.25 / 23 + 0.25 * np.mean([1 / (i + 1) for i in range(16, 23)])
    assert code == 0
    assert json.loads(text)["profile"][0] == pytest.approx(expected, rel=1e-12)


@needs_models
def test_the_profile_of_a_model_is_that_of_its_architecture(
    bloom: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text, _ = ran(["profile", bloom, "--random-init", "-n", "64", "--lam", "0.3", "--json"], capsys)
    found = json.loads(text)
    given = ["profile", "-T", "2", "--heads", "6", "--slopes", "model", "-n", "64", "--lam", "0.3", "--json"]
    expected = json.loads(ran(given, capsys)[1])
    assert (code, found["layers"], found["heads"], found["slopes"]) == (0, 2, 6, "audited")
    # slopes are read within 2e-7 of theirs, and a bias grows by 64 of them at most
    np.testing.assert_allclose(found["profile"], expected["profile"], rtol=1e-4)
    saved = tmp_path / "saved.yaml"
    assert ran(["profile", bloom, "--random-init", "-n", "64", "--lam", "0.3", "--save", str(saved)], capsys)[0] == 0
    assert json.loads(ran(["profile", str(saved), "--json"], capsys)[1])["profile"] == found["profile"]


@needs_models
def test_a_coefficient_for_each_layer_of_a_model(
    bloom: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """posbias measure writes such a list; how many there have to be is known once the model is loaded."""
    lam = tmp_path / "lambda.csv"
    lam.write_text("layer,lambda\n1,0.25\n2,0.5\n", encoding="utf-8")
    words = ["profile", bloom, "--random-init", "-n", "23", "--json", "--lam"]
    listed, rule = (json.loads(ran([*words, given], capsys)[1]) for given in (str(lam), "0.25 then 0.5"))
    assert listed["effective_depth"] == 0.75
    assert listed["profile"] == rule["profile"]
    assert "'--lam' must give one value per layer (2), not 3 of them" in refused([*words, "0.1,0.2,0.3"], capsys)


@needs_models
def test_positions_beyond_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(write_config(tmp_path / "m", "llama"))
    for words in (["audit", folder, "-n", "129"], ["profile", folder, "-n", "129", "--lam", "0.1"]):
        assert "'-n' must be at most 128, the positions" in refused([*words, "--random-init"], capsys)
    # without -n a profile stops where the model does
    _, text, _ = ran(["profile", folder, "--random-init", "--lam", "0.1", "--json"], capsys)
    assert json.loads(text)["length"] == 128


@needs_models
def test_a_window_wider_than_what_is_probed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changes: dict[str, Any] = {"sliding_window": 1500, "max_position_embeddings": 4096}
    folder = str(write_config(tmp_path / "m", "mistral", **changes))
    words = ["profile", folder, "--random-init", "--lam", "0.1", "-n", "1501"]
    assert "'-n' must be at most 1500, the declared window" in refused(words, capsys)


@needs_models
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["audit", "nowhere"], "'MODEL' must be a folder that exists"),
        (["audit", "."], "config.json"),
        (["audit", "owner/model"], "on a hub that can be reached"),
        (["audit", "BLOOM"], "have weights"),
        (["audit", "BLOOM", "--random-init", "--attention", "sdpa"], "'--attention' must be 'eager'"),
        (["audit", "BLOOM", "--random-init", "--attention", "flash"], "'--attention' must be one of eager, sdpa"),
        (["audit", "BLOOM", "--random-init", "--dtype", "int8"], "'--dtype' must be one of float32"),
        (["audit", "BLOOM", "--random-init", "-n", "3"], "'-n' must be an integer in [4"),
        (["audit", "BLOOM", "--random-init", "--seed", "x"], "'--seed' must"),
        (["audit", "BLOOM", "--random-init", "--family", "none.json"], "'--family' must be a file to read"),
        (["audit", "BLOOM", "--random-init", "--device-map", "auto"], "'--device-map' must be left out"),
        (["audit", "BLOOM", "--random-init", "--offload", "x"], "'--offload' must be given beside --device-map"),
        (["profile", "BLOOM", "--random-init"], "'--lam' must be given for a model"),
        (["profile", "BLOOM", "--random-init", "--lam", "2"], "'--lam' must"),
        (["profile", "BLOOM", "--random-init", "--lam", "0.1", "-T", "3"], "'-T' must be left out for a model"),
        (["profile", "BLOOM", "--random-init", "--lam", "0.1", "--slopes", "model"], "'--slopes' must be left out"),
        (["profile", "BLOOM", "--lam", "0.1"], "'SOURCE' must have weights"),
    ],
)
def test_refusals(
    words: list[str], says: str, bloom: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert says in refused([bloom if word == "BLOOM" else word for word in words], capsys)


def test_the_missing_extra_is_named(
    bloom: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import importlib.util

    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *_: None if name == "torch" else found(name))
    for words in (["audit", bloom], ["profile", bloom, "--lam", "0.1"]):
        assert "pip install 'posbias[models]'" in refused(words, capsys)


def test_options_of_models_are_for_models(capsys: pytest.CaptureFixture[str]) -> None:
    for source in (["bloom-176b"], ["-T", "2", "--heads", "2", "--lam", "0.1"]):
        assert "'--random-init' must be left out" in refused(["profile", *source, "--random-init"], capsys)
        assert "'--family' must be left out" in refused(["profile", *source, "--family", "f.json"], capsys)


def test_a_mistyped_file_is_no_name_on_a_hub(capsys: pytest.CaptureFixture[str]) -> None:
    assert "be an experiment file, a model folder, or one of" in refused(["profile", "cases/bloom.yaml"], capsys)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--device-map", "gpu"], "'--device-map' must be one of auto, "),
        (["--device-map", "none.json"], "'--device-map' must be an existing file"),
        (["--attention", "flash"], "'--attention' must be one of eager, sdpa, not 'flash'"),
        (["--dtype", "int8"], "'--dtype' must be one of float32, float64, bfloat16, float16, not 'int8'"),
    ],
)
def test_options_are_refused_before_a_model_is_looked_for(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in refused(["audit", "nowhere", *words], capsys)


@needs_models
def test_a_device_map_is_read_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from numeric.model import load

    folder = write_config(tmp_path / "m", "llama")
    load(folder, random_init=True).model.save_pretrained(folder)
    (tmp_path / "map.json").write_text('{"": "cpu"}', encoding="utf-8")
    capsys.readouterr()  # the bar of what was saved
    code, text, err = ran(["audit", str(folder), "--device-map", str(tmp_path / "map.json")], capsys)
    assert (code, err) == (0, "") and "mismatches       none" in text


def test_layer_numbers() -> None:
    from numeric.model.mismatch import layer_numbers

    assert [layer_numbers(x) for x in ((4,), (1, 2, 3), (1, 3, 4))] == ["layer 4", "layers 1-3", "layers 1, 3-4"]
