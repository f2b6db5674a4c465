"""A whole measurement: what the files say against slow oracles, and that an interruption leaves no trace."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from numeric.model import load
from numeric.model.measuring import Job, measure, measure_all
from numeric.model.store import read_manifest, record_type, records
from numeric.refuse import InputError
from tests.numeric.model import slow
from tests.numeric.model.tiny import write_config
from tests.numeric.model.words import VOCABULARY, write_tokenizer

if TYPE_CHECKING:
    from numeric.model import Loaded

N, K, T = 11, 5, 2
# Rounding of float32 in sums of at most 60 terms (widths, positions, vocabulary), two layers deep, forward and back:
# 60 · 2^−24 is 4e−6 in the worst case of one sum; ten of them one after the other.
ROUNDING = 4e-5


class Stop(Exception):
    """The power goes out."""


def job(model: Path, out: Path, **changes: Any) -> Job:
    given = {"length": N, "samples": K, "random_init": True, "seed": 3, "target": "prob"}
    return Job(model=str(model), out=str(out), **{**given, **changes})


def stop_at(count: int) -> Callable[[int, int, float | None], None]:
    def progress(done: int, total: int, left: float | None) -> None:
        if done >= count:
            raise Stop

    return progress


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def found(folder: Path, heads: int | None = None) -> list[Any]:
    return [record.copy() for record in records(folder, record_type(T, N, heads))]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """kind -> a folder with its configuration; "spoken" is Llama's with a tokenizer that puts BOS before a text."""
    root = tmp_path_factory.mktemp("models")

    def folder(kind: str) -> Path:
        if not (root / kind).exists():
            if kind == "spoken":
                write_tokenizer(write_config(root / kind, "llama", vocab_size=VOCABULARY), bos=1)
            else:
                write_config(root / kind, kind)
        return root / kind

    return folder


# --- what is measured -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["bloom", "gpt2", "llama", "opt"])
def test_records_are_what_slow_oracles_say(tmp_path: Path, models: Callable[[str], Path], kind: str) -> None:
    measure(job(models(kind), tmp_path / "run", kernels=True, batch=2))
    loaded = load(models(kind), random_init=True, seed=3, attention="eager")
    heads = loaded.blocks[0].heads
    for record in found(tmp_path / "run", heads):
        ids = record["tokens"]
        lam, kernels = slow.mixing(loaded, ids), slow.kernels(loaded, ids)
        assert np.allclose(record["mixing"], lam, rtol=ROUNDING, atol=0)
        expected = slow.influence(loaded, ids)
        assert np.allclose(record["influence"], expected, rtol=ROUNDING, atol=ROUNDING * expected.max())
        flat = np.repeat(lam.mean(axis=1), N).reshape(lam.shape)
        wanted = (("rollout", flat), ("half", flat * 0 + 0.5), ("attention_only", flat * 0 + 1), ("by_position", lam))
        for name, shares in wanted:
            product = np.eye(N)
            for share, kernel in zip(shares, kernels, strict=True):
                product = (np.diag(1 - share) + share[:, None] * kernel) @ product
            assert np.allclose(record[name], product[-1], rtol=0, atol=ROUNDING), name


