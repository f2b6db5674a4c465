"""What a finished run says, from its records: λ, influence, kernels, each with standard errors over samples.

    lambda.csv                     layer (from 1), lambda, standard_error: means over positions and samples
    lambda_positions.npy           (T, n), means over samples; lambda_positions_error.npy their standard errors
    influence.csv                  position (from 0); influence, standard_error: mean of norms, as the paper's code does
                                   it; influence_of_samples, standard_error_of_samples: mean of the samples' profiles;
                                   bos: 1 where the token is BOS, else 0
    lambda_without_bos.csv, influence_without_bos.csv    the same of the positions after BOS, counted anew from 0
    samples.csv                    sample (from 1), where it begins in the text, its target token, Σ of norms, exclusion
    kernels.npy                    (T, n, n) mean over samples of head averages; kernels_value_weighted.npy
    deviations.npy                 (K, T), how far each kernel is from the mean: `numeric.model.kernel_deviations`
    kernels.csv, content.csv       what was checked of each layer's kernel, the worst cell counted from 0; mean scaled
                                   q·k on and off the diagonal, layers and heads from 1
    report.json                    the summary, and all of manifest.json

No file holds a time or a date: the same run writes the same bytes. Each sum of a column influence is 1.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.files import open_atomically
from numeric.model.csv_columns import csv_columns
from numeric.model.moments import Influences, Moments
from numeric.refuse import flag
from numeric.shape import shape

if TYPE_CHECKING:
    from numeric.model.store import Store
    from numeric.model.text import Samples

__all__ = ["PRINTED", "write_report"]

FloatArray = NDArray[np.float64]
PRINTED, SAMPLES = "mean of norms", "samples.csv"
DEVIATIONS = "deviations.npy"


@dataclass
class _View:
    """All positions, or those after BOS: the averages of what samples say there."""

    first: int
    layers: Moments
    depth: Moments
    influences: Influences

    @staticmethod
    def of(first: int) -> _View:
        return _View(first, Moments(), Moments(), Influences())

    def add(self, number: int, record: Any, finite: bool) -> None:
        self.influences.add(number, record["influence"][self.first :])
        if finite:
            shares = record["mixing"][:, self.first :].mean(axis=1)
            self.layers.add(shares)
            self.depth.add(np.asarray(shares.sum()))


def write_report(
    store: Store, samples: Samples, remarks: Sequence[str] = (), architecture: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Writes every file of a run that is complete and returns what report.json holds, with ``remarks`` on the model and
    its ``architecture``.

    Raises InputError where λ of no sample is finite, and for kernels that are none.
    """
    views = [_View.of(0)] + ([] if samples.bos is None else [_View.of(1)])
    positions, undefined = _read(store, views)
    if not positions.count:
        raise flag("MODEL", "give finite mixing coefficients", f"none in all {samples.count} samples")
    files: dict[str, bytes | FloatArray] = {
        **dict(_tables(views)), "lambda_positions.npy": positions.mean, "lambda_positions_error.npy": positions.error
    }  # fmt: skip
    kernels = None
    if store.summed is not None:
        from numeric.model.kernel_report import kernel_report

        kernels, more = kernel_report(store)
        files |= more
    report = _report(store, samples, views, undefined, kernels)
    report["remarks"], report["architecture"] = list(remarks), architecture
    kept = [] if store.summed is None else [DEVIATIONS]
    report["files"] = sorted([*files, *kept, SAMPLES, "report.json"])
    files["report.json"] = (json.dumps(report, indent=2, allow_nan=False) + "\n").encode("ascii")
    _write_samples(store, samples, dict(views[0].influences.excluded))
    for name, content in files.items():
        _write(store.folder / name, content)
    return report


def _read(store: Store, views: list[_View]) -> tuple[Moments, list[int]]:
    """λ by position over the samples where it is finite, the numbers of the others; fills the views."""
    positions, undefined = Moments(), []
    for number, record in enumerate(store.records(), start=1):
        finite = bool(np.isfinite(record["mixing"]).all())
        if finite:
            positions.add(record["mixing"])
        else:
            undefined.append(number)
        for view in views:
            view.add(number, record, finite)
    for record in store.records():
        for view in views:
            view.influences.add_again(record["influence"][view.first :])
    return positions, undefined


