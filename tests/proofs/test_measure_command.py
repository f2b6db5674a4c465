"""``posbias measure``: what it prints, what its files are for, and what it refuses before anything is written."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proofs.commands.model import device_map
from tests.models import needs_models
from tests.numeric.model.tiny import write_config

os.environ["HF_HUB_OFFLINE"] = "1"  # no test may look for a network

pytestmark = pytest.mark.usefixtures("one_thread")

Posbias = Callable[..., Any]
OPTIONS = ("--random-init", "--random-tokens", "-n", "11", "--samples", "4")


# --- results --------------------------------------------------------------------------------------------------------


@needs_models
def test_text_says_what_was_measured(posbias: Posbias, place: Path) -> None:
    run = posbias("measure", "tiny", *OPTIONS, "--kernels", "--seed", "7", "--out", "m")
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert lines[:3] == [
        "model            tiny, bloom, random weights of seed 7", "samples          4 of 11 positions, random tokens",
        "layers           2",
    ]  # fmt: skip
    for word in ("BOS", "lambda", "effective depth", "influence", "shape", "valley", "kernels", "monotone", "written"):
        assert sum(line.startswith(word) for line in lines) == 1, word
    assert "mean of norms, target prob, 4 samples" in run.out
    assert run.out.isascii()


@needs_models
def test_json_is_the_report(posbias: Posbias, place: Path) -> None:
    run = posbias("measure", "tiny", *OPTIONS, "--target", "logprob", "--out", "m", "--json")
    found = run.json()
    assert (run.code, run.err) == (0, "")
    assert found == json.loads((place / "m" / "report.json").read_text())
    assert (found["length"], found["layers"], found["samples"], found["bos"]) == (11, 2, 4, False)
    assert found["influence"]["target"] == "logprob"
    assert len(found["influence"]["mean_of_norms"]["profile"]) == 11
    assert sum(found["lambda"]["layers"]) == pytest.approx(found["lambda"]["effective_depth"], rel=1e-12)


@needs_models
def test_files_are_what_other_commands_read(posbias: Posbias, place: Path) -> None:
    report = posbias("measure", "tiny", *OPTIONS, "--kernels", "--out", "m", "--json").json()
    run = posbias(
        "profile", "--layers", 2, "--heads", 6, "-n", 11, "--lam", "m/lambda.csv", "--against", "m/influence.csv",
        "--json",
    )  # fmt: skip
    assert (run.code, run.err) == (0, "")
    assert run.json()["effective_depth"] == pytest.approx(report["lambda"]["effective_depth"], rel=1e-12)
    run = posbias("check", "m/kernels.npy", "--lam", "m/lambda.csv", "--json")
    assert (run.code, run.err) == (0, "")
    assert run.json()["causal"] is True
    assert posbias("check", "m/kernels_value_weighted.npy").code == 0


@needs_models
def test_a_report_shows_the_folder(posbias: Posbias, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from proofs.report import statements

    monkeypatch.setattr(statements, "PARTS", {"I1": ("diagonal",)})  # the others take longer
    measured = posbias("measure", "tiny", *OPTIONS, "--out", "m", "--json").json()
    run = posbias("report", "m", "-o", "page.html", "--json")
    assert (run.code, run.err) == (0, "")
    (compared,) = posbias("compare", "m", "--json").json()["runs"]
    assert run.json()["effective_depth"] == pytest.approx(measured["lambda"]["effective_depth"], rel=1e-12)
    text = (place / "page.html").read_text(encoding="utf-8")
    data = json.loads(text.split('<script type="application/json" id="data">')[1].split("</script>")[0])
    assert data["measured"]["values"] == measured["influence"]["mean_of_norms"]["profile"]
    assert data["comparison"] == {name: compared[name] for name in data["comparison"]}
    assert data["comparison"]["nearest"] == run.json()["nearest"]
    assert len(data["comparison"]["variants"]) > 5


@needs_models
def test_the_same_command_goes_on(posbias: Posbias, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C after two samples: 130, nothing printed, two records kept; then the bytes of a run without it."""
    import numeric.model.measuring as module

    words = ("measure", "tiny", *OPTIONS, "--out")
    whole = posbias(*words, "whole")
    true = module._measure_batch

    def stopped(job: Any, loaded: Any, samples: Any, store: Any, first: int) -> None:
        if first == 2:
            raise KeyboardInterrupt
        true(job, loaded, samples, store, first)

    with monkeypatch.context() as patch:
        patch.setattr(module, "_measure_batch", stopped)
        run = posbias(*words, "m")
        assert (run.code, run.out, run.err) == (130, "", "")
        assert sorted(path.name for path in Path("m").iterdir()) == ["manifest.json", "samples.bin"]
    run = posbias(*words, "m")
    assert run.out == whole.out.replace("whole", "m")
    for path in Path("whole").iterdir():
        assert path.read_bytes() == (place / "m" / path.name).read_bytes()