def test_files_are_means_over_the_records(tmp_path: Path, models: Callable[[str], Path]) -> None:
    report = measure(job(models("llama"), tmp_path / "run", kernels=True))
    loaded = load(models("llama"), random_init=True, seed=3, attention="eager")
    kept = found(tmp_path / "run", 4)
    lam = np.stack([record["mixing"] for record in kept])
    norms = np.stack([record["influence"] for record in kept])
    shares = lam.mean(axis=2)
    exact: dict[str, Any] = {"rtol": 1e-12, "atol": 0}  # float64 throughout
    rows = table(tmp_path / "run" / "lambda.csv")
    assert np.allclose(rows["lambda"], shares.mean(axis=0), **exact)
    assert np.allclose(rows["standard_error"], shares.std(axis=0, ddof=1) / np.sqrt(K), **exact)
    assert rows["layer"] == [1, 2]
    assert np.allclose(np.load(tmp_path / "run" / "lambda_positions.npy"), lam.mean(axis=0), **exact)
    rows = table(tmp_path / "run" / "influence.csv")
    assert np.allclose(rows["influence"], norms.sum(axis=0) / norms.sum(), **exact)
    profiles = norms / norms.sum(axis=1, keepdims=True)
    assert np.allclose(rows["influence_of_samples"], profiles.mean(axis=0), **exact)
    assert rows["position"] == list(range(N))
    assert rows["bos"] == [0] * N
    kernels = np.mean([slow.kernels(loaded, record["tokens"]) for record in kept], axis=0)
    assert np.allclose(np.load(tmp_path / "run" / "kernels.npy"), kernels, rtol=0, atol=ROUNDING)
    off = [np.abs(slow.kernels(loaded, one["tokens"]) - kernels).sum(axis=2).max(axis=1) for one in kept]
    assert np.allclose(np.load(tmp_path / "run" / "deviations.npy"), off, rtol=0, atol=N * ROUNDING)
    assert report["architecture"]["kernels"] == [{"kind": "uniform"}] * T
    assert report["lambda"]["effective_depth"] == pytest.approx(shares.sum(axis=1).mean(), rel=1e-14)
    error = shares.sum(axis=1).std(ddof=1) / np.sqrt(K)
    assert report["lambda"]["effective_depth_error"] == pytest.approx(error, rel=1e-12)
    assert report == json.loads((tmp_path / "run" / "report.json").read_text())
    assert sorted([*report["files"], "manifest.json", "samples.bin", "sums.npz"]) == sorted(content(tmp_path / "run"))


def table(path: Path) -> dict[str, list[float]]:
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def test_a_batch_is_its_samples(tmp_path: Path, models: Callable[[str], Path]) -> None:
    """Up to rounding: products of matrices of another shape are added up in another order."""
    for batch in (1, 3):
        measure(job(models("gpt2"), tmp_path / str(batch), batch=batch))
    for one, other in zip(found(tmp_path / "1"), found(tmp_path / "3"), strict=True):
        assert np.array_equal(one["tokens"], other["tokens"])
        assert np.allclose(one["mixing"], other["mixing"], rtol=ROUNDING, atol=0)
        top = one["influence"].max()
        assert np.allclose(one["influence"], other["influence"], rtol=ROUNDING, atol=ROUNDING * top)


def test_bos_is_labelled_and_left_out(tmp_path: Path, models: Callable[[str], Path]) -> None:
    (tmp_path / "text.txt").write_text("It is a truth universally acknowledged. " * 3, encoding="utf-8")
    report = measure(job(models("spoken"), tmp_path / "run", text=str(tmp_path / "text.txt")))
    kept = found(tmp_path / "run")
    assert report["bos"] is True
    assert all(record["tokens"][0] == 1 for record in kept)
    norms = np.stack([record["influence"][1:] for record in kept])
    rows = table(tmp_path / "run" / "influence_without_bos.csv")
    assert np.allclose(rows["influence"], norms.sum(axis=0) / norms.sum(), rtol=1e-12, atol=0)
    assert rows["position"] == list(range(N - 1))
    assert rows["bos"] == [0] * (N - 1)
    assert table(tmp_path / "run" / "influence.csv")["bos"] == [1] + [0] * (N - 1)
    lam = np.stack([record["mixing"][:, 1:].mean(axis=1) for record in kept])
    assert np.allclose(table(tmp_path / "run" / "lambda_without_bos.csv")["lambda"], lam.mean(axis=0), rtol=1e-12)
    low = int(np.argmin(rows["influence"]))
    assert report["without_bos"]["influence"]["mean_of_norms"]["valley"]["position"] == low + 2  # from 1, BOS at 1


def test_without_bos_there_is_no_file_without_it(tmp_path: Path, models: Callable[[str], Path]) -> None:
    report = measure(job(models("llama"), tmp_path / "run", samples=1))
    assert report["bos"] is False
    assert report["without_bos"] is None
    assert not [name for name in report["files"] if "bos" in name]
    assert report["lambda"]["standard_errors"] == [None, None]  # of one sample


