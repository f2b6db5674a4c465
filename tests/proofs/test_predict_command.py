"""``posbias predict``: what it prints, what it writes beside a measurement, and what it refuses before work starts."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.models import needs_models
from tests.numeric.model.tiny import write_config

os.environ["HF_HUB_OFFLINE"] = "1"  # no test may look for a network

pytestmark = pytest.mark.usefixtures("one_thread")

Posbias = Callable[..., Any]
OPTIONS = ("--random-init", "--random-tokens", "-n", "11", "--samples", "3")


@needs_models
def test_what_is_amiss_in_the_model_is_told_or_refused(posbias: Posbias, place: Path) -> None:
    write_config(place / "normed", "bloom", apply_residual_connection_post_layernorm=True)
    run = posbias("predict", "normed", *OPTIONS)
    assert any(line.startswith("remark") and "normalised stream" in line for line in run.out.splitlines())
    write_config(place / "ahead", "gemma", use_bidirectional_attention=True)
    run = posbias("predict", "ahead", *OPTIONS)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert "'MODEL' must be a causal model, not one in which position 1 reads position 2" in run.err


@needs_models
def test_text_says_what_was_read(posbias: Posbias, place: Path) -> None:
    run = posbias("predict", "tiny", *OPTIONS, "--seed", "7")
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert lines[:4] == [
        "model          tiny, bloom, random weights of seed 7", "samples        3 of 11 positions, random tokens",
        "layers         2", "kernels        measured",
    ]  # fmt: skip
    for word in ("heads", "norms", "MLPs", "shape", "valley", "mean position", "outer tenths", "time"):
        assert any(line.startswith(word) for line in lines)
    assert sorted(path.name for path in place.iterdir()) == ["text.txt", "tiny"]


@needs_models
def test_files_are_means_of_profiles(posbias: Posbias, place: Path) -> None:
    run = posbias("predict", "tiny", *OPTIONS, "--out", "p", "--json")
    told = json.loads(run.out)
    assert told["files"] == ["prediction.csv", "prediction.npy", "prediction.json"]
    profiles = np.load(place / "p" / "prediction.npy")
    assert profiles.shape == (3, 11) and profiles.sum(axis=1) == pytest.approx(1, abs=1e-12)
    rows = [line.split(",") for line in (place / "p" / "prediction.csv").read_text().splitlines()]
    assert rows[0] == ["position", "prediction", "standard_error"] and [row[0] for row in rows[1:]] == [
        str(k) for k in range(11)
    ]
    means = np.array([float(row[1]) for row in rows[1:]])
    assert means == pytest.approx(profiles.mean(axis=0), rel=1e-12) and means == pytest.approx(told["profile"])
    errors = np.array([float(row[2]) for row in rows[1:]])
    assert errors == pytest.approx(profiles.std(axis=0, ddof=1) / np.sqrt(3), rel=1e-9, abs=1e-18)
    kept = json.loads((place / "p" / "prediction.json").read_text())
    assert kept["kernels"] == "measured" and len(kept["layers"]) == 2 and kept["input"] == told["input"]


@needs_models
def test_the_same_run_writes_the_same_bytes(posbias: Posbias, place: Path) -> None:
    for folder in ("p", "q"):
        assert posbias("predict", "tiny", *OPTIONS, "--out", folder).code == 0
    for name in ("prediction.csv", "prediction.npy", "prediction.json"):
        assert (place / "p" / name).read_bytes() == (place / "q" / name).read_bytes()


@needs_models
def test_it_goes_beside_a_measurement_of_the_same_samples_only(posbias: Posbias, place: Path) -> None:
    assert posbias("measure", "tiny", *OPTIONS, "--out", "m").code == 0
    before = sorted(path.name for path in (place / "m").iterdir())
    other = posbias("predict", "tiny", *OPTIONS[:-1], "2", "--out", "m")
    assert other.code == 2 and "another input (ids_sha256" in other.err and other.out == ""
    seeded = posbias("predict", "tiny", *OPTIONS, "--seed", "1", "--out", "m")
    assert seeded.code == 2 and "another model (random_init" in seeded.err
    assert sorted(path.name for path in (place / "m").iterdir()) == before
    assert posbias("predict", "tiny", *OPTIONS, "--out", "m").code == 0
    assert sorted(path.name for path in (place / "m").iterdir()) == sorted(
        [*before, "prediction.csv", "prediction.json", "prediction.npy"]
    )


@needs_models
def test_folders_of_another_kind_are_left_alone(posbias: Posbias, place: Path) -> None:
    (place / "notes").mkdir()
    (place / "notes" / "prediction.json").write_text("[1]", encoding="utf-8")
    for folder in ("tiny", "notes"):
        run = posbias("predict", "tiny", *OPTIONS, "--out", folder)
        assert (run.code, run.out) == (2, "") and "'--out' must be a new or empty folder" in run.err
        assert len(list((place / folder).iterdir())) == 1
    for seed in ("0", "1"):  # a prediction is replaced
        assert posbias("predict", "tiny", *OPTIONS, "--out", "p", "--seed", seed).code == 0
        assert json.loads((place / "p" / "prediction.json").read_text())["seed"] == int(seed)


@needs_models
def test_an_interrupt_leaves_the_folder_as_it_was(
    posbias: Posbias, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from numeric.model import predicting

    assert posbias("predict", "tiny", *OPTIONS, "--out", "p").code == 0
    before = {path.name: path.read_bytes() for path in (place / "p").iterdir()}

    def stopped(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    for owner, name in ((predicting, "predicted"), (np, "save")):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, stopped)
            run = posbias("predict", "tiny", *OPTIONS[:-1], "2", "--out", "p")
        assert (run.code, run.out) == (130, "")
        assert before == {path.name: path.read_bytes() for path in (place / "p").iterdir()}


@needs_models
def test_what_memory_cannot_hold_is_one_line(posbias: Posbias, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from numeric.model import predicting

    monkeypatch.setattr(predicting, "predict", lambda *_: torch.empty(1 << 62, dtype=torch.uint8))
    run = posbias("predict", "tiny", *OPTIONS)
    assert (run.code, run.out, run.err) == (2, "", "Argument 'size' must fit into memory, not exceed it.\n")


@needs_models
def test_values_that_are_clipped_are_told(posbias: Posbias, place: Path) -> None:
    for clip, told in ((1e-3, True), (1e3, False)):
        write_config(place / f"clip{clip}", "mpt", attn_config={"clip_qkv": clip, "alibi": True})
        run = posbias("predict", f"clip{clip}", *OPTIONS)
        assert (
            run.code == 0 and ("remark         values are clipped in layers 1-2, a share of up to" in run.out) is told
        )


@needs_models
def test_rows_in_half_precision_are_refused(posbias: Posbias, place: Path) -> None:
    """bfloat16 weights of attention have three digits; under sdpa they are computed here, in float32."""
    write_config(place / "gpt", "gpt2")
    run = posbias("predict", "gpt", *OPTIONS, "--dtype", "bfloat16", "--attention", "eager")
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert "'MODEL' must attend in rows that sum to 1 within 0.0001, as in float32, not" in run.err
    assert "(layer 1, head 1, row" in run.err
    assert posbias("predict", "gpt", *OPTIONS, "--dtype", "bfloat16", "--attention", "sdpa").code == 0


@needs_models
def test_parts_of_the_model_can_be_left_out(posbias: Posbias, place: Path) -> None:
    said = {}
    for options in (("--mlp", "none"), ("--mlp", "exact"), ("--heads", "independent"), ()):
        run = posbias("predict", "tiny", *OPTIONS, *options, "--json")
        assert run.code == 0
        said[options] = json.loads(run.out)["profile"]
    assert len({json.dumps(profile) for profile in said.values()}) == 4
    layers = json.loads(posbias("predict", "tiny", *OPTIONS, "--mlp", "none", "--json").out)["layers_found"]
    assert all(row["m_squared"] is None and row["kappa"] is None and row["s_squared"] > 0 for row in layers)


@needs_models
@pytest.mark.filterwarnings("error")  # no quotient of zeros
def test_an_mlp_that_does_nothing_has_no_coherence(posbias: Posbias, place: Path) -> None:
    from numeric.model import load

    loaded = load(place / "tiny", random_init=True)
    loaded.blocks[1].down.weight.data.zero_()
    loaded.model.save_pretrained(place / "still")
    run = posbias("predict", "still", *OPTIONS[1:], "--json")
    first, second = json.loads(run.out)["layers_found"]
    assert (second["m_squared"], second["kappa"]) == (0.0, None) and 0 < first["kappa"] <= 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "Argument '--text' must be given, or --random-tokens instead, not neither."),
        (("--random-tokens", "--text", "text.txt"), "not both"),
        (("--kernels", "architectural", "--text", "text.txt"), "'--text' must be left out beside --kernels arch"),
        (("--kernels", "mine", "--random-tokens"), "'--kernels' must be one of measured, architectural"),
        (("--random-tokens", "--mlp", "half"), "'--mlp' must be one of gates, exact, none"),
        (("--random-tokens", "--heads", "half"), "'--heads' must be one of shared, independent"),
        (("--random-tokens",), "'-n' must be given"),
        (("--random-tokens", "-n", "1", "--samples", "1"), "'-n' must"),
        (("--random-tokens", "-n", "8"), "'--samples' must be given"),
        (("--random-tokens", "-n", "8", "--samples", "0"), "'--samples' must"),
        (("--random-tokens", "-n", "8", "--samples", "1", "--out", "text.txt"), "'--out' must be a folder"),
        (("--random-tokens", "-n", "8", "--samples", "1", "--dtype", "int8"), "'--dtype' must be one of"),
    ],
)
def test_bad_input_is_refused(posbias: Posbias, place: Path, options: tuple[str, ...], says: str) -> None:
    run = posbias("predict", "tiny", "--random-init", *options)
    assert (run.code, run.out) == (2, "")
    assert says in run.err and len(run.err.splitlines()) == 1
    assert sorted(path.name for path in place.iterdir()) == ["text.txt", "tiny"]


@needs_models
@pytest.mark.parametrize(
    ("model", "options", "says"),
    [
        ("nowhere", ("-n", "8", "--samples", "1"), "'MODEL' must be"),
        ("tiny", ("-n", "8", "--samples", "1", "--family", "none.json"), "'--family' must"),
    ],
)
def test_bad_models_are_refused(posbias: Posbias, place: Path, model: str, options: Any, says: str) -> None:
    run = posbias("predict", model, "--random-init", "--random-tokens", *options)
    assert (run.code, run.out) == (2, "") and says in run.err
