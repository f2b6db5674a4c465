"""The prediction of a model's influence by second moments, sample by sample, and the folder it is written to.

    found = predict(Prediction(model="folder", text="text.txt", length=256, samples=20), progress)
    write_prediction(found, "measured")

    prediction.csv     position (from 0), prediction, standard_error: mean of the samples' profiles, each of sum 1
    prediction.npy     (K, n), the profile of each sample
    prediction.json    what determines it, and each layer's parameters, means over samples

Parameters are read, none is fitted: `numeric.model.second_moments`. The samples are those that `numeric.model.text`
draws for the same text, seed, n and K, so the folder may be one that ``posbias measure`` has filled; then both must be
of the same model and samples. With kernels "architectural" (the model's attention with queries and keys 0) no text is
read: σ, m and κ come from one pass over random tokens.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.files import open_atomically
from numeric.kernel import Alibi, HeadAverage, Kernel
from numeric.model.csv_columns import csv_columns
from numeric.model.family import read_family
from numeric.model.identity import model_identity, platform_identity
from numeric.model.loading import load, require_models
from numeric.model.mismatch import layer_numbers
from numeric.model.moments import Moments
from numeric.model.remarks import remarks
from numeric.model.second_moments import MLPS, MomentReader, MomentStatistics, predicted
from numeric.model.store import MANIFEST, read_manifest, require_place
from numeric.model.text import Samples, read_text, samples_of
from numeric.nearest import nearest
from numeric.refuse import flag, integer, refusal, shown

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = [
    "KERNELS", "Predicted", "Prediction", "predict", "prepared", "reader_of", "require_prediction_place",
    "require_same_run", "single_heads", "write_prediction",
]  # fmt: skip

FloatArray = NDArray[np.float64]
KERNELS = ("measured", "architectural")
CHOICES = ("kernels", "mlp", "heads")  # options of a prediction, which its JSON names
FILES = ("prediction.csv", "prediction.npy", "prediction.json")
Progress = Callable[[int, int, float | None], None]


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """What to predict; fields are the options of ``posbias predict``. mlp : one of `MLPS`. heads : one of `HEADS`."""

    model: str
    length: int
    samples: int
    text: str | None = None
    kernels: str = "measured"
    mlp: str = "gates"
    heads: str = "shared"
    seed: int = 0
    bos: str = "tokenizer"
    random_init: bool = False
    attention: str | None = None
    dtype: str = "float32"
    family: str | None = None


@dataclass(frozen=True, eq=False)
class Predicted:
    """profiles : (K, n), each of sum 1. facts : what determines them. layers : per layer, means over samples.

    seconds : of a sample, in the mean, the pass and the rollout.
    """

    profiles: FloatArray
    facts: dict[str, Any]
    layers: list[dict[str, float]]
    seconds: tuple[float, float]

    @property
    def profile(self) -> FloatArray:
        """(n,), the mean over samples."""
        return np.asarray(self.profiles.mean(axis=0))


def predict(job: Prediction, progress: Progress | None = None, folder: str | None = None) -> Predicted:
    """The profiles of all samples.

    progress : as of `numeric.model.measuring.measure`. folder : where the result will go; a run of another model or
    other samples there is refused before any sample is predicted.
    Raises InputError before work starts.
    """
    loaded, samples = prepared(job)
    facts = _facts(job, loaded, samples)
    if folder is not None:
        require_same_run(folder, facts)
    reader = reader_of(job, loaded)
    profiles = np.empty((samples.count, samples.length))
    means, spent, begun = _Layers(), np.zeros(2), time.monotonic()
    clipped = np.zeros(len(loaded.blocks))
    for s in range(samples.count):
        if progress is not None:
            each = (time.monotonic() - begun) / s if s else None
            progress(s, samples.count, None if each is None else each * (samples.count - s))
        start = time.perf_counter()
        statistics = reader.statistics(samples.draw(s))
        middle = time.perf_counter()
        profiles[s] = predicted(statistics, heads=job.heads)
        spent += middle - start, time.perf_counter() - middle
        means.add(statistics)
        clipped = np.maximum(clipped, [layer.clipped for layer in statistics.layers])
    facts["remarks"] += _clipping(clipped)
    return Predicted(profiles, facts, means.rows(), (float(spent[0] / samples.count), float(spent[1] / samples.count)))


def _clipping(shares: FloatArray) -> list[str]:
    """What is not followed where values are clipped; shares (layers,), the largest of any sample."""
    numbers = tuple(int(t) + 1 for t in np.flatnonzero(shares))
    if not numbers:
        return []
    return [
        f"values are clipped in {layer_numbers(numbers)}, a share of up to {shares.max():.2g} of them: "
        "what is clipped has no derivative, which is not followed"
    ]


def prepared(job: Prediction) -> tuple[Loaded, Samples]:
    """The model and its samples; what needs no model is refused before one is loaded."""
    integer(job.length, "--length", 2)
    integer(job.samples, "--samples", 1)
    for name, value, known in (("kernels", job.kernels, KERNELS), ("mlp", job.mlp, MLPS)):
        if value not in known:
            raise refusal(f"--{name}", f"be one of {', '.join(known)}", value, nearest(value, known))
    if job.text is not None and job.kernels == "architectural":
        raise flag("--text", "be left out with architectural kernels, for which no text is read", "given")
    require_models()
    if job.text is not None:
        read_text(job.text)
    family = None if job.family is None else read_family(job.family)
    loaded = load(
        job.model, random_init=job.random_init, seed=job.seed, dtype=job.dtype, attention=job.attention, family=family
    )
    samples = samples_of(loaded, job.text, length=job.length, count=job.samples, seed=job.seed, bos=job.bos)
    return loaded, samples


def reader_of(job: Prediction, loaded: Loaded) -> MomentReader:
    """What reads the statistics of the job's samples."""
    kernels = _architectural(loaded, job.length) if job.kernels == "architectural" else None
    return MomentReader(loaded, mlp=job.mlp, kernels=kernels)