def _write(path: Path, content: bytes | FloatArray) -> None:
    with open_atomically(path, "--out") as out:
        if isinstance(content, bytes):
            out.write(content)
        else:  # as large as all kernels: no copy of it in memory
            np.save(out, content, allow_pickle=False)


# --- tables ---------------------------------------------------------------------------------------------------------


def _tables(views: list[_View]) -> Iterator[tuple[str, bytes]]:
    for view in views:
        suffix = "_without_bos" if view.first else ""
        yield (
            f"lambda{suffix}.csv",
            csv_columns("layer,lambda,standard_error", view.layers.mean, view.layers.error, start=1),
        )
        found = view.influences
        if found.count:
            head = "position,influence,standard_error,influence_of_samples,standard_error_of_samples,bos"
            is_bos = (np.arange(found.mean_of_norms.size) + view.first == 0) & (len(views) > 1)
            columns = (found.mean_of_norms, found.error, found.profiles.mean, found.profiles.error, is_bos.astype(int))
            yield f"influence{suffix}.csv", csv_columns(head, *columns)


def _write_samples(store: Store, samples: Samples, excluded: Mapping[int, str]) -> None:
    """Line by line: as long as there are samples."""
    with open_atomically(store.folder / SAMPLES, "--out") as out:
        out.write(b"sample,start,target,sum_of_norms,excluded\n")
        for number, record in enumerate(store.records(), start=1):
            start = "" if samples.starts is None else int(samples.starts[number - 1])
            total = float(record["influence"].sum())
            cells = (number, start, int(record["target"]), repr(total), excluded.get(number, ""))
            out.write((",".join(map(str, cells)) + "\n").encode())


# --- report ---------------------------------------------------------------------------------------------------------


def _report(
    store: Store, samples: Samples, views: list[_View], undefined: list[int], kernels: dict[str, Any] | None
) -> dict[str, Any]:
    return {
        "length": samples.length,
        "layers": store.manifest["model"]["layers"],
        "samples": samples.count,
        "bos": samples.bos is not None,
        **_view(views[0], store, undefined),
        "without_bos": _view(views[1], store, undefined) if len(views) > 1 else None,
        "kernels": kernels,
        "manifest": store.manifest,
    }


def _view(view: _View, store: Store, undefined: list[int]) -> dict[str, Any]:
    """Positions are those of the samples, from 1, BOS among them."""
    found = view.influences
    shares, errors = view.layers.mean, view.layers.error
    return {
        "lambda": {
            "layers": shares.tolist(),
            "standard_errors": _numbers(errors),
            "effective_depth": float(view.depth.mean),
            "effective_depth_error": _number(view.depth.error),
            "excluded": undefined,
        },
        "influence": {
            "target": store.manifest["target"],
            "printed": PRINTED,
            "samples": found.count,
            "excluded": [{"sample": number, "sum": reason} for number, reason in found.excluded],
            "mean_of_norms": _shape(found.mean_of_norms, view.first) if found.count else None,
            "mean_of_samples": _shape(found.profiles.mean, view.first) if found.count else None,
        },
    }


def _shape(p: FloatArray, first: int) -> dict[str, Any]:
    form, low = shape(p), shape(p).valley
    return {
        "profile": p.tolist(),
        "shape": form.label,
        "valley": {"position": None if low.position is None else low.position + 1 + first,
                   "value": low.value, "depth": low.depth},
        "spike": form.spike,
        "mean_position": form.mean_position + 1 + first,
        "first_tenth": form.first_tenth,
        "last_tenth": form.last_tenth,
    }  # fmt: skip


def _number(x: Any) -> float | None:
    return None if math.isnan(float(x)) else float(x)


def _numbers(values: Any) -> list[float | None]:
    return [_number(x) for x in values]