@needs_models
def test_another_run_is_refused_in_one_line(posbias: Posbias, place: Path) -> None:
    posbias("measure", "tiny", *OPTIONS, "--out", "m")
    refused(posbias("measure", "tiny", *OPTIONS, "--out", "m", "--seed", "1"), "seed: 0 there, 1 here")


@needs_models
def test_what_is_amiss_in_the_model_is_told(posbias: Posbias, place: Path) -> None:
    write_config(place / "tiny", "bloom", apply_residual_connection_post_layernorm=True)
    run = posbias("measure", "tiny", *OPTIONS, "--out", "m")
    (told,) = json.loads((place / "m" / "report.json").read_text())["remarks"]
    assert told.startswith("lambda is not what is mixed in layers 1-2")
    assert [line for line in run.out.splitlines() if line.startswith("remark")] == [f"remark           {told}"]


@needs_models
def test_a_model_that_reads_ahead_is_refused(posbias: Posbias, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gemma with use_bidirectional_attention is no causal model, whatever its class is called."""
    write_config(place / "ahead", "gemma", use_bidirectional_attention=True)
    run = posbias("measure", "ahead", *OPTIONS, "--out", "m")
    refused(run, "'MODEL' must be a causal model, not one in which position 1 reads position 2")
    assert not (place / "m").exists()


@needs_models
def test_progress_is_for_terminals(posbias: Posbias, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    for module in ("measure", "model"):
        monkeypatch.setattr(f"proofs.commands.{module}.note", told.append)
    posbias("measure", "tiny", *OPTIONS, "--out", "m")
    assert told[:2] == ["loading tiny", "0 of 4 samples"]
    assert told[2].startswith("1 of 4 samples, ") and told[2].endswith(" left")
    assert told[-1] == ""


@needs_models
def test_a_family_file_and_a_device_map_are_read(posbias: Posbias, place: Path) -> None:
    from dataclasses import asdict

    from numeric.model import FAMILIES, load

    (place / "family.json").write_text(json.dumps(asdict(FAMILIES["bloom"])))
    load("tiny", random_init=True).model.save_pretrained("saved")
    (place / "map.json").write_text('{"": "cpu"}')
    common = ("-n", 5, "--random-tokens", "--samples", 1)
    plain = posbias("measure", "saved", *common, "--out", "a", "--json").json()
    run = posbias(
        "measure", "saved", *common, "--family", "family.json", "--device-map", "map.json", "--out", "b", "--json"
    )
    assert run.code == 0
    assert run.json()["lambda"] == plain["lambda"]


# --- refusals -------------------------------------------------------------------------------------------------------


def refused(run: Any, says: str) -> None:
    assert (run.code, run.out) == (2, "")
    assert run.err.count("\n") == 1
    assert run.err.startswith("Argument '") and says in run.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--samples", "4", "--random-tokens", "--out", "m"), "'-n' must be given"),
        (("-n", "5", "--random-tokens", "--out", "m"), "'--samples' must be given"),
        (("-n", "5", "--samples", "4", "--random-tokens"), "'--out' must be given"),
        (("-n", "5", "--samples", "4", "--out", "m"), "'--text' must be given, or --random-tokens instead"),
        ((*OPTIONS, "--text", "text.txt", "--out", "m"), "not both"),
        ((*OPTIONS, "--out", "m", "--samples", "4"), "be given once"),
        ((*OPTIONS, "--out", "text.txt"), "'--out'"),
        ((*OPTIONS, "--out", ""), "'--out'"),
        ((*OPTIONS, "--out", "m", "--batch", "0"), "'--batch'"),
        ((*OPTIONS, "--out", "m", "--seed", "-1"), "'--seed'"),
        ((*OPTIONS, "--out", "m", "--seed", "1.5"), "'--seed'"),
        ((*OPTIONS, "--out", "m", "--target", "loss"), "'--target' must be one of prob, logprob, logit, not 'loss'"),
        ((*OPTIONS, "--out", "m", "--bos", "maybe"), "'--bos'"),
        ((*OPTIONS, "--out", "m", "--attention", "flash"), "'--attention'"),
        ((*OPTIONS, "--out", "m", "--dtype", "bfloat16"), "'--dtype'"),
        ((*OPTIONS, "--out", "m", "--device-map", "gpu"), "'--device-map'"),
        ((*OPTIONS, "--out", "m", "--device-map", "none.json"), "'--device-map'"),
        ((*OPTIONS, "--out", "m", "--offload", "text.txt"), "'--offload'"),
        ((*OPTIONS, "--out", "m", "--sampels", "4"), "--sampels"),
        (("--random-tokens", "--samples", "4", "-n", "1", "--out", "m"), "'-n'"),
        (("--random-tokens", "--samples", "0", "-n", "5", "--out", "m"), "'--samples'"),
        (("--random-tokens", "--samples", "four", "-n", "5", "--out", "m"), "'--samples'"),
    ],
)
def test_options_are_refused_before_torch_is_loaded(
    posbias: Posbias, place: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], says: str
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: pytest.fail("torch was looked for"))
    refused(posbias("measure", "tiny", *words), says)
    assert not (place / "m").exists()


@needs_models
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nowhere", *OPTIONS), "'MODEL'"),
        (("tiny", "-n", "5", "--samples", "1", "--random-init", "--text", "none.txt"), "'--text' must be an existing"),
        (("tiny", "-n", "5", "--samples", "1", "--random-init", "--text", "text.txt"), "--random-tokens needs none"),
        (("tiny", "-n", "5", "--samples", "1", "--random-tokens"), "'MODEL'"),  # no weights
        (("tiny", *OPTIONS, "--bos", "yes"), "'--bos' must"),
        (("tiny", *OPTIONS, "--family", "text.txt"), "'--family' must"),
        (("tiny", *OPTIONS, "--offload", "o"), "'--offload' must be given beside --device-map"),
        (("tiny", *OPTIONS, "--device-map", "cpu"), "'--device-map' must be left out beside --random-init"),
        (("small", *OPTIONS), "'-n' must be at most 10, the positions of the model"),
        (("tiny", *OPTIONS, "--attention", "sdpa"), "' must"),  # BLOOM has no such attention
    ],
)
def test_models_and_texts_are_refused(posbias: Posbias, place: Path, words: tuple[str, ...], says: str) -> None:
    write_config(place / "small", "gpt2", n_positions=10, bos_token_id=None)
    write_config(place / "tiny", "bloom", bos_token_id=None)
    refused(posbias("measure", *words, "--out", "m"), says)
    assert not (place / "m").exists()


def test_without_the_extra_it_says_what_to_install(
    posbias: Posbias, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    run = posbias("measure", "tiny", *OPTIONS, "--out", "m")
    refused(run, "python -m pip install 'posbias[models]'")
    assert not (place / "m").exists()


@pytest.mark.parametrize("content", ["[]", "{", '{"a": [1]}', "1", "[" * 100_000])
def test_a_device_map_is_one_object(tmp_path: Path, content: str) -> None:
    from numeric.refuse import InputError

    (tmp_path / "map.json").write_text(content)
    with pytest.raises(InputError, match=r"^Argument '--device-map' must"):
        device_map(str(tmp_path / "map.json"))