def _facts(job: Prediction, loaded: Loaded, samples: Samples) -> dict[str, Any]:
    return {
        "length": job.length, "samples": job.samples, "seed": job.seed, "kernels": job.kernels, "mlp": job.mlp,
        "heads": job.heads,
        "model": model_identity(loaded, random_init=job.random_init, seed=job.seed),
        "input": samples.facts, "platform": platform_identity(), "remarks": list(remarks(loaded)),
    }  # fmt: skip


def _architectural(loaded: Loaded, n: int) -> list[list[Kernel]]:
    """Head by head, what the model attends with queries and keys 0."""
    from numeric.model.audit import audit

    return single_heads(loaded, (audit(loaded, n=n) if n >= 4 else audit(loaded)).kernels())


def single_heads(loaded: Loaded, kernels: Sequence[Kernel]) -> list[list[Kernel]]:
    """The heads of an audit's kernels, (layers, heads)."""
    return [_heads(kernel, block.heads) for kernel, block in zip(kernels, loaded.blocks, strict=True)]


def _heads(kernel: Kernel, heads: int) -> list[Kernel]:
    if isinstance(kernel, Alibi) and kernel.slopes.size == heads:
        return [Alibi(float(slope)) for slope in kernel.slopes]
    if isinstance(kernel, HeadAverage) and len(kernel.kernels) == heads:
        return list(kernel.kernels)
    return [kernel] * heads


class _Layers:
    """Means over samples of what each layer has."""

    def __init__(self) -> None:
        self.moments: list[Moments] = []

    def add(self, statistics: MomentStatistics) -> None:
        if not self.moments:
            self.moments = [Moments() for _ in statistics.layers]
        for moments, layer in zip(self.moments, statistics.layers, strict=True):
            m2 = float("nan") if layer.mlp is None else float(np.diag(layer.mlp).mean())
            moments.add(np.array([np.trace(layer.heads), layer.norm.mean(), m2, _mean_cosine(layer.mlp)]))

    def rows(self) -> list[dict[str, float]]:
        names = ("s_squared", "sigma", "m_squared", "kappa")
        return [dict(zip(names, moments.mean.tolist(), strict=True)) for moments in self.moments]


def _mean_cosine(products: FloatArray | None) -> float:
    """The mean κ of two positions, among those at which the MLP has a derivative; NaN where there are no two."""
    own = np.zeros(0) if products is None else np.sqrt(np.maximum(np.diag(products), 0.0))
    some = own > 0
    if products is None or some.sum() < 2:
        return float("nan")
    cosines = products[np.ix_(some, some)] / np.outer(own[some], own[some])
    return float(cosines[np.triu_indices(len(cosines), 1)].mean())


# --- the folder -------------------------------------------------------------------------------------------------------


def require_prediction_place(folder: str | Path) -> Path:
    """The folder, if a prediction can be put there: new, empty, with a run, or with a prediction that is replaced.

    Raises InputError for anything else, before a model is loaded.
    """
    try:
        found = json.loads((Path(folder) / FILES[-1]).read_text(encoding="utf-8"))
        ours = isinstance(found, dict) and set(CHOICES) <= set(found)
    except (OSError, ValueError, RecursionError):
        ours = False
    return Path(folder) if ours else require_place(folder)


def require_same_run(folder: str | Path, facts: dict[str, Any]) -> None:
    """Refuses a folder with a measurement of another model or of other samples, saying what differs."""
    if not (Path(folder) / MANIFEST).is_file():
        return
    kept = read_manifest(folder)
    for part, key in (("model", "config_sha256"), ("model", "weights_sha256"), ("model", "random_init"),
                      ("input", "ids_sha256")):  # fmt: skip
        there, here = kept.get(part, {}).get(key), facts[part][key]
        if there != here:
            found = f"one of another {part} ({key}: {shown(there)} there, {shown(here)} here)"
            raise flag("--out", "hold no run, or one of this model and these samples", found, shown(str(folder)))


def write_prediction(found: Predicted, folder: str | Path) -> list[str]:
    """Writes the three files, all of them or none; returns their names. The folder is made if need be."""
    place = require_prediction_place(folder)
    require_same_run(place, found.facts)
    place.mkdir(parents=True, exist_ok=True)
    moments = Moments()
    for profile in found.profiles:
        moments.add(profile)
    text = json.dumps({**found.facts, "layers": [_plain(row) for row in found.layers]}, indent=2, allow_nan=False)
    contents: Sequence[bytes | FloatArray] = (
        csv_columns("position,prediction,standard_error", moments.mean, moments.error), found.profiles,
        (text + "\n").encode(),
    )  # fmt: skip
    with ExitStack() as stack:  # none takes its place before all are written
        for name, content in zip(FILES, contents, strict=True):
            out = stack.enter_context(open_atomically(place / name, "--out"))
            if isinstance(content, bytes):
                out.write(content)
            else:
                np.save(out, content, allow_pickle=False)
    return list(FILES)


def _plain(row: dict[str, float]) -> dict[str, float | None]:
    return {key: None if value != value else value for key, value in row.items()}
