"""A measurement of a real model: λ, influence and, if asked for, attention kernels of K samples, kept in a folder.

    report = measure(Job(model="folder", text="text.txt", length=256, samples=100, out="measured"))
    measure_all(jobs, n_jobs=2)                  # several jobs, each with a folder of its own, by joblib

What is measured is defined in `numeric.model.mixing`, `numeric.model.influence` and `numeric.model.attention`; what is
written, in `numeric.model.report`. An interrupted job is gone on with by calling `measure` again with the same job.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numeric.model.architecture import architecture
from numeric.model.family import read_family
from numeric.model.identity import model_identity, platform_identity
from numeric.model.influence import TARGETS
from numeric.model.loading import DTYPES, load, require_models
from numeric.model.remarks import remarks
from numeric.model.report import write_report
from numeric.model.store import FORMAT, Store, record_type, require_place, require_same
from numeric.model.text import BOS, Samples, read_text, samples_of
from numeric.nearest import nearest
from numeric.refuse import InputError, flag, integer, refusal, shown

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["Job", "measure", "measure_all"]

Progress = Callable[[int, int, float | None], None]
_LOADING = threading.Lock()  # weights are drawn from torch's one stream of random numbers


@dataclass(frozen=True, kw_only=True)
class Job:
    """One model, one text (or random tokens, text = None), one length. Fields are the options of ``posbias measure``.

    batch : samples that are computed together, and part of what determines the last bits. device_map : as accelerate
    takes it, a name or a dict of modules; offload : the folder for what is offloaded to disk. family : a file that
    `numeric.model.read_family` reads.
    """

    model: str
    out: str
    length: int
    samples: int
    text: str | None = None
    batch: int = 1
    seed: int = 0
    target: str = "prob"
    kernels: bool = False
    bos: str = "tokenizer"
    random_init: bool = False
    attention: str | None = None
    dtype: str = "float32"
    family: str | None = None
    device_map: Any = None
    offload: str | None = None
    checkpointing: bool = False


def measure(job: Job, progress: Progress | None = None) -> dict[str, Any]:
    """Measures what is missing in ``job.out``, writes the results there and returns them as report.json has them.

    progress : called before each batch with (samples done, of so many, seconds left, None while unknown).
    Raises InputError before anything is written; for a folder that holds another run, with what differs.
    """
    loaded, samples = _prepared(job)
    told, manifest, attends = remarks(loaded), _manifest(job, loaded, samples), architecture(loaded, job.length)
    heads = max(block.heads for block in loaded.blocks) if job.kernels else None
    kind = record_type(len(loaded.blocks), job.length, heads)
    with Store(job.out, manifest, kind, summing=job.kernels) as store, _threads(store.manifest["threads"]):
        begun, start = time.monotonic(), store.ready // job.batch * job.batch
        for first in range(start, samples.count, job.batch):
            if progress is not None:
                each = (time.monotonic() - begun) / (first - start) if first > start else None
                progress(first, samples.count, None if each is None else each * (samples.count - first))
            _measure_batch(job, loaded, samples, store, first)
        if job.kernels:
            from numeric.model.kernel_deviations import keep_deviations

            keep_deviations(loaded, samples, store, job.batch)
        return write_report(store, samples, told, attends)


def measure_all(jobs: Sequence[Job], *, n_jobs: int = 1, backend: str | None = None) -> list[dict[str, Any]]:
    """`measure` of every job, ``n_jobs`` at a time, with joblib; the reports in the order of the jobs.

    backend : one of joblib's or one registered with it (dask, ray); None leaves it to ``joblib.parallel_config``. Each
    job has a folder of its own, in which an interrupted or failed one is gone on with by a further call.
    Raises InputError, for two jobs with one folder before any begins.
    """
    from importlib.util import find_spec

    if find_spec("joblib") is None:
        raise flag("jobs", "be run with joblib", "without it", "python -m pip install 'posbias[models]'")
    from joblib import Parallel, delayed

    places = [os.path.realpath(job.out) for job in jobs]
    for at, place in enumerate(places):
        if place in places[:at]:
            raise refusal("jobs", "have a folder of its own each", jobs[at].out)
    return list(Parallel(n_jobs=n_jobs, backend=backend)(delayed(_one_of_several)(job) for job in jobs))


def _one_of_several(job: Job) -> dict[str, Any]:
    """Refusals say of which job they are."""
    try:
        return measure(job)
    except InputError as error:
        raise InputError(f"{str(error).removesuffix('.')} (the job of {shown(job.out)}).") from None


# --- before ---------------------------------------------------------------------------------------------------------


def _prepared(job: Job) -> tuple[Loaded, Samples]:
    """The model and what it is shown; everything that can be refused without the model is refused first."""
    _require(job)
    require_models()
    require_same(require_place(job.out), _asked(job))
    if job.text is not None:
        read_text(job.text)
    family = None if job.family is None else read_family(job.family)
    with _LOADING:
        loaded = load(
            job.model, random_init=job.random_init, seed=job.seed, dtype=job.dtype, attention=job.attention,
            family=family, device_map=job.device_map, offload_folder=job.offload,
        )  # fmt: skip
    samples = samples_of(loaded, job.text, length=job.length, count=job.samples, seed=job.seed, bos=job.bos)
    return loaded, samples


def _require(job: Job) -> None:
    integer(job.length, "--length", 2)
    integer(job.samples, "--samples", 1)
    integer(job.batch, "--batch", 1)
    integer(job.seed, "--seed", 0)
    for name, value, choices in (("target", job.target, TARGETS), ("dtype", job.dtype, DTYPES), ("bos", job.bos, BOS)):
        if value not in choices:
            raise refusal(f"--{name}", f"be one of {', '.join(choices)}", value, nearest(value, choices))
    if job.dtype not in ("float32", "float64"):
        raise refusal("--dtype", "be float32 or float64, as gradients need it", job.dtype)
    if job.random_init and job.device_map is not None:
        raise flag("--device-map", "be left out beside --random-init", "given")
    if job.offload is not None and job.device_map is None:
        raise flag("--offload", "be given beside --device-map", "alone")


def _asked(job: Job) -> dict[str, Any]:
    """What of the manifest is known before a model is loaded."""
    return {
        "format": FORMAT,
        "length": job.length,
        "samples": job.samples,
        "batch": job.batch,
        "seed": job.seed,
        "target": job.target,
        "kernels": job.kernels,
        "checkpointing": job.checkpointing,
        "device_map": None if job.device_map is None else str(job.device_map),
    }


def _manifest(job: Job, loaded: Loaded, samples: Samples) -> dict[str, Any]:
    import torch

    return {
        **_asked(job),
        "model": model_identity(loaded, random_init=job.random_init, seed=job.seed),
        "input": samples.facts,
        "platform": platform_identity(),
        "threads": torch.get_num_threads(),
    }


# --- during ---------------------------------------------------------------------------------------------------------


def _measure_batch(job: Job, loaded: Loaded, samples: Samples, store: Store, first: int) -> None:
    """Samples first, … of one batch: measured, and on the disk."""
    from numeric.model.influence import influence_of
    from numeric.model.mixing import mixing_of

    end = min(first + job.batch, samples.count)
    ids = samples.batch(first, end)
    mixing = mixing_of(loaded, ids)
    influence = influence_of(loaded, ids, target=job.target, checkpointing=job.checkpointing)
    fields: dict[str, Any] = {
        "tokens": ids, "mixing": mixing, "influence": influence.norms, "target": influence.tokens
    }  # fmt: skip
    lacks_sums = store.summed is not None and store.summed < end
    if store.summed is not None:
        from numeric.model.kernel_sums import kernels_of

        sums = store.sums if lacks_sums else None
        fields |= kernels_of(loaded, ids, mixing, sums)
    store.append(({name: values[s] for name, values in fields.items()} for s in range(end - first)), first)
    if lacks_sums:
        store.keep_sums(store.sums, end)


@contextmanager
def _threads(count: int) -> Iterator[None]:
    """As many threads as when the run was begun: how a sum is split among them shows in its last bits."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