@pytest.mark.parametrize(("value", "says"), [(np.nan, "not finite"), (0.0, "zero")])
def test_a_sample_without_a_profile_is_named_and_left_out(
    tmp_path: Path, models: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, value: float, says: str
) -> None:
    import numeric.model.influence as module

    measure(job(models("llama"), tmp_path / "whole"))
    whole, true = found(tmp_path / "whole"), module.influence_of

    def spoilt(loaded: Loaded, ids: Any, **options: Any) -> Any:
        answer = true(loaded, ids, **options)
        answer.norms[(ids == whole[2]["tokens"]).all(axis=1)] *= value
        return answer

    monkeypatch.setattr(module, "influence_of", spoilt)
    report = measure(job(models("llama"), tmp_path / "run"))
    assert report["influence"]["excluded"] == [{"sample": 3, "sum": says}]
    assert report["influence"]["samples"] == K - 1
    norms = np.stack([record["influence"] for number, record in enumerate(whole) if number != 2])
    rows = table(tmp_path / "run" / "influence.csv")
    assert np.allclose(rows["influence"], norms.sum(axis=0) / norms.sum(), rtol=1e-12, atol=0)
    lines = (tmp_path / "run" / "samples.csv").read_text().splitlines()
    assert [line.rsplit(",", 1)[1] for line in lines[1:]] == ["", "", says, "", ""]


