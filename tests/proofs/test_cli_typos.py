"""A mistyped name is refused with the nearest one, wherever the names are a closed list; one far from all, without."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.models import MISSING, WHY

Posbias = Callable[..., Any]
SAMPLES = "--random-init --random-tokens -n 8 --samples 2"


@pytest.mark.parametrize(
    ("words", "named", "near"),
    [
        ("profil", "COMMAND", "profile"),
        ("Verify", "COMMAND", "verify"),
        ("hepl", "COMMAND", "help"),
        ("help verfy", "COMMAND", "verify"),
        ("profile --lenght 5", "--lenght", "--length"),
        ("profile --LAM 1", "--LAM", "--lam"),
        ("profile -lam 1", "-lam", "--lam"),
        ("export out --pfd", "--pfd", "--pdf"),
        ("--versoin", "--versoin", "--version"),
        ("--show-completion fsh", "--show-completion", "fish"),
        ("verify D22", "ID", "D2"),
        ("verify d2", "ID", "D2"),
        ("verify x1B", "ID", "X1b"),
        ("export --snippet u11", "--snippet", "U1"),
        ("export out --only D1,i4B", "--only", "I4b"),
        ("profile bloom-176", "SOURCE", "bloom-176b, bloom-7b1"),
        ("profile MPT-7B", "SOURCE", "mpt-7b"),
        ("profile bloom-176b --slopes papr", "--slopes", "paper"),
        ("depth --lam 1 --heads 2 --slopes modell", "--slopes", "model"),
        ("derive -n 2 -T 2 --kernel unifrom", "--kernel", "uniform"),
        ("derive -n n -T T --kernel prefx", "--kernel", "prefix"),
        ("derive -n 2 -T 2 --kernel Alibi --slope 1 --lam 1 --digits 3", "--kernel", "alibi"),
        ("derive -n 2 -T 2 --format lattex", "--format", "latex"),
        ("derive -n 2 -T 2 --eliminate fist", "--eliminate", "first"),
        ("phase --axes layer", "--axes", "layers"),
        ("phase --slopes papers", "--slopes", "paper"),
        ("bench numerical", "WHAT", "numeric"),
        ("reproduce out --scale linar", "--scale", "linear"),
        ("reproduce out --format sgv", "--format", "svg"),
        ("reproduce out --measured bloom-176=x.csv", "--measured", "bloom-176b, bloom-7b1"),
        ("profile experiment.yaml", "sequence_lenght", "sequence_length"),
        ("profile tagged.yaml", "lambda_schedule_config.schedule_type", "constant"),
        (f"measure tiny {SAMPLES} --out run --target logprop", "--target", "logprob"),
        (f"measure tiny {SAMPLES} --out run --bos yess", "--bos", "yes"),
        (f"measure tiny {SAMPLES} --out run --dtype float23", "--dtype", "float32"),
        (f"measure tiny {SAMPLES} --out run --attention sdap", "--attention", "sdpa"),
        (f"measure tiny {SAMPLES} --out run --device-map ballanced", "--device-map", "balanced, balanced_low_0"),
        ("measure --jobs jobs.json", "--jobs", "length"),
        ("compare run --target logprop", "--target", "logprob"),
        (f"predict tiny {SAMPLES} --kernels architecture", "--kernels", "architectural"),
        (f"predict tiny {SAMPLES} --mlp gate", "--mlp", "gates"),
    ],
)
def test_the_nearest_name(posbias: Posbias, place: Path, words: str, named: str, near: str) -> None:
    if words.startswith(("measure", "predict")) and MISSING:
        pytest.skip(WHY)
    run = posbias(*words.split())
    assert (run.code, run.out) == (2, "")
    assert re.fullmatch(r"Argument '[^']+' must .+, not .+\.\n", run.err), run.err
    assert run.err.startswith(f"Argument {named!r} must "), run.err
    assert re.search(rf"[(;] ?nearest: {near}(, [^)]+)?\)\.$", run.err), run.err


@pytest.mark.skipif(bool(MISSING), reason=WHY)
@pytest.mark.parametrize(("changed", "near"), [({"embeding": "x"}, "embedding"), ({"layout": "stack"}, "stacked")])
def test_keys_of_a_family(posbias: Posbias, place: Path, changed: dict[str, str], near: str) -> None:
    from dataclasses import asdict

    from numeric.model.family import FAMILIES

    family = next(iter(FAMILIES.values() if isinstance(FAMILIES, dict) else FAMILIES))
    (place / "family.json").write_text(json.dumps({**asdict(family), **changed}))
    run = posbias("audit", "tiny", "--random-init", "--family", "family.json")
    assert run.code == 2 and f"nearest: {near}" in run.err, run.err


def test_a_choice_in_a_job_file(posbias: Posbias, place: Path) -> None:
    job = {"model": "tiny", "out": "run", "random-tokens": True, "length": 8, "samples": 2, "target": "logits"}
    (place / "jobs.json").write_text(json.dumps([job]))
    run = posbias("measure", "--jobs", "jobs.json")
    assert run.err.endswith("not 'logits' (nearest: logit; job 1 of jobs.json).\n"), run.err


@pytest.mark.parametrize(
    "words", ["zzz", "profile --zzz 1", "profile -z 1", "derive -n 2 -T 2 --kernel zzz", "bench 7"]
)
def test_nothing_is_near(posbias: Posbias, words: str) -> None:
    run = posbias(*words.split())
    assert run.code == 2 and "nearest" not in run.err


def test_what_is_unknown_is_said_before_what_is_missing(posbias: Posbias, place: Path) -> None:
    (place / "both.yaml").write_text("num_layers: 3\nsequence_lenght: 4\n")
    assert "'sequence_lenght' must be a field" in posbias("profile", "both.yaml").err
    (place / "less.yaml").write_text("num_layers: 3\n")
    assert "must be given" in posbias("profile", "less.yaml").err


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "config.json").write_text('{"model_type": "bloom", "vocab_size": 64}')
    (tmp_path / "jobs.json").write_text(json.dumps([{"model": "tiny", "lenght": 8}]))
    (tmp_path / "experiment.yaml").write_text("sequence_lenght: 4\n")
    (tmp_path / "tagged.yaml").write_text(
        "sequence_length: 2\nnum_layers: 1\nmask_config: {mask_type: causal}\n"
        "attention_config: {num_heads: 1, alibi_slopes: [[0.5]]}\n"
        "content_config: {diagonal_scores: [[0.0]], base_scores: [[0.0]]}\n"
        "lambda_schedule_config: {schedule_type: constnat, lambda_const: 0.5}\n"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("words", ["verify profile", "help profile", "profile -n"])
def test_help_of_two_is_refused_and_not_that_of_the_first(posbias: Posbias, words: str) -> None:
    run = posbias("help", *words.split())
    assert (run.code, run.out) == (2, "") and run.err == f"Argument 'COMMAND' must be one command, not '{words}'.\n"