def test_where_no_sample_has_a_profile_the_rest_is_reported(
    tmp_path: Path, models: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with a probability that rounds to 1."""
    import numeric.model.influence as module

    true = module.influence_of

    def saturated(loaded: Loaded, ids: Any, **options: Any) -> Any:
        answer = true(loaded, ids, **options)
        answer.norms[:] = 0
        return answer

    monkeypatch.setattr(module, "influence_of", saturated)
    report = measure(job(models("llama"), tmp_path / "run"))
    assert report["influence"]["samples"] == 0
    assert report["influence"]["mean_of_norms"] is None
    assert len(report["influence"]["excluded"]) == K
    assert "lambda.csv" in report["files"] and "influence.csv" not in report["files"]


@pytest.mark.parametrize("kind", ["llama", "bloom"])
def test_double_precision_whose_softmax_is_single_is_no_fault(tmp_path: Path, kind: str) -> None:
    """Rows of a float64 model may sum to 1 as single precision does: their softmax is in it whatever weights are."""
    folder = write_config(tmp_path / kind, kind)
    report = measure(job(folder, tmp_path / "out", kernels=True, dtype="float64", attention="eager", length=37))
    assert report["kernels"]["row_defect"] < 39 * 2.0**-24


def test_a_sample_whose_numbers_overflow_harms_no_other(tmp_path: Path, models: Callable[[str], Path]) -> None:
    """One token's embedding is NaN: λ, influence and kernels of the samples with it are left out, and named."""
    import torch

    loaded = load(models("llama"), random_init=True, seed=3)
    with torch.no_grad():
        loaded.model.lm_head.weight = torch.nn.Parameter(loaded.embedding.weight.clone())
    measure(job(models("llama"), tmp_path / "whole"))
    tokens = [set(record["tokens"].tolist()) for record in found(tmp_path / "whole")]
    token = next(t for t in range(3, 61) if 0 < sum(t in one for one in tokens) < K)
    with torch.no_grad():
        loaded.embedding.weight[token] = float("nan")
    loaded.model.config.tie_word_embeddings = False
    loaded.model.save_pretrained(tmp_path / "model")
    report = measure(job(tmp_path / "model", tmp_path / "run", random_init=False, kernels=True))
    bad = [number for number, one in enumerate(tokens, start=1) if token in one]
    assert report["lambda"]["excluded"] == bad
    assert [one["sample"] for one in report["influence"]["excluded"]] == bad
    assert report["kernels"]["excluded"] == bad
    assert np.isfinite(np.load(tmp_path / "run" / "kernels.npy")).all()


# --- going on -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("batch", "kernels"), [(1, False), (1, True), (2, True), (4, False)])
def test_an_interrupted_run_ends_as_one_that_was_not(
    tmp_path: Path, models: Callable[[str], Path], batch: int, kernels: bool
) -> None:
    options = {"batch": batch, "kernels": kernels}
    measure(job(models("bloom"), tmp_path / "whole", **options))
    for count in (0, 1, 3, 4):
        run = tmp_path / f"stopped at {count}"
        with pytest.raises(Stop):
            measure(job(models("bloom"), run, **options), progress=stop_at(count))
        assert not (run / "report.json").exists()
        measure(job(models("bloom"), run, **options))
        assert content(run) == content(tmp_path / "whole")


@pytest.mark.parametrize("lost", [1, 700, 1500])  # of records of 652 bytes: 4, 3 and 2 of 5 are left
def test_a_torn_record_is_measured_again_with_its_batch(
    tmp_path: Path, models: Callable[[str], Path], lost: int
) -> None:
    """Even where the sums of kernels have it already: they must not count it twice."""
    options = {"batch": 2, "kernels": True}
    measure(job(models("bloom"), tmp_path / "run", **options))
    whole, file = content(tmp_path / "run"), tmp_path / "run" / "samples.bin"
    file.write_bytes(file.read_bytes()[:-lost])
    measure(job(models("bloom"), tmp_path / "run", **options))
    assert content(tmp_path / "run") == whole


def test_a_batch_begins_where_it_always_does(
    tmp_path: Path, models: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three records are left, the third the first of its batch of two: both are measured, together."""
    import numeric.model.mixing as module

    measure(job(models("bloom"), tmp_path / "run", batch=2))
    file, true, seen = tmp_path / "run" / "samples.bin", module.mixing_of, []

    def spied(loaded: Loaded, ids: Any) -> Any:
        seen.append(ids.tolist())
        return true(loaded, ids)

    tokens = [record["tokens"].tolist() for record in found(tmp_path / "run")]
    file.write_bytes(file.read_bytes()[: 3 * record_type(T, N).itemsize])
    monkeypatch.setattr(module, "mixing_of", spied)
    measure(job(models("bloom"), tmp_path / "run", batch=2))
    assert seen == [tokens[2:4], tokens[4:]]


def test_sums_that_an_interruption_left_behind_catch_up(
    tmp_path: Path, models: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped after the records of the second batch are on the disk and before its sums are."""
    from numeric.model.store import Store

    options, kept = {"batch": 2, "kernels": True}, Store.keep_sums

    def out_of_power(store: Store, sums: Any, end: int) -> None:
        if end == 4:
            raise Stop
        kept(store, sums, end)

    measure(job(models("bloom"), tmp_path / "whole", **options))
    with monkeypatch.context() as patch, pytest.raises(Stop):
        patch.setattr(Store, "keep_sums", out_of_power)
        measure(job(models("bloom"), tmp_path / "run", **options))
    measure(job(models("bloom"), tmp_path / "run", **options))
    assert content(tmp_path / "run") == content(tmp_path / "whole")


def test_a_finished_run_is_only_reported(
    tmp_path: Path, models: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    import numeric.model.mixing as module

    first = measure(job(models("llama"), tmp_path / "run"))
    whole = content(tmp_path / "run")
    monkeypatch.setattr(module, "mixing_of", None)
    assert measure(job(models("llama"), tmp_path / "run")) == first
    assert content(tmp_path / "run") == whole


def test_another_run_is_refused_before_its_model_is_loaded(
    tmp_path: Path, models: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    measure(job(models("llama"), tmp_path / "run"))
    monkeypatch.setattr("numeric.model.measuring.load", lambda *_, **__: pytest.fail("a model was loaded"))
    with pytest.raises(InputError, match="samples: 5 there, 6 here"):
        measure(job(models("llama"), tmp_path / "run", samples=6))


@pytest.mark.parametrize(
    ("change", "says"),
    [({"seed": 4}, "seed: 3 there, 4 here"), ({"target": "logit"}, "target: 'prob' there, 'logit' here"),
     ({"samples": 6}, "samples: 5 there, 6 here"), ({"length": 12}, "length: 11 there, 12 here"),
     ({"batch": 2}, "batch: 1 there, 2 here"), ({"dtype": "float64"}, "dtype: 'float32' there, 'float64' here"),
     ({"kernels": True}, "kernels: False there, True here")],
)  # fmt: skip
def test_another_run_is_refused(
    tmp_path: Path, models: Callable[[str], Path], change: dict[str, Any], says: str
) -> None:
    measure(job(models("llama"), tmp_path / "run", samples=5))
    whole = content(tmp_path / "run")
    with pytest.raises(InputError, match=says.replace("?", r"\?")):
        measure(job(models("llama"), tmp_path / "run", **change))
    assert content(tmp_path / "run") == whole


def test_other_weights_under_the_same_name_are_another_run(tmp_path: Path, models: Callable[[str], Path]) -> None:
    import torch

    loaded = load(models("llama"), random_init=True)
    loaded.model.save_pretrained(tmp_path / "model")
    measure(job(tmp_path / "model", tmp_path / "run", random_init=False))
    with torch.no_grad():
        loaded.embedding.weight[5, 5] += 0.5
    loaded.model.save_pretrained(tmp_path / "model")
    with pytest.raises(InputError, match=r"model\.weights_sha256"):
        measure(job(tmp_path / "model", tmp_path / "run", random_init=False))


# --- scale ----------------------------------------------------------------------------------------------------------


def test_offloaded_layers_give_the_same_numbers(tmp_path: Path, models: Callable[[str], Path]) -> None:
    load(models("gpt2"), random_init=True).model.save_pretrained(tmp_path / "model")
    cpu = dict.fromkeys(("transformer.wte", "transformer.wpe", "transformer.ln_f", "lm_head"), "cpu")
    placed = {**cpu, "transformer.h.0": "cpu", "transformer.h.1": "disk"}
    for out, options in (("plain", {}), ("placed", {"device_map": placed, "offload": str(tmp_path / "offload")})):
        measure(job(tmp_path / "model", tmp_path / out, random_init=False, kernels=True, **options))
    assert (tmp_path / "plain" / "samples.bin").read_bytes() == (tmp_path / "placed" / "samples.bin").read_bytes()
    assert load(tmp_path / "model", device_map=placed).blocks[1].up.weight.device.type == "meta"
    assert read_manifest(tmp_path / "placed")["device_map"] is not None


def test_several_jobs_give_what_each_gives_alone(tmp_path: Path, models: Callable[[str], Path]) -> None:
    jobs = [
        job(models(kind), tmp_path / f"{kind} {length}", length=length)
        for kind in ("bloom", "llama")
        for length in (5, 11)
    ]
    together = measure_all(jobs, n_jobs=2, backend="threading")
    for one, report in zip(jobs, together, strict=True):
        alone = tmp_path / "alone" / Path(one.out).name
        assert measure(job(Path(one.model), alone, length=one.length)) == report
        assert content(alone) == content(Path(one.out))


def test_two_jobs_with_one_folder_are_refused(tmp_path: Path, models: Callable[[str], Path]) -> None:
    with pytest.raises(InputError, match="a folder of its own each"):
        measure_all([job(models("bloom"), tmp_path / "run"), job(models("llama"), tmp_path / "." / "run")])
    assert not (tmp_path / "run").exists()


def test_several_jobs_need_joblib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"be run with joblib, not without it \(python -m pip install"):
        measure_all([])


def test_the_report_holds_no_more_for_more_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 512 records of 34 kB, 17 MB in all, it holds 64 at a time."""
    import tracemalloc

    from numeric.model.report import write_report
    from numeric.model.store import Store
    from numeric.model.text import Samples

    kind, rng = record_type(16, 256), np.random.default_rng(0)
    manifest = {"model": {"layers": 16}, "target": "prob"}
    record = {"tokens": np.arange(256), "target": 1, "mixing": rng.random((16, 256)), "influence": rng.random(256)}
    monkeypatch.setattr("os.fsync", lambda _: None)  # they take seconds
    peaks = []
    for count in (128, 512):
        with Store(tmp_path / str(count), manifest, kind, summing=False) as store:
            store.append((record for _ in range(count)), 0)
            samples = Samples(count, 256, None, None, lambda s: np.arange(256), {})
            tracemalloc.start()
            write_report(store, samples)
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    assert peaks[1] < 1.1 * peaks[0]
